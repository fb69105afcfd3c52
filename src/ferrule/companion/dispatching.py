"""An event of a completed turn becomes that turn's one instruction, or changes nothing at all (R79-R84, R92, R98).

Owns what the platform calls `ToDispatchOnlineSessionMemoryCriticEvent`, and the way of a `queue-input` event: one
durable row first and one instruction later. A turn that is not stored yet is waited for, a bounded number of looks;
then the event is settled as declined, with its reason in its row. Order comes from the turns' ordinals, never a time
(CASE-H08). Knows nothing of sockets, files or workers.
"""

from dataclasses import replace

from ferrule.companion.answers import Acceptance, Declined, Dispatch, Duplicate, Ignored, Queued, Received
from ferrule.companion.attaching import declined_turn
from ferrule.companion.binding import companion_of
from ferrule.companion.instructing import render_instruction
from ferrule.companion.ports import CompanionStore
from ferrule.companion.subscribing import future_turn, known_already, subscribed
from ferrule.errors import Code, StoreCorrupt
from ferrule.session.events import (
    LONGEST_WAIT,
    EventEnvelope,
    EventFault,
    EventState,
    StoredEvent,
    digest,
    oversize,
    parse_envelope,
    verify,
)
from ferrule.session.source import Origin
from ferrule.session.subscriptions import Delivery

__all__ = ["MAX_LOOKS", "MAX_WAITING", "accept", "dispatch", "drain"]

# Seconds from one look for a missing turn to the next: an hour and a quarter and a bit, in all.
_WAITS = (5.0, 30.0, 180.0, 900.0, LONGEST_WAIT)
MAX_LOOKS = len(_WAITS) + 1
MAX_WAITING = 10_000
"""How many events of one source may wait to be dispatched; more are refused until a worker has taken some."""


def dispatch(
    store: CompanionStore,
    raw: bytes | str,
    *,
    road: Delivery,
    signature: str | None = None,
    key: bytes | None = None,
    now: float,
) -> Dispatch:
    """Take one event: `ToDispatchOnlineSessionMemoryCriticEvent(callbackJson)` (R80).

    Everything is decided inside one unit, again at every event, by what is stored then. Only `Queued` changes anything,
    so whatever was not queued may be sent again.

    Args:
        store: where everything of it stands or falls in one unit.
        raw: the envelope's JSON as it came; a webhook's signature is over these bytes.
        road: how it came; a subscription takes its events by one road only.
        signature: the value of `X-Ferrule-Signature`, for a webhook.
        key: the home's webhook key.
        now: seconds since the epoch, for the expiry of the subscription.

    Returns:
        `Queued` with the instruction's text; `Duplicate` when this event or turn was delivered before; `Ignored` when
        it asks for nothing here; else `Declined`: `TOO_LARGE TOO_DEEP BAD_TOOL_ARGS BAD_KEY` for what is no envelope,
        `EVENT_TAMPERED` for a missing or wrong signature or other content under a known id, `NOT_ATTACHABLE`,
        `WRONG_SESSION`, `FORBIDDEN_ORIGIN` for another road than the subscription's, `TURN_NOT_COMPLETED`.
    """
    fault = oversize(raw)
    if fault is None and road is Delivery.WEBHOOK:
        body = raw if isinstance(raw, bytes) else raw.encode("utf-8", "surrogatepass")
        if not verify(key or b"", body, signature):
            return Declined(Code.EVENT_TAMPERED, "the signature of the event is missing or wrong")
    envelope = fault or parse_envelope(raw)
    if isinstance(envelope, EventFault):
        return Declined(envelope.code, envelope.reason)
    with store.unit():
        answer = known_already(store, envelope) or _review_turn(store, envelope, road, now=now)
        if isinstance(answer, Queued):
            store.put_event(StoredEvent(envelope, digest(envelope), EventState.SETTLED, outcome="queued", attempts=1))
        return answer


def accept(store: CompanionStore, raw: bytes | str, *, now: float) -> Acceptance:
    """Store a `queue-input` event, one durable row, for a worker to dispatch. Nobody waits for the dispatch.

    What a dispatch would refuse now and later is refused at once, and not stored; only a turn that is not stored yet
    is waited for. A source whose `MAX_WAITING` events wait already has to send this one again later.

    Returns:
        `Received`; or, with nothing changed, `Duplicate`, `Ignored` or `Declined` as `dispatch` answers, or `BUDGET`.
    """
    envelope = parse_envelope(raw)
    if isinstance(envelope, EventFault):
        return Declined(envelope.code, envelope.reason)
    with store.unit():
        refused = known_already(store, envelope) or _hopeless(store, envelope, now)
        if refused is not None:
            return refused
        if store.events_waiting(envelope.source, MAX_WAITING) >= MAX_WAITING:
            return Declined(
                Code.BUDGET, f"{MAX_WAITING} events of this source wait to be dispatched already; send it again later"
            )
        store.put_event(StoredEvent(envelope, digest(envelope), due=now))
        return Received(envelope.id, envelope.source, envelope.turn)


def drain(store: CompanionStore, *, limit: int = 64, now: float) -> tuple[Dispatch, ...]:
    """Dispatch the received events that are due, oldest first, each in a unit of its own; returns their answers.

    Call it again until it returns nothing. Two workers that drain at once dispatch each event once.
    """
    answers = [_dispatched(store, event.envelope, now) for event in store.received_events(limit)]
    return tuple(answer for answer in answers if answer is not None)


def _review_turn(store: CompanionStore, envelope: EventEnvelope, road: Delivery, *, now: float) -> Dispatch:
    """Queue the event's turn when its source's subscription takes it; part of a unit that the caller has begun."""
    taken = subscribed(store, envelope, road, now=now)
    if not isinstance(taken, tuple):
        return taken
    session, subscription = taken
    ordinal = future_turn(store, envelope, subscription)
    if not isinstance(ordinal, int):
        return ordinal
    turn = store.turn(session.key, envelope.turn)
    if turn is None:
        return declined_turn(session.key, envelope.turn, stored=True)
    (instruction,) = store.enqueue(session, companion_of(session), [(ordinal, envelope.turn)], Origin.EVENT)
    return Queued(instruction, render_instruction(instruction, turn, event=envelope.id))


def _hopeless(store: CompanionStore, envelope: EventEnvelope, now: float) -> Duplicate | Ignored | Declined | None:
    taken = subscribed(store, envelope, Delivery.QUEUE_INPUT, now=now)
    if not isinstance(taken, tuple):
        return taken
    turn = future_turn(store, envelope, taken[1])
    if isinstance(turn, int) or (isinstance(turn, Declined) and turn.code is Code.TURN_NOT_COMPLETED):
        return None
    return turn


def _dispatched(store: CompanionStore, received: EventEnvelope, now: float) -> Dispatch | None:
    """One event's answer; None when another worker was quicker, or its time has not come."""
    try:
        with store.unit():
            event = store.event(received.source, received.id)
            if event is None or not _is_due(event, now):
                return None
            answer = _review_turn(store, event.envelope, Delivery.QUEUE_INPUT, now=now)
            store.put_event(_after(event, answer, now))
            return answer
    except StoreCorrupt as error:
        # One damaged turn must not hold up the events behind it.
        return _refused(store, received, Declined(error.code, str(error)), now)


def _refused(store: CompanionStore, received: EventEnvelope, answer: Declined, now: float) -> Dispatch | None:
    with store.unit():
        event = store.event(received.source, received.id)
        if event is None or not _is_due(event, now):
            return None
        store.put_event(_after(event, answer, now))
        return answer


def _is_due(event: StoredEvent, now: float) -> bool:
    """A time farther off than any wait was written before the clock was set back: it counts as due (CASE-H08)."""
    return event.state is EventState.RECEIVED and not now < event.due <= now + LONGEST_WAIT


def _after(event: StoredEvent, answer: Dispatch, now: float) -> StoredEvent:
    looks = event.attempts + 1
    match answer:
        case Declined(Code.TURN_NOT_COMPLETED as code, reason) if looks < MAX_LOOKS:
            return replace(event, attempts=looks, due=now + _WAITS[looks - 1], code=code.value, reason=reason)
        case Declined(code, reason):
            settled = replace(event, outcome="declined", code=code.value, reason=reason)
        case Queued():
            settled = replace(event, outcome="queued", code="", reason="")
        case Duplicate(_, _, reason):
            settled = replace(event, outcome="duplicate", code=Code.DUPLICATE_TURN.value, reason=reason)
        case Ignored(_, _, reason):
            settled = replace(event, outcome="ignored", code="", reason=reason)
    return replace(settled, state=EventState.SETTLED, attempts=looks)

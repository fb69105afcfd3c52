"""Events over a home: the road is taken at its word, the turn's text may come along, a worker is woken (R79-R84).

Owns that composition, and handing a turn's text over by itself. Nothing here waits for a review, and what is refused or
ignored leaves nothing behind. Knows nothing of how an event reached the process.
"""

import time
from typing import NamedTuple, TypeAlias

from ferrule.companion.answers import Acceptance, Declined, Dispatch, Duplicate, Queued, Received
from ferrule.companion.binding import observed
from ferrule.companion.dispatching import accept
from ferrule.companion.dispatching import dispatch as dispatch_event
from ferrule.errors import Code, UsageError
from ferrule.session.eligibility import Ineligible
from ferrule.session.events import EventEnvelope, parse_envelope
from ferrule.session.keys import is_text
from ferrule.session.subscriptions import Delivery
from ferrule.wiring.handover import Handed, keep, whole
from ferrule.wiring.home import Home
from ferrule.wiring.silencing import refused
from ferrule.wiring.webhookkey import webhook_key
from ferrule.wiring.working import wake

__all__ = ["Answered", "Delivered", "deliver", "dispatch", "subject"]

Answered: TypeAlias = Dispatch | Acceptance


class Delivered(NamedTuple):
    """A completed turn whose text is stored, named as attach, feedback and events name it."""

    session: str
    turn: str


def dispatch(
    home: Home,
    raw: bytes | str,
    *,
    road: Delivery = Delivery.LOCAL,
    signature: str | None = None,
    handed: Handed | Declined | None = None,
) -> Answered:
    """Take one event, at once and durably: `Queued` in its lane, or by `queue-input` `Received` for a worker.

    Args:
        home: an open home.
        raw: the envelope's JSON as it came; a webhook's signature is over these bytes.
        road: how it came.
        signature: the `X-Ferrule-Signature` that came with it, for a webhook.
        handed: the event's turn with its text, when it is not stored yet, or why it is not completed.

    Raises:
        UsageError: `WRONG_SESSION` when the handed turn is not the event's.
        StoreError: the home cannot be written; nothing was changed.
    """
    now = time.time()
    key = webhook_key(home.path) if road is Delivery.WEBHOOK else None
    if isinstance(handed, Handed):
        _same(handed, raw)
    off = _off(home, raw, handed)
    if off is not None:
        return off

    def decide() -> Answered:
        if isinstance(handed, Handed):
            keep(home.store, handed)
        if road is Delivery.QUEUE_INPUT:
            return accept(home.store, raw, now=now)
        return dispatch_event(home.store, raw, road=road, signature=signature, key=key, now=now)

    answer = whole(home.store, decide)
    if isinstance(answer, Declined):
        return handed if isinstance(handed, Declined) and answer.code is Code.TURN_NOT_COMPLETED else answer
    if _has_work(home, answer):
        wake(home)
    return answer


def deliver(home: Home, handed: Handed) -> Delivered | Declined:
    """Store the text of a completed turn of a source that may be observed; queues nothing.

    Raises:
        StoreError: the home cannot be written; nothing was changed.
    """
    off = refused(home, handed.session.key, handed.session, handed.turn)
    if off is not None:
        return off

    def decide() -> Delivered | Declined:
        turn = keep(home.store, handed)
        found = observed(home.store, turn.session)
        if isinstance(found, Ineligible):
            return Declined(Code.NOT_ATTACHABLE, str(found))
        return Delivered(turn.session, turn.key)

    return whole(home.store, decide)


def subject(raw: bytes | str) -> tuple[str, str] | None:
    """The source and the turn that an event is about; None when it is no event, or one that is about no turn."""
    envelope = parse_envelope(raw)
    return (envelope.source, envelope.turn) if isinstance(envelope, EventEnvelope) and envelope.turn else None


def _off(home: Home, raw: bytes | str, handed: Handed | Declined | None) -> Declined | None:
    """Declined where nothing is captured, unless a person wants it anyway."""
    if isinstance(handed, Handed):
        return refused(home, handed.session.key, handed.session, handed.turn)
    about = subject(raw)
    return None if about is None or not is_text(about[0]) else refused(home, about[0])


def _has_work(home: Home, answer: Answered) -> bool:
    """Whether a worker finds something to do; a redelivery also calls one for what an earlier worker left."""
    if isinstance(answer, Duplicate):
        lane = home.store.lane(answer.source)
        return lane is not None and lane.due is not None
    return isinstance(answer, Queued | Received)


def _same(handed: Handed, raw: bytes | str) -> None:
    about = subject(raw)
    if about is not None and about != (handed.session.key, handed.turn.key):
        raise UsageError(
            f"the turn handed over is {handed.turn.key} of {handed.session.key}, "
            f"the event's is {about[1]} of {about[0]}",
            code=Code.WRONG_SESSION,
        )

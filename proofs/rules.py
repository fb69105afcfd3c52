"""What may follow what in the file, whoever did it: one small function per table, each gives what is wrong.

Owns the rules that need nothing but two snapshots and what the actor meant to do (INV-I1, I3, I4, I7, R8, R12, R74-R81,
R96, R98). Knows nothing of leases or of how a step came about.
"""

from collections.abc import Iterable

from ferrule.session.source import COMPANION_SUFFIX, CRITIC_PROFILE, LaneClaim
from proofs.acts import Kind, Step
from proofs.looking import Order, TurnKey

__all__ = ["claims", "lanes", "memory", "moved", "queued", "sessions", "stored_events", "subscriptions"]

LEGAL = frozenset(
    {
        ("", "waiting"),
        ("waiting", "claimed"),
        ("waiting", "parked"),
        ("waiting", "withdrawn"),
        ("claimed", "waiting"),
        ("claimed", "done"),
        ("claimed", "parked"),
        ("parked", "waiting"),
        ("withdrawn", "waiting"),
    }
)
DETACHED_ORIGINS = frozenset({"thumbs-up", "management", "event"})


def claims(step: Step) -> Iterable[str]:
    """The oldest waiting turn comes first, and nothing of a lane at rest (R2, R98)."""
    for call in step.calls:
        if not isinstance(call.result, LaneClaim):
            continue
        source, turn = call.result.source, call.result.instruction.turn
        parked = {key[1] for key, order in step.after.orders.items() if key[0] == source and order.state == "parked"}
        oldest = next((turn for _, turn in step.before.waiting(source) if turn not in parked), None)
        if oldest != turn:
            yield f"order: {source}: {turn} was claimed, but {oldest} waits longest"
        if step.before.sessions.get(source, ("", None, False, 0))[2]:
            yield f"R98: {source} is archived, and {turn} was claimed"
        if source in step.before.paused:
            yield f"{source} is paused, and {turn} was claimed"


def moved(step: Step, key: TurnKey, was: Order | None, order: Order) -> Iterable[str]:
    """What one instruction may become, and by whose doing."""
    state = was.state if was is not None else ""
    if was is not None and (was.ordinal, was.companion) != (order.ordinal, order.companion):
        yield f"{key} changed its place or its companion"
    if order.companion != f"{key[0]}{COMPANION_SUFFIX}":
        yield f"R8: {key} is queued for {order.companion}"
    if order.state == "parked" and not order.reason:
        yield f"{key} is parked without a reason"
    if order.state == "withdrawn" != state and not _may_withdraw(step, key, was):
        yield f"R96: {key} was withdrawn without a detach that may"
    if order.state == "waiting" and state == "parked" and step.act.kind is not Kind.UNPARK:
        yield f"{key} is no longer parked, and nobody asked"


def _may_withdraw(step: Step, key: TurnKey, was: Order | None) -> bool:
    asked = step.act.kind is Kind.DETACH and step.act.source == key[0]
    return asked and was is not None and was.origin in DETACHED_ORIGINS


def queued(step: Step, key: TurnKey, order: Order, *, told: bool) -> Iterable[str]:
    """Why may this turn wait now? Somebody selected exactly it, or a covered event told of it (R75, R81, R96)."""
    source, turn = key
    if not step.after.observable(source):
        yield f"R9: {source} is not to be observed, and {turn} was queued"
    if step.act.selects(source, turn):
        return
    standing = step.before.subscriptions.get(source)
    if not told:
        yield f"R75: nobody selected {key}, and no event told of it"
    elif standing is None or not standing.enabled:
        yield f"R96: {key} was queued by an event, and nothing listens"
    elif order.ordinal < standing.first_ordinal:
        yield f"R81: {key} was queued by an event, and is older than the subscription"
    elif standing.lapsed(step.now):
        yield f"{key} was queued by an event after the subscription ran out"


def lanes(step: Step) -> Iterable[str]:
    """A lane stays, and its epoch only rises."""
    for source, lane in step.before.lanes.items():
        after = step.after.lanes.get(source)
        if after is None or after.epoch < lane.epoch:
            yield f"{source}: the epoch of its lane fell"


def memory(step: Step) -> Iterable[str]:
    """What is valued stays as it is, and only a review of a session writes into it (INV-I3, INV-I7)."""
    reviewed = {key[0] for key in step.after.reviews.keys() - step.before.reviews.keys()}
    for place, value in step.before.values.items():
        if step.after.values.get(place) != value:
            yield f"INV-I3: {place} is no longer what it was"
    for place in step.after.values.keys() - step.before.values.keys():
        if place[0] not in reviewed:
            yield f"INV-I7: {place} was written without a review of its session"


def sessions(step: Step) -> Iterable[str]:
    """Profile and parent never change, a child is its source's own, archiving is asked for (R8, R12, R98)."""
    for key, (profile, parent, archived, revision) in step.after.sessions.items():
        was = step.before.sessions.get(key)
        if was is None:
            if profile == CRITIC_PROFILE and key != f"{parent}{COMPANION_SUFFIX}":
                yield f"R8: {key} was made the companion of {parent}"
            continue
        if (profile, parent) != was[:2]:
            yield f"R12: {key} changed its profile or parent"
        if archived != was[2] and (step.act.kind is not Kind.ARCHIVE or step.act.source != key):
            yield f"R98: {key} was archived or brought back, and nobody asked"
        if revision < was[3]:
            yield f"the revision of {key} fell"


def subscriptions(step: Step) -> Iterable[str]:
    """One per source; an attach enables it behind all history, a detach disables it, nothing else (R74, R79, R96)."""
    if step.after.subscribed != len(step.after.subscriptions):
        yield "R74: a source has more than one subscription"
    for source, standing in step.after.subscriptions.items():
        was = step.before.subscriptions.get(source)
        enabled = was is not None and was.enabled and not was.lapsed(step.now)
        kind = step.act.kind if step.act.source == source else Kind.WORK
        if standing.enabled and not enabled:
            if kind is not Kind.ATTACH:
                yield f"R79: the subscription of {source} was enabled, and nobody attached"
            if standing.first_ordinal <= step.before.newest.get(source, 0):
                yield f"R81: the subscription of {source} covers turns that were there before"
        elif enabled and was is not None and standing.first_ordinal != was.first_ordinal:
            yield f"R81: the first turn of the subscription of {source} moved"
        if enabled and not standing.enabled and kind is not Kind.DETACH:
            yield f"R96: the subscription of {source} was disabled, and nobody detached"


def stored_events(step: Step) -> Iterable[str]:
    """A stored event that its subscription asks for is queued when its time comes, not let go (R92)."""
    for key, event in step.after.events.items():
        was = step.before.events.get(key)
        if was is None or was.state == event.state or event.outcome in {"queued", "duplicate"}:
            continue
        if step.before.covers(event.source, event.turn, "queue-input", step.now):
            yield f"0 lost: the stored event {key} was settled as {event.outcome}: {event.reason}"

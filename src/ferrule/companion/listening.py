"""A companion's subscription, renewed and ended under the platform's own terms, without queueing anything (R79, R96).

Owns who may subscribe to what: only the companion of a source, only to `turn.completed`, never to history. Knows
nothing of the shapes in which a platform asks, or of clocks: the time is handed in.
"""

from collections.abc import Sequence
from dataclasses import replace

from ferrule.companion.answers import Declined, Detached
from ferrule.companion.attaching import detach, is_listening
from ferrule.companion.binding import misbound, observed
from ferrule.companion.ports import CompanionStore
from ferrule.errors import Code
from ferrule.session.eligibility import Ineligible
from ferrule.session.keys import child_key
from ferrule.session.subscriptions import TURN_COMPLETED, Subscription

__all__ = ["active", "subscribe", "unsubscribe"]


def subscribe(
    store: CompanionStore, source: str, subscriber: str, events: Sequence[str], *, expires: float | None, now: float
) -> Subscription | Declined:
    """Have the events of a source delivered to its companion from the next turn on, until `expires`.

    A subscription that stands keeps where it began and gets the new expiry; a new or renewed one begins after
    everything that is known. The companion must be there: an attach makes it.

    Args:
        store: where everything of it stands or falls in one unit.
        source: the source session's key.
        subscriber: the key of its companion.
        events: exactly `turn.completed`.
        expires: seconds since the epoch; None for never.
        now: seconds since the epoch.
    """
    with store.unit():
        refused = _refused(store, source, subscriber, events)
        if refused is not None:
            return refused
        before = store.subscription(source)
        if before is not None and is_listening(before, now):
            after = replace(before, expires=expires)
        else:
            first = store.last_ordinal(source) + 1
            after = Subscription(source, subscriber, first, expires=expires, created=now)
            after = after if before is None else replace(after, delivery=before.delivery)
        if after != before:
            store.put_subscription(after)
        return after


def unsubscribe(store: CompanionStore, source: str, subscriber: str) -> Detached | Declined:
    """End the delivery of a source's events to its companion: a detach under another name."""
    if subscriber != child_key(source):
        return _foreign(source)
    return detach(store, source)


def active(store: CompanionStore, source: str | None, now: float) -> tuple[Subscription, ...]:
    """The subscriptions that deliver now, of one source or of all, oldest first."""
    listening = (row for row in store.subscriptions() if is_listening(row, now))
    return tuple(row for row in listening if source is None or row.source == source)


def _refused(store: CompanionStore, source: str, subscriber: str, events: Sequence[str]) -> Declined | None:
    session = observed(store, source)
    if isinstance(session, Ineligible):
        return Declined(Code.NOT_ATTACHABLE, str(session))
    if subscriber != child_key(source):
        return _foreign(source)
    if list(dict.fromkeys(events)) != [TURN_COMPLETED]:
        return Declined(Code.BAD_TOOL_ARGS, f"a companion subscribes to {TURN_COMPLETED} and to nothing else")
    if store.companion(source) is None:
        return Declined(Code.NOT_ATTACHABLE, "the source has no companion yet: attach first")
    return misbound(store, source)


def _foreign(source: str) -> Declined:
    return Declined(Code.WRONG_SESSION, f"only {child_key(source)} subscribes to the events of this source")

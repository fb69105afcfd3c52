"""The part of the store that keeps companions, subscriptions, feedback and events.

Owns transactions and the clock for `attachments`; what each method does stands there.
"""

from collections.abc import Callable

from ferrule.adapters.sqlite import attachments
from ferrule.adapters.sqlite.database import Database
from ferrule.session.events import StoredEvent
from ferrule.session.source import SourceSession
from ferrule.session.subscriptions import Companion, Subscription

__all__ = ["SqliteAttachments", "SqliteEvents"]


class SqliteAttachments:
    """What a home knows of its companions."""

    _database: Database
    _clock: Callable[[], float]

    def companion(self, source: str) -> Companion | None:
        """The companion of a source with the reviewer chosen for it, or None."""
        return attachments.find_companion(self._database, source)

    def put_companion(self, companion: Companion, child: SourceSession) -> None:
        """Ensure the child session and keep the companion's reviewer settings as given."""
        with self._database.transaction():
            attachments.put_companion(self._database, companion, child)

    def subscription(self, source: str) -> Subscription | None:
        """The one `turn.completed` subscription of a source, enabled or not, or None."""
        return attachments.find_subscription(self._database, source)

    def subscriptions(self) -> tuple[Subscription, ...]:
        """Every subscription, oldest first."""
        return attachments.all_subscriptions(self._database)

    def put_subscription(self, subscription: Subscription) -> None:
        """Create the subscription, or give the one of that source and event these values (R79)."""
        with self._database.transaction():
            attachments.put_subscription(self._database, subscription)

    def put_feedback(self, source: str, turn: str, value: str) -> None:
        """Keep what a person thinks of a turn: `up`, `neutral` or `down`; the last one counts."""
        with self._database.transaction():
            attachments.keep_feedback(self._database, source, turn, value, now=self._clock())

    def feedback(self, source: str, turn: str) -> str:
        """What a person thinks of a turn; empty when nothing was said."""
        return attachments.feedback_on(self._database, source, turn)


class SqliteEvents:
    """The events that came in, once each."""

    _database: Database
    _clock: Callable[[], float]

    def event(self, source: str, event_id: str) -> StoredEvent | None:
        """A stored event by its source and its id, or None."""
        return attachments.find_event(self._database, source, event_id)

    def put_event(self, event: StoredEvent) -> bool:
        """Store an event, or renew all but envelope and digest of the one it is; True when it was new."""
        with self._database.transaction():
            return attachments.keep_event(self._database, event, self._clock())

    def received_events(self, limit: int) -> tuple[StoredEvent, ...]:
        """Events that were stored, not settled yet, and are due by now, oldest first."""
        return attachments.received_events(self._database, limit, self._clock())

    def events_waiting(self, source: str, most: int) -> int:
        """How many received events of a source wait to be dispatched; counting ends at `most`."""
        return attachments.events_waiting(self._database, source, most)

    def next_event(self) -> float | None:
        """When the next received event is due, in the past when one is now; None when none waits."""
        return attachments.next_event(self._database, self._clock())

    def stuck_events(self, source: str, limit: int) -> tuple[StoredEvent, ...]:
        """Stored events of a source that wait for their turn, or were declined in the end; newest first."""
        return attachments.stuck_events(self._database, source, limit)

"""Companions, subscriptions, feedback and events, as rows.

Owns reading and writing them; a change runs inside the caller's transaction. Knows nothing of what an event leads to.
"""

import sqlite3
from dataclasses import asdict

from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.lanes import CLOCK_SLACK
from ferrule.adapters.sqlite.queueing import known_session
from ferrule.adapters.sqlite.sessions import insert_session
from ferrule.adapters.sqlite.statements import statements
from ferrule.session.events import LONGEST_WAIT, EventEnvelope, EventState, StoredEvent
from ferrule.session.source import SourceSession
from ferrule.session.subscriptions import TURN_COMPLETED, Companion, Delivery, Subscription

__all__ = [
    "EVENTS_KEPT",
    "EVENTS_SECONDS",
    "all_companions",
    "all_subscriptions",
    "events_waiting",
    "feedback_on",
    "find_companion",
    "find_event",
    "find_subscription",
    "keep_event",
    "keep_feedback",
    "next_event",
    "put_companion",
    "put_subscription",
    "received_events",
    "stuck_events",
]

_SQL = statements("attachments")
# A settled event is only kept to know its repetition; the turn itself stays known for ever.
EVENTS_SECONDS = 14 * 24 * 3600.0
EVENTS_KEPT = 100_000


def find_companion(database: Database, source: str) -> Companion | None:
    """The companion of a source, or None."""
    row = database.row(_SQL["companion"], {"source": source})
    return None if row is None else Companion(**dict(row))


def all_companions(database: Database) -> tuple[Companion, ...]:
    """Every companion, oldest first."""
    return tuple(Companion(**dict(row)) for row in database.rows(_SQL["companions"]))


def put_companion(database: Database, companion: Companion, child: SourceSession) -> None:
    """Ensure the child and keep the reviewer chosen for it.

    Raises:
        UsageError: the source is not stored.
    """
    source = known_session(database, companion.source)
    chosen: dict[str, object] = {
        "reviewer": companion.reviewer,
        "provider": companion.provider,
        "model": companion.model,
        "reasoning": companion.reasoning,
    }
    database.run(_SQL["put_companion"], {"source": source, "companion": insert_session(database, child)} | chosen)


def find_subscription(database: Database, source: str) -> Subscription | None:
    """The one `turn.completed` subscription of a source, or None."""
    row = database.row(_SQL["subscription"], {"source": source, "event": TURN_COMPLETED})
    return None if row is None else _subscription(row)


def all_subscriptions(database: Database) -> tuple[Subscription, ...]:
    """Every subscription, oldest first."""
    return tuple(_subscription(row) for row in database.rows(_SQL["subscriptions"]))


def put_subscription(database: Database, subscription: Subscription) -> None:
    """Create or renew the one subscription of a source and event.

    Raises:
        UsageError: source or companion is not stored.
    """
    facts = asdict(subscription) | {
        "source": known_session(database, subscription.source),
        "companion": known_session(database, subscription.companion),
        "enabled": int(subscription.enabled),
        "delivery": subscription.delivery.value,
    }
    database.run(_SQL["put_subscription"], facts)


def keep_feedback(database: Database, source: str, turn: str, value: str, *, now: float) -> None:
    """Keep what a person thinks of a turn; the last word counts.

    Raises:
        UsageError: the source is not stored.
    """
    session = known_session(database, source)
    database.run(_SQL["put_feedback"], {"session": session, "turn": turn, "value": value, "now": now})


def feedback_on(database: Database, source: str, turn: str) -> str:
    """What a person thinks of a turn, or empty."""
    row = database.row(_SQL["feedback"], {"source": source, "turn": turn})
    return "" if row is None else str(row["value"])


def find_event(database: Database, source: str, event_id: str) -> StoredEvent | None:
    """The event of that source and id, or None."""
    row = database.row(_SQL["event"], {"source": source, "id": event_id})
    return None if row is None else _event(row)


def keep_event(database: Database, event: StoredEvent, now: float) -> bool:
    """Store an event once per source and id, else renew what became of it; True when new. Old settled ones go."""
    facts = asdict(event.envelope) | {
        "digest": event.digest,
        "state": event.state.value,
        "outcome": event.outcome,
        "code": event.code,
        "reason": event.reason,
        "attempts": event.attempts,
        "due": event.due,
        "now": now,
    }
    new = database.run(_SQL["add_event"], facts) > 0
    if new:
        database.run(_SQL["drop_old_events"], {"before": now - EVENTS_SECONDS})
        database.run(_SQL["drop_many_events"], {"most": EVENTS_KEPT})
    else:
        database.run(_SQL["renew_event"], facts)
    return new


def received_events(database: Database, limit: int, now: float) -> tuple[StoredEvent, ...]:
    """Events to dispatch, oldest first; one that was put off under a clock since set back is due (CASE-H08)."""
    rows = database.rows(_SQL["received_events"], _by_now(now) | {"limit": limit})
    return tuple(_event(row) for row in rows)


def events_waiting(database: Database, source: str, most: int) -> int:
    """How many received events of a source wait to be dispatched; counting ends at `most`."""
    return database.number(_SQL["events_waiting"], {"source": source, "most": most})


def next_event(database: Database, now: float) -> float | None:
    """When the next received event is due; one that was put off under a clock since set back is due now (CASE-H08)."""
    row = database.row(_SQL["next_event"], _by_now(now))
    return None if row is None or row[0] is None else float(row[0])


def _by_now(now: float) -> dict[str, float]:
    """A stamp of the future, or a time farther off than any wait, tells that the clock was set back since.

    The time alone tells it where the clock was set between a caller's look at it and the writing of its event.
    """
    return {"now": now, "ahead": now + CLOCK_SLACK, "farthest": now + LONGEST_WAIT}


def stuck_events(database: Database, source: str, limit: int) -> tuple[StoredEvent, ...]:
    """Events of a source that wait for their turn, or were declined in the end; newest first."""
    return tuple(_event(row) for row in database.rows(_SQL["stuck_events"], {"source": source, "limit": limit}))


def _subscription(row: sqlite3.Row) -> Subscription:
    facts = dict(row)
    return Subscription(**facts | {"enabled": bool(row["enabled"]), "delivery": Delivery(row["delivery"])})


def _event(row: sqlite3.Row) -> StoredEvent:
    facts = dict(row)
    envelope = EventEnvelope(
        **{name: facts.pop(name) for name in ("id", "type", "source", "target", "occurred", "turn")}
    )
    return StoredEvent(envelope, **facts | {"state": EventState(facts["state"])})

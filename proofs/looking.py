"""The judge looks at the file itself, by its own statements and connection: it trusts no code that it judges.

Owns the snapshot: what stands in the tables of one home at one moment. A step that changed nothing costs one pragma.
Knows nothing of what may follow what.
"""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ferrule.adapters.sqlite.home import FILE_NAME
from ferrule.session.source import SOURCE_PROFILE

__all__ = ["Event", "Lane", "Look", "Order", "Snapshot", "Standing", "TurnKey"]

TurnKey = tuple[str, str]
OPEN = frozenset({"waiting", "claimed", "failed"})

_ORDERS = """SELECT sessions.key AS source, turn, ordinal, origin, state, attempts, reason, companion
FROM instructions JOIN sessions ON sessions.id = instructions.session ORDER BY instructions.id"""
_LANES = "SELECT sessions.key AS source, lanes.* FROM lanes JOIN sessions ON sessions.id = lanes.session"
_NEWEST = """SELECT sessions.key AS source, max(ordinal) AS ordinal FROM turns
JOIN sessions ON sessions.id = turns.session GROUP BY turns.session"""
_TURNS = """SELECT sessions.key AS source, turns.key FROM turns JOIN sessions ON sessions.id = turns.session
WHERE body IS NOT NULL"""
_REVIEWS = """SELECT sessions.key AS source, turn, marker, outcome FROM reviews
JOIN sessions ON sessions.id = reviews.session"""
_SESSIONS = "SELECT key, profile, parent, archived, revision FROM sessions"
_MEMORIES = """SELECT sessions.key AS source, name, properties, memories.turn FROM memories
JOIN sessions ON sessions.id = memories.session"""
_SUBSCRIPTIONS = """SELECT sessions.key AS source, first_ordinal, enabled, expires, delivery FROM subscriptions
JOIN sessions ON sessions.id = subscriptions.source ORDER BY subscriptions.id"""
_EVENTS = "SELECT id, type, source, target, turn, state, outcome, reason, due FROM events"
_RECEIPTS = "SELECT seq, previous, hash, session, turn, verdict, prototype FROM receipts WHERE seq > ? ORDER BY seq"


@dataclass(frozen=True, slots=True)
class Order:
    """One instruction as its row stands."""

    ordinal: int
    origin: str
    state: str
    attempts: int
    reason: str
    companion: str


@dataclass(frozen=True, slots=True)
class Event:
    """One stored event as its row stands."""

    source: str
    turn: str
    state: str
    outcome: str
    reason: str
    due: float


@dataclass(frozen=True, slots=True)
class Lane:
    """One lane as its row stands; `due` is when it can be claimed, None while it rests."""

    epoch: int
    due: float | None


@dataclass(frozen=True, slots=True)
class Standing:
    """One subscription as its row stands."""

    first_ordinal: int
    enabled: bool
    expires: float | None
    delivery: str

    def lapsed(self, now: float) -> bool:
        """Whether it has expired."""
        return self.expires is not None and self.expires <= now


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What stands in the file. `receipts` are only those that are new since the snapshot before."""

    orders: Mapping[TurnKey, Order] = field(default_factory=dict)
    twice: tuple[TurnKey, ...] = ()
    lanes: Mapping[str, Lane] = field(default_factory=dict)
    reviews: Mapping[TurnKey, str] = field(default_factory=dict)
    sessions: Mapping[str, tuple[str, str | None, bool, int]] = field(default_factory=dict)
    values: Mapping[tuple[str, str, str], str] = field(default_factory=dict)
    subscriptions: Mapping[str, Standing] = field(default_factory=dict)
    subscribed: int = 0
    newest: Mapping[str, int] = field(default_factory=dict)
    turns: frozenset[TurnKey] = frozenset()
    events: Mapping[str, Event] = field(default_factory=dict)
    paused: frozenset[str] = frozenset()
    receipts: tuple[sqlite3.Row, ...] = ()

    def waiting(self, source: str) -> list[tuple[int, str]]:
        """(ordinal, turn) of what waits in a source's lane, oldest first; the claimed one too."""
        found = [(order.ordinal, key[1]) for key, order in self.orders.items() if key[0] == source]
        return sorted(pair for pair in found if self.orders[source, pair[1]].state in OPEN)

    def open(self) -> set[TurnKey]:
        """The turns that are not settled: queued ones, and those of events that wait."""
        events = {(event.source, event.turn) for event in self.events.values() if event.state == "received"}
        return events | {key for key, order in self.orders.items() if order.state in OPEN}

    def next_due(self, now: float) -> float:
        """When something can be done again; an hour at most, so that a lane that the clock blocked is found."""
        lanes = [lane.due for lane in self.lanes.values() if lane.due is not None]
        events = [event.due for event in self.events.values() if event.state == "received"]
        return min([*lanes, *events, now + 3600.0])

    def observable(self, source: str) -> bool:
        """Whether a critic may observe this session now (R9-R12, R98)."""
        profile, parent, archived, _ = self.sessions.get(source, ("", None, True, 0))
        return profile == SOURCE_PROFILE and parent is None and not archived

    def covers(self, source: str, turn: str, road: str, now: float) -> bool:
        """Whether the source's subscription asks for an event of this turn by this road."""
        standing = self.subscriptions.get(source)
        if standing is None or not standing.enabled or standing.lapsed(now) or standing.delivery != road:
            return False
        return self.observable(source) and (source, turn) in self.turns and int(turn[1:]) >= standing.first_ordinal


class Look:
    """The judge's own view of one home."""

    def __init__(self, home: Path) -> None:
        path = home / FILE_NAME
        self._connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        self._connection.row_factory = sqlite3.Row
        self._version = -1
        self._seen = 0
        self.now = Snapshot()

    def changed(self) -> bool:
        """Whether anybody committed since the last call; then `now` is new."""
        version = int(self._connection.execute("PRAGMA data_version").fetchone()[0])
        if version == self._version:
            return False
        self._version = version
        self.now = self._snapshot()
        return True

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def sound(self) -> str:
        """What SQLite itself says of the file; `ok` when it is whole."""
        return str(self._connection.execute("PRAGMA integrity_check").fetchone()[0])

    def count(self, statement: str) -> int:
        """The one number that a statement of ours yields."""
        return int(self._connection.execute(statement).fetchone()[0])

    def _rows(self, statement: str, *given: object) -> list[sqlite3.Row]:
        return self._connection.execute(statement, given).fetchall()

    def _snapshot(self) -> Snapshot:
        orders: dict[TurnKey, Order] = {}
        twice = []
        for row in self._rows(_ORDERS):
            key = (row["source"], row["turn"])
            if key in orders:
                twice.append(key)
            orders[key] = Order(
                row["ordinal"], row["origin"], row["state"], row["attempts"], row["reason"], row["companion"]
            )
        receipts = tuple(self._rows(_RECEIPTS, self._seen))
        self._seen = receipts[-1]["seq"] if receipts else self._seen
        standing = self._rows(_SUBSCRIPTIONS)
        lanes = self._rows(_LANES)
        return Snapshot(
            orders=orders,
            twice=tuple(twice),
            lanes={row["source"]: Lane(row["epoch"], row["due"]) for row in lanes},
            paused=frozenset(row["source"] for row in lanes if row["paused"]),
            turns=frozenset((row["source"], row["key"]) for row in self._rows(_TURNS)),
            newest={row["source"]: row["ordinal"] for row in self._rows(_NEWEST)},
            reviews={(row["source"], row["turn"]): row["marker"] for row in self._rows(_REVIEWS)},
            sessions={
                row["key"]: (row["profile"], row["parent"], bool(row["archived"]), row["revision"])
                for row in self._rows(_SESSIONS)
            },
            values=self._values(),
            subscriptions={
                row["source"]: Standing(row["first_ordinal"], bool(row["enabled"]), row["expires"], row["delivery"])
                for row in standing
            },
            subscribed=len(standing),
            events={
                row["id"]: Event(row["source"], row["turn"], row["state"], row["outcome"], row["reason"], row["due"])
                for row in self._rows(_EVENTS)
            },
            receipts=receipts,
        )

    def _values(self) -> dict[tuple[str, str, str], str]:
        found = {}
        for row in self._rows(_MEMORIES):
            for prop in json.loads(row["properties"]):
                found[row["source"], row["name"], _named(prop)] = json.dumps(prop, sort_keys=True)
        return found


def _named(prop: object) -> str:
    """The name of a stored property, whatever form it is stored in."""
    if isinstance(prop, dict):
        return str(prop.get("name", prop))
    return str(prop[0]) if isinstance(prop, list) and prop else str(prop)

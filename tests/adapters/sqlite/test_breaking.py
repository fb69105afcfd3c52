"""What a store does in the companion's life is there or not, whatever statement fails, and the store works on."""

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import pytest
from lane_cases import CHILD, SOURCE, claim, instruction, review, wait_in
from store_cases import IMPORT, LEASE, Clock, a_turn

from ferrule.adapters.sqlite.opening import connect_file
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import StoreError
from ferrule.session.events import EventEnvelope, EventState, StoredEvent
from ferrule.session.source import LaneClaim, Origin
from ferrule.session.subscriptions import Companion, Subscription

Act: TypeAlias = Callable[[SqliteStore, LaneClaim], object]
TABLES = (
    "sessions",
    "turns",
    "lanes",
    "instructions",
    "companions",
    "subscriptions",
    "events",
    "feedback",
    "manifests",
)
EVENT = StoredEvent(EventEnvelope("e1", "turn.completed", SOURCE.key, CHILD.key, "", "t9"), "d")


class Failing(sqlite3.Connection):
    """A connection of which the statement of number `stop` fails before it is executed."""

    count = 0
    stop = 0

    def execute(self, *args: object) -> sqlite3.Cursor:
        """Count, then fail or execute."""
        self.count += 1
        if self.count == self.stop:
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(*args)  # type: ignore[arg-type]


def attach(store: SqliteStore, _: LaneClaim) -> None:
    """What an attach does in one unit."""
    with store.unit():
        store.put_session(SOURCE)
        store.put_turns([a_turn(9)])
        store.put_companion(Companion(CHILD.key, SOURCE.key), CHILD)
        store.put_subscription(Subscription(SOURCE.key, CHILD.key, 10))
        store.enqueue(SOURCE, CHILD, [(9, "t9")], Origin.THUMBS_UP)
        store.put_feedback(SOURCE.key, "t9", "up")


def dispatch(store: SqliteStore, _: LaneClaim) -> None:
    """What a worker does with a stored event."""
    with store.unit():
        store.put_event(EVENT)
        store.enqueue(SOURCE, CHILD, [(9, "t9")], Origin.EVENT)
        store.put_event(StoredEvent(EVENT.envelope, EVENT.digest, EventState.SETTLED, "queued"))


def detach(store: SqliteStore, _: LaneClaim) -> None:
    """What a detach does."""
    with store.unit():
        store.put_companion(Companion(CHILD.key, SOURCE.key), CHILD)
        store.put_subscription(Subscription(SOURCE.key, CHILD.key, 10, enabled=False))
        store.withdraw(SOURCE.key, [IMPORT])


ACTS: dict[str, Act] = {
    "attach": attach,
    "dispatch": dispatch,
    "detach": detach,
    "claim": lambda store, _: store.claim_next(lease_seconds=LEASE, worker="w"),
    "renew": lambda store, held: store.renew(held, lease_seconds=2 * LEASE),
    "release": lambda store, held: store.release(held),
    "fail": lambda store, held: store.fail(held, "model away", attempts=5, delay_seconds=30),
    "park": lambda store, held: store.fail(held, "model away", attempts=1),
    "commit": review,
    "archive": lambda store, _: store.archive(SOURCE.key, archived=True),
    "pause": lambda store, _: store.pause(SOURCE.key, paused=True),
    "catch up": lambda store, _: store.put_manifest(SOURCE.key, [(1, "t1"), (2, "t2")]),
}


def rows(home: Path) -> list[list[tuple[object, ...]]]:
    """Every row of the companion's tables, as another process sees them."""
    connection = connect_file(home / "ferrule.sqlite3")
    found = [connection.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES]  # noqa: S608
    connection.close()
    return found


def opened(home: Path) -> tuple[SqliteStore, Failing, LaneClaim]:
    """A home with a claimed turn, one that waits behind it, and another lane."""
    made: list[Failing] = []

    def connect(path: Path) -> sqlite3.Connection:
        made.append(sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Failing))
        return made[-1]

    store = SqliteStore(home, Clock(), connect=connect)
    wait_in(store, SOURCE.key, 1, 2)
    held = claim(store)
    wait_in(store, "desk:other", 1)
    return store, made[0], held


def test_a_unit_that_sqlite_itself_undid_commits_nothing_more(in_memory: Path) -> None:
    """INV-I1, CASE-K01: a full disk may undo the whole transaction; what comes after in the unit is no unit alone."""
    store, connection, _ = opened(in_memory)
    untouched = rows(in_memory)

    def attach_in_spite() -> None:
        with store.unit():
            store.put_feedback(SOURCE.key, "t1", "up")
            connection.rollback()
            with suppress(StoreError):
                store.put_feedback(SOURCE.key, "t2", "up")

    with pytest.raises(StoreError):
        attach_in_spite()
    assert rows(in_memory) == untouched
    store.put_feedback(SOURCE.key, "t3", "up")
    assert store.feedback(SOURCE.key, "t3") == "up"
    store.close()


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_a_failure_at_any_statement_leaves_before_or_after(in_memory: Path, act: Act) -> None:
    """INV-I1, INV-I2, R59: never a third state, no lock kept, the next transaction as durable as before."""
    store, connection, held = opened(in_memory / "count")
    before = connection.count
    act(store, held)
    total = connection.count - before
    after = rows(in_memory / "count")
    store.close()
    assert total > 5
    store, connection, held = opened(in_memory / "home")
    untouched = rows(in_memory / "home")
    assert after != untouched
    for n in range(1, total + 1):
        connection.stop = connection.count + n
        with pytest.raises(StoreError):
            act(store, held)
        assert not store.is_inside()
        if rows(in_memory / "home") != untouched:
            # Only what follows the commit may fail after it: the setting that goes back to FULL.
            assert n == total
            break
    connection.stop = 0
    act(store, held)
    assert rows(in_memory / "home") != untouched
    store.put_feedback(SOURCE.key, "t1", "up")
    assert store._database.number("PRAGMA synchronous") == 2
    assert instruction(store).turn == "t1"
    store.close()

"""What a transaction waits for, how durable it is, and what a claim costs."""

import fcntl
import os
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from lane_cases import SOURCE, claim, claim_next, instruction, nothing_due, queue, review, standing, wait_in
from store_cases import LEASE, Clock, a_commit, a_turn

from ferrule.adapters.sqlite.statements import statements
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import Code, InternalError, StoreError
from ferrule.session.events import EventEnvelope, EventState, StoredEvent

FULL, NORMAL = 2, 1
SESSION = """INSERT OR IGNORE INTO sessions (id, key, profile, hidden, archived, client, title)
    VALUES (:n, 'desk:' || :n, 'buffaly-agent', 0, 0, 'desk', '')"""
LANE = "INSERT OR IGNORE INTO lanes (session, due) VALUES (:n, :n)"
INSTRUCTION = """INSERT OR IGNORE INTO instructions (session, companion, turn, ordinal, origin, state)
    VALUES (:n, 'desk:' || :n || '-online-memory-critic', 't1', 1, 'import', 'waiting')"""


class Watched(sqlite3.Connection):
    """A connection that keeps what it executed and how durable each transaction was that it began."""

    seen: list[tuple[str, int]]

    def execute(self, *args: object) -> sqlite3.Cursor:
        """Note, then execute."""
        if not hasattr(self, "seen"):
            self.seen = []
        level = super().execute("PRAGMA synchronous").fetchone()[0] if args[0] == "BEGIN IMMEDIATE" else -1
        self.seen.append((str(args[0]), level))
        return super().execute(*args)  # type: ignore[arg-type]

    def begun(self) -> list[int]:
        """How durable each transaction was, since this was asked last."""
        levels = [level for statement, level in self.seen if statement == "BEGIN IMMEDIATE"]
        self.seen.clear()
        return levels


@pytest.fixture
def connections() -> list[Watched]:
    """The connections that were made."""
    return []


@pytest.fixture
def store(tmp_path: Path, connections: list[Watched]) -> Iterator[SqliteStore]:
    """A store whose connection is watched."""

    def connect(path: Path) -> sqlite3.Connection:
        made = sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Watched)
        connections.append(made)
        return made

    opened = SqliteStore(tmp_path / "home", Clock(), connect=connect)
    yield opened
    opened.close()


def level(store: SqliteStore) -> int:
    """How durable the next transaction would be."""
    return store._database.number("PRAGMA synchronous")


# -- durability


def test_what_is_acknowledged_is_synced_and_a_claim_is_not(store: SqliteStore, connections: list[Watched]) -> None:
    """INV-I2: queuing, failures and commits are FULL; claims, renewals, releases NORMAL; FULL is back after each."""
    connection = connections[0]
    queue(store, a_turn(1), a_turn(2))
    assert set(connection.begun()) == {FULL}
    held = claim(store)
    store.renew(held, lease_seconds=LEASE)
    store.release(held)
    held = claim_next(store)
    assert connection.begun() == [NORMAL] * 4
    assert level(store) == FULL
    store.commit(a_commit(a_turn(1)), held)
    store.fail(claim(store), "model away", attempts=5)
    store.archive(SOURCE.key, archived=True)
    assert connection.begun() == [FULL, NORMAL, FULL, FULL]


def test_looking_for_work_in_vain_writes_nothing(store: SqliteStore, connections: list[Watched]) -> None:
    """INV-I8: a worker that finds nothing keeps nobody from queuing, also while lanes are claimed or back off."""
    wait_in(store, SOURCE.key, 1)
    held = claim(store)
    connections[0].begun()
    assert nothing_due(store)
    assert connections[0].begun() == []
    store.fail(held, "model away", attempts=5, delay_seconds=30)
    connections[0].begun()
    assert nothing_due(store)
    assert connections[0].begun() == []


def test_full_is_back_after_a_claim_that_broke(store: SqliteStore, connections: list[Watched]) -> None:
    """INV-I2: whatever broke it: a full disk at its begin, an error or an interrupt inside it."""
    queue(store, a_turn())
    database = store._database
    for error in (KeyboardInterrupt, ValueError, sqlite3.OperationalError):
        with pytest.raises((error, StoreError)):
            broken(store, error, durable=False)
        assert level(store) == FULL
        assert not database.is_inside()
    connections[0].begun()
    wait_in(store, SOURCE.key, 2)
    assert connections[0].begun() == [FULL]


def broken(store: SqliteStore, error: type[BaseException], *, durable: bool) -> None:
    """A transaction that breaks."""
    with store._database.transaction(durable=durable):
        raise error


def test_a_claim_inside_a_unit_is_as_durable_as_the_unit(store: SqliteStore, connections: list[Watched]) -> None:
    """INV-I2: one transaction, one sync."""
    queue(store, a_turn())
    connections[0].begun()
    with store.unit():
        claim(store)
        wait_in(store, SOURCE.key, 2)
    assert connections[0].begun() == [FULL]


def test_only_a_unit_is_joined(store: SqliteStore) -> None:
    """INV-I1: a transaction inside a transaction that is no unit is a bug, and leaves the outer one as it was."""
    with store._database.transaction():
        for inner in (store._database.transaction, store.unit):
            with pytest.raises(InternalError):
                enter(inner)
        store._database.run("UPDATE sessions SET title = ''")
    wait_in(store, SOURCE.key, 1)


def enter(transaction: Callable[[], AbstractContextManager[None]]) -> None:
    """Enter and leave it."""
    with transaction():
        pass


# -- waiting for others


@contextmanager
def stopped_writer(home: Path) -> Iterator[None]:
    """Another process that was stopped in the middle of a transaction."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            other = sqlite3.connect(home / "ferrule.sqlite3", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            other.execute("UPDATE sessions SET title = 'never committed'")
            os.write(writer, b"x")
            signal.pause()
        finally:
            os._exit(0)
    try:
        os.read(reader, 1)
        os.kill(child, signal.SIGSTOP)
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reader)
        os.close(writer)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="stops a forked child")
def test_a_stopped_process_that_holds_the_lock_stops_nobody_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CASE-M08: bounded, IO_FAILED with the cause; reads go on; when it is gone, so is what it did not commit."""
    monkeypatch.setattr("ferrule.adapters.sqlite.database.BUSY_MILLISECONDS", 200)
    home = tmp_path / "home"
    store = SqliteStore(home, Clock())
    queue(store, a_turn(1))
    with stopped_writer(home):
        for act in (
            lambda: wait_in(store, SOURCE.key, 2),
            lambda: claim(store),
            lambda: store.archive(SOURCE.key, archived=True),
        ):
            with pytest.raises(StoreError, match="EAGAIN") as caught:
                act()
            assert caught.value.code is Code.IO_FAILED
        assert standing(store).waiting == 1
    assert level(store) == FULL
    review(store, claim(store))
    found = store.session(SOURCE.key)
    assert found is not None
    assert found.title == ""
    store.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="stops a forked child")
def test_a_thread_that_waits_for_another_process_keeps_no_other_thread_from_reading(tmp_path: Path) -> None:
    """INV-I8, CASE-M08: the lock between threads is free while the file is not."""
    home = tmp_path / "home"
    store = SqliteStore(home, Clock())
    queue(store, a_turn(1))
    done = threading.Event()

    def write() -> None:
        wait_in(store, SOURCE.key, 2)
        done.set()

    thread = threading.Thread(target=write)
    with stopped_writer(home):
        thread.start()
        for _ in range(50):
            assert instruction(store).turn == "t1"
        assert not done.is_set()
    thread.join(20)
    assert done.is_set()
    store.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="stops a forked child")
def test_a_home_that_a_stopped_process_is_opening_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CASE-M08: opening is bounded too."""
    home = tmp_path / "home"
    SqliteStore(home, Clock()).close()
    monkeypatch.setattr("ferrule.adapters.sqlite.home.OPENING_SECONDS", 0.1)
    folder = os.open(home, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    with pytest.raises(StoreError, match="too long"):
        SqliteStore(home, Clock())
    os.close(folder)
    SqliteStore(home, Clock()).close()


# -- what it costs


@pytest.mark.parametrize("name", ["next_lane", "next_due", "newest_stamp", "oldest"])
def test_a_claim_seeks_and_never_scans(store: SqliteStore, name: str) -> None:
    """R2: one index look-up each, no sort, however many lanes wait."""
    asked = {"now": 0.0, "session": 1}
    rows = store._database.rows(f"EXPLAIN QUERY PLAN {statements('lanes')[name]}", asked)
    plan = "; ".join(str(row["detail"]) for row in rows)
    assert "SEARCH" in plan
    assert "SCAN" not in plan
    assert "TEMP B-TREE" not in plan


@pytest.mark.parametrize("name", ["standings", "standing", "withdraw"])
def test_nothing_reads_instructions_that_are_done(store: SqliteStore, name: str) -> None:
    """R1: how lanes stand costs what waits, is parked or has failed, not what was ever reviewed."""
    asked = {"source": "s", "session": 1, "origin": "event"}
    rows = store._database.rows(f"EXPLAIN QUERY PLAN {statements('lanes')[name]}", asked)
    plan = [str(row["detail"]) for row in rows]
    assert [step for step in plan if "SCAN" in step and "instructions" in step] == []
    indexes = {word for step in plan for word in step.split() if word.startswith("instructions_")}
    assert indexes <= {"instructions_open", "instructions_parked", "instructions_failed"}
    assert "instructions_open" in indexes


def test_settled_events_are_bounded_in_number_too(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """R92: a flood of events costs no room for ever; what was not dispatched yet stays."""
    monkeypatch.setattr("ferrule.adapters.sqlite.attachments.EVENTS_KEPT", 3)
    for number in range(8):
        envelope = EventEnvelope(f"e{number}", "turn.completed", SOURCE.key, "", "", "t1")
        state = EventState.RECEIVED if number == 1 else EventState.SETTLED
        store.put_event(StoredEvent(envelope, "d", state))
    assert [number for number in range(8) if store.event(SOURCE.key, f"e{number}") is not None] == [1, 5, 6, 7]


def test_a_claim_among_ten_thousand_lanes_takes_as_many_steps_as_among_ten(store: SqliteStore) -> None:
    """R2: counted in SQLite's own steps, not in time."""
    steps = []
    for size in (10, 10_000):
        fill(store, size)
        steps.append(steps_of(store))
    assert steps[0] > 0
    assert steps[1] <= steps[0] * 1.5


def fill(store: SqliteStore, size: int) -> None:
    """Lanes with one waiting turn each, straight into the tables."""
    numbers = [{"n": number} for number in range(100, 100 + size)]
    with store._database.transaction():
        for statement in (SESSION, LANE, INSTRUCTION):
            store._database.many(statement, numbers)


def steps_of(store: SqliteStore) -> int:
    """How many steps SQLite takes for one claim and its release."""
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        return 0

    store._database._connection.set_progress_handler(step, 1)
    store.release(claim_next(store))
    store._database._connection.set_progress_handler(None, 0)
    return count


def test_a_portfolio_of_a_thousand_sources_is_two_queries(store: SqliteStore, connections: list[Watched]) -> None:
    """R1: as for one."""
    counts = []
    for size in (1, 1_000):
        with store.unit():
            for number in range(size):
                wait_in(store, f"desk:{number}", 1, 2)
        connections[0].seen.clear()
        assert len(store.lanes()) == size
        counts.append(len(connections[0].seen))
    assert counts == [2, 2]

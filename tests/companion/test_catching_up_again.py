"""Catch-up killed anywhere, and beside other workers: it goes on where it stopped, and nobody reviews twice."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from catch_up_cases import Noting, begun, counts, critic, never_rest, ran, told
from companion_cases import SOURCE, a_home, state_digest
from store_cases import Clock, claimed

from ferrule.adapters.sqlite.opening import Connect
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.binding import companion_of
from ferrule.companion.catching_up import Halt, Unfinished, entries, reset, reviewed_turns, run_all, unfinished
from ferrule.companion.worker import work_lane
from ferrule.errors import StoreError
from ferrule.session.source import Origin

TURNS = ["t1", "t2", "t3"]
LEASE = 31.0


class Stopping(sqlite3.Connection):
    """A connection that does something before its statement of number `stop`."""

    count = 0
    stop = 0
    at: Callable[[], object] = staticmethod(lambda: None)

    def execute(self, *args: object) -> sqlite3.Cursor:
        """Count, then execute."""
        self.count += 1
        if self.count == self.stop:
            type(self).at()
        return super().execute(*args)  # type: ignore[arg-type]


def stopping(connections: list[Stopping]) -> Connect:
    """How to connect so that statements are counted."""

    def connect(path: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Stopping)
        connections.append(connection)
        return connection

    return connect


def raising() -> None:
    """A disk that fails once."""
    raise sqlite3.OperationalError("disk I/O error")


@pytest.fixture
def clock() -> Clock:
    """A clock that moves only when told."""
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[SqliteStore]:
    """One source with three stored turns."""
    opened = a_home(tmp_path, clock, turns=3)
    yield opened
    opened.close()


def test_a_batch_is_begun_wholly_or_not_at_all(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """R99, INV-I1: at every statement of it that fails, store and manifest are as before, and it can be begun again."""
    monkeypatch.setattr(Stopping, "at", staticmethod(raising))
    a_home(tmp_path, clock, turns=3).close()
    connections: list[Stopping] = []
    store = SqliteStore(tmp_path / "home", clock, connect=stopping(connections))
    before = state_digest(store)
    failed = 0
    for stop in range(1, 200):
        for connection in connections:
            connection.count, connection.stop = 0, stop
        try:
            begun(store)
        except StoreError:
            failed += 1
            for connection in connections:
                connection.stop = 0
            assert state_digest(store) == before
            continue
        break
    for connection in connections:
        connection.stop = 0
    assert failed > len(TURNS)
    assert [row.turn for row in entries(store, SOURCE.key)] == TURNS
    assert [step.outcome.turn for step in ran(store, Noting())] == TURNS
    store.close()


def dies_at(home: Path, clock: Clock, stop: int) -> bool:
    """Begin and run a batch in a process that is gone at that statement; False when it came to its end before."""
    child = os.fork()
    if child == 0:
        code = 9
        try:
            connections: list[Stopping] = []
            Stopping.at = staticmethod(lambda: os._exit(7))
            store = SqliteStore(home, clock, connect=stopping(connections))
            for connection in connections:
                connection.count, connection.stop = 0, stop
            begun(store)
            code = 0 if [step.outcome.turn for step in ran(store, Noting())] == TURNS else 8
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in {0, 7}, code
    return code == 7


def test_killed_at_any_statement_a_batch_goes_on(tmp_path: Path, clock: Clock) -> None:
    """R99, INV-I4, CASE-J01: begun again after the lease, each turn has one review, in order, and none is lost."""
    a_home(tmp_path / "fresh", clock, turns=3).close()
    kills = 0
    for stop in range(1, 1000, 9):
        home = shutil.copytree(tmp_path / "fresh" / "home", tmp_path / f"killed-{stop}")
        if not dies_at(home, clock, stop):
            break
        kills += 1
        store = SqliteStore(home, Clock(clock.now + LEASE))
        begun(store)
        ran(store, Noting())
        rows = store._database.rows("SELECT turn FROM receipts ORDER BY seq")
        assert [row["turn"] for row in rows] == TURNS, stop
        assert reviewed_turns(store, SOURCE.key) == set(TURNS)
        assert unfinished(store, SOURCE.key) is None
        store.close()
    assert kills > 5


def test_a_lane_that_another_worker_holds_is_waited_for(store: SqliteStore) -> None:
    """R2, R99: never two at once; what the other one settles is told, then the batch goes on."""
    begun(store)
    held = claimed(store.claim(SOURCE.key, lease_seconds=30.0, worker="other"))
    rests: list[float] = []

    def rest(seconds: float) -> None:
        rests.append(seconds)
        if len(rests) == 2:
            store.release(held)
            other = work_lane(critic(store, Noting()), SOURCE.key)
            assert next(other).turn == "t1"

    mine = Noting()
    steps = list(run_all(critic(store, mine), SOURCE.key, rest=rest))
    assert told(steps) == [(turn, "nothing", True) for turn in TURNS]
    assert mine.reviewed == ["t2", "t3"]
    assert [counts(step)[0] for step in steps] == [1, 2, 3]
    assert len(rests) == 2


def test_a_worker_that_does_not_come_to_an_end_is_left_alone(store: SqliteStore) -> None:
    """R99: waiting is bounded, and what it waits for is said."""
    begun(store)
    claimed(store.claim(SOURCE.key, lease_seconds=3000.0, worker="other"))
    rests: list[float] = []
    assert list(run_all(critic(store, Noting()), SOURCE.key, rest=rests.append, patience=2.0)) == []
    assert 1.9 <= sum(rests) <= 2.2
    assert unfinished(store, SOURCE.key) == Unfinished(
        Halt.HELD, "another worker is reviewing this session, now turn 1"
    )


def test_a_lease_that_ran_out_is_taken_over(store: SqliteStore, clock: Clock) -> None:
    """R99, CASE-J01: the worker died; its turn is reviewed after its lease, none is skipped."""
    begun(store)
    claimed(store.claim(SOURCE.key, lease_seconds=30.0, worker="dead"))

    def rest(seconds: float) -> None:
        clock.now += seconds * 40

    steps = list(run_all(critic(store, Noting()), SOURCE.key, rest=rest))
    assert told(steps) == [(turn, "nothing", True) for turn in TURNS]


def test_two_batches_of_one_source_share_the_lane(store: SqliteStore) -> None:
    """R99, INV-I4: two people ask for the same; each turn is reviewed once and both are told."""
    begun(store)
    begun(store)
    one, two = Noting(), Noting()
    first = run_all(critic(store, one), SOURCE.key, rest=never_rest)
    assert next(first).outcome.turn == "t1"
    second = run_all(critic(store, two), SOURCE.key, rest=never_rest)
    assert next(second).outcome.turn == "t2"
    assert told(first) == [("t2", "nothing", True), ("t3", "nothing", True)]
    assert told(second) == [("t3", "nothing", True)]
    assert (one.reviewed, two.reviewed) == (["t1", "t3"], ["t2"])


def test_a_worker_beside_reviews_the_batch_as_well(store: SqliteStore) -> None:
    """R99: the instructions are ordinary ones; whoever serves the lane, the batch knows it by the markers."""
    begun(store)
    assert [outcome.turn for outcome in work_lane(critic(store, Noting()), SOURCE.key)] == TURNS
    assert {row.state.value for row in entries(store, SOURCE.key)} == {"reviewed"}
    mine = Noting()
    assert ran(store, mine) == []
    assert mine.reviewed == []


def test_what_is_withdrawn_while_another_worker_reviews_counts_as_skipped(store: SqliteStore) -> None:
    """R96, R99: a batch that was forgotten by somebody else is not waited for."""
    store.enqueue(SOURCE, companion_of(SOURCE), [(3, "t3")], Origin.IMPORT)
    begun(store)
    held = claimed(store.claim(SOURCE.key, lease_seconds=30.0, worker="other"))

    def rest(seconds: float) -> None:  # noqa: ARG001 - time stands still
        store.release(held)
        reset(store, SOURCE.key)

    steps = list(run_all(critic(store, Noting()), SOURCE.key, rest=rest))
    assert told(steps) == [("t3", "nothing", True)]
    assert counts(steps[-1]) == (1, 3, 2, 0)

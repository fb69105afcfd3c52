"""Many attach at once, or a statement fails in between: one whole attach, or none."""

import multiprocessing
import sqlite3
import threading
from pathlib import Path

import pytest
from companion_cases import (
    CHILD_KEY,
    SOURCE,
    a_home,
    attach_to,
    attached,
    counted,
    event,
    said_turn,
    state_digest,
    tracing,
)
from store_cases import Clock

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.answers import Attached, Queued
from ferrule.companion.attaching import detach
from ferrule.companion.dispatching import dispatch
from ferrule.companion.feedback import Opinion, give_feedback
from ferrule.errors import StoreError
from ferrule.session.subscriptions import Delivery

MANY = 50


def one_of_each(store: SqliteStore) -> None:
    """One child, one companion, one subscription, one queued turn."""
    assert [counted(store, table) for table in ("sessions", "companions", "subscriptions", "instructions")] == [
        2,
        1,
        1,
        1,
    ]
    assert store.session(CHILD_KEY) is not None


def test_fifty_threads_attach_once(tmp_path: Path, clock: Clock) -> None:
    """R74, CASE-F11: five stores of one home, ten threads each, all at the same moment."""
    stores = [a_home(tmp_path, clock), *(SqliteStore(tmp_path / "home", clock) for _ in range(4))]
    start = threading.Barrier(MANY)
    answers: list[Attached] = []

    def click(store: SqliteStore) -> None:
        start.wait(30)
        answer = attach_to(store, "t3", clock)
        assert isinstance(answer, Attached)
        answers.append(answer)

    threads = [threading.Thread(target=click, args=(stores[n % len(stores)],)) for n in range(MANY)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(answers) == MANY
    assert [answer.already for answer in answers].count(False) == 1
    assert len({(answer.companion, answer.subscription, answer.instruction) for answer in answers}) == 1
    one_of_each(stores[0])
    for store in stores:
        store.close()


def click_often(home: Path, times: int) -> None:
    """A process of its own that attaches again and again."""
    store = SqliteStore(home, Clock())
    for _ in range(times):
        assert isinstance(attach_to(store, "t3", Clock()), Attached)
    store.close()


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="works with forked processes")
def test_processes_attach_once(tmp_path: Path, clock: Clock) -> None:
    """R74, R100, CASE-F11: fifty attaches from five processes."""
    a_home(tmp_path, clock).close()
    fork = multiprocessing.get_context("fork")
    workers = [fork.Process(target=click_often, args=(tmp_path / "home", MANY // 5)) for _ in range(5)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
    assert [worker.exitcode for worker in workers] == [0] * 5
    store = SqliteStore(tmp_path / "home", clock)
    one_of_each(store)
    store.close()


class Stopping(sqlite3.Connection):
    """A connection whose statement of number `stop`, from now, fails."""

    stop = 0

    def execute(self, *args: object) -> sqlite3.Cursor:
        """Fail, or execute."""
        self.stop -= 1
        if self.stop == 0:
            raise sqlite3.OperationalError("interrupted")
        return super().execute(*args)  # type: ignore[arg-type]


def test_a_failure_at_any_statement_leaves_no_half_of_an_attach(tmp_path: Path, clock: Clock) -> None:
    """R59, INV-I1: attach, thumbs-up, event and detach: fail the Nth statement, for every N; then it works."""
    made: list[Stopping] = []

    def connect(path: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Stopping)
        made.append(connection)
        return connection

    a_home(tmp_path, clock).close()
    store = SqliteStore(tmp_path / "home", clock, connect=connect)
    acts = (
        lambda: attached(store, "t3", clock),
        lambda: give_feedback(store, SOURCE.key, "t4", Opinion.UP, now=clock()),
        lambda: dispatch(store, event("e1", "t10"), road=Delivery.LOCAL, now=clock()),
        lambda: detach(store, SOURCE.key),
    )
    for act in acts:
        if act is acts[2]:
            store.put_turns([said_turn(10)])
        before, failures = state_digest(store), 0
        while True:
            made[0].stop = failures + 1
            try:
                answer = act()
            except StoreError:
                failures += 1
                made[0].stop = 0
                assert state_digest(store) == before, failures
                continue
            break
        made[0].stop = 0
        assert failures > 5
        assert state_digest(store) != before
        assert act is not acts[2] or isinstance(answer, Queued)
    store.close()


def test_an_attach_and_an_event_are_one_commit_each(tmp_path: Path, clock: Clock) -> None:
    """R77, INV-I1: a selected turn and a delivered one cost one durable transaction, and a refused one changes none."""
    a_home(tmp_path, clock).close()
    seen: list[str] = []
    store = SqliteStore(tmp_path / "home", clock, connect=tracing(seen))
    attached(store, "t3", clock)
    store.put_turns([said_turn(10)])
    changing = ("INSERT", "UPDATE", "DELETE")
    for act, changes in (
        (lambda: attached(store, "t4", clock), True),
        (lambda: give_feedback(store, SOURCE.key, "t5", Opinion.UP, now=clock()), True),
        (lambda: dispatch(store, event("e1", "t10"), road=Delivery.LOCAL, now=clock()), True),
        (lambda: dispatch(store, event("e1", "t10"), road=Delivery.LOCAL, now=clock()), False),
        (lambda: dispatch(store, event("e2", "t9"), road=Delivery.LOCAL, now=clock()), False),
        (lambda: detach(store, SOURCE.key), True),
    ):
        seen.clear()
        act()
        assert seen.count("COMMIT") == 1, seen
        assert any(statement.startswith(changing) for statement in seen) is changes, seen
    store.close()

"""A worker ends for a reason: nothing to do, told to stop, an upgrade, a failing store; never because of one turn."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from store_cases import Clock, fill_disk
from worker_cases import LONG, ONE, Post, Told, queue, state

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.working import Ended, Hours
from ferrule.errors import Code, StoreError
from ferrule.session.source import InstructionState


@pytest.fixture
def clock() -> Clock:
    """A clock that moves only when told."""
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[SqliteStore]:
    """A fresh store."""
    opened = SqliteStore(tmp_path / "home", clock)
    yield opened
    opened.close()


def test_a_bug_in_one_turn_stops_nobody(store: SqliteStore, clock: Clock) -> None:
    """R59, INV-I6: counted as an attempt, told without a word of the turn, parked in the end; the thread lives on."""
    queue(store, "desk:a", 1)
    queue(store, "desk:b", 1)

    def stumble(turn: str) -> None:
        if turn == "desk:a t1":
            raise KeyError("words of the turn")

    post = Post(store, clock, Told(during=stumble), ONE)
    assert post.worker.run() is Ended.IDLE
    assert state(store, "desk:a", "t1") == (InstructionState.PARKED, 5)
    assert state(store, "desk:b", "t1")[0] is InstructionState.DONE
    assert len(post.told) == 5
    assert post.told[0].startswith("desk:a t1: a bug in Ferrule: KeyError at test_working_ends.py:")
    standing = store.instruction("desk:a", "t1")
    assert standing is not None
    assert standing.reason == "INTERNAL: KeyError"


def test_once_leaves_what_is_due_later(store: SqliteStore, clock: Clock) -> None:
    """R84: `--once` works until nothing is due."""
    queue(store, "desk:a", 1)
    queue(store, "desk:b", 1)
    reviewer = Told(failing={"desk:a t1": 1})
    began = clock.now
    assert Post(store, clock, reviewer, Hours(parallel=1, once=True)).worker.run() is Ended.IDLE
    assert reviewer.began == ["desk:a t1", "desk:b t1"]
    assert clock.now == began
    assert store.next_due() == began + 5


def test_nobody_stays_for_what_is_due_much_later(store: SqliteStore, clock: Clock) -> None:
    """CASE-H08: a clock that was set forward and back keeps no process for days."""
    wishes = [clock.now + 100_000.0]
    post = Post(store, clock, Told(), ONE, chores=[lambda: wishes[0]])
    began = clock.now
    assert post.worker.run() is Ended.IDLE
    assert clock.now - began == pytest.approx(60.0)


def test_work_that_comes_while_the_worker_leaves_is_done(store: SqliteStore, clock: Clock) -> None:
    """R77, R100: the last look is taken when nobody can ring any more, so either it or a new worker sees the work."""
    reviewer = Told()
    post = Post(store, clock, reviewer, ONE)
    left: list[bool] = []

    def come() -> None:
        left.append(post.bell.ring())
        if len(left) < 3:
            queue(store, "desk:a", len(left))

    post.bell.on_leave = come
    began = clock.now
    assert post.worker.run() is Ended.IDLE
    assert clock.now - began == pytest.approx(3 * 60.0), "looked at once, then idle for as long as set"
    assert left == [False, False, False]
    assert reviewer.began == ["desk:a t1", "desk:a t2"]


def test_told_to_stop_an_unfinished_turn_is_given_back(store: SqliteStore, clock: Clock) -> None:
    """CASE-J09, INV-I1: as if it had not been attempted; what the reviewer still does counts for nothing."""
    queue(store, "desk:a", 1, 2)
    begun, go_on = threading.Event(), threading.Event()

    def hang(_: str) -> None:
        begun.set()
        assert go_on.wait(LONG)

    reviewer = Told(during=hang, writing=["desk:a t1"])
    post = Post(store, clock, reviewer, Hours(parallel=2, grace_seconds=0.0))
    at_leaving: list[int] = []
    post.bell.on_leave = lambda: at_leaving.append(post.worker._hands.rest().busy)
    thread, ended = post.run_aside()
    assert begun.wait(LONG)
    post.worker.stop()
    thread.join(LONG)
    assert ended == [Ended.STOPPED]
    assert at_leaving == [1]
    assert post.told == ["desk:a t1: given back unfinished"]
    assert state(store, "desk:a", "t1") == (InstructionState.WAITING, 0)
    go_on.set()
    for hand in post.worker._hands._threads:
        hand.join(LONG)
    assert store.receipts() == ()
    assert reviewer.began == ["desk:a t1"]
    assert state(store, "desk:a", "t1") == (InstructionState.WAITING, 0)


def test_told_to_stop_a_turn_that_ends_soon_is_finished(store: SqliteStore, clock: Clock) -> None:
    """CASE-J09, DEC-D12: within the grace; nothing more is begun, and the projection follows."""
    queue(store, "desk:a", 1, 2)
    reviewer = Told(writing=["desk:a t1"])
    post = Post(store, clock, reviewer, ONE)
    reviewer.during = lambda _: post.worker.stop()
    assert post.worker.run() is Ended.STOPPED
    assert reviewer.began == ["desk:a t1"]
    assert state(store, "desk:a", "t1")[0] is InstructionState.DONE
    assert post.settled == ["desk:a"]


def test_a_damaged_turn_is_that_turns_trouble_alone(store: SqliteStore, clock: Clock) -> None:
    """CASE-C11, CASE-L01: tried a few times and parked; the other lanes are reviewed at once."""
    queue(store, "desk:a", 1)
    queue(store, "desk:b", 1)
    with store.unit():
        store._database.run("UPDATE turns SET body = x'ff' WHERE session = 1")
    reviewer = Told()
    post = Post(store, clock, reviewer, ONE)
    assert post.worker.run() is Ended.IDLE
    assert reviewer.began == ["desk:b t1"]
    assert state(store, "desk:a", "t1")[0] is InstructionState.PARKED


def test_a_store_that_fails_between_two_turns_ends_the_work(store: SqliteStore, clock: Clock) -> None:
    """CASE-K01: also where a hand only asks whether it may go on."""
    queue(store, "desk:a", 1, 2)
    reviewer = Told()

    def outdated() -> bool:
        if reviewer.began and threading.current_thread().name.startswith("ferrule-hand"):
            raise StoreError("an input or output operation failed (EIO)")
        return False

    post = Post(store, clock, reviewer, ONE, outdated=outdated)
    assert post.worker.run() is Ended.TROUBLED
    assert post.worker.trouble is not None
    assert post.worker.trouble.code is Code.IO_FAILED
    assert reviewer.began == ["desk:a t1"]


def test_a_full_disk_ends_the_work_and_costs_no_attempt(store: SqliteStore, clock: Clock) -> None:
    """CASE-K01: whoever runs the worker lets the store rest and opens it anew; then the turn is reviewed."""
    queue(store, "desk:a", 1)
    queue(store, "desk:b", 1)

    def fill(_: str) -> None:
        fill_disk(store)

    post = Post(store, clock, Told(during=fill, writing=["desk:a t1", "desk:b t1"]), ONE)
    assert post.worker.run() is Ended.TROUBLED
    assert post.worker.trouble is not None
    assert post.worker.trouble.code is Code.IO_FAILED
    assert post.worker.reviewed == 0
    store._database.number("PRAGMA max_page_count = 100000")
    assert Post(store, clock, Told(), ONE).worker.run() is Ended.IDLE
    assert state(store, "desk:a", "t1") == (InstructionState.DONE, 1)


def test_an_upgrade_is_noticed_between_two_turns(store: SqliteStore, clock: Clock) -> None:
    """R100: the turn under review is finished, the rest waits for the successor."""
    queue(store, "desk:a", 1, 2)
    reviewer = Told()
    post = Post(store, clock, reviewer, ONE, outdated=lambda: bool(reviewer.began))
    assert post.worker.run() is Ended.OUTDATED
    assert not post.bell.listening
    assert reviewer.began == ["desk:a t1"]
    assert state(store, "desk:a", "t1")[0] is InstructionState.DONE
    assert state(store, "desk:a", "t2") == (InstructionState.WAITING, 0)


def test_a_bug_in_a_chore_does_not_keep_turns_from_review(store: SqliteStore, clock: Clock) -> None:
    """R59, INV-I6: told by kind and place alone, and the other chores are done too."""
    queue(store, "desk:a", 1)

    def stumble() -> float | None:
        raise KeyError("words of an event")

    done: list[str] = []

    def other() -> float | None:
        done.append("other")
        return None

    reviewer = Told()
    post = Post(store, clock, reviewer, ONE, chores=[stumble, other])
    assert post.worker.run() is Ended.IDLE
    assert reviewer.began == ["desk:a t1"]
    assert done == ["other", "other"]
    assert post.told[0].startswith("a bug in Ferrule: KeyError at test_working_ends.py:")
    assert "words" not in post.told[0]


def test_a_store_that_fails_in_a_chore_ends_the_work(store: SqliteStore, clock: Clock) -> None:
    """CASE-K01: as a store that fails in a review does."""

    def fail() -> float | None:
        raise StoreError("no space left for it (ENOSPC)")

    post = Post(store, clock, Told(), ONE, chores=[fail])
    assert post.worker.run() is Ended.TROUBLED
    assert str(post.worker.trouble) == "no space left for it (ENOSPC)"


def test_a_bug_outside_any_turn_ends_the_worker_instead_of_hanging_it(store: SqliteStore, clock: Clock) -> None:
    """R59: a thread that is gone would be waited for for ever."""
    queue(store, "desk:a", 1)

    def stumble(_: object) -> None:
        raise KeyError("x")

    post = Post(store, clock, Told(), ONE, doing=stumble)
    assert post.worker.run() is Ended.TROUBLED
    assert post.told[0].startswith("a bug in Ferrule: KeyError at test_working_ends.py:")
    assert post.worker.trouble is not None
    assert post.worker.trouble.code is Code.INTERNAL
    assert state(store, "desk:a", "t1") == (InstructionState.WAITING, 0)


def test_what_is_due_and_cannot_be_had_is_asked_for_ever_more_seldom(store: SqliteStore, clock: Clock) -> None:
    """CASE-H08, CASE-K01: two clocks that differ by minutes cost a few looks, never a busy loop."""
    queue(store, "desk:a", 1)
    reviewer = Told(failing={"desk:a t1": 3})
    post = Post(store, clock, reviewer, ONE)
    post.ahead = 300.0
    assert post.worker.run() is Ended.IDLE
    assert len(reviewer.began) == 4
    assert len([seconds for seconds in post.bell.slept if seconds is not None]) < 40

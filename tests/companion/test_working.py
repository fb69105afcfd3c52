"""A worker works off what is due, sleeps until it is called or something is due, and loses no call when it leaves."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from store_cases import Clock
from worker_cases import LONG, PassingBell, Told, critic_for, queue

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.working import Chore, Ended, Hours, Worker, Workshop
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


class Post:
    """A worker over a store in a world of its own time, and what it was seen to do."""

    def __init__(self, store: SqliteStore, clock: Clock, reviewer: Told, hours: Hours, **more: object) -> None:
        self.bell = PassingBell(clock)
        self.settled: list[str] = []
        self.told: list[str] = []
        self.ahead = 0.0
        facts: dict[str, object] = {
            "settled": self.settled.append,
            "tell": self.told.append,
            "clock": lambda: clock.now + self.ahead,
            "steady": self.bell.steady,
        }
        shop = Workshop(critic_for(store, reviewer), self.bell, **facts | more)  # type: ignore[arg-type]
        self.worker = Worker(shop, hours)
        self.bell.at_work = lambda: not self.worker._hands.rest().all_rest

    def run_aside(self) -> tuple[threading.Thread, list[Ended]]:
        """Run in a thread of its own."""
        ended: list[Ended] = []
        thread = threading.Thread(target=lambda: ended.append(self.worker.run()))
        thread.start()
        return thread, ended


ONE = Hours(parallel=1)
TWO = Hours(parallel=2)


def state(store: SqliteStore, source: str, turn: str) -> tuple[InstructionState, int]:
    """How the instruction of a turn stands, and how often it was tried."""
    instruction = store.instruction(source, turn)
    assert instruction is not None
    return instruction.state, instruction.attempts


def test_everything_due_is_reviewed_then_the_worker_leaves(store: SqliteStore, clock: Clock) -> None:
    """R2, R84, CASE-J14: each turn once, each lane in its order, with two hands; idle for as long as set."""
    for source in ("desk:a", "desk:b", "desk:c"):
        queue(store, source, 3, 1, 2)
    reviewer = Told()
    post = Post(store, clock, reviewer, TWO)
    began = clock.now
    assert post.worker.run() is Ended.IDLE
    assert post.worker.reviewed == 9
    assert len(set(reviewer.began)) == len(reviewer.began) == 9
    for source in ("desk:a", "desk:b", "desk:c"):
        assert [turn for turn in reviewer.began if turn.startswith(source)] == [f"{source} t{n}" for n in (1, 2, 3)]
    assert clock.now - began == pytest.approx(60.0)
    assert not post.bell.listening


def test_two_sources_are_under_review_at_once_and_never_two_turns_of_one(store: SqliteStore, clock: Clock) -> None:
    """R2: parallel over sources, one at a time in each; neither review could end without the other."""
    queue(store, "desk:a", 1, 2)
    queue(store, "desk:b", 1, 2)
    both = threading.Barrier(2)
    now: set[str] = set()
    seen: list[set[str]] = []

    def together(turn: str) -> None:
        now.add(turn)
        both.wait(LONG)
        seen.append(set(now))
        both.wait(LONG)
        now.discard(turn)

    assert Post(store, clock, Told(during=together), TWO).worker.run() is Ended.IDLE
    assert len(seen) == 4
    assert all(len({turn.split()[0] for turn in turns}) == len(turns) == 2 for turns in seen)


def test_a_long_lane_does_not_keep_a_short_one_waiting(store: SqliteStore, clock: Clock) -> None:
    """R2: a lane that was served goes to the end."""
    queue(store, "desk:long", *range(1, 5))
    queue(store, "desk:short", 1)
    reviewer = Told(during=lambda _: setattr(clock, "now", clock.now + 0.01))
    Post(store, clock, reviewer, ONE).worker.run()
    assert reviewer.began.index("desk:short t1") == 1


def test_a_ring_wakes_a_sleeping_worker_and_silence_does_not(store: SqliteStore, clock: Clock) -> None:
    """R77, INV-I8: between the ring and the review lies no pause, and an idle worker wakes once, to leave."""
    reviewer = Told()
    post = Post(store, clock, reviewer, ONE)
    began = clock.now

    def late(seconds: float | None) -> None:
        if seconds is not None and not reviewer.began and clock.now == began:
            queue(store, "desk:a", 1)
            assert post.bell.ring()

    post.bell.on_sleep = late
    assert post.worker.run() is Ended.IDLE
    assert reviewer.began == ["desk:a t1"]
    assert post.bell.rings.count(True) == 1
    ends = [seconds for seconds in post.bell.slept if seconds is not None]
    assert clock.now - began == pytest.approx(60.0)
    assert len(post.bell.slept) < 8
    assert max(ends) == pytest.approx(60.0)


def test_what_may_pass_is_tried_again_when_it_is_due(store: SqliteStore, clock: Clock) -> None:
    """CASE-L01: after 5 s and 30 s more; meanwhile the worker sleeps and other lanes go on; order is kept."""
    queue(store, "desk:a", 1, 2)
    queue(store, "desk:b", 1)
    reviewer = Told(failing={"desk:a t1": 2})
    post = Post(store, clock, reviewer, ONE)
    began = clock.now
    assert post.worker.run() is Ended.IDLE
    assert reviewer.began == ["desk:a t1", "desk:b t1", "desk:a t1", "desk:a t1", "desk:a t2"]
    assert clock.now - began == pytest.approx(5 + 30 + 60, abs=1)
    assert len(post.bell.slept) < 20
    assert post.told == ["desk:a t1: not reviewed yet [MODEL_UNAVAILABLE]"] * 2


def test_a_poison_turn_holds_nobody_up_for_good(store: SqliteStore, clock: Clock) -> None:
    """CASE-L01: parked after the fifth attempt, then its own lane goes on too."""
    queue(store, "desk:a", 1, 2)
    reviewer = Told(failing={"desk:a t1": 99})
    began = clock.now
    assert Post(store, clock, reviewer, ONE).worker.run() is Ended.IDLE
    assert reviewer.began == ["desk:a t1"] * 5 + ["desk:a t2"]
    assert state(store, "desk:a", "t1") == (InstructionState.PARKED, 5)
    assert state(store, "desk:a", "t2")[0] is InstructionState.DONE
    assert clock.now - began == pytest.approx(5 + 30 + 180 + 900 + 60, abs=5)


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
    assert post.told[0].startswith("desk:a t1: a bug in Ferrule: KeyError at test_working.py:")
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
        store._database.number(f"PRAGMA max_page_count = {store._database.number('PRAGMA page_count')}")

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


def test_chores_are_done_when_rung_for_when_due_and_before_leaving(store: SqliteStore, clock: Clock) -> None:
    """R79, R80: stored events become turns to review without anybody asking again."""
    done: list[float] = []
    began = clock.now

    def chore() -> float | None:
        done.append(clock.now - began)
        if len(done) == 2:
            queue(store, "desk:a", 1)
        return clock.now + 7.0 if len(done) == 1 else None

    reviewer = Told()
    chores: list[Chore] = [chore]
    assert Post(store, clock, reviewer, ONE, chores=chores).worker.run() is Ended.IDLE
    assert reviewer.began == ["desk:a t1"]
    assert done == pytest.approx([0.0, 7.0, 67.0])


def test_a_chore_that_is_never_done_does_not_keep_the_worker_busy(store: SqliteStore, clock: Clock) -> None:
    """CASE-K01: at most four times a second, whatever it wishes."""
    times: list[float] = []

    def chore() -> float | None:
        times.append(clock.now)
        return 0.0

    post = Post(store, clock, Told(), ONE, chores=[chore])

    def enough(_: float | None) -> None:
        if len(times) == 9:
            post.worker.stop()

    post.bell.on_sleep = enough
    assert post.worker.run() is Ended.STOPPED
    assert times[-1] - times[0] == pytest.approx(8 * 0.25)


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
    assert post.told[0].startswith("a bug in Ferrule: KeyError at test_working.py:")
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
    before, threading.excepthook = threading.excepthook, lambda _: None
    try:
        assert post.worker.run() is Ended.TROUBLED
    finally:
        threading.excepthook = before
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


@pytest.mark.parametrize("turns", [1, 30])
def test_the_projection_follows_a_lane_at_rest(store: SqliteStore, clock: Clock, turns: int) -> None:
    """DEC-D12: once after the last write, off the acknowledged path; for a lane that never rests every five seconds."""
    queue(store, "desk:a", *range(1, turns + 1))
    queue(store, "desk:b", 1)
    writing = [f"desk:a t{n}" for n in range(1, turns + 1)]
    reviewer = Told(writing=writing, during=lambda _: setattr(clock, "now", clock.now + 0.4))
    post = Post(store, clock, reviewer, ONE)
    post.worker.run()
    assert post.settled[-1] == "desk:a"
    assert len(post.settled) <= 1 + turns * 0.4 // 5 + 1
    assert "desk:b" not in post.settled


def test_a_projection_that_fails_is_told_and_stops_nobody(store: SqliteStore, clock: Clock) -> None:
    """CASE-K10, DEC-D12: the database is what counts."""
    queue(store, "desk:a", 1)

    def fail(_: str) -> None:
        raise StoreError("a link stands there", code=Code.UNSAFE_PATH)

    post = Post(store, clock, Told(writing=["desk:a t1"]), ONE, settled=fail)
    assert post.worker.run() is Ended.IDLE
    assert post.told == ["desk:a: the projection was not refreshed [UNSAFE_PATH]"]


def test_who_is_under_review_is_told(store: SqliteStore, clock: Clock) -> None:
    """R95: for whoever asks how the worker stands."""
    queue(store, "desk:a", 1)
    doing: list[list[str]] = []
    report: Callable[..., None] = lambda claims: doing.append([claim.instruction.turn for claim in claims])  # noqa: E731
    Post(store, clock, Told(), ONE, doing=report).worker.run()
    assert doing == [["t1"], []]

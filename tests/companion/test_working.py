"""A worker works off what is due, sleeps until it is called or something is due, and loses no call when it leaves."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from store_cases import Clock
from worker_cases import LONG, ONE, TWO, Post, Told, queue, state

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.working import Chore, Ended
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

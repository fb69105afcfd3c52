"""One critic turn from claim to commit: its lease, its failures, and what must not be held while a reviewer thinks."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from door_cases import NOTES, the_turn, written
from store_cases import Clock, a_session
from worker_cases import LONG, Told, critic_for, queue

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.importing import review_import
from ferrule.companion.leases import Lease
from ferrule.companion.outcomes import Outcome
from ferrule.companion.patience import Patience
from ferrule.companion.worker import retry_delay, review_claim, work_lane
from ferrule.errors import Code, GateBusy, InternalError
from ferrule.session.gate import TRESPASSES
from ferrule.session.imported import ImportedSession
from ferrule.session.source import InstructionState, LaneClaim
from ferrule.wiring.critic import critic_of
from ferrule.wiring.home import open_home

SOURCE = "desk:alpha"


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


def claimed(store: SqliteStore) -> LaneClaim:
    """The next claim, which must be there."""
    claim = store.claim(SOURCE, lease_seconds=30.0)
    assert claim is not None
    return claim


def state(store: SqliteStore, turn: str = "t1") -> tuple[InstructionState, int, str]:
    """State, attempts and reason of an instruction."""
    instruction = store.instruction(SOURCE, turn)
    assert instruction is not None
    return instruction.state, instruction.attempts, instruction.reason


@pytest.mark.parametrize(
    ("attempt", "seconds"), [(0, 5), (1, 5), (2, 30), (3, 180), (4, 900), (5, 900), (1_000_000, 900)]
)
def test_each_failed_attempt_waits_longer(attempt: int, seconds: int) -> None:
    """CASE-L01: 5 s, 30 s, 3 min, 15 min."""
    assert retry_delay(attempt) == seconds


def test_the_lease_lives_as_long_as_the_reviewer_thinks(store: SqliteStore, clock: Clock) -> None:
    """INV-I1: a review of many leases is committed, and nobody else could take the lane meanwhile."""
    queue(store, SOURCE, 1)
    thought = threading.Event()

    def until() -> float:
        lane = store.lane(SOURCE)
        assert lane is not None
        assert lane.due is not None
        return lane.due

    def think(_: str) -> None:
        for _beat in range(4):
            clock.now += 0.2  # of a lease of 0.3
            for _wait in range(1000):
                if until() > clock.now + 0.25:
                    break
                thought.wait(0.01)
            assert until() > clock.now + 0.25, "the heart beats"
            assert store.claim(SOURCE, lease_seconds=30.0) is None

    reviewer = Told(during=think, writing=[f"{SOURCE} t1"])
    (outcome,) = work_lane(critic_for(store, reviewer, lease_seconds=0.3), SOURCE)
    assert outcome.outcome is Outcome.WROTE
    assert len(store.receipts()) == 1


def test_a_beat_after_the_end_changes_nothing(store: SqliteStore, clock: Clock) -> None:
    """INV-I1: a lease that ran out is not renewed, nor that of a turn that was given back."""
    queue(store, SOURCE, 1)
    lease = Lease(store, claimed(store), 30.0)
    clock.now += 29
    assert lease.beat()
    clock.now += 31
    assert not lease.beat()
    assert lease.lost
    claim = claimed(store)
    store.release(claim)
    assert not Lease(store, claim, 30.0).beat()
    assert claimed(store).epoch > claim.epoch


def test_a_machine_that_slept_reviews_the_turn_again(store: SqliteStore, clock: Clock) -> None:
    """INV-I1, INV-I4: eight hours passed in the review: its commit is refused, the second review counts."""
    queue(store, SOURCE, 1)
    reviewer = Told(writing=[f"{SOURCE} t1"])
    reviewer.during = lambda _: setattr(clock, "now", clock.now + (28_800 if len(reviewer.began) == 1 else 0))
    outcomes = list(work_lane(critic_for(store, reviewer), SOURCE))
    assert [outcome.outcome for outcome in outcomes] == [Outcome.WROTE]
    assert len(reviewer.began) == 2
    assert len(store.receipts()) == 1
    assert state(store)[0] is InstructionState.DONE


FAILURES: dict[str, tuple[Callable[[], BaseException], tuple[InstructionState, int], float]] = {
    "a busy gate": (lambda: GateBusy("it is being evaluated"), (InstructionState.WAITING, 0), 5),
    "a bug": (lambda: KeyError("x"), (InstructionState.WAITING, 1), 5),
    "Ctrl-C": (KeyboardInterrupt, (InstructionState.WAITING, 0), 0),
    "told to end": (lambda: SystemExit(143), (InstructionState.WAITING, 0), 0),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_whatever_ends_a_review_settles_its_claim(store: SqliteStore, clock: Clock, failure: str) -> None:
    """CASE-J09, CASE-M08, R59: only the turn's own failures count as attempts; the lane is free when it is due."""
    error, standing, delay = FAILURES[failure]
    queue(store, SOURCE, 1)

    def fail(_: str) -> None:
        raise error()

    try:
        outcome = review_claim(critic_for(store, Told(during=fail)), claimed(store))
    except (KeyError, KeyboardInterrupt, SystemExit):
        outcome = None
    assert (outcome is None) == (failure != "a busy gate")
    assert state(store)[:2] == standing
    assert store.next_due() == clock.now + delay
    assert store.definitions(SOURCE) == ()


def test_a_turn_whose_text_is_gone_is_parked_at_once(store: SqliteStore) -> None:
    """CASE-L01, DEC-D13: it will not come back by waiting, and the next one is reviewed."""
    queue(store, SOURCE, 1, 2)
    with store.unit():
        store._database.run("UPDATE turns SET body = NULL WHERE key = 't1'")
    outcomes = list(work_lane(critic_for(store, Told()), SOURCE))
    assert [(outcome.turn, outcome.code) for outcome in outcomes] == [("t1", Code.TURN_NOT_COMPLETED), ("t2", None)]
    assert state(store)[0] is InstructionState.PARKED


@pytest.mark.parametrize("held", ["gate", "unit"])
def test_no_reviewer_is_called_while_something_is_held(tmp_path: Path, held: str) -> None:
    """R78, CASE-M07: asserted in production too, before the reviewer begins; by this thread's doings alone."""
    with open_home(tmp_path / "home") as home:
        critic = critic_of(home)
        holding = home.gate.evaluating(SOURCE) if held == "gate" else home.store.unit()
        with holding:
            with pytest.raises(InternalError, match=r"^a reviewer is called (under|inside)"):
                critic.unheld()
            seen: list[str] = []

            def elsewhere() -> None:
                critic.unheld()
                seen.append("free")

            other = threading.Thread(target=elsewhere)
            other.start()
            other.join(LONG)
            assert seen == ["free"]
        critic.unheld()
    assert len(TRESPASSES) == 1
    TRESPASSES.clear()


def test_the_assertion_comes_before_the_reviewer(store: SqliteStore) -> None:
    """CASE-M07: the reviewer is not called, and the turn stays."""
    queue(store, SOURCE, 1)

    def held() -> None:
        raise InternalError("a lock is held")

    reviewer = Told()
    with pytest.raises(InternalError):
        list(work_lane(critic_for(store, reviewer, unheld=held), SOURCE))
    assert reviewer.began == []
    assert state(store)[0] is InstructionState.WAITING


def imported(*ordinals: int) -> ImportedSession:
    """The source with these turns, as an importer reads it."""
    session = a_session(SOURCE, cwd="/work/kestrel")
    return ImportedSession(session, tuple(the_turn(ordinal, SOURCE) for ordinal in ordinals), (), "test")


def test_a_review_waits_for_the_lane_that_another_process_holds(store: SqliteStore) -> None:
    """R2, INV-I4: it says what it waits for, takes over when the lane moves on, and tells the other's result too."""
    queue(store, SOURCE, 1, 2)
    other = claimed(store)
    desk = critic_for(store, Told()).desk
    told: list[str] = []
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 5:
            door = desk.open(other)
            written(door, "ParserNotes", "Parser Notes", NOTES)
            review_claim(critic_for(store, Told(writing=[f"{SOURCE} t1"])), other)

    patience = Patience(told=told.append, pause=pause)
    reviewer = Told()
    outcomes = list(review_import(imported(1, 2), critic_for(store, reviewer), patience=patience))
    assert [(outcome.turn, outcome.outcome) for outcome in outcomes] == [("t1", Outcome.WROTE), ("t2", Outcome.NOTHING)]
    assert reviewer.began == [f"{SOURCE} t2"]
    assert set(told) == {f"{SOURCE}: another process is reviewing turn t1; waiting for it"}
    assert len(told) == len(pauses) == 5


def test_a_holder_that_died_costs_one_lease(store: SqliteStore, clock: Clock) -> None:
    """CASE-J01: the wait ends when the lease does."""
    queue(store, SOURCE, 1)
    claimed(store)
    patience = Patience(pause=lambda seconds: setattr(clock, "now", clock.now + seconds))
    began = clock.now
    outcomes = list(review_import(imported(1), critic_for(store, Told()), patience=patience))
    assert [outcome.outcome for outcome in outcomes] == [Outcome.NOTHING]
    assert clock.now - began == pytest.approx(30.0, abs=0.5)


def test_a_lane_that_does_not_move_is_given_up(store: SqliteStore) -> None:
    """CASE-M08: bounded, with the reason; so is a lane that rests."""
    queue(store, SOURCE, 1)
    claimed(store)
    pauses: list[float] = []
    patience = Patience(pause=pauses.append, seconds=60.0)
    (outcome,) = review_import(imported(1), critic_for(store, Told()), patience=patience)
    assert outcome.outcome is Outcome.FAILED
    assert "another worker" in outcome.reason
    assert sum(pauses) == pytest.approx(60.0)
    store.pause(SOURCE, paused=True)
    pauses.clear()
    (outcome,) = review_import(imported(1), critic_for(store, Told()), patience=patience)
    assert (outcome.outcome, pauses) == (Outcome.FAILED, [])

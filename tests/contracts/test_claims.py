"""One suite for every store: a claim is a lease with an epoch, and both are checked when it commits."""

from collections.abc import Callable

import pytest
from lane_cases import (
    NOTES,
    SOURCE,
    Store,
    claim,
    claim_next,
    instruction,
    nothing_due,
    queue,
    review,
    standing,
    wait_in,
)
from store_cases import LEASE, Clock, a_commit, a_turn, a_write

from ferrule.errors import Code, StoreError
from ferrule.session.source import InstructionState, LaneClaim, Origin


def refused(store: Store, held: LaneClaim) -> Code:
    """The code with which a commit under this claim is refused; nothing of it is kept."""
    with pytest.raises(StoreError) as caught:
        store.commit(a_commit(a_turn(held.instruction.ordinal), a_write(NOTES)), held)
    assert store.definitions(SOURCE.key) == ()
    assert store.receipts() == ()
    assert store.review(SOURCE.key, held.instruction.turn) is None
    return caught.value.code


# -- lease


def test_a_worker_stopped_for_longer_than_its_lease_cannot_commit(store: Store, clock: Clock) -> None:
    """INV-I1: not even when nobody took the lane; the turn is reviewed by whoever claims it next."""
    queue(store, a_turn())
    slow = claim(store)
    clock.now += LEASE
    assert refused(store, slow) is Code.STALE_REVISION
    review(store, claim(store))
    assert instruction(store).state is InstructionState.DONE


def test_a_renewed_lease_lasts(store: Store, clock: Clock) -> None:
    """R2: a long review keeps its lane by saying so in time."""
    queue(store, a_turn())
    held = claim(store)
    for _ in range(4):
        clock.now += LEASE - 1
        assert store.renew(held, lease_seconds=LEASE)
        assert nothing_due(store)
    review(store, held)
    assert standing(store).reviewed == 1


def test_a_lease_that_ran_out_is_not_renewed(store: Store, clock: Clock) -> None:
    """INV-I1: also when nobody else took the lane."""
    queue(store, a_turn())
    held = claim(store)
    clock.now += LEASE
    assert not store.renew(held, lease_seconds=LEASE)
    assert claim(store).epoch == held.epoch + 1


@pytest.mark.parametrize("ended", ["taken", "released", "failed", "committed"])
def test_a_claim_that_ended_does_nothing_more(store: Store, clock: Clock, ended: str) -> None:
    """INV-I1, INV-I4: no renewal, no release, no failure, no second commit under it."""
    queue(store, a_turn(1), a_turn(2))
    held = claim(store)
    match ended:
        case "taken":
            clock.now += LEASE
            claim(store)
        case "released":
            store.release(held)
        case "failed":
            store.fail(held, "model away", attempts=5)
        case _:
            review(store, held)
    before = (store.instructions(SOURCE.key), store.lane(SOURCE.key))
    assert not store.renew(held, lease_seconds=LEASE)
    store.release(held)
    store.fail(held, "too late", attempts=1)
    assert (store.instructions(SOURCE.key), store.lane(SOURCE.key)) == before
    if ended != "committed":
        assert refused(store, held) is Code.STALE_REVISION


def test_a_worker_that_comes_back_late_may_still_tell_why_it_failed(store: Store, clock: Clock) -> None:
    """CASE-L01: as long as nobody took over, its reason and its back-off are true."""
    queue(store, a_turn())
    held = claim(store)
    clock.now += 2 * LEASE
    store.fail(held, "the model was silent", attempts=5, delay_seconds=60)
    assert instruction(store).reason == "the model was silent"
    assert nothing_due(store)


def test_the_lane_names_what_is_reviewed_and_by_whom(store: Store, clock: Clock) -> None:
    """R84: while the lease lasts, and no longer."""
    queue(store, a_turn(1), a_turn(2))
    held = store.claim_next(lease_seconds=LEASE, worker="desk-1")
    assert held is not None
    now = standing(store)
    assert (now.reviewing, now.holder, now.waiting, now.due) == ("t1", "desk-1", 2, clock.now + LEASE)
    clock.now += LEASE
    later = standing(store)
    assert (later.reviewing, later.holder) == ("", "")


def test_a_turn_that_comes_late_but_is_older_is_next(store: Store, clock: Clock) -> None:
    """CASE-H04: what a dead worker held is waiting like the rest, and only one is ever claimed."""
    queue(store, a_turn(2))
    claim(store)
    queue(store, a_turn(1))
    clock.now += LEASE
    assert claim(store).instruction.turn == "t1"
    assert [one.state.value for one in store.instructions(SOURCE.key)] == ["claimed", "waiting"]


def test_another_process_sees_the_claim_at_once(store: Store, another: Callable[[], Store]) -> None:
    """R2: one reviewer a source, whoever asks."""
    queue(store, a_turn())
    held = claim(store)
    beside = another()
    assert beside.claim(SOURCE.key, lease_seconds=LEASE) is None
    assert nothing_due(beside)
    review(store, held)
    assert standing(beside).reviewed == 1


# -- failure


def test_a_failed_turn_waits_for_its_back_off(store: Store, clock: Clock) -> None:
    """CASE-L01: due after the delay, with its reason; asked for by name it does not wait."""
    queue(store, a_turn(1), a_turn(2))
    store.fail(claim(store), "model away", attempts=5, delay_seconds=30)
    assert nothing_due(store)
    assert store.next_due() == clock.now + 30
    assert (standing(store).last_error, standing(store).last_error_turn) == ("model away", "t1")
    clock.now += 30
    assert (claim_next(store).instruction.turn, instruction(store).attempts) == ("t1", 2)


def test_a_back_off_does_not_hold_up_a_claim_by_name(store: Store) -> None:
    """R77: a person's command reviews now."""
    queue(store, a_turn())
    store.fail(claim(store), "model away", attempts=5, delay_seconds=900)
    assert claim(store).instruction.attempts == 2


@pytest.mark.parametrize("change", ["older turn", "detach", "unpark", "newer turn"])
def test_a_back_off_is_that_of_the_turn_that_failed(store: Store, change: str) -> None:
    """CASE-H04, CASE-L01: what becomes the oldest instead of it does not wait; what stands behind it does."""
    wait_in(store, SOURCE.key, 1)
    store.fail(claim(store), "its text is gone", attempts=1)
    wait_in(store, SOURCE.key, 3, origin=Origin.EVENT)
    store.fail(claim(store), "model away", attempts=5, delay_seconds=900)
    wait_in(store, SOURCE.key, 4)
    assert nothing_due(store)
    match change:
        case "older turn":
            wait_in(store, SOURCE.key, 2)
        case "detach":
            store.withdraw(SOURCE.key, [Origin.EVENT])
        case "unpark":
            store.unpark(SOURCE.key)
        case _:
            wait_in(store, SOURCE.key, 5)
    held = store.claim_next(lease_seconds=LEASE)
    due = {"older turn": "t2", "detach": "t4", "unpark": "t1", "newer turn": None}[change]
    assert (held.instruction.turn if held else None) == due


def test_a_parked_turn_does_not_hold_the_lane_up(store: Store) -> None:
    """CASE-L01: its delay is nobody else's."""
    queue(store, a_turn(1), a_turn(2))
    store.fail(claim(store), "its text is gone", attempts=1, delay_seconds=900)
    assert claim_next(store).instruction.turn == "t2"
    now = standing(store)
    assert (now.waiting, now.parked, now.last_error_turn) == (1, 1, "t1")


def test_parked_turns_wait_again_when_a_person_says_so(store: Store) -> None:
    """CASE-L01: one or all, with fresh attempts; what they failed of stays told until they are done."""
    queue(store, a_turn(1), a_turn(2), a_turn(3))
    for _ in range(3):
        store.fail(claim(store), "its text is gone", attempts=1)
    assert nothing_due(store)
    assert store.unpark(SOURCE.key, "t2") == 1
    assert store.unpark(SOURCE.key, "t2") == 0
    held = claim_next(store)
    assert (held.instruction.turn, held.instruction.attempts) == ("t2", 1)
    assert standing(store).last_error == "its text is gone"
    review(store, held)
    assert store.unpark(SOURCE.key) == 2
    reviewed = []
    for _ in range(2):
        held = claim_next(store)
        reviewed.append(held.instruction.turn)
        review(store, held)
    assert reviewed == ["t1", "t3"]
    assert standing(store).last_error == ""
    assert store.unpark("nobody") == 0


def test_the_newest_failure_is_told_and_goes_when_its_turn_is_done(store: Store) -> None:
    """CASE-L01: of several, the one that failed last."""
    queue(store, a_turn(1), a_turn(2))
    store.fail(claim(store), "first", attempts=1)
    store.fail(claim(store), "second", attempts=5)
    assert (standing(store).last_error, standing(store).last_error_turn) == ("second", "t2")
    review(store, claim(store))
    assert (standing(store).last_error, standing(store).last_error_turn) == ("first", "t1")


def test_a_released_turn_may_rest_a_while(store: Store, clock: Clock) -> None:
    """CASE-M05: a source under evaluation is nobody's failure."""
    queue(store, a_turn())
    store.release(claim(store), delay_seconds=2)
    assert nothing_due(store)
    clock.now += 2
    assert claim_next(store).instruction.attempts == 1


# -- resting lanes


def test_a_source_archived_during_its_review_is_not_written(store: Store) -> None:
    """CASE-F12, R98: no memory, the instruction waits, and is reviewed when the session is brought back."""
    queue(store, a_turn())
    held = claim(store)
    assert store.archive(SOURCE.key, archived=True)
    assert refused(store, held) is Code.WRONG_SESSION
    store.fail(held, "archived meanwhile", attempts=5)
    assert instruction(store).state is InstructionState.WAITING
    assert nothing_due(store)
    assert store.archive(SOURCE.key, archived=False)
    review(store, claim_next(store))
    assert standing(store).reviewed == 1


def test_an_archived_source_rests_until_it_is_brought_back(store: Store) -> None:
    """R98: what comes meanwhile waits with the rest."""
    wait_in(store, SOURCE.key, 1)
    assert store.archive(SOURCE.key, archived=True)
    assert not store.archive(SOURCE.key, archived=True)
    wait_in(store, SOURCE.key, 2)
    assert (nothing_due(store), store.next_due(), standing(store).waiting) == (True, None, 2)
    assert store.claim(SOURCE.key, lease_seconds=LEASE) is None
    assert store.archive(SOURCE.key, archived=False)
    assert claim_next(store).instruction.turn == "t1"


def test_a_paused_lane_rests_and_goes_on_in_its_order(store: Store) -> None:
    """R96: the review that runs is finished; what waits, and what comes, keeps its place."""
    wait_in(store, SOURCE.key, 1, 2)
    held = claim(store)
    store.pause(SOURCE.key, paused=True)
    review(store, held)
    wait_in(store, SOURCE.key, 3)
    assert (nothing_due(store), store.next_due(), standing(store).paused) == (True, None, True)
    assert store.claim(SOURCE.key, lease_seconds=LEASE) is None
    store.pause(SOURCE.key, paused=False)
    assert claim_next(store).instruction.turn == "t2"


def test_a_source_may_be_paused_before_anything_waits(store: Store) -> None:
    """R96: what comes later rests from the start."""
    store.put_session(SOURCE)
    store.pause(SOURCE.key, paused=True)
    wait_in(store, SOURCE.key, 1)
    assert nothing_due(store)


def test_a_lane_paused_and_resumed_during_a_review_stays_with_its_worker(store: Store, clock: Clock) -> None:
    """R2: resuming gives nobody a second claim."""
    queue(store, a_turn())
    held = claim(store)
    store.pause(SOURCE.key, paused=True)
    assert store.renew(held, lease_seconds=LEASE)
    store.pause(SOURCE.key, paused=False)
    assert nothing_due(store)
    assert store.next_due() == clock.now + LEASE
    review(store, held)

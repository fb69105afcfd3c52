"""One suite for every store: which lane is served next, whatever the clock does."""

from collections import Counter

import pytest
from lane_cases import SOURCE, Store, claim_next, instruction, nothing_due, review, standing, wait_in
from store_cases import LEASE, Clock

from ferrule.session.source import LaneClaim, Origin

DAY = 24 * 3600.0
YEAR = 365.25 * DAY


def served(store: Store, count: int, clock: Clock | None = None) -> list[str]:
    """Sources in the order in which their lanes are served, an empty review each."""
    order = []
    for _ in range(count):
        held = claim_next(store)
        order.append(held.source)
        if clock is not None:
            clock.now += 0.01
        review(store, held)
    return order


# -- the line


@pytest.mark.parametrize("ticks", [True, False], ids=["clock-ticks", "clock-stands"])
def test_a_source_with_a_hundred_turns_does_not_starve_one_with_one(store: Store, clock: Clock, *, ticks: bool) -> None:
    """R2: a served lane goes to the end of the line, also when all happens within one tick of the clock."""
    wait_in(store, "desk:busy", *range(1, 101))
    for name in ("one", "two", "three"):
        wait_in(store, f"desk:{name}", 1)
    assert set(served(store, 4, clock if ticks else None)) == {"desk:busy", "desk:one", "desk:two", "desk:three"}


def test_busy_sources_are_served_in_turns(store: Store, clock: Clock) -> None:
    """R2: sources in parallel, none twice before each was served once."""
    for name in "abcde":
        wait_in(store, f"desk:{name}", *range(1, 5))
        clock.now += 1
    order = served(store, 20, clock)
    assert order == [f"desk:{name}" for name in "abcde"] * 4
    assert store.next_due() is None


def test_a_lane_that_has_waited_longest_is_first(store: Store, clock: Clock) -> None:
    """R2: by the time at which it became due, not by its name, its row or its number of turns."""
    for name in ("late", "later", "latest"):
        clock.now += 1
        wait_in(store, f"desk:{name}", 1)
    clock.now += 1
    wait_in(store, "desk:late", 2)
    assert served(store, 3, clock) == ["desk:late", "desk:later", "desk:latest"]


def test_claims_of_several_lanes_stand_beside_each_other(store: Store) -> None:
    """R2: one at a time per source, sources in parallel; a claimed lane is passed over."""
    for name in "abc":
        wait_in(store, f"desk:{name}", 1, 2)
    held = [claim_next(store) for _ in range(3)]
    assert {one.source for one in held} == {"desk:a", "desk:b", "desk:c"}
    assert nothing_due(store)
    for one in held:
        review(store, one)
    assert {claim_next(store).source for _ in range(3)} == {"desk:a", "desk:b", "desk:c"}


def test_lanes_in_a_back_off_are_passed_over(store: Store, clock: Clock) -> None:
    """CASE-L01: and are served when their time has come, the earliest first."""
    for name, delay in (("slow", 60.0), ("quick", 5.0)):
        wait_in(store, f"desk:{name}", 1)
        store.fail(claim_next(store), "model away", attempts=5, delay_seconds=delay)
    wait_in(store, "desk:well", 1)
    assert served(store, 1) == ["desk:well"]
    assert nothing_due(store)
    assert store.next_due() == clock.now + 5
    clock.now += 60
    assert served(store, 2) == ["desk:quick", "desk:slow"]


def test_a_lane_whose_turns_all_killed_their_worker_gives_way(store: Store, clock: Clock) -> None:
    """CASE-L01: they are parked on the way to the next lane's claim."""
    wait_in(store, "desk:poison", 1)
    for _ in range(2):
        store.claim("desk:poison", lease_seconds=1.0, attempts=2)
        clock.now += 1
    clock.now += 1
    wait_in(store, "desk:well", 1)
    held = store.claim_next(lease_seconds=LEASE, attempts=2)
    assert held is not None
    assert held.source == "desk:well"
    assert (standing(store, "desk:poison").parked, standing(store, "desk:poison").due) == (1, None)


def test_lanes_tell_the_newest_commit_first(store: Store, clock: Clock) -> None:
    """R1, R84: with the turn that was reviewed last; a clock set back does not change what came last."""
    for name in "abc":
        wait_in(store, f"desk:{name}", 1, 2)
    order = served(store, 3)
    clock.now -= 2 * DAY
    order += served(store, 1)
    told = store.lanes()
    assert [lane.source for lane in told] == [order[3], *(key for key in reversed(order[:3]) if key != order[3])]
    assert (told[0].reviewed, told[0].last_turn, told[0].last_ordinal, told[0].last_outcome) == (2, "t2", 2, "nothing")
    assert told[0].last_at < told[1].last_at


# -- the clock


@pytest.mark.parametrize("jump", [-2 * DAY, 10 * YEAR, -3600.0, 3600.0, -5.0], ids=str)
@pytest.mark.parametrize("when", ["queued", "backed-off", "claimed", "served"])
def test_a_clock_that_jumps_blocks_and_loses_nothing(store: Store, clock: Clock, jump: float, when: str) -> None:
    """CASE-H08: back two days or forward ten years: every turn is reviewed once, in order, without waiting longer."""
    for name in "abc":
        wait_in(store, f"desk:{name}", 1, 2)
        clock.now += 1
    match when:
        case "backed-off":
            for _ in range(3):
                store.fail(claim_next(store), "model away", attempts=5, delay_seconds=30)
        case "claimed":
            for _ in range(3):
                claim_next(store)
        case "served":
            served(store, 4, clock)
        case _:
            assert when == "queued"
    clock.now += jump
    due = store.next_due()
    assert due is not None
    assert due - clock.now <= LEASE
    clock.now += LEASE + 1
    left = 2 if when == "served" else 6
    order = served(store, left, clock)
    assert Counter(order) == Counter({"desk:b": 1, "desk:c": 1} if when == "served" else dict.fromkeys(order[:3], 2))
    assert [lane.reviewed for lane in store.lanes()] == [2, 2, 2]
    assert all(one.state.value == "done" for name in "abc" for one in store.instructions(f"desk:{name}"))
    assert store.next_due() is None


def test_who_waited_longest_is_first_after_the_clock_was_set_back_too(store: Store, clock: Clock) -> None:
    """CASE-H08: all times move together; a lane queued after the jump stands behind those queued before."""
    for name in "abc":
        wait_in(store, f"desk:{name}", 1)
        clock.now += 60
    clock.now -= 2 * DAY
    wait_in(store, "desk:d", 1)
    assert served(store, 4, clock) == ["desk:a", "desk:b", "desk:c", "desk:d"]


def test_a_held_lease_outlives_a_clock_set_back_and_is_not_renewed_for_ever(store: Store, clock: Clock) -> None:
    """CASE-H08: the worker goes on as if nothing had happened; a dead one's lane is free no later than before."""
    wait_in(store, SOURCE.key, 1)
    held = claim_next(store)
    clock.now += 10 - 2 * DAY
    assert nothing_due(store)
    assert store.renew(held, lease_seconds=LEASE)
    review_late = LaneClaim(held.source, held.instruction, held.epoch)
    clock.now += LEASE
    assert not store.renew(review_late, lease_seconds=LEASE)
    review(store, claim_next(store))
    assert standing(store).reviewed == 1


def test_no_time_told_is_below_zero(store: Store, clock: Clock) -> None:
    """CASE-H08: not even when the clock stands at the beginning of time."""
    wait_in(store, SOURCE.key, 1, origin=Origin.EVENT)
    clock.now = 0.0
    due = standing(store).due
    assert due is not None
    assert due >= 0
    assert store.next_due() == 0.0
    review(store, claim_next(store))
    assert instruction(store).state.value == "done"

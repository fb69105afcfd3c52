"""One suite for every store: a unit is one effect, whatever it is made of and wherever it breaks."""

import threading
from collections.abc import Callable

import pytest
from lane_cases import CHILD, NOTES, SOURCE, Store, claim, queue, standing, wait_in
from store_cases import IMPORT, Entity, a_commit, a_turn, a_write

from ferrule.errors import StoreError, UsageError
from ferrule.session.events import EventEnvelope, StoredEvent
from ferrule.session.subscriptions import Companion, Subscription

EVENT = StoredEvent(EventEnvelope("e1", "turn.completed", SOURCE.key, "", "", "t1"), "d")


class Broken(Exception):
    """Whatever may happen in the middle."""


def attach(store: Store) -> None:
    """What an attach changes."""
    store.put_session(SOURCE)
    store.put_companion(Companion(CHILD.key, SOURCE.key), CHILD)
    store.put_subscription(Subscription(SOURCE.key, CHILD.key, 2))
    store.put_event(EVENT)
    store.enqueue(SOURCE, CHILD, [(1, "t1")], IMPORT)


def broken_after(store: Store, *acts: Callable[[], object], error: type[BaseException] = Broken) -> None:
    """A unit that does this and then breaks."""
    with store.unit():
        for act in acts:
            act()
        raise error


def attached(store: Store) -> list[bool]:
    """Which parts of an attach are there."""
    return [
        store.session(SOURCE.key) is not None,
        store.companion(SOURCE.key) is not None,
        store.subscription(SOURCE.key) is not None,
        store.event(SOURCE.key, "e1") is not None,
        store.instruction(SOURCE.key, "t1") is not None,
        store.lane(SOURCE.key) is not None,
    ]


def test_a_unit_is_seen_whole_from_outside(store: Store, another: Callable[[], Store]) -> None:
    """R74, INV-I1: nothing before its end, everything after it."""
    outside = another()
    with store.unit():
        attach(store)
        assert all(attached(store))
        assert not any(attached(outside))
    assert all(attached(outside))


@pytest.mark.parametrize("error", [Broken, KeyboardInterrupt, StoreError])
def test_a_unit_that_breaks_leaves_nothing(store: Store, error: type[BaseException]) -> None:
    """INV-I1: whatever is raised; the store works on."""
    with pytest.raises(error):
        broken_after(store, lambda: attach(store), error=error)
    assert not any(attached(store))
    attach(store)
    assert all(attached(store))


def test_a_part_that_breaks_takes_back_only_itself(store: Store) -> None:
    """INV-I1: whoever catches a refusal inside a unit keeps what was done before it, and no half of the part."""
    with store.unit():
        store.put_session(SOURCE)
        with pytest.raises(UsageError):
            store.put_turns([a_turn(1), a_turn(2, "desk:unknown")])
        with pytest.raises(Broken):
            broken_after(store, lambda: wait_in(store, SOURCE.key, 1))
        wait_in(store, SOURCE.key, 2)
    assert store.turn_keys(SOURCE.key) == ()
    assert [one.turn for one in store.instructions(SOURCE.key)] == ["t2"]


def test_a_review_committed_in_a_unit_that_breaks_was_never_committed(
    store: Store, another: Callable[[], Store]
) -> None:
    """INV-I1, INV-I2: no memory, no receipt, and the store opens as sound as before."""
    queue(store, a_turn())
    held = claim(store)
    mine = a_write(Entity("Mine", "/mine"))
    with pytest.raises(Broken):
        broken_after(
            store,
            lambda: store.commit(a_commit(a_turn(), a_write(NOTES)), held),
            lambda: store.commit_person(SOURCE.key, mine),
        )
    with store.unit():
        with pytest.raises(Broken):
            broken_after(store, lambda: store.commit_person(SOURCE.key, mine))
        store.put_feedback(SOURCE.key, "t1", "up")
    assert (store.definitions(SOURCE.key), store.receipts(), store.revision(SOURCE.key)) == ((), (), 0)
    assert another().receipts() == ()
    store.commit(a_commit(a_turn(), a_write(NOTES)), held)
    assert len(another().receipts()) == 1


def test_forgetting_inside_a_unit_is_one_effect_too(store: Store) -> None:
    """R97: a unit may hold whatever the store can do."""
    queue(store, a_turn())
    store.commit(a_commit(a_turn(), a_write(NOTES)), claim(store))
    with store.unit():
        store.forget(SOURCE.key, ["ParserNotes"])
        store.put_feedback(SOURCE.key, "t1", "down")
    assert store.definitions(SOURCE.key) == ()
    assert store.feedback(SOURCE.key, "t1") == "down"


def test_a_unit_knows_that_it_is_one(store: Store) -> None:
    """CASE-M07: so that nobody is called from inside."""
    assert not store.is_inside()
    with store.unit():
        assert store.is_inside()
        with store.unit():
            assert store.is_inside()
        assert store.is_inside()
    assert not store.is_inside()


def test_another_thread_neither_joins_a_unit_nor_sees_into_it(store: Store) -> None:
    """INV-I1, CASE-M12: its change stands beside the unit, also when the unit breaks."""
    began, gone = threading.Event(), threading.Event()
    seen: list[bool] = []

    def beside() -> None:
        began.wait(20)
        seen.append(store.is_inside())
        wait_in(store, "desk:beside", 1)
        gone.set()

    thread = threading.Thread(target=beside)
    thread.start()
    with pytest.raises(Broken):
        broken_after(store, lambda: attach(store), began.set)
    thread.join(20)
    assert gone.is_set()
    assert seen == [False]
    assert not any(attached(store))
    assert standing(store, "desk:beside").waiting == 1


def test_threads_keep_their_units_apart(store: Store) -> None:
    """CASE-M12: each reads what it decided by; none is lost."""
    store.put_session(SOURCE)

    def count() -> None:
        for _ in range(20):
            with store.unit():
                value = int(store.feedback(SOURCE.key, "t1") or 0)
                store.put_feedback(SOURCE.key, "t1", str(value + 1))

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert store.feedback(SOURCE.key, "t1") == "80"

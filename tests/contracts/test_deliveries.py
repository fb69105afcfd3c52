"""One suite for every store: whatever is delivered, in whatever order, with whatever failures, is reviewed once.

A generated history of deliveries, claims, commits, failures, pauses, clock jumps and restarts runs against the store
and a plain model of what must hold; then the rest is worked off.
"""

import itertools
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lane_cases import CHILD, SOURCE, Store, review
from store_cases import IMPORT, LEASE, Clock, a_child, a_commit, a_session, a_turn

from ferrule.errors import Code, StoreError
from ferrule.session.source import InstructionState, LaneClaim, Origin
from ferrule.session.subscriptions import Companion, Subscription

DAY = 24 * 3600.0
NUMBERS = itertools.count()
TURNS = (1, 2, 3, 4)
ORIGINS = tuple(Origin)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("deliver"), st.integers(0, 2), st.sampled_from(TURNS), st.sampled_from(ORIGINS)),
        st.tuples(st.just("claim"), st.sampled_from(["next", "by name"]), st.integers(0, 2)),
        st.tuples(st.sampled_from(["commit", "fail", "release", "renew"]), st.integers(0, 5)),
        st.tuples(st.just("tick"), st.sampled_from([0.0, 1.0, LEASE - 1, LEASE, -2 * DAY, 3650 * DAY, -30.0])),
        st.tuples(
            st.sampled_from(["pause", "resume", "archive", "bring back", "withdraw", "unpark"]), st.integers(0, 2)
        ),
        st.tuples(st.just("restart")),
    ),
    max_size=30,
)


@dataclass
class History:
    """The store, the model beside it, and the claims that somebody may still believe in."""

    open_store: Callable[[Clock], Store]
    clock: Clock
    sources: tuple[str, ...]
    claims: list[LaneClaim] = field(default_factory=list)
    committed: Counter[tuple[str, str]] = field(default_factory=Counter)
    delivered: set[tuple[str, int]] = field(default_factory=set)
    refusals: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.store = self.open_store(self.clock)

    def run(self, steps: Sequence[tuple[object, ...]]) -> None:
        """Each step by its name."""
        for name, *details in steps:
            getattr(self, str(name).replace(" ", "_"))(*details)

    def deliver(self, source: int, ordinal: int, origin: Origin) -> None:
        """A turn comes, perhaps again."""
        session = a_session(self.sources[source])
        self.store.enqueue(session, a_child(session), [(ordinal, f"t{ordinal}")], origin)
        self.delivered.add((session.key, ordinal))

    def claim(self, how: str, source: int) -> None:
        """Somebody asks for work; what it gets is the oldest that is open in its lane."""
        key = self.sources[source]
        before = {name: self.open_turns(name) for name in self.sources}
        held = (
            self.store.claim_next(lease_seconds=LEASE, attempts=99)
            if how == "next"
            else self.store.claim(key, lease_seconds=LEASE, attempts=99)
        )
        if held is not None:
            assert held.instruction.ordinal == min(before[held.source])
            assert all(held.epoch > old.epoch for old in self.claims if old.source == held.source)
            self.claims.append(held)

    def open_turns(self, source: str) -> list[int]:
        """Ordinals that wait or are claimed."""
        return [
            one.ordinal
            for one in self.store.instructions(source)
            if one.state in {InstructionState.WAITING, InstructionState.CLAIMED}
        ]

    def picked(self, number: int) -> LaneClaim | None:
        """One of the claims that were ever given, the newest first."""
        return self.claims[-1 - number % len(self.claims)] if self.claims else None

    def commit(self, number: int) -> None:
        """Somebody hands its review in, perhaps too late, perhaps twice."""
        held = self.picked(number)
        if held is None:
            return
        done = self.store.review(held.source, held.instruction.turn) is not None
        try:
            review(self.store, held)
        except StoreError as error:
            self.refusals.add("after its commit" if done else error.code)
            return
        if not done:
            assert self.store.lane(held.source) is not None
            self.committed[held.source, held.instruction.turn] += 1

    def fail(self, number: int) -> None:
        """A review fails, or something believes so."""
        held = self.picked(number)
        if held is not None:
            self.store.fail(held, "model away", attempts=5, delay_seconds=30)

    def release(self, number: int) -> None:
        """A worker is told to stop."""
        held = self.picked(number)
        if held is not None:
            self.store.release(held)

    def renew(self, number: int) -> None:
        """A worker says that it still lives."""
        held = self.picked(number)
        if held is not None and self.store.renew(held, lease_seconds=LEASE):
            assert held == max((one for one in self.claims if one.source == held.source), key=lambda one: one.epoch)

    def tick(self, seconds: float) -> None:
        """Time passes, or the clock is set."""
        self.clock.now = max(1.0, self.clock.now + seconds)

    def pause(self, source: int) -> None:
        """A person lets a lane rest."""
        self.store.pause(self.sources[source], paused=True)

    def resume(self, source: int) -> None:
        """And lets it go on."""
        self.store.pause(self.sources[source], paused=False)

    def archive(self, source: int) -> None:
        """A person archives a session."""
        self.store.archive(self.sources[source], archived=True)

    def bring_back(self, source: int) -> None:
        """And brings it back."""
        self.store.archive(self.sources[source], archived=False)

    def withdraw(self, source: int) -> None:
        """A person detaches."""
        self.store.withdraw(self.sources[source], ORIGINS)

    def unpark(self, source: int) -> None:
        """A person lets what was given up be tried again."""
        self.store.unpark(self.sources[source])

    def restart(self) -> None:
        """The process ends and another one opens the home."""
        self.store.close()
        self.store = self.open_store(self.clock)

    def work_off(self) -> None:
        """Everything is let go on, delivered once more, and reviewed as it becomes due; in bounded steps."""
        for number, key in enumerate(self.sources):
            self.bring_back(number)
            self.resume(number)
            self.unpark(number)
            for ordinal in sorted(ordinal for source, ordinal in self.delivered if source == key):
                self.deliver(number, ordinal, Origin.MANAGEMENT)
        for _ in range(200):
            due = self.store.next_due()
            if due is None:
                break
            self.clock.now = max(self.clock.now, due)
            self.claim("next", 0)
            self.commit(0)
        assert self.store.next_due() is None


@given(steps=STEPS)
def test_any_history_reviews_each_delivered_turn_once(
    shared_home: Callable[[Clock], Store], steps: list[tuple[object, ...]]
) -> None:
    """INV-I1, INV-I4, CASE-H01, CASE-H04, CASE-H08: one effect per turn, oldest first, nothing left behind."""
    number = next(NUMBERS)
    history = History(shared_home, Clock(), tuple(f"desk:{number}-{name}" for name in "abc"))
    try:
        for key in history.sources:
            history.store.put_session(a_session(key))
        history.run(steps)
        history.work_off()
        for key in history.sources:
            turns = sorted(ordinal for source, ordinal in history.delivered if source == key)
            assert [one.state for one in history.store.instructions(key)] == [InstructionState.DONE] * len(turns)
            assert history.store.markers(key) == tuple(f"marker of t{ordinal}" for ordinal in turns)
            assert sorted(one.turn for one in history.store.receipts(key)) == [f"t{ordinal}" for ordinal in turns]
            lane = history.store.lane(key)
            assert lane is None or (lane.waiting, lane.parked, lane.reviewed) == (0, 0, len(turns))
        assert set(history.committed.values()) <= {1}
        assert history.refusals <= {Code.STALE_REVISION, Code.WRONG_SESSION}
    finally:
        history.store.close()


@pytest.mark.parametrize("threads", [1, 5])
def test_fifty_concurrent_attaches_are_one(store: Store, another: Callable[[], Store], threads: int) -> None:
    """CASE-F11, CASE-H12, R74, R92: through one connection or five: one child, one subscription, one queued turn."""
    store.put_session(SOURCE)
    stores = [store, *(another() for _ in range(threads - 1))]

    def attach(own: Store) -> None:
        for _ in range(5):
            with own.unit():
                own.put_companion(Companion(CHILD.key, SOURCE.key), CHILD)
                own.put_subscription(Subscription(SOURCE.key, CHILD.key, 2))
                own.enqueue(SOURCE, CHILD, [(1, "t1")], IMPORT)

    working = [threading.Thread(target=attach, args=(stores[number % threads],)) for number in range(10)]
    for thread in working:
        thread.start()
    for thread in working:
        thread.join(60)
    assert len(store.sessions(hidden=True)) == 2
    assert (len(store.subscriptions()), len(store.companions()), len(store.instructions(SOURCE.key))) == (1, 1, 1)
    held = store.claim_next(lease_seconds=LEASE)
    assert held is not None
    store.commit(a_commit(a_turn()), held)
    assert store.next_due() is None


def test_hundreds_of_waiting_turns_survive_a_restart(store: Store, another: Callable[[], Store]) -> None:
    """CASE-H10: queued all at once, each is reviewed once, in order; a claim reads one of them."""
    store.enqueue(SOURCE, CHILD, [(ordinal, f"t{ordinal}") for ordinal in range(400, 0, -1)], Origin.CATCH_UP)
    store.close()
    again = another()
    reviewed = []
    with again.unit():
        while (held := again.claim_next(lease_seconds=LEASE)) is not None:
            reviewed.append(held.instruction.ordinal)
            review(again, held)
    assert reviewed == list(range(1, 401))
    assert len(again.receipts()) == 400

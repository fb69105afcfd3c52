"""A wake is never lost and starts one worker, whatever worker is coming, going or gone."""

import os
import random
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from store_cases import Clock
from worker_cases import LONG, Told, critic_for, queue

from ferrule.adapters.laptop.bell import FifoBell, ring
from ferrule.adapters.laptop.lock import Holder, WorkerLock, holder
from ferrule.adapters.laptop.waking import Wake, wake
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.working import Hours, Worker, Workshop

ROUNDS = 120
PAUSE = threading.Event()  # never set: a pause that a reader sees is none of synchronisation


class SlowToLeave(FifoBell):
    """A bell whose owner is slow around the moment that matters, so that the race is run in every round."""

    def leave(self) -> None:
        """Leave, with time before and after."""
        PAUSE.wait(0.002)
        super().leave()
        PAUSE.wait(0.002)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A fresh store."""
    opened = SqliteStore(tmp_path / "home", Clock())
    yield opened
    opened.close()


class Crew:
    """Starts workers in threads of this process, with the same lock, bell and way to leave as a process has.

    Each works until nothing is due and leaves at once, so that most wakes meet one that is about to go.
    """

    def __init__(self, store: SqliteStore, reviewer: Told) -> None:
        self._store = store
        self._reviewer = reviewer
        self.threads: list[threading.Thread] = []
        self.began: list[str] = []
        self.together = 0
        self.most = 0

    def start(self, home: Path, _environment: Mapping[str, str], lock: int | None) -> None:
        """As `spawn`: the descriptor is duplicated, as a started process has it."""
        handed = None if lock is None else os.dup(lock)
        thread = threading.Thread(target=self._work, args=(home, handed))
        self.threads.append(thread)
        thread.start()

    def _work(self, home: Path, handed: int | None) -> None:
        lock = None if handed is None else WorkerLock.inherited(home, handed)
        lock = lock or WorkerLock.awaited(home, 10.0, unless=lambda: ring(home))
        if lock is None:
            self.began.append("too many")
            return
        self.began.append("alone")
        self.together += 1
        self.most = max(self.most, self.together)
        bell = SlowToLeave(home)
        bell.listen()
        lock.tell(Holder(pid=os.getpid(), doing="idle"))
        critic = critic_for(self._store, self._reviewer)
        shop = Workshop(critic, bell, settled=lambda _: None, clock=Clock())
        Worker(shop, Hours(parallel=1, idle_seconds=0.0)).run()
        bell.close()
        self.together -= 1
        lock.close()


def test_no_wake_is_lost_however_a_worker_comes_and_goes(store: SqliteStore) -> None:
    """R77, R100, INV-I4: many turns, each woken for once while workers leave and start, all reviewed, none twice."""
    reviewer = Told()
    crew = Crew(store, reviewer)
    chance = random.Random(7)  # noqa: S311 - reproducible, not secret
    told: set[Wake] = set()
    for number in range(1, ROUNDS + 1):
        queue(store, "desk:a", number)
        told.add(wake(store.home, {}, start=crew.start).wake)
        for _ in range(2000):
            if store.review("desk:a", f"t{number}") is not None:
                break
            PAUSE.wait(0.005)
        assert store.review("desk:a", f"t{number}") is not None, f"the wake of round {number} was lost"
        PAUSE.wait(chance.uniform(0, 0.012))
    for thread in crew.threads:
        thread.join(LONG)
    assert sorted(reviewer.began) == sorted(f"desk:a t{number}" for number in range(1, ROUNDS + 1))
    assert store.next_due() is None
    assert crew.most == 1
    assert holder(store.home) is None
    assert {Wake.STARTED} < told <= {Wake.STARTED, Wake.STARTING, Wake.RUNG}


def test_a_burst_of_wakes_starts_one_worker(store: SqliteStore) -> None:
    """R77, CASE-H12: twenty at once; whoever finds one that is starting leaves it to look."""
    started: list[int | None] = []
    kept: list[int] = []
    told: list[Wake] = []

    def start(_home: Path, _environment: Mapping[str, str], lock: int | None) -> None:
        started.append(lock)
        assert lock is not None
        kept.append(os.dup(lock))

    def press() -> None:
        told.append(wake(store.home, {}, start=start).wake)

    threads = [threading.Thread(target=press) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    assert len(started) == 1
    assert sorted(told) == [Wake.STARTED] + [Wake.STARTING] * 19
    os.close(kept[0])
    assert wake(store.home, {}, start=lambda *_: None).wake is Wake.STARTED


def test_a_worker_that_is_leaving_gets_a_successor(store: SqliteStore) -> None:
    """R77: it holds the lock and hears no bell; the started one waits for the lock."""
    lock = WorkerLock.taken(store.home)
    assert lock is not None
    lock.tell(Holder(pid=os.getpid(), doing="idle"))
    started: list[int | None] = []
    woken = wake(store.home, {}, start=lambda _home, _environment, given: started.append(given))
    assert (woken.wake, started) == (Wake.STARTED, [None])
    lock.close()


def test_a_start_that_fails_leaves_the_home_free(store: SqliteStore) -> None:
    """INV-I8: the reason is told, the lock is not kept, the next wake tries again."""

    def fail(*_: object) -> None:
        raise OSError(24, "Too many open files")

    woken = wake(store.home, {}, start=fail)
    assert (woken.wake, "Too many open files" in woken.reason) == (Wake.FAILED, True)
    assert holder(store.home) is None

"""A worker works off what is due, sleeps without looking until it is called or something falls due, and leaves.

Owns the foreman of the hands: when they are called, chores beside the reviews (stored events), the projections that
follow a lane at rest (D12), and the ways in which work ends: nothing to do for a while, told to stop, an upgrade, a
store that fails. The last look is taken after nobody can ring any more, so no call is lost. Knows nothing of processes,
files or signals; clocks and the bell are given.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from ferrule.companion.hands import Hands, Notices, Rest
from ferrule.companion.mishaps import survived
from ferrule.companion.worker import Critic
from ferrule.errors import StoreError
from ferrule.session.source import LaneClaim

__all__ = ["GRACE_SECONDS", "Bell", "Chore", "Ended", "Hours", "Worker", "Workshop"]

GRACE_SECONDS = 3.0
"""Leaves room, within the five seconds of CASE-J09, for giving back and closing."""

Chore = Callable[[], float | None]
"""Does what can be done now; returns when it wants to be called again (seconds since the epoch), None when rung for."""


class Bell(Protocol):
    """What wakes a sleeping worker."""

    def listen(self) -> None:
        """From now on others find somebody to ring for."""
        ...

    def leave(self) -> None:
        """From now on whoever rings finds nobody, and sees to another worker."""
        ...

    def nudge(self) -> None:
        """From inside: let `wait` return to look at how things stand. Safe in a signal handler."""
        ...

    def wait(self, seconds: float | None) -> bool:
        """Sleep until rung or nudged, at most so long; True when somebody outside rang, also before the wait."""
        ...


class Ended(StrEnum):
    """Why a worker stopped working."""

    IDLE = "nothing to do"
    STOPPED = "told to stop"
    OUTDATED = "another version was installed"
    TROUBLED = "the store failed"


@dataclass(frozen=True, slots=True)
class Hours:
    """How a worker works.

    Attributes:
        parallel: how many sources are reviewed at the same time.
        idle_seconds: how long it waits for more once nothing is due.
        once: leave as soon as nothing is due, also when something is due later.
        stay_seconds: for what is due later than that nobody stays; the next call brings another worker.
        grace_seconds: how long a turn under review may go on once told to stop; then it is given back.
        rest_seconds: how long after its last write a source's projection is refreshed; at the latest ten times that
            after the first.
    """

    parallel: int = 2
    idle_seconds: float = 60.0
    once: bool = False
    stay_seconds: float = 1000.0
    grace_seconds: float = GRACE_SECONDS
    rest_seconds: float = 0.5


@dataclass(frozen=True, slots=True)
class Workshop:
    """What a worker works with.

    Attributes:
        critic: store, desk and reviewer.
        bell: what wakes it.
        settled: refreshes the projection of a source, off the acknowledged path (D12).
        chores: what else is to be done when it is called.
        outdated: whether this process should make room for a successor.
        doing: told whenever the turns under review change.
        tell: told what a person may want to read later.
        clock: seconds since the epoch, as the store's.
        steady: seconds that no one sets.
    """

    critic: Critic
    bell: Bell
    settled: Callable[[str], None]
    chores: Sequence[Chore] = ()
    outdated: Callable[[], bool] = lambda: False
    doing: Callable[[tuple[LaneClaim, ...]], None] = lambda _: None
    tell: Callable[[str], None] = lambda _: None
    clock: Callable[[], float] = time.time
    steady: Callable[[], float] = time.monotonic


# A wait for something due is cut short, so that a clock that was set, or a machine that slept, costs a minute at most.
_LONGEST_WAIT = 60.0
# What is due and cannot be had, or a chore that is never done, is asked for ever more seldom.
_SHORTEST_WAIT, _DOUBLINGS = 0.25, 8
_LAST_PROJECTIONS_SECONDS = 1.0


class Worker:
    """One worker over one open home. `run` returns why it ended; `stop` may be called from a signal handler."""

    def __init__(self, shop: Workshop, hours: Hours) -> None:
        self._shop = shop
        self._hours = hours
        self._dirty = _Dirty(hours.rest_seconds)
        self._times = _Times(shop, hours)
        self._stopping = False
        self._ending: Ended | None = None
        self._stayed = False  # the last look before leaving found something
        notices = Notices(
            rested=shop.bell.nudge,
            wrote=lambda source: self._dirty.wrote(source, shop.steady()),
            doing=shop.doing,
            tell=shop.tell,
            may_go_on=lambda: not self._stopping and not shop.outdated(),
        )
        self._hands = Hands(shop.critic, hours.parallel, notices)

    @property
    def trouble(self) -> StoreError | None:
        """The store's failure that ended the work, if one did."""
        return self._hands.trouble

    @property
    def reviewed(self) -> int:
        """How many turns were reviewed."""
        return self._hands.rest().reviewed

    def stop(self) -> None:
        """End soon: nothing more is begun; what is under review has the grace, then it is given back."""
        self._stopping = True
        self._shop.bell.nudge()

    def run(self) -> Ended:
        """Work until there is a reason to end; a turn that could not be finished was given back."""
        self._shop.bell.listen()
        try:
            self._hands.start()
            ended = self._attend()
            if ended in {Ended.STOPPED, Ended.OUTDATED}:
                self._shop.bell.leave()  # nobody looks any more: whoever rings now sees to another worker
        finally:
            for claim in self._hands.close(self._hours.grace_seconds):
                self._shop.tell(f"{claim.source} {claim.instruction.turn}: given back unfinished")
        self._refresh(self._dirty.all(), self._shop.steady() + _LAST_PROJECTIONS_SECONDS)
        return ended

    def _attend(self) -> Ended:
        called = True
        while True:
            rest = self._hands.rest()
            ended = self._ended(rest)
            if ended is not None:
                return ended
            if self._ending is not None:
                self._shop.bell.wait(None)  # for the hands
                continue
            try:
                left = self._round(rest, called=called)
            except StoreError as error:
                self._hands.trouble = error
                continue
            if left:
                return Ended.IDLE
            called = self._stayed or self._shop.bell.wait(self._times.patience(self._hands.rest(), self._dirty.next()))

    def _ended(self, rest: Rest) -> Ended | None:
        """Why it is over now; a reason that can wait lets the hands finish their turns first."""
        if self._stopping:
            return Ended.STOPPED
        if self._hands.trouble is not None:
            self._ending = Ended.TROUBLED
        elif self._shop.outdated():
            self._ending = Ended.OUTDATED
        return None if rest.busy else self._ending

    def _round(self, rest: Rest, *, called: bool) -> bool:
        """Do what is due, by a call or by the time; True when the worker has left."""
        times = self._times
        self._stayed = False
        if called or times.chore_is_due():
            times.chore(self._chores())
        due = self._shop.critic.store.next_due()
        if times.may_look(rest, due, called=called):
            self._hands.call()
            rest = self._hands.rest()
        self._refresh(self._dirty.ripe(self._shop.steady()))
        times.stands(rest, due)
        return self._dirty.next() is None and times.over and self._left()

    def _left(self) -> bool:
        """Leave: first nobody can ring any more, then the last look. False when that look found something."""
        self._shop.bell.leave()
        self._times.chore(self._chores())
        due = self._shop.critic.store.next_due()
        if not self._times.waits(due):
            return True
        self._shop.bell.listen()
        self._stayed = True
        return False

    def _chores(self) -> float | None:
        wishes = [survived(chore, self._shop.tell) for chore in self._shop.chores]
        return min((wish for wish in wishes if wish is not None), default=None)

    def _refresh(self, sources: Sequence[str], until: float | None = None) -> None:
        """Bring projections up to date; one that cannot be written is told, and made anew after the next write."""
        for source in sources:
            if until is not None and self._shop.steady() > until:
                return  # told to stop: the file is rebuilt when it differs
            try:
                self._shop.settled(source)
            except StoreError as error:
                self._shop.tell(f"{source}: the projection was not refreshed [{error.code}]")


class _Times:
    """When something is due next, and since when nothing is."""

    def __init__(self, shop: Workshop, hours: Hours) -> None:
        self._clock, self._steady, self._hours = shop.clock, shop.steady, hours
        self._chore: float | None = None
        self._due: float | None = None
        self._idle_since: float | None = None
        self._claims = -1
        self._fruitless = 0
        self._next_look = 0.0

    def chore(self, wish: float | None) -> None:
        """When the chores want to be done again."""
        self._chore = None if wish is None else max(wish, self._clock() + _SHORTEST_WAIT)

    def chore_is_due(self) -> bool:
        """Whether a chore wanted to be done by now."""
        return self._chore is not None and self._chore <= self._clock()

    def may_look(self, rest: Rest, due: float | None, *, called: bool) -> bool:
        """Whether to call the hands now: somebody rang, or a lane is due and a hand is free."""
        if not called:
            if due is None or due > self._clock() or not rest.resting or rest.called:
                return False
            if rest.claims == self._claims and self._steady() < self._next_look:
                return False
        self._fruitless = 0 if called or rest.claims != self._claims else min(self._fruitless + 1, _DOUBLINGS)
        self._next_look = self._steady() + _SHORTEST_WAIT * 2**self._fruitless
        self._claims = rest.claims
        return True

    def stands(self, rest: Rest, due: float | None) -> None:
        """Note how things stand after a round."""
        self._due = due
        idle = rest.all_rest and not self.waits(due)
        if not idle:
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = self._steady()

    def waits(self, due: float | None) -> bool:
        """Whether something is there to stay for."""
        until = self._clock() + (0.0 if self._hours.once else self._hours.stay_seconds)
        return any(time_due is not None and time_due <= until for time_due in (due, self._chore))

    @property
    def over(self) -> bool:
        """Whether there was nothing to do for long enough."""
        if self._idle_since is None:
            return False
        return self._hours.once or self._steady() - self._idle_since >= self._hours.idle_seconds

    def patience(self, rest: Rest, dirty: float | None) -> float | None:
        """How long to sleep at most; None until somebody calls."""
        now, steady = self._clock(), self._steady()
        ends = [] if self._chore is None else [self._chore - now]
        if dirty is not None:
            ends.append(dirty - steady)
        if self._due is not None and rest.resting and not rest.called:
            ends.append(min(self._due - now if self._due > now else self._next_look - steady, _LONGEST_WAIT))
        if self._idle_since is not None and dirty is None:
            ends.append(self._idle_since + self._hours.idle_seconds - steady)
        return max(0.0, min(ends)) if ends else None


class _Dirty:
    """Sources that were written to since their projection was refreshed."""

    def __init__(self, rest_seconds: float) -> None:
        self._rest = rest_seconds
        self._lock = threading.Lock()
        self._times: dict[str, tuple[float, float]] = {}

    def wrote(self, source: str, now: float) -> None:
        """A review of the source wrote something."""
        with self._lock:
            self._times[source] = (self._times.get(source, (now, now))[0], now)

    def ripe(self, now: float) -> tuple[str, ...]:
        """The sources at rest, or long unrefreshed; they are taken to be refreshed."""
        with self._lock:
            ripe = tuple(source for source in self._times if self._end(source) <= now)
            for source in ripe:
                del self._times[source]
            return ripe

    def all(self) -> tuple[str, ...]:
        """All of them; they are taken to be refreshed."""
        return self.ripe(float("inf"))

    def next(self) -> float | None:
        """When the next one is to be refreshed, or None."""
        with self._lock:
            return min(map(self._end, self._times), default=None)

    def _end(self, source: str) -> float:
        first, last = self._times[source]
        return min(last + self._rest, first + 10 * self._rest)

"""A worker of one home in this process: alone with the home's lock, reachable by its bell, gone when it is not needed.

Owns the life of that process around the pool: lock, bell, signals, the home opened anew after a failure of the store,
and a successor when another version was installed (design.md section 8). Knows nothing of how lanes are worked.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from ferrule import __version__
from ferrule.adapters.laptop.bell import EventBell, FifoBell, ring
from ferrule.adapters.laptop.launching import LOCK_VARIABLE, spawn
from ferrule.adapters.laptop.lock import Holder, WorkerLock, holder
from ferrule.adapters.laptop.log import tell_log
from ferrule.adapters.laptop.release import installed
from ferrule.companion.dispatching import drain
from ferrule.companion.worker import Critic
from ferrule.companion.working import GRACE_SECONDS, Chore, Ended, Hours, Worker, Workshop
from ferrule.errors import Code, StoreError, StoreVersion, UsageError
from ferrule.session.source import LaneClaim
from ferrule.wiring.critic import critic_of, projected
from ferrule.wiring.home import Home, is_home, located, open_home
from ferrule.wiring.locating import no_home
from ferrule.wiring.settings import MAX_IDLE_SECONDS
from ferrule.wiring.spooling import SpoolChore, reports_wait

__all__ = ["Ended", "Wishes", "WorkerRun", "run_worker", "was_spawned"]

# Longer than whoever leaves may take for its last look at a busy store; one that stays is seen at once by its bell.
PATIENCE_SECONDS = 10.0
FIRST_PAUSE, LONGEST_PAUSE, MOST_PAUSES = 1.0, 60.0, 10
REPLACED_WITHIN_SECONDS, BETWEEN_LOOKS_SECONDS = 15.0, 0.1
_DRAINS = 1000


@dataclass(frozen=True, slots=True)
class WorkerRun:
    """What became of it. `ended` None: another worker of this home runs, which is `other`."""

    ended: Ended | None
    reviewed: int = 0
    other: Holder | None = None


@dataclass(frozen=True, slots=True)
class Wishes:
    """How a worker is wanted.

    Attributes:
        idle_seconds: as in the settings, before which it goes.
        once: leave as soon as nothing is due.
        tell: told what a person may want to read; None for the home's `worker.log`.
        critic: how the critic of an open home is made.
        package: the file whose change tells of an upgrade; None for Ferrule's own.
        grace_seconds: how long a turn under review may go on once the worker is told to stop.
    """

    idle_seconds: float | None = None
    once: bool = False
    tell: Callable[[str], None] | None = None
    critic: Callable[[Home], Critic] = critic_of
    package: Path | None = None
    grace_seconds: float = GRACE_SECONDS


def was_spawned() -> bool:
    """Whether this process was started on demand, so that nobody reads what it prints."""
    return LOCK_VARIABLE in os.environ


def run_worker(path: Path | str | None = None, wishes: Wishes | None = None) -> WorkerRun:
    """Work in this process until nothing is left to do, or told to stop (SIGTERM, SIGINT, SIGHUP; CASE-J09).

    Raises:
        UsageError: there is no such home, or a setting or wish is wrong.
        StoreError: the home cannot be used and will not be by waiting, or was not for a long time.
        UnreadableInput: an ontology file is wrong.
    """
    wishes = wishes or Wishes()
    idle = wishes.idle_seconds
    if idle is not None and not 0 <= idle <= MAX_IDLE_SECONDS:
        raise UsageError(f"a worker idles from 0 to {MAX_IDLE_SECONDS:g} seconds", code=Code.BAD_TOOL_ARGS)
    place = located(path)
    if not is_home(place):
        raise no_home(place)
    before = installed(wishes.package)
    try:
        lock = _lock(place)
        if lock is None:
            return WorkerRun(None, other=holder(place))
        post = _Post(place, lock, wishes, before)
    except OSError as error:
        raise StoreError(f"{place}: a worker cannot be there: {error.strerror or error}") from error
    try:
        with _told_to_stop(post):
            run = post.work()
        if post.successor_is_due:
            post.succeed()
        return run
    finally:
        post.bell.close()
        lock.close()


def _lock(place: Path) -> WorkerLock | None:
    handed = os.environ.pop(LOCK_VARIABLE, "")
    if handed.isascii() and handed.isdigit():
        lock = WorkerLock.inherited(place, int(handed))
        if lock is not None:
            return lock
    return WorkerLock.awaited(place, PATIENCE_SECONDS, unless=lambda: ring(place))


class _Post:
    """The place of a worker: what it holds while homes are opened and closed."""

    def __init__(self, place: Path, lock: WorkerLock, wishes: Wishes, before: object) -> None:
        self.bell = EventBell() if sys.platform == "win32" else FifoBell(place)
        self.successor_is_due = False
        self._place = place
        self._lock = lock
        self._wishes = wishes
        self._before = before
        self._since = time.time()
        self._stopped = False
        self._worker: Worker | None = None
        self._reviewed = 0
        self._tell = wishes.tell or (lambda line: tell_log(place, line))

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        """As a signal handler."""
        self._stopped = True
        if self._worker is not None:
            self._worker.stop()
        self.bell.nudge()

    def succeed(self) -> None:
        """Start another worker with our lock, from the package that is installed now."""
        try:
            spawn(self._place, os.environ, self._lock.descriptor)
        except (OSError, StoreError) as error:
            self._tell(f"no successor could be started: {error}")

    def work(self) -> WorkerRun:
        """Work over the home until it is over; a store that fails is given time, and opened anew."""
        # Listening comes before the first word in the lock: until then whoever finds nobody knows that one starts.
        self.bell.listen()
        self._stand()
        self._tell(f"worker {__version__} began")
        pauses = 0
        while True:
            before = self._reviewed
            try:
                ended, trouble = self._once()
            except StoreVersion:
                ended, trouble = Ended.OUTDATED, None
            except StoreError as error:
                ended, trouble = Ended.TROUBLED, error
            if trouble is None or self._stopped:
                self._tell(f"worker left: {ended}; {self._reviewed} reviewed")
                return WorkerRun(Ended.STOPPED if self._stopped else ended, self._reviewed)
            pauses = 1 if self._reviewed > before else pauses + 1
            self._tell(f"the store failed: {trouble} [{trouble.code}]")
            if trouble.code is not Code.IO_FAILED or pauses > MOST_PAUSES or self._wishes.once:
                raise trouble
            self._pause(min(FIRST_PAUSE * 2 ** (pauses - 1), LONGEST_PAUSE), trouble)

    def _once(self) -> tuple[Ended, StoreError | None]:
        with open_home(self._place, make=False) as home:
            self._stand()
            settings, wishes = home.settings, self._wishes
            hours = Hours(
                parallel=settings.parallel,
                idle_seconds=settings.idle_seconds if wishes.idle_seconds is None else wishes.idle_seconds,
                once=wishes.once,
                grace_seconds=wishes.grace_seconds,
            )
            worker = Worker(self._shop(home), hours)
            self._worker = worker
            if self._stopped:  # before there was somebody to stop
                worker.stop()
            try:
                ended = worker.run()
            finally:
                self._worker = None
                self._reviewed += worker.reviewed
            if ended is Ended.OUTDATED:
                waits = (home.store.next_due(), home.store.next_event())
                work = waits != (None, None) or reports_wait(home)
                self.successor_is_due = work and self._was_replaced()
            return ended, worker.trouble if ended is Ended.TROUBLED else None

    def _was_replaced(self) -> bool:
        """Whether another package stands where ours did; one that is just being replaced has a moment to come back."""
        until = time.monotonic() + REPLACED_WITHIN_SECONDS
        while installed(self._wishes.package) is None and not self._stopped and time.monotonic() < until:
            time.sleep(BETWEEN_LOOKS_SECONDS)
        return not self._stopped and installed(self._wishes.package) not in {None, self._before}

    def _shop(self, home: Home) -> Workshop:
        return Workshop(
            critic=self._wishes.critic(home),
            bell=self.bell,
            settled=lambda source: projected(home, source),
            chores=(SpoolChore(home, tell=self._tell), _events(home)),
            outdated=lambda: installed(self._wishes.package) != self._before or not home.store.is_current(),
            doing=self._stand,
            tell=self._tell,
        )

    def _stand(self, claims: tuple[LaneClaim, ...] = (), trouble: str = "") -> None:
        doing = ", ".join(f"{claim.source} {claim.instruction.turn}" for claim in claims) or "idle"
        self._lock.tell(Holder(os.getpid(), self._since, __version__, doing, trouble))

    def _pause(self, seconds: float, trouble: StoreError) -> None:
        """Let a failing store rest; no ring shortens that, or a busy source would make us hammer a full disk."""
        self._stand(trouble=str(trouble))
        until = time.monotonic() + seconds
        while not self._stopped and (left := until - time.monotonic()) > 0:
            self.bell.wait(left)


def _events(home: Home) -> Chore:
    """Dispatch the stored events that are due (R79, R80)."""

    def chore() -> float | None:
        for _ in range(_DRAINS):
            if not drain(home.store, now=time.time()):
                break
        return home.store.next_event()

    return chore


@contextmanager
def _told_to_stop(post: _Post) -> Iterator[None]:
    """SIGTERM, SIGINT and SIGHUP end the work in good order."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    names = [name for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), post.stop) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler or signal.SIG_DFL)

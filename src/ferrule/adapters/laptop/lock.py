"""A home has at most one worker: whoever holds the lock of `worker.lock`, and the file says who that is.

Owns the lock and what is written in it. The file is never removed, and the lock is the kernel's: it ends with its
holder, however that ends (kill -9 included), so nothing is ever stale. It can be handed to a process that is started,
without a gap. Where the system has no `flock` (Windows) every worker believes itself alone: the store's lanes still
keep two from reviewing the same session. Knows nothing of what a worker does.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ferrule.adapters.laptop.owning import open_own

if sys.platform != "win32":
    import fcntl

__all__ = ["LOCK_FILE", "Holder", "WorkerLock", "holder"]

LOCK_FILE = "worker.lock"
_SIZE = 2048  # always of one length, written at once: a reader never sees half of it
_BETWEEN_SECONDS = 0.02
_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds the lock, as it says itself; `pid` 0 while a worker is being started."""

    pid: int = 0
    since: float = 0.0
    version: str = ""
    doing: str = ""
    trouble: str = ""


class WorkerLock:
    """The lock, held. `close` gives it up; so does the end of every process that has its descriptor."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    @classmethod
    def taken(cls, home: Path) -> "WorkerLock | None":
        """The lock of that home, or None when another process holds it.

        Raises:
            StoreError: `UNSAFE_PATH` when something else stands in its place.
            OSError: the file cannot be opened or made.
        """
        path = home / LOCK_FILE
        for _ in range(_ATTEMPTS):
            descriptor = open_own(path, os.O_RDWR, make=True)
            kept = False
            try:
                if not _flocked(descriptor):
                    return None
                if _same(path, descriptor):  # else somebody put another file there while we were taking this one
                    kept = True
                    return cls(descriptor)
            finally:
                if not kept:
                    os.close(descriptor)
        return None

    @classmethod
    def inherited(cls, home: Path, descriptor: int) -> "WorkerLock | None":
        """The lock that the starting process took for us, or None when that is not what the descriptor is."""
        try:
            ours = _same(home / LOCK_FILE, descriptor) and _flocked(descriptor)
        except OSError:
            return None
        if not ours:
            return None
        inheritable = False  # by what we start in turn
        os.set_inheritable(descriptor, inheritable)
        return cls(descriptor)

    @classmethod
    def awaited(
        cls, home: Path, seconds: float, unless: Callable[[], bool], sleep: Callable[[float], None] = time.sleep
    ) -> "WorkerLock | None":
        """As `taken`, but waits while a worker is just leaving or starting, `unless` one turns out to stay."""
        tries = max(1, round(seconds / _BETWEEN_SECONDS))
        for attempt in range(tries):
            lock = cls.taken(home)
            if lock is not None or unless():
                return lock
            if attempt < tries - 1:
                sleep(_BETWEEN_SECONDS)
        return None

    def tell(self, holder: Holder) -> None:
        """Write who holds it. A full disk does not matter: this is for people who ask."""
        facts = {"pid": holder.pid, "since": holder.since, "version": holder.version}
        words = {"doing": holder.doing[: _SIZE // 8], "trouble": holder.trouble[: _SIZE // 8]}
        line = json.dumps(facts | words).encode("ascii")
        if len(line) >= _SIZE:  # letters that JSON spells out
            line = json.dumps(facts).encode("ascii")
        try:
            if sys.platform == "win32":
                os.lseek(self.descriptor, 0, os.SEEK_SET)
                os.write(self.descriptor, line.ljust(_SIZE - 1) + b"\n")
            else:
                os.pwrite(self.descriptor, line.ljust(_SIZE - 1) + b"\n", 0)
        except OSError:
            return

    def close(self) -> None:
        """Give the lock up."""
        os.close(self.descriptor)


def holder(home: Path) -> Holder | None:
    """Who holds the lock of a home now, or None when nobody does.

    Raises:
        StoreError: `UNSAFE_PATH` when something else stands in its place.
        OSError: it cannot be read.
    """
    try:
        descriptor = open_own(home / LOCK_FILE, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        # A shared lock for a moment: other askers do not mind, and a worker that starts just then tries again.
        if sys.platform == "win32" or _flocked(descriptor, shared=True):
            return None
        return _read(os.read(descriptor, _SIZE))
    finally:
        os.close(descriptor)


def _read(line: bytes) -> Holder:
    try:
        facts = json.loads(line)
    except ValueError:  # from another version, or by another hand
        return Holder()
    if not isinstance(facts, Mapping):
        return Holder()
    pid, since = facts.get("pid"), facts.get("since")
    return Holder(
        pid if isinstance(pid, int) else 0,
        float(since) if isinstance(since, int | float) else 0.0,
        *(str(facts.get(name, "")) for name in ("version", "doing", "trouble")),
    )


def _flocked(descriptor: int, *, shared: bool = False) -> bool:
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _same(path: Path, descriptor: int) -> bool:
    """Whether the name still leads to the file that was locked."""
    try:
        there, ours = path.lstat(), os.fstat(descriptor)
    except FileNotFoundError:
        return False
    return (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino)

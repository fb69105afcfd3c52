"""The processes of one home keep out of each other's sources by locked files, one pair per source and room.

Owns `<home>/gates`: which files stand there, how one waits for them, and that they do not pile up. A file is named by a
digest, so no key can lead elsewhere (CASE-E01, E03). Knows nothing of threads, evaluations or writes.

How one waits: the system has no lock with a time limit, so a waiter asks again and again. The pace is nearly even: who
asked ever more seldom would lose to those who have just come. And whoever asks can be passed by for ever by a host that
evaluates turn after turn and leaves the gate for microseconds. So each lock has a turnstile, a second file: everybody
goes through it to the lock, whoever waits for the lock stands in it, and who left the lock finds him there first.

Why a file per source and not a fixed number of them: two sources that share a lock wait for each other's evaluations,
which last minutes, and a thread that holds the one would deadlock on the other, or be let in where it must not be. So
that files do not pile up, whoever makes one takes away some that nobody holds once there are more than `MAX_FILES`;
that is safe, because a lock counts only when its file still stands there (see `lockfile`).
"""

import hashlib
import os
import re
import time
from collections.abc import Callable
from pathlib import Path

from ferrule.adapters.gates.lockfile import HeldLock, lock_once, private_folder, swept
from ferrule.session.gate import Latch, Room

__all__ = ["FOLDER_NAME", "MAX_FILES", "FileLatch", "lock_name"]

FOLDER_NAME = "gates"
MAX_FILES = 1024
_SWEPT_AT_ONCE = 64
_EAGER_SECONDS, _EAGER_PAUSE, _PATIENT_PAUSE = 1.0, 0.001, 0.004
_OURS = re.compile(r"[0-9a-f]{32}\.[a-z]{1,16}(\.next)?")


def lock_name(source: str, room: Room) -> str:
    """The name of the file for a source's room."""
    digest = hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{digest[:32]}.{room}"


class FileLatch(Latch):
    """Locks below one home; the folder is opened anew each time, so a home that is replaced meanwhile is no trap.

    Args:
        home: the home folder, which must be there.
        clock: seconds, never set back.
        pause: waits that many seconds.
    """

    def __init__(
        self,
        home: Path,
        *,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.folder = home / FOLDER_NAME
        self._clock = clock
        self._pause = pause

    def take(self, source: str, room: Room, seconds: float) -> Callable[[], None] | None:
        """Lock a source's room; None when it was not free within that time.

        Raises:
            StoreError: `UNSAFE_PATH` when something else stands in the place of folder or file; `IO_FAILED`.
        """
        until = self._clock() + seconds
        name = lock_name(source, room)
        folder = private_folder(self.folder)
        try:
            turnstile = self._locked(folder, f"{name}.next", until)
            if turnstile is None:
                return None
            try:
                lock = self._locked(folder, name, until)
            finally:
                turnstile()
            if lock is not None and lock.made:
                self._sweep(folder)
            return lock
        finally:
            os.close(folder)

    def _locked(self, folder: int, name: str, until: float) -> HeldLock | None:
        began = self._clock()
        while True:
            lock = lock_once(folder, self.folder / name)
            now = self._clock()
            if lock is not None or now >= until:
                return lock
            pause = _EAGER_PAUSE if now - began < _EAGER_SECONDS else _PATIENT_PAUSE
            self._pause(min(pause, until - now))

    def _sweep(self, folder: int) -> None:
        try:
            there = os.listdir(folder)
        except OSError:
            return  # the lock is had; the next one who makes a file tries again
        if len(there) <= MAX_FILES:
            return
        names = [name for name in there if _OURS.fullmatch(name)]
        if len(names) > MAX_FILES:
            for name in names[:_SWEPT_AT_ONCE]:
                swept(folder, self.folder / name)

"""A worker that sleeps is woken at once by one byte in a FIFO, and until then it costs nothing.

Owns `worker.wake`: `ring` from any process, and the worker's side that listens, waits and stops listening. Whoever
rings never blocks: nobody listens (`ENXIO`) or somebody does, and a bell that is full has been rung (CASE-E07). Where
the system has no FIFOs (Windows) `EventBell` takes its place, which only the worker's own threads can ring. Knows
nothing of what is to be done.
"""

import contextlib
import errno
import os
import select
import threading
from pathlib import Path

from ferrule.adapters.laptop.owning import open_own

__all__ = ["BELL_FILE", "EventBell", "FifoBell", "ring"]

BELL_FILE = "worker.wake"
_NOBODY = {errno.ENXIO, errno.EPIPE, errno.ENOENT, errno.ENOTDIR}
_CHUNK = 4096


def ring(home: Path) -> bool:
    """Wake the worker of a home; False when none listens.

    Raises:
        StoreError: `UNSAFE_PATH` when something else stands in the bell's place.
        OSError: the home cannot be entered.
    """
    try:
        descriptor = open_own(home / BELL_FILE, os.O_WRONLY, fifo=True)
    except OSError as error:
        if error.errno in _NOBODY:
            return False
        raise
    try:
        os.write(descriptor, b"!")
    except BlockingIOError:
        return True
    except OSError as error:
        if error.errno in _NOBODY:
            return False
        raise
    finally:
        os.close(descriptor)
    return True


class FifoBell:
    """The worker's side. Any thread and a signal handler may `ring`; one thread waits.

    A pipe of its own carries the rings from inside, so that those need no FIFO and meet no descriptor that was closed
    and given to another file.
    """

    def __init__(self, home: Path) -> None:
        self._path = home / BELL_FILE
        self._lock = threading.RLock()
        self._inside, self._ringer = os.pipe()
        os.set_blocking(self._inside, False)
        os.set_blocking(self._ringer, False)
        self._outside: int | None = None
        self._keeper: int | None = None

    def listen(self) -> None:
        """Be there for other processes.

        Raises:
            StoreError: `UNSAFE_PATH` when something else stands in the bell's place.
            OSError: the FIFO cannot be made or opened.
        """
        if self._outside is not None:
            return
        self._outside = open_own(self._path, os.O_RDONLY, fifo=True, make=True)
        # With a writer of our own the FIFO never reads as ended: otherwise every wait after the first ring would return
        # at once.
        self._keeper = open_own(self._path, os.O_WRONLY, fifo=True)

    def leave(self) -> None:
        """Be there no longer: whoever rings from now on starts another worker."""
        outside, keeper, self._outside, self._keeper = self._outside, self._keeper, None, None
        for descriptor in (outside, keeper):
            if descriptor is not None:
                os.close(descriptor)

    def ring(self) -> None:
        """Let the next (or the present) `wait` return."""
        with self._lock, contextlib.suppress(OSError):  # full: it is rung; closed: nobody waits
            os.write(self._ringer, b"!")

    def wait(self, seconds: float | None) -> bool:
        """Sleep until it is rung, at most so long; whether it was rung. Rings from before count."""
        listening = [self._inside] if self._outside is None else [self._inside, self._outside]
        ready, _, _ = select.select(listening, [], [], seconds)
        for descriptor in ready:
            with contextlib.suppress(BlockingIOError):
                while len(os.read(descriptor, _CHUNK)) == _CHUNK:
                    pass
        return bool(ready)

    def close(self) -> None:
        """End it all."""
        self.leave()
        with self._lock:
            for descriptor in (self._inside, self._ringer):
                os.close(descriptor)
            self._inside = self._ringer = -1


class EventBell:
    """A bell inside one process: for tests, and for systems without FIFOs."""

    def __init__(self) -> None:
        self._rung = threading.Event()
        self.listening = False

    def listen(self) -> None:
        """Nobody outside can ring; only noted."""
        self.listening = True

    def leave(self) -> None:
        """Nobody outside could ring; only noted."""
        self.listening = False

    def ring(self) -> None:
        """Let the next (or the present) `wait` return."""
        self._rung.set()

    def wait(self, seconds: float | None) -> bool:
        """Sleep until it is rung, at most so long; whether it was rung. Rings from before count."""
        rung = self._rung.wait(seconds)
        self._rung.clear()
        return rung

    def close(self) -> None:
        """Nothing is held."""

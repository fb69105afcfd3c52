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
    """The worker's side. Any thread and a signal handler may `nudge`; one thread waits.

    A pipe of its own carries the nudges from inside, so that those need no FIFO and meet no descriptor that was closed
    and given to another file.
    """

    def __init__(self, home: Path) -> None:
        self._path = home / BELL_FILE
        self._lock = threading.RLock()  # the same thread may come again, in a signal handler
        blocking = False
        self._inside, self._nudger = os.pipe()
        for descriptor in (self._inside, self._nudger):
            os.set_blocking(descriptor, blocking)
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

    def nudge(self) -> None:
        """Let the next (or the present) `wait` return."""
        with self._lock, contextlib.suppress(OSError):  # full: it is nudged; closed: nobody waits
            os.write(self._nudger, b"!")

    def wait(self, seconds: float | None) -> bool:
        """Sleep until rung or nudged, at most so long; True when another process rang. Rings from before count."""
        listening = [self._inside] if self._outside is None else [self._inside, self._outside]
        ready, _, _ = select.select(listening, [], [], seconds)
        for descriptor in ready:
            with contextlib.suppress(BlockingIOError):
                while len(os.read(descriptor, _CHUNK)) == _CHUNK:
                    pass
        return self._outside in ready

    def close(self) -> None:
        """End it all."""
        self.leave()
        with self._lock:
            for descriptor in (self._inside, self._nudger):
                os.close(descriptor)
            self._inside = self._nudger = -1


class EventBell:
    """A bell inside one process: for tests, and for systems without FIFOs."""

    def __init__(self) -> None:
        self._state = threading.Condition()
        self._nudged = False
        self._rung = False
        self.listening = False

    def listen(self) -> None:
        """From now on `ring` finds somebody."""
        self.listening = True

    def leave(self) -> None:
        """From now on `ring` finds nobody."""
        self.listening = False

    def ring(self) -> bool:
        """As the bell's other side: False when nobody listens."""
        with self._state:
            self._rung = self._rung or self.listening
            self._state.notify_all()
            return self.listening

    def nudge(self) -> None:
        """Let the next (or the present) `wait` return."""
        with self._state:
            self._nudged = True
            self._state.notify_all()

    def wait(self, seconds: float | None) -> bool:
        """Sleep until rung or nudged, at most so long; True when it was rung. Rings from before count."""
        with self._state:
            self._state.wait_for(lambda: self._rung or self._nudged, seconds)
            rung, self._rung, self._nudged = self._rung, False, False
            return rung

    def close(self) -> None:
        """Nothing is held."""

"""Actors take turns on one baton: real, unchanged code is cut at its calls, and the seed says who goes on.

Owns fibers. A fiber is a thread that runs only while it holds the baton, so at any moment exactly one line of Python
runs and the same choices give the same history, as in a single thread; code under test needs no `yield` to be cut.
A killed fiber never runs another line of its work: every call that it makes on its way out is refused like the first.
Knows nothing of stores, sources or faults.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["Fiber", "Killed"]


class Killed(BaseException):
    """The process of this actor died here; nothing of it is caught by code under test."""


def _taken() -> threading.Lock:
    """A lock that is handed from thread to thread: cheaper than anything that is built of locks."""
    lock = threading.Lock()
    lock.acquire()  # noqa: SIM115, RUF100 - released by the other side
    return lock


@dataclass
class Fiber:
    """One actor at work.

    Attributes:
        name: who it is, for instance `worker-1`.
        body: its work; called once, in the fiber's own thread.
        died: an exception that ended the body, if any did; `Killed` is no such exception.
    """

    name: str
    body: Callable[[], None]
    died: BaseException | None = None
    over: bool = False
    dying: bool = False
    _own: threading.Lock = field(default_factory=_taken)
    _back: threading.Lock = field(default_factory=_taken)
    _thread: threading.Thread | None = None

    def resume(self) -> None:
        """Hand the baton over until the next cut, or the end of the body."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
            self._thread.start()
        self._own.release()
        self._back.acquire()

    def cut(self) -> None:
        """Called inside the fiber: give the baton back and wait for it.

        Raises:
            Killed: the actor's process was killed while it waited, or before.
        """
        if not self.dying:
            self._back.release()
            self._own.acquire()
        if self.dying:
            raise Killed

    def kill(self) -> None:
        """End the actor where it stands; whatever it had open is left to whoever comes next."""
        self.dying = True
        if self._thread is None:
            self.over = True
        elif not self.over:
            self.resume()
        self.join()

    def join(self) -> None:
        """Let the thread of a fiber that is over go."""
        if self._thread is not None and self.over:
            self._thread.join()

    def _run(self) -> None:
        self._own.acquire()
        try:
            if not self.dying:
                self.body()
        except Killed:
            pass
        except BaseException as error:  # noqa: BLE001 - whatever ends an actor is a finding of the campaign
            self.died = error
        finally:
            self.over = True
            self._back.release()

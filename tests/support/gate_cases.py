"""Other processes and threads for tests of the evaluate gate: told what to do, heard, and gone at the end."""

import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection

import pytest

PATIENT = 60.0


@dataclass
class Child:
    """A forked process and the pipe to it."""

    pid: int
    pipe: Connection
    status: int | None = None

    def says(self) -> object:
        """What it says next; fails the test when it says nothing."""
        assert self.pipe.poll(PATIENT), "the other process says nothing"
        return self.pipe.recv()

    def signal(self, number: int) -> None:
        """Send it a signal; it is our own child and was not waited for, so the number is its own."""
        os.kill(self.pid, number)

    def stopped(self) -> None:
        """Stop it, and wait until it is."""
        self.signal(signal.SIGSTOP)
        os.waitpid(self.pid, os.WUNTRACED)

    def ended(self) -> int:
        """Wait for its end; the exit code, or minus the signal."""
        if self.status is None:
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.status

    def killed(self) -> None:
        """Kill it and wait for its end."""
        self.signal(signal.SIGKILL)
        self.ended()


@contextmanager
def forked(work: Callable[[Connection], None]) -> Iterator[Child]:
    """A forked process that does this work with its end of the pipe; killed at the end if it still lives."""
    ours, theirs = Pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            ours.close()
            work(theirs)
            code = 0
        finally:
            if code:
                traceback.print_exc()  # into the report of the failed test
            os._exit(code)
    theirs.close()
    child = Child(pid, ours)
    try:
        yield child
    finally:
        if child.status is None:
            with suppress(ProcessLookupError):
                child.killed()
        ours.close()


def until(reached: Callable[[], bool], what: str = "it did not come to that") -> None:
    """Wait, within bounds, for what another thread or process does."""
    step = threading.Event()
    for _ in range(6000):
        if reached():
            return
        step.wait(0.01)
    pytest.fail(what)


def heard(pipe: Connection) -> object:
    """Wait for the other side's word, within bounds."""
    if not pipe.poll(PATIENT):
        raise TimeoutError
    return pipe.recv()

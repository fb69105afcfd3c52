"""A connection that fails, or ends its process, at a chosen statement: whatever is made of many stays one thing."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path


class Counted(sqlite3.Connection):
    """Counts its statements, over all connections, and calls `at` before the one of number `stop`."""

    count = 0
    stop = 0
    at: Callable[[], None] = staticmethod(lambda: None)

    def execute(self, *args: object) -> sqlite3.Cursor:
        """Count, then execute."""
        self._tick()
        return super().execute(*args)  # type: ignore[arg-type]

    def executemany(self, *args: object) -> sqlite3.Cursor:
        """Count, then execute."""
        self._tick()
        return super().executemany(*args)  # type: ignore[arg-type]

    def _tick(self) -> None:
        Counted.count += 1
        if Counted.count == Counted.stop:
            Counted.at()


def connect(path: Path) -> sqlite3.Connection:
    """A counted connection."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Counted)


def counted(action: Callable[[], object]) -> int:
    """How many statements it takes."""
    Counted.count, Counted.stop = 0, 0
    action()
    return Counted.count


def failing_at(number: int, action: Callable[[], object]) -> None:
    """Do it with a statement that fails as on a disk that refuses."""

    def fail() -> None:
        raise sqlite3.OperationalError("disk I/O error")

    Counted.at = staticmethod(fail)
    Counted.count, Counted.stop = 0, number
    try:
        action()
    finally:
        Counted.stop = 0


def killed_at(number: int, action: Callable[[], object]) -> bool:
    """Do it in a child that dies before that statement; whether it died."""
    child = os.fork()
    if child == 0:
        code = 99  # whatever goes wrong, a child never returns into the test runner
        try:
            Counted.at = staticmethod(lambda: os._exit(9))
            Counted.count, Counted.stop = 0, number
            action()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in {0, 9}
    return code == 9

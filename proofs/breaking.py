"""A connection that fails, or lets its process die, at a chosen statement: faults of the disk for the simulation.

Owns the injection through `connect`, the one seam of the store. Knows nothing of what a statement means.
"""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ferrule.adapters.sqlite.opening import Connect

__all__ = ["Trap", "breakable"]


def _nothing() -> None:
    """What a trap that is not set does."""


@dataclass
class Trap:
    """What happens at a later statement of the connections that share it; at most once, then it is open again.

    Attributes:
        left: statements until it springs; 0 while it is not set.
        lost: a sync failed: the store takes no more writes until it is opened again (CASE-K03).
        spring: raises what the statement shall raise.
    """

    left: int = 0
    spring: Callable[[], None] = _nothing
    sprung: int = 0
    lost: bool = False

    def disk(self, after: int, name: str = "SQLITE_IOERR_WRITE") -> None:
        """Let the statement fail as a broken disk would."""

        def spring() -> None:
            self.lost = self.lost or "FSYNC" in name
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorname = name
            raise error

        self.left, self.spring = after, spring

    def tick(self, statement: object) -> None:
        """Count one statement; a pragma that only sets something in memory cannot fail."""
        if self.left and not str(statement).startswith("PRAGMA"):
            self.left -= 1
            if not self.left:
                self.sprung += 1
                self.spring()


def breakable(trap: Trap) -> Connect:
    """How to connect so that the trap counts every statement."""

    class Breakable(sqlite3.Connection):
        def execute(self, *args: object) -> sqlite3.Cursor:
            trap.tick(args[0])
            return super().execute(*args)  # type: ignore[arg-type]

        def executemany(self, *args: object) -> sqlite3.Cursor:
            trap.tick(args[0])
            return super().executemany(*args)  # type: ignore[arg-type]

    def connect(path: Path) -> sqlite3.Connection:
        return sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=rw",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=5.0,
            factory=Breakable,
        )

    return connect

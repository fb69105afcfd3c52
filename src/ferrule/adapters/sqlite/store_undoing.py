"""The part of the store that undoes a person's or a review's write.

Owns transactions and the clock for `undoing`; what is done stands there.
"""

import math
from collections.abc import Callable
from pathlib import Path

from ferrule.adapters.sqlite import sessions
from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.home import drop_copies
from ferrule.adapters.sqlite.statements import statements
from ferrule.adapters.sqlite.undoing import standing_writes, undo_write
from ferrule.bridge.values import Receipt
from ferrule.memory.ports import StandingWrite

__all__ = ["SqliteUndoing"]


class SqliteUndoing:
    """Writes that can be undone, and what a repair has taken out."""

    home: Path
    _database: Database
    _clock: Callable[[], float]
    _followed: Callable[[tuple[Receipt, ...]], tuple[Receipt, ...]]

    def standing_writes(self, session: str) -> tuple[StandingWrite, ...]:
        """Every accepted write of a session that still stands, oldest first."""
        number = sessions.session_id(self._database, session)
        return () if number is None else standing_writes(self._database, number)

    def set_aside(self, session: str) -> tuple[str, ...]:
        """Names of memories that a repair took out of a session: not served, not lost, gone when they are forgotten."""
        rows = self._database.rows(statements("repairing")["aside"], {"source": session})
        return tuple(dict.fromkeys(str(row["name"]) for row in rows))

    def undo(self, session: str, number: int) -> Receipt:
        """Undo the write with that receipt; its text is gone from the files too, as after forgetting (R97)."""
        with self._database.transaction():
            given = undo_write(self._database, session, number, self._clock)
        self._followed((given,))
        self._database.afterwards(lambda: drop_copies(self.home, math.inf))
        self._database.afterwards(lambda: self._database.rows("PRAGMA wal_checkpoint(TRUNCATE)"))
        return given

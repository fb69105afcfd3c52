"""What was read of a file that has not changed since is not read again, and several questions may share one view.

Owns what is kept of the answers, and when it no longer holds: one review asks the same few things of a session before
each of its searches and rules. Knows nothing of what is asked.
"""

import sqlite3
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar, cast

from ferrule.adapters.sqlite.connected import Connected, Parameters, is_open, refuse_after_fork
from ferrule.errors import FerruleError

__all__ = ["Looking"]

_Read = TypeVar("_Read")
_MOST_KEPT = 1000
_INSIDE = -1
_NEVER = (-2, -2)


class Looking(Connected):
    """One SQLite file, of which is kept what was read while it stays as it is."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        super().__init__(connection, path)
        self._kept: dict[Hashable, object] = {}
        self._kept_at = _NEVER
        self._looker = 0

    def number(self, statement: str, parameters: Parameters = ()) -> int:
        """The first cell of the first row as an int; 0 when there is none."""
        row = self.row(statement, parameters)
        return 0 if row is None or row[0] is None else int(row[0])

    @contextmanager
    def looking(self) -> Iterator[Hashable]:
        """One view of the file over every question that this thread asks inside: no commit comes between them.

        Gives a mark that is the same one while nothing changes. A part of the transaction when one is open; its marks
        are all different. For a moment only: other threads wait until it ends.

        Raises:
            StoreError: the file cannot be read.
        """
        with self._using() as connection:
            if is_open(connection):
                yield object()
                return
            connection.execute("BEGIN")
            try:
                self._hold(self._stamp(inside=False))
                self._looks = True
                self._looker = threading.get_ident()
                yield self._kept_at
            finally:
                self._looks = False
                self._looker = 0
                _end(connection)

    def kept(self, question: Hashable, read: Callable[[], _Read]) -> _Read:
        """What `read` gives, read again once anything in the file has changed, by whatever connection.

        Raises:
            StoreError: the file cannot be read.
        """
        if self._looker == threading.get_ident() and question in self._kept:
            return cast(_Read, self._kept[question])  # this thread looks just now: nothing comes between
        refuse_after_fork(self._process, self.path)
        with self._here, self._lock:
            now = self._kept_at if self._looks else self._now()
            self._hold(now)
            if question in self._kept:
                return cast(_Read, self._kept[question])
            found = read()
            if self._kept_at == now:  # or it may mix what was read before a change with what was read behind it
                self._kept[question] = found
            return found

    def keep(self, answers: Mapping[Hashable, object]) -> None:
        """What `kept` will give to these questions; inside `looking` alone, for they were asked of that one view."""
        if self._looker == threading.get_ident():
            self._kept.update(answers)

    def _now(self) -> tuple[int, int]:
        try:
            return self._stamp(inside=is_open(self._connection))
        except sqlite3.Error as error:  # a connection that was closed says so to whatever is asked of it
            raise self._failed(error) from error

    def _stamp(self, *, inside: bool) -> tuple[int, int]:
        """Two numbers of which one is another once this connection or any other one has changed the file.

        Inside a transaction nobody else can; it has a number that is no file's, so that nothing is carried in or out.
        """
        changes = self._connection.total_changes
        if inside:
            return (_INSIDE, changes)
        return (int(self._connection.execute("PRAGMA data_version").fetchone()[0]), changes)

    def _hold(self, now: tuple[int, int]) -> None:
        """Keep what was read when the file was as it is now, and nothing else."""
        if now != self._kept_at or len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
            self._kept_at = now

    def _forget(self) -> None:
        """Nothing that was read holds for sure: a transaction begins, or something was undone."""
        self._kept.clear()
        self._kept_at = _NEVER

    def _failed(self, error: sqlite3.Error | UnicodeDecodeError) -> FerruleError:
        self._forget()
        return super()._failed(error)


def _end(connection: sqlite3.Connection) -> None:
    """Close the view; should that fail, nothing stays open that the next transaction would fall over."""
    ended = False
    try:
        if is_open(connection):
            connection.execute("COMMIT")
        ended = True
    finally:
        if not ended and is_open(connection):
            connection.rollback()

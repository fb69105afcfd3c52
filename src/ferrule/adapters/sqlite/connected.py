"""Statements reach one file through one connection, from any thread of the process that opened it, never after a fork.

Owns the connection, its lock, and the translation of failures. Knows nothing of transactions but whether one is open.
"""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias, TypeVar

from ferrule.adapters.sqlite.failures import from_sqlite, is_lost
from ferrule.errors import FerruleError, InternalError, StoreError

__all__ = ["Connected", "Parameters", "is_open", "refuse_after_fork"]

Parameters: TypeAlias = "Sequence[object] | Mapping[str, object]"
_Taken = TypeVar("_Taken")


class Depth(threading.local):
    """How deep in the work of one connection the thread is that looks at it."""

    depth = 0

    def __enter__(self) -> None:
        self.depth += 1

    def __exit__(self, *_: object) -> None:
        self.depth -= 1


class Connected:
    """Statements on one SQLite file. Safe to call from several threads; never from a forked child (CASE-J12)."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        connection.row_factory = sqlite3.Row
        self.path = path
        self._connection = connection
        self._process = os.getpid()
        self._lock = threading.RLock()
        self._here = Depth()
        self._lost = False
        self._looks = False

    def rows(self, statement: str, parameters: Parameters = ()) -> list[sqlite3.Row]:
        """All rows of a query."""
        return self._asked(statement, parameters, sqlite3.Cursor.fetchall)

    def row(self, statement: str, parameters: Parameters = ()) -> sqlite3.Row | None:
        """The first row of a query, or None."""
        return self._asked(statement, parameters, _first)

    def run(self, statement: str, parameters: Parameters = ()) -> int:
        """Execute a change inside a transaction; returns the number of rows changed."""
        return self._asked(statement, parameters, _changed, changing=True)

    def insert(self, statement: str, parameters: Parameters = ()) -> int:
        """Execute an insert inside a transaction; returns the new row's id."""
        return self._asked(statement, parameters, _inserted, changing=True)

    def many(self, statement: str, rows: Sequence[Parameters]) -> None:
        """Execute one change for many rows inside a transaction."""
        with self._using() as connection:
            _check_changing(connection, looks=self._looks)
            connection.executemany(statement, rows)

    def is_inside(self) -> bool:
        """Whether the calling thread is inside a transaction; another thread's does not count."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            return is_open(self._connection)
        finally:
            self._lock.release()

    def is_at_work(self) -> bool:
        """Whether the calling thread is in the middle of anything here: a transaction, the wait for one, a statement.

        Only a signal handler can find that without a transaction: it must not wait for whoever waits for this thread.
        """
        return self._here.depth > 0

    def close(self) -> None:
        """Close the connection; a forked child leaves the parent's alone."""
        if os.getpid() == self._process:
            with self._lock:
                self._connection.close()

    def _asked(
        self,
        statement: str,
        parameters: Parameters,
        take: Callable[[sqlite3.Cursor], _Taken],
        *,
        changing: bool = False,
    ) -> _Taken:
        """One statement; as `_using`, without what a context manager costs: a review makes more than a hundred."""
        refuse_after_fork(self._process, self.path)
        here = self._here
        here.depth += 1
        try:
            with self._lock:
                if changing:
                    _check_changing(self._connection, looks=self._looks)
                try:
                    return take(self._connection.execute(statement, parameters))
                except (sqlite3.Error, UnicodeDecodeError) as error:
                    raise self._failed(error) from error
        finally:
            here.depth -= 1

    def _failed(self, error: sqlite3.Error | UnicodeDecodeError) -> FerruleError:
        self._lost = self._lost or (isinstance(error, sqlite3.Error) and is_lost(error))
        return from_sqlite(error, self.path)

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        refuse_after_fork(self._process, self.path)
        with self._here, self._lock:
            try:
                yield self._connection
            except (sqlite3.Error, UnicodeDecodeError) as error:
                raise self._failed(error) from error


def _check_changing(connection: sqlite3.Connection, *, looks: bool) -> None:
    if looks or not is_open(connection):
        raise InternalError("a change outside a transaction")


def _first(cursor: sqlite3.Cursor) -> sqlite3.Row | None:
    found: sqlite3.Row | None = cursor.fetchone()
    return found


def _changed(cursor: sqlite3.Cursor) -> int:
    return cursor.rowcount


def _inserted(cursor: sqlite3.Cursor) -> int:
    return cursor.lastrowid or 0


def refuse_after_fork(process: int, path: Path) -> None:
    """A connection belongs to the process that opened it (CASE-J12).

    Raises:
        StoreError: this is another one.
    """
    if os.getpid() != process:
        raise StoreError(f"{path}: opened before a fork; open it again in this process")


def is_open(connection: sqlite3.Connection) -> bool:
    """Whether a transaction is open; a function, because it changes under a type checker's feet."""
    return connection.in_transaction

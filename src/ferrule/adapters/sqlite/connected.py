"""Statements reach one file through one connection, from any thread of the process that opened it, never after a fork.

Owns the connection, its lock, and the translation of failures. Knows nothing of transactions but whether one is open.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from ferrule.adapters.sqlite.failures import from_sqlite, is_lost
from ferrule.errors import InternalError, StoreError

__all__ = ["Connected", "Parameters", "is_open", "refuse_after_fork"]

Parameters: TypeAlias = "Sequence[object] | Mapping[str, object]"


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

    def rows(self, statement: str, parameters: Parameters = ()) -> list[sqlite3.Row]:
        """All rows of a query."""
        with self._using() as connection:
            return connection.execute(statement, parameters).fetchall()

    def row(self, statement: str, parameters: Parameters = ()) -> sqlite3.Row | None:
        """The first row of a query, or None."""
        with self._using() as connection:
            found: sqlite3.Row | None = connection.execute(statement, parameters).fetchone()
            return found

    def number(self, statement: str, parameters: Parameters = ()) -> int:
        """The first cell of the first row as an int; 0 when there is none."""
        row = self.row(statement, parameters)
        return 0 if row is None or row[0] is None else int(row[0])

    def run(self, statement: str, parameters: Parameters = ()) -> int:
        """Execute a change inside a transaction; returns the number of rows changed."""
        with self._changing() as connection:
            return connection.execute(statement, parameters).rowcount

    def insert(self, statement: str, parameters: Parameters = ()) -> int:
        """Execute an insert inside a transaction; returns the new row's id."""
        with self._changing() as connection:
            return connection.execute(statement, parameters).lastrowid or 0

    def many(self, statement: str, rows: Sequence[Parameters]) -> None:
        """Execute one change for many rows inside a transaction."""
        with self._changing() as connection:
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

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        refuse_after_fork(self._process, self.path)
        with self._here, self._lock:
            try:
                yield self._connection
            except (sqlite3.Error, UnicodeDecodeError) as error:
                self._lost = self._lost or (isinstance(error, sqlite3.Error) and is_lost(error))
                raise from_sqlite(error, self.path) from error

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        with self._using() as connection:
            if not is_open(connection):
                raise InternalError("a change outside a transaction")
            yield connection


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

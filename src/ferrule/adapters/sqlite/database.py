"""One connection, one writer at a time, all or nothing.

Owns the connection of one process: immediate transactions and units of several, how long a writer waits for another
process and how, translated failures, and the refusal to work after a fork or after a failed sync. Knows nothing of
tables.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from ferrule.adapters.sqlite.failures import from_sqlite, is_busy, is_lost
from ferrule.errors import InternalError, StoreError

__all__ = ["BUSY_MILLISECONDS", "Database", "Parameters"]

Parameters: TypeAlias = "Sequence[object] | Mapping[str, object]"

BUSY_MILLISECONDS = 5000
# SQLite's own busy handler sleeps longer each time, up to 100 ms, so that the process that just had the lock takes it
# again and again. A waiter that asks at an even, short pace gets its turn within one or two commits of the other.
_EAGER_SECONDS, _EAGER_PAUSE, _PATIENT_PAUSE = 0.25, 0.0005, 0.005


class Database:
    """Statements on one SQLite file. Safe to call from several threads; never from a forked child (CASE-J12)."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        connection.row_factory = sqlite3.Row
        self.path = path
        self._connection = connection
        self._process = os.getpid()
        self._lock = threading.RLock()
        self._lost = False
        self._in_unit = False
        self._relaxed = False
        self._afterwards: list[Callable[[], object]] = []

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

    @contextmanager
    def unit(self) -> Iterator[None]:
        """A durable transaction that `transaction` and `unit` of the same thread join: all of it, or nothing.

        Raises:
            StoreError: as `transaction`.
        """
        with self._lock:
            if self._in_unit:
                with self._joined():
                    yield
                return
            with self._begun(durable=True):
                self._in_unit = True
                try:
                    yield
                finally:
                    self._in_unit = False

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[None]:
        """An immediate transaction: committed when the block ends, rolled back when it raises anything (INV-I1).

        Inside a unit of the same thread it is a part of that unit, whole or not at all by itself.

        Args:
            durable: False when a power cut may take it back: it is written, and synced with the next durable one.

        Raises:
            StoreError: the store is not writable, or was given up after a failed sync.
        """
        with self._lock:
            if self._in_unit:
                with self._joined():
                    yield
                return
            with self._begun(durable=durable):
                yield

    def afterwards(self, action: Callable[[], object]) -> None:
        """Do something after the commit of the open transaction, at once when none is open; a rollback drops it."""
        with self._lock:
            if _busy(self._connection):
                self._afterwards.append(action)
                return
        action()

    def close(self) -> None:
        """Close the connection; a forked child leaves the parent's alone."""
        if os.getpid() == self._process:
            with self._lock:
                self._connection.close()

    @contextmanager
    def _begun(self, *, durable: bool) -> Iterator[None]:
        with self._using() as connection:
            if self._lost:
                raise StoreError(f"{self.path}: an earlier sync failed; open the store again to check what it holds")
            if _busy(connection):
                raise InternalError("a transaction inside a transaction")
            done = False
            try:
                self._choose_sync(connection, durable=durable)
                self._wait_for_the_lock(connection)
                yield
                connection.execute("COMMIT")
                done = True
            finally:
                if not done and _busy(connection):
                    connection.rollback()
                actions, self._afterwards = self._afterwards, []
                self._choose_sync(connection, durable=True)
        for action in actions:
            action()

    def _choose_sync(self, connection: sqlite3.Connection, *, durable: bool) -> None:
        """FULL but for a transaction that need not be durable; the setting cannot change inside one.

        Should setting it back ever fail, the next transaction sets it before it begins.
        """
        if durable and self._relaxed:
            connection.execute("PRAGMA synchronous = FULL")
            self._relaxed = False
        elif not durable and not self._relaxed:
            self._relaxed = True
            connection.execute("PRAGMA synchronous = NORMAL")

    def _wait_for_the_lock(self, connection: sqlite3.Connection) -> None:
        began = time.monotonic()
        connection.execute("PRAGMA busy_timeout = 0")
        try:
            while True:
                try:
                    connection.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError as error:
                    waited = time.monotonic() - began
                    if not is_busy(error) or waited * 1000 >= BUSY_MILLISECONDS:
                        raise
                    time.sleep(_EAGER_PAUSE if waited < _EAGER_SECONDS else _PATIENT_PAUSE)
                else:
                    return
        finally:
            connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")

    @contextmanager
    def _joined(self) -> Iterator[None]:
        """A part of a unit: undone alone when it raises, so that whoever catches that keeps no half of it."""
        with self._using() as connection:
            connection.execute("SAVEPOINT part")
            done = False
            try:
                yield
                done = True
            finally:
                if not done and _busy(connection):
                    connection.execute("ROLLBACK TO part")
                if _busy(connection):
                    connection.execute("RELEASE part")

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        if os.getpid() != self._process:
            raise StoreError(f"{self.path}: opened before a fork; open it again in this process")
        with self._lock:
            try:
                yield self._connection
            except (sqlite3.Error, UnicodeDecodeError) as error:
                self._lost = self._lost or (isinstance(error, sqlite3.Error) and is_lost(error))
                raise from_sqlite(error, self.path) from error

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        with self._using() as connection:
            if not _busy(connection):
                raise InternalError("a change outside a transaction")
            yield connection


def _busy(connection: sqlite3.Connection) -> bool:
    return connection.in_transaction

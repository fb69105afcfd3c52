"""One writer at a time, all or nothing.

Owns transactions and units of several, how durable they are, and how long and in what way a writer waits for another
process. Knows nothing of tables.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ferrule.adapters.sqlite.connected import Parameters, is_open, refuse_after_fork
from ferrule.adapters.sqlite.failures import is_busy
from ferrule.adapters.sqlite.looking import Looking
from ferrule.errors import InternalError, StoreError

__all__ = ["BUSY_MILLISECONDS", "Database", "Parameters"]

BUSY_MILLISECONDS = 5000
# SQLite's own busy handler sleeps longer each time, up to 100 ms, so that the process that just had the lock takes it
# again and again. A waiter that asks at an even, short pace gets its turn within one or two commits of the other, and
# one that has waited long is no less eager than a newcomer.
_PAUSE = 0.0005


class Database(Looking):
    """One SQLite file with its transactions; `notice` tells people what opening it changed, or is empty."""

    def __init__(self, connection: sqlite3.Connection, path: Path, notice: str = "") -> None:
        super().__init__(connection, path)
        self.notice = notice
        self._file = _identity(path)
        self._door = threading.RLock()
        self._unit_of = 0
        self._relaxed = False
        self._afterwards: list[Callable[[], object]] = []

    def is_replaced(self) -> bool:
        """Whether the file was removed, or another stands in its place: nothing written here would be found there."""
        return _identity(self.path) != self._file

    @contextmanager
    def unit(self) -> Iterator[None]:
        """A durable transaction that `transaction` and `unit` of the same thread join: all of it, or nothing.

        Raises:
            StoreError: as `transaction`.
        """
        if self._unit_of == threading.get_ident():
            with self._joined():
                yield
            return
        with self._begun(durable=True):
            self._unit_of = threading.get_ident()
            try:
                yield
            finally:
                self._unit_of = 0

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[None]:
        """An immediate transaction: committed when the block ends, rolled back when it raises anything (INV-I1).

        Inside a unit of the same thread it is a part of that unit, whole or not at all by itself.

        Args:
            durable: False when a power cut may take it back: it is written, and synced with the next durable one.

        Raises:
            StoreError: the store is not writable, another process kept it for too long (CASE-M08), or it was given up
                after a failed sync.
        """
        with self._joined() if self._unit_of == threading.get_ident() else self._begun(durable=durable):
            yield

    def afterwards(self, action: Callable[[], object]) -> None:
        """Do something after the commit of the open transaction, at once when none is open; a rollback drops it."""
        with self._lock:
            if is_open(self._connection):
                self._afterwards.append(action)
                return
        action()

    @contextmanager
    def _begun(self, *, durable: bool) -> Iterator[None]:
        with self._here, self._committed(durable=durable):
            yield

    @contextmanager
    def _committed(self, *, durable: bool) -> Iterator[None]:
        self._begin(durable=durable)
        try:
            self._forget()
            with self._using() as connection:
                done = False
                try:
                    yield
                    connection.execute("COMMIT")
                    done = True
                finally:
                    if not done and is_open(connection):
                        connection.rollback()
                    actions, self._afterwards = self._afterwards, []
                    self._choose_sync(connection, durable=True)
            for action in actions:
                action()
        finally:
            self._lock.release()

    def _begin(self, *, durable: bool) -> None:
        """Take the threads' lock and the file's; between two attempts both are free for others.

        Of several threads that want to write one asks for the file and the others queue behind it, so that processes
        contend, not threads. Nobody waits longer than the bound, however many queue.
        """
        refuse_after_fork(self._process, self.path)
        if self.is_inside():
            raise InternalError("a transaction inside a transaction")
        if self.is_replaced():  # an acknowledged write would be durable nowhere (INV-I2)
            raise StoreError(f"{self.path}: removed or replaced while it was open; open the store again")
        began = time.monotonic()
        with self._door:
            while not self._entered(durable=durable, last=(time.monotonic() - began) * 1000 >= BUSY_MILLISECONDS):
                time.sleep(_PAUSE)

    def _entered(self, *, durable: bool, last: bool) -> bool:
        with self._using() as connection:
            if self._lost:
                raise StoreError(f"{self.path}: an earlier sync failed; open the store again to check what it holds")
            if not self._locked(connection, durable=durable, last=last):
                return False
            self._lock.acquire()  # given back at the end of the transaction
            return True

    def _locked(self, connection: sqlite3.Connection, *, durable: bool, last: bool) -> bool:
        """One attempt to begin; False when another process has the lock, unless it was the last attempt."""
        begun = ready = False
        try:
            self._choose_sync(connection, durable=durable)
            connection.execute("PRAGMA busy_timeout = 0")
            begun = _attempted(connection, last=last)
            if begun:
                connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
                ready = True
        finally:
            if begun and not ready:
                connection.rollback()
            if not ready:
                connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
                self._choose_sync(connection, durable=True)
        return ready

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

    @contextmanager
    def _joined(self) -> Iterator[None]:
        """A part of a unit: undone alone when it raises, so that whoever catches that keeps no half of it."""
        with self._using() as connection:
            if not is_open(connection):
                # SQLite itself undid the unit, on a full disk for one: a savepoint would begin and commit another one.
                raise StoreError(f"{self.path}: the transaction was undone by an earlier failure in it")
            connection.execute("SAVEPOINT part")
            before = len(self._afterwards)
            done = False
            try:
                yield
                done = True
            finally:
                if not done:
                    del self._afterwards[before:]
                if not done and is_open(connection):
                    self._forget()
                    connection.execute("ROLLBACK TO part")
                if is_open(connection):
                    connection.execute("RELEASE part")


def _attempted(connection: sqlite3.Connection, *, last: bool) -> bool:
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if last or not is_busy(error):
            raise
        return False
    return True


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        facts = path.stat()
    except OSError:
        return None
    return (facts.st_dev, facts.st_ino)

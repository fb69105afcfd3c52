"""A store is opened only when it is what it should be: settings are read back, versions are checked, never guessed.

Owns opening, settings and forward migrations (CASE-N10, N12, N13, INV-I2). Knows nothing of sessions or memories.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.failures import from_sqlite
from ferrule.adapters.sqlite.home import alone, ensure_copy, ensure_file, ensure_home
from ferrule.adapters.sqlite.statements import SCHEMA_VERSION, migration
from ferrule.errors import StoreCorrupt, StoreError, StoreVersion

__all__ = ["APPLICATION_ID", "SETTINGS", "Connect", "open_database"]

APPLICATION_ID = 0x4645524C  # "FERL"
OLDEST_SQLITE = (3, 37, 0)  # STRICT tables and the trigram tokenizer

# (setting, value to set, value to read back). WAL with FULL keeps an acknowledged commit through a power cut (INV-I2).
SETTINGS: tuple[tuple[str, str, str | int], ...] = (
    ("busy_timeout", "5000", 5000),
    ("trusted_schema", "OFF", 0),
    ("foreign_keys", "ON", 1),
    ("journal_mode", "WAL", "wal"),
    ("synchronous", "FULL", 2),
    ("secure_delete", "ON", 1),
)

Connect: TypeAlias = Callable[[Path], sqlite3.Connection]


def connect_file(path: Path) -> sqlite3.Connection:
    """A bare connection to an existing file; transactions are opened by us alone."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, check_same_thread=False, timeout=5.0
    )


def open_database(home: Path, connect: Connect = connect_file) -> Database:
    """Open, check and if needed create or migrate the store of a home.

    Raises:
        StoreVersion: written by a newer Ferrule; nothing was read or written.
        StoreCorrupt: not a Ferrule store, damaged, or missing although receipts exist.
        StoreError: the home or file cannot be used.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreError(f"Python's SQLite is {sqlite3.sqlite_version}; Ferrule needs 3.37 or newer")
    home = ensure_home(home)
    with alone(home):
        path = ensure_file(home)
        try:
            connection = connect(path)
        except sqlite3.Error as error:
            raise from_sqlite(error, path) from error
        ready = False
        try:
            _prepare(connection, path)
            ready = True
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise from_sqlite(error, path) from error
        finally:
            if not ready:
                connection.close()
    return Database(connection, path)


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    version = _checked_version(connection, path)
    for name, value, _ in SETTINGS:
        connection.execute(f"PRAGMA {name} = {value}").fetchall()
    _read_back(connection, path)
    if version < SCHEMA_VERSION:
        _migrate(connection, version, path)


def _checked_version(connection: sqlite3.Connection, path: Path) -> int:
    application = _pragma(connection, "application_id")
    version = _pragma(connection, "user_version")
    empty = _pragma(connection, "schema_version") == 0 and application == 0 and version == 0
    if not empty and application != APPLICATION_ID:
        raise StoreCorrupt(f"{path}: this is a database of another program")
    if not isinstance(version, int) or version > SCHEMA_VERSION:
        raise StoreVersion(
            f"{path}: written by a newer Ferrule (store version {version}, this one knows {SCHEMA_VERSION}); "
            "upgrade Ferrule to use it"
        )
    return version


def _read_back(connection: sqlite3.Connection, path: Path) -> None:
    for name, _, wanted in SETTINGS:
        got = _pragma(connection, name)
        if got != wanted:
            raise StoreError(f"{path}: SQLite did not take the setting {name} = {wanted} (it says {got})")


def _pragma(connection: sqlite3.Connection, name: str) -> str | int:
    row = connection.execute(f"PRAGMA {name}").fetchone()
    value: str | int = row[0]
    return value


def _migrate(connection: sqlite3.Connection, version: int, path: Path) -> None:
    """All steps in one transaction; a copy of the old file is kept beside when there is something to lose."""
    if version > 0:
        copy = sqlite3.connect(ensure_copy(path, version))
        try:
            connection.backup(copy)
        finally:
            copy.close()
    connection.execute("BEGIN IMMEDIATE")
    done = False
    try:
        for step in range(version + 1, SCHEMA_VERSION + 1):
            for statement in migration(step):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
        done = True
    finally:
        if not done and connection.in_transaction:
            connection.rollback()

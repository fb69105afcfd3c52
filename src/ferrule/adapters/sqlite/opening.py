"""A store is opened only when it is what it should be: settings are read back, versions are checked, never guessed.

Owns opening, settings and forward migrations (CASE-N10, N12, N13, INV-I2). Knows nothing of sessions or memories.
"""

import os
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.failures import from_sqlite, is_busy
from ferrule.adapters.sqlite.home import alone, ensure_copy, ensure_file, ensure_home
from ferrule.adapters.sqlite.logs import refuse_foreign_log
from ferrule.adapters.sqlite.statements import SCHEMA_VERSION, migration, statements
from ferrule.errors import StoreCorrupt, StoreError, StoreVersion
from ferrule.referents.kinds import KEY_FORMS

__all__ = ["APPLICATION_ID", "SETTINGS", "Connect", "Step", "copy_beside", "open_database"]

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
Step: TypeAlias = Callable[[sqlite3.Connection], None]
_SAYS_FORMS = 4  # the store version that can say by which normal forms its keys were made
_FIRST_FORMS = 1  # of stores that do not say
_PLAIN = str.maketrans("", "", "-:")


def connect_file(path: Path) -> sqlite3.Connection:
    """A bare connection to an existing file; transactions are opened by us alone."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, check_same_thread=False, timeout=5.0
    )


def open_database(home: Path, connect: Connect = connect_file, step: Step | None = None) -> Database:
    """Open, check and if needed create or migrate the store of a home; its `notice` tells people what that changed.

    Args:
        home: the home folder.
        connect: how to connect.
        step: a change that is made together with the migration, all or nothing; the file is copied first.

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
        refuse_foreign_log(home, path)
        try:
            connection = connect(path)
        except sqlite3.Error as error:
            raise from_sqlite(error, path) from error
        ready, notice = False, ""
        try:
            notice = _prepare(connection, path, step)
            ready = True
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise from_sqlite(error, path) from error
        finally:
            if not ready:
                connection.close()
    return Database(connection, path, notice)


def _prepare(connection: sqlite3.Connection, path: Path, step: Step | None) -> str:
    version = _checked_version(connection, path)
    _refuse_fallback(connection, path, version)
    for name, value, _ in SETTINGS:
        connection.execute(f"PRAGMA {name} = {value}").fetchall()
    _read_back(connection, path)
    forms = _checked_forms(connection, path)
    if version < SCHEMA_VERSION or forms < KEY_FORMS or step is not None:
        return _migrate(connection, (version, forms), path, step)
    return ""


def _checked_forms(connection: sqlite3.Connection, path: Path) -> int:
    """The number of the normal forms that the identity keys were made by."""
    sql = statements("key_forms")
    told = connection.execute(sql["forms"]).fetchone()[0] if connection.execute(sql["has_table"]).fetchone() else None
    forms = _FIRST_FORMS if told is None else int(told)
    if forms > KEY_FORMS:
        told = f"identity keys of form {forms}, this one knows {KEY_FORMS}"
        raise StoreVersion(f"{path}: written by a newer Ferrule ({told}); upgrade Ferrule to use it")
    return forms


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


def _refuse_fallback(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """A file that could not be opened for writing for a moment is opened by SQLite for reading, and stays so.

    Then nothing could ever be written through this connection, though the disk has room again (CASE-K01, K07).

    Raises:
        sqlite3.OperationalError: it is open for reading only, and the file may be written.
    """
    if version == 0 or not os.access(path, os.W_OK):
        return  # it is written at once, or a disk that nobody can write is read (CASE-K05)
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"PRAGMA user_version = {version}")  # what it is; only a change shows, and it is rolled back
    except sqlite3.OperationalError as error:
        if not is_busy(error):
            raise
    finally:
        if connection.in_transaction:
            connection.rollback()


def _read_back(connection: sqlite3.Connection, path: Path) -> None:
    for name, _, wanted in SETTINGS:
        got = _pragma(connection, name)
        if got != wanted:
            raise StoreError(f"{path}: SQLite did not take the setting {name} = {wanted} (it says {got})")


def _pragma(connection: sqlite3.Connection, name: str) -> str | int:
    row = connection.execute(f"PRAGMA {name}").fetchone()
    value: str | int = row[0]
    return value


def _migrate(connection: sqlite3.Connection, older: tuple[int, int], path: Path, step: Step | None) -> str:
    """All steps in one transaction; a copy of the old file is kept beside when there is something to lose.

    Returns what a person should know of it, or nothing.
    """
    version, forms = older
    kept = copy_beside(connection, path, _label(version, forms, step)) if version > 0 else None
    connection.execute("BEGIN IMMEDIATE")
    done = False
    try:
        for number in range(version + 1, SCHEMA_VERSION + 1):
            for statement in migration(number):
                connection.execute(statement)
        if step is not None:
            step(connection)
        told = _renewed(connection) if forms < KEY_FORMS and SCHEMA_VERSION >= _SAYS_FORMS else ""
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
        done = True
    except StoreCorrupt as error:
        raise StoreCorrupt(f"{path}: {error}", code=error.code) from error
    finally:
        if not done and connection.in_transaction:
            connection.rollback()
    return f"{told}; the store as it was is {kept.name}" if told and kept is not None else ""


def copy_beside(connection: sqlite3.Connection, path: Path, label: str) -> Path:
    """A copy of the store as it is now, in a private file beside it."""
    kept = ensure_copy(path, label)
    copy = sqlite3.connect(kept)
    try:
        connection.backup(copy)
    finally:
        copy.close()
    return kept


def _label(version: int, forms: int, step: Step | None) -> str:
    if version < SCHEMA_VERSION:
        return str(version)
    return f"{version}-keys{forms}" if step is None else f"{version}-before-repair-{_now().translate(_PLAIN)}"


def _renewed(connection: sqlite3.Connection) -> str:
    from ferrule.adapters.sqlite.key_forms import renew_keys  # noqa: PLC0415 - whoever waits for an opening needs none

    renewal = renew_keys(connection, _now())
    if not (renewal.renewed or renewal.kept):
        return ""
    told = f"{renewal.renewed} identity keys were made anew by this version's normal forms"
    if renewal.kept:
        told += f"; {renewal.kept} paths kept a key without their repository, for their turns' text is gone"
    return told


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

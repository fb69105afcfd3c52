"""A client's SQLite database is read without a lock or a trace in it, and without trust in what it defines.

Owns how such a database is opened, how long it may be read, and how it is said that it cannot be. Knows nothing of
tables.

While its write-ahead log is empty, the file alone is everything, and SQLite is told that it does not change. Else file
and log are copied together, looked at again for changes, and the copy is opened: even a reader would create files
beside the original and hold back its checkpoints.
"""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

__all__ = ["fault", "has_tables", "opened"]

_MAX_COPY = 1024 * 1024 * 1024
_MAX_BYTES = 256 * 1024 * 1024  # of one value
_TRIES = 3
_STEPS = 1_000_000
_MAX_ROUNDS = 2_000  # of a million steps of SQLite's machine: half a minute and more
_FAULTS = {
    "SQLITE_CORRUPT": "it is damaged",
    "SQLITE_NOTADB": "it is damaged",
    "SQLITE_BUSY": "it is in use",
    "SQLITE_LOCKED": "it is in use",
    "SQLITE_INTERRUPT": "reading it takes too long",
    "SQLITE_TOOBIG": "a value in it is too large",
    "SQLITE_ERROR": "its tables are not those that Ferrule knows",
}


def fault(error: Exception) -> str:
    """Why a database cannot be read; never in SQLite's words, which quote names and values out of it (D13)."""
    if isinstance(error, OSError):
        return error.strerror or "the file cannot be read"
    name = getattr(error, "sqlite_errorname", "") or "SQLITE_ERROR"
    return next((why for known, why in _FAULTS.items() if name.startswith(known)), "SQLite cannot read it")


def has_tables(connection: sqlite3.Connection, names: tuple[str, ...]) -> bool:
    """Whether there are tables of these names; a view of such a name is none."""
    marks = ", ".join("?" * len(names))
    found = connection.execute(
        f"SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ({marks})",  # noqa: S608 - marks only
        names,
    )
    return int(found.fetchone()[0]) == len(names)


@contextmanager
def opened(path: Path, client: str, warnings: list[str]) -> Iterator[sqlite3.Connection]:
    """A connection that only reads.

    Args:
        path: the database; neither it nor anything beside it is written or locked.
        client: whose it is, for what is said.
        warnings: where it is said what is not read.

    Raises:
        sqlite3.Error: it is damaged; also while its rows are read.
        OSError: the file is gone, or may not be read.
    """
    log = path.with_name(f"{path.name}-wal")
    pending = _size(log)
    if pending and _size(path) + pending > _MAX_COPY:
        warnings.append(f"{client}: the database is too large to be copied, so its newest messages are not read yet")
        pending = 0
    if not pending:
        with closing(_connected(path)) as connection:
            yield connection
        return
    with (
        tempfile.TemporaryDirectory(prefix="ferrule-") as folder,
        closing(_connected(_copied(path, Path(folder), client, warnings), alone=False)) as connection,
    ):
        yield connection


def _copied(path: Path, folder: Path, client: str, warnings: list[str]) -> Path:
    """A copy of database and log that belong together; taken again when they changed meanwhile."""
    log, copy = path.with_name(f"{path.name}-wal"), folder / "copy.db"
    for _ in range(_TRIES):
        before = (_stamp(path), _stamp(log))
        shutil.copyfile(path, copy)
        try:
            shutil.copyfile(log, folder / "copy.db-wal")
        except FileNotFoundError:
            (folder / "copy.db-wal").unlink(missing_ok=True)
            continue
        if (_stamp(path), _stamp(log)) == before:
            return copy
    warnings.append(f"{client}: the database was being written while it was read; its newest messages may be missing")
    return copy


def _connected(path: Path, *, alone: bool = True) -> sqlite3.Connection:
    """A connection that only reads, trusts nothing that the file defines, and ends."""
    extra = "&immutable=1" if alone else ""
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={'ro' if alone else 'rw'}{extra}", uri=True, timeout=0
    )
    rounds = iter(range(_MAX_ROUNDS))
    connection.set_progress_handler(lambda: next(rounds, None) is None, _STEPS)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_BYTES)
    for pragma in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON"):
        connection.execute(f"PRAGMA {pragma}")
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return connection


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _stamp(path: Path) -> tuple[int, int]:
    try:
        facts = path.stat()
    except OSError:
        return 0, 0
    return facts.st_size, facts.st_mtime_ns

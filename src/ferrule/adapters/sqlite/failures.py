"""A store that cannot be used says so in one line that names the cause.

Owns the translation of SQLite's and the system's failures into Ferrule's error tree (CASE-K01, K05, K07). Knows nothing
of what was being stored.
"""

import errno
import sqlite3
from pathlib import Path

from ferrule.errors import Code, FerruleError, InternalError, StoreCorrupt, StoreError

__all__ = ["from_os", "from_sqlite", "is_busy", "is_lost"]

_CAUSES = (
    ("SQLITE_FULL", "no space left for it (ENOSPC)"),
    ("SQLITE_READONLY", "it is read-only (EROFS or EACCES)"),
    ("SQLITE_PERM", "permission denied (EACCES)"),
    ("SQLITE_AUTH", "permission denied (EACCES)"),
    ("SQLITE_CANTOPEN", "it cannot be opened (EACCES, ENOENT or EMFILE)"),
    ("SQLITE_IOERR_WRITE", "writing failed (EFBIG, EDQUOT or EIO)"),
    ("SQLITE_IOERR_FSYNC", "syncing to the disk failed (EIO); the store takes no more writes until it is opened again"),
    (
        "SQLITE_IOERR_DIR_FSYNC",
        "syncing to the disk failed (EIO); the store takes no more writes until it is opened again",
    ),
    ("SQLITE_IOERR_SHM", "there is no room for its shared-memory file, or it cannot be mapped (ENOSPC or ENOMEM)"),
    ("SQLITE_IOERR", "an input or output operation failed (EIO)"),
    ("SQLITE_BUSY", "another process has been writing to it for more than five seconds (EAGAIN)"),
    ("SQLITE_LOCKED", "another part of this process is writing to it (EAGAIN)"),
    ("SQLITE_NOMEM", "memory ran out (ENOMEM)"),
)
_CORRUPT = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
_LOST = ("SQLITE_IOERR_FSYNC", "SQLITE_IOERR_DIR_FSYNC")


def is_lost(error: sqlite3.Error) -> bool:
    """Whether a sync failed: pages may be marked clean though they are not on disk, so no retry is safe (CASE-K03)."""
    return _name(error).startswith(_LOST)


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another process has the lock: asking again may help."""
    return _name(error).startswith("SQLITE_BUSY")


def from_sqlite(error: sqlite3.Error | UnicodeDecodeError, path: Path) -> FerruleError:
    """The error of our tree for one of SQLite's; a message that is no UTF-8 quotes a damaged schema."""
    if isinstance(error, UnicodeDecodeError):
        return StoreCorrupt(f"{path}: the store is damaged: it holds text that is not UTF-8")
    name = _name(error)
    if name.startswith(_CORRUPT) or str(error).startswith("Could not decode"):
        return StoreCorrupt(f"{path}: the store is damaged or is not a Ferrule store ({name})")
    for prefix, cause in _CAUSES:
        if name.startswith(prefix):
            return StoreError(f"{path}: the store cannot be used: {cause} [{name}]")
    if isinstance(error, sqlite3.IntegrityError | sqlite3.InterfaceError | sqlite3.NotSupportedError):
        return InternalError(f"{path}: the store refused a row ({name or type(error).__name__}): {error}")
    return StoreError(f"{path}: the store cannot be used: {error} [{name or type(error).__name__}]")


def from_os(error: OSError, path: Path, doing: str, *, code: Code = Code.IO_FAILED) -> StoreError:
    """The error of our tree for a failed system call, with the name of its errno."""
    name = errno.errorcode.get(error.errno or 0, "EIO")
    return StoreError(f"{path}: cannot {doing}: {(error.strerror or 'failed').lower()} ({name})", code=code)


def _name(error: sqlite3.Error) -> str:
    return getattr(error, "sqlite_errorname", "") or ""

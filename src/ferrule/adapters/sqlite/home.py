"""The home is one folder of its owner: private, not a trap, and never filled anew over its own history.

Owns the checks of folder and file before SQLite sees them, and the head of the receipt chain that is kept beside the
database (CASE-E07, E11, E12, N04). Knows nothing of what the database holds.
"""

import os
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ferrule.adapters.sqlite.failures import from_os
from ferrule.errors import Code, StoreCorrupt, StoreError

if sys.platform != "win32":
    import fcntl

__all__ = [
    "FILE_NAME",
    "HEAD_NAME",
    "REHEARSING",
    "RESTORING",
    "Head",
    "alone",
    "drop_copies",
    "ensure_copy",
    "ensure_file",
    "ensure_home",
    "read_head",
    "sync_head",
    "write_head",
]

FILE_NAME = "ferrule.sqlite3"
HEAD_NAME = "receipts.head"
_MEMORY_FILES = "sessions/*/artifacts/nl-memory/SessionMemory.pts"
RESTORING, REHEARSING = ".restoring-", ".rehearsing-"
_ABANDONED_SECONDS = 3600.0
OPENING_SECONDS = 30.0  # a migration copies the file first
_PAUSE = 0.005
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True)
class Head:
    """The last receipt that was known to be committed."""

    seq: int
    hash: str


def ensure_home(home: Path) -> Path:
    """The home folder, made private when we make it.

    Raises:
        StoreError: `UNSAFE_PATH` when it is no folder, belongs to somebody else or anybody may write to it;
            `IO_FAILED` when it cannot be made or entered.
    """
    try:
        made = not home.exists()
        if made:
            home.mkdir(parents=True, exist_ok=True)
            home.chmod(0o700)
        facts = home.stat()
    except OSError as error:
        raise from_os(error, home, "use the Ferrule home") from error
    if not stat.S_ISDIR(facts.st_mode):
        raise StoreError(f"{home}: the Ferrule home is not a folder", code=Code.UNSAFE_PATH)
    if sys.platform != "win32":
        if facts.st_uid != os.getuid():
            raise StoreError(f"{home}: the Ferrule home belongs to another user", code=Code.UNSAFE_PATH)
        if facts.st_mode & stat.S_IWOTH:
            raise StoreError(f"{home}: anybody may write to the Ferrule home (chmod 700 it)", code=Code.UNSAFE_PATH)
        if not os.access(home, os.R_OK | os.X_OK):
            raise StoreError(f"{home}: cannot use the Ferrule home: permission denied (EACCES)")
    return home


@contextmanager
def alone(home: Path) -> Iterator[None]:
    """Only one process at a time makes, migrates or checks a store; the lock is the folder's own, so it never leaks."""
    if sys.platform == "win32":
        yield
        return
    try:
        folder = os.open(home, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise from_os(error, home, "use the Ferrule home") from error
    try:
        _flock(folder, home)
        yield
    finally:
        os.close(folder)


def _flock(folder: int, home: Path) -> None:
    """Wait for the lock, but not for ever: its holder may have been stopped (CASE-M08)."""
    began = time.monotonic()
    while True:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if time.monotonic() - began >= OPENING_SECONDS:
                raise from_os(
                    error, home, "open the store: another process has been opening it for too long"
                ) from error
            time.sleep(_PAUSE)
        except OSError as error:
            raise from_os(error, home, "use the Ferrule home") from error
        else:
            return


def ensure_file(home: Path) -> Path:
    """The database file: a plain private file, empty when it is new.

    Raises:
        StoreCorrupt: it is missing although receipts, its log or a session's memory file exist (CASE-N04).
        StoreError: `UNSAFE_PATH` for a link or a special file; `IO_FAILED` when it cannot be made.
    """
    path = home / FILE_NAME
    for beside in (path, home / f"{FILE_NAME}-wal", home / f"{FILE_NAME}-shm", home / HEAD_NAME):
        _check_plain(beside)
    if path.exists():
        _keep_private(path)
        return path
    head = read_head(home)
    if head is not None and head.seq > 0:
        raise StoreCorrupt(
            f"{path}: the store is missing although {head.seq} receipts were given; "
            f"restore it from a backup, or remove {home / HEAD_NAME} to start anew"
        )
    trace = next(_traces(home), None)
    if trace is not None:
        raise StoreCorrupt(
            f"{path}: the store is missing although {trace} was made from it; "
            f"restore it from a backup, or move {trace} away to start anew"
        )
    try:
        os.close(_create(path))
    except OSError as error:
        raise from_os(error, path, "create the store") from error
    return path


def _traces(home: Path) -> Iterator[Path]:
    """What tells that there was a store: its log with something in it, the folder with sessions' memory files."""
    log = home / f"{FILE_NAME}-wal"
    if log.exists() and log.stat().st_size:
        yield log
    if next(home.glob(_MEMORY_FILES), None) is not None:
        yield home / "sessions"


def ensure_copy(path: Path, label: str) -> Path:
    """A new private file beside the store for a copy of it as it is now; an earlier copy of that label is replaced.

    Raises:
        StoreError: `UNSAFE_PATH` for a link or a special file in its place; `IO_FAILED` when it cannot be made.
    """
    copy = path.with_name(f"{path.name}.v{label}")
    _check_plain(copy)
    try:
        copy.unlink(missing_ok=True)
        os.close(_create(copy))
    except OSError as error:
        raise from_os(error, copy, "keep a copy of the store as it was") from error
    return copy


def drop_copies(home: Path, before: float) -> None:
    """Remove copies of earlier versions that were made before that time: they hold what is meant to be gone.

    So do working folders of a restore or an import that was killed; one in use is never an hour old.

    A copy serves to go back right after a migration. It must outlive neither the retention of texts (D13) nor what a
    person forgets (R97). One that cannot be removed is left for the next time.
    """
    abandoned = min(before, time.time() - _ABANDONED_SECONDS)
    try:
        for copy in home.glob(f"{FILE_NAME}.v*"):
            if copy.lstat().st_mtime < before:
                copy.unlink()
        for folder in (*home.glob(f"{RESTORING}*"), *home.glob(f"{REHEARSING}*")):
            if folder.lstat().st_mtime < abandoned:
                shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        return


def read_head(home: Path) -> Head | None:
    """The head kept beside the database, or None when there is none.

    A power cut may leave a file that was just made without its bytes: that is none either.
    """
    path = home / HEAD_NAME
    try:
        descriptor = os.open(path, os.O_RDONLY | _NO_FOLLOW)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise from_os(error, path, "read the head of the receipts") from error
    with os.fdopen(descriptor, encoding="ascii", errors="replace") as file:
        text = file.read(200).strip("\0 \n")
    if not text:
        return None
    seq, _, digest = text.partition(" ")
    if not seq.isascii() or not seq.isdigit():
        raise StoreCorrupt(f"{path}: the head of the receipts is not readable", code=Code.LEDGER_BROKEN)
    return Head(int(seq), digest)


def write_head(home: Path, head: Head) -> bool:
    """Put the head beside the database; False when it could not be written.

    Written in place, always of one length: a rename would cost as much as the commit. The commit is already durable,
    and a head that lags is caught up at the next opening, so a failure here is no failure of the write.
    """
    line = f"{head.seq:020d} {head.hash}\n".encode("ascii")
    try:
        descriptor = os.open(home / HEAD_NAME, os.O_WRONLY | os.O_CREAT | _NO_FOLLOW, 0o600)
        try:
            if sys.platform != "win32":
                os.fchmod(descriptor, 0o600)
            written = os.write(descriptor, line)
            os.ftruncate(descriptor, len(line))
        finally:
            os.close(descriptor)
    except OSError:
        return False
    return written == len(line)


def sync_head(home: Path) -> None:
    """Bring the head to the disk, once for all that a process gave: a power cut then loses at most what came since.

    A head that lags is caught up, so a failure here is no failure of anything.
    """
    try:
        descriptor = os.open(home / HEAD_NAME, os.O_WRONLY | _NO_FOLLOW)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError:
        return


def _create(path: Path) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _NO_FOLLOW, 0o600)
    if sys.platform != "win32":
        os.fchmod(descriptor, 0o600)
    return descriptor


def _check_plain(path: Path) -> None:
    try:
        facts = path.lstat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise from_os(error, path, "look at it") from error
    if not stat.S_ISREG(facts.st_mode) or facts.st_nlink > 1:
        raise StoreError(f"{path}: a link or special file stands where the store keeps its own", code=Code.UNSAFE_PATH)


def _keep_private(path: Path) -> None:
    if sys.platform != "win32" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        try:
            path.chmod(0o600)
        except OSError as error:
            raise from_os(error, path, "make the store private") from error

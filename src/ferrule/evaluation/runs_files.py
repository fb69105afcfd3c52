"""Files of a run are written whole or not at all, and one process at a time works on a run.

Owns durable writing (beside, synced, renamed) and the lock of a run's folder, which ends with its holder however that
ends. Knows nothing of what is written.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ferrule.errors import Code, StoreError, UsageError

if sys.platform != "win32":
    import fcntl

__all__ = ["alone", "put_whole", "removed", "sync_folder"]

_LOCK = ".lock"


def put_whole(path: Path, text: str) -> None:
    """Replace a file: a reader, and whoever comes after a crash, sees the old one or the new one, never half of one.

    Raises:
        StoreError: it cannot be written; the old one is still there.
    """
    beside = path.with_name(f".{path.name}.tmp")  # one name, since one process works here: nothing piles up
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        sync_folder(path.parent)
    except OSError as problem:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise StoreError(f"{path}: {problem.strerror or problem}", code=Code.IO_FAILED) from problem


def sync_folder(folder: Path) -> None:
    """Make the names in a folder last; where the system cannot (Windows) nothing happens."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def removed(path: Path) -> None:
    """Take a file away, if it is there.

    Raises:
        StoreError: it is there and stays.
    """
    try:
        path.unlink(missing_ok=True)
    except NotADirectoryError:
        return
    except OSError as problem:
        raise StoreError(f"{path}: {problem.strerror or problem}", code=Code.IO_FAILED) from problem


@contextmanager
def alone(out: Path) -> Iterator[None]:
    """Hold the run's folder: no second process adds rows to it. Where there is no `flock` (Windows) nobody is kept out.

    Raises:
        UsageError: another process works on it.
        StoreError: the folder cannot be made or written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(out / _LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError as problem:
        raise StoreError(f"{out}: {problem.strerror or problem}", code=Code.IO_FAILED) from problem
    try:
        if sys.platform != "win32":
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as busy:
                raise UsageError(
                    f"another `ferrule bench` works on {out}; wait for it, or choose another --out",
                    code=Code.BUDGET,
                ) from busy
        yield
    finally:
        os.close(descriptor)

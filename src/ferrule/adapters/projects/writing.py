"""A file of a project's ontology is replaced whole or not at all, in folders that nobody can redirect.

Owns putting files there: made by descriptor, no link followed, only in the place of what was shown before (CASE-E05,
E07). The files are the project's, so they get its ordinary permissions. Knows nothing of definitions.
"""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ferrule.adapters.projects.ontology import FOLDER
from ferrule.errors import Code, StoreError

__all__ = ["Change", "put_files"]

_SAFE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _SAFE


@dataclass(frozen=True, slots=True)
class Change:
    """One file, by its name in the folder: what stands there, None for nothing, and what shall."""

    name: str
    before: str | None
    after: str


def put_files(root: Path, changes: Sequence[Change]) -> None:
    """Write each file, in order, each whole.

    Raises:
        StoreError: `UNSAFE_PATH` for a link or special file on the way or in a file's place; `STALE_REVISION` when a
            file is no longer what it was when it was shown; `IO_FAILED` otherwise. Files before that one stand.
    """
    place = root.joinpath(*FOLDER)
    try:
        with _opened(root) as folder:
            for change in changes:
                _check(folder, place, change)
            for change in changes:
                _put(folder, change)
    except OSError as error:
        code = Code.UNSAFE_PATH if error.errno in {errno.ELOOP, errno.ENOTDIR} else Code.IO_FAILED
        what = "a link or file stands in its way" if code is Code.UNSAFE_PATH else error.strerror or str(error)
        raise StoreError(f"{place} cannot be written: {what}", code=code) from error


@contextmanager
def _opened(root: Path) -> Iterator[int]:
    descriptor = os.open(root, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    try:
        for name in FOLDER:
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=descriptor)
            inner = os.open(name, _FOLDER_FLAGS, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


def _check(folder: int, place: Path, change: Change) -> None:
    held: bytes | None = None
    with suppress(FileNotFoundError):
        facts = os.stat(change.name, dir_fd=folder, follow_symlinks=False)
        if not stat.S_ISREG(facts.st_mode) or facts.st_nlink > 1:
            line = f"{place / change.name}: a link or special file stands there; it is left alone"
            raise StoreError(line, code=Code.UNSAFE_PATH)
        with os.fdopen(os.open(change.name, os.O_RDONLY | _SAFE, dir_fd=folder), "rb") as file:
            held = file.read()
    if held != (None if change.before is None else change.before.encode()):
        line = f"{place / change.name} changed meanwhile; look at the change again"
        raise StoreError(line, code=Code.STALE_REVISION)


def _put(folder: int, change: Change) -> None:
    fresh = f".{change.name}.{os.getpid()}"
    with suppress(OSError):
        os.unlink(fresh, dir_fd=folder)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFE, 0o666, dir_fd=folder)
    done = False
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(change.after.encode())
            file.flush()
            os.fsync(descriptor)
        os.replace(fresh, change.name, src_dir_fd=folder, dst_dir_fd=folder)
        os.fsync(folder)
        done = True
    finally:
        if not done:
            with suppress(OSError):
                os.unlink(fresh, dir_fd=folder)

"""What stands in the home under one of the worker's names is its owner's own file of the right kind, or is refused.

Owns opening such a file: never through a link, never blocking, private to its owner (CASE-E07, CASE-E11). Knows nothing
of what the files are for.
"""

import contextlib
import os
import stat
import sys
from pathlib import Path

from ferrule.errors import Code, StoreError

__all__ = ["open_own"]

_SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_OTHERS = 0o077


def open_own(path: Path, flags: int, *, fifo: bool = False, make: bool = False) -> int:
    """A descriptor of our own plain file, or FIFO, at `path`; made private when it is made or was not.

    Raises:
        FileNotFoundError: there is nothing, and `make` is False.
        StoreError: `UNSAFE_PATH`: a link, another kind of file, a second name of one, or somebody else's.
        OSError: whatever else the system says; `ENXIO` for a FIFO that nobody reads.
    """
    # Looked at before it is opened, since opening a device may already do something; and again what was opened.
    try:
        _check(path, path.lstat(), fifo=fifo)
    except FileNotFoundError:
        if not make:
            raise
        if fifo:
            _make_fifo(path)
    descriptor = os.open(path, flags | _SAFELY | (os.O_CREAT if make and not fifo else 0), 0o600)
    ready = False
    try:
        facts = os.fstat(descriptor)
        _check(path, facts, fifo=fifo)
        if sys.platform != "win32" and stat.S_IMODE(facts.st_mode) & _OTHERS:
            path.chmod(0o600)
        ready = True
    finally:
        if not ready:
            os.close(descriptor)
    return descriptor


def _make_fifo(path: Path) -> None:
    if sys.platform == "win32":
        raise StoreError(f"{path}: this system has no FIFOs", code=Code.IO_FAILED)
    with contextlib.suppress(FileExistsError):  # another process was first
        os.mkfifo(path, 0o600)


def _check(path: Path, facts: os.stat_result, *, fifo: bool) -> None:
    right = stat.S_ISFIFO(facts.st_mode) if fifo else stat.S_ISREG(facts.st_mode)
    if not right or facts.st_nlink > 1:
        kind = "FIFO" if fifo else "file"
        raise StoreError(f"{path}: something else stands where Ferrule's own {kind} belongs", code=Code.UNSAFE_PATH)
    if sys.platform != "win32" and facts.st_uid != os.geteuid():
        raise StoreError(f"{path}: it belongs to another user", code=Code.UNSAFE_PATH)

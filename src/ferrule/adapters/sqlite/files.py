"""A file appears under its name whole and synced, or not at all, and never in another's place.

Owns that way of putting files, for copies of a store. Knows nothing of what is in them.
"""

import errno
import hashlib
import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path

from ferrule.adapters.sqlite.failures import from_os

__all__ = [
    "copied",
    "digest_of",
    "discarded",
    "made",
    "part_beside",
    "placed",
    "removed",
    "replaced",
    "synced",
    "synced_folder",
]

_CHUNK = 1024 * 1024
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
_FLAGS = os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def part_beside(path: Path) -> Path:
    """A hidden name in the same folder that nobody has."""
    return path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")


def made(path: Path) -> int:
    """A new private file, open for writing.

    Raises:
        StoreError: it exists, or cannot be made.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | _FLAGS, 0o600)
        if sys.platform != "win32":
            os.fchmod(descriptor, 0o600)
    except OSError as error:
        raise from_os(error, path, "make the file") from error
    return descriptor


def copied(source: Path, target: Path, content: bytes | None = None) -> str:
    """Write a new file, synced, with the bytes of another or with these; returns their SHA-256.

    Raises:
        StoreError: it cannot be read or written.
    """
    digest = hashlib.sha256()
    descriptor = made(target)
    try:
        if content is not None:
            digest.update(content)
            _write(descriptor, content)
        else:
            with source.open("rb") as file:
                while chunk := file.read(_CHUNK):
                    digest.update(chunk)
                    _write(descriptor, chunk)
        os.fsync(descriptor)
    except OSError as error:
        raise from_os(error, target, f"copy {source.name} to it") from error
    finally:
        os.close(descriptor)
    return digest.hexdigest()


def _write(descriptor: int, content: bytes) -> None:
    """All of it: a disk that is nearly full takes a part first (CASE-K01)."""
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


def digest_of(path: Path) -> str:
    """The SHA-256 of a file's bytes.

    Raises:
        StoreError: it cannot be read.
    """
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    except OSError as error:
        raise from_os(error, path, "read it") from error
    return digest.hexdigest()


def synced(path: Path) -> None:
    """Bring a file's bytes to the disk.

    Raises:
        StoreError: the disk did not take them.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise from_os(error, path, "sync it") from error


def synced_folder(folder: Path) -> None:
    """Bring the names of a folder to the disk.

    Raises:
        StoreError: the disk did not take them.
    """
    if sys.platform == "win32":
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise from_os(error, folder, "sync the folder") from error


def placed(part: Path, path: Path) -> None:
    """Give a finished file its name, unless something has it already; the folder is synced.

    Raises:
        StoreError: the name is taken, or cannot be given.
    """
    try:
        try:
            os.link(part, path)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            os.close(os.open(path, os.O_WRONLY | _FLAGS, 0o600))
            os.replace(part, path)  # noqa: PTH105 - one call that tests can break
        else:
            os.unlink(part)  # noqa: PTH108 - one call that tests can break
    except OSError as error:
        raise from_os(error, path, "put the file there") from error
    synced_folder(path.parent)


def replaced(part: Path, path: Path) -> None:
    """Put a finished file in the place of another; the folder is synced.

    Raises:
        StoreError: it cannot be done.
    """
    try:
        os.replace(part, path)  # noqa: PTH105 - one call that tests can break
    except OSError as error:
        raise from_os(error, path, "put the file there") from error
    synced_folder(path.parent)


def removed(path: Path) -> None:
    """Remove a file where there is one.

    Raises:
        StoreError: it stays.
    """
    try:
        os.unlink(path)  # noqa: PTH108 - one call that tests can break
    except FileNotFoundError:
        return
    except OSError as error:
        raise from_os(error, path, "remove it") from error


def discarded(path: Path) -> None:
    """Remove an unfinished file if that can be done: whatever went wrong before is told, not this."""
    with suppress(OSError):
        path.unlink(missing_ok=True)

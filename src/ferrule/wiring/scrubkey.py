"""Each home has one secret key: with it the same secret leaves the same mark, without it the mark tells nothing (D13).

Owns the key's file: made once, private, synced before its first use. Knows nothing of what a secret looks like.
"""

import contextlib
import errno
import os
import secrets
from pathlib import Path

from ferrule.errors import Code, StoreError

__all__ = ["KEY_FILE", "home_key"]

KEY_FILE = "scrub.key"
KEY_BYTES = 32
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def home_key(home: Path) -> bytes:
    """The key of a home, made when there is none; two processes that make it at once get the same one.

    Raises:
        StoreError: it cannot be read or made, or what stands there is no key.
    """
    path = home / KEY_FILE
    try:
        return _read(path) or _made(path)
    except OSError as error:
        name = errno.errorcode.get(error.errno or 0, "EIO")
        line = f"{path}: the key of the home cannot be used: {(error.strerror or 'failed').lower()} ({name})"
        raise StoreError(line, code=Code.IO_FAILED) from error


def _read(path: Path) -> bytes | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | _NO_FOLLOW)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, encoding="ascii", errors="replace") as file:
        text = file.read(4 * KEY_BYTES).strip()
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise StoreError(f"{path}: this is not the key of a home; move it away to have a new one made")
    return key


def _made(path: Path) -> bytes:
    """Written beside and linked into place, so that no reader ever sees half a key."""
    fresh = path.with_name(f".{KEY_FILE}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{secrets.token_hex(KEY_BYTES)}\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):  # another process was first: its key is the home's
            os.link(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)
    made = _read(path)
    if made is None:
        raise FileNotFoundError(errno.ENOENT, "it was taken away while it was made")
    return made

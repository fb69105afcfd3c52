"""A secret of a home lives in a file of its own: made once, private, synced before its first use.

Owns making and reading such a file, so that two processes that make it at once get the same secret and no reader ever
sees half of one. Knows nothing of what a key is for.
"""

import contextlib
import errno
import os
import secrets
from pathlib import Path

from ferrule.errors import Code, StoreError

__all__ = ["KEY_BYTES", "kept_key"]

KEY_BYTES = 32
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def kept_key(path: Path) -> bytes:
    """The key in that file, made when there is none.

    Raises:
        StoreError: it cannot be read or made, or what stands there is no key.
    """
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
    fresh = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
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

"""A lock is a private, plain, empty file that the kernel locks: it is free the moment its process is gone.

Owns opening and locking one such file below a folder descriptor: never through a link, never blocking on a FIFO, mode
0600 whatever the umask, and only the file that stands there now counts (its inode is compared after locking, so that a
file may be swept away by whoever holds it). Knows nothing of what a lock means.
"""

import errno
import fcntl
import os
import stat
from contextlib import suppress
from pathlib import Path

from ferrule.errors import Code, StoreError

__all__ = ["HeldLock", "lock_once", "private_folder", "swept"]

_OPEN = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_TAKEN = frozenset({errno.EAGAIN, errno.EWOULDBLOCK})
# Something else stands where our file or folder belongs.
_UNSAFE = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EISDIR, errno.ENXIO, errno.EMLINK, errno.EOPNOTSUPP})
_TRIES = 100
_HELD: set[int] = set()


def private_folder(path: Path) -> int:
    """A descriptor of the folder, made private when missing.

    Raises:
        StoreError: `UNSAFE_PATH` for a link, a file or somebody else's folder; `IO_FAILED` with the errno's name.
    """
    try:
        with suppress(FileExistsError):
            path.mkdir(0o700)
            path.chmod(0o700)  # a umask may have taken our own rights from it
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise _failed(error, path) from error
    ready = False
    try:
        _made_private(folder, path, 0o700)
        ready = True
    finally:
        if not ready:
            os.close(folder)
    return folder


class HeldLock:
    """A locked file; call it to give it back, once. One that is dropped without that gives itself back.

    Attributes:
        made: whether the file was made for this.
    """

    __slots__ = ("_descriptor", "_owner", "made")

    def __init__(self, descriptor: int, *, made: bool) -> None:
        _HELD.add(descriptor)
        self._descriptor = descriptor
        self._owner = os.getpid()
        self.made = made

    def __call__(self) -> None:
        """Give it back; nothing happens in a forked child, whose parent still holds it."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor < 0 or os.getpid() != self._owner:
            return
        _HELD.discard(descriptor)
        try:
            # Not by closing alone: a child that is being forked at this moment has the same open file.
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        finally:
            os.close(descriptor)

    __del__ = __call__


def lock_once(folder: int, path: Path) -> HeldLock | None:
    """Lock the file of that name if nobody holds it, else None. Never waits.

    Raises:
        StoreError: `UNSAFE_PATH` when something else stands there; `IO_FAILED` with the errno's name.
    """
    for _ in range(_TRIES):
        try:
            descriptor, made = _opened(folder, path.name)
        except OSError as error:
            raise _failed(error, path) from error
        kept = False
        try:
            _made_private(descriptor, path, 0o600)
            if not _locked(descriptor, path):
                return None
            if _stands(folder, path.name, descriptor):
                kept = True
                return HeldLock(descriptor, made=made)
        finally:
            if not kept:
                os.close(descriptor)
    raise StoreError(f"{path}: this lock file is taken away again and again (ESTALE)")


def swept(folder: int, path: Path) -> bool:
    """Take a lock file away that nobody holds; False when somebody does, or it is gone or not ours.

    Whoever opened it before finds, after locking, that it no longer stands there, and makes a new one.
    """
    try:
        descriptor = os.open(path.name, _OPEN, dir_fd=folder)
    except OSError:
        return False
    try:
        mine = stat.S_ISREG(os.fstat(descriptor).st_mode) and _locked(descriptor, path)
        if mine and _stands(folder, path.name, descriptor):
            os.unlink(path.name, dir_fd=folder)
            return True
    except (OSError, StoreError):
        return False
    finally:
        os.close(descriptor)
    return False


def _failed(error: OSError, path: Path) -> StoreError:
    """The error of our tree for a lock file, or the folder of them, that cannot be opened or made private."""
    if error.errno in _UNSAFE:
        name = errno.errorcode[error.errno or 0]
        return StoreError(
            f"{path}: a link or something else stands where a lock belongs ({name})", code=Code.UNSAFE_PATH
        )
    return _not_locked(error, path)


def _not_locked(error: OSError, path: Path) -> StoreError:
    name = errno.errorcode.get(error.errno or 0, "EIO")
    return StoreError(f"{path}: cannot lock it: {(error.strerror or 'failed').lower()} ({name})")


def _opened(folder: int, name: str) -> tuple[int, bool]:
    """The file, and whether it was made now: exclusively, so that a dangling link is never followed."""
    for _ in range(_TRIES):
        with suppress(FileNotFoundError):
            return os.open(name, _OPEN, dir_fd=folder), False
        with suppress(FileExistsError):
            return os.open(name, _OPEN | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder), True
    raise OSError(errno.ESTALE, "it comes and goes")


def _made_private(descriptor: int, path: Path, mode: int) -> None:
    facts = os.fstat(descriptor)
    plain = stat.S_ISDIR(facts.st_mode) or (stat.S_ISREG(facts.st_mode) and facts.st_nlink <= 1)
    if not plain or facts.st_uid != os.geteuid():
        raise StoreError(f"{path}: a link, a special file or another user's stands here", code=Code.UNSAFE_PATH)
    if stat.S_IMODE(facts.st_mode) != mode:
        try:
            os.fchmod(descriptor, mode)
        except OSError as error:
            raise _failed(error, path) from error


def _locked(descriptor: int, path: Path) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _TAKEN:
            return False
        raise _not_locked(error, path) from error
    return True


def _stands(folder: int, name: str, descriptor: int) -> bool:
    """Whether that name still leads to this very file."""
    try:
        there = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(there, os.fstat(descriptor))


def _let_go() -> None:
    """A forked child shares its parent's open files and would keep their locks alive after the parent's death."""
    while _HELD:
        with suppress(OSError):
            os.close(_HELD.pop())


os.register_at_fork(after_in_child=_let_go)

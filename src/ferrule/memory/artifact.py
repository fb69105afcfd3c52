"""The projection's file is replaced whole or not at all, and a hand-edited one is never lost (D12, CASE-N08).

Owns `sessions/<hash of the key>/artifacts/nl-memory/SessionMemory.pts` below the home: where it is, how it is written
(CASE-E05, E07, E11), and what becomes of a file that somebody edited. Knows nothing of what stands in it.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ferrule.errors import Code, StoreError

__all__ = ["FILE_NAME", "artifact_path", "edited_files", "put_artifact"]

FILE_NAME = "SessionMemory.pts"
_EDITED = "SessionMemory.edited-{0}.pts"
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_MAX_EDITED = 1000


def artifact_path(home: Path, session: str) -> Path:
    """Where a session's projection is. The folder is named by a hash, so no key can lead elsewhere (CASE-E01, E03)."""
    return home.joinpath(*_folders(session), FILE_NAME)


def _folders(session: str) -> tuple[str, ...]:
    digest = hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()
    return ("sessions", digest[:32], "artifacts", "nl-memory")


def put_artifact(home: Path, session: str, text: str, is_ours: Callable[[str], bool]) -> Path | None:
    """Make the file hold this text; returns where a hand-edited one was kept, or None.

    Nothing is written when the file holds the text already. Written beside first, synced, then put in place.

    Raises:
        StoreError: `UNSAFE_PATH` for a link or special file on the way; `IO_FAILED` with the errno's name.
    """
    path = artifact_path(home, session)
    try:
        with _folder(home, _folders(session)) as folder:
            standing = _read(folder, path)
            if standing == text.encode("utf-8", "surrogatepass"):
                return None
            kept = None
            if standing is not None and not is_ours(standing.decode("utf-8", "replace")):
                kept = path.with_name(_keep(folder, standing))
            _replace(folder, FILE_NAME, text.encode("utf-8", "surrogatepass"))
            return kept
    except OSError as error:
        name = errno.errorcode.get(error.errno or 0, "EIO")
        code = Code.UNSAFE_PATH if error.errno in {errno.ELOOP, errno.ENOTDIR} else Code.IO_FAILED
        raise StoreError(f"{path}: cannot write the session's memory file ({name})", code=code) from error


def edited_files(home: Path, session: str) -> tuple[Path, ...]:
    """The hand-edited files that were kept beside the projection, oldest first."""
    folder = artifact_path(home, session).parent
    return tuple(path for n in range(1, _MAX_EDITED) if (path := folder / _EDITED.format(n)).is_file())


@contextmanager
def _folder(home: Path, names: tuple[str, ...]) -> Iterator[int]:
    """A descriptor of the innermost folder; each step is a real folder, made private when missing, never a link."""
    descriptor = os.open(home, os.O_RDONLY | os.O_DIRECTORY | getattr(os, "O_CLOEXEC", 0))
    try:
        for name in names:
            try:
                os.mkdir(name, 0o700, dir_fd=descriptor)
                os.fsync(descriptor)
            except FileExistsError:
                pass
            inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | _NO_FOLLOW, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
            os.fchmod(descriptor, 0o700)
        yield descriptor
    finally:
        os.close(descriptor)


def _read(folder: int, path: Path) -> bytes | None:
    try:
        facts = os.stat(FILE_NAME, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(facts.st_mode) or facts.st_nlink > 1:
        raise StoreError(f"{path}: a link or special file stands where the memory file belongs", code=Code.UNSAFE_PATH)
    with os.fdopen(os.open(FILE_NAME, os.O_RDONLY | _NO_FOLLOW, dir_fd=folder), "rb") as file:
        return file.read()


def _keep(folder: int, content: bytes) -> str:
    taken = set(os.listdir(folder))
    name = next(name for n in range(1, _MAX_EDITED) if (name := _EDITED.format(n)) not in taken)
    _replace(folder, name, content)
    return name


def _replace(folder: int, name: str, content: bytes) -> None:
    fresh = f".{name}.{os.getpid()}"
    done = False
    try:
        _discard(folder, fresh)  # left behind by a process of the same number that was killed
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW, 0o600, dir_fd=folder)
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, 0o600)
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        os.replace(fresh, name, src_dir_fd=folder, dst_dir_fd=folder)
        os.fsync(folder)
        done = True
    finally:
        if not done:
            _discard(folder, fresh)


def _discard(folder: int, name: str) -> None:
    try:
        os.unlink(name, dir_fd=folder)
    except OSError:
        return

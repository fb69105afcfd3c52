"""A file among a session's artifacts is replaced whole or not at all, in folders that nobody can redirect.

Owns where `sessions/<hash of the key>/artifacts/…` is below a home, and how one file there is read, written and removed
(CASE-E05, E07, E11). Knows nothing of what stands in a file.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ferrule.errors import Code, StoreError

__all__ = ["ArtifactFolder", "artifact_folder", "remove_artifact"]

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def _steps(session: str, folder: str) -> tuple[str, ...]:
    """The folders from the home down. Named by a hash, so that no key can lead elsewhere (CASE-E01, E03)."""
    digest = hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()
    return ("sessions", digest[:32], "artifacts", folder)


@dataclass(frozen=True, slots=True)
class ArtifactFolder:
    """One open folder of a session's artifacts; `path` is for messages, the work is done by descriptor."""

    path: Path
    descriptor: int

    @staticmethod
    def located(home: Path, session: str, folder: str) -> Path:
        """Where the folder is, whether it exists or not."""
        return home.joinpath(*_steps(session, folder))

    def read(self, name: str) -> bytes | None:
        """What a file holds, or None when there is none.

        Raises:
            StoreError: `UNSAFE_PATH` when a link, a special file or a file of several names stands there.
        """
        try:
            facts = os.stat(name, dir_fd=self.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None
        if not stat.S_ISREG(facts.st_mode) or facts.st_nlink > 1:
            raise StoreError(
                f"{self.path / name}: a link or special file stands where the session's file belongs",
                code=Code.UNSAFE_PATH,
            )
        with os.fdopen(os.open(name, os.O_RDONLY | _NO_FOLLOW, dir_fd=self.descriptor), "rb") as file:
            return file.read()

    def names(self) -> frozenset[str]:
        """What the folder holds."""
        return frozenset(os.listdir(self.descriptor))  # noqa: PTH208 - by descriptor, which Path cannot

    def replace(self, name: str, content: bytes) -> None:
        """Write beside, sync, and put in place: after a power cut the file is the old one or the new one."""
        fresh = f".{name}.{os.getpid()}"
        done = False
        try:
            self.discard(fresh)  # left behind by a process of the same number that was killed
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW
            descriptor = os.open(fresh, flags, 0o600, dir_fd=self.descriptor)
            with os.fdopen(descriptor, "wb") as file:
                os.fchmod(descriptor, 0o600)
                file.write(content)
                file.flush()
                os.fsync(descriptor)
            os.replace(fresh, name, src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)
            os.fsync(self.descriptor)
            done = True
        finally:
            if not done:
                self.discard(fresh)

    def discard(self, name: str) -> None:
        """Remove a file if it is there."""
        try:
            os.unlink(name, dir_fd=self.descriptor)
        except OSError:
            return


@contextmanager
def artifact_folder(home: Path, session: str, folder: str, what: str) -> Iterator[ArtifactFolder]:
    """The folder, open; each step is a real folder, made private when missing, never a link.

    Args:
        home: the home folder.
        session: the session's key.
        folder: its name below `artifacts`.
        what: what is written there, for the message of a failure.

    Raises:
        StoreError: `UNSAFE_PATH` for a link or special file on the way; `IO_FAILED` with the errno's name.
    """
    place = ArtifactFolder.located(home, session, folder)
    try:
        with _descended(home, _steps(session, folder)) as descriptor:
            yield ArtifactFolder(place, descriptor)
    except OSError as error:
        name = errno.errorcode.get(error.errno or 0, "EIO")
        code = Code.UNSAFE_PATH if error.errno in {errno.ELOOP, errno.ENOTDIR} else Code.IO_FAILED
        raise StoreError(f"{place}: cannot write {what} ({name})", code=code) from error


def remove_artifact(home: Path, session: str, folder: str, name: str) -> None:
    """Remove one file if it is there; its folder, now a real one, stays.

    Raises:
        StoreError: as `artifact_folder`.
    """
    if ArtifactFolder.located(home, session, folder).is_dir():
        with artifact_folder(home, session, folder, f"{name} away") as open_folder:
            open_folder.discard(name)


@contextmanager
def _descended(home: Path, steps: tuple[str, ...]) -> Iterator[int]:
    descriptor = os.open(home, os.O_RDONLY | os.O_DIRECTORY | getattr(os, "O_CLOEXEC", 0))
    try:
        for name in steps:
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

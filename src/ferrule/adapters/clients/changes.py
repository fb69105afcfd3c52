"""What is to be done to a person's files: known wholly before anything is done, then done wholly or not at all.

Owns the change of one file, from these bytes to those, and its doing: written beside and renamed, mode, owner and
extended attributes kept, links followed to what they point to, a file that was changed meanwhile left alone, and what
was done before a failure taken back. Knows nothing of what is in the files.
"""

import contextlib
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ferrule.errors import Code, UnreadableInput, UsageError

__all__ = ["MAX_FILE_BYTES", "Change", "apply", "read_file", "target_of"]

MAX_FILE_BYTES = 64 * 1024 * 1024
_NEW_FILE, _NEW_FOLDER = 0o600, 0o700
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class Change:
    """One file, before and after.

    Attributes:
        path: the file that is written: where a link points to, if there is one.
        before: its bytes when the change was planned; None for no file.
        after: its bytes afterwards; None for no file.
        named: the file as the client names it.
        meaning: what it means, in words.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    named: Path
    meaning: str = ""


def target_of(path: Path) -> Path:
    """The file that a name leads to: dotfiles are often links into a repository, and stay so.

    Raises:
        UsageError: links lead in a circle, or a folder on the way cannot be entered.
    """
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:
        raise UsageError(f"{path}: its links lead nowhere", code=Code.UNSAFE_PATH) from error


def read_file(path: Path) -> bytes | None:
    """A file's bytes, or None when there is none.

    Raises:
        UsageError: it cannot be read, or is no plain file.
        UnreadableInput: it is larger than any configuration.
    """
    try:
        descriptor = os.open(path, _READ)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", code=Code.IO_FAILED) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UsageError(f"{path} is no plain file", code=Code.UNSAFE_PATH)
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise UnreadableInput(f"{path} is larger than {MAX_FILE_BYTES // 1024**2} MB", code=Code.TOO_LARGE)
    return data


def apply(changes: Sequence[Change]) -> tuple[Path, ...]:
    """Do all of them, or none; returns the folders that were made for it, outermost first.

    Raises:
        UsageError: a file is read-only, has a second name, or was changed since the changes were planned; or writing
            failed. Everything is as it was.
    """
    for change in changes:
        _check(change)
    made: list[Path] = []
    steps: list[tuple[Change, Path]] = []
    done: list[tuple[Change, Path]] = []
    try:
        for change in changes:
            beside = _beside(change, made)
            steps.append((change, beside))
        for change, beside in steps:
            _put(change, beside)
            done.append((change, beside))
    except OSError as error:
        line = f"{error.filename2 or error.filename or 'a file'} cannot be written: {error.strerror}"
        raise UsageError(f"{line}; everything is as it was", code=Code.IO_FAILED) from error
    finally:  # also when a person interrupts it
        if len(done) < len(changes):
            _take_back(done, [beside for _, beside in steps[len(done) :]], made)
    for change, beside in done:
        if change.after is None:
            beside.unlink(missing_ok=True)
    for folder in {change.path.parent for change in changes}:
        _sync_folder(folder)
    return tuple(made)


def _check(change: Change) -> None:
    if read_file(change.path) != change.before:
        raise UsageError(f"{change.named} was changed meanwhile; nothing was written, try again", code=Code.IO_FAILED)
    if change.before is None:
        return
    facts = change.path.stat()
    if not facts.st_mode & stat.S_IWUSR or not os.access(change.path, os.W_OK):
        hint = f"make it writable (chmod u+w {change.path}), or have whatever manages it add what --dry-run shows"
        raise UsageError(f"{change.named} is read-only; {hint}", code=Code.IO_FAILED)
    if facts.st_nlink > 1:
        raise UsageError(f"{change.named} has a second name (a hard link), which would part", code=Code.UNSAFE_PATH)


def _beside(change: Change, made: list[Path]) -> Path:
    """The file as it will be, whole and on the disk, beside its place; of one that goes, where it is for a moment."""
    path = change.path.with_name(f".{change.path.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    if change.after is not None:
        _make_folders(change.path.parent, made)
        _write(path, change.after, change.path if change.before is not None else None)
    return path


def _write(path: Path, data: bytes, like: Path | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, _NEW_FILE)
    whole = False
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if like is not None:
                _as_it_was(like, path)
            else:
                _owned_as(path.parent, path)
            os.fsync(descriptor)
        whole = True
    finally:
        if not whole:
            path.unlink(missing_ok=True)


def _as_it_was(old: Path, new: Path) -> None:
    """Mode, owner, and where the system has them, extended attributes; the time is that of the change."""
    facts = old.stat()
    shutil.copystat(old, new)
    if sys.platform != "win32" and (facts.st_uid, facts.st_gid) != (os.geteuid(), new.stat().st_gid):
        os.chown(new, facts.st_uid, facts.st_gid)
        new.chmod(stat.S_IMODE(facts.st_mode))
    os.utime(new)


def _owned_as(folder: Path, new: Path) -> None:
    """What root makes in somebody's folder is that person's."""
    if sys.platform != "win32" and os.geteuid() == 0:
        facts = folder.stat()
        os.chown(new, facts.st_uid, facts.st_gid)


def _make_folders(folder: Path, made: list[Path]) -> None:
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=_NEW_FOLDER)
        made.append(one)
        _owned_as(one.parent, one)


def _put(change: Change, beside: Path) -> None:
    """Into its place, or out of it, unless somebody was there in the meantime."""
    if read_file(change.path) != change.before:
        line = f"{change.named} was changed meanwhile; everything is as it was, try again"
        raise UsageError(line, code=Code.IO_FAILED)
    if change.after is not None:
        beside.replace(change.path)
    elif change.before is not None:
        change.path.replace(beside)


def _take_back(done: Sequence[tuple[Change, Path]], fresh: Sequence[Path], made: Sequence[Path]) -> None:
    for change, beside in reversed(done):
        with contextlib.suppress(OSError):
            if change.before is None:
                change.path.unlink()
            elif change.after is None:
                beside.replace(change.path)
            else:
                _write(beside, change.before, change.path)
                beside.replace(change.path)
    for path in fresh:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
    for folder in reversed(made):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _sync_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):  # not every file system can, and the files are whole either way
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

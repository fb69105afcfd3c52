"""A home's spool is worked off oldest first, and a file goes only after what it asks for is durable.

Owns the folder: which files in it count (our own plain ones, small, sound), the collapse of several reports of one turn
into the latest, what is kept aside for `doctor`, and what is noted of turns that came to nothing. A file's name is
never used again, so removing it cannot take a newer report away. Knows nothing of transcripts or stores.
"""

import contextlib
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ferrule.adapters.spool.records import MAX_RECORD_BYTES, SpooledTurn, StrangePayload, read_record

__all__ = ["SPOOL", "Pending", "Spool"]

SPOOL, ASIDE, DROPPED = "spool", "unknown", ".dropped"
MAX_ASIDE = 64
_MAX_FILES = 4000
_STALE_SECONDS = 3600.0
_NAME = re.compile(r"[0-9]{20}-[0-9]{1,10}(?:\.unknown)?\.json")
_SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True, slots=True)
class Pending:
    """A reported turn, and the files that report it."""

    turn: SpooledTurn
    files: tuple[str, ...]


class Spool:
    """The spool of one home; every method is safe beside a hook that writes and another worker that reads."""

    def __init__(self, home: Path, clock: Callable[[], float] = time.time) -> None:
        self.path = home / SPOOL
        self._clock = clock

    def pending(self) -> tuple[Pending, ...]:
        """The reported turns, oldest first; of several reports of one turn the latest counts, in the oldest's place.

        What is no report of a turn is put aside on the way.
        """
        found: dict[tuple[str, str, str], Pending] = {}
        for name in self._names():
            raw = self._read(self.path / name)
            if raw is None:
                continue
            record = read_record(raw)
            if not isinstance(record, SpooledTurn):
                self._put_aside(name)
                continue
            before = found.get(record.identity)
            found[record.identity] = Pending(record, (name,)) if before is None else _joined(before, record, name)
        return tuple(found.values())

    def done(self, pending: Pending) -> None:
        """Take the files of a turn away; call it when what came of it is durable."""
        for name in pending.files:
            _removed(self.path / name)

    def waiting(self) -> int:
        """How many files wait."""
        return len(self._names())

    def dropped(self) -> int:
        """How many reports found the spool full, as far as they were counted."""
        try:
            return (self.path / DROPPED).lstat().st_size
        except OSError:
            return 0

    def strange(self) -> tuple[StrangePayload | None, ...]:
        """What was put aside, oldest first; None for a file that is no record at all."""
        folder = self.path / ASIDE
        read = (self._read(folder / name) for name in sorted(_listed(folder)))
        records = (read_record(raw) for raw in read if raw is not None)
        return tuple(record if isinstance(record, StrangePayload) else None for record in records)

    def _names(self) -> list[str]:
        """The names that the hook gives, oldest first; what a hook that died left behind goes after an hour."""
        if not _is_own_folder(self.path):
            return []
        names = sorted(_listed(self.path))
        for name in names:
            if name.startswith(".") and name.endswith(".tmp") and self._is_stale(self.path / name):
                _removed(self.path / name)
        return [name for name in names if _NAME.fullmatch(name)][:_MAX_FILES]

    def _is_stale(self, path: Path) -> bool:
        try:
            return abs(self._clock() - path.lstat().st_mtime) > _STALE_SECONDS
        except OSError:
            return False

    def _read(self, path: Path) -> bytes | None:
        """A file's bytes; empty for what is no small plain file of our own, None when it cannot be read now."""
        try:
            descriptor = os.open(path, os.O_RDONLY | _SAFELY)
        except FileNotFoundError:
            return None
        except OSError:  # a link, or nothing that can be opened
            return b""
        with os.fdopen(descriptor, "rb") as file:
            if not _is_plain(os.fstat(file.fileno())):
                return b""
            with contextlib.suppress(OSError):
                return file.read(MAX_RECORD_BYTES + 1)
        return None

    def _put_aside(self, name: str) -> None:
        """Keep the newest of what is not understood; what is no plain file of a record's size is taken away."""
        path, folder = self.path / name, self.path / ASIDE
        try:
            facts = path.lstat()
            if not _is_plain(facts) or facts.st_size > MAX_RECORD_BYTES:
                _removed(path)
                return
            folder.mkdir(mode=0o700, exist_ok=True)
            if not _is_own_folder(folder):
                return
            path.rename(folder / name)
        except OSError:
            return
        for old in sorted(_listed(folder))[:-MAX_ASIDE]:
            _removed(folder / old)


def _joined(before: Pending, record: SpooledTurn, name: str) -> Pending:
    """Two reports of one turn: the later says how it ended, either may know the transcript."""
    transcript = record.transcript or before.turn.transcript
    end = record.end if record.transcript else before.turn.end
    final = record.final or before.turn.final
    return Pending(replace(record, transcript=transcript, end=end, final=final), (*before.files, name))


def _listed(folder: Path) -> Iterator[str]:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        yield from _bounded(entry.name for entry in entries)


def _bounded(names: Iterable[str]) -> Iterator[str]:
    for count, name in enumerate(names):
        if count >= 2 * _MAX_FILES:
            return
        yield name


def _is_own_folder(folder: Path) -> bool:
    try:
        facts = folder.lstat()
    except OSError:
        return False
    if not stat.S_ISDIR(facts.st_mode):
        return False
    return sys.platform == "win32" or (facts.st_uid == os.geteuid() and not facts.st_mode & 0o022)


def _is_plain(facts: os.stat_result) -> bool:
    if not stat.S_ISREG(facts.st_mode) or facts.st_nlink > 1:
        return False
    return sys.platform == "win32" or facts.st_uid == os.geteuid()


def _removed(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()

"""A home is verified: what its store says of itself, and its readable files against the store; nothing is changed.

Owns which sessions are looked at, the files, and what helps against a finding (CASE-N01, N08, N09, DEC-D12). Knows
nothing of how findings are shown.
"""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ferrule.adapters.sqlite.checking import (
    Counts,
    Fault,
    counted,
    faults,
    known_sessions,
    newest_session,
    prototypes_of,
    viewed,
)
from ferrule.adapters.sqlite.failures import from_sqlite
from ferrule.adapters.sqlite.home import FILE_NAME, Head, read_head
from ferrule.errors import Code, StoreCorrupt, UsageError
from ferrule.memory.artifact import artifact_path, edited_files
from ferrule.memory.projection import is_ours, projection
from ferrule.wiring.locating import is_home, located, no_home
from ferrule.wiring.sessions import LAST

__all__ = ["Fault", "Verified", "verified"]

_LARGEST = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Verified:
    """What a verification looked at; its findings come one by one. `counts` is of the whole store."""

    home: Path
    counts: Counts
    head: int
    sessions: tuple[str, ...]
    findings: Iterator[Fault]


def verified(home: Path | str | None, name: str | None, use: Callable[[Verified], int]) -> int:
    """Verify a home, and let `use` take the findings while the view is open; returns what it returns.

    Args:
        home: as every command names it.
        name: a session's key, a unique beginning of one, or None for all.
        use: is called once.

    Raises:
        UsageError: there is no home, or no such session.
        StoreError: the store cannot be read, or is of another version.
    """
    place = located(home)
    if not is_home(place):
        raise no_home(place)
    path = place / FILE_NAME
    if not path.exists():
        raise StoreCorrupt(f"{path}: the store is missing; ferrule memory restore FILE puts a backup in its place")
    head, unread = _head(place)
    with viewed(path) as connection:
        try:
            source = None if name is None else _named(connection, name)
            keys = tuple(key for _, key in known_sessions(connection, source))
            counts = counted(connection)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise from_sqlite(error, path) from error
        found = _findings(connection, (path, head, unread), source)
        return use(Verified(place, counts, head.seq if head else 0, keys, found))


def _head(home: Path) -> tuple[Head | None, Fault | None]:
    try:
        return read_head(home), None
    except StoreCorrupt as error:
        return None, Fault(Code.LEDGER_BROKEN, "receipts", "", "", str(error))


def _findings(
    connection: sqlite3.Connection, read: tuple[Path, Head | None, Fault | None], source: str | None
) -> Iterator[Fault]:
    path, head, unread = read
    if unread is not None:
        yield unread
    for fault in faults(connection, path, head, source):
        if unread is None or "head beside" not in fault.message:
            yield fault
    try:
        for number, key in known_sessions(connection, source):
            yield from _files(connection, path.parent, number, key)
    except (sqlite3.Error, UnicodeDecodeError, ValueError):
        return  # told above: the store itself is damaged


def _named(connection: sqlite3.Connection, name: str) -> str:
    if name == LAST and (newest := newest_session(connection)) is not None:
        return newest
    keys = [key for _, key in known_sessions(connection)]
    fitting = [key for key in keys if key == name] or [
        key for key in keys if key.startswith(name) or key.partition(":")[2].startswith(name)
    ]
    if len(fitting) != 1:
        told = "no session is" if not fitting else f"{len(fitting)} sessions are"
        raise UsageError(f"{told} called {name}; ferrule sessions list shows the keys", code=Code.BAD_KEY)
    return fitting[0]


def _files(connection: sqlite3.Connection, home: Path, number: int, key: str) -> Iterator[Fault]:
    """The readable projection against the rows: a hand-edited one is never an error, but always told (CASE-N08)."""
    path = artifact_path(home, key)
    for kept in edited_files(home, key):
        yield _note(key, kept, "edited by hand and kept; ferrule memory import takes it in")
    try:
        if not path.is_file():
            if next(prototypes_of(connection, number), None) is not None:
                yield _note(key, path, "not there yet; the next review of the session makes it")
            return
        if path.stat().st_size > _LARGEST:
            yield _note(key, path, "too large to be ours")
            return
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        yield _note(key, path, f"cannot be read: {error.strerror}")
        return
    if not is_ours(text):
        yield _note(key, path, "edited by hand; it is kept beside when the next one is written")
    elif text != projection(tuple(prototypes_of(connection, number))):
        yield _note(key, path, "older than the store; the next review of the session makes it anew")


def _note(key: str, path: Path, message: str) -> Fault:
    return Fault(None, "projection", key, str(path), message)

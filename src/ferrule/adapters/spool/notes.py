"""What came of reported turns that were not queued is noted beside the spool, in one small file, for whoever asks.

Owns `left.jsonl`: one line a note, the newest last, never more than its bound. Notes name sessions and turns by their
ids and never quote a turn (INV-I6); one that cannot be written is lost. Knows nothing of reasons.
"""

import contextlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from ferrule.adapters.spool.folder import SPOOL

__all__ = ["Note", "note", "notes"]

_FILE = "left.jsonl"
_MAX_BYTES = 64 * 1024
_KEPT = 100
_MAX_REASON = 300
_SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True, slots=True)
class Note:
    """Why a reported turn is not reviewed, or what it waits for. `when` is seconds since the epoch."""

    client: str
    session: str
    turn: str
    reason: str
    waiting: bool
    when: float


def note(home: Path, one: Note) -> None:
    """Add a note; when there are too many, the oldest go."""
    path = home / SPOOL / _FILE
    cut = {**asdict(one), "reason": one.reason[:_MAX_REASON]}
    line = json.dumps(cut).encode("ascii") + b"\n"
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _SAFELY, 0o600)
        with os.fdopen(descriptor, "ab") as file:
            if os.fstat(file.fileno()).st_size + len(line) <= _MAX_BYTES:
                file.write(line)
                return
        kept = b"".join(row + b"\n" for row in _lines(path)[-_KEPT // 2 :])
        fresh = path.with_name(f".{_FILE}.{os.getpid()}.tmp")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _SAFELY, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(kept + line)
        fresh.replace(path)


def notes(home: Path) -> tuple[Note, ...]:
    """The newest note of each turn, oldest first."""
    found: dict[tuple[str, str, str], Note] = {}
    for row in _lines(home / SPOOL / _FILE):
        one = _note(row)
        if one is not None:
            found.pop((one.client, one.session, one.turn), None)
            found[one.client, one.session, one.turn] = one
    return tuple(found.values())[-_KEPT:]


def _lines(path: Path) -> list[bytes]:
    try:
        descriptor = os.open(path, os.O_RDONLY | _SAFELY)
    except OSError:
        return []
    with os.fdopen(descriptor, "rb") as file, contextlib.suppress(OSError):
        return file.read(2 * _MAX_BYTES).splitlines()
    return []


def _note(row: bytes) -> Note | None:
    try:
        value = json.loads(row)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    texts = [value.get(name) for name in ("client", "session", "turn", "reason")]
    when, waiting = value.get("when"), value.get("waiting")
    if not all(isinstance(text, str) for text in texts) or not isinstance(when, int | float):
        return None
    client, session, turn, reason = map(str, texts)
    return Note(client, session, turn, reason, waiting is True, float(when))

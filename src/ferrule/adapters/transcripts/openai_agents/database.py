"""The SQLite database of the OpenAI Agents SDK holds many sessions, each a list of items; what is too much is counted.

Owns which of its rows are read, and how much. Knows nothing of items.
"""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ferrule.adapters.transcripts.databases import fault, has_tables, opened
from ferrule.adapters.transcripts.lines import whole_texts

__all__ = ["StoredSession", "has_sessions", "stored_sessions"]

_MAX_SESSIONS = 10_000
_MAX_ITEMS = 200_000
_MAX_ITEM = 8 * 1024 * 1024
_MAX_BYTES = 64 * 1024 * 1024
_TABLES = ("agent_sessions", "agent_messages")
_NAMES = "select session_id from agent_sessions order by created_at desc, session_id desc limit ?"
_ITEMS = (
    "select case when length(message_data) <= ? then message_data end from agent_messages where session_id = ?"
    " order by id limit ?"
)


@dataclass(frozen=True, slots=True)
class StoredSession:
    """One session of the database: its id, and its items in the order in which they came."""

    id: str
    items: tuple[dict[str, Any], ...]
    unreadable: int = 0


def has_sessions(head: bytes) -> bool:
    """Whether the first pages of a database name the SDK's tables."""
    return all(name.encode() in head for name in _TABLES)


def stored_sessions(path: Path, warnings: list[str]) -> Iterator[StoredSession]:
    """The sessions of the database, newest first until 64 MiB were read; the others are counted.

    Args:
        path: the database; neither it nor anything beside it is written or locked.
        warnings: where it is said what was passed over.
    """
    try:
        with opened(path, "openai-agents", warnings) as link:
            if has_tables(link, _TABLES):
                yield from _sessions(link, warnings)
    except (sqlite3.Error, OSError, MemoryError) as error:
        warnings.append(f"openai-agents: the database cannot be read: {fault(error)}")


def _sessions(link: sqlite3.Connection, warnings: list[str]) -> Iterator[StoredSession]:
    names = [name for (name,) in link.execute(_NAMES, (_MAX_SESSIONS,)) if isinstance(name, str)]
    read = 0
    for number, name in enumerate(names):
        if read >= _MAX_BYTES:
            warnings.append(f"openai-agents: {len(names) - number} older sessions are not read")
            return
        session, size = _session(link, name)
        read += size
        yield session


def _session(link: sqlite3.Connection, name: str) -> tuple[StoredSession, int]:
    """A session, and the size of what was read for it."""
    items: list[dict[str, Any]] = []
    unreadable = size = 0
    for (data,) in link.execute(_ITEMS, (_MAX_ITEM, name, _MAX_ITEMS)):
        value = _parsed(data)
        size += len(data) if isinstance(data, str | bytes) else 0
        if isinstance(value, dict) and size <= 2 * _MAX_BYTES:
            items.append(value)
        else:
            unreadable += 1
    return StoredSession(name, tuple(items), unreadable), size


def _parsed(data: object) -> Any:  # noqa: ANN401 - any JSON value
    if not isinstance(data, str | bytes):
        return None
    try:
        return whole_texts(json.loads(data.decode("utf-8", "replace") if isinstance(data, bytes) else data))
    except (ValueError, RecursionError):
        return None

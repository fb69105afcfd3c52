"""The SQLite database of the OpenAI Agents SDK is read without a write, a lock that lasts, or trust in its rows.

Owns that reading. Knows nothing of items.
"""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ferrule.errors import Code, UnreadableInput

__all__ = ["StoredSession", "has_sessions", "stored_sessions"]

_MAX_SESSIONS = 10_000
_MAX_ITEMS = 200_000
_MAX_ITEM = 8 * 1024 * 1024
_TABLES = frozenset({"agent_sessions", "agent_messages"})


@dataclass(frozen=True, slots=True)
class StoredSession:
    """One session of the database: its id, and its items in the order in which they came."""

    id: str
    items: tuple[dict[str, Any], ...]
    unreadable: int = 0


def has_sessions(head: bytes) -> bool:
    """Whether the first pages of a database name the SDK's tables."""
    return all(name.encode() in head for name in _TABLES)


def stored_sessions(path: Path) -> Iterator[StoredSession]:
    """Every session of the database.

    Raises:
        UnreadableInput: it is damaged, busy for long, or has other tables.
    """
    try:
        link = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=2.0)
    except sqlite3.Error as error:
        raise UnreadableInput(f"{path} cannot be read: {error}", code=Code.IO_FAILED) from error
    try:
        link.execute("pragma query_only = on")
        names = link.execute(
            "select session_id from agent_sessions order by created_at, session_id limit ?", (_MAX_SESSIONS,)
        )
        for (name,) in names.fetchall():
            yield _session(link, str(name))
    except sqlite3.Error as error:
        raise UnreadableInput(f"{path} cannot be read: {error}", code=Code.IO_FAILED) from error
    finally:
        link.close()


def _session(link: sqlite3.Connection, name: str) -> StoredSession:
    rows = link.execute(
        "select message_data from agent_messages where session_id = ? and length(message_data) <= ?"
        " order by id limit ?",
        (name, _MAX_ITEM, _MAX_ITEMS),
    )
    items: list[dict[str, Any]] = []
    unreadable = 0
    for (data,) in rows:
        try:
            value = json.loads(data)
        except (TypeError, ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            items.append(value)
        else:
            unreadable += 1
    return StoredSession(name, tuple(items), unreadable)

"""Newer versions of OpenCode keep all sessions in one SQLite database, newest first.

Owns which of its rows are read, and how much. Knows nothing of turns.
"""

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ferrule.adapters.transcripts.databases import fault, has_tables, opened
from ferrule.adapters.transcripts.lines import whole_texts
from ferrule.adapters.transcripts.opencode.messages import Message, Talk

__all__ = ["is_database", "talks_of_database"]

_TABLES = ("session", "message", "part")
_CREATED = tuple(
    re.compile(rb"CREATE TABLE (?:IF NOT EXISTS )?[`\"\[]?" + name.encode() + rb"[`\"\]]?\s{0,8}\(", re.IGNORECASE)
    for name in _TABLES
)
_MAX_SESSIONS = 5_000
_MAX_BYTES = 64 * 1024 * 1024
_MAX_VALUE = 16 * 1024 * 1024
_WANTED = ("id", "parent_id", "directory", "title", "revert", "time_updated")
_MESSAGES = (
    "SELECT id, CASE WHEN length(data) <= ? THEN data END FROM message WHERE session_id = ? "
    "ORDER BY time_created DESC, id DESC"
)
# Ids first, then each part by its key: no version's indexes are relied on, and of a large session only the end is read.
_PARTS = "SELECT id, message_id FROM part WHERE session_id = ?"
_PART = "SELECT CASE WHEN length(data) <= ? THEN data END FROM part WHERE id = ?"


def is_database(head: bytes) -> bool:
    """Whether the beginning of a SQLite file shows the tables of OpenCode."""
    return all(pattern.search(head) for pattern in _CREATED)


def talks_of_database(path: Path, warnings: list[str]) -> Iterator[Talk]:
    """The sessions of a database, newest first until 64 MiB were read; the others are counted.

    Args:
        path: the database; neither it nor anything beside it is written or locked.
        warnings: where it is said what was passed over.
    """
    try:
        with opened(path, "opencode", warnings) as connection:
            yield from _Rows(connection, warnings).talks()
    except (sqlite3.Error, OSError, MemoryError) as error:
        warnings.append(f"opencode: the database cannot be read: {fault(error)}")


class _Rows:
    """The rows of one database, up to a size."""

    def __init__(self, connection: sqlite3.Connection, warnings: list[str]) -> None:
        self._connection = connection
        self._warnings = warnings
        self._bytes = 0
        self._broken = 0

    def talks(self) -> Iterator[Talk]:
        """The newest sessions that fit; what does not is told at the end."""
        if not has_tables(self._connection, _TABLES):
            return
        sessions, read = self._sessions(), 0
        for info in sessions:
            if self._bytes >= _MAX_BYTES:
                break
            yield Talk(info, self._messages(info["id"]))
            read += 1
        if read < len(sessions):
            advice = "export one with `opencode export <session>`"
            self._warnings.append(f"opencode: {len(sessions) - read} older sessions are not read; {advice}")
        if self._broken:
            self._warnings.append(f"opencode: {self._broken} rows of the database could not be read")

    def _sessions(self) -> list[dict[str, Any]]:
        known = {row[1] for row in self._connection.execute("PRAGMA table_info(session)")}
        names = [name for name in _WANTED if name in known]
        order = "ORDER BY time_updated DESC" if "time_updated" in known else ""
        query = f"SELECT {', '.join(names)} FROM session {order} LIMIT {_MAX_SESSIONS}"  # noqa: S608 - names of ours
        rows = [dict(zip(names, row, strict=True)) for row in self._connection.execute(query)]
        return [_info(row) for row in rows if isinstance(row.get("id"), str)]

    def _messages(self, session: str) -> list[Message]:
        """The messages of a session; of one that is too large, the latest ones."""
        found: list[Message] = []
        parts: dict[object, list[str]] = {}
        for identity, message in self._connection.execute(_PARTS, (session,)):
            if isinstance(identity, str):
                parts.setdefault(message, []).append(identity)
        for identity, data in self._connection.execute(_MESSAGES, (_MAX_VALUE, session)):
            if self._bytes >= _MAX_BYTES:
                self._warnings.append("opencode: the beginning of a session is not read, it is too large")
                break
            value = self._object(data)
            if value is not None:
                found.append(
                    Message({**value, "id": identity, "sessionID": session}, self._parts(parts.get(identity, [])))
                )
        return found[::-1]

    def _parts(self, identities: list[str]) -> list[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = []
        for identity in sorted(identities):
            for (data,) in self._connection.execute(_PART, (_MAX_VALUE, identity)):
                value = self._object(data)
                if value is not None:
                    found.append({**value, "id": identity})
        return found

    def _object(self, data: object) -> dict[str, Any] | None:
        value = _parsed(data)
        self._bytes += len(data) if isinstance(data, str | bytes) else 0
        if not isinstance(value, dict):
            self._broken += 1
            return None
        return value


def _info(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of `session` as an export shows it."""
    return {
        "id": row["id"],
        "parentID": row.get("parent_id"),
        "directory": row.get("directory"),
        "title": row.get("title"),
        "revert": _parsed(row.get("revert")),
    }


def _parsed(data: object) -> Any:  # noqa: ANN401 - any JSON value
    if not isinstance(data, str | bytes):
        return None
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
    try:
        return whole_texts(json.loads(text))
    except (ValueError, RecursionError):
        return None

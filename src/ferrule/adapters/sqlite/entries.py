"""A session's readable file is made of entries, and a memory that stands as it stood costs next to nothing (D12).

Owns what is kept of entries between two makings of the file: each is good for exactly the row that it was made of.
Knows nothing of the file.
"""

import json
import sqlite3
import threading

from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.statements import statements
from ferrule.adapters.sqlite.stored import checked, prototype_of_row
from ferrule.memory.ports import Entry

__all__ = ["Entries"]

_SQL = statements("memories")
_SESSIONS, _ROWS = 16, 20_000


class Entries:
    """The entries of the sessions that were asked for last; safe to ask from several threads."""

    def __init__(self) -> None:
        self._of: dict[int, dict[str, tuple[tuple[object, ...], Entry]]] = {}
        self._lock = threading.Lock()

    def of(self, database: Database, session: int) -> tuple[Entry, ...]:
        """All entries of a session, oldest first.

        Raises:
            StoreCorrupt: a row is not what was written.
        """
        rows = database.rows(_SQL["memories"], {"session": session})
        with self._lock:
            before = self._of.pop(session, {})
        now: dict[str, tuple[tuple[object, ...], Entry]] = {}
        for row in rows:
            facts, held = tuple(row), before.get(row["name"])
            now[row["name"]] = held if held and held[0] == facts else (facts, _entry(checked(database, row)))
        with self._lock:
            self._of[session] = now
            while len(self._of) > 1 and (len(self._of) > _SESSIONS or sum(map(len, self._of.values())) > _ROWS):
                del self._of[next(iter(self._of))]
        return tuple(entry for _, entry in now.values())


def _entry(row: sqlite3.Row) -> Entry:
    """The entry of a row; whatever holds neither a quote nor a link is in the file as it was written."""
    if '"ref"' in row["properties"] or '\\"' in row["properties"]:
        from ferrule.memory.projection import entry_of  # noqa: PLC0415 - who only reads waits for no printer

        return entry_of(prototype_of_row(row), row["merged"])
    return Entry(row["name"], tuple(json.loads(row["bases"])), row["merged"])

"""A session's memories are read for recall alone: no lock of the home, no schema, one query for each session.

Owns opening a store only to read it, so that a client that starts never waits for a writer, a migration or a check, and
the way from rows to what recall tells. Knows nothing of ranking, budgets or clients.
"""

import json
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ferrule.adapters.sqlite.connected import Connected
from ferrule.adapters.sqlite.kin import find_session, kin_of, session_id, session_of
from ferrule.adapters.sqlite.sealing import seal
from ferrule.adapters.sqlite.statements import SCHEMA_VERSION, statements
from ferrule.bridge.details import Details, HandleView
from ferrule.referents.kinds import HandleKind
from ferrule.session.source import SourceSession

__all__ = ["Remembered", "reading"]

FILE_NAME = "ferrule.sqlite3"
BUSY_SECONDS = 0.25
MOST = 1000
_LATER = "AtTurn"
_SQL = statements("memories")
_SESSIONS = statements("sessions")


class Remembered:
    """The sessions of one store and what each remembers."""

    def __init__(self, database: Connected) -> None:
        self._database = database

    def session(self, key: str) -> SourceSession | None:
        """The stored session, or None."""
        return find_session(self._database, key)

    def kin(self, key: str) -> tuple[SourceSession, ...]:
        """The other members of a session's lineage in its repository, nearest first (R87)."""
        return tuple(session for _, session in kin_of(self._database, key))

    def memories(self, key: str) -> tuple[Details, ...]:
        """The memories of a session, newest first, with the handles that stand now; a damaged one is left out."""
        number = session_id(self._database, key)
        rows = self._database.rows(_SQL["recalled"], {"session": number or 0, "limit": MOST})
        return tuple(self._details(row) for row in rows if seal(dict(row)) == row["seal"])

    def sources(self) -> tuple[SourceSession, ...]:
        """Every session but companions, the one with the newest turn first."""
        return tuple(session_of(dict(row)) for row in self._database.rows(_SESSIONS["sessions"], {"hidden": 0}))

    def forgotten(self, key: str) -> tuple[str, ...]:
        """Identity keys, phrases and names that a person had forgotten in a session (D14)."""
        rows = self._database.rows(_SQL["tombstones"], {"session": session_id(self._database, key) or 0})
        return tuple(str(row[column]) for row in rows for column in ("mark", "name"))

    def _details(self, row: sqlite3.Row) -> Details:
        handles = tuple(
            HandleView(HandleKind(kind), value, own, key) for kind, value, own, key in json.loads(row["handles"])
        )
        if _LATER in row["properties"]:
            handles = self._standing(row, handles)
        return Details(
            call="",
            name=row["name"],
            known=True,
            bases=tuple(json.loads(row["bases"])),
            layer="session",
            handles=handles,
            modality="" if row["person"] else row["modality"],
            turn="" if row["person"] else row["turn"],
            at=row["at"] or "",
        )

    def _standing(self, row: sqlite3.Row, handles: tuple[HandleView, ...]) -> tuple[HandleView, ...]:
        """Of handles that had other values before, those that stand now, under their family's name."""
        from ferrule.ontology.current import current_view, family  # noqa: PLC0415 - for what changed only
        from ferrule.ontology.values import Property  # noqa: PLC0415 - see above

        origins = {
            found["property"]: _Origin(found["ordinal"], bool(found["by_user"]), bool(found["by_action"]))
            for found in self._database.rows(_SQL["provenance"], {"memory": row["id"]})
        }
        properties = [
            Property(name=name, type=kind, value=_comparable(value), declares=declares, assigned=assigned)
            for name, kind, value, declares, assigned in json.loads(row["properties"])
        ]
        carriers = {value.carried_by for value in current_view(properties, origins)}
        return tuple(
            HandleView(handle.kind, handle.value, family(handle.property), handle.key)
            for handle in handles
            if handle.property in carriers
        )


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where one value came from."""

    ordinal: int
    by_user: bool
    by_action: bool


def _comparable(value: Any) -> Any:  # noqa: ANN401 - any JSON value: which of them stands is told by equality alone
    return tuple(map(_comparable, value)) if isinstance(value, list) else value


@contextmanager
def reading(home: Path) -> Iterator[Remembered | None]:
    """What a home remembers, open for reading until the block ends; None where there is nothing that can be read.

    Nothing is made, migrated or checked. A store of another version is not read: whoever works with it says so.

    Raises:
        sqlite3.Error: it is damaged, or busy for longer than a quarter of a second.
    """
    path = home / FILE_NAME
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            yield None
            return
    except OSError:
        yield None
        return
    address = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY_SECONDS)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        yield Remembered(Connected(connection, path)) if version == SCHEMA_VERSION else None
    finally:
        connection.close()

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

from ferrule.adapters.sqlite.coding import prototype_from, read_handles
from ferrule.adapters.sqlite.connected import Connected
from ferrule.adapters.sqlite.home import FILE_NAME
from ferrule.adapters.sqlite.sessions import find_session, kin_of, session_id
from ferrule.adapters.sqlite.statements import SCHEMA_VERSION, statements
from ferrule.adapters.sqlite.stored import seal
from ferrule.bridge.values import Details, HandleView
from ferrule.ontology.current import current_view, family
from ferrule.ontology.values import LayerName
from ferrule.session.source import SourceSession

__all__ = ["Remembered", "reading"]

BUSY_SECONDS = 0.25
MOST = 1000
_SQL = statements("memories")


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

    def _details(self, row: sqlite3.Row) -> Details:
        handles = read_handles(row["handles"])
        if any(family(handle.property) != handle.property for handle in handles):
            prototype = prototype_from(row["name"], row["bases"], row["properties"], partial=bool(row["partial"]))
            carriers = {value.carried_by for value in current_view(prototype.properties, self._origins(row["id"]))}
            handles = tuple(
                HandleView(handle.kind, handle.value, family(handle.property), handle.key)
                for handle in handles
                if handle.property in carriers
            )
        return Details(
            call="",
            name=row["name"],
            known=True,
            bases=tuple(json.loads(row["bases"])),
            layer=LayerName.SESSION.value,
            handles=handles,
            modality="" if row["person"] else row["modality"],
            turn="" if row["person"] else row["turn"],
        )

    def _origins(self, memory: int) -> dict[str, "_Origin"]:
        rows = self._database.rows(_SQL["provenance"], {"memory": memory})
        return {
            row["property"]: _Origin(int(row["ordinal"]), bool(row["by_user"]), bool(row["by_action"])) for row in rows
        }


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where one value came from."""

    ordinal: int
    by_user: bool
    by_action: bool


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

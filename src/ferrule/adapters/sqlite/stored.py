"""A memory read from its row is the memory that was written, or the row is said to be damaged (CASE-N01, C11).

Owns reading whole memories. SQLite does not check what its pages hold: a flipped bit in a value would be served as the
truth. Knows nothing of how a memory is found.
"""

import sqlite3

from ferrule.adapters.sqlite.coding import prototype_from, read_handles
from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.sealing import seal
from ferrule.adapters.sqlite.statements import statements
from ferrule.bridge.values import HandleView
from ferrule.errors import StoreCorrupt
from ferrule.ontology.values import Prototype

__all__ = [
    "checked",
    "prototype_of_row",
    "seal",
    "stored_definition",
    "stored_handles",
    "stored_memory",
    "stored_prototype",
    "stored_prototypes",
]

_SQL = statements("memories")


def stored_memory(database: Database, session: int, name: str) -> sqlite3.Row | None:
    """The checked row of one memory, or None.

    Raises:
        StoreCorrupt: the row is not what was written; the others can still be read.
    """

    def read() -> sqlite3.Row | None:
        row = database.row(_SQL["memory"], {"session": session, "name": name})
        return None if row is None else checked(database, row)

    return database.kept(("memory", session, name), read)


def stored_prototype(database: Database, session: int, name: str) -> Prototype | None:
    """The merged prototype of exactly that name, or None."""
    row = stored_memory(database, session, name)
    return None if row is None else prototype_of_row(row)


def stored_prototypes(database: Database, session: int) -> tuple[Prototype, ...]:
    """All prototypes of a session, oldest first, in one read."""
    return tuple(
        prototype_of_row(checked(database, row)) for row in database.rows(_SQL["memories"], {"session": session})
    )


def stored_handles(database: Database, session: int, name: str) -> tuple[HandleView, ...]:
    """The handles of one memory, with the identity keys that they were admitted under."""
    row = stored_memory(database, session, name)
    return () if row is None else read_handles(row["handles"])


def stored_definition(database: Database, session: int, name: str) -> str:
    """The merged canonical definition of one memory, or empty."""
    row = stored_memory(database, session, name)
    return "" if row is None else str(row["merged"])


def prototype_of_row(row: sqlite3.Row) -> Prototype:
    """The merged prototype of a checked row."""
    return prototype_from(row["name"], row["bases"], row["properties"], partial=bool(row["partial"]))


def checked(database: Database, row: sqlite3.Row) -> sqlite3.Row:
    """The row, when it is what was written.

    Raises:
        StoreCorrupt: it is not.
    """
    facts = dict(row)
    if seal(facts) != facts["seal"]:
        raise StoreCorrupt(
            f"{database.path}: the memory {facts['name']!r:.80} is damaged; ferrule memory repair mends it"
        )
    return row

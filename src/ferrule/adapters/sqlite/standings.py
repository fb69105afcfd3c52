"""How lanes, instructions and catch-up stand, read in one query each.

Owns what `status` and the plans of catch-up read, and the manifests. Knows nothing of claims.
"""

import sqlite3
from collections.abc import Sequence

from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.lanes import clock_shift, instruction_from
from ferrule.adapters.sqlite.queueing import known_session
from ferrule.adapters.sqlite.sessions import session_id
from ferrule.adapters.sqlite.statements import statements
from ferrule.session.source import Instruction, LaneStanding

__all__ = [
    "add_to_manifest",
    "drop_manifest",
    "find_lanes",
    "first_due",
    "lane_instructions",
    "read_manifest",
    "result_markers",
]

_LANES = statements("lanes")
_SQL = statements("catching_up")


def find_lanes(database: Database, source: str | None, now: float) -> tuple[LaneStanding, ...]:
    """Every lane, or that of one source, the one with the newest commit first."""
    shift = clock_shift(database, now)
    rows = database.rows(_LANES["standings" if source is None else "standing"], {"source": source})
    return tuple(_standing(row, now, shift) for row in rows)


def first_due(database: Database) -> float | None:
    """When the next lane can be claimed; None when nothing waits."""
    row = database.row(_LANES["next_due"])
    return None if row is None or row[0] is None else float(row[0])


def lane_instructions(database: Database, source: str) -> tuple[Instruction, ...]:
    """Every instruction of a source, in the order of its lane."""
    return tuple(instruction_from(row) for row in database.rows(_LANES["instructions"], {"source": source}))


def result_markers(database: Database, source: str) -> tuple[str, ...]:
    """The result markers of a source's reviewed turns, in order."""
    return tuple(str(row["marker"]) for row in database.rows(_SQL["markers"], {"source": source}))


def read_manifest(database: Database, source: str) -> tuple[tuple[int, str], ...]:
    """(ordinal, key) of the turns in the manifest, oldest first."""
    return tuple((int(row["ordinal"]), str(row["turn"])) for row in database.rows(_SQL["manifest"], {"source": source}))


def add_to_manifest(database: Database, source: str, turns: Sequence[tuple[int, str]]) -> int:
    """Add turns to the manifest, inside a transaction; returns how many were new.

    Raises:
        UsageError: the source is not stored.
    """
    session = known_session(database, source)
    return sum(
        max(0, database.run(_SQL["put_manifest"], {"session": session, "ordinal": ordinal, "turn": turn}))
        for ordinal, turn in turns
    )


def drop_manifest(database: Database, source: str) -> int:
    """Forget the manifest, inside a transaction; returns how many turns it had."""
    session = session_id(database, source)
    return 0 if session is None else database.run(_SQL["drop_manifest"], {"session": session})


def _standing(row: sqlite3.Row, now: float, shift: float) -> LaneStanding:
    facts = dict(row)
    until = facts.pop("lease_until")
    held = until is not None and until - shift > now
    return LaneStanding(
        **facts
        | {
            "paused": bool(row["paused"]),
            "due": None if row["due"] is None else max(0.0, row["due"] - shift),
            "reviewing": row["reviewing"] if held else "",
            "holder": row["holder"] if held else "",
        }
    )

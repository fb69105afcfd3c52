"""Whole portfolios and whole lanes in one query each, and turns whose review no marker shows.

Owns what `companion.ports.OverviewStore` asks for, and reopening, which runs inside the caller's transaction. Knows
nothing of plans or of what is shown.
"""

from collections.abc import Mapping, Sequence

from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.statements import statements
from ferrule.session.source import Instruction, InstructionState, Origin
from ferrule.session.subscriptions import Companion

__all__ = ["all_companions", "all_instructions", "kept_turns", "reopen_turns", "turn_counts"]

_SQL = statements("overviews")


def all_companions(database: Database) -> tuple[Companion, ...]:
    """Every companion, oldest first."""
    return tuple(Companion(**dict(row)) for row in database.rows(_SQL["companions"]))


def turn_counts(database: Database) -> Mapping[str, int]:
    """How many turns are stored of each source."""
    return {str(row["source"]): int(row["turns"]) for row in database.rows(_SQL["turn_counts"])}


def kept_turns(database: Database, source: str) -> tuple[tuple[int, str], ...]:
    """(ordinal, key) of the turns whose text is still kept, in order."""
    return tuple(
        (int(row["ordinal"]), str(row["key"])) for row in database.rows(_SQL["kept_turns"], {"source": source})
    )


def all_instructions(database: Database, source: str) -> tuple[Instruction, ...]:
    """Every instruction of a source, in the order of its lane."""
    rows = database.rows(_SQL["instructions"], {"source": source})
    return tuple(
        Instruction(**dict(row) | {"origin": Origin(row["origin"]), "state": InstructionState(row["state"])})
        for row in rows
    )


def reopen_turns(database: Database, session: int, turns: Sequence[str]) -> int:
    """Let done instructions wait again and take what is left of their reviews away; returns how many.

    Whoever calls this counts the lane anew. Memories, writes and receipts stay: reviewing again adds nothing twice.
    """
    reopened = 0
    for turn in turns:
        facts = {"session": session, "turn": turn}
        if database.run(_SQL["reopen"], facts) > 0:
            database.run(_SQL["drop_review"], facts)
            reopened += 1
    if reopened:
        database.run(_SQL["count_reviewed"], {"session": session})
    return reopened

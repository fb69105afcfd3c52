"""One lane per source keeps order, one review at a time, and fences out a worker that lost its lease.

Owns instructions and lanes. Each function here runs inside the caller's transaction. A lease is measured by the clock,
but only the epoch decides whose commit counts (stack.md 1d, CASE-H08). Knows nothing of reviews.
"""

import sqlite3
from collections.abc import Sequence

from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.sessions import insert_session, session_id
from ferrule.adapters.sqlite.statements import statements
from ferrule.session.source import Instruction, InstructionState, LaneClaim, Origin, SourceSession

__all__ = ["add_instructions", "claim_oldest", "find_instruction", "give_back", "holds", "settle"]

_SQL = statements("lanes")
# A lease that starts this far in the future was given before the clock was set back: it no longer counts.
CLOCK_SLACK = 60.0


def find_instruction(database: Database, source: str, turn: str) -> Instruction | None:
    """The instruction for one turn, or None."""
    row = database.row(_SQL["instruction"], {"source": source, "turn": turn})
    return None if row is None else _instruction(row)


def add_instructions(
    database: Database,
    source: SourceSession,
    companion: SourceSession,
    turns: Sequence[tuple[int, str]],
    *,
    origin: Origin,
) -> tuple[Instruction, ...]:
    """Ensure source, child and lane, and one instruction per turn (R74, R75); returns them, old ones as they stand."""
    session = insert_session(database, source)
    insert_session(database, companion)
    database.run(_SQL["ensure_lane"], {"session": session})
    for ordinal, turn in turns:
        facts = {"session": session, "companion": companion.key, "turn": turn, "ordinal": ordinal}
        database.run(_SQL["add_instruction"], facts | {"origin": origin.value})
    database.run(_SQL["count_pending"], {"session": session})
    found = (find_instruction(database, source.key, turn) for _, turn in turns)
    return tuple(instruction for instruction in found if instruction is not None)


def claim_oldest(database: Database, source: str, *, now: float, until: float, attempts: int) -> LaneClaim | None:
    """Lease the lane for its oldest open instruction; none of an archived session is claimed (R98).

    Instructions that killed their worker too often are parked on the way.
    """
    session = session_id(database, source)
    lane = None if session is None else database.row(_SQL["lane"], {"session": session})
    if session is None or lane is None or lane["archived"] or _leased(lane, now):
        return None
    row = database.row(_SQL["oldest"], {"session": session})
    while row is not None and row["attempts"] >= attempts:
        reason = row["reason"] or "the review was begun and never finished, too often"
        settle(database, session, _instruction(row), InstructionState.PARKED, reason=reason)
        row = database.row(_SQL["oldest"], {"session": session})
    if row is None:
        return None
    found = _instruction(row)
    database.run(_SQL["lease"], {"session": session, "now": now, "until": until})
    values = {"id": found.id, "state": "claimed", "reason": found.reason, "attempts": found.attempts + 1}
    database.run(_SQL["settle"], values)
    claimed = find_instruction(database, source, found.turn) or found
    return LaneClaim(source=source, instruction=claimed, epoch=int(lane["epoch"]) + 1)


def holds(database: Database, claim: LaneClaim) -> int | None:
    """The session's row id while this claim is the lane's latest and its instruction still open, else None."""
    session = session_id(database, claim.source)
    lane = None if session is None else database.row(_SQL["lane"], {"session": session})
    if session is None or lane is None or lane["epoch"] != claim.epoch:
        return None
    standing = find_instruction(database, claim.source, claim.instruction.turn)
    return session if standing is not None and standing.state is InstructionState.CLAIMED else None


def settle(
    database: Database,
    session: int,
    instruction: Instruction,
    state: InstructionState,
    *,
    reason: str = "",
    attempted: bool = True,
) -> None:
    """Give an instruction its state and count the lane anew."""
    attempts = instruction.attempts if attempted else max(0, instruction.attempts - 1)
    values = {"id": instruction.id, "state": state.value, "reason": reason, "attempts": attempts}
    database.run(_SQL["settle"], values)
    database.run(_SQL["count_pending"], {"session": session})


def give_back(database: Database, session: int, claim: LaneClaim) -> None:
    """End the lease of a claim that `holds`."""
    database.run(_SQL["release_lane"], {"session": session, "epoch": claim.epoch})


def _leased(lane: sqlite3.Row, now: float) -> bool:
    return bool(lane["lease_until"] > now and lane["leased_at"] <= now + CLOCK_SLACK)


def _instruction(row: sqlite3.Row) -> Instruction:
    facts = dict(row)
    return Instruction(**facts | {"origin": Origin(row["origin"]), "state": InstructionState(row["state"])})

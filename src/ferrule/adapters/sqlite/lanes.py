"""One lane per source keeps order, one review at a time, and fences out a worker that lost its lease.

Owns claims and what becomes of them. Each function here runs inside the caller's transaction. A commit counts only with
the lane's latest epoch and before the lease's end (INV-I1); the clock says when a lane is due, never what comes first
in it (CASE-H08). Knows nothing of reviews.
"""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.sessions import session_id
from ferrule.adapters.sqlite.statements import statements
from ferrule.errors import Code, StoreError
from ferrule.session.source import Instruction, InstructionState, LaneClaim, Origin

__all__ = [
    "Asked",
    "Committed",
    "claim_lane",
    "claim_next_lane",
    "clock_shift",
    "close_claim",
    "end_claim",
    "find_instruction",
    "guarded",
    "instruction_from",
    "may_be_due",
    "renew_claim",
    "told_time",
]

_SQL = statements("lanes")
# Stamps are taken inside transactions, so they never run ahead of the clock unless it was set back.
CLOCK_SLACK = 1.0
_NEVER_FINISHED = "the review was begun and never finished, too often"


@dataclass(frozen=True, slots=True)
class Asked:
    """The terms of a claim: when it is made and ends, by whom, and how many attempts an instruction has."""

    now: float
    until: float
    attempts: int
    worker: str


@dataclass(frozen=True, slots=True)
class Committed:
    """What a lane keeps of the review that was committed last; `seq` is its newest receipt."""

    outcome: str
    at: str
    seq: int


def clock_shift(database: Database, now: float) -> float:
    """By how many seconds the clock was set back behind the lanes' newest stamp; 0 when it was not."""
    row = database.row(_SQL["newest_stamp"])
    ahead = 0.0 if row is None or row[0] is None else float(row[0]) - now
    return ahead if ahead > CLOCK_SLACK else 0.0


def told_time(database: Database, clock: Callable[[], float]) -> float:
    """The time, read inside the transaction; when the clock was set back, every lane's times follow it first.

    All of them by the same shift: who waited longest still does, a back-off or lease lasts as long as it would have.
    A clock set forward ends leases and back-offs early, which costs a repeated review and loses nothing (CASE-H08).
    """
    now = clock()
    shift = clock_shift(database, now)
    if shift:
        database.run(_SQL["set_back"], {"shift": shift})
    return now


def find_instruction(database: Database, source: str, turn: str) -> Instruction | None:
    """The instruction for one turn, or None."""
    row = database.row(_SQL["instruction"], {"source": source, "turn": turn})
    return None if row is None else instruction_from(row)


def instruction_from(row: sqlite3.Row) -> Instruction:
    """The instruction of a row that was selected as one."""
    facts = dict(row)
    return Instruction(**facts | {"origin": Origin(row["origin"]), "state": InstructionState(row["state"])})


def claim_lane(database: Database, source: str, asked: Asked) -> LaneClaim | None:
    """Claim in one source's lane, also during a back-off; None when it rests, is leased, or nothing waits."""
    session = session_id(database, source)
    return None if session is None else _claim(database, session, asked)


def may_be_due(database: Database, now: float) -> bool:
    """Whether asking for a claim is worth a transaction: a read, so that looking in vain keeps nobody from writing."""
    return database.row(_SQL["next_lane"], {"now": now}) is not None or clock_shift(database, now) > 0


def claim_next_lane(database: Database, asked: Asked) -> LaneClaim | None:
    """Claim in the lane that is due first. A lane in which nothing is left to claim stops being due on the way."""
    while True:
        row = database.row(_SQL["next_lane"], {"now": asked.now})
        if row is None:
            return None
        claim = _claim(database, int(row["session"]), asked)
        if claim is not None:
            return claim
        database.run(_SQL["refresh_lane"], {"session": row["session"], "now": asked.now})


def _claim(database: Database, session: int, asked: Asked) -> LaneClaim | None:
    """Lease the lane for its oldest open instruction (R2, R98); what killed its workers is parked (CASE-L01)."""
    lane = database.row(_SQL["lane"], {"session": session})
    if lane is None or lane["archived"] or lane["paused"] or _leased(lane, asked.now):
        return None
    if lane["claimed"] is not None:
        database.run(_SQL["unclaim"], {"id": lane["claimed"]})
    found = _oldest(database, session)
    while found is not None and found.attempts >= asked.attempts:
        _settle(database, found, InstructionState.PARKED, found.reason or _NEVER_FINISHED, failed=max(1, lane["epoch"]))
        found = _oldest(database, session)
    if found is None:
        database.run(_SQL["free_lane"], {"session": session, "now": asked.now, "due": asked.now})
        return None
    lease = {"session": session, "now": asked.now, "until": asked.until, "worker": asked.worker}
    database.run(_SQL["lease"], lease | {"instruction": found.id})
    _settle(database, found, InstructionState.CLAIMED, found.reason, attempts=found.attempts + 1)
    claimed = Instruction(
        id=found.id,
        source=found.source,
        companion=found.companion,
        turn=found.turn,
        ordinal=found.ordinal,
        origin=found.origin,
        state=InstructionState.CLAIMED,
        attempts=found.attempts + 1,
        reason=found.reason,
    )
    return LaneClaim(source=found.source, instruction=claimed, epoch=int(lane["epoch"]) + 1)


def renew_claim(database: Database, claim: LaneClaim, now: float, until: float) -> bool:
    """Prolong a lease that has not run out; False when it has, or another worker holds the lane."""
    lane = _held(database, claim)
    if lane is None or not _leased(lane, now):
        return False
    database.run(_SQL["renew"], {"session": lane["session"], "now": now, "until": until})
    return True


def guarded(database: Database, claim: LaneClaim, now: float) -> int:
    """The session's row id, when this claim may commit: latest epoch, lease not over, source not archived.

    Raises:
        StoreError: `STALE_REVISION` when the lane was lost, by another's claim or by time; `WRONG_SESSION` when the
            source was archived meanwhile (CASE-F12, R98). The instruction waits in both cases.
    """
    lane = _held(database, claim)
    if lane is None or not _leased(lane, now):
        raise StoreError(
            f"{claim.source}: the review of {claim.instruction.turn} lost its lane: its lease ran out or another "
            "worker took over",
            code=Code.STALE_REVISION,
        )
    if lane["archived"]:
        raise StoreError(
            f"{claim.source}: archived while {claim.instruction.turn} was being reviewed; its turn waits until the "
            "session is brought back",
            code=Code.WRONG_SESSION,
        )
    return int(lane["session"])


def close_claim(database: Database, claim: LaneClaim, committed: Committed, *, session: int, now: float) -> None:
    """The review is committed: its instruction is done, its lane goes to the end of the line (R84)."""
    instruction = claim.instruction
    _settle(database, instruction, InstructionState.DONE, committed.outcome)
    facts = {"session": session, "turn": instruction.turn, "ordinal": instruction.ordinal}
    newest = {"outcome": committed.outcome, "at": committed.at, "seq": committed.seq}
    database.run(_SQL["reviewed"], facts | newest)
    database.run(_SQL["free_lane"], {"session": session, "now": now, "due": now})


def end_claim(
    database: Database, claim: LaneClaim, state: InstructionState, *, reason: str | None, now: float, due: float
) -> None:
    """Give the instruction another state than done, and the lane back; nothing when another worker holds the lane.

    Args:
        database: inside a transaction.
        claim: may have run out, as long as nobody took over: what it tells is still true.
        state: waiting or parked.
        reason: why it failed; None when it is given back as if it had not been attempted (CASE-J09).
        now: the time.
        due: when the lane can be claimed again.
    """
    lane = _held(database, claim)
    if lane is None:
        return
    instruction = claim.instruction
    if reason is None:
        attempts = max(0, instruction.attempts - 1)
        _settle(database, instruction, state, instruction.reason, attempts=attempts)
    else:
        _settle(database, instruction, state, reason, failed=claim.epoch)
    database.run(_SQL["free_lane"], {"session": lane["session"], "now": now, "due": due})


def _held(database: Database, claim: LaneClaim) -> sqlite3.Row | None:
    """The lane while this claim is its latest and not given back, else None."""
    session = session_id(database, claim.source)
    lane = None if session is None else database.row(_SQL["lane"], {"session": session})
    if lane is None or lane["epoch"] != claim.epoch or lane["claimed"] != claim.instruction.id:
        return None
    return lane


def _leased(lane: sqlite3.Row, now: float) -> bool:
    return lane["lease_until"] is not None and bool(lane["lease_until"] > now)


def _oldest(database: Database, session: int) -> Instruction | None:
    row = database.row(_SQL["oldest"], {"session": session})
    return None if row is None else instruction_from(row)


def _settle(
    database: Database,
    instruction: Instruction,
    state: InstructionState,
    reason: str,
    *,
    attempts: int | None = None,
    failed: int | None = None,
) -> None:
    """Give an instruction its state; `failed` None keeps when it failed last, unless it is done."""
    values = {
        "id": instruction.id,
        "state": state.value,
        "reason": reason,
        "attempts": instruction.attempts if attempts is None else attempts,
        "failed": failed,
    }
    database.run(_SQL["settle"], values)

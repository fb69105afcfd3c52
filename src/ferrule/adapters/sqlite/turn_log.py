"""What became of the newest turns of a home: one query.

Owns the way from those rows to values. Knows nothing of how they are shown.
"""

import json
from dataclasses import dataclass

from ferrule.adapters.sqlite.connected import Connected
from ferrule.adapters.sqlite.statements import statements

__all__ = ["TurnLine", "turn_lines"]

_SQL = statements("turn_log")


@dataclass(frozen=True, slots=True)
class TurnLine:
    """One turn and what became of it.

    Attributes:
        source: its session.
        turn: its key.
        ordinal: its number in the session.
        at: when its review was committed, in UTC; empty when it was not reviewed.
        stored_at: when its text came, in seconds since the epoch.
        outcome: of its review, else how its instruction stands, else empty: it was never queued.
        reason: why it was not reviewed, as far as that is known.
        written: the names that were written.
        refused: how many writes were refused.
        candidates: how many things were looked at.
    """

    source: str
    turn: str
    ordinal: int
    at: str
    stored_at: float
    outcome: str
    reason: str
    written: tuple[str, ...] = ()
    refused: int = 0
    candidates: int = 0


def turn_lines(database: Connected, limit: int) -> tuple[TurnLine, ...]:
    """The turns that came last, of whichever session, the oldest of them first."""
    rows = database.rows(_SQL["turn_log"], {"limit": limit})
    found: list[TurnLine] = []
    for row in rows:
        body = _object(row["body"])
        written = body.get("written")
        found.append(
            TurnLine(
                source=row["source"],
                turn=row["turn"],
                ordinal=row["ordinal"],
                at=row["at"] or "",
                stored_at=row["stored_at"],
                outcome=row["outcome"] or row["state"] or "",
                reason=str(body.get("reason") or "") if row["outcome"] else row["reason"] or "",
                written=tuple(str(one.get("prototype", "")) for one in written if isinstance(one, dict))
                if isinstance(written, list)
                else (),
                refused=_count(body.get("refused")),
                candidates=_count(body.get("candidates")),
            )
        )
    return tuple(reversed(found))


def _object(body: str | None) -> dict[str, object]:
    try:
        value = json.loads(body) if body else {}
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _count(value: object) -> int:
    return len(value) if isinstance(value, list) else 0

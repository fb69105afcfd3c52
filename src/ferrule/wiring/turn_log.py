"""What became of every turn that is known: those that are stored, and those that were reported and could not be kept.

Owns putting the two together in the order of time. Knows nothing of how they are shown.
"""

import contextlib
from dataclasses import dataclass, replace
from datetime import datetime

from ferrule.session.keys import session_key
from ferrule.wiring.home import Home
from ferrule.wiring.spooling import spool_standing

__all__ = ["LogLine", "logged"]

NOT_REVIEWED = "not reviewed"


@dataclass(frozen=True, slots=True)
class LogLine:
    """One turn.

    Attributes:
        when: when that became of it, in seconds since the epoch.
        source: its session.
        turn: its key, or the client's own id of one that is not stored.
        ordinal: its number in the session; None for one that is not stored.
        outcome: `wrote`, `nothing`, how its instruction stands, or `not reviewed`.
        reason: why, where it is known.
        written: the names that were written.
        refused: how many writes were refused.
        candidates: how many things were looked at.
    """

    when: float
    source: str
    turn: str
    ordinal: int | None
    outcome: str
    reason: str = ""
    written: tuple[str, ...] = ()
    refused: int = 0
    candidates: int = 0


def logged(home: Home, limit: int) -> tuple[LogLine, ...]:
    """The newest turns of every session, the newest last; at most so many."""
    found = [
        LogLine(
            when=_seconds(line.at) or line.stored_at,
            source=line.source,
            turn=line.turn,
            ordinal=line.ordinal,
            outcome=line.outcome or NOT_REVIEWED,
            reason=line.reason if line.outcome else _why_not(home, line.source),
            written=line.written,
            refused=line.refused,
            candidates=line.candidates,
        )
        for line in home.store.turn_log(limit)
    ]
    stored = {(line.source, line.turn): at for at, line in enumerate(found)}
    for one in spool_standing(home).notes:
        source = session_key(one.client, one.session)
        at = stored.get((source, one.turn))
        if at is None:
            found.append(LogLine(one.when, source, one.turn, None, "waiting" if one.waiting else "skipped", one.reason))
        elif found[at].outcome == NOT_REVIEWED and not one.waiting:
            found[at] = replace(found[at], reason=one.reason)
    found.sort(key=lambda line: line.when)
    return tuple(found[-limit:])


def _why_not(home: Home, source: str) -> str:
    """Why a stored turn of a session has no instruction, as the session stands now."""
    subscription = home.store.subscription(source)
    if subscription is None:
        return "the session is not attached: a thumbs-up, or ferrule attach"
    return "" if subscription.enabled else "the session was detached: ferrule attach follows it again"


def _seconds(at: str) -> float:
    with contextlib.suppress(ValueError):
        return datetime.fromisoformat(at).timestamp() if at else 0.0
    return 0.0

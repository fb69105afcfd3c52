"""What waits in a lane, and whether the lane may be served: queued, withdrawn, paused, archived, let wait again.

Owns instructions before a worker claims them. Each function runs inside the caller's transaction. Knows nothing of
claims' outcomes or reviews.
"""

from collections.abc import Sequence

from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.lanes import find_instruction
from ferrule.adapters.sqlite.sessions import insert_session, session_id
from ferrule.adapters.sqlite.statements import statements
from ferrule.errors import Code, UsageError
from ferrule.session.source import Instruction, Origin, SourceSession

__all__ = ["add_instructions", "archive_session", "known_session", "pause_lane", "reopen", "unpark", "withdraw"]

_SQL = statements("lanes")
_SESSIONS = statements("sessions")
_CATCHING_UP = statements("catching_up")


def known_session(database: Database, source: str) -> int:
    """The row id of a stored session.

    Raises:
        UsageError: it is not stored.
    """
    session = session_id(database, source)
    if session is None:
        raise UsageError(f"{source}: unknown session", code=Code.BAD_KEY)
    return session


def add_instructions(
    database: Database,
    pair: tuple[SourceSession, SourceSession],
    turns: Sequence[tuple[int, str]],
    *,
    origin: Origin,
    now: float,
) -> tuple[Instruction, ...]:
    """Ensure source, child and lane, and one instruction per turn (R74, R75); returns them as they stand."""
    source, companion = pair
    session = insert_session(database, source)
    insert_session(database, companion)
    database.run(_SQL["ensure_lane"], {"session": session})
    first = _first(database, session)
    for ordinal, turn in turns:
        facts = {"session": session, "companion": companion.key, "turn": turn, "ordinal": ordinal}
        database.run(_SQL["add_instruction"], facts | {"origin": origin.value})
    _refresh(database, session, now, first)
    found = (find_instruction(database, source.key, turn) for _, turn in turns)
    return tuple(instruction for instruction in found if instruction is not None)


def withdraw(database: Database, source: str, origins: Sequence[Origin], now: float) -> int:
    """Withdraw what waits of these origins (R96); one whose worker let its lease run out waits too."""
    session = session_id(database, source)
    lane = None if session is None else database.row(_SQL["lane"], {"session": session})
    if lane is None:
        return 0
    if lane["claimed"] is not None and (lane["lease_until"] or 0.0) <= now:
        database.run(_SQL["unclaim"], {"id": lane["claimed"]})
        database.run(_SQL["free_lane"], {"session": session, "now": now, "due": now})
    first = _first(database, lane["session"])
    withdrawn = sum(
        database.run(_SQL["withdraw"], {"session": session, "origin": origin.value})
        for origin in dict.fromkeys(origins)
    )
    _refresh(database, lane["session"], now, first)
    return withdrawn


def pause_lane(database: Database, source: str, *, paused: bool, now: float) -> None:
    """Let a lane rest, or go on at once.

    Raises:
        UsageError: the session is not stored.
    """
    session = known_session(database, source)
    database.run(_SQL["ensure_lane"], {"session": session})
    database.run(_SQL["pause"], {"session": session, "paused": int(paused)})
    _refresh(database, session, now)


def archive_session(database: Database, source: str, *, archived: bool, now: float) -> bool:
    """Archive a session or bring it back; its lane rests meanwhile (R98). False when it stood so already.

    Raises:
        UsageError: the session is not stored.
    """
    session = known_session(database, source)
    changed = database.run(_SESSIONS["archive"], {"session": session, "archived": int(archived)}) > 0
    if changed:
        _refresh(database, session, now)
    return changed


def unpark(database: Database, source: str, turn: str | None, now: float) -> int:
    """Let parked instructions wait again with fresh attempts; what they failed of stays told until they are done."""
    session = session_id(database, source)
    if session is None:
        return 0
    named = {"session": session} if turn is None else {"session": session, "turn": turn}
    first = _first(database, session)
    count = database.run(_SQL["unpark" if turn is None else "unpark_turn"], named)
    _refresh(database, session, now, first)
    return count


def reopen(database: Database, source: str, turns: Sequence[str], now: float) -> int:
    """Let done turns whose review no marker shows wait again; what is left of the review goes (R99)."""
    session = session_id(database, source)
    if session is None:
        return 0
    count = gone = 0
    for turn in dict.fromkeys(turns):
        named = {"session": session, "turn": turn}
        opened = database.run(_CATCHING_UP["reopen"], named)
        count += opened
        gone += database.run(_CATCHING_UP["drop_review"], named) if opened else 0
    database.run(_CATCHING_UP["uncount"], {"session": session, "count": gone})
    _refresh(database, session, now)
    return count


def _refresh(database: Database, session: int, now: float, first: int = 0) -> None:
    """A lane that begins to have work is due now; one that keeps having work keeps its place.

    A back-off is that of the turn that failed: when another one, `first` no longer, is the oldest, it does not wait.
    """
    database.run(_SQL["refresh_lane"], {"session": session, "now": now})
    if first and _first(database, session) != first:
        database.run(_SQL["end_back_off"], {"session": session, "now": now})


def _first(database: Database, session: int) -> int:
    """The oldest open instruction of a lane; 0 when none is."""
    return database.number(_SQL["first_open"], {"session": session})

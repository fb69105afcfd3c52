"""One session is found by its key, and with it the other sessions of its conversation (R87).

Owns those reads: recall needs no more of a store's sessions, and a client waits for it. Knows nothing of turns.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ferrule.adapters.sqlite.looking import Looking
from ferrule.adapters.sqlite.statements import statements
from ferrule.session.lineage import one_repository
from ferrule.session.source import SourceSession

__all__ = ["find_session", "kin_of", "session_id", "session_of", "sharing"]

_SQL = statements("sessions")


def session_id(database: Looking, key: str) -> int | None:
    """The row id of a session, or None."""
    row = database.kept(("session_id", key), lambda: database.row(_SQL["session_id"], {"key": key}))
    return None if row is None else int(row["id"])


def find_session(database: Looking, key: str) -> SourceSession | None:
    """The stored session, or None."""
    row = database.kept(("session", key), lambda: database.row(_SQL["session"], {"key": key}))
    return None if row is None else session_of(dict(row))


def kin_of(database: Looking, key: str) -> tuple[tuple[int, SourceSession], ...]:
    """The other members of a session's lineage in its repository with their row ids, nearest first (R87)."""
    own = find_session(database, key)
    if own is None or own.lineage is None:
        return ()
    found = []
    for row in database.rows(_SQL["lineage"], {"key": key}):
        facts = dict(row)
        found.append((int(facts.pop("id")), session_of(facts)))
    return tuple((number, other) for number, other in found if one_repository(own, other))


def sharing(database: Looking, session: SourceSession, turns: Sequence[str]) -> str | None:
    """The key of another session of the same client and folder in which one of these turns stands too, or None."""
    asked = {"client": session.client, "cwd": session.cwd, "key": session.key, "turns": json.dumps(list(turns))}
    row = database.row(_SQL["sharing"], asked) if session.client and session.cwd and turns else None
    return None if row is None else str(row["key"])


def session_of(row: Mapping[str, Any]) -> SourceSession:
    """The session of a row with all its facts and nothing else."""
    return SourceSession(**{**row, "hidden": bool(row["hidden"]), "archived": bool(row["archived"])})

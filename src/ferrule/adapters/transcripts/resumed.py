"""A resumed session repeats the turns of the one it continues: each turn belongs to the session that had it first.

Owns that choice, for files that are read together. Knows nothing of formats beyond their keys.
"""

from collections.abc import Iterable
from dataclasses import replace

from ferrule.session.imported import ImportedSession, SkippedTurn
from ferrule.session.turn import Turn

__all__ = ["without_copied_history"]

_DERIVED = 15  # the shortest derived key, `t1-` and twelve digits, says nothing across sessions


def without_copied_history(sessions: Iterable[ImportedSession]) -> tuple[ImportedSession, ...]:
    """The same sessions, each turn once: copies become `duplicate` (R92).

    Old versions of a client copy the history into a new file with a new session id on resume, under the same turn keys
    and times. The session whose last turn is oldest had them first. Sessions keep their order.
    """
    rows = list(sessions)
    seen: dict[tuple[str, str], str] = {}
    cleaned: dict[int, ImportedSession] = {}
    for at, session in sorted(enumerate(rows), key=lambda row: (_last(row[1]), row[0])):
        kept: list[Turn] = []
        copies: list[SkippedTurn] = []
        for turn in session.turns:
            key = (session.session.client, turn.key)
            if _is_derived(turn) or seen.setdefault(key, session.session.key) == session.session.key:
                kept.append(turn)
            else:
                copies.append(SkippedTurn(turn.key, "duplicate", turn.ordinal))
        cleaned[at] = replace(session, turns=tuple(kept), skipped=(*session.skipped, *copies)) if copies else session
    return tuple(cleaned[at] for at in range(len(rows)))


def _last(session: ImportedSession) -> str:
    return max((turn.completed_at or "" for turn in session.turns), default="")


def _is_derived(turn: Turn) -> bool:
    """Whether a key was derived from ordinal and text: two sessions may well begin with the same words."""
    head, dash, digest = turn.key.partition("-")
    return dash == "-" and head == f"t{turn.ordinal}" and len(digest) == 12 and len(turn.key) >= _DERIVED  # noqa: PLR2004 - keys.turn_key

"""Sessions and their immutable turns, as rows.

Owns creating and reading them, and dropping turn text after its retention. Knows nothing of lanes or memories.
"""

import hashlib
from collections.abc import Sequence

from ferrule.adapters.sqlite.coding import facts_of, packed, read_turn, turn_json, unpacked
from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.kin import find_session, kin_of, session_id, session_of
from ferrule.adapters.sqlite.statements import statements
from ferrule.errors import Code, StoreCorrupt, UsageError
from ferrule.session.source import SourceSession
from ferrule.session.turn import Turn

__all__ = [
    "all_sessions",
    "drop_body",
    "drop_old_bodies",
    "find_session",
    "has_old_bodies",
    "insert_session",
    "insert_turns",
    "is_sound",
    "kept_turns",
    "kin_of",
    "last_ordinal",
    "renew_turn",
    "session_id",
    "stored_turn",
    "turn_counts",
    "turn_keys",
    "turn_ordinal",
]

_SQL = statements("sessions")


def all_sessions(database: Database, *, hidden: bool) -> tuple[SourceSession, ...]:
    """All sessions, newest first."""
    return tuple(session_of(dict(row)) for row in database.rows(_SQL["sessions"], {"hidden": int(hidden)}))


def insert_session(database: Database, session: SourceSession) -> int:
    """Create a session or refresh its facts, inside a transaction; profile, parent and archived stay as stored.

    A session once known to continue another one stays in that lineage, whatever a later import shows (R87). The lineage
    is named after its eldest member: whoever continues this session moves with it.
    """
    facts = facts_of(session) | {"hidden": int(session.hidden), "archived": int(session.archived)}
    database.run(_SQL["put_session"], facts)
    if session.lineage is not None:
        database.run(_SQL["follow_lineage"], {"key": session.key})
    found = session_id(database, session.key)
    return found or 0


def insert_turns(database: Database, turns: Sequence[Turn], now: float) -> int:
    """Store turns inside a transaction; a stored turn never changes. Returns how many were new.

    The same turn come again gets back a text that went before it was reviewed.

    Raises:
        UsageError: a turn of a session that is not stored.
    """
    new = 0
    for turn in turns:
        session = session_id(database, turn.session)
        if session is None:
            raise UsageError(f"{turn.session}: unknown session", code=Code.BAD_KEY)
        body = turn_json(turn)
        facts: dict[str, object] = {
            "session": session,
            "key": turn.key,
            "ordinal": turn.ordinal,
            "now": now,
            "digest": _digest(body),
        }
        facts["body"] = packed(body)
        if database.run(_SQL["put_turn"], facts) > 0:
            new += 1
        else:
            database.run(_SQL["restore_body"], facts)
    return new


def renew_turn(database: Database, turn: Turn, now: float) -> bool:
    """Give a stored turn that nobody has begun to review this text, inside a transaction; False when it keeps its own.

    A client may go on with a turn that had ended once, when a hook of somebody else's asks for it.
    """
    body = turn_json(turn)
    session = session_id(database, turn.session)
    facts = {"session": session, "key": turn.key, "now": now, "digest": _digest(body), "body": packed(body)}
    return session is not None and database.run(_SQL["renew_turn"], facts) > 0


def stored_turn(database: Database, source: str, turn: str) -> Turn | None:
    """A stored turn, or None when unknown or past its retention."""
    row = database.row(_SQL["turn"], {"source": source, "turn": turn})
    if row is None:
        return None
    body = _sound(row["body"], row["digest"])
    if body is None:
        raise StoreCorrupt(f"{database.path}: the stored turn {turn!r:.80} is damaged; import its transcript again")
    return read_turn(body)


def turn_keys(database: Database, source: str) -> tuple[tuple[int, str], ...]:
    """(ordinal, key) of the stored turns, in order."""
    return tuple((int(row["ordinal"]), str(row["key"])) for row in database.rows(_SQL["turn_keys"], {"source": source}))


def kept_turns(database: Database, source: str) -> tuple[tuple[int, str], ...]:
    """(ordinal, key) of the stored turns whose text is still kept, in order."""
    return tuple(
        (int(row["ordinal"]), str(row["key"])) for row in database.rows(_SQL["kept_turns"], {"source": source})
    )


def turn_ordinal(database: Database, source: str, turn: str) -> int | None:
    """The ordinal of one stored turn, or None."""
    row = database.row(_SQL["turn_ordinal"], {"source": source, "turn": turn})
    return None if row is None else int(row["ordinal"])


def last_ordinal(database: Database, source: str) -> int:
    """The highest ordinal stored for a source, 0 when none is."""
    return database.number(_SQL["last_ordinal"], {"source": source})


def turn_counts(database: Database) -> dict[str, int]:
    """How many turns are stored of each source that has any."""
    return {str(row["key"]): int(row["turns"]) for row in database.rows(_SQL["turn_counts"])}


def has_old_bodies(database: Database, before: float) -> bool:
    """Whether any turn text was stored before that time; a read, so that looking does not wait for a writer."""
    return database.number(_SQL["any_old_body"], {"before": before}) > 0


def drop_old_bodies(database: Database, before: float) -> int:
    """Forget the text of turns stored before that time, unless a review still waits for it (D13)."""
    return max(0, database.run(_SQL["drop_old_bodies"], {"before": before}))


def drop_body(database: Database, source: str, turn: str) -> None:
    """Forget the text of one turn."""
    database.run(_SQL["drop_body"], {"source": source, "turn": turn})


def is_sound(stored: str | bytes, digest: str) -> bool:
    """Whether a stored body is what was stored."""
    return _sound(stored, digest) is not None


def _sound(stored: str | bytes, digest: str) -> str | None:
    """The text of a stored body, or None when it is not what was stored."""
    try:
        body = unpacked(stored)
    except ValueError:
        return None
    return body if _digest(body) == digest else None


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()

"""The part of the store that tells which sessions are of one conversation.

Owns no more than that; what each method does stands in the module it calls. Knows nothing of turns or lanes.
"""

from collections.abc import Sequence

from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.kin import kin_of, sharing
from ferrule.session.source import SourceSession

__all__ = ["SqliteKin"]


class SqliteKin:
    """The conversations of one home."""

    _database: Database

    def kin(self, key: str) -> tuple[SourceSession, ...]:
        """The other members of a session's lineage in its repository, nearest first (R87)."""
        return tuple(session for _, session in kin_of(self._database, key))

    def sharing(self, session: SourceSession, turns: Sequence[str]) -> str | None:
        """The key of another session of the same client and folder in which one of these turns stands too, or None."""
        return sharing(self._database, session, turns)

"""The part of the store that keeps sessions and turns.

Owns transactions and the clock for `sessions`; what each method does stands in the module it calls.
"""

from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager

from ferrule.adapters.sqlite import queueing, sessions
from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.lanes import told_time
from ferrule.session.source import SourceSession
from ferrule.session.turn import Turn

__all__ = ["SqliteSessions"]


class SqliteSessions:
    """Sessions and turns of one home."""

    _database: Database
    _clock: Callable[[], float]
    _kept_since: Callable[[], float]

    def unit(self) -> AbstractContextManager[None]:
        """One durable transaction over every method called inside by this thread: all of it, or nothing."""
        return self._database.unit()

    def looking(self) -> AbstractContextManager[Hashable]:
        """One view of the store over every question that this thread asks inside; a mark of how it stands."""
        return self._database.looking()

    def session(self, key: str) -> SourceSession | None:
        """The stored session, or None."""
        return sessions.find_session(self._database, key)

    def sessions(self, *, hidden: bool = False) -> tuple[SourceSession, ...]:
        """All sessions, the one with the newest turn first; hidden ones only when asked for (R1)."""
        return sessions.all_sessions(self._database, hidden=hidden)

    def put_session(self, session: SourceSession) -> None:
        """Create or refresh a session's facts."""
        with self._database.transaction():
            sessions.insert_session(self._database, session)

    def archive(self, key: str, *, archived: bool) -> bool:
        """Archive a session or bring it back; its lane rests meanwhile (R98). False when it stood so already."""
        with self._database.transaction():
            now = told_time(self._database, self._clock)
            return queueing.archive_session(self._database, key, archived=archived, now=now)

    def put_turns(self, turns: Sequence[Turn]) -> int:
        """Store completed turns; returns how many were new. Old texts past their retention go at the same time."""
        with self._database.transaction():
            sessions.drop_old_bodies(self._database, self._kept_since())
            return sessions.insert_turns(self._database, turns, self._clock())

    def renew_turn(self, turn: Turn) -> bool:
        """Give a stored turn that nobody has begun to review this text; False when it keeps its own."""
        with self._database.transaction():
            return sessions.renew_turn(self._database, turn, self._clock())

    def turn(self, session: str, key: str) -> Turn | None:
        """A stored turn, or None when unknown or past its retention."""
        return sessions.stored_turn(self._database, session, key)

    def turn_keys(self, source: str) -> tuple[tuple[int, str], ...]:
        """(ordinal, key) of the stored turns, in order."""
        return sessions.turn_keys(self._database, source)

    def turn_ordinal(self, source: str, turn: str) -> int | None:
        """The ordinal of one stored turn, or None; no other turn is read (R81, CASE-F13)."""
        return sessions.turn_ordinal(self._database, source, turn)

    def last_ordinal(self, source: str) -> int:
        """The highest ordinal stored for a source, 0 when none is."""
        return sessions.last_ordinal(self._database, source)

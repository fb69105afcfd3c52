"""The part of the store that reads many rows at once, for portfolios and plans: one query each.

Owns nothing but the way there; what each method does stands in the module it calls.
"""

from collections.abc import Mapping

from ferrule.adapters.sqlite import attachments, sessions, standings
from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.turn_log import TurnLine, turn_lines
from ferrule.session.source import Instruction
from ferrule.session.subscriptions import Companion

__all__ = ["SqliteOverview"]


class SqliteOverview:
    """Companions, turns and instructions of a home, however many there are."""

    _database: Database

    def companions(self) -> tuple[Companion, ...]:
        """Every companion, oldest first."""
        return attachments.all_companions(self._database)

    def turn_counts(self) -> Mapping[str, int]:
        """How many turns are stored of each source that has any."""
        return sessions.turn_counts(self._database)

    def kept_turns(self, source: str) -> tuple[tuple[int, str], ...]:
        """(ordinal, key) of the stored turns whose text is still kept, in order."""
        return sessions.kept_turns(self._database, source)

    def instructions(self, source: str) -> tuple[Instruction, ...]:
        """Every instruction of a source, whatever its state, in the order of its lane."""
        return standings.lane_instructions(self._database, source)

    def turn_log(self, limit: int) -> tuple[TurnLine, ...]:
        """What became of the turns that came last, of whichever source; the newest last."""
        return turn_lines(self._database, limit)

"""What an importer hands over: one session, its completed turns, and why the others were skipped.

Owns the values between a transcript format and the rest. Knows nothing of any format.
"""

from dataclasses import dataclass

from ferrule.session.source import SourceSession
from ferrule.session.turn import Turn

__all__ = ["ImportedSession", "SkippedTurn"]


@dataclass(frozen=True, slots=True)
class SkippedTurn:
    """A turn that is not reviewable, and why.

    Reasons: `interrupted open api-error command ui-command user-shell injected sidechain rolled-back no-outcome no-user
    unreadable-line duplicate`.
    """

    turn: str
    reason: str
    ordinal: int | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ImportedSession:
    """One session as read from one file or stream. Text is already scrubbed (D13).

    `numbered` is False when an ordinal is only the turn's number of arrival in this file, because the file names none.
    """

    session: SourceSession
    turns: tuple[Turn, ...]
    skipped: tuple[SkippedTurn, ...]
    format: str
    file: str = ""
    warnings: tuple[str, ...] = ()
    numbered: bool = True

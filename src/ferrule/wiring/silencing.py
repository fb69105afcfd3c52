"""Which places of a session count when a person has said where there is quiet.

Owns those: where it began, where its turn ran, where its calls did; and what is declined or passed over for them. Knows
nothing of how a person says it.
"""

from collections.abc import Iterable
from dataclasses import replace

from ferrule.companion.answers import Declined
from ferrule.errors import Code
from ferrule.session.imported import ImportedSession, SkippedTurn
from ferrule.session.silence import Silence
from ferrule.session.source import SourceSession
from ferrule.session.turn import Turn
from ferrule.wiring.home import Home
from ferrule.wiring.quiet_places import is_within, silence_of
from ferrule.wiring.settings import Quiet, read_quiet

__all__ = [
    "ANYWAY",
    "SILENT",
    "Silence",
    "heard",
    "is_within",
    "places_of_source",
    "places_of_turn",
    "refused",
    "silence_of",
]

SILENT = "project-off"
"""The reason of a turn that was passed over."""
ANYWAY = "on the command line --anyway does it all the same"


def refused(home: Home, source: str, session: SourceSession | None = None, turn: Turn | None = None) -> Declined | None:
    """Why an explicit command on a session is declined; None when it may go on, or a person wants it anyway.

    Raises:
        UsageError: the settings cannot be read.
    """
    if home.anyway:
        return None
    places = [*places_of_source(home, source), *places_of_turn(session, turn)]
    found = silence_of(home.path, places)
    return None if found is None else Declined(Code.NOT_ATTACHABLE, f"nothing of it is captured: {found}; {ANYWAY}")


def heard(home: Home, imported: ImportedSession) -> ImportedSession:
    """An imported session without the turns of which nothing is captured: those are skipped, with that reason.

    Raises:
        UsageError: the settings cannot be read.
    """
    quiet = Quiet() if home.anyway else read_quiet(home.path)
    session = imported.session
    around = [session.cwd, *places_of_source(home, session.key)]
    silent = {turn.key for turn in imported.turns if _is_silent(home, (*around, *places_of_turn(None, turn)), quiet)}
    skipped = [SkippedTurn(turn.key, SILENT, turn.ordinal) for turn in imported.turns if turn.key in silent]
    turns = tuple(turn for turn in imported.turns if turn.key not in silent)
    return replace(imported, turns=turns, skipped=(*imported.skipped, *skipped)) if silent else imported


def _is_silent(home: Home, places: Iterable[str | None], quiet: Quiet) -> bool:
    return not home.anyway and silence_of(home.path, places, quiet) is not None


def places_of_source(home: Home, source: str) -> tuple[str, ...]:
    """Where a stored session began."""
    stored = home.store.session(source) if source else None
    return (stored.cwd,) if stored is not None and stored.cwd else ()


def places_of_turn(session: SourceSession | None, turn: Turn | None) -> list[str | None]:
    """Where a session began and its turn and each of its calls ran, as far as that is known."""
    found = [] if session is None else [session.cwd]
    return found if turn is None else [*found, turn.place.cwd, turn.place.root, *(call.cwd for call in turn.calls)]

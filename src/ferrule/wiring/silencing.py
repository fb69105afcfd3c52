"""Whether anything of a place may be captured, asked anew each time: a person who says no is heard at once (R97).

Owns which places of a session count: where it began, where its turn ran, where its client was when the turn ended, each
with its repository. One that is silent is enough. Knows nothing of how a person says it.
"""

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ferrule.adapters.repositories.roots import places_of, says_off
from ferrule.companion.answers import Declined
from ferrule.errors import Code
from ferrule.session.imported import ImportedSession, SkippedTurn
from ferrule.session.silence import Silence, Silencer, covering
from ferrule.session.source import SourceSession
from ferrule.session.turn import Turn
from ferrule.wiring.home import Home
from ferrule.wiring.settings import Quiet, read_quiet

__all__ = [
    "ANYWAY",
    "SILENT",
    "Silence",
    "heard",
    "is_within",
    "places_of_source",
    "refused",
    "silence_of",
    "user_folder",
]

SILENT = "project-off"
"""The reason of a turn that was passed over."""
ANYWAY = "--anyway does it all the same"


def silence_of(home: Path, places: Iterable[str | None], quiet: Quiet | None = None) -> Silence | None:
    """Why nothing of these places is captured; None when it may be.

    Raises:
        UsageError: the settings cannot be read, so that nobody knows.
    """
    said = read_quiet(home) if quiet is None else quiet
    for place in dict.fromkeys(place for place in places if place and os.path.isabs(place)):  # noqa: PTH117 - text
        found = _silence(said, place)
        if found is not None:
            return found
    return None


def refused(home: Home, source: str, session: SourceSession | None = None, turn: Turn | None = None) -> Declined | None:
    """Why an explicit command on a session is declined; None when it may go on, or a person wants it anyway.

    Raises:
        UsageError: the settings cannot be read.
    """
    if home.anyway:
        return None
    places = [*places_of_source(home, source), *_places(session, turn)]
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
    silent = {turn.key for turn in imported.turns if _is_silent(home, (*around, *_places(None, turn)), quiet)}
    skipped = [SkippedTurn(turn.key, SILENT, turn.ordinal) for turn in imported.turns if turn.key in silent]
    turns = tuple(turn for turn in imported.turns if turn.key not in silent)
    return replace(imported, turns=turns, skipped=(*imported.skipped, *skipped)) if silent else imported


def _is_silent(home: Home, places: Iterable[str | None], quiet: Quiet) -> bool:
    return not home.anyway and silence_of(home.path, places, quiet) is not None


def places_of_source(home: Home, source: str) -> tuple[str, ...]:
    """Where a stored session began."""
    stored = home.store.session(source) if source else None
    return (stored.cwd,) if stored is not None and stored.cwd else ()


def is_within(place: str | None, folders: Iterable[str]) -> bool:
    """Whether a place belongs to one of these folders, by its repository or by where it is."""
    wanted = {str(Path(folder)) for folder in folders}
    return bool(wanted) and bool(place) and any(str(one) in wanted for one in places_of(place or ""))


def user_folder() -> str:
    """The person's own folder: what `~` stands for."""
    return os.environ.get("HOME") or os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises without a home


def _places(session: SourceSession | None, turn: Turn | None) -> list[str | None]:
    found = [] if session is None else [session.cwd]
    return found if turn is None else [*found, turn.place.cwd, turn.place.root, *(call.cwd for call in turn.calls)]


def _silence(said: Quiet, place: str) -> Silence | None:
    if said.off or said.ignore:
        around = [str(one) for one in places_of(place)]
        off = next((folder for folder in said.off if str(Path(folder)) in around), None)
        if off is not None:
            return Silence(Silencer.OFF, off)
        pattern = covering(said.ignore, around, user_folder())
        if pattern is not None:
            return Silence(Silencer.IGNORE, pattern)
    file = says_off(place)
    return None if file is None else Silence(Silencer.FILE, str(file))

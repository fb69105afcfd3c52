"""Whether anything of a place may be captured, asked anew each time: a person who says no is heard at once.

Owns reading what a person said, and that one silent place is enough. Standard library only, since the segment of a
status line asks too. Knows nothing of sessions or stores.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from ferrule.adapters.repositories.roots import places_of, says_off
from ferrule.session.silence import Silence, Silencer, covering
from ferrule.wiring.settings import Quiet, read_quiet

__all__ = ["is_within", "silence_of"]


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


def is_within(place: str | None, folders: Iterable[str]) -> bool:
    """Whether a place belongs to one of these folders, by its repository or by where it is."""
    wanted = {str(Path(folder)) for folder in folders}
    return bool(wanted) and bool(place) and any(str(one) in wanted for one in places_of(place or ""))


def _silence(said: Quiet, place: str) -> Silence | None:
    if said.off or said.ignore:
        around = [str(one) for one in places_of(place)]
        off = next((folder for folder in said.off if str(Path(folder)) in around), None)
        if off is not None:
            return Silence(Silencer.OFF, off)
        pattern = covering(said.ignore, around, _user())
        if pattern is not None:
            return Silence(Silencer.IGNORE, pattern)
    file = says_off(place)
    return None if file is None else Silence(Silencer.FILE, str(file))


def _user() -> str:
    """The person's own folder: what `~` stands for."""
    return os.environ.get("HOME") or os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises without a home

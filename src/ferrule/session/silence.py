"""A person says where nothing is captured: folders that are off, and patterns of folders.

Owns what such a pattern means and why a place is silent. A folder that is covered covers everything in it. Knows
nothing of disks, repositories or settings.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase

__all__ = ["MAX_PATTERN", "MAX_PATTERNS", "Silence", "Silencer", "covering", "fault_of"]

MAX_PATTERN, MAX_PATTERNS = 1024, 200
_ANY = "**"
_BEGINNINGS = ("/", "~/", f"{_ANY}/")
_MAX_PARTS, _MAX_STARS = 64, 8


class Silencer(StrEnum):
    """Who says so: the settings name the folder, a file in the repository, or a pattern of the settings."""

    OFF = "off"
    FILE = "off-file"
    IGNORE = "ignore"


@dataclass(frozen=True, slots=True)
class Silence:
    """Why nothing of a place is captured; `what` is the folder, the file or the pattern that says so."""

    by: Silencer
    what: str

    def __str__(self) -> str:
        match self.by:
            case Silencer.OFF:
                return f"{self.what} is off"
            case Silencer.FILE:
                return f"{self.what} says that it is off"
            case Silencer.IGNORE:
                return f"the ignore pattern {self.what} covers it"


def fault_of(pattern: str) -> str:
    """What is wrong with a pattern; empty when nothing is."""
    if len(pattern) > MAX_PATTERN or not pattern.isprintable():
        return f"a pattern is one line of at most {MAX_PATTERN} characters"
    if not pattern.startswith(_BEGINNINGS) and pattern != "~":
        return f"{pattern!r:.80} begins with none of {', '.join(_BEGINNINGS)}"
    if not {".", ".."}.isdisjoint(_parts(pattern)):
        return f"{pattern!r:.80} goes by . or .., which no folder is called; write the folder as it is"
    if max((part.count("*") for part in _parts(pattern) if part != _ANY), default=0) > _MAX_STARS:
        return f"{pattern!r:.80} has more than {_MAX_STARS} stars between two slashes"
    return "" if len(_parts(pattern)) <= _MAX_PARTS else f"{pattern!r:.80} has more than {_MAX_PARTS} parts"


def covering(patterns: Iterable[str], places: Sequence[str], user: str) -> str | None:
    """The first pattern that covers one of these folders; `~` is the user's own folder.

    `*` and `?` stay between two slashes, `**` stands for any number of folders, none included.
    """
    known = [_parts(place) for place in places]
    for pattern in patterns:
        meant = f"{user}{pattern[1:]}" if pattern == "~" or pattern.startswith("~/") else pattern
        wanted = _parts(meant)
        if any(_covers(wanted, place) for place in known):
            return pattern
    return None


def _parts(path: str) -> list[str]:
    return [part for part in path.replace("\\", "/").split("/") if part]


def _covers(pattern: Sequence[str], place: Sequence[str]) -> bool:
    """Whether the pattern matches the place or a folder that it is in: one pass, a set of states for each part."""
    states = _behind(pattern, {0})
    for part in place:
        if len(pattern) in states:
            return True
        after = {at for at in states if pattern[at] == _ANY}
        after |= {at + 1 for at in states if pattern[at] != _ANY and fnmatchcase(part, pattern[at])}
        states = _behind(pattern, after)
        if not states:
            return False
    return len(pattern) in states


def _behind(pattern: Sequence[str], states: set[int]) -> set[int]:
    """The states, and those that follow without a part, since `**` may stand for none."""
    found = set(states)
    for at in sorted(states):
        here = at
        while here < len(pattern) and pattern[here] == _ANY:
            here += 1
            found.add(here)
    return found

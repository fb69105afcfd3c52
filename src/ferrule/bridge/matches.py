"""Each answer of a search says by what it was found, as data and in words.

Owns the value and its sentence. Knows nothing of how a search is made, and stays light: recall loads it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Match", "MatchKind", "certainty", "is_certain", "told", "why_of"]

_NAMING = {"": "its name", "EntityName": "its name", "Aliases": "its aliases", "Alias": "its aliases"}

_LEAD = 2


class MatchKind(StrEnum):
    """Ways of finding, the surest first: only the first says that it is the very thing."""

    HANDLE = "handle"
    NAME = "name"
    ALIAS = "alias"
    WORDS = "words"
    FRAGMENT = "fragment"
    MEANING = "meaning"


_SURE = {MatchKind.HANDLE: 0, MatchKind.NAME: 1, MatchKind.ALIAS: 1, MatchKind.MEANING: 3}


@dataclass(frozen=True, slots=True)
class Match:
    """One thing by which a memory was found.

    Attributes:
        by: the way.
        text: the identity key, the name or alias as written, the words that stand whole, or the word that was asked
            for and is only a part of `said` or spelled nearly so; empty for a meaning.
        property: which property holds it; empty for the prototype's own name, and where none is known.
        said: of a fragment, the word of the memory that it led to.
        score: of a meaning, how near it is, from 0 to 1; 0 otherwise.
    """

    by: MatchKind
    text: str = ""
    property: str = ""
    said: str = ""
    score: float = 0.0


def certainty(matches: Sequence[Match]) -> int:
    """How sure a way of finding is, for answers of several readers: 0 the thing itself, then its name, leads, meaning.

    What says nothing of itself counts as a lead.
    """
    return min((_SURE.get(match.by, _LEAD) for match in matches), default=_LEAD)


def is_certain(matches: Sequence[Match]) -> bool:
    """Whether it was found by its handle, its name or an alias, and not by a lead."""
    return certainty(matches) < _LEAD


def told(match: Match) -> str:
    """In words, for people and agents."""
    where = _NAMING.get(match.property, match.property)
    match match.by:
        case MatchKind.HANDLE:
            return f"carries {match.text}{f' as {match.property}' if match.property else ''}"
        case MatchKind.NAME:
            return f'is called "{match.text}"'
        case MatchKind.ALIAS:
            return f'has the alias "{match.text}"'
        case MatchKind.WORDS:
            return f'"{match.text}" in {where}'
        case MatchKind.FRAGMENT:
            near = "is part of" if match.text in match.said else "is nearly"
            return f'"{match.text}" {near} "{match.said}" in {where}'
        case _:
            return f"similar in meaning ({match.score:.2f})"


def why_of(matches: Sequence[Match]) -> str:
    """All of it in one line."""
    return "; ".join(map(told, matches))

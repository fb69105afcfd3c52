"""A session as its file shows it, before a word of it is scrubbed; from it all turns are made, or just one.

Owns that choice, and what a turn takes over from the turns before it: place and branch. Of what is not chosen nothing
is scrubbed and nothing kept, which is what makes one turn of a long session cheap. Knows nothing of formats.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ferrule.adapters.transcripts.drafts import Draft, finished
from ferrule.adapters.transcripts.scrubbing import Scrub
from ferrule.referents.kinds import NOWHERE, Place
from ferrule.session.imported import ImportedSession, SkippedTurn
from ferrule.session.source import SourceSession
from ferrule.session.turn import Turn

__all__ = ["BEGINNING", "Drafted", "Start", "imported", "turn_at"]

_MAX_TITLE = 200


@dataclass(frozen=True, slots=True)
class Start:
    """Where in a session a reading begins: the first turn's ordinal, and the place and branch of the turn before."""

    ordinal: int = 1
    place: Place = NOWHERE
    branch: str | None = None


BEGINNING = Start()


@dataclass(frozen=True, slots=True)
class Drafted:
    """One session in the making. Its texts are not scrubbed: it may be neither stored nor shown.

    Attributes:
        session: its facts; the title is not scrubbed.
        drafts: its turns in order, completed or not, with their keys.
        aside: what is no turn of this session.
        start: what holds before the first turn.
        repository: the remote that the file names, as a URL.
        branch_after: the branch at the end of a turn, where the format tells it only once; None where each line does.
    """

    session: SourceSession
    drafts: tuple[Draft, ...]
    aside: tuple[SkippedTurn, ...] = ()
    start: Start = BEGINNING
    repository: str | None = None
    branch_after: Callable[[Turn], str | None] | None = None


def imported(drafted: Drafted, scrub: Scrub, name: str) -> ImportedSession:
    """The session with all its turns, scrubbed (D13); `name` is that of the format."""
    made = tuple(_made(drafted, lambda _: scrub))
    turns = tuple(one for one in made if isinstance(one, Turn))
    skipped = tuple(one for one in made if isinstance(one, SkippedTurn))
    return ImportedSession(_facts(drafted, turns, scrub), turns, (*drafted.aside, *skipped), name)


def turn_at(drafted: Drafted, index: int, scrub: Scrub) -> tuple[SourceSession, Turn | SkippedTurn]:
    """The session's facts and the turn at an index, scrubbed (D13).

    The turns before it are made unscrubbed, for their places and branches only, and dropped; what is taken over from
    them is scrubbed.
    """
    one: Turn | SkippedTurn | None = None
    for number, made in enumerate(_made(drafted, lambda at: scrub if at == index else str)):
        if number == index:
            one = made
            break
    if one is None:
        raise IndexError(index)
    if isinstance(one, Turn):
        one = replace(one, place=_clean(one.place, scrub), branch=scrub(one.branch) if one.branch else None)
    return _facts(drafted, (one,) if isinstance(one, Turn) else (), scrub), one


def _made(drafted: Drafted, scrub_at: Callable[[int], Scrub]) -> Iterator[Turn | SkippedTurn]:
    place, branch = drafted.start.place, drafted.start.branch
    for index, draft in enumerate(drafted.drafts):
        if drafted.branch_after is not None:
            draft.branch, draft.repository = branch, drafted.repository
        ordinal = drafted.start.ordinal + index
        made = finished(drafted.session.key, ordinal, draft, scrub=scrub_at(index), before=place)
        if isinstance(made, Turn):
            if drafted.branch_after is not None:
                branch = drafted.branch_after(made)
                made = replace(made, branch=branch)
            place = made.place
        yield made


def _facts(drafted: Drafted, turns: tuple[Turn, ...], scrub: Scrub) -> SourceSession:
    session = drafted.session
    shown = next((turn.place.repository for turn in turns if turn.place.repository), None)
    title = scrub(session.title)[:_MAX_TITLE] if session.title else ""
    return replace(session, title=title, repository=session.repository or shown)


def _clean(place: Place, scrub: Scrub) -> Place:
    root, repository = place.root, place.repository
    return Place(
        cwd=place.cwd,
        root=scrub(root) if root else None,
        repository=scrub(repository) if repository else None,
    )

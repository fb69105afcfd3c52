"""What was decided about the turns of a session, as the store kept it.

Owns finding reviews by session and turn. Knows nothing of how they are shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from ferrule.errors import Code, UsageError
from ferrule.wiring.home import Home
from ferrule.wiring.sessions import resolved

__all__ = ["SessionReviews", "chosen_turns", "reviews_of"]


@dataclass(frozen=True, slots=True)
class SessionReviews:
    """Reviews of one session in the order of its turns, and what the user said in each, while that is kept."""

    session: str
    reviews: tuple[dict[str, object], ...]
    titles: Mapping[str, str]


def reviews_of(home: Home, name: str, turn: str | None) -> SessionReviews:
    """The stored reviews of a session, or of one turn of it.

    Raises:
        UsageError: no such session, no such turn, or a turn that was not reviewed.
    """
    session = resolved(home, name)
    keys = chosen_turns(home.store.turn_keys(session.key), turn, session.key)
    found = [(key, review) for key in keys if (review := home.store.review(session.key, key)) is not None]
    if turn is not None and not found:
        raise UsageError(f"turn {turn} of {session.key} was not reviewed yet", code=Code.BAD_KEY)
    titles = {key: stored.user for key, _ in found if (stored := home.store.turn(session.key, key)) is not None}
    return SessionReviews(session.key, tuple(review for _, review in found), titles)


def chosen_turns(known: tuple[tuple[int, str], ...], turn: str | None, session: str) -> tuple[str, ...]:
    """The keys of all turns, or of the one with that key or ordinal; a key wins over an ordinal.

    Raises:
        UsageError: no such turn.
    """
    if turn is None:
        return tuple(key for _, key in known)
    found = [key for _, key in known if key == turn] or [key for ordinal, key in known if str(ordinal) == turn]
    if not found:
        raise UsageError(f"{session} has no completed turn {turn}", code=Code.BAD_KEY)
    return (found[0],)

"""A thumbs-up is an attach; neutral and down are kept and start nothing (R72).

Owns what a person's opinion of a turn leads to. Knows nothing of how it was given.
"""

from enum import StrEnum

from ferrule.companion.answers import Declined, FeedbackAnswer, Noted
from ferrule.companion.attaching import Terms, attach_in_unit, declined_turn
from ferrule.companion.binding import observed
from ferrule.companion.ports import CompanionStore
from ferrule.errors import Code
from ferrule.session.eligibility import Ineligible
from ferrule.session.keys import is_text
from ferrule.session.source import Origin

__all__ = ["Opinion", "give_feedback"]


class Opinion(StrEnum):
    """What a person thinks of a completed turn."""

    UP = "up"
    NEUTRAL = "neutral"
    DOWN = "down"


def give_feedback(
    store: CompanionStore, source: str, turn: str, opinion: Opinion, *, terms: Terms | None = None, now: float
) -> FeedbackAnswer:
    """Keep what a person thinks of a turn; a thumbs-up attaches and queues that turn, in the same unit (R72, CASE-H12).

    Neutral and down never attach and never detach; a later opinion replaces an earlier one and takes nothing back.

    Returns:
        `Attached` for a thumbs-up, `Noted` for the others, `Declined` as `attach` declines: then nothing is kept.
    """
    with store.unit():
        answer = _answer(store, source, turn, opinion, terms=terms, now=now)
        if not isinstance(answer, Declined) and store.feedback(source, turn) != opinion.value:
            store.put_feedback(source, turn, opinion.value)
        return answer


def _answer(
    store: CompanionStore, source: str, turn: str, opinion: Opinion, *, terms: Terms | None, now: float
) -> FeedbackAnswer:
    if opinion is Opinion.UP:
        return attach_in_unit(store, source, turn, Origin.THUMBS_UP, terms=terms, now=now)
    session = observed(store, source)
    if isinstance(session, Ineligible):
        return Declined(Code.NOT_ATTACHABLE, str(session))
    if not is_text(turn) or store.turn_ordinal(source, turn) is None:
        return declined_turn(source, turn, stored=False)
    return Noted(source, turn, opinion.value)

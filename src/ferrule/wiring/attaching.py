"""Attach, detach and feedback over a home: the text of the turn is kept, the companion decides, a worker is woken.

Owns that composition (R72-R79, R96). Nothing here waits for a review, and what is refused leaves nothing behind. Knows
nothing of how a command or a program asks for it.
"""

import math
import time
from dataclasses import dataclass

from ferrule.companion.answers import Attached, Attachment, Declined, Detached, FeedbackAnswer
from ferrule.companion.attaching import Choice, Terms, attach_in_unit
from ferrule.companion.attaching import detach as detach_source
from ferrule.companion.feedback import Opinion, give_feedback
from ferrule.errors import Code, UsageError
from ferrule.session.keys import is_text
from ferrule.session.source import InstructionState, Origin
from ferrule.session.subscriptions import Delivery
from ferrule.wiring.handover import Handed, keep, whole
from ferrule.wiring.home import Home
from ferrule.wiring.silencing import refused
from ferrule.wiring.webhookkey import webhook_key
from ferrule.wiring.working import wake

__all__ = ["OPINIONS", "Wish", "attach", "detach", "expiry", "feedback", "said", "turn_named"]

OPINIONS = tuple(opinion.value for opinion in Opinion)
NEVER_SECONDS = 100 * 365 * 86_400.0


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody who attaches asks for; what is left out stays as it was chosen before (R91).

    Attributes:
        reviewer: who reviews.
        provider: the provider of the reviewer's model.
        model: the reviewer's model.
        reasoning: the model's reasoning level.
        delivery: how the source's next events come.
        ttl: for how many seconds from now events are taken; a century or more is for good.
    """

    reviewer: str = ""
    provider: str = ""
    model: str = ""
    reasoning: str = ""
    delivery: Delivery | None = None
    ttl: float | None = None


def attach(
    home: Home, source: str, turn: str | None, wish: Wish | None = None, *, handed: Handed | None = None
) -> Attachment:
    """Attach the critic to a source and have exactly one completed turn of it reviewed; returns at once (R73, R77).

    Args:
        home: an open home.
        source: the source session's key.
        turn: the turn's key; None for the newest stored one.
        wish: reviewer, delivery and expiry.
        handed: the turn with its text, when it is not stored yet: then source and turn are its own.

    Raises:
        UsageError: `BAD_TOOL_ARGS` when the time to live is none.
        StoreError: the home cannot be written; nothing was changed.
    """
    now = time.time()
    terms = _terms(wish or Wish(), handed, now)
    source = source if handed is None else handed.session.key
    off = _off(home, source, handed)
    if off is not None:
        return off

    def decide() -> Attachment:
        key = _stored(home, source, turn, handed)
        answer = attach_in_unit(home.store, source, key, Origin.MANAGEMENT, terms=terms, now=now)
        return _explained(answer, source, key)

    answer = whole(home.store, decide)
    if isinstance(answer, Declined):
        return answer
    if answer.subscription.delivery is Delivery.WEBHOOK:
        webhook_key(home.path)  # there for whoever sets the sender up
    _wake_for(home, answer)
    return answer


def feedback(home: Home, source: str, turn: str, value: str, *, handed: Handed | None = None) -> FeedbackAnswer:
    """Keep what a person thinks of a turn; `up` attaches and queues it, `neutral` and `down` do not (R72).

    Raises:
        UsageError: `BAD_TOOL_ARGS` when the value is none of these.
        StoreError: the home cannot be written; nothing was changed.
    """
    if value not in OPINIONS:
        raise UsageError(f"feedback is {', '.join(OPINIONS)}, not {value!r:.40}", code=Code.BAD_TOOL_ARGS)
    now = time.time()
    terms = _terms(Wish(), handed, now)
    source = source if handed is None else handed.session.key
    off = _off(home, source, handed)
    if off is not None:
        return off

    def decide() -> FeedbackAnswer:
        key = _stored(home, source, turn, handed)
        return give_feedback(home.store, source, key, Opinion(value), terms=terms, now=now)

    answer = whole(home.store, decide)
    _wake_for(home, answer)
    return answer


def detach(home: Home, source: str) -> Detached | Declined:
    """Stop the reviews of a source's future turns; memory, child and choice stay (R96).

    Raises:
        StoreError: the home cannot be written; nothing was changed.
    """
    return detach_source(home.store, source)


def turn_named(home: Home, source: str, word: str | None) -> str | None:
    """The key of the turn that a person names by key or ordinal; the word itself when nothing stored is called so."""
    if word is None or not word.isdecimal() or home.store.turn_ordinal(source, word) is not None:
        return word
    return next((key for ordinal, key in home.store.turn_keys(source) if str(ordinal) == word), word)


def _off(home: Home, source: str, handed: Handed | None) -> Declined | None:
    """Declined where nothing is captured, unless a person wants it anyway."""
    if handed is None:
        return refused(home, source if is_text(source) else "")
    return refused(home, source, handed.session, handed.turn)


def _wake_for(home: Home, answer: FeedbackAnswer) -> None:
    """A worker is woken when there is something for it to do, and not started for an opinion or an old turn."""
    if isinstance(answer, Attached) and answer.instruction.state is InstructionState.WAITING:
        wake(home)


def said(home: Home, source: str, turn: str) -> str:
    """What the user said in a turn, while its text is kept."""
    stored = home.store.turn(source, turn)
    return "" if stored is None else stored.user


def expiry(ttl: float, now: float) -> float | None:
    """When something that lives for so many seconds expires; None for a century or more: never.

    Raises:
        UsageError: `BAD_TOOL_ARGS`: it is no number above 0.
    """
    if not ttl > 0:
        raise UsageError("a time to live is a number of seconds above 0", code=Code.BAD_TOOL_ARGS)
    return now + ttl if ttl < NEVER_SECONDS else None


def _terms(wish: Wish, handed: Handed | None, now: float) -> Terms:
    expires = None if wish.ttl is None else expiry(wish.ttl, now) or math.inf
    return Terms(
        choice=Choice(wish.reviewer, wish.provider, wish.model, wish.reasoning),
        delivery=wish.delivery,
        expires=expires,
        newest_ordinal=handed.newest if handed is not None and handed.placed else 0,
    )


def _stored(home: Home, source: str, turn: str | None, handed: Handed | None) -> str:
    """The key of the selected turn, after a handed one was kept; empty when nothing of the source is stored."""
    if handed is not None:
        return keep(home.store, handed).key
    if turn is not None or not is_text(source):
        return turn or ""
    return next((key for _, key in reversed(home.store.turn_keys(source))), "")


def _explained(answer: Attachment, source: str, key: str) -> Attachment:
    if not key and isinstance(answer, Declined) and answer.code is Code.TURN_NOT_COMPLETED:
        return Declined(answer.code, f"no completed turn of {source} is stored")
    return answer

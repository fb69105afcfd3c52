"""Attach ensures the hidden child, registers future turns, and queues exactly the selected one, or nothing (R72-R81).

Owns attach and detach. Both are one unit of the store and return at once: a review is a row, never a call, so they may
be called under the source's evaluate gate (R78). Whatever is refused changes nothing. Knows nothing of events' texts,
of workers, or of clocks: the time is handed in.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from ferrule.companion.answers import Attached, Attachment, Declined, Detached
from ferrule.companion.binding import companion_of, misbound, observed
from ferrule.companion.ports import CompanionStore
from ferrule.errors import Code
from ferrule.session.eligibility import NO_SESSION, Ineligible
from ferrule.session.keys import child_key, is_text
from ferrule.session.source import Instruction, InstructionState, Origin, SourceSession
from ferrule.session.subscriptions import Companion, Delivery, Subscription

__all__ = ["ATTACH_ORIGINS", "Choice", "Terms", "attach", "attach_in_unit", "declined_turn", "detach", "is_listening"]

ATTACH_ORIGINS = (Origin.THUMBS_UP, Origin.MANAGEMENT)
# What a detach takes back; imports and catch-up are asked for by themselves and stay.
_WITHDRAWN = (*ATTACH_ORIGINS, Origin.EVENT)
EMBEDDED = "embedded"
MAX_NAME = 200


@dataclass(frozen=True, slots=True)
class Choice:
    """The reviewer that a person chooses for a companion; what is blank stays as it was chosen before (R91)."""

    reviewer: str = ""
    provider: str = ""
    model: str = ""
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class Terms:
    """What an attach asks for beside the turn.

    Attributes:
        choice: with what the companion reviews.
        reviewers: the reviewers that this build has; another one is refused.
        delivery: how the source's events come; None leaves it as it is, `local` at first.
        expires: seconds since the epoch after which nothing is delivered; None leaves it as it is, infinity is never.
        newest_ordinal: the highest ordinal known beside what is stored, as the transcript at hand shows it.
    """

    choice: Choice = field(default_factory=Choice)
    reviewers: Collection[str] = (EMBEDDED,)
    delivery: Delivery | None = None
    expires: float | None = None
    newest_ordinal: int = 0


def attach(
    store: CompanionStore, source: str, turn: str, origin: Origin, *, terms: Terms | None = None, now: float
) -> Attachment:
    """Attach the critic to a source and have one completed turn of it reviewed (R72-R76, R79, R81).

    The turn's text must have reached the store before. Attaching again queues the turn named now, and leaves the
    subscription that stands where it began: nothing older than the first attach is ever reviewed by an event.

    Args:
        store: where everything of it stands or falls in one unit.
        source: the source session's key.
        turn: the key of the selected completed turn.
        origin: `thumbs-up` or `management`.
        terms: reviewer, delivery and expiry; all as before, or as by default, when None.
        now: seconds since the epoch.

    Returns:
        `Attached`, or `Declined` with `NOT_ATTACHABLE`, `TURN_NOT_COMPLETED` or `BAD_TOOL_ARGS` and nothing changed.
    """
    with store.unit():
        return attach_in_unit(store, source, turn, origin, terms=terms, now=now)


def attach_in_unit(
    store: CompanionStore, source: str, turn: str, origin: Origin, *, terms: Terms | None = None, now: float
) -> Attachment:
    """`attach` as a part of a unit that the caller has begun."""
    terms = terms or Terms()
    session = observed(store, source)
    if isinstance(session, Ineligible):
        return Declined(Code.NOT_ATTACHABLE, str(session))
    refused = _refused_terms(origin, terms, now) or misbound(store, source)
    if refused is not None:
        return refused
    if not is_text(turn):
        return declined_turn(source, turn, stored=False)
    before = store.instruction(source, turn)
    ordinal = store.turn_ordinal(source, turn)
    if ordinal is None or (_opens(before) and store.turn(source, turn) is None):
        return declined_turn(source, turn, stored=ordinal is not None)
    companion = _companion(store, session, terms.choice)
    subscription = _subscription(store, companion, terms, ordinal, now=now)
    (instruction,) = store.enqueue(session, companion_of(session), [(ordinal, turn)], origin)
    return Attached(companion, subscription, instruction, already=not _opens(before))


def detach(store: CompanionStore, source: str) -> Detached | Declined:
    """Stop the reviews of future turns and take back what waits; memory, child and its choice stay (R96).

    A turn that a worker holds is finished. Imports and catch-up, which were asked for by themselves, stay too. An
    archived or otherwise ineligible session can be detached; detaching twice is one detach.
    """
    with store.unit():
        if not is_text(source) or store.session(source) is None:
            return Declined(Code.NOT_ATTACHABLE, str(NO_SESSION))
        subscription = store.subscription(source)
        attached = subscription is not None and subscription.enabled
        if subscription is not None and subscription.enabled:
            store.put_subscription(replace(subscription, enabled=False))
        return Detached(source, store.withdraw(source, _WITHDRAWN), was_attached=attached)


def is_listening(subscription: Subscription | None, now: float) -> bool:
    """Whether a subscription is enabled and has not expired."""
    if subscription is None or not subscription.enabled:
        return False
    return subscription.expires is None or now < subscription.expires


def declined_turn(source: str, turn: str, *, stored: bool) -> Declined:
    """Declined because there is no completed turn to review: never stored, or its text is past its retention (R76)."""
    why = "its text is no longer kept" if stored else "no completed turn of that key is stored"
    return Declined(Code.TURN_NOT_COMPLETED, f"turn {turn!r:.80} of {source}: {why}")


def _opens(before: Instruction | None) -> bool:
    """Whether enqueueing makes the turn wait: it was never queued, or withdrawn before it was reviewed."""
    return before is None or before.state is InstructionState.WITHDRAWN


def _refused_terms(origin: Origin, terms: Terms, now: float) -> Declined | None:
    choice = terms.choice
    if origin not in ATTACH_ORIGINS:
        return Declined(Code.BAD_TOOL_ARGS, f"nobody attaches with the origin {origin.value}")
    if choice.reviewer and choice.reviewer not in terms.reviewers:
        known = ", ".join(sorted(terms.reviewers))
        return Declined(Code.BAD_TOOL_ARGS, f"there is no reviewer {choice.reviewer!r:.80} here; there is: {known}")
    names = (choice.provider, choice.model, choice.reasoning)
    if any(len(name) > MAX_NAME or not name.isprintable() for name in names):
        return Declined(Code.BAD_TOOL_ARGS, f"provider, model and reasoning are names of at most {MAX_NAME} characters")
    if terms.expires is not None and not terms.expires > now:
        return Declined(Code.BAD_TOOL_ARGS, "the subscription would have expired already")
    return None


def _companion(store: CompanionStore, session: SourceSession, choice: Choice) -> Companion:
    """Ensure the child and keep the choice; nothing is written when both stand as asked."""
    before = store.companion(session.key)
    old = before or Companion(child_key(session.key), session.key)
    companion = replace(
        old,
        reviewer=choice.reviewer or old.reviewer,
        provider=choice.provider or old.provider,
        model=choice.model or old.model,
        reasoning=choice.reasoning or old.reasoning,
    )
    if companion != before:
        store.put_companion(companion, companion_of(session))
    return companion


def _subscription(
    store: CompanionStore, companion: Companion, terms: Terms, ordinal: int, *, now: float
) -> Subscription:
    """The one enabled subscription. One that stands keeps where it began; a new or renewed one begins after history."""
    before = store.subscription(companion.source)
    standing = before if before is not None and is_listening(before, now) else None
    delivery = terms.delivery or (Delivery.LOCAL if before is None else before.delivery)
    expires = _expiry(terms.expires, None if standing is None else standing.expires)
    if standing is not None:
        after = replace(standing, delivery=delivery, expires=expires)
    else:
        newest = max(store.last_ordinal(companion.source), terms.newest_ordinal, ordinal)
        after = Subscription(
            companion.source, companion.key, newest + 1, expires=expires, delivery=delivery, created=now
        )
    if after != before:
        store.put_subscription(after)
    return after


def _expiry(asked: float | None, before: float | None) -> float | None:
    if asked is None:
        return before
    return None if math.isinf(asked) else asked

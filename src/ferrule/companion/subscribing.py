"""A subscription takes its source's completed turns by one road, from where it began, and nothing else (R79, R81).

Owns what an event is answered that is not to be queued: seen before, not for this companion, by another road, older
than the subscription. Everything here is a read inside a unit that the caller has begun. Knows nothing of how an event
came.
"""

from ferrule.companion.answers import Declined, Duplicate, Ignored
from ferrule.companion.attaching import declined_turn, is_listening
from ferrule.companion.binding import misbound, observed
from ferrule.companion.ports import CompanionStore
from ferrule.errors import Code
from ferrule.session.eligibility import Ineligibility, Ineligible
from ferrule.session.events import EventEnvelope, EventState, digest
from ferrule.session.keys import child_key
from ferrule.session.source import InstructionState, SourceSession
from ferrule.session.subscriptions import TURN_COMPLETED, Delivery, Subscription

__all__ = ["future_turn", "known_already", "subscribed"]


def known_already(store: CompanionStore, envelope: EventEnvelope) -> Duplicate | Declined | None:
    """What an event that was seen before is answered; None for a new one, or one that came to nothing then (R92)."""
    known = store.event(envelope.source, envelope.id)
    if known is None:
        return None
    if known.digest != digest(envelope):
        return Declined(Code.EVENT_TAMPERED, "an event of this source and id with other content was delivered before")
    if known.state is EventState.SETTLED and known.outcome in ("ignored", "declined"):
        return None
    return Duplicate(envelope.source, envelope.turn, "this event was delivered before")


def subscribed(
    store: CompanionStore, envelope: EventEnvelope, road: Delivery, *, now: float
) -> tuple[SourceSession, Subscription] | Ignored | Declined:
    """The source and the subscription that takes this event by this road, else what the event is answered."""
    if envelope.type != TURN_COMPLETED:
        return _ignored(envelope, f"only {TURN_COMPLETED} is subscribed to")
    session = observed(store, envelope.source)
    if isinstance(session, Ineligible):
        if session.why is Ineligibility.ARCHIVED:
            return _ignored(envelope, str(session))  # not refused for good: it may come back (R98)
        return Declined(Code.NOT_ATTACHABLE, str(session))
    if envelope.target not in ("", child_key(session.key)):
        return Declined(Code.WRONG_SESSION, "the event is meant for a session that is not this source's companion")
    subscription = store.subscription(session.key)
    if subscription is None or not is_listening(subscription, now):
        return _ignored(envelope, _why_deaf(subscription))
    return _wrong_road(subscription, road) or misbound(store, session.key) or (session, subscription)


def future_turn(
    store: CompanionStore, envelope: EventEnvelope, subscription: Subscription
) -> int | Duplicate | Ignored | Declined:
    """The ordinal of the event's turn when it is still to be queued, else what the event is answered (R81)."""
    before = store.instruction(envelope.source, envelope.turn)
    if before is not None and before.state is not InstructionState.WITHDRAWN:
        return Duplicate(envelope.source, envelope.turn, f"this turn was queued before, it is {before.state.value}")
    ordinal = store.turn_ordinal(envelope.source, envelope.turn)
    if ordinal is None:
        return declined_turn(envelope.source, envelope.turn, stored=False)
    if ordinal < subscription.first_ordinal:
        return _ignored(envelope, "the turn is older than the subscription")
    return ordinal


def _ignored(envelope: EventEnvelope, reason: str) -> Ignored:
    return Ignored(envelope.source, envelope.turn, reason)


def _why_deaf(subscription: Subscription | None) -> str:
    if subscription is None:
        return "the source is not attached"
    return "the subscription has expired" if subscription.enabled else "the source was detached"


def _wrong_road(subscription: Subscription, road: Delivery) -> Declined | None:
    if subscription.delivery is road:
        return None
    if subscription.delivery is Delivery.WEBHOOK:
        return Declined(Code.EVENT_TAMPERED, "the subscription takes signed webhook events only")
    wanted = subscription.delivery.value
    return Declined(Code.FORBIDDEN_ORIGIN, f"the event came by {road.value}, the subscription takes {wanted} only")

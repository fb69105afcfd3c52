"""How a source stands with its companion: attached or not, reviewed how far, what waits, what went wrong.

Owns the value that `status` shows and how it is gathered: a handful of queries for a whole portfolio, however many
sources there are (platform.md section 6). Knows nothing of workers, clocks apart from the time it is given, or words.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from ferrule.companion.manifests import reviewed_turns
from ferrule.companion.ports import CompanionStore
from ferrule.session.eligibility import declined
from ferrule.session.events import StoredEvent
from ferrule.session.source import LaneStanding, SourceSession
from ferrule.session.subscriptions import Companion, Subscription

__all__ = ["AttachmentState", "Standing", "portfolio", "standing_of"]

MAX_STUCK = 20  # events shown of one source


class AttachmentState(StrEnum):
    """Whether a source's next turns are reviewed by themselves."""

    ATTACHED = "attached"
    EXPIRED = "expired"
    DETACHED = "detached"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Standing:
    """One source and its companion.

    Attributes:
        session: the source as stored.
        attachment: whether the next turns are reviewed by themselves.
        declined: why the source is not observed at all (archived, a subagent …); empty when it may be.
        subscription: the standing order, enabled or not; None before the first attach.
        companion: who reviews it; None before the first attach.
        lane: how its lane stands.
        turns: how many turns are stored.
        reviewed: how many of them are reviewed.
        reviewing: ordinal of the turn that is being reviewed, where it was looked up; 0 otherwise.
        failed: ordinal of the turn of the lane's last error, where it was looked up; 0 otherwise.
        stuck: stored events that wait for their turn or came to nothing, newest first, where they were looked up.
    """

    session: SourceSession
    attachment: AttachmentState
    declined: str
    subscription: Subscription | None
    companion: Companion | None
    lane: LaneStanding
    turns: int
    reviewed: int
    reviewing: int = 0
    failed: int = 0
    stuck: tuple[StoredEvent, ...] = ()

    @property
    def caught_up(self) -> float:
        """The share of the stored turns that are reviewed, from 0 to 1; 1 when no turn is stored."""
        return 1.0 if not self.turns else min(1.0, self.reviewed / self.turns)


def standing_of(store: CompanionStore, session: SourceSession, now: float) -> Standing:
    """How one source stands; reviewed turns are counted by their result markers.

    Args:
        store: the store.
        session: the source as stored.
        now: seconds since the epoch, for subscriptions that expire.
    """
    keys = {key: ordinal for ordinal, key in store.turn_keys(session.key)}
    lane = store.lane(session.key) or LaneStanding(session.key)
    parent = store.session(session.parent) if session.parent is not None else None
    subscription = store.subscription(session.key)
    return Standing(
        session=session,
        attachment=_attachment(subscription, now),
        declined=declined(session, parent) or "",
        subscription=subscription,
        companion=store.companion(session.key),
        lane=lane,
        turns=len(keys),
        reviewed=len(keys.keys() & reviewed_turns(store, session.key)),
        reviewing=keys.get(lane.reviewing, 0),
        failed=keys.get(lane.last_error_turn, 0),
        stuck=store.stuck_events(session.key, MAX_STUCK),
    )


def portfolio(store: CompanionStore, now: float) -> tuple[Standing, ...]:
    """Every source of a home, attached ones first, then by recency; companions and other hidden ones never (R1).

    Reviewed turns are counted as the lanes count them: a commit keeps count and marker together.
    """
    return tuple(sorted(_all(store, now), key=lambda row: row.attachment is not AttachmentState.ATTACHED))


def _all(store: CompanionStore, now: float) -> Iterator[Standing]:
    known = store.sessions(hidden=True)
    by_key: Mapping[str, SourceSession] = {session.key: session for session in known}
    lanes = {lane.source: lane for lane in store.lanes()}
    subscriptions = {row.source: row for row in store.subscriptions()}
    companions = {row.source: row for row in store.companions()}
    turns = store.turn_counts()
    for session in known:
        if session.hidden:
            continue
        key = session.key
        lane = lanes.get(key) or LaneStanding(key)
        yield Standing(
            session=session,
            attachment=_attachment(subscriptions.get(key), now),
            declined=declined(session, by_key.get(session.parent or "")) or "",
            subscription=subscriptions.get(key),
            companion=companions.get(key),
            lane=lane,
            turns=turns.get(key, 0),
            reviewed=lane.reviewed,
        )


def _attachment(subscription: Subscription | None, now: float) -> AttachmentState:
    if subscription is None:
        return AttachmentState.NEVER
    if not subscription.enabled:
        return AttachmentState.DETACHED
    expired = subscription.expires is not None and subscription.expires <= now
    return AttachmentState.EXPIRED if expired else AttachmentState.ATTACHED

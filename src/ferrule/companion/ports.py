"""What the companion asks of a store: sessions, turns, attachments, events, and lanes that keep order and fencing.

Owns the ports; `adapters.sqlite` implements them and `tests/contracts` holds the suite that another store must pass.
A store reads its own clock; times here are seconds since the epoch.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from ferrule.session.events import StoredEvent
from ferrule.session.source import Instruction, LaneClaim, LaneStanding, Origin, SourceSession
from ferrule.session.subscriptions import Companion, Subscription
from ferrule.session.turn import Turn

__all__ = ["AttachmentStore", "CatchUpStore", "CompanionStore", "LaneStore", "OverviewStore", "SessionStore"]


class SessionStore(Protocol):
    """Sessions and their immutable turns."""

    def unit(self) -> AbstractContextManager[None]:
        """One durable transaction over every method called inside: all of it, or nothing when the block raises.

        Reads inside see what was decided before and keep others out, so that a decision and its effect cannot be
        parted. Keep it short; never review or call out inside.
        """
        ...

    def is_inside(self) -> bool:
        """Whether the calling thread is inside a transaction, where nobody may be called (CASE-M07)."""
        ...

    def session(self, key: str) -> SourceSession | None:
        """The stored session, or None."""
        ...

    def sessions(self, *, hidden: bool = False) -> tuple[SourceSession, ...]:
        """All sessions, the one with the newest turn first; hidden ones only when asked for (R1)."""
        ...

    def kin(self, key: str) -> tuple[SourceSession, ...]:
        """The other members of a session's lineage in its repository, nearest first (R87, design.md section 7)."""
        ...

    def sharing(self, session: SourceSession, turns: Sequence[str]) -> str | None:
        """The key of another session of the same client and folder in which one of these turns stands too, or None.

        Give keys that no two turns of a client share by chance.
        """
        ...

    def put_session(self, session: SourceSession) -> None:
        """Create or refresh a session's facts; profile, parent and archived of a stored one never change.

        A session that continues another one is of its lineage, named after the eldest member, from then on; those that
        continue it move with it, in whatever order the members come.
        """
        ...

    def archive(self, key: str, *, archived: bool) -> bool:
        """Archive a session or bring it back; its lane rests meanwhile (R98). False when it stood so already."""
        ...

    def put_turns(self, turns: Sequence[Turn]) -> int:
        """Store completed turns, immutable from then on; returns how many were new (INV-I4).

        A stored turn whose text went before it was reviewed gets it back when it is the same: catch-up may review it.
        """
        ...

    def renew_turn(self, turn: Turn) -> bool:
        """Give a stored turn that nobody has begun to review this text; False when it keeps its own.

        A client may go on with a turn that had ended once. Once a review has begun, its text never changes.
        """
        ...

    def turn(self, session: str, key: str) -> Turn | None:
        """A stored turn, or None when unknown or past its retention."""
        ...

    def turn_keys(self, source: str) -> tuple[tuple[int, str], ...]:
        """(ordinal, key) of the stored turns, in order."""
        ...

    def turn_ordinal(self, source: str, turn: str) -> int | None:
        """The ordinal of one stored turn, or None; one index look-up, no other turn is read (R81, CASE-F13)."""
        ...

    def last_ordinal(self, source: str) -> int:
        """The highest ordinal stored for a source, 0 when none is; one index look-up."""
        ...


class AttachmentStore(Protocol):
    """Companions, subscriptions, feedback and the events that came in."""

    def companion(self, source: str) -> Companion | None:
        """The companion of a source with the reviewer chosen for it, or None."""
        ...

    def put_companion(self, companion: Companion, child: SourceSession) -> None:
        """Ensure the child session and keep the companion's reviewer settings as given."""
        ...

    def subscription(self, source: str) -> Subscription | None:
        """The one `turn.completed` subscription of a source, enabled or not, or None."""
        ...

    def subscriptions(self) -> tuple[Subscription, ...]:
        """Every subscription, oldest first."""
        ...

    def put_subscription(self, subscription: Subscription) -> None:
        """Create the subscription, or give the one of that source, companion and event these values (R79)."""
        ...

    def put_feedback(self, source: str, turn: str, value: str) -> None:
        """Keep what a person thinks of a turn: `up`, `neutral` or `down`; the last one counts."""
        ...

    def feedback(self, source: str, turn: str) -> str:
        """What a person thinks of a turn; empty when nothing was said."""
        ...

    def event(self, source: str, event_id: str) -> StoredEvent | None:
        """A stored event by its source and its id, or None: each source counts its events as it likes (R92)."""
        ...

    def put_event(self, event: StoredEvent) -> bool:
        """Store an event, or renew all but envelope and digest of the one it is; True when it was new."""
        ...

    def received_events(self, limit: int) -> tuple[StoredEvent, ...]:
        """Events that were stored, not settled yet, and are due by now (`StoredEvent.due`), oldest first."""
        ...

    def events_waiting(self, source: str, most: int) -> int:
        """How many received events of a source wait to be dispatched; counting ends at `most`."""
        ...

    def next_event(self) -> float | None:
        """When the next received event is due, in the past when one is now; None when none waits."""
        ...

    def stuck_events(self, source: str, limit: int) -> tuple[StoredEvent, ...]:
        """Stored events of a source that wait for their turn, or were declined in the end; newest first."""
        ...


class LaneStore(Protocol):
    """One lane per source: the only truth about order and fencing."""

    def enqueue(
        self, source: SourceSession, companion: SourceSession, turns: Sequence[tuple[int, str]], origin: Origin
    ) -> tuple[Instruction, ...]:
        """One transaction: ensure the child, add one instruction per turn unless it exists (R74, R75, R92).

        A withdrawn instruction waits again, with the new origin; any other stays as it stands.
        """
        ...

    def withdraw(self, source: str, origins: Sequence[Origin]) -> int:
        """Withdraw the instructions of these origins that still wait; a claimed one is finished (R96)."""
        ...

    def claim(self, source: str, *, lease_seconds: float, attempts: int = 5, worker: str = "") -> LaneClaim | None:
        """Claim the oldest waiting instruction of one source and raise the lane's epoch; does not wait for a back-off.

        None when none waits, the lane is paused, the source archived, or another worker holds the lane. An instruction
        whose worker died in each of `attempts` attempts is parked on the way.
        """
        ...

    def claim_next(self, *, lease_seconds: float, attempts: int = 5, worker: str = "") -> LaneClaim | None:
        """Claim in the lane that has waited longest since it was served, or became due; None when no lane is due.

        The cost does not grow with the number of waiting lanes.
        """
        ...

    def renew(self, claim: LaneClaim, *, lease_seconds: float) -> bool:
        """Prolong a lease that has not run out; False when it has, or another worker holds the lane."""
        ...

    def release(self, claim: LaneClaim, *, delay_seconds: float = 0.0) -> None:
        """Give an unfinished instruction back, as if it had not been attempted; due after the delay.

        A delay is for what is nobody's failure and passes by itself: a source that is being evaluated (`GateBusy`).
        """
        ...

    def fail(self, claim: LaneClaim, reason: str, *, attempts: int, delay_seconds: float = 0.0) -> None:
        """Return the instruction to waiting with its reason, due after the delay, or park it after `attempts`."""
        ...

    def next_due(self) -> float | None:
        """When the next lane can be claimed, in the past when one can be now; None when nothing waits."""
        ...

    def pause(self, source: str, *, paused: bool) -> None:
        """Let a lane rest, or go on; what waits keeps its place."""
        ...

    def unpark(self, source: str, turn: str | None = None) -> int:
        """Let parked instructions (or the one of a turn) wait again with fresh attempts; returns how many."""
        ...

    def instruction(self, source: str, turn: str) -> Instruction | None:
        """The instruction for one turn, or None."""
        ...

    def lane(self, source: str) -> LaneStanding | None:
        """How the lane of a source stands, or None when nothing was ever queued."""
        ...

    def lanes(self) -> tuple[LaneStanding, ...]:
        """Every lane, the one with the newest commit first."""
        ...

    def review(self, session: str, turn: str) -> dict[str, object] | None:
        """The stored review of a turn in its JSON form (design.md section 8), or None."""
        ...


class CatchUpStore(Protocol):
    """The manifests of catch-up: which turns of a source a person asked to have reviewed afterwards (R99)."""

    def markers(self, source: str) -> tuple[str, ...]:
        """The result markers of a source's reviewed turns, in order of their turns."""
        ...

    def manifest(self, source: str) -> tuple[tuple[int, str], ...]:
        """(ordinal, key) of the turns in the source's manifest, oldest first; empty when there is none."""
        ...

    def put_manifest(self, source: str, turns: Sequence[tuple[int, str]]) -> int:
        """Add turns to the source's manifest; returns how many were new."""
        ...

    def drop_manifest(self, source: str) -> int:
        """Forget the source's manifest; returns how many turns it had. Reviews and queued turns stay."""
        ...

    def reopen(self, source: str, turns: Sequence[str]) -> int:
        """Let turns that are done wait again, because no result marker shows their review; returns how many.

        What is left of such a review goes; memories and receipts stay, so that reviewing again adds nothing twice.
        """
        ...


class OverviewStore(Protocol):
    """Many rows at once, for portfolios and plans: each method is one query, however many sources there are."""

    def companions(self) -> tuple[Companion, ...]:
        """Every companion, oldest first."""
        ...

    def turn_counts(self) -> Mapping[str, int]:
        """How many turns are stored of each source that has any."""
        ...

    def kept_turns(self, source: str) -> tuple[tuple[int, str], ...]:
        """(ordinal, key) of the stored turns whose text is still kept, in order; the others are past retention."""
        ...

    def instructions(self, source: str) -> tuple[Instruction, ...]:
        """Every instruction of a source, whatever its state, in the order of its lane."""
        ...


class CompanionStore(SessionStore, AttachmentStore, LaneStore, CatchUpStore, OverviewStore, Protocol):
    """Everything that the companion asks of a store."""

"""The part of the store that gives lanes to workers, keeps what waits in them, and tells how they stand.

Owns transactions and the clock for `lanes`, `queueing` and `standings`. Claims, renewals and releases are written
without a sync of their own (synchronous NORMAL for that transaction): a power cut that takes one back leaves an
unclaimed lane or an old lease, and the next durable commit syncs the log before it. Queuing, failures and commits are
FULL.
"""

from collections.abc import Callable, Sequence

from ferrule.adapters.sqlite import lanes, queueing, standings
from ferrule.adapters.sqlite.committing import stored_review
from ferrule.adapters.sqlite.database import Database
from ferrule.session.source import Instruction, InstructionState, LaneClaim, LaneStanding, Origin, SourceSession

__all__ = ["SqliteCatchUp", "SqliteLanes", "SqliteStandings"]


class SqliteLanes:
    """What a worker asks for, and what becomes of it."""

    _database: Database
    _clock: Callable[[], float]

    def claim(self, source: str, *, lease_seconds: float, attempts: int = 5, worker: str = "") -> LaneClaim | None:
        """Claim the oldest open instruction of a source and raise the lane's epoch, or None; waits for no back-off."""
        with self._database.transaction(durable=False):
            asked = self._asked(lease_seconds, attempts, worker)
            return lanes.claim_lane(self._database, source, asked)

    def claim_next(self, *, lease_seconds: float, attempts: int = 5, worker: str = "") -> LaneClaim | None:
        """Claim in the lane that is due first, or None; one index look-up, however many lanes wait."""
        if not lanes.may_be_due(self._database, self._clock()):
            return None
        with self._database.transaction(durable=False):
            return lanes.claim_next_lane(self._database, self._asked(lease_seconds, attempts, worker))

    def renew(self, claim: LaneClaim, *, lease_seconds: float) -> bool:
        """Prolong a lease that has not run out; False when it has, or another worker holds the lane."""
        with self._database.transaction(durable=False):
            now = lanes.told_time(self._database, self._clock)
            return lanes.renew_claim(self._database, claim, now, now + lease_seconds)

    def release(self, claim: LaneClaim, *, delay_seconds: float = 0.0) -> None:
        """Give an unfinished instruction back, as if it had not been attempted; due after the delay."""
        with self._database.transaction(durable=False):
            now = lanes.told_time(self._database, self._clock)
            due = now + max(0.0, delay_seconds)
            lanes.end_claim(self._database, claim, InstructionState.WAITING, reason=None, now=now, due=due)

    def fail(self, claim: LaneClaim, reason: str, *, attempts: int, delay_seconds: float = 0.0) -> None:
        """Return the instruction to waiting with its reason, due after the delay, or park it; not for a lost claim.

        A parked one holds nobody up: its lane is due at once.
        """
        parked = claim.instruction.attempts >= attempts
        state = InstructionState.PARKED if parked else InstructionState.WAITING
        with self._database.transaction():
            now = lanes.told_time(self._database, self._clock)
            due = now if parked else now + max(0.0, delay_seconds)
            lanes.end_claim(self._database, claim, state, reason=reason, now=now, due=due)

    def next_due(self) -> float | None:
        """When the next lane can be claimed, in the past when one can be now; None when nothing waits."""
        if lanes.clock_shift(self._database, self._clock()):
            # Lanes follow a clock that was set back now, not with the next claim: what passes until then counts.
            with self._database.transaction(durable=False):
                lanes.told_time(self._database, self._clock)
        return standings.first_due(self._database)

    def _asked(self, lease_seconds: float, attempts: int, worker: str) -> lanes.Asked:
        now = lanes.told_time(self._database, self._clock)
        return lanes.Asked(now, now + lease_seconds, attempts, worker)


class SqliteStandings:
    """What waits in a lane, and how it stands."""

    _database: Database
    _clock: Callable[[], float]

    def enqueue(
        self, source: SourceSession, companion: SourceSession, turns: Sequence[tuple[int, str]], origin: Origin
    ) -> tuple[Instruction, ...]:
        """Ensure the child and one instruction per turn, in one transaction (R74, R75, R92)."""
        with self._database.transaction():
            now = lanes.told_time(self._database, self._clock)
            return queueing.add_instructions(self._database, (source, companion), turns, origin=origin, now=now)

    def withdraw(self, source: str, origins: Sequence[Origin]) -> int:
        """Withdraw the instructions of these origins that still wait; a claimed one is finished (R96)."""
        with self._database.transaction():
            now = lanes.told_time(self._database, self._clock)
            return queueing.withdraw(self._database, source, origins, now)

    def pause(self, source: str, *, paused: bool) -> None:
        """Let a lane rest, or go on; what waits keeps its place."""
        with self._database.transaction():
            now = lanes.told_time(self._database, self._clock)
            queueing.pause_lane(self._database, source, paused=paused, now=now)

    def unpark(self, source: str, turn: str | None = None) -> int:
        """Let parked instructions (or the one of a turn) wait again with fresh attempts; returns how many."""
        with self._database.transaction():
            now = lanes.told_time(self._database, self._clock)
            return queueing.unpark(self._database, source, turn, now)

    def instruction(self, source: str, turn: str) -> Instruction | None:
        """The instruction for one turn, or None."""
        return lanes.find_instruction(self._database, source, turn)

    def lane(self, source: str) -> LaneStanding | None:
        """How the lane of a source stands, or None when nothing was ever queued or paused."""
        return next(iter(standings.find_lanes(self._database, source, self._clock())), None)

    def lanes(self) -> tuple[LaneStanding, ...]:
        """Every lane, the one with the newest commit first; two queries, however many there are."""
        return standings.find_lanes(self._database, None, self._clock())

    def review(self, session: str, turn: str) -> dict[str, object] | None:
        """The stored review of a turn in its JSON form, or None."""
        return stored_review(self._database, session, turn)


class SqliteCatchUp:
    """Manifests and markers (R99)."""

    _database: Database
    _clock: Callable[[], float]

    def markers(self, source: str) -> tuple[str, ...]:
        """The result markers of a source's reviewed turns, in order of their turns."""
        return standings.result_markers(self._database, source)

    def manifest(self, source: str) -> tuple[tuple[int, str], ...]:
        """(ordinal, key) of the turns in the source's manifest, oldest first."""
        return standings.read_manifest(self._database, source)

    def put_manifest(self, source: str, turns: Sequence[tuple[int, str]]) -> int:
        """Add turns to the source's manifest; returns how many were new."""
        with self._database.transaction():
            return standings.add_to_manifest(self._database, source, turns)

    def drop_manifest(self, source: str) -> int:
        """Forget the source's manifest; returns how many turns it had."""
        with self._database.transaction():
            return standings.drop_manifest(self._database, source)

    def reopen(self, source: str, turns: Sequence[str]) -> int:
        """Let done turns whose review no marker shows wait again; returns how many."""
        with self._database.transaction():
            now = lanes.told_time(self._database, self._clock)
            return queueing.reopen(self._database, source, turns, now)

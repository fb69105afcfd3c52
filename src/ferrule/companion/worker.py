"""A worker takes a source's lane and reviews its turns, oldest first, one at a time (R2, R15, R84).

Owns one critic turn from claim to commit: open the door, let the reviewer settle the turn, render the marker from the
door's record, hand the review in. A failure leaves the instruction retryable with its reason (CASE-L01); whatever else
ends the work gives the instruction back. Knows nothing of what a reviewer thinks or how a definition is judged.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from ferrule.bridge.door import ReviewDesk
from ferrule.bridge.values import TurnReview, Usage
from ferrule.companion.outcomes import Outcome, TurnOutcome
from ferrule.companion.ports import CompanionStore
from ferrule.errors import Code, ModelError, StoreError, UsageError
from ferrule.review.marker import accepted_names, render_marker
from ferrule.review.port import Limits, Reviewer
from ferrule.session.source import InstructionState, LaneClaim

__all__ = ["Critic", "parked", "stored_outcome", "work_lane"]


@dataclass(frozen=True, slots=True)
class Critic:
    """What a worker works with.

    Attributes:
        store: sessions, turns and lanes.
        desk: where doors are opened and reviews handed in.
        reviewer: the critic's mind.
        limits: bounds of one critic turn.
        lease_seconds: how long a claim holds its lane.
        attempts: after how many failed attempts an instruction is parked.
        cpu: CPU seconds of this process, for the usage figure.
    """

    store: CompanionStore
    desk: ReviewDesk
    reviewer: Reviewer
    limits: Limits = field(default_factory=Limits)
    lease_seconds: float = 30.0
    attempts: int = 5
    cpu: Callable[[], float] = time.process_time


def work_lane(critic: Critic, source: str) -> Iterator[TurnOutcome]:
    """Review what waits in a source's lane; yields each turn's outcome as soon as it is committed.

    Stops when nothing waits, when another worker holds the lane, or at the first failure that may pass: the turns
    behind it keep their order and wait. A parked turn does not hold the others up.
    """
    while True:
        claim = critic.store.claim(source, lease_seconds=critic.lease_seconds, attempts=critic.attempts)
        if claim is None:
            return
        outcome = _settled(critic, claim)
        if outcome is None:
            continue
        yield outcome
        if outcome.outcome is Outcome.FAILED and not parked(critic.store, outcome):
            return


def _settled(critic: Critic, claim: LaneClaim) -> TurnOutcome | None:
    """The claimed turn's outcome; None when what it was judged by changed in the meantime, so that it is tried anew.

    That is a lane taken by another worker, whose claim the next one waits for, or a memory that a person changed.
    """
    settled = False
    try:
        try:
            outcome = _review(critic, claim)
        except (ModelError, StoreError, UsageError) as error:
            if error.code is Code.STALE_REVISION:
                _return(critic.store, claim, str(error), critic.attempts)
                settled = True
                return None
            # A turn whose text is gone, or that was never a completed one, will not come back by waiting.
            attempts = 1 if isinstance(error, UsageError) else critic.attempts
            outcome = _failed(claim, str(error), error.code)
            _return(critic.store, claim, outcome.reason, attempts)
        settled = True
        return outcome
    finally:
        if not settled:
            critic.store.release(claim)


def _return(store: CompanionStore, claim: LaneClaim, reason: str, attempts: int) -> None:
    """Put a failed instruction back. A store that cannot even do that (a full disk) lets the lease run out instead."""
    try:
        store.fail(claim, reason, attempts=attempts)
    except StoreError:
        return


def _review(critic: Critic, claim: LaneClaim) -> TurnOutcome:
    before = critic.cpu()
    door = critic.desk.open(claim)
    draft = critic.reviewer.review(door, critic.limits)
    instruction = claim.instruction
    review = TurnReview(
        source=claim.source,
        turn=instruction.turn,
        ordinal=instruction.ordinal,
        reviewer=critic.reviewer.name,
        candidates=draft.candidates,
        decisions=draft.decisions,
        reason=draft.reason,
        usage=_usage(draft.usage, (critic.cpu() - before) * 1000),
        calls=door.record(),
        marker=render_marker(
            claim.source, instruction.turn, draft.decisions, accepted_names(door.record()), reason=draft.reason
        ),
    )
    critic.desk.commit(door, review, claim)
    return stored_outcome(critic.store, claim.source, instruction.turn, instruction.ordinal) or _failed(
        claim, "the review was committed but cannot be read back", Code.STORE_CORRUPT
    )


def stored_outcome(store: CompanionStore, source: str, turn: str, ordinal: int) -> TurnOutcome | None:
    """The outcome of a turn that has a stored review, or None."""
    review = store.review(source, turn)
    if review is None:
        return None
    outcome = Outcome(str(review.get("outcome", Outcome.NOTHING.value)))
    return TurnOutcome(source, turn, ordinal, outcome, reason=str(review.get("reason", "")), review=review)


def _failed(claim: LaneClaim, reason: str, code: Code) -> TurnOutcome:
    instruction = claim.instruction
    return TurnOutcome(claim.source, instruction.turn, instruction.ordinal, Outcome.FAILED, reason=reason, code=code)


def parked(store: CompanionStore, outcome: TurnOutcome) -> bool:
    """Whether the instruction of a failed turn was given up, so that the turns behind it go on."""
    standing = store.instruction(outcome.source, outcome.turn)
    return standing is not None and standing.state is InstructionState.PARKED


def _usage(usage: Usage, cpu_ms: float) -> Usage:
    """The reviewer's own figures; CPU is measured here, around door and reviewer, when it gives none."""
    return usage if usage.cpu_ms else replace(usage, cpu_ms=round(cpu_ms, 3))

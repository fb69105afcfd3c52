"""A worker takes a source's lane and reviews its turns, oldest first, one at a time (R2, R15, R84).

Owns one critic turn from claim to commit: open the door, let the reviewer settle the turn while the lease is kept
alive, render the marker from the door's record, hand the review in. A failure that may pass leaves the instruction
waiting with its reason and a growing delay (CASE-L01); what cannot be reviewed at all is parked; whatever ends the work
from outside gives the instruction back. Knows nothing of what a reviewer thinks or how a definition is judged.
"""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from ferrule.bridge.door import Door, ReviewDesk
from ferrule.bridge.values import TurnReview, Usage
from ferrule.companion.finished import FinishedReviews
from ferrule.companion.leases import renewed
from ferrule.companion.outcomes import Outcome, TurnOutcome
from ferrule.companion.ports import CompanionStore
from ferrule.errors import Code, GateBusy, ModelError, StoreError, UsageError
from ferrule.review.marker import accepted_names, render_marker
from ferrule.review.port import Limits, Reviewer
from ferrule.session.source import InstructionState, LaneClaim

__all__ = ["Critic", "parked", "retry_delay", "review_claim", "stored_outcome", "work_lane"]

_DELAYS = (5.0, 30.0, 180.0, 900.0)
# A gate that is busy, or a disk that is full, is not the turn's failure: it passes, or a person has to see to it.
_PASSING_SECONDS = 5.0


def _nothing_held() -> None:
    """Where nothing could be held: a critic without gates."""


@dataclass(frozen=True, slots=True)
class Critic:
    """What a worker works with.

    Attributes:
        store: sessions, turns and lanes.
        desk: where doors are opened and reviews handed in.
        reviewer: the critic's mind.
        limits: bounds of one critic turn.
        lease_seconds: how long a claim holds its lane unless it is renewed.
        attempts: after how many failed attempts an instruction is parked.
        cpu: CPU seconds of this thread, for the usage figure: other hands' work is not this review's.
        unheld: raises `InternalError` when this thread holds a gate or a transaction: called before the reviewer is,
            since nothing may wait for a review under either (R78, CASE-M07).
        worker: how the holder of a lane is called in its standing.
        finished: reviews that wait for their source's gate to open.
    """

    store: CompanionStore
    desk: ReviewDesk
    reviewer: Reviewer
    limits: Limits = field(default_factory=Limits)
    lease_seconds: float = 30.0
    attempts: int = 5
    cpu: Callable[[], float] = time.thread_time
    unheld: Callable[[], None] = _nothing_held
    worker: str = ""
    finished: FinishedReviews = field(default_factory=FinishedReviews)


def retry_delay(attempt: int) -> float:
    """Seconds to wait after the failed attempt of this number, from 1: 5 s, 30 s, 3 min, then 15 min each."""
    return _DELAYS[min(max(attempt, 1), len(_DELAYS)) - 1]


def work_lane(critic: Critic, source: str) -> Iterator[TurnOutcome]:
    """Review what waits in a source's lane; yields each turn's outcome as soon as it is committed.

    Stops when nothing waits, when another worker holds the lane, or at the first failure that may pass: the turns
    behind it keep their order and wait. A parked turn does not hold the others up.
    """
    while True:
        claim = critic.store.claim(
            source, lease_seconds=critic.lease_seconds, attempts=critic.attempts, worker=critic.worker
        )
        if claim is None:
            return
        outcome = review_claim(critic, claim)
        if outcome is None:
            continue
        yield outcome
        if outcome.outcome is Outcome.FAILED and not parked(critic.store, outcome):
            return


def review_claim(critic: Critic, claim: LaneClaim) -> TurnOutcome | None:
    """The claimed turn's outcome; None when what it was judged by changed in the meantime, so that it is tried anew.

    That is a lease that ran out or a lane taken by another worker, whose claim the next one waits for, or a memory that
    a person changed. In every case the instruction is settled, or given back, when this returns or raises.
    """
    settled = False
    try:
        try:
            with renewed(critic.store, claim, critic.lease_seconds):
                outcome = _review(critic, claim)
        except (ModelError, StoreError, UsageError) as error:
            settled = True
            return _unfinished(critic, claim, error)
        settled = True
        return outcome
    finally:
        if not settled:
            _abandoned(critic, claim, sys.exception())


def _unfinished(critic: Critic, claim: LaneClaim, error: ModelError | StoreError | UsageError) -> TurnOutcome | None:
    """Settle a claim that an expected failure ended."""
    attempts, delay = critic.attempts, retry_delay(claim.instruction.attempts)
    if isinstance(error, GateBusy) or (isinstance(error, StoreError) and error.code is Code.IO_FAILED):
        _return(lambda: critic.store.release(claim, delay_seconds=_PASSING_SECONDS))
        return _failed(claim, str(error), error.code)
    if error.code is Code.STALE_REVISION:
        _return(lambda: critic.store.fail(claim, str(error), attempts=attempts))
        return None
    if isinstance(error, UsageError):
        attempts = 1  # a turn whose text is gone, or that was never a completed one, will not come back by waiting
    _return(lambda: critic.store.fail(claim, str(error), attempts=attempts, delay_seconds=delay))
    return _failed(claim, str(error), error.code)


def _abandoned(critic: Critic, claim: LaneClaim, error: BaseException | None) -> None:
    """Settle a claim that something else ended: a bug counts as an attempt, or its turn would never let others by."""
    if isinstance(error, Exception):
        reason = f"{Code.INTERNAL}: {type(error).__name__}"  # its text may quote the turn
        delay = retry_delay(claim.instruction.attempts)
        _return(lambda: critic.store.fail(claim, reason, attempts=critic.attempts, delay_seconds=delay))
    else:  # interrupted or told to end: nobody's failure (CASE-J09)
        _return(lambda: critic.store.release(claim))


def _return(give_back: Callable[[], None]) -> None:
    """Put an instruction back. A store that cannot even do that (a full disk) lets the lease run out instead."""
    try:
        give_back()
    except StoreError:
        return


def _review(critic: Critic, claim: LaneClaim) -> TurnOutcome:
    instruction = claim.instruction
    door, review = critic.finished.taken(claim) or _thought_out(critic, claim)
    try:
        critic.desk.commit(door, review, claim)
    except GateBusy:
        critic.finished.keep(claim, door, review)
        raise
    return stored_outcome(critic.store, claim.source, instruction.turn, instruction.ordinal) or _failed(
        claim, "the review was committed but cannot be read back", Code.STORE_CORRUPT
    )


def _thought_out(critic: Critic, claim: LaneClaim) -> tuple[Door, TurnReview]:
    before = critic.cpu()
    door = critic.desk.open(claim)
    critic.unheld()
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
    return door, review


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

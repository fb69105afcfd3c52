"""A begun batch is run in the source's one lane, in this process, one turn at a time, beside whoever else serves it.

Owns the run of a catch-up: what it yields, when it waits for another worker, when it ends (R99). All that it knows is
in the store, so it may be killed anywhere and run again. Knows nothing of what was planned or why.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ferrule.companion.manifests import EntryState, Progress, entries, progress_of
from ferrule.companion.outcomes import Outcome, TurnOutcome
from ferrule.companion.ports import CompanionStore
from ferrule.companion.worker import Critic, parked, stored_outcome, work_lane
from ferrule.errors import Code
from ferrule.session.source import Instruction, InstructionState, LaneStanding

__all__ = ["PATIENCE", "Step", "run_all", "run_next"]

BETWEEN_LOOKS = 0.1
"""Seconds between two looks at a lane that another worker holds."""
PATIENCE = 600.0
"""Seconds without a settled turn after which a run leaves the lane to the worker that holds it."""
_MOMENT = 2.0
_SETTLED = frozenset({InstructionState.DONE, InstructionState.PARKED, InstructionState.WITHDRAWN})


@dataclass(frozen=True, slots=True)
class Step:
    """One turn that came to its end while a batch ran; `ours` is False for one that only stood in the same lane."""

    outcome: TurnOutcome
    progress: Progress
    ours: bool = True


def run_all(
    critic: Critic, source: str, *, rest: Callable[[float], None], patience: float = PATIENCE
) -> Iterator[Step]:
    """Review what waits in the lane of a begun batch, in this process; yields each turn as soon as it is settled.

    Turns that another worker settles meanwhile are told as well. Ends when nothing waits, at a failure that may pass
    (the order is kept for the next run), when the lane is paused, or when another worker holds it and nothing has
    happened for `patience` seconds; `unfinished` then says why.

    Args:
        critic: what the worker works with.
        source: the source whose batch was begun.
        rest: waits so many seconds.
        patience: how long to wait, in seconds, for a worker that holds the lane.

    Raises:
        StoreError: the home cannot be written; what was committed before stays.
    """
    batch = _Batch(critic.store, source)
    waited = 0.0
    while True:
        failed = False
        for outcome in work_lane(critic, source):
            waited = 0.0
            failed = batch.may_pass(outcome)
            yield from batch.settled_by_others(before=outcome.ordinal)
            yield batch.step(outcome)
        for step in batch.settled_by_others():
            waited = 0.0
            yield step
        lane = None if failed else batch.waits_in()
        if lane is None or waited >= (patience if lane.reviewing else min(patience, _MOMENT)):
            return
        rest(BETWEEN_LOOKS)
        waited += BETWEEN_LOOKS


def run_next(
    critic: Critic, source: str, *, rest: Callable[[float], None], patience: float = PATIENCE
) -> Iterator[Step]:
    """As `run_all`, but ends with the first turn of the batch; what stands before it in the lane is reviewed first."""
    for step in run_all(critic, source, rest=rest, patience=patience):
        yield step
        if step.ours:
            return


class _Batch:
    """The turns of a begun batch that are still open, and the count of the others, while a run goes on."""

    def __init__(self, store: CompanionStore, source: str) -> None:
        rows = entries(store, source)
        self._store = store
        self._source = source
        self._progress = progress_of(rows)
        self._open = {row.turn: row.ordinal for row in rows if row.state in {EntryState.WAITING, EntryState.REVIEWING}}

    def step(self, outcome: TurnOutcome) -> Step:
        """Count a settled turn."""
        ours = outcome.turn in self._open
        if ours and not self.may_pass(outcome):
            del self._open[outcome.turn]
            failed = outcome.outcome is Outcome.FAILED
            counts = self._progress
            self._progress = replace(counts, done=counts.done + (not failed), failed=counts.failed + failed)
        return Step(outcome, self._progress, ours)

    def may_pass(self, outcome: TurnOutcome) -> bool:
        """Whether a turn failed and is tried again."""
        return outcome.outcome is Outcome.FAILED and not parked(self._store, outcome)

    def settled_by_others(self, *, before: int | None = None) -> Iterator[Step]:
        """Open turns that another worker has settled, oldest first; the look stops at the first that is still open."""
        while self._open:
            turn, ordinal = next(iter(self._open.items()))
            instruction = self._store.instruction(self._source, turn)
            if instruction is None or instruction.state not in _SETTLED or (before is not None and ordinal >= before):
                return
            if instruction.state is InstructionState.WITHDRAWN:
                del self._open[turn]
                self._progress = replace(self._progress, skipped=self._progress.skipped + 1)
                continue
            done = stored_outcome(self._store, self._source, turn, ordinal)
            yield self.step(done or _given_up(instruction))

    def waits_in(self) -> LaneStanding | None:
        """The lane that open turns wait in for another worker; None when they wait for something else, or none does."""
        lane = self._store.lane(self._source)
        session = self._store.session(self._source)
        resting = lane is None or lane.paused or session is None or session.archived
        return lane if self._open and not resting else None


def _given_up(instruction: Instruction) -> TurnOutcome:
    return TurnOutcome(
        instruction.source,
        instruction.turn,
        instruction.ordinal,
        Outcome.FAILED,
        reason=f"given up after several attempts: {instruction.reason}",
        code=Code.BUDGET,
    )

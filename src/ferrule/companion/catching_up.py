"""Catch-up reviews the stored turns that nobody reviewed, oldest first, one at a time, and never on its own account.

Owns the explicit batch (R99, platform.md section 4): what it would do, its manifest, running it in the source's one
lane, forgetting it. No attach and no event starts one (R81). Whether a turn is reviewed is told by its stored result
marker, never by the manifest; so a batch that was killed anywhere is begun again and goes on. What is delivered live
meanwhile waits in the same lane and is reviewed in the order of its turns. Knows nothing of transcripts or files.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from ferrule.companion.answers import Declined
from ferrule.companion.binding import companion_of, misbound
from ferrule.companion.outcomes import Outcome, TurnOutcome
from ferrule.companion.ports import CompanionStore
from ferrule.companion.worker import Critic, parked, stored_outcome, work_lane
from ferrule.errors import Code
from ferrule.review.marker import parse_marker
from ferrule.session.eligibility import declined
from ferrule.session.imported import ImportedSession
from ferrule.session.source import Instruction, InstructionState, Origin, SourceSession

__all__ = [
    "Entry",
    "EntryState",
    "LeftOut",
    "Plan",
    "Progress",
    "Reset",
    "Step",
    "Why",
    "begin",
    "entries",
    "keep",
    "plan",
    "progress_of",
    "reset",
    "reviewed_turns",
    "run_all",
    "run_next",
    "unfinished",
]

BETWEEN_LOOKS = 0.1
"""Seconds between two looks at a lane that another worker holds."""
LEASES_OF_PATIENCE = 2
"""So many leases without anything happening in the lane, and a run leaves it to the worker that holds it."""

_AT_ONCE = 50
_SETTLED = frozenset({InstructionState.DONE, InstructionState.PARKED, InstructionState.WITHDRAWN})


class Why(StrEnum):
    """Why a stored turn is not part of a catch-up."""

    REVIEWED = "reviewed"
    EXPIRED = "expired"
    PARKED = "parked"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A stored turn that is left out; `reason` says more where there is more, as of a parked one."""

    ordinal: int
    turn: str
    why: Why
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a catch-up of one source would do.

    Attributes:
        turns: (ordinal, key) of the turns to review, oldest first.
        left_out: the other stored turns, in order, each with why.
        queued: how many of `turns` wait in the lane already; they keep their instruction.
        unmarked: keys of those of `turns` that count as done although no marker shows a review of them.
    """

    source: str
    turns: tuple[tuple[int, str], ...]
    left_out: tuple[LeftOut, ...] = ()
    queued: int = 0
    unmarked: tuple[str, ...] = ()


class EntryState(StrEnum):
    """How a turn of the manifest stands; `expired`: its text went before it was reviewed."""

    REVIEWED = "reviewed"
    REVIEWING = "reviewing"
    WAITING = "waiting"
    PARKED = "parked"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Entry:
    """One turn of a source's manifest, as its marker and its instruction tell."""

    ordinal: int
    turn: str
    state: EntryState
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a batch is: `done` have a marker, `failed` are parked, `skipped` cannot or must not be reviewed."""

    done: int
    of: int
    skipped: int = 0
    failed: int = 0

    @property
    def left(self) -> int:
        """How many are still to be reviewed."""
        return self.of - self.done - self.skipped - self.failed


@dataclass(frozen=True, slots=True)
class Step:
    """One turn that came to its end while a batch ran; `ours` is False for one that only stood in the same lane."""

    outcome: TurnOutcome
    progress: Progress
    ours: bool = True


@dataclass(frozen=True, slots=True)
class Reset:
    """A manifest was forgotten: how many turns it had, and how many waiting ones were taken out of the lane."""

    source: str
    turns: int
    withdrawn: int


def plan(store: CompanionStore, source: str, *, arriving: ImportedSession | None = None) -> Plan | Declined:
    """Which turns of a source have no result marker, oldest first, and why the others are left out.

    Reads only. A turn that waits already, or was withdrawn by a detach, is among those to review.

    Args:
        store: the store.
        source: the source's key.
        arriving: a transcript of it whose turns count as stored, though they are not yet.
    """
    refusal = _refusal(store, store.session(source) or (arriving.session if arriving else None))
    if refusal is not None:
        return refusal
    stored = {turn: ordinal for ordinal, turn in store.turn_keys(source)}
    brought = {turn.key: turn.ordinal for turn in arriving.turns} if arriving else {}
    known, kept = brought | stored, {turn for _, turn in store.kept_turns(source)} | brought.keys()
    reviewed, standing = reviewed_turns(store, source), _standing(store, source)
    turns: list[tuple[int, str]] = []
    left_out: list[LeftOut] = []
    for turn, ordinal in sorted(known.items(), key=lambda item: item[1]):
        instruction = standing.get(turn)
        if turn in reviewed:
            left_out.append(LeftOut(ordinal, turn, Why.REVIEWED))
        elif instruction is not None and instruction.state is InstructionState.PARKED:
            left_out.append(LeftOut(ordinal, turn, Why.PARKED, instruction.reason))
        elif turn not in kept:
            left_out.append(LeftOut(ordinal, turn, Why.EXPIRED))
        else:
            turns.append((ordinal, turn))
    states = {turn: standing[turn].state for _, turn in turns if turn in standing}
    return Plan(
        source=source,
        turns=tuple(turns),
        left_out=tuple(left_out),
        queued=sum(state in {InstructionState.WAITING, InstructionState.CLAIMED} for state in states.values()),
        unmarked=tuple(turn for turn, state in states.items() if state is InstructionState.DONE),
    )


def keep(store: CompanionStore, arriving: ImportedSession) -> None:
    """Store the turns of a transcript that catch-up may review: those that no marker shows as reviewed.

    A turn whose text went before it was reviewed gets it back. In small transactions, so that nobody waits for long.
    """
    reviewed = reviewed_turns(store, arriving.session.key)
    turns = [turn for turn in arriving.turns if turn.key not in reviewed]
    store.put_session(arriving.session)
    for start in range(0, len(turns), _AT_ONCE):
        store.put_turns(turns[start : start + _AT_ONCE])


def begin(store: CompanionStore, source: str) -> Plan | Declined:
    """Put the planned turns into the manifest and into the lane, all in one transaction; returns the plan it took.

    Begun again, a batch goes on: what was reviewed meanwhile is left out, what waits keeps its instruction. A manifest
    that was worked off makes room for the new one. The child is ensured, no subscription is made. Where nothing is to
    be reviewed, nothing changes at all.
    """
    with store.unit():
        planned = plan(store, source)
        session = store.session(source)
        if isinstance(planned, Declined) or session is None or not planned.turns:
            return planned
        if not set(store.manifest(source)).intersection(planned.turns):
            store.drop_manifest(source)
        if planned.unmarked:
            store.reopen(source, planned.unmarked)
        store.enqueue(session, companion_of(session), planned.turns, Origin.CATCH_UP)
        store.put_manifest(source, planned.turns)
    return planned


def reset(store: CompanionStore, source: str) -> Reset:
    """Forget the manifest and withdraw its waiting turns; reviews, memories and everything else in the lane stay."""
    with store.unit():
        withdrawn = store.withdraw(source, (Origin.CATCH_UP,))
        return Reset(source, store.drop_manifest(source), withdrawn)


def reviewed_turns(store: CompanionStore, source: str) -> frozenset[str]:
    """The turns of a source that a readable result marker of this very source shows as reviewed (R90, R99)."""
    markers = (parse_marker(text) for text in store.markers(source))
    return frozenset(marker.turn for marker in markers if marker is not None and marker.source == source)


def entries(store: CompanionStore, source: str) -> tuple[Entry, ...]:
    """The manifest of a source, oldest turn first, each as it stands now; empty when there is none."""
    manifest = store.manifest(source)
    if not manifest:
        return ()
    reviewed, kept = reviewed_turns(store, source), frozenset(store.kept_turns(source))
    standing = _standing(store, source)
    return tuple(
        Entry(ordinal, turn, EntryState.REVIEWED)
        if turn in reviewed
        else _open_entry(ordinal, turn, standing.get(turn), kept=(ordinal, turn) in kept)
        for ordinal, turn in manifest
    )


def progress_of(rows: tuple[Entry, ...]) -> Progress:
    """How far a manifest is worked off."""
    count = Counter(row.state for row in rows)
    return Progress(
        done=count[EntryState.REVIEWED],
        of=len(rows),
        skipped=count[EntryState.WITHDRAWN] + count[EntryState.EXPIRED],
        failed=count[EntryState.PARKED],
    )


def run_all(
    critic: Critic, source: str, *, rest: Callable[[float], None], patience: float | None = None
) -> Iterator[Step]:
    """Review what waits in the lane of a begun batch, in this process; yields each turn as soon as it is settled.

    Turns that another worker settles meanwhile are told as well. Ends when nothing waits, at a failure that may pass
    (the order is kept for the next run), when the lane is paused, or when another worker holds it and nothing has
    happened for `patience` seconds (default: two leases); `unfinished` then says why.

    Args:
        critic: what the worker works with.
        source: the source whose batch was begun.
        rest: waits so many seconds.
        patience: how long to wait, in seconds, for a worker that holds the lane.

    Raises:
        StoreError: the home cannot be written; what was committed before stays.
    """
    batch = _Batch(critic.store, source)
    limit = critic.lease_seconds * LEASES_OF_PATIENCE if patience is None else patience
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
        if failed or waited >= limit or not batch.held_by_another():
            return
        rest(BETWEEN_LOOKS)
        waited += BETWEEN_LOOKS


def run_next(
    critic: Critic, source: str, *, rest: Callable[[float], None], patience: float | None = None
) -> Iterator[Step]:
    """As `run_all`, but ends with the first turn of the batch; what stands before it in the lane is reviewed first."""
    for step in run_all(critic, source, rest=rest, patience=patience):
        yield step
        if step.ours:
            return


def unfinished(store: CompanionStore, source: str) -> str:
    """Why turns of a batch are still to be reviewed, in one sentence; empty when none is."""
    if not progress_of(entries(store, source)).left:
        return ""
    refusal = _refusal(store, store.session(source))
    if refusal is not None:
        return refusal.reason
    lane = store.lane(source)
    if lane is not None and lane.paused:
        return "the lane of this session is paused"
    if lane is not None and lane.reviewing:
        return f"another worker is reviewing this session, now turn {lane.reviewing}"
    if lane is not None and lane.last_error:
        return f"turn {lane.last_error_turn} failed: {lane.last_error}"
    return "the rest waits in the lane"


def _refusal(store: CompanionStore, session: SourceSession | None) -> Declined | None:
    """Why this source is not reviewed: what it is, or that something else stands where its child belongs."""
    why = declined(session, store.session(session.parent) if session is not None and session.parent else None)
    if why is not None or session is None:
        return Declined(Code.NOT_ATTACHABLE, why or "missing: there is no such session")
    return misbound(store, session.key)


def _standing(store: CompanionStore, source: str) -> dict[str, Instruction]:
    return {instruction.turn: instruction for instruction in store.instructions(source)}


def _open_entry(ordinal: int, turn: str, instruction: Instruction | None, *, kept: bool) -> Entry:
    """A turn of the manifest without a marker. One that counts as done waits until the batch is begun again."""
    state = None if instruction is None else instruction.state
    reason = "" if instruction is None else instruction.reason
    if state is InstructionState.PARKED:
        return Entry(ordinal, turn, EntryState.PARKED, reason)
    if state is InstructionState.WITHDRAWN:
        return Entry(ordinal, turn, EntryState.WITHDRAWN, reason)
    if not kept:
        return Entry(ordinal, turn, EntryState.EXPIRED)
    claimed = state is InstructionState.CLAIMED
    return Entry(ordinal, turn, EntryState.REVIEWING if claimed else EntryState.WAITING, reason)


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

    def held_by_another(self) -> bool:
        """Whether open turns wait for nothing but another worker."""
        lane = self._store.lane(self._source)
        session = self._store.session(self._source)
        resting = lane is None or lane.paused or session is None or session.archived
        return bool(self._open) and not resting


def _given_up(instruction: Instruction) -> TurnOutcome:
    return TurnOutcome(
        instruction.source,
        instruction.turn,
        instruction.ordinal,
        Outcome.FAILED,
        reason=f"given up after several attempts: {instruction.reason}",
        code=Code.BUDGET,
    )

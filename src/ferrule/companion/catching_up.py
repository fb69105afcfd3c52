"""Catch-up reviews the stored turns that nobody reviewed, oldest first, one at a time, and never on its own account.

Owns the explicit batch (R99, platform.md section 4): what it would do, beginning it, forgetting it; and is the one
place to import all of it from. No attach and no event starts one (R81). Whether a turn is reviewed is told by its
stored result marker, never by the manifest; so a batch that was killed anywhere is begun again and goes on. What is
delivered live meanwhile waits in the same lane and is reviewed in the order of its turns. Knows nothing of files.
"""

from dataclasses import dataclass
from enum import StrEnum

from ferrule.companion.answers import Declined
from ferrule.companion.batches import Step, run_all, run_next
from ferrule.companion.binding import companion_of, misbound
from ferrule.companion.manifests import (
    Entry,
    EntryState,
    Progress,
    entries,
    instructions_by_turn,
    progress_of,
    reviewed_turns,
)
from ferrule.companion.ports import CompanionStore
from ferrule.errors import Code
from ferrule.session.eligibility import declined
from ferrule.session.imported import ImportedSession
from ferrule.session.source import InstructionState, LaneStanding, Origin, SourceSession

__all__ = [
    "Entry",
    "EntryState",
    "Halt",
    "LeftOut",
    "Plan",
    "Progress",
    "Reset",
    "Step",
    "Unfinished",
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

_AT_ONCE = 50


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


class Halt(StrEnum):
    """What keeps a batch from going on."""

    DECLINED = "declined"
    PAUSED = "paused"
    HELD = "held"
    FAILED = "failed"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A batch with turns left, and why: the kind for code, the sentence for people."""

    halt: Halt
    reason: str


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
    reviewed, standing = reviewed_turns(store, source), instructions_by_turn(store, source)
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


def keep(store: CompanionStore, arriving: ImportedSession) -> Declined | None:
    """Store the turns of a transcript that catch-up may review: those that no marker shows as reviewed.

    A turn whose text went before it was reviewed gets it back. In small transactions, so that nobody waits for long;
    each decides anew whether the source may be observed. Returns the refusal, None when all is stored.
    """
    source = arriving.session.key
    reviewed = reviewed_turns(store, source)
    turns = [turn for turn in arriving.turns if turn.key not in reviewed]
    for start in range(0, len(turns), _AT_ONCE):
        with store.unit():
            refusal = _refusal(store, store.session(source) or arriving.session)
            if refusal is not None:
                return refusal
            store.put_session(arriving.session)
            store.put_turns(turns[start : start + _AT_ONCE])
    return None


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


def unfinished(store: CompanionStore, source: str) -> Unfinished | None:
    """Why turns of a begun batch are still to be reviewed; None when none is."""
    if not progress_of(entries(store, source)).left:
        return None
    refusal = _refusal(store, store.session(source))
    if refusal is not None:
        return Unfinished(Halt.DECLINED, refusal.reason)
    lane = store.lane(source) or LaneStanding(source)
    if lane.paused:
        return Unfinished(Halt.PAUSED, "the lane of this session is paused")
    if lane.reviewing:
        now = store.turn_ordinal(source, lane.reviewing)
        return Unfinished(Halt.HELD, f"another worker is reviewing this session, now turn {now}")
    if lane.last_error:
        failed = store.turn_ordinal(source, lane.last_error_turn)
        return Unfinished(Halt.FAILED, f"turn {failed} failed: {lane.last_error}")
    return Unfinished(Halt.WAITING, "the rest waits in the lane")


def _refusal(store: CompanionStore, session: SourceSession | None) -> Declined | None:
    """Why this source is not reviewed: what it is, or that something else stands where its child belongs."""
    why = declined(session, store.session(session.parent) if session is not None and session.parent else None)
    if why is not None or session is None:
        return Declined(Code.NOT_ATTACHABLE, why or "missing: there is no such session")
    return misbound(store, session.key)

"""The manifest of a catch-up says which turns were asked for; how each stands is told by marker and instruction (R99).

Owns reading result markers as the proof of a review, the rows of a manifest, and how far it is worked off. Knows
nothing of what puts turns into a manifest or of running it.
"""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from ferrule.companion.ports import CompanionStore
from ferrule.review.marker import parse_marker
from ferrule.session.source import Instruction, InstructionState

__all__ = ["Entry", "EntryState", "Progress", "entries", "instructions_by_turn", "progress_of", "reviewed_turns"]


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
    standing = instructions_by_turn(store, source)
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


def instructions_by_turn(store: CompanionStore, source: str) -> dict[str, Instruction]:
    """The instructions of a source by their turns."""
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

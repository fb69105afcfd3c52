"""Source sessions, instructions and the claim of a lane: the source's facts (R1-R12, design.md section 3).

Owns the values that name a session, its companion and one queued review. Knows nothing of stores.
"""

from dataclasses import dataclass
from enum import StrEnum

__all__ = [
    "COMPANION_SUFFIX",
    "CRITIC_PROFILE",
    "SOURCE_PROFILE",
    "Instruction",
    "InstructionState",
    "LaneClaim",
    "LaneStanding",
    "Origin",
    "SourceSession",
]

SOURCE_PROFILE = "buffaly-agent"
CRITIC_PROFILE = "online-session-memory-critic"
COMPANION_SUFFIX = "-online-memory-critic"


@dataclass(frozen=True, slots=True)
class SourceSession:
    """A session as stored: eligibility is decided by `profile` and `parent`, never by a name (R9-R12)."""

    key: str
    profile: str
    parent: str | None = None
    lineage: str | None = None
    hidden: bool = False
    archived: bool = False
    client: str = ""
    title: str = ""
    cwd: str | None = None
    repository: str | None = None


class Origin(StrEnum):
    """Who asked for a review."""

    THUMBS_UP = "thumbs-up"
    MANAGEMENT = "management"
    EVENT = "event"
    IMPORT = "import"
    CATCH_UP = "catch-up"


class InstructionState(StrEnum):
    """Where an instruction is in its life.

    `waiting` (also between two attempts), `claimed` by a worker, `done`; `parked` after too many failed attempts, with
    its reason; `withdrawn` by a detach before it was reviewed. `failed` is no longer given.
    """

    WAITING = "waiting"
    CLAIMED = "claimed"
    DONE = "done"
    FAILED = "failed"
    PARKED = "parked"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Instruction:
    """Exactly one completed turn to review, unique by (source, turn) (R75, INV-I4)."""

    id: int
    source: str
    companion: str
    turn: str
    ordinal: int
    origin: Origin
    state: InstructionState
    attempts: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LaneStanding:
    """How one source's lane stands, for `status` (design.md section 8). Times are seconds since the epoch.

    Attributes:
        waiting: instructions that are not reviewed yet, the claimed one included.
        parked: instructions given up after too many attempts.
        reviewing: the turn that a worker holds now; empty when none does.
        holder: the name of that worker.
        due: when the lane can be claimed next; None while nothing waits, or it is paused or archived.
        last_turn: the turn that was reviewed last (by commit), with its ordinal, outcome and time of commit.
        last_error: the newest reason of an instruction that waits or is parked after a failed attempt.
    """

    source: str
    waiting: int = 0
    parked: int = 0
    paused: bool = False
    reviewing: str = ""
    holder: str = ""
    due: float | None = None
    reviewed: int = 0
    last_turn: str = ""
    last_ordinal: int = 0
    last_outcome: str = ""
    last_at: str = ""
    last_error: str = ""
    last_error_turn: str = ""


@dataclass(frozen=True, slots=True)
class LaneClaim:
    """The right to review one instruction now; a commit with an older epoch, or after the lease, affects nothing."""

    source: str
    instruction: Instruction
    epoch: int

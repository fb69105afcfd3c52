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
    """Where an instruction is in its life."""

    WAITING = "waiting"
    CLAIMED = "claimed"
    DONE = "done"
    FAILED = "failed"
    PARKED = "parked"


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
class LaneClaim:
    """The right to review one instruction now; a commit with an older epoch affects nothing (fencing)."""

    source: str
    instruction: Instruction
    epoch: int

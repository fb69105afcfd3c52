"""What an actor means to do, and what it called to do it: the facts that the judge justifies a change by.

Owns the values. Knows nothing of how an act is done.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ferrule.session.source import LaneClaim
from proofs.looking import Snapshot

__all__ = ["Act", "Called", "Kind", "Moment", "Step"]


class Kind(StrEnum):
    """What somebody does."""

    WORK = "work"
    ATTACH = "attach"
    DISPATCH = "dispatch"
    DETACH = "detach"
    IMPORT = "import"
    CATCH_UP = "catch-up"
    DELIVER = "deliver"
    ARCHIVE = "archive"
    PAUSE = "pause"
    UNPARK = "unpark"


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that somebody does.

    Attributes:
        turns: keys of the turns that it selects.
        twist: what is odd about it, such as `tampered`; empty when nothing is.
        mode: how an event is handed over.
    """

    kind: Kind
    source: str = ""
    turns: tuple[str, ...] = ()
    twist: str = ""
    mode: str = ""
    event: str = ""
    on: bool = True

    def selects(self, source: str, turn: str) -> bool:
        """Whether this act itself asks for the turn; a catch-up asks for all that are stored."""
        if self.source != source:
            return False
        return self.kind is Kind.CATCH_UP or (self.kind in {Kind.ATTACH, Kind.IMPORT} and turn in self.turns)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment as the model tells it.

    Attributes:
        now: what the clock says, seconds since the epoch.
        steady: seconds that have really passed, whatever the clock was set to.
        forward: how often the clock was set forward so far.
        backward: how often it was set back.
    """

    now: float = 0.0
    steady: float = 0.0
    forward: int = 0
    backward: int = 0


@dataclass(frozen=True, slots=True)
class Called:
    """One call of the store by an actor, with what came of it and at which time of the clock."""

    method: str
    at: Moment
    result: object = None
    claim: LaneClaim | None = None
    lease: float = 0.0
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """What one actor did between two cuts, and what stood in the file before and after."""

    actor: str
    act: Act
    calls: Sequence[Called]
    before: Snapshot
    after: Snapshot
    moment: Moment

    @property
    def now(self) -> float:
        """What the clock says after the step."""
        return self.moment.now

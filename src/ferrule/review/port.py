"""The critic's mind, as a port: a reviewer reads one turn through the door and settles it.

Owns the shape every reviewer has: embedded, model-driven, scripted, replayed. Knows nothing of who asks.
"""

from dataclasses import dataclass, field
from typing import Protocol

from ferrule.bridge.door import Door
from ferrule.bridge.values import Candidate, Decision, Usage

__all__ = ["Limits", "ReviewDraft", "Reviewer"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one critic turn (design.md section 4)."""

    writes: int = 5
    repairs: int = 3
    calls: int = 24
    identical_calls: int = 3


@dataclass(frozen=True, slots=True)
class ReviewDraft:
    """What a reviewer settled. What was written is not here: the door's record tells that."""

    candidates: tuple[Candidate, ...]
    decisions: tuple[Decision, ...]
    reason: str
    usage: Usage = field(default_factory=Usage)


class Reviewer(Protocol):
    """Reviews one completed turn through the door it is given."""

    @property
    def name(self) -> str:
        """Stable name, kept with each review, for instance `embedded-1`."""
        ...

    def review(self, door: Door, limits: Limits) -> ReviewDraft:
        """Two passes: identity, then properties; writes go through the door.

        Raises:
            ModelError: the model could not be used; the instruction stays retryable, nothing was written.
        """
        ...

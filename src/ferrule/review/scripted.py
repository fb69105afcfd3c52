"""A reviewer that does what it was told: door calls from a list, for tests and for reproducing a run.

Owns the script's steps. Knows nothing of why they were chosen; whatever it tries, the door judges.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ferrule.bridge.door import Door
from ferrule.bridge.values import Answer, Candidate, Decision, Proposal, SearchKind, Stage
from ferrule.review.port import Limits, ReviewDraft

__all__ = ["Check", "Enter", "Inspect", "Look", "ScriptedReviewer", "Step", "Write"]


@dataclass(frozen=True, slots=True)
class Enter:
    """Enter a pass."""

    stage: Stage


@dataclass(frozen=True, slots=True)
class Look:
    """Search once."""

    query: str
    kind: SearchKind
    candidate: str = ""


@dataclass(frozen=True, slots=True)
class Inspect:
    """Ask for details and schema of a prototype."""

    name: str
    candidate: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """Ask for the verdict without staging."""

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Write:
    """Hand a proposal over."""

    proposal: Proposal


Step: TypeAlias = Enter | Look | Inspect | Check | Write


class ScriptedReviewer:
    """Plays its steps in order and returns the given candidates and decisions. `answers` keeps what the door said."""

    def __init__(
        self,
        steps: Sequence[Step],
        *,
        candidates: Sequence[Candidate] = (),
        decisions: Sequence[Decision] = (),
        reason: str = "scripted",
    ) -> None:
        self._steps = tuple(steps)
        self._draft = ReviewDraft(tuple(candidates), tuple(decisions), reason)
        self.answers: list[Answer] = []

    @property
    def name(self) -> str:
        """`scripted-1`."""
        return "scripted-1"

    def review(self, door: Door, limits: Limits) -> ReviewDraft:  # noqa: ARG002 - a script has no limits of its own
        """Play the script once."""
        for step in self._steps:
            self._play(door, step)
        return self._draft

    def _play(self, door: Door, step: Step) -> None:
        match step:
            case Enter(stage):
                door.enter(stage)
            case Look(query, kind, candidate):
                door.search(query, kind, candidate=candidate)
            case Inspect(name, candidate):
                door.details(name, candidate=candidate)
                door.schema(name, candidate=candidate)
            case Check(proposal):
                self.answers.append(door.check(proposal))
            case Write(proposal):
                self.answers.append(door.write(proposal))

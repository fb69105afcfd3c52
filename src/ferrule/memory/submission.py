"""What a rule judges: a submitted definition, who submits it, and what may be looked at while judging.

Owns the values that go into `admission.admit` and the verdict that comes out. Rules are pure functions of these two:
check-only and write call the same tuple of rules with the same values, so they always agree (DEC-D5).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from ferrule.bridge.values import Accepted, Answer, Call, Proposal, Refusal, Refused, TurnView, Unchanged
from ferrule.memory.ports import StagedWrite
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.values import Prototype

__all__ = ["AdmissionView", "Limits", "Refusals", "Scope", "Submission", "Unaltered", "Verdict", "Written", "answer_of"]


class Scope(StrEnum):
    """Who is bound: rules 1-7 bind everybody, 8-12 the critic; for a person 8 and 12 are warnings (DEC-D5)."""

    CRITIC = "critic"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Submission:
    """One submitted text. `proposal` carries the claims of a critic's write; None for a person's.

    `warned` is False where nobody is told of warnings, so that none is worked out; what is refused stays the same.
    """

    text: str
    scope: Scope
    proposal: Proposal | None = None
    warned: bool = True


def _no_tombstone(_keys: Sequence[str]) -> tuple[str, ...]:
    return ()


def _untouched(_revision: int, _keys: Sequence[str]) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a definition may be: bytes of UTF-8, characters per value, members, levels of nested lists."""

    definition_bytes: int = 16 * 1024
    value_characters: int = 2_000
    properties: int = 64
    nesting: int = 64


@dataclass(frozen=True, slots=True)
class AdmissionView:
    """What the rules may look at.

    Attributes:
        permanent: the permanent layer.
        lineage: read-only layers that count as known.
        session: the session layer, committed rows only.
        staged: prototypes staged earlier in this review, merged form, by name.
        turn: the reviewed turn (critic scope), else None.
        record: the door's record of this critic turn.
        ordinal: the turn's ordinal, for `…AtTurn<ordinal>` properties.
        forgotten: which of these identity keys or folded phrases carry a tombstone (DEC-D14).
        touched_after: whether a commit after that revision touched one of these keys or folded phrases.
        limits: how large a definition may be.
    """

    permanent: PrototypeLayer
    session: PrototypeLayer
    lineage: tuple[PrototypeLayer, ...] = ()
    staged: tuple[Prototype, ...] = ()
    turn: TurnView | None = None
    record: tuple[Call, ...] = ()
    ordinal: int = 0
    forgotten: Callable[[Sequence[str]], tuple[str, ...]] = field(default=_no_tombstone)
    touched_after: Callable[[int, Sequence[str]], bool] = field(default=_untouched)
    limits: Limits = Limits()


@dataclass(frozen=True, slots=True)
class Written:
    """Admitted: what to stage, with warnings for a person."""

    write: StagedWrite
    warnings: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True)
class Unaltered:
    """The definition would change nothing (DEC-D1)."""

    name: str


@dataclass(frozen=True, slots=True)
class Refusals:
    """Refused, with everything that is wrong with it by rule and place, and nothing that another finding implies."""

    refusals: tuple[Refusal, ...]


Verdict: TypeAlias = Written | Unaltered | Refusals


def answer_of(verdict: Verdict, call: str = "") -> Answer:
    """A verdict as the door and NLMemory answer it."""
    match verdict:
        case Written(write, warnings):
            return Accepted(write.prototype.name, write.action, call, warnings)
        case Unaltered(name):
            return Unchanged(name, call)
        case _:
            return Refused(verdict.refusals, call)

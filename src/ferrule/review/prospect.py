"""A candidate with everything that is needed to settle and to write it.

Owns the value between a reviewer's judgement and the two passes that all reviewers share. Knows nothing of the door.
"""

from dataclasses import dataclass, replace

from ferrule.bridge.values import Candidate, Evidence, Modality
from ferrule.referents.kinds import HandleKind

__all__ = ["HandleFact", "NameForm", "Prospect", "TextFact", "demoted", "folded"]


@dataclass(frozen=True, slots=True)
class HandleFact:
    """A handle that the turn proves for the entity: kind, value, identity key, and the mentions that say so."""

    kind: HandleKind
    value: str
    key: str
    evidence: tuple[Evidence, ...]
    modality: Modality


@dataclass(frozen=True, slots=True)
class TextFact:
    """A name or alias with the spans or mentions where it stands."""

    value: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class NameForm:
    """A prototype name and the EntityName that goes with it."""

    identifier: str
    text: str


@dataclass(frozen=True, slots=True)
class Prospect:
    """One candidate, ready for the passes.

    Attributes:
        candidate: what the review reports.
        type: the entity type by its name in the base ontology.
        name: EntityName with its evidence.
        aliases: other wordings with their evidence.
        handles: every handle that the turn proves for it, the most telling first.
        worth: whether the reviewer wants it written; `reason` says in words why or why not.
        forms: names to try, best first; a later one only when an earlier one is another thing's.
        former: handles that the turn made stale by moving the thing; they find it and are not written.
        given: the name that the user gave it in this turn, if so (R16).
        again: whether the turn started or opened it, which ends whatever had become of it.
        state: the word by which the turn says what became of it ("merged", "closed"), for a known one (R45).
    """

    candidate: Candidate
    type: str
    name: TextFact
    aliases: tuple[TextFact, ...]
    handles: tuple[HandleFact, ...]
    worth: bool
    reason: str
    forms: tuple[NameForm, ...]
    former: tuple[str, ...] = ()
    given: TextFact | None = None
    state: TextFact | None = None
    again: bool = False

    @property
    def label(self) -> str:
        """The candidate's label, which ties calls, decisions and proposals together."""
        return self.candidate.label


def demoted(prospect: Prospect, reason: str) -> Prospect:
    """The same prospect, not wanted any more."""
    return replace(prospect, worth=False, reason=reason)


def folded(text: str) -> str:
    """The form by which the critic compares names: letters and digits only, case folded (R33)."""
    return "".join(char for char in text.casefold() if char.isalnum())

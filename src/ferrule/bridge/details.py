"""A memory as readers see it: its current values and the handles that reach it.

Owns these three values apart from the rest of the bridge's, since recall needs no more and a client waits for it. Knows
nothing of reviews, stores or prototypes' inner form.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ferrule.bridge.matches import Match, certainty
from ferrule.bridge.vocabulary import Modality
from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind

__all__ = ["Details", "Found", "HandleView", "Looked", "PropertyDetail", "told_state"]

_STATE = expression(r"LifecycleState(?:AtTurn(\d{1,9}))?")
_WORD = expression(r"[^\W\d_]{3,24}")


@dataclass(frozen=True, slots=True)
class HandleView:
    """A handle as readers see it."""

    kind: HandleKind
    value: str
    property: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Looked:
    """One thing that a review looked at: a handle of it, and how much spoke for remembering it, from 0 to 1.

    `gone` when that turn removed it or moved it away: what turns before said of it is told no more.
    """

    handle: HandleView
    score: float
    gone: bool = False


@dataclass(frozen=True, slots=True)
class PropertyDetail:
    """One property of a prototype as the current view shows it. `value` is canonical text without quotes."""

    name: str
    type: str
    value: str
    assigned: bool
    declared_by: str
    was: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Details:
    """Current values of one prototype (R42). `known` False when there is no such prototype.

    `origin` names the session that remembers it where that is another one of the repository, and `at` when that wrote
    it last (UTC); both are empty otherwise.
    """

    call: str
    name: str
    known: bool
    bases: tuple[str, ...] = ()
    layer: str = ""
    properties: tuple[PropertyDetail, ...] = ()
    handles: tuple[HandleView, ...] = ()
    definition: str = ""
    modality: str = ""
    turn: str = ""
    origin: str = ""
    at: str = ""
    matches: tuple[Match, ...] = ()
    revision: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a search of one session found, as a fact: that nothing was found is one too (R49).

    Attributes:
        source: the session that was asked, with what it inherits; empty for the permanent layer alone.
        query: as it was asked, cut and cleaned.
        revision: the session's revision at which this holds.
        answers: best first, each with its `matches`.
    """

    source: str
    query: str
    revision: int
    answers: tuple[Details, ...] = ()

    def with_others(self, others: Iterable[Details], limit: int) -> "Found":
        """As one list with what other sessions answered: the surer way of finding first, then this session's own."""
        answers = sorted((*self.answers, *others), key=lambda memory: certainty(memory.matches))
        return replace(self, answers=tuple(answers[:limit]))


def told_state(modality: str, properties: Iterable[tuple[str, object]]) -> str:
    """What readers are told of a memory: how real it is, or in one word what became of it ("merged", "closed").

    Args:
        modality: the modality of the memory's last write; empty, as of what a person wrote, stays empty.
        properties: names and values; the lifecycle state of the latest turn counts. A value that is not one plain word
            is no state: whoever wrote it, it is told nobody as one.
    """
    latest, said = -1, ""
    for name, value in properties:
        found = _STATE.fullmatch(name)
        if found is not None and isinstance(value, str) and value and int(found[1] or 0) > latest:
            latest, said = int(found[1] or 0), value
    own = _WORD.fullmatch(said) is not None and said.casefold() not in set(Modality)
    return said.lower() if own and modality and modality != Modality.DELETED else modality

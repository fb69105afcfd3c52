"""In one seed of twenty the turns are reviewed through the real door, by a mind that also tries what it must not.

Owns that reviewer and the small ontology below it (R50, R93, INV-I7): it writes the one document that its turn speaks
of, and before that it offers the same to another session. Knows nothing of schedules.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from ferrule.bridge.door import Door
from ferrule.bridge.evidence import occurs
from ferrule.bridge.values import (
    Claim,
    Evidence,
    MentionRef,
    Modality,
    Proposal,
    Proves,
    Refused,
    Role,
    SearchKind,
    Stage,
)
from ferrule.errors import InternalError, ModelError
from ferrule.ontology.build import prototype_of
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.values import LayerName
from ferrule.protoscript.reading import parse
from ferrule.review.port import Limits, ReviewDraft

__all__ = ["DoorReviewer", "permanent"]

_ONTOLOGY = """
prototype SemanticEntityBase { String EntityName; String Aliases; String Description; String LifecycleState; }
prototype Document : SemanticEntityBase { String DocumentPath; }
"""


@cache
def permanent() -> InMemoryLayer:
    """The ontology below every session of a run."""
    layer = InMemoryLayer()
    for tree in parse(_ONTOLOGY).tree.prototypes:
        layer.add(prototype_of(tree, LayerName.PERMANENT, fields_assign=False), ())
    return layer


class DoorReviewer:
    """Writes what the turn says, after trying to write it elsewhere."""

    def __init__(self, behave: Callable[[], None]) -> None:
        self._behave = behave

    @property
    def name(self) -> str:
        """`door-1`."""
        return "door-1"

    def review(self, door: Door, limits: Limits) -> ReviewDraft:  # noqa: ARG002 - it makes few calls
        """Behave, look everything up, be refused elsewhere, write here.

        What the door answers here is not judged here: a worker that lost its lane finds its turn's document there
        already. That a reviewed turn has its one effect is told by the file in the end.

        Raises:
            InternalError: the door took what is meant for another session: the judge is told.
            ModelError: a search failed, as it does while the disk does: nothing could be proved, so the turn is to be
                reviewed again (seeds 3660 and 4580, a fault of the proofs, which took it for a lost write).
        """
        self._behave()
        proposal = _proposal(door)
        elsewhere = door.write(replace(proposal, source="desk:somebody-else"))
        if not isinstance(elsewhere, Refused):
            raise InternalError("INV-I7: the door wrote into a foreign session")
        door.write(proposal)
        return ReviewDraft((), (), "through the door")


def _proposal(door: Door) -> Proposal:
    """One document of the turn, looked up as rule 11 asks."""
    view = door.read_turn()
    mention = next(one for one in view.mentions if one.role is Role.ACTION and one.value.endswith(".md"))
    number = str(view.ordinal)
    name, label, path = f"BerthNotes{number}", f"Berth Notes {number}", mention.value
    for query, kind in ((label, SearchKind.NAME), (name, SearchKind.NAME), (path, SearchKind.HANDLE)):
        if not door.search(query, kind, candidate=label).complete:
            raise ModelError("a search failed")
    door.enter(Stage.PROPERTIES)
    door.details("Document", candidate=label)
    door.schema("Document", candidate=label)
    named = tuple(Evidence(span, Proves.NAME) for span in occurs(view, label, [Role.INTENT, Role.OUTCOME])[:2])
    handle = (Evidence(MentionRef(mention.id), Proves.HANDLE),)
    text = f'prototype {name} : Document\n{{\n\tEntityName = @"{label}";\n\tDocumentPath = @"{path}";\n}}\n'
    claims = (
        Claim("EntityName", label, named, Modality.CREATED),
        Claim("DocumentPath", path, handle, Modality.CREATED),
    )
    return Proposal(view.source, label, None, text, claims)

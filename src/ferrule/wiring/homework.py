"""A person's draft judged as a critic's: the searches, inspections and citations of a diligent critic are made for it.

Owns that preparation, so that a refusal tells what is wrong with the definition rather than that nobody searched
(`ferrule memory check --as-critic`, DEC-D5). Every citation is looked up in the turn, none is invented. Knows no rule.
"""

from collections.abc import Iterator, Sequence

from ferrule.bridge.evidence import occurs
from ferrule.bridge.modality import provable
from ferrule.bridge.values import (
    Claim,
    Evidence,
    MentionRef,
    Modality,
    Proposal,
    Proves,
    Role,
    SearchKind,
    Stage,
    TurnView,
)
from ferrule.bridge.view import view_of
from ferrule.memory.admission import admit
from ferrule.memory.door import DoorLimits, NLMemoryDoor
from ferrule.memory.ports import MemoryStore
from ferrule.memory.submission import AdmissionView, Limits, Scope, Submission, Verdict
from ferrule.ontology.build import prototype_of
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.layers import names_of, texts_of
from ferrule.ontology.values import LayerName, Property, Prototype, Ref, Value
from ferrule.protoscript.reading import parse
from ferrule.session.turn import Turn

__all__ = ["critic_ruling"]

_DILIGENT = DoorLimits(calls=500, identical_calls=500)
_CITED = 4
_STATE = "LifecycleState"


def critic_ruling(text: str, turn: Turn, store: MemoryStore, permanent: PrototypeLayer) -> Verdict:
    """The verdict on a definition as if a critic that did all its homework had proposed it on that turn."""
    seen = view_of(turn)
    door = NLMemoryDoor(store, permanent, seen, _DILIGENT)
    trees = parse(text).tree.prototypes if len(text) <= Limits().definition_bytes else ()
    draft = prototype_of(trees[0], LayerName.STAGED, fields_assign=True) if len(trees) == 1 else None
    claims: tuple[Claim, ...] = ()
    target = None
    if draft is not None:
        target = _search(door, draft)
        claims = tuple(_claims(draft, seen, door))
    proposal = Proposal(seen.source, draft.name if draft else "", target, text, claims)
    view = AdmissionView(
        permanent=permanent,
        session=store.layer(seen.source),
        lineage=store.lineage(seen.source),
        turn=seen,
        record=door.record(),
        ordinal=seen.ordinal,
        forgotten=lambda marks: tuple(stone.key for stone in store.tombstones(seen.source, marks)),
    )
    return admit(Submission(text, Scope.CRITIC, proposal), view)


def _search(door: NLMemoryDoor, draft: Prototype) -> str | None:
    """Search name, aliases and every value, inspect the target or the bases; the target when it is known."""
    door.enter(Stage.IDENTITY)
    door.search(draft.name, SearchKind.NAME, candidate=draft.name)
    for name in names_of(draft):
        door.search(name, SearchKind.ALIAS, candidate=draft.name)
    for prop in draft.properties:
        for value in _scalars(prop.value):
            kind = SearchKind.NAME if isinstance(value, Ref) else SearchKind.HANDLE
            door.search(value.name if isinstance(value, Ref) else value, kind, candidate=draft.name)
    door.enter(Stage.PROPERTIES)
    known = door.details(draft.name, candidate=draft.name).known
    door.schema(draft.name, candidate=draft.name)
    for base in draft.bases:
        door.details(base, candidate=draft.name)
        door.schema(base, candidate=draft.name)
    return draft.name if known else None


def _claims(draft: Prototype, seen: TurnView, door: NLMemoryDoor) -> Iterator[Claim]:
    modality = _modality(draft, seen)
    for prop in draft.properties:
        if prop.assigned:
            shown = "; ".join(value.name if isinstance(value, Ref) else value for value in _scalars(prop.value))
            yield Claim(prop.name, shown, tuple(_evidence(prop, seen, door)), modality)


def _evidence(prop: Property, seen: TurnView, door: NLMemoryDoor) -> Iterator[Evidence]:
    for value in _scalars(prop.value):
        if isinstance(value, Ref):
            hits = door.search(value.name, SearchKind.NAME).hits
            said = (value.name, *(handle.value for hit in hits if hit.name == value.name for handle in hit.handles))
            for words in said:
                yield from _cited(words, Proves.RELATION, seen)
        else:
            yield from _cited(value, Proves.HANDLE, seen)


def _cited(value: str, proves: Proves, seen: TurnView) -> Iterator[Evidence]:
    for part in dict.fromkeys((value, *(piece.strip() for piece in value.split(";")))):
        mentions = [mention for mention in seen.mentions if part in {mention.value, mention.key}][:_CITED]
        yield from (Evidence(MentionRef(mention.id), proves) for mention in mentions)
        yield from (Evidence(span, proves) for span in occurs(seen, part, tuple(Role))[:_CITED] if part)


def _modality(draft: Prototype, seen: TurnView) -> Modality:
    """What the draft says of itself, else what the turn proves."""
    stated = [prop.value for prop in draft.properties if prop.name.startswith(_STATE)]
    said = next((text.casefold() for text in stated if isinstance(text, str)), "")
    if said in set(Modality):
        return Modality(said)
    values = {value for prop in draft.properties for value in _scalars(prop.value) if isinstance(value, str)}
    keys: Sequence[str] = [mention.key for mention in seen.mentions if mention.value in values]
    return provable(seen, keys)


def _scalars(value: Value) -> Iterator[str | Ref]:
    if isinstance(value, Ref):
        yield value
    elif isinstance(value, tuple):
        for element in value:
            yield from _scalars(element)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
    else:
        yield from texts_of(value)

"""What is known, as critics and readers see it: hits, current values, schema.

Owns the way from prototypes to the bridge's values: the current view with what was before (R45), handles with the
identity keys they were admitted under. Knows nothing of who looks, or of recording.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ferrule.bridge.details import told_state
from ferrule.bridge.values import Details, HandleView, Hit, Match, PropertyDetail, SchemaRow
from ferrule.memory.ports import MemoryStore
from ferrule.ontology.current import CurrentValue, current_view, family
from ferrule.ontology.handles import handles_of
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import Prototype, Ref, SchemaEntry, Value
from ferrule.referents.kinds import NOWHERE, Place

__all__ = ["Sight", "details_of", "hit_of", "schema_rows", "value_text"]

_NAME = "EntityName"


@dataclass(frozen=True, slots=True)
class Sight:
    """One session's whole ontology as somebody may look at it.

    `staged_definition` gives the merged text of a prototype that is staged and not yet committed, or empty.
    """

    store: MemoryStore
    session: str
    ontology: Ontology
    place: Place = NOWHERE
    staged_definition: Callable[[str], str] = lambda _name: ""


def value_text(value: Value) -> str:
    """A value as text without quotes: a reference is its name, a list is bracketed."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case Ref(name):
            return name
        case tuple():
            return f"[{', '.join(value_text(element) for element in value)}]"
        case _:
            return str(value)


def hit_of(sight: Sight, name: str, why: str, matches: tuple[Match, ...] = ()) -> Hit | None:
    """One answer of a search, or None for an unknown name."""
    known = sight.ontology.get(name)
    if known is None:
        return None
    held = sight.ontology.effective(name, _NAME)
    return Hit(
        name=name,
        bases=known.bases,
        layer=known.layer.value,
        entity_name=value_text(held.value) if held.valued else "",
        handles=all_handles(sight, known),
        why=why,
        matches=matches,
    )


def all_handles(sight: Sight, known: Prototype) -> tuple[HandleView, ...]:
    """Every handle that a prototype carries, earlier ones included, with the key under which it was admitted."""
    admitted = {(view.property, view.value): view.key for view in sight.store.handles(sight.session, known.name)}
    return tuple(
        HandleView(
            handle.kind, handle.value, handle.property, admitted.get((handle.property, handle.value), handle.key)
        )
        for handle in handles_of(known, sight.ontology, sight.place)
    )


def details_of(
    sight: Sight,
    name: str,
    *,
    call: str = "",
    current: bool = False,
    matches: tuple[Match, ...] = (),
    revision: int | None = None,
) -> Details:
    """Current values of one prototype (R42); `matches` and `revision` say by what and when a search found it.

    `current` leaves out the handles that a later value replaced, and names the others by their family: what a reader
    wants. A critic sees them all.
    """
    known = sight.ontology.get(name)
    if known is None:
        return Details(call=call, name=name, known=False)
    origins = {origin.property: origin for origin in sight.store.provenance(sight.session, name)}
    view = current_view(known.properties, origins)
    handles = all_handles(sight, known)
    if current:
        carriers = {value.carried_by for value in view}
        handles = tuple(
            HandleView(handle.kind, handle.value, family(handle.property), handle.key)
            for handle in handles
            if handle.property in carriers
        )
    turn, modality = sight.store.turn_of(sight.session, name)
    return Details(
        call=call,
        name=name,
        known=True,
        bases=known.bases,
        layer=known.layer.value,
        properties=_properties(sight.ontology.schema(name), view),
        handles=handles,
        definition=sight.staged_definition(name) or sight.store.definition(sight.session, name),
        modality=told_state(modality, ((prop.name, prop.value) for prop in known.properties)) if current else modality,
        turn=turn,
        matches=matches,
        revision=revision,
    )


def schema_rows(ontology: Ontology, name: str) -> tuple[SchemaRow, ...]:
    """All resolved declarations of a prototype, inherited and unassigned ones included (R43)."""
    return tuple(
        SchemaRow(entry.property, entry.type, entry.declared_by, entry.assigned) for entry in ontology.schema(name)
    )


def _properties(schema: tuple[SchemaEntry, ...], view: tuple[CurrentValue, ...]) -> tuple[PropertyDetail, ...]:
    """What is valued first, then what could be."""
    declared = {entry.property: entry for entry in schema}
    valued = tuple(
        PropertyDetail(
            name=current.name,
            type=entry.type if (entry := declared.get(current.name) or declared.get(current.carried_by)) else "",
            value=value_text(current.value),
            assigned=True,
            declared_by=entry.declared_by if entry else "",
            was=tuple(value_text(value) for value in current.was),
        )
        for current in view
    )
    shown = {prop.name for prop in valued}
    open_ones = tuple(
        PropertyDetail(entry.property, entry.type, "", assigned=False, declared_by=entry.declared_by)
        for entry in schema
        if entry.property not in shown and family(entry.property) == entry.property
    )
    return valued + open_ones

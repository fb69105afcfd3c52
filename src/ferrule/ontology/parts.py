"""One permanent prototype may stand in several files: its parts become one, and none replaces another (DEC-D7).

Owns reading the declarations of a text, the join of parts, and what makes an entity of a prototype. Keeps no tree:
of a hundred thousand prototypes only what they say is kept. Knows nothing of what names mean.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ferrule.ontology.build import prototype_of, value_of
from ferrule.ontology.values import Annotated, LayerName, Property, Prototype, empty, is_permanent_type
from ferrule.protoscript import syntax

__all__ = ["Part", "merged_parts", "parts_of"]


@dataclass(frozen=True, slots=True)
class Part:
    """One declaration: what it says, and where it stands.

    Attributes:
        prototype: the declaration by itself.
        text: which text it stands in.
        at: which declaration of that text it is.
        plain: it declares anew, it is no `partial`.
    """

    prototype: Prototype
    text: int
    at: int
    plain: bool


def parts_of(declared_in: Iterable[tuple[str, syntax.Prototype]], text: int) -> Iterator[Part]:
    """The declarations of one text with their full names, in order."""
    for at, (name, declared) in enumerate(declared_in):
        built = prototype_of(declared, LayerName.PERMANENT, name=name)
        yield Part(
            replace(built, partial=False, annotations=_annotations(declared)) if _more(declared) else built,
            text,
            at,
            not declared.partial,
        )


def _more(declared: syntax.Prototype) -> bool:
    return declared.partial or bool(declared.annotations)


def _annotations(declared: syntax.Prototype) -> tuple[Annotated, ...]:
    return tuple(Annotated(one.name, tuple(map(value_of, one.arguments))) for one in declared.annotations)


def merged_parts(parts: Iterable[Part]) -> tuple[dict[str, Prototype], set[tuple[int, int]]]:
    """The prototypes by name, in the order of their first parts; and the texts and places that declare one again."""
    prototypes: dict[str, Prototype] = {}
    plain: set[str] = set()
    again: set[tuple[int, int]] = set()
    for part in parts:
        name = part.prototype.name
        if part.plain and name in plain:
            again.add((part.text, part.at))
            continue
        if part.plain:
            plain.add(name)
        known = prototypes.get(name)
        prototypes[name] = part.prototype if known is None else _joined(known, part.prototype)
    for name, prototype in prototypes.items():
        prototypes[name] = _as_entity(prototype)
    return prototypes, again


def _joined(known: Prototype, part: Prototype) -> Prototype:
    """Two parts of one permanent prototype: bases of both, of two values the earlier stands."""
    properties = {prop.name: prop for prop in known.properties}
    for prop in part.properties:
        held = properties.get(prop.name)
        if held is None:
            properties[prop.name] = prop
        else:
            value = held if held.assigned or not prop.assigned else prop
            kind = held.type or prop.type
            declares = held.declares or prop.declares
            properties[prop.name] = Property(prop.name, kind, value.value, declares, value.assigned)
    bases = tuple(dict.fromkeys((*known.bases, *part.bases)))
    annotations = (*known.annotations, *part.annotations)
    return replace(known, bases=bases, properties=tuple(properties.values()), annotations=annotations)


def _as_entity(prototype: Prototype) -> Prototype:
    """On an entity a typed field with a value assigns it; on a type it is a default (D2, D7)."""
    if is_permanent_type(prototype) or all(prop.assigned or empty(prop.value) for prop in prototype.properties):
        return prototype
    properties = (
        prop
        if prop.assigned or empty(prop.value)
        else Property(prop.name, prop.type, prop.value, prop.declares, assigned=True)
        for prop in prototype.properties
    )
    return replace(prototype, properties=tuple(properties))

"""What is stored is computed once: the merged prototype and its canonical text, never the caller's bytes (D11, OBS-M1).

Owns the merge of a definition into what the session holds, and canonical rendering. Nothing assigned is ever replaced.
Knows nothing of rules.
"""

from dataclasses import replace
from decimal import Decimal

from ferrule.ontology.build import empty
from ferrule.ontology.current import family
from ferrule.ontology.handles import declared_type
from ferrule.ontology.resolve import Ontology, merged
from ferrule.ontology.values import LayerName, Property, Prototype, Ref, Value
from ferrule.protoscript import syntax
from ferrule.protoscript.printer import print_prototype, verbatim

__all__ = ["canonical", "merge", "resolved"]

_AT = syntax.Span(0, 0)


def resolved(written: Prototype, ontology: Ontology) -> Prototype:
    """The written prototype with every property's type filled in.

    An untyped `<Property>AtTurn<n>` declares itself with the type of its family, so that the stored text stands alone.
    """
    return replace(written, properties=tuple(_typed(written, prop, ontology) for prop in written.properties))


def _typed(written: Prototype, prop: Property, ontology: Ontology) -> Property:
    kind = prop.type or declared_type(ontology, written, prop)
    later = family(prop.name) != prop.name and not _known_above(written, prop.name, ontology)
    return replace(prop, type=kind, declares=prop.declares or later)


def _known_above(written: Prototype, name: str, ontology: Ontology) -> bool:
    known = (ontology.get(holder) for holder in (*written.bases, *ontology.ancestors(written.name)))
    return any(held.declares for found in known if found and (held := found.own(name)) is not None)


def merge(written: Prototype, own: Prototype | None, *, below: bool) -> Prototype:
    """The session's part of the prototype after the write.

    `own` is the session's part so far; `below` tells that the lineage or the permanent layer knows the prototype, so
    that the session's part stays a `partial` (D7).
    """
    written = replace(written, layer=LayerName.SESSION, partial=below)
    if own is None:
        return written
    return replace(merged(own, written), layer=LayerName.SESSION, partial=own.partial or below)


def canonical(prototype: Prototype, *, partial: bool | None = None, bases: bool = True) -> str:
    """The canonical text of a prototype: typed fields before assignments, verbatim strings, bases unless left out."""
    parts = prototype.partial if partial is None else partial
    return print_prototype(
        syntax.Prototype(
            name=prototype.name,
            bases=prototype.bases if bases else (),
            modifiers=("partial",) if parts else (),
            annotations=(),
            members=tuple(_member(prop) for prop in prototype.properties),
            where="",
            short=False,
            span=_AT,
            name_span=_AT,
            base_spans=(),
        )
    )


def _member(prop: Property) -> syntax.Field | syntax.Assignment:
    value = _expression(prop.value)
    if not prop.declares:
        return syntax.Assignment(prop.name, value, plain=True, span=_AT, name_span=_AT)
    bare = empty(prop.value) and prop.value is None
    return syntax.Field(prop.type, prop.name, None if bare else value, (), (), _AT, _AT)


def _expression(value: Value) -> syntax.Expression:
    match value:
        case bool():
            return syntax.Truth(value, _AT)
        case int() | float():
            return _number(value)
        case str():
            return syntax.Text("verbatim", verbatim(value), value, _AT)
        case Ref(name=name):
            return syntax.Name(name, _AT)
        case tuple():
            return syntax.ListExpression(tuple(_expression(element) for element in value), _AT)
        case _:
            return syntax.Null(_AT)


def _number(value: float) -> syntax.Number:
    if isinstance(value, int):
        return syntax.Number("int", str(abs(value)), value, value < 0, _AT)
    return syntax.Number("double", _digits(abs(value)), value, value < 0, _AT)


def _digits(value: float) -> str:
    """Plain digits with a point, exact: ProtoScript knows no exponent."""
    text = format(Decimal(repr(value)), "f")
    return text if "." in text else f"{text}.0"

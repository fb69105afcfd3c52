"""What the author of a permanent file wants to hear: unknown names, types that do not fit, each at its place.

Owns two looks at a declaration: a quick one at what it says, which finds whether anything may be wrong, and a close one
at its tree, which says what and where. Nearly every file of a large ontology needs the quick one alone. Knows nothing
of files or of how parts were joined.
"""

import difflib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from ferrule.errors import Code
from ferrule.ontology.declaring import Declaration
from ferrule.ontology.fitting import BUILTIN, fits, is_type_name, refs_of, said, suggestion
from ferrule.ontology.parts import Part
from ferrule.ontology.reading import LocatedProblem
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.scoping import Scopes
from ferrule.ontology.values import Property, Prototype
from ferrule.protoscript import syntax
from ferrule.protoscript.source import Source

__all__ = ["Place", "is_sound", "problems_of", "resolvable"]

_MANY = 2000
_FLAT = Scopes(())
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Place:
    """The file in which a declaration stands, its text, and what short names mean in it."""

    file: str
    source: Source
    scopes: Scopes = _FLAT

    def problem(self, code: Code, message: str, span: syntax.Span, hint: str = "") -> LocatedProblem:
        """A problem at a place of it."""
        line, column = self.source.position(span.start)
        return LocatedProblem(self.file, code, message, line, column, hint)


def is_sound(part: Part, raw: Ontology) -> bool:
    """Whether nothing can be wrong with a declaration: everything it names is known, and every value fits."""
    prototype = part.prototype
    name, bases = prototype.name, prototype.bases
    if not all(_is_base(base, name, raw) for base in bases):
        return False
    declared = raw.declared.of(name)
    return all(_fits(prop, declared, raw) for prop in prototype.properties)


def _is_base(base: str, name: str, raw: Ontology) -> bool:
    return base not in BUILTIN and base != name and raw.get(base) is not None and name not in raw.ancestors(base)


def _fits(prop: Property, declared: Mapping[str, Declaration], raw: Ontology) -> bool:
    held = declared.get(prop.name)
    if held is None or (prop.declares and not is_type_name(prop.type, raw)):
        return False
    if prop.value is None:
        return True
    return all(raw.get(ref) is not None for ref in refs_of(prop.value)) and fits(prop.value, held.type, raw)


def problems_of(name: str, tree: syntax.Prototype, place: Place, raw: Ontology) -> Iterator[LocatedProblem]:
    """Everything that is wrong with one declaration, in the order of its text."""
    for written, span in zip(tree.bases, tree.base_spans, strict=False):
        base = place.scopes.meaning(written, name, other=True)
        if base in BUILTIN or raw.get(base) is None:
            hint = _near(base, _names(raw)) or "Declare it, or name the file that does."
            yield place.problem(Code.UNKNOWN_TYPE, f"The base {base} is not known.", span, hint)
        elif base == name or name in raw.ancestors(base):
            yield place.problem(Code.TYPE_MISMATCH, f"{name} would become its own ancestor.", span, "Take it out.")
    declared = raw.declared.of(name)
    for member in tree.members:
        if isinstance(member, syntax.Field) and not is_type_name(place.scopes.meaning(member.type, name), raw):
            yield place.problem(
                Code.UNKNOWN_TYPE, f"The type {member.type} is not known.", member.span, _meant_type(member.type, raw)
            )
        elif isinstance(member, syntax.Assignment) and member.name not in declared:
            hint = _near(member.name, declared) or f"Declare it with its type, as in String {member.name} = … ;"
            yield place.problem(Code.UNKNOWN_PROPERTY, f"{member.name} is not declared.", member.name_span, hint)
        elif isinstance(member, syntax.Field | syntax.Assignment):
            prototype = raw.get(name)
            held = prototype.own(member.name) if prototype else None
            if held is not None and member.value is not None:
                kind = declared[member.name].type if member.name in declared else ""
                yield from _value_problems(held, member.value, kind, place=place, raw=raw)


def _value_problems(
    held: Property, value: syntax.Expression, kind: str, *, place: Place, raw: Ontology
) -> Iterator[LocatedProblem]:
    missing = [ref for ref in refs_of(held.value) if raw.get(ref) is None]
    if missing:
        hint = _near(missing[0], _names(raw)) or "A text belongs in quotes."
        yield place.problem(Code.UNKNOWN_REFERENCE, f"{missing[0]} is not a known prototype.", value.span, hint)
    elif not fits(held.value, kind, raw):
        message = f"The value does not fit {held.name}, which is of type {kind}."
        hint = f"It is {said(held.value)}: write one that fits, or change the type."
        yield place.problem(Code.TYPE_MISMATCH, message, value.span, hint)


def _meant_type(name: str, raw: Ontology) -> str:
    meant = suggestion(name)
    near = f"Did you mean {meant}?" if meant else _near(name, (*BUILTIN, *_names(raw)))
    return near or "A type is String, Int, Bool, Double, Collection, or a prototype."


def _names(raw: Ontology) -> tuple[str, ...]:
    return raw.names(lambda layer: layer.names())


def _near(name: str, known: Collection[str]) -> str:
    """The known name that is spelt nearly so; a large ontology is not searched for it."""
    found = difflib.get_close_matches(name[:_SHOWN], known, n=1, cutoff=0.7) if len(known) <= _MANY else []
    return f"Did you mean {found[0]}?" if found else ""


def resolvable(prototype: Prototype, raw: Ontology) -> Prototype:
    """What can be resolved: unknown bases and undeclared or dangling values are left out."""
    declared = raw.declared.of(prototype.name)
    bases = tuple(base for base in prototype.bases if raw.get(base) is not None)
    properties = tuple(
        prop
        for prop in prototype.properties
        if prop.name in declared and all(raw.get(name) is not None for name in refs_of(prop.value))
    )
    return replace(prototype, bases=bases, properties=properties)

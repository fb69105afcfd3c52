"""A declaration becomes a prototype: values decoded, nothing evaluated (OBS-M2, D2).

Owns the step from the syntax tree to the graph's values, and back from values to tree for printing. Knows nothing of
what names mean: whether a base or a reference exists is asked elsewhere.
"""

from collections.abc import Iterator
from sys import intern

from ferrule.ontology.values import LayerName, Opaque, Property, Prototype, Ref, Value, empty
from ferrule.protoscript import syntax

__all__ = ["declarations", "empty", "opaque", "prototype_of", "same_value", "value_of"]

_TEXT_FORMS = frozenset({"string", "verbatim", "char"})


def same_value(one: Value, other: Value) -> bool:
    """Whether two values are one: `1` and `true` are not, `1` and `1.0` are."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(same_value(left, right) for left, right in zip(one, other, strict=True))
    return isinstance(one, bool) is isinstance(other, bool) and one == other


def value_of(expression: syntax.Expression) -> Value:
    """The decoded value of a literal, list or name; None for `null`; `Opaque` for what would need running."""
    if isinstance(expression, syntax.Text):  # nearly every value is one
        return expression.value if expression.form in _TEXT_FORMS else _other_text(expression)
    match expression:
        case syntax.Number(value=number) | syntax.Truth(value=number):
            return number
        case syntax.Name(name=name):
            return Ref(name)
        case syntax.ListExpression(elements=elements):
            return tuple(value_of(element) for element in elements)
        case syntax.New(type="Collection"):
            return ()
        case _:
            return Opaque(expression.what, _path(expression)) if isinstance(expression, syntax.Computed) else None


def _path(expression: syntax.Computed) -> str:
    """`A.B` where nothing but names and dots is written, else empty."""
    if not isinstance(expression, syntax.Access) or not isinstance(expression.target, syntax.Name):
        return ""
    parts = [expression.target.name]
    for link in expression.links:
        if not isinstance(link, syntax.MemberAccess) or link.mark != "." or link.arguments is not None:
            return ""
        parts.append(link.name)
    return ".".join(parts)


def _other_text(text: syntax.Text) -> Value:
    return Ref(text.value) if text.form == "protostring" else Opaque("text with holes")


def opaque(expression: syntax.Expression) -> bool:
    """Whether reading it would need running it."""
    if isinstance(expression, syntax.Text):
        return expression.form == "interpolated"
    match expression:
        case syntax.Computed():
            return True
        case syntax.ListExpression(elements=elements):
            return any(opaque(element) for element in elements)
        case _:
            return False


def prototype_of(tree: syntax.Prototype, layer: LayerName, *, name: str = "", fields_assign: bool = False) -> Prototype:
    """The prototype that a declaration declares.

    `fields_assign` tells whether a typed field with a value assigns it: it does in a memory and on an entity, on a type
    it is only a default (D2). Of two values for one property the later one stands; rule 5 refuses that in a memory.
    Names of properties, types and bases recur thousands of times in a large ontology: each is held once.
    """
    properties: dict[str, Property] = {}
    for member in tree.members:
        if isinstance(member, syntax.Assignment):
            if member.plain:
                value = value_of(member.value)
                properties[member.name] = _assignment(properties.get(member.name), member.name, value)
        elif isinstance(member, syntax.Field):
            value = None if member.value is None else value_of(member.value)
            properties[member.name] = _field(properties.get(member.name), member, value, assigns=fields_assign)
    bases = tuple(dict.fromkeys(map(intern, tree.bases)))
    return Prototype(name or tree.name, bases, tuple(properties.values()), layer, partial=tree.partial)


def _field(known: Property | None, member: syntax.Field, value: Value, *, assigns: bool) -> Property:
    if known is not None and member.value is None:
        return Property(known.name, intern(member.type), known.value, declares=True, assigned=known.assigned)
    assigned = assigns and not empty(value)
    return Property(intern(member.name), intern(member.type), value, declares=True, assigned=assigned)


def _assignment(known: Property | None, name: str, value: Value) -> Property:
    declares = known is not None and known.declares
    return Property(intern(name), known.type if known else "", value, declares=declares, assigned=not empty(value))


def declarations(file: syntax.File) -> Iterator[tuple[str, syntax.Prototype]]:
    """Every prototype of a file with its full name, nested ones as `Outer.Inner`, in source order.

    One whose name is missing, which the parser has reported, declares nothing.
    """
    for tree in file.prototypes:
        if tree.name:
            yield from _nested(tree.name, tree)


def _nested(name: str, tree: syntax.Prototype) -> Iterator[tuple[str, syntax.Prototype]]:
    yield name, tree
    for member in tree.members:
        if isinstance(member, syntax.Prototype) and member.name:
            yield from _nested(f"{name}.{member.name}", member)

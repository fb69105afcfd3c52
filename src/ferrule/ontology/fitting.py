"""A value fits its declared type or it is refused: nothing is converted, nothing dropped (OBS-M7, OBS-M15, CASE-G09).

Owns the built-in types and the check of a value against a type. Knows nothing of who declares what.
"""

import math
from collections.abc import Callable, Mapping

from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import Opaque, Ref, Value

__all__ = ["BUILTIN", "fits", "is_type_name", "refs_of", "said", "suggestion"]

BUILTIN = frozenset({"String", "Int", "Integer", "Bool", "Boolean", "Double", "Collection", "Prototype"})
_SPELLINGS = {
    "string": "String",
    "text": "String",
    "str": "String",
    "int": "Int",
    "integer": "Int",
    "long": "Int",
    "bool": "Bool",
    "boolean": "Bool",
    "double": "Double",
    "float": "Double",
    "decimal": "Double",
    "number": "Double",
    "collection": "Collection",
    "list": "Collection",
    "prototype": "Prototype",
    "object": "Prototype",
}
# The reference cannot read -2147483648 back: the digits overflow before the sign is applied.
_INT_MIN, _INT_MAX = -(2**31) + 1, 2**31 - 1


def is_type_name(name: str, ontology: Ontology) -> bool:
    """Whether a property may be declared with this type: a built-in one or a known prototype."""
    return name in BUILTIN or ontology.get(name) is not None


def suggestion(name: str) -> str:
    """The built-in type that a misspelt one means (`string` → `String`), or empty."""
    return _SPELLINGS.get(name.rstrip("?").removesuffix("[]").casefold(), "")


def refs_of(value: Value) -> tuple[str, ...]:
    """The names of all prototypes that a value refers to, lists opened."""
    if isinstance(value, Ref):
        return (value.name,)
    if isinstance(value, tuple):
        return tuple(name for element in value for name in refs_of(element))
    return ()


def fits(value: Value, declared: str, ontology: Ontology) -> bool:
    """Whether a value may stand in a property of this type; an empty value may stand in any.

    Integers are 32-bit signed, doubles finite, an integer is a double, a reference fits its own type and any ancestor.
    Of a value that only running would tell nobody can say that it does not fit.
    """
    if value is None or isinstance(value, Opaque):
        return True
    return _CHECKS.get(declared, _is_ref)(value) and (
        not isinstance(value, Ref) or (declared not in _CHECKS and ontology.is_a(value.name, declared))
    )


def _is_ref(value: Value) -> bool:
    return isinstance(value, Ref)


def _is_int(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and _INT_MIN <= value <= _INT_MAX


def _is_double(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_bool(value: Value) -> bool:
    return isinstance(value, bool)


def _is_collection(value: Value) -> bool:
    return isinstance(value, tuple) and all(_element(element) for element in value)


def _element(value: Value) -> bool:
    if isinstance(value, tuple):
        return all(_element(element) for element in value)
    if isinstance(value, int) and not isinstance(value, bool):
        return _INT_MIN <= value <= _INT_MAX
    return not isinstance(value, float) or math.isfinite(value)


_CHECKS: Mapping[str, Callable[[Value], bool]] = {
    "String": lambda value: isinstance(value, str),
    "Bool": _is_bool,
    "Boolean": _is_bool,
    "Int": _is_int,
    "Integer": _is_int,
    "Double": _is_double,
    "Collection": _is_collection,
}


def said(value: Value) -> str:
    """What a value is, for a refusal: never the value itself."""
    if isinstance(value, bool):
        return "a Bool"
    if isinstance(value, int):
        return "a whole number" if _INT_MIN <= value <= _INT_MAX else "a number out of the range of Int"
    if isinstance(value, float):
        return "a number with a fraction" if math.isfinite(value) else "a number that is not finite"
    if isinstance(value, Ref):
        return "a reference"
    if isinstance(value, Opaque):
        return "a computed value"
    return "a list" if isinstance(value, tuple) else "a text"

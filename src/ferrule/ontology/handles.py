"""A memory without a handle is not a memory: which properties of a prototype carry one (R24-R29, D3, D4).

Owns the reading of handles from a prototype: the kind comes from the property's name, the recogniser checks the value,
a property of prototype type is a typed reference. Knows nothing of turns; relative paths get their place handed in.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ferrule.ontology.current import family
from ferrule.ontology.fitting import BUILTIN
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import Property, Prototype, Ref, Value
from ferrule.referents.forms import identity_key, normal_form
from ferrule.referents.kinds import NOWHERE, Handle, HandleKind, Place
from ferrule.referents.properties import Suffixes, is_free_text, kind_of_property
from ferrule.referents.recognise import accepts, recognise

__all__ = ["declared_type", "handles_of", "has_handle", "keys_of", "linked_handle", "lookup_keys"]

# Recognised whatever the property is called; every other kind needs its name (design.md section 3).
_NAMELESS = frozenset({HandleKind.FILESYSTEM_PATH, HandleKind.URL, HandleKind.COMMIT_SHA, HandleKind.SESSION_KEY})
_PATHS = frozenset({HandleKind.FILESYSTEM_PATH, HandleKind.REPOSITORY_ROOT, HandleKind.PROMPT_PATH})
# An id by its form, but shared by many things: it points at none of them.
_SHARED = ("Port", "Version")
_LONGEST_NAMELESS = 500
_SHORT_SHA = len("sha:") + 7
_MERE_NUMBER = re.compile(r"v?[0-9]{1,12}(?:[.,_-][0-9A-Za-z]{1,12}){0,6}")


def declared_type(ontology: Ontology, prototype: Prototype, prop: Property) -> str:
    """The type of a property: as declared here, else by the schema, family and full name alike; empty when unknown."""
    if prop.type:
        return prop.type
    quick = ontology.declared.inherited(prototype.bases).get(prop.name)
    if quick is not None and not prop.declares:
        return quick.type
    wanted = tuple(dict.fromkeys((prop.name, family(prop.name))))
    for name in wanted:
        held = prototype.own(name)
        if held is not None and held.declares:
            return held.type
    known = ontology.get(prototype.name)
    for bases in dict.fromkeys((prototype.bases, known.bases if known else ())):
        declared = ontology.declared.inherited(bases)
        for name in wanted:
            if name in declared:
                return declared[name].type
    return ""


def handles_of(prototype: Prototype, ontology: Ontology, place: Place = NOWHERE) -> tuple[Handle, ...]:
    """Every handle that a prototype itself carries, typed references included, in source order."""
    return tuple(
        handle
        for prop in prototype.properties
        if prop.assigned
        for handle in _handles(prop, prototype, ontology, place)
    )


def _handles(prop: Property, prototype: Prototype, ontology: Ontology, place: Place) -> Iterator[Handle]:
    may, named = _said(prop.name, ontology)
    if not may and isinstance(prop.value, str):  # prose: most texts of most ontologies
        return
    for value in _scalars(prop.value):
        if isinstance(value, Ref):
            yield Handle(HandleKind.TYPED_REFERENCE, value.name, f"ref:{value.name}", prop.name)
            continue
        kind = _shipped_kind(prop.name, value) if ontology.suffixes is None else _kind_of(value, may, named)
        if kind is not None and _may_carry(declared_type(ontology, prototype, prop)):
            yield Handle(kind, value, identity_key(kind, value, place)[0], prop.name)


def _may_carry(declared: str) -> bool:
    """Whether a value of that type may be a handle by itself: a property of prototype type only refers."""
    return not declared or declared in BUILTIN


def _scalars(value: Value) -> Iterator[str | Ref]:
    if isinstance(value, tuple):
        for element in value:
            yield from _scalars(element)
    elif isinstance(value, Ref | str):
        yield value
    elif isinstance(value, int) and not isinstance(value, bool):
        yield str(value)


def _said(name: str, ontology: Ontology) -> tuple[bool, HandleKind | None]:
    """What the table says of a property's name, worked out once: by the ontology's own folders, else as shipped."""
    if ontology.suffixes is None:
        return _shipped_said(name)
    said = ontology.kinds_said.get(name)
    if said is None:
        said = ontology.kinds_said[name] = _said_of(name, ontology.suffixes)
    return said


@lru_cache(maxsize=4096)
def _shipped_said(name: str) -> tuple[bool, HandleKind | None]:
    return _said_of(name, None)


def _said_of(name: str, suffixes: Suffixes | None) -> tuple[bool, HandleKind | None]:
    """Whether a property of that name may carry a handle at all, and of which kind."""
    may = not (is_free_text(name, suffixes) or family(name).endswith(_SHARED))
    return may, kind_of_property(name, suffixes) if may else None


def _kind_of(value: str, may: bool, kind: HandleKind | None) -> HandleKind | None:  # noqa: FBT001 - what `_said_of` gives
    if not may:
        return None
    return kind if kind is not None and accepts(kind, value) else _nameless(value)


def _nameless(value: str) -> HandleKind | None:
    """The kind of a value that is recognised whatever its property is called: as a whole, on one line, not a number."""
    if len(value) > _LONGEST_NAMELESS or value.isdigit() or "\n" in value:
        return None
    whole = (found.kind for found in recognise(value) if (found.start, found.end) == (0, len(value)))
    return next((kind for kind in whole if kind in _NAMELESS), None)


@lru_cache(maxsize=2048)
def _shipped_kind(name: str, value: str) -> HandleKind | None:
    """As the shipped table says. Admission asks the same few names and values many times for one definition."""
    return _kind_of(value, *_shipped_said(name))


def has_handle(prototype: Prototype, ontology: Ontology, place: Place = NOWHERE) -> bool:
    """Whether a prototype carries a handle of its own that is not merely a reference."""
    return any(handle.kind is not HandleKind.TYPED_REFERENCE for handle in handles_of(prototype, ontology, place))


def linked_handle(prototype: Prototype, ontology: Ontology, place: Place = NOWHERE) -> bool:
    """Whether a typed link leads, in one hop, to another entity that has a handle of its own (D3)."""
    for handle in handles_of(prototype, ontology, place):
        if handle.kind is HandleKind.TYPED_REFERENCE and handle.value != prototype.name:
            target = ontology.get(handle.value)
            if target is not None and has_handle(target, ontology):
                return True
    return False


def lookup_keys(kind: HandleKind, value: str, place: Place = NOWHERE, key: str = "") -> tuple[str, ...]:
    """Every identity key under which a handle may be known: in this place and, for a path, in the permanent layer.

    The permanent layer knows no place, so an absolute path is its own key there. `key` is the key that a turn gave the
    handle, when it did: it comes first.
    """
    found = [key, identity_key(kind, value, place)[0]]
    if kind in _PATHS:
        found.append(identity_key(kind, normal_form(kind, value, place), NOWHERE)[0])
    return tuple(dict.fromkeys(form for one in found if one for form in _forms(one)))


def keys_of(handles: Sequence[Handle]) -> tuple[str, ...]:
    """The identity keys among handles: what decides sameness.

    A typed reference names another entity, and a bare number or version names nothing by itself, so neither does.
    """
    return tuple(
        dict.fromkeys(
            form
            for handle in handles
            if handle.kind is not HandleKind.TYPED_REFERENCE
            and not (handle.kind is HandleKind.OTHER_ID and _MERE_NUMBER.fullmatch(handle.value))
            for form in _forms(handle.key)
        )
    )


def _forms(key: str) -> tuple[str, ...]:
    """A commit is also known by its first seven digits: a short and a full SHA of one commit meet there."""
    return (key, key[:_SHORT_SHA]) if key.startswith("sha:") and len(key) > _SHORT_SHA else (key,)

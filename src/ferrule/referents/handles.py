"""One property of a prototype either carries a handle or it does not: name, then value, then the place decide.

Owns that decision in one call (rule 8, D4). Knows nothing of prototypes.
"""

from ferrule.referents.forms import identity_key
from ferrule.referents.kinds import NOWHERE, Handle, HandleKind, Place
from ferrule.referents.properties import Suffixes, is_free_text, kind_of_property
from ferrule.referents.shapes import accepts, free_kind

__all__ = ["handle_kind", "handle_of"]


def handle_kind(name: str, value: str, extra: Suffixes | None = None) -> HandleKind | None:
    """The kind of handle that this property carries with this value, or None.

    A free-text name never carries one (D4); else the name's kind decides and the value must look like it; under a name
    that tells no kind only path, URL, SHA and session key count (design.md section 3).
    """
    if is_free_text(name, extra):
        return None
    kind = kind_of_property(name, extra)
    if kind is None:
        return free_kind(value)
    return kind if accepts(kind, value) else None


def handle_of(name: str, value: str, place: Place = NOWHERE, extra: Suffixes | None = None) -> Handle | None:
    """The handle in one property, with its identity key, or None."""
    kind = handle_kind(name, value, extra)
    if kind is None:
        return None
    return Handle(kind, value, identity_key(kind, value, place)[0], name)

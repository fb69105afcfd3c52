"""What is known, as values: prototypes, properties and where they live.

Owns the graph's nodes. Knows nothing of sessions, turns or stores.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

__all__ = [
    "Annotated",
    "LayerName",
    "Opaque",
    "Property",
    "Prototype",
    "Ref",
    "SchemaEntry",
    "Value",
    "empty",
    "is_permanent_type",
]


class LayerName(StrEnum):
    """Where a prototype lives: shipped or user folders, the lineage's other sessions, or this session."""

    PERMANENT = "permanent"
    LINEAGE = "lineage"
    SESSION = "session"
    STAGED = "staged"


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to another prototype by name."""

    name: str


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value that only running would tell; nothing is run. `what` says what stands there, as `call`.

    It is no empty value: a property that has one is valued, whatever the value is. Only permanent files have such.
    `path` is `A.B` where it is written so: what that is shows when all names are known.
    """

    what: str
    path: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"(computed: {self.what}, not run)"


Value: TypeAlias = "str | int | float | bool | Ref | Opaque | tuple[Value, ...] | None"


@dataclass(frozen=True, slots=True)
class Annotated:
    """What an annotation says of a prototype, as data: its name and its arguments. Nothing is called."""

    name: str
    arguments: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Property:
    """One property as one prototype holds it.

    `declares` means that this prototype declares it (with `type`); `assigned` that it assigns a non-empty value in the
    sense of D2 (a default on a type is not assigned). `type` is empty for a plain assignment until it is resolved.
    """

    name: str
    type: str
    value: Value
    declares: bool
    assigned: bool


@dataclass(frozen=True, slots=True)
class Prototype:
    """A named node: its direct bases in order, its own properties in source order, and what annotations say of it."""

    name: str
    bases: tuple[str, ...]
    properties: tuple[Property, ...]
    layer: LayerName
    partial: bool = False
    annotations: tuple[Annotated, ...] = ()

    def own(self, name: str) -> Property | None:
        """The property that this prototype itself declares or assigns, or None."""
        return next((prop for prop in self.properties if prop.name == name), None)


@dataclass(frozen=True, slots=True)
class SchemaEntry:
    """One resolved declaration; `assigned` tells whether the asked prototype has it valued (D2)."""

    property: str
    type: str
    declared_by: str
    assigned: bool


def empty(value: Value) -> bool:
    """Whether a value counts as none at all: `null`, `""`, `[]`, `new Collection()` (D2, CASE-G03)."""
    return value is None or value in ("", ())


def is_permanent_type(prototype: Prototype) -> bool:
    """Whether a permanent prototype is a type: it assigns nothing inherited and has no `#` in its name (D7)."""
    return "#" not in prototype.name and all(prop.declares for prop in prototype.properties)

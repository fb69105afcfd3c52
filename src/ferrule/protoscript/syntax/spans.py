"""Where a node stands, and what all nodes have in common.

Owns the span and the two marks that tell data from what would need running. Knows nothing of any construct.
"""

from dataclasses import Field
from typing import Any, ClassVar, NamedTuple

__all__ = ["Computed", "Node", "Span", "Statement"]


class Span(NamedTuple):
    """A half-open range of code points, offsets from 0, of the text behind its byte-order mark."""

    start: int
    end: int


class Node:
    """A part of the tree: immutable, compared by content, and always with the place where it stands."""

    __slots__ = ()

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    span: Span


class Computed(Node):
    """An expression that would need running. It is read, never evaluated (INV-I5)."""

    __slots__ = ()

    @property
    def what(self) -> str:
        """What it is, for people: `call`, ``operator `+` ``, `lambda`, …."""
        raise NotImplementedError


class Statement(Node):
    """Something that would be run. It is read, never run (INV-I5)."""

    __slots__ = ()

    @property
    def what(self) -> str:
        """What it is, for people: `if statement`, `variable`, `block`, …."""
        return f"{type(self).__name__.lower()} statement"

"""Where a node stands, and what all nodes have in common.

Owns the span and the two marks that tell data from what would need running. Knows nothing of any construct.
"""

from collections.abc import Callable
from dataclasses import Field, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar, dataclass_transform

__all__ = ["Computed", "Node", "Span", "Statement", "make_span", "node"]

_T = TypeVar("_T", bound="Node")


class Span(NamedTuple):
    """A half-open range of code points, offsets from 0, of the text behind its byte-order mark."""

    start: int
    end: int


make_span: Callable[[tuple[int, int]], Span] = partial(tuple.__new__, Span)
"""`Span` from a pair, without the detour through Python that its class makes."""


_fill = type.__call__


class _Kind(type):
    """The class of the nodes' classes: fills a node while nothing guards it, and hands it out immutable.

    Python sets each field of a frozen dataclass through three calls; a large text has a million of them.
    """

    draft: type[Any]

    if not TYPE_CHECKING:

        def __call__(cls, *values: object, **named: object) -> object:
            made = _fill(cls.draft, *values, **named)
            made.__class__ = cls
            return made


class Node(metaclass=_Kind):
    """A part of the tree: immutable, compared by content, and always with the place where it stands."""

    __slots__ = ()

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    span: Span

    def __eq__(self, other: object) -> bool:
        """By content, in a loop: two trees may be deeper than Python's own stack."""
        if type(self) is not type(other):
            return NotImplemented
        waiting: list[tuple[object, object]] = [(self, other)]
        while waiting:
            one, two = waiting.pop()
            if type(one) is not type(two):
                return False
            if isinstance(one, Node):
                waiting.extend((getattr(one, name), getattr(two, name)) for name in type(one).__dataclass_fields__)
            elif isinstance(one, tuple) and isinstance(two, tuple) and len(one) == len(two):
                waiting.extend(zip(one, two, strict=True))
            elif one != two:
                return False
        return True

    def __hash__(self) -> int:
        return hash((type(self), self.span))


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


@dataclass_transform(frozen_default=True)
def node(cls: type[_T]) -> type[_T]:
    """The class as a frozen dataclass with slots, and beside it the same without the guard, which `_Kind` fills."""
    fields = {name: vars(cls)[name] for name in cls.__annotations__ if name in vars(cls)}
    unguarded = _Kind(cls.__name__, cls.__bases__, {"__annotations__": dict(cls.__annotations__), **fields})
    frozen = dataclass(frozen=True, slots=True, eq=False)(cls)
    frozen.draft = dataclass(slots=True, eq=False)(unguarded)
    return frozen

"""What would have to be run to be known: found and named, never run.

Owns the list of these parts of a tree: functions, init blocks, statements of a file, and values that are computed.
Knows nothing of what they would do.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ferrule.protoscript.syntax import (
    Assignment,
    Computed,
    Field,
    File,
    Function,
    Init,
    Item,
    ListExpression,
    Member,
    Namespace,
    Node,
    Prototype,
    Span,
    Statement,
)
from ferrule.protoscript.walking import walk

__all__ = ["Opaque", "opaque_parts"]


@dataclass(frozen=True, slots=True)
class Opaque:
    """A part that is kept as text: what it is, for people, and where it stands."""

    what: str
    span: Span


def opaque_parts(tree: File) -> tuple[Opaque, ...]:
    """Every part of a file whose meaning would need running, in source order; nothing inside of another one."""
    return tuple(_in_items(tree.items))


def _in_items(items: Iterable[Item | Member]) -> Iterator[Opaque]:
    waiting: list[Item | Member] = list(items)[::-1]
    while waiting:
        item = waiting.pop()
        match item:
            case Namespace():
                waiting.extend(reversed(item.items))
            case Prototype():
                waiting.extend(reversed(item.members))
            case Function():
                yield Opaque(f"function `{item.name}`", item.span)
            case Init():
                yield Opaque("init block", item.span)
            case Field() | Assignment():
                computed = _computed(item.value)
                if computed is not None:
                    yield Opaque(f"value of `{item.name}` ({computed.what})", item.span)
            case Statement():
                yield Opaque(item.what, item.span)
            case _:
                pass


def _computed(value: Node | None) -> Computed | None:
    """The first part of a value that is neither literal, name, list nor empty object."""
    if value is None or isinstance(value, ListExpression):
        return next((part for part in walk(value) if isinstance(part, Computed)), None) if value else None
    return value if isinstance(value, Computed) else None

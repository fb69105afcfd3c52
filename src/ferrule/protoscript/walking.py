"""The nodes below a node, whatever it is: without recursion, so that no height of a tree is too much.

Knows nothing of what any node means, nor of tokens.
"""

from collections.abc import Iterator

from ferrule.protoscript.syntax import Node

__all__ = ["children", "height", "walk"]


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below, in source order.

    An annotation stands before what it annotates, so it is a child of the node around both; the expressions in the
    holes of an interpolated string are its children.
    """
    found: list[Node] = []
    kind = type(node)
    if kind not in _SLOTS:
        _SLOTS[kind] = tuple(name for name in kind.__dataclass_fields__ if name not in _ELSEWHERE)
    for name in _SLOTS[kind]:
        value = getattr(node, name)
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple):
            for one in value:
                if isinstance(one, Node):
                    found.extend(getattr(one, "annotations", ()))
                    found.append(one)
    found.sort(key=lambda one: one.span)
    return tuple(found)


_SLOTS: dict[type[Node], tuple[str, ...]] = {}
"""The fields of each kind of node that may hold nodes of its own, as they are met."""

_ELSEWHERE = frozenset({"annotations", "span", "name_span", "base_spans"})


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, each before its children, in source order."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        waiting.extend(reversed(children(found)))


def height(node: Node) -> int:
    """How many nodes stand above each other at most, this one included."""
    tallest = 0
    waiting = [(node, 1)]
    while waiting:
        found, level = waiting.pop()
        tallest = max(tallest, level)
        waiting.extend((one, level + 1) for one in children(found))
    return tallest

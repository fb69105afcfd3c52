"""Two trees mean the same, however they are spelt: spans, quotes and the order of fields aside.

Owns the comparison that the fuzz campaign and the property tests hold printer and formatter to; it is made of the
nodes themselves and of no summary. Knows nothing of what a tree is printed as.
"""

from typing import Any

from ferrule.protoscript.syntax import Annotation, Block, Field, Node, Prototype, Span, Text

__all__ = ["meaning"]

_PLACES = frozenset({"span", "name_span", "base_spans"})


def meaning(tree: Node) -> list[Any]:
    """What a tree says, as a flat list: each node's kind and words, and how many nodes stand in each of its parts."""
    told: list[Any] = []
    waiting: list[Node] = [tree]
    while waiting:
        node = waiting.pop()
        told.append(type(node).__name__)
        below: list[Node] = []
        for name in type(node).__dataclass_fields__:
            if name in _PLACES or _spelling(node, name):
                continue
            value = getattr(node, name)
            nodes = _nodes(value)
            if nodes is None:
                told.append(sorted(set(value)) if name == "modifiers" else value)
                continue
            told.append(len(nodes))
            below.extend(_in_order(node, name, nodes))
        waiting.extend(reversed(below))
    return told


def _spelling(node: Node, name: str) -> bool:
    """Whether a field of a node only tells how it is written."""
    match node:
        case Text(form="string" | "verbatim"):
            return name in {"form", "raw"}
        case Annotation():
            return name == "text"
        case Block():
            return name == "braced"
        case _:
            return False


def _nodes(value: object) -> list[Node] | None:
    """The nodes that a field holds; None when it holds none and never does."""
    if isinstance(value, Node):
        return [value]
    if isinstance(value, tuple) and not isinstance(value, Span) and all(isinstance(one, Node) for one in value):
        return [one for one in value if isinstance(one, Node)]
    return None


def _in_order(node: Node, name: str, nodes: list[Node]) -> list[Node]:
    """Fields stand before the other members: the reference reads them so, and so they are printed."""
    if isinstance(node, Prototype) and name == "members":
        return sorted(nodes, key=lambda one: not isinstance(one, Field))
    return nodes

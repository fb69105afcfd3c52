"""Tree and tokens together hold every byte of the text, and give it back.

The typed nodes hold what a text says; the token columns hold how it is written, with the trivia (white space, comments)
before each token. A node owns the tokens inside of its span that none of its children owns. Owns walking both at once,
without recursion. Knows nothing of what any node means.
"""

from bisect import bisect_left
from collections.abc import Iterator

from ferrule.protoscript.reading import Parsed
from ferrule.protoscript.syntax import File, Node, Text
from ferrule.protoscript.tokens import END, Token
from ferrule.protoscript.walking import children

__all__ = ["leaves", "pieces", "text", "tokens_of"]


def tokens_of(parsed: Parsed, node: Node) -> Iterator[Token]:
    """Every token inside of the node's span; for a file all of them, with the end of input as the last."""
    first, last = _range(parsed, node)
    for index in range(first, last):
        yield parsed.tokens.token(index)


def pieces(parsed: Parsed, node: Node) -> Iterator[Token | Node]:
    """What a node consists of, in source order: the tokens that are its own, and its children."""
    below = () if isinstance(node, Text) else children(node)
    at, last = _range(parsed, node)
    for child in below:
        first, end = _range(parsed, child)
        for index in range(at, first):
            yield parsed.tokens.token(index)
        yield child
        at = max(at, end)
    for index in range(at, last):
        yield parsed.tokens.token(index)


def leaves(parsed: Parsed, node: Node) -> Iterator[Token]:
    """The tokens of a node as the tree reaches them: each once, in source order."""
    open_nodes = [pieces(parsed, node)]
    while open_nodes:
        found = next(open_nodes[-1], None)
        if found is None:
            open_nodes.pop()
        elif isinstance(found, Token):
            yield found
        else:
            open_nodes.append(pieces(parsed, found))


def text(parsed: Parsed, node: Node | None = None) -> str:
    """The text of the whole (byte for byte what was read, mark included) or of one node (without trivia around it)."""
    if node is None:
        return parsed.mark + "".join(token.trivia + token.text for token in leaves(parsed, parsed.tree))
    return parsed.source.text[node.span.start : node.span.end]


def _range(parsed: Parsed, node: Node) -> tuple[int, int]:
    """The first token of a node, and the one behind its last."""
    if isinstance(node, File):
        return 0, parsed.tokens.kinds.index(END) + 1
    starts = parsed.tokens.starts
    return bisect_left(starts, node.span.start), bisect_left(starts, node.span.end)

"""Where lines begin and what stands apart: what a formatter must know of a tree, as offsets of tokens.

Owns the layout: every declaration, statement and brace of a body on a line of its own, one step deeper inside of a
body, operators between spaces. Made in one walk without recursion. Knows nothing of comments, nor of how a source was
laid out before, one thing apart: a body without braces stays on its line where it stood on it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from ferrule.protoscript import syntax
from ferrule.protoscript.lossless import pieces, tokens_of
from ferrule.protoscript.reading import Parsed
from ferrule.protoscript.tokens import END, Token
from ferrule.protoscript.walking import children

__all__ = ["Layout", "layout"]


@dataclass(slots=True)
class Layout:
    """Offsets of tokens. `starts` begin a line, at a depth; `braces` open or close a body (and not an initializer).

    `spaced` stand between spaces, `led` have one before and `followed` one behind them; between the tokens of `kept`
    and what stands before them the source decides.
    """

    starts: dict[int, int] = field(default_factory=dict)
    braces: set[int] = field(default_factory=set)
    spaced: set[int] = field(default_factory=set)
    led: set[int] = field(default_factory=set)
    followed: set[int] = field(default_factory=set)
    kept: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Walk:
    """One walk: what is read, what is told of it, and the nodes that still wait, each with its depth."""

    parsed: Parsed
    told: Layout
    waiting: list[tuple[syntax.Node, int]]

    def own(self, node: syntax.Node) -> list[Token]:
        """The tokens of a node that none of its children holds."""
        return [piece for piece in pieces(self.parsed, node) if isinstance(piece, Token) and piece.kind != END]

    def below(self, nodes: tuple[syntax.Node, ...], depth: int) -> None:
        """Visit these nodes, at that depth."""
        self.waiting.extend((node, depth) for node in nodes)

    def lines(self, nodes: tuple[syntax.Node, ...], depth: int) -> None:
        """Visit these nodes, each on a line of its own; annotations before them too."""
        for node in nodes:
            self.told.starts[node.span.start] = depth
        self.below(nodes, depth)


def layout(parsed: Parsed) -> Layout:
    """The layout of a tree without errors."""
    walk = _Walk(parsed, Layout(), [(parsed.tree, 0)])
    while walk.waiting:
        node, depth = walk.waiting.pop()
        _VISITED.get(type(node), _plain)(walk, node, depth)
    return walk.told


def _plain(walk: _Walk, node: syntax.Node, depth: int) -> None:
    walk.below(children(node), depth)


def _file(walk: _Walk, node: syntax.File, _: int) -> None:
    walk.lines(children(node), 0)


def _kept(walk: _Walk, node: syntax.Node, _: int) -> None:
    walk.told.kept.update(token.start for token in tokens_of(walk.parsed, node) if token.kind != ";")


def _scope(walk: _Walk, node: syntax.Namespace | syntax.Prototype, depth: int) -> None:
    own = walk.own(node)
    opened = next((place for place, token in enumerate(own) if token.kind == "{"), len(own))
    walk.told.spaced.update(token.start for token in own[:opened] if token.kind == ":")
    where = next((place for place, token in enumerate(own[:opened]) if token.text == "where"), opened)
    walk.told.kept.update(token.start for token in own[where + 1 : opened])
    _body(walk, own[opened:], depth)
    walk.lines(children(node), depth + 1)


def _body(walk: _Walk, own: list[Token], depth: int) -> None:
    """The braces of a body: the first of its tokens and the last brace."""
    for token in own[:1] + [token for token in own[1:] if token.kind == "}"][-1:]:
        walk.told.starts[token.start] = depth
        walk.told.braces.add(token.start)


def _block(walk: _Walk, node: syntax.Block, depth: int) -> None:
    own = walk.own(node)
    if node.braced:
        _body(walk, own, depth)
        walk.lines(children(node), depth + 1)
        return
    first = next(iter(tokens_of(walk.parsed, node)))
    if "\n" in first.trivia:
        walk.lines(children(node), depth + 1)
    else:
        walk.told.led.add(first.start)
        walk.below(children(node), depth)


def _switch(walk: _Walk, node: syntax.Switch, depth: int) -> None:
    walk.told.followed.add(node.span.start)
    walk.below((node.subject,), depth)
    _body(walk, walk.own(node.body), depth)
    for one in node.body.statements:
        walk.lines((one,), depth + (1 if isinstance(one, syntax.Case | syntax.Default) else 2))


def _lambda(walk: _Walk, node: syntax.Lambda, depth: int) -> None:
    walk.told.spaced.update(token.start for token in walk.own(node))
    walk.below((node.parameter,), depth)
    if not isinstance(node.body, syntax.Block):
        walk.below((node.body,), depth)
        return
    own = walk.own(node.body)
    _body(walk, own, depth)
    del walk.told.starts[own[0].start]
    walk.told.led.add(own[0].start)
    walk.lines(children(node.body), depth + 1)


def _spaced(kinds: frozenset[str]) -> "_Visit":
    """A node whose own tokens of these kinds stand apart; all of them where no kind is named."""

    def visit(walk: _Walk, node: syntax.Node, depth: int) -> None:
        walk.told.spaced.update(token.start for token in walk.own(node) if not kinds or token.kind in kinds)
        walk.below(children(node), depth)

    return visit


def _worded(*begin: str) -> "_Visit":
    """A node whose own words have a space behind them; those of `begin` begin a line."""

    def visit(walk: _Walk, node: syntax.Node, depth: int) -> None:
        words = [token for token in walk.own(node) if token.kind == "name"]
        walk.told.followed.update(token.start for token in words)
        walk.told.starts.update((token.start, depth) for token in words if token.text in begin)
        walk.below(children(node), depth)

    return visit


def _try(walk: _Walk, node: syntax.Try, depth: int) -> None:
    _worded("finally")(walk, node, depth)
    for caught in node.catches:
        walk.told.starts[caught.span.start] = depth


def _binary(walk: _Walk, node: syntax.Binary, depth: int) -> None:
    own = walk.own(node)
    walk.told.spaced.update(token.start for token in own)
    for before, token in pairwise(own):
        if before.end == token.start:  # `>>` and `!is` are two tokens of one operator
            _tight(walk, before, token)
    walk.below(children(node), depth)


def _assign(walk: _Walk, node: syntax.Assign, depth: int) -> None:
    own = walk.own(node)
    walk.told.spaced.update(token.start for token in own)
    for before, token in pairwise(own):  # `*=` and `>>=`
        _tight(walk, before, token)
    walk.below(children(node), depth)


def _tight(walk: _Walk, before: Token, token: Token) -> None:
    """Two tokens of one operator: spaces around both, none between."""
    walk.told.spaced -= {before.start, token.start}
    walk.told.led.add(before.start)
    walk.told.followed.add(token.start)
    walk.told.kept.add(token.start)


def _unary(walk: _Walk, node: syntax.Unary, depth: int) -> None:
    walk.told.followed.update(token.start for token in walk.own(node) if token.kind == "name")
    walk.below(children(node), depth)


_Visit = Callable[[_Walk, Any, int], None]

_EQUALS = _spaced(frozenset({"="}))
_VISITED: dict[type, _Visit] = {
    syntax.File: _file,
    syntax.Directive: _kept,
    syntax.Namespace: _scope,
    syntax.Prototype: _scope,
    syntax.Block: _block,
    syntax.Lambda: _lambda,
    syntax.Field: _EQUALS,
    syntax.Assignment: _EQUALS,
    syntax.Variable: _EQUALS,
    syntax.Parameter: _EQUALS,
    syntax.Function: _spaced(frozenset({":"})),
    syntax.Conditional: _spaced(frozenset()),
    syntax.Categorisation: _spaced(frozenset({"->", "{", "}"})),
    syntax.Initializer: _spaced(frozenset({"{", "}"})),
    syntax.Binary: _binary,
    syntax.Assign: _assign,
    syntax.Unary: _unary,
    syntax.If: _worded("else"),
    syntax.Do: _worded("while"),
    syntax.Try: _try,
    syntax.Switch: _switch,
    **dict.fromkeys(
        (
            *(syntax.For, syntax.ForEach, syntax.While, syntax.Branch, syntax.Catch, syntax.Case, syntax.Init),
            *(syntax.Return, syntax.Throw, syntax.Yield),
        ),
        _worded(),
    ),
}

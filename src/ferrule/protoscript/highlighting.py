"""What each stretch of a text is, so that it can be shown in colours: total, and the text comes back byte for byte.

Made of the same tokens and tree that everything else reads, so that colours never tell another story. What is wrong is
told as such; what follows it still has its colours. Knows nothing of colours.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from ferrule.protoscript.reading import Parsed, parse
from ferrule.protoscript.syntax import Annotation, Assignment, Field, Function, Prototype, Span
from ferrule.protoscript.tokens import END, Token
from ferrule.protoscript.walking import walk
from ferrule.protoscript.words import RESERVED, VALUE_WORDS, WORD_OPERATORS

__all__ = ["Look", "Stretch", "stretches"]


class Look(StrEnum):
    """What a stretch of text is."""

    BLANK = "blank"
    COMMENT = "comment"
    KEYWORD = "keyword"
    CONSTANT = "constant"
    OPERATOR_WORD = "operator-word"
    TYPE = "type"
    DEFINED = "defined"
    PROPERTY = "property"
    FUNCTION = "function"
    ANNOTATION = "annotation"
    NAME = "name"
    TEXT = "text"
    NUMBER = "number"
    OPERATOR = "operator"
    MARK = "mark"
    WRONG = "wrong"


class Stretch(NamedTuple):
    """A stretch of a text: where it begins, what it is, and its characters."""

    start: int
    look: Look
    text: str


_PIECE = re.compile(r"\s++|(?://|\#)[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/|.", re.DOTALL)
_KINDS = {
    **dict.fromkeys(("junk", "stray", "unterminated", "open-comment"), Look.WRONG),
    **dict.fromkeys(("string", "verbatim", "char", "interpolated", "protostring"), Look.TEXT),
    **dict.fromkeys("{}[]();,.", Look.MARK),
    "number": Look.NUMBER,
}
_OPENING_WORDS = frozenset(
    {"prototype", "partial", "extern", "namespace", "function", "include", "reference", "import"}
)
_KEYWORDS = RESERVED | _OPENING_WORDS


def stretches(text: str) -> Iterator[Stretch]:
    """Every character of the text, in order, as stretches; joined they are the text."""
    parsed = parse(text)
    told = _told(parsed)
    offset = len(parsed.mark)
    if parsed.mark:
        yield Stretch(0, Look.BLANK, parsed.mark)
    for token in parsed.tokens:
        at = offset + token.start - len(token.trivia)
        for piece in _PIECE.finditer(token.trivia):
            look = Look.BLANK if piece[0].isspace() else Look.COMMENT
            yield Stretch(at + piece.start(), look, piece[0])
        if token.kind != END:
            yield Stretch(offset + token.start, told.get(token.start) or _look(token), token.text)


def _look(token: Token) -> Look:
    """What a token is wherever it stands."""
    if token.kind in _KINDS:
        return _KINDS[token.kind]
    if token.kind != "name":
        return Look.OPERATOR
    if token.text in VALUE_WORDS:
        return Look.CONSTANT
    if token.text in WORD_OPERATORS:
        return Look.OPERATOR_WORD
    return Look.KEYWORD if token.text in _KEYWORDS else Look.NAME


def _told(parsed: Parsed) -> dict[int, Look]:
    """What the tree says of names, by the offset of the token."""
    told: dict[int, Look] = {}
    for node in walk(parsed.tree):
        match node:
            case Prototype():
                _put(parsed, told, node.name_span, Look.DEFINED)
                for base in node.base_spans:
                    _put(parsed, told, base, Look.TYPE)
            case Field():
                _put(
                    parsed, told, Span(node.span.start, node.name_span.start), Look.TYPE, keep=frozenset(node.modifiers)
                )
                _put(parsed, told, node.name_span, Look.PROPERTY)
            case Assignment():
                _put(parsed, told, node.name_span, Look.PROPERTY)
            case Function():
                _put(parsed, told, node.name_span, Look.FUNCTION)
            case Annotation():
                _annotation(parsed, told, node)
            case _:
                pass
    return told


def _annotation(parsed: Parsed, told: dict[int, Look], node: Annotation) -> None:
    first = min((argument.span.start for argument in node.arguments), default=node.span.end)
    _put(parsed, told, Span(node.span.start, first), Look.ANNOTATION)


def _put(parsed: Parsed, told: dict[int, Look], span: Span, look: Look, *, keep: frozenset[str] = frozenset()) -> None:
    """Every word inside of the span looks so."""
    for token in _within(parsed, span):
        if token.kind == "name" and token.text not in keep:
            told[token.start] = look


def _within(parsed: Parsed, span: Span) -> Iterator[Token]:

    starts = parsed.tokens.starts
    for index in range(bisect_left(starts, span.start), bisect_left(starts, span.end)):
        yield parsed.tokens.token(index)

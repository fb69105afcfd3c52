"""The layout of a source made uniform, with every comment kept: only what stands between tokens changes.

Owns how trivia becomes line ends, tabs and spaces. Braces and declarations stand on lines of their own; a comment
stays behind what it stood behind, or on its own line; one empty line is kept where there was any; a line break inside
of an expression stays. What comes out has the same tokens in the same order, which is checked, so it means the same.
Formatting what is formatted changes nothing. Knows nothing of files.
"""

import re
from dataclasses import dataclass
from functools import cache

from ferrule.protoscript.diagnostics import Diagnostic
from ferrule.protoscript.layout import Layout, layout
from ferrule.protoscript.lexer import lex
from ferrule.protoscript.reading import Parsed, parse
from ferrule.protoscript.tokens import END, Token

__all__ = ["Formatted", "format_source"]

_PIECE = re.compile(r"(?P<blank>\s++)|(?P<line>(?://|\#)[^\n]*+)|(?P<block>/\*(?:[^*]|\*(?!/))*+\*/)")
_WORDS = frozenset({"name", "number", "string", "verbatim", "char", "interpolated", "protostring"})
_OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(_OPENING.values())
_CLINGING = frozenset({";", ",", ")", "]"})
_BEFORE_A_WORD = frozenset({">", "]", "?", ")"})
_AFTER_A_BRACE = frozenset({".", "?."})


@dataclass(frozen=True, slots=True)
class Formatted:
    """The formatted text, or the text as it was with what is wrong in it.

    `kept` says that the text stayed as it was because our own check of the result failed: a fault of the formatter.
    """

    text: str
    diagnostics: tuple[Diagnostic, ...] = ()
    kept: bool = False

    @property
    def ok(self) -> bool:
        """Whether the text could be formatted."""
        return not self.diagnostics


def format_source(text: str) -> Formatted:
    """Format a text. One that has errors comes back as it was, with them; a byte-order mark and CRLF line ends stay.

    Tabs indent, no line ends with blanks, the last one ends with a line end.
    """
    parsed = parse(text)
    if not parsed.ok:
        return Formatted(text, tuple(found for found in parsed.diagnostics if found.severity == "error"))
    laid = _Writer(layout(parsed)).write(parsed)
    if not _same(parsed, parse(laid)):  # a fault of ours changes no one's file
        return Formatted(text, kept=True)
    return Formatted(parsed.mark + laid)


def _same(before: Parsed, after: Parsed) -> bool:
    """Whether both have the same tokens in the same order, and the same is found in them."""
    return _told(before) == _told(after)


def _told(parsed: Parsed) -> tuple[list[tuple[str, str]], list[str]]:
    return [(token.kind, token.text) for token in parsed.tokens], [found.code for found in parsed.diagnostics]


@dataclass(frozen=True, slots=True)
class _Comment:
    """A comment of the source, and how many line ends stand before it."""

    text: str
    breaks: int


class _Writer:
    """Writes tokens and comments one behind the other, with what belongs between them."""

    def __init__(self, told: Layout) -> None:
        self._told = told
        self._out: list[str] = []
        self._depth = 0
        self._open: list[tuple[str, int]] = []
        self._fresh = True

    def write(self, parsed: Parsed) -> str:
        """The whole text."""
        end = "\r\n" if _only_crlf(parsed) else "\n"
        self._end = end
        before: Token | None = None
        for token in parsed.tokens:
            comments, breaks = _comments(token.trivia)
            self._gap(before, token, comments, breaks)
            self._token(token)
            before = token
        return "".join(self._out).rstrip("\r\n") + end if any(self._out) else ""

    def _gap(self, before: Token | None, token: Token, comments: list[_Comment], breaks: int) -> None:
        """What stands between two tokens: comments, line ends, indentation, spaces."""
        starts = token.start in self._told.starts or token.kind == END
        if starts and not breaks and not any(comment.breaks for comment in comments):
            breaks = 1
        inner = starts and not (before is not None and before.start in self._told.braces and before.kind == "{")
        depth = self._indent(token, starts=starts)
        above = depth + (token.start in self._told.braces and token.kind == "}")
        for place, comment in enumerate(comments):
            self._between(comment.breaks, above, blank=starts and (inner or place > 0), gap=" ")
            self._put(comment.text)
        closing = token.kind == "}"
        if not comments and token.kind in _CLINGING - {")", "]"}:
            breaks = 0
        if token.kind == END:
            return
        gap = " " if comments else self._space(before, token)
        self._between(breaks, depth, blank=starts and not closing and (inner or bool(comments)), gap=gap)

    def _between(self, breaks: int, depth: int, *, blank: bool, gap: str) -> None:
        if self._fresh:
            self._fresh = False
        elif breaks:
            self._out.append(self._end * (2 if blank and breaks > 1 else 1) + "\t" * depth)
        else:
            self._out.append(gap)

    def _put(self, text: str) -> None:
        self._out.append(text)

    def _indent(self, token: Token, *, starts: bool) -> int:
        """How deep a line that begins with this token stands: its own depth, or one behind what it goes on with."""
        if starts:
            return self._told.starts.get(token.start, 0)
        inside = 0
        for kind, _ in reversed(self._open):
            if kind == "body":
                break
            inside += 1
        return self._depth + (inside - 1 if token.kind in _CLOSING else max(inside, 1))

    def _token(self, token: Token) -> None:
        if token.start in self._told.starts:
            self._depth = self._told.starts[token.start]
        self._put(token.text)
        if token.start in self._told.braces and token.kind == "{":
            self._open.append(("body", self._depth))
        elif token.kind in _OPENING:
            self._open.append((token.kind, self._depth))
        elif token.kind in _CLOSING and self._open:
            _, self._depth = self._open.pop()

    def _space(self, before: Token | None, token: Token) -> str:
        told = self._told
        if before is None:
            return ""
        if token.start in told.kept:
            return " " if token.trivia else ""
        if token.kind in _CLINGING or before.kind in {"(", "["}:
            return ""
        if before.kind == "}" and token.kind in _AFTER_A_BRACE:
            return ""
        if token.start in told.led or before.start in told.followed:
            return " "
        apart = token.start in told.spaced or before.start in told.spaced
        return " " if apart or _apart(before.kind, token.kind) else ""


def _apart(before: str, kind: str) -> bool:
    """Whether two kinds of tokens stand apart wherever they meet."""
    if before in {",", ";"} or (before == "number" and kind == "."):
        return True
    if kind in _WORDS:
        return before in _WORDS or before in _BEFORE_A_WORD
    return _joins(before, kind)


@cache
def _joins(before: str, kind: str) -> bool:
    """Whether two signs without a space between them would be read as another one: `- -` as `--`."""
    return not before[0].isalpha() and not kind[0].isalpha() and lex(before + kind).kinds[0] != before


def _comments(trivia: str) -> tuple[list[_Comment], int]:
    """The comments in what stands before a token, and how many line ends stand behind the last."""
    found: list[_Comment] = []
    breaks = 0
    for piece in _PIECE.finditer(trivia):
        if piece.lastgroup == "blank":
            breaks += piece[0].count("\n")
        else:
            found.append(_Comment(piece[0].rstrip() if piece.lastgroup == "line" else piece[0], breaks))
            breaks = 0
    return found, breaks


def _only_crlf(parsed: Parsed) -> bool:
    """Whether every line of the source ends with CRLF; there is one at least."""
    text = parsed.source.text
    ends = text.count("\n")
    return ends > 0 and text.count("\r\n") == ends

"""The cursor stands on one token, collects what is wrong, and never goes back.

Owns the position, the nesting depth, the limits and the diagnostics. `fail` records a finding and abandons the present
construct by raising `Misfit`, a private signal which the nearest recovery point (a member, a top-level item) takes up;
it never leaves `reading.parse`. `Rules` ties the mutually recursive construct families together without an import knot.
Knows nothing of any construct.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from ferrule.protoscript.diagnostics import Diagnostic, DiagnosticCode, Severity, diagnose
from ferrule.protoscript.source import Source
from ferrule.protoscript.syntax import Block, Expression, Function, Span
from ferrule.protoscript.syntax.spans import make_span
from ferrule.protoscript.tokens import END, Tokens

__all__ = ["Cursor", "Limits", "Misfit", "Rules", "at_word", "begins", "describe"]

_SHOWN = 24


@dataclass(frozen=True, slots=True)
class Limits:
    """What a text may cost: levels of nesting, findings, and tokens passed over, before the rest is one error node."""

    nesting: int = 256
    problems: int = 200
    skipped: int = 300_000


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that other families call back: an expression, a block or single statement, a function."""

    expression: "Callable[[Cursor], Expression]"
    block: "Callable[[Cursor], Block]"
    function: "Callable[[Cursor], Function]"


class Misfit(Exception):
    """The present construct does not fit; the finding is recorded already."""


class Cursor:
    """A position in a token stream. Public columns, because the inner loops index them directly.

    `types` remembers where looking ahead has found a type to end, so that no token is looked at twice for it;
    `wrong_guesses` counts how often it was none, because a text in which it never is one is not worth guessing.
    """

    __slots__ = (
        "at",
        "closed",
        "deepest",
        "depth",
        "ends",
        "expression",
        "failure",
        "kinds",
        "layout",
        "left_open",
        "limits",
        "problems",
        "rules",
        "skipped",
        "source",
        "starts",
        "texts",
        "types",
        "wrong_guesses",
    )

    def __init__(self, source: Source, tokens: Tokens, rules: Rules, limits: Limits, *, layout: bool = False) -> None:
        self.source = source
        self.kinds = tokens.kinds
        self.texts = tokens.texts
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.rules = rules
        self.expression = rules.expression
        self.limits = limits
        self.layout = layout
        self.left_open = False
        self.at = 0
        self.depth = 0
        self.deepest = 0
        self.skipped = 0
        self.closed = False
        self.failure = ""
        self.problems: list[Diagnostic] = []
        self.types: dict[int, int] = {}
        self.wrong_guesses = 0

    def span(self, first: int) -> Span:
        """From the start of token `first` to the end of the token before the cursor, which has moved since."""
        return make_span((self.starts[first], self.ends[self.at - 1]))

    def text(self, first: int) -> str:
        """The source text of `span(first)`."""
        span = self.span(first)
        return self.source.text[span.start : span.end]

    def here(self) -> Span:
        """The present token."""
        return Span(self.starts[self.at], self.ends[self.at])

    def over(self) -> bool:
        """Whether reading has ended early: too deep, too many problems, or a literal without end."""
        return self.closed

    def gap(self) -> Span:
        """The empty place right after the token before the cursor: where something is missing."""
        end = self.ends[self.at - 1] if self.at else 0
        return Span(end, end)

    def breaks(self, at: int = -1) -> bool:
        """Whether the present token (or token `at`) stands on a later line than the one before it, or is the end."""
        at = self.at if at < 0 else at
        return self.kinds[at] == END or "\n" in self.source.text[self.ends[at - 1] if at else 0 : self.starts[at]]

    def note(
        self, code: DiagnosticCode, message: str, span: Span, *, hint: str = "", severity: Severity = "error"
    ) -> None:
        """Record a finding and read on. After a finding that ends reading, nothing more is recorded."""
        if self.closed:
            return
        if len(self.problems) >= self.limits.problems:
            if severity == "warning":
                return
            code, hint = DiagnosticCode.TOO_MANY_PROBLEMS, ""
            message = f"more than {self.limits.problems} problems; the rest is not shown"
            self.closed = True
        if severity == "error":
            self.failure = code
        self.problems.append(diagnose(self.source, code, message, span, hint=hint, severity=severity))

    def fail(self, code: DiagnosticCode, message: str, span: Span | None = None, *, hint: str = "") -> NoReturn:
        """Record a finding at `span` (else at the present token) and abandon the present construct."""
        lexical = _LEXICAL.get(self.kinds[self.at])
        if lexical is not None and span is None:
            code, message, hint = _ONE_CHARACTER if self.texts[self.at] == "'" else lexical
            span = Span(self.starts[self.at], self.starts[self.at] + 1)
        self.note(code, message, span or self.here(), hint=hint)
        # Everything around what is not closed is not closed either: one finding says it.
        self.closed = self.closed or code is DiagnosticCode.UNCLOSED
        raise Misfit

    def expect(self, symbol: str, after: str) -> None:
        """Step over `symbol`; `after` says what stands before it, for the message."""
        if self.kinds[self.at] == symbol:
            self.at += 1
            return
        if self.kinds[self.at] in _LEXICAL:
            self.fail(DiagnosticCode.UNEXPECTED_TOKEN, "")
        if self.kinds[self.at] == END:
            message = f"the text ends, but `{symbol}` is still missing after {after}"
            self.fail(DiagnosticCode.UNCLOSED, message, self.gap(), hint=f"put `{symbol}` here")
        message = f"expected `{symbol}` after {after}, not {describe(self)}"
        self.fail(DiagnosticCode.UNEXPECTED_TOKEN, message, self.gap(), hint=f"put `{symbol}` here")

    def semicolon(self, after: str) -> None:
        """Step over `;`. A missing one is reported at the gap; where the next line goes on, reading goes on too."""
        if self.kinds[self.at] == ";":
            self.at += 1
            return
        if self.kinds[self.at] in _LEXICAL:
            self.fail(DiagnosticCode.MISSING_SEMICOLON, "")
        if self.at and self.kinds[self.at - 1] == "unterminated" and self.breaks():
            return  # said already: the open string has swallowed it
        message, hint = f"`;` is missing after {after}", "put `;` here"
        self.note(DiagnosticCode.MISSING_SEMICOLON, message, self.gap(), hint=hint)
        if self.kinds[self.at] != "}" and (self.kinds[self.at] == END or not (self.breaks() or begins(self))):
            raise Misfit

    def enter(self) -> None:
        """One level deeper; too deep a text is not read on (CASE-I04)."""
        self.depth += 1
        if self.depth <= self.deepest:
            return
        self.deepest = self.depth
        if self.depth > self.limits.nesting:
            self.note(DiagnosticCode.TOO_DEEP, f"nested more than {self.limits.nesting} levels deep", self.here())
            self.closed = True
            raise Misfit


def begins(c: Cursor) -> bool:
    """Whether a member or statement seems to begin here: `Name =` or `Type Name =`."""
    kinds, at = c.kinds, c.at
    return kinds[at] == "name" and "=" in {kinds[at + 1], kinds[at + 2] if kinds[at + 1] == "name" else ""}


def at_word(c: Cursor, word: str) -> bool:
    """Whether the present token is this word."""
    return c.texts[c.at] == word and c.kinds[c.at] == "name"


def describe(cursor: Cursor) -> str:
    """The present token for a message; never the content of a string."""
    kind = cursor.kinds[cursor.at]
    if kind == END:
        return "the end of the text"
    if kind in _NAMED:
        return _NAMED[kind]
    text = cursor.texts[cursor.at]
    return f"`{text if len(text) <= _SHOWN else text[:_SHOWN] + '…'}`"


_NAMED = {
    "string": "a string",
    "verbatim": "a string",
    "interpolated": "an interpolated string",
    "protostring": "a `$$` string",
    "char": "a character",
}

_ONE_CHARACTER = (
    DiagnosticCode.BAD_CHARACTER,
    "`'` opens a single character, which ends with `'`",
    'write a text in double quotes: `"…"`',
)

_LEXICAL = {
    "unterminated": (
        DiagnosticCode.UNTERMINATED_STRING,
        "this string has no closing quote",
        'close it with `"`; inside a verbatim string a quote is written twice',
    ),
    "open-comment": (DiagnosticCode.UNTERMINATED_COMMENT, "this comment has no end", "close it with `*/`"),
    "junk": (
        DiagnosticCode.BAD_IDENTIFIER,
        "this is not a name as ProtoScript writes it",
        "names consist of letters, digits and underscores; text belongs in quotes",
    ),
    "stray": (
        DiagnosticCode.BAD_CHARACTER,
        "this character has no meaning here",
        "names consist of letters, digits and underscores; text belongs in quotes",
    ),
}

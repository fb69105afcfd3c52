"""The one way in: a text becomes a tree and the list of what is wrong with it. Never raises, executes nothing.

Owns the composition of lexer and parser and the bounds of what a text may cost. Linear in the length of the text;
nesting is bounded before Python's own stack is. Knows nothing of admission: a tree may hold
constructs that no memory may use.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ferrule.protoscript.diagnostics import Diagnostic
from ferrule.protoscript.lexer import LOOK_AHEAD, lex
from ferrule.protoscript.parser.cursor import Cursor, Limits, Rules
from ferrule.protoscript.parser.files import file
from ferrule.protoscript.parser.functions import function
from ferrule.protoscript.parser.operators import expression
from ferrule.protoscript.parser.statements import block
from ferrule.protoscript.source import Source
from ferrule.protoscript.syntax import File
from ferrule.protoscript.tokens import Tokens

__all__ = ["Limits", "Parsed", "parse"]

_LARGE = 65_536
_RULES = Rules(expression=expression, block=block, function=function)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A tree, the tokens it was read from, the findings in source order, and the source that all of them point into.

    `mark` is the byte-order mark that stood before the source, or "". Tree and tokens together give the text back
    (`lossless.text`).
    """

    tree: File
    diagnostics: tuple[Diagnostic, ...]
    source: Source
    tokens: Tokens
    mark: str = ""

    @property
    def ok(self) -> bool:
        """Whether the text is ProtoScript: no finding is an error. Warnings may remain."""
        return not any(finding.severity == "error" for finding in self.diagnostics)

    @property
    def clean(self) -> bool:
        """Whether nothing at all was found: what admission asks of a definition."""
        return not self.diagnostics


def parse(text: str, limits: Limits | None = None) -> Parsed:
    """Read a ProtoScript text. A leading byte-order mark is dropped; positions count from behind it."""
    if len(text) < _LARGE:
        return _parse(text, limits or Limits())
    with _collector_paused():
        return _parse(text, limits or Limits())


def _parse(text: str, limits: Limits) -> Parsed:
    source = Source.of(text)
    tokens = lex(source.text)
    if tokens.kinds[-LOOK_AHEAD - 2 : -LOOK_AHEAD - 1] == ["unterminated"]:
        # Some quote is missing: read on line by line, so that it does not turn all texts behind it inside out.
        tokens = lex(source.text, by_line=True)
    cursor = Cursor(source, tokens, _RULES, limits)
    tree = file(cursor)
    if cursor.left_open:
        # Some brace is missing: read again and trust the indentation, so that what follows is not swallowed.
        cursor = Cursor(source, tokens, _RULES, limits, layout=True)
        tree = file(cursor)
    return Parsed(tree, tuple(cursor.problems), source, tokens, text[: len(text) - len(source.text)])


@contextmanager
def _collector_paused() -> Iterator[None]:
    """A tree has no cycles, yet the collector would walk all of it over and over while it grows: half of the time.

    Reference counting goes on; who had switched the collector off finds it off. At the end everything young is moved to
    the old ones (which is what freezing and thawing does), or the first thing made afterwards would pay for one walk.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()

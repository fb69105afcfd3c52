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
from ferrule.protoscript.lexer import lex
from ferrule.protoscript.parser.cursor import Cursor, Limits, Rules
from ferrule.protoscript.parser.files import file
from ferrule.protoscript.parser.functions import function
from ferrule.protoscript.parser.operators import expression
from ferrule.protoscript.parser.statements import block
from ferrule.protoscript.source import Source
from ferrule.protoscript.syntax import File

__all__ = ["Limits", "Parsed", "parse"]

_LARGE = 65_536
_RULES = Rules(expression=expression, block=block, function=function)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A tree (of what could be read), the findings in source order, and the source they point into."""

    tree: File
    diagnostics: tuple[Diagnostic, ...]
    source: Source

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
    cursor = Cursor(source, lex(source.text), _RULES, limits)
    tree = file(cursor)
    return Parsed(tree, tuple(cursor.problems), source)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """A tree has no cycles, yet the collector would walk all of it over and over while it grows: half of the time.

    Reference counting goes on; who had switched the collector off finds it off.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()

"""An interpolated string is one token; what stands in its holes is read as expressions with their true places.

Owns the holes. Knows nothing of what a hole may hold: `Cursor.expression` reads it.
"""

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.lexer import lex
from ferrule.protoscript.parser.cursor import Cursor, Misfit
from ferrule.protoscript.syntax import Expression, Span, Text
from ferrule.protoscript.tokens import END

__all__ = ["interpolated"]

_HOLES = 256


def interpolated(c: Cursor) -> Text:
    """Interpolated = "$" STRING . each `{ expression }` in it must be an expression."""
    at = c.at
    raw = c.texts[at]
    span = Span(c.starts[at], c.ends[at])
    c.at = at + 1
    offset = raw.index('"') + 1
    body = raw[offset:-1]
    holes: list[Expression] = []
    start = body.find("{")
    while start >= 0:
        end = body.find("}", start)
        if len(holes) == _HOLES:
            c.fail(DiagnosticCode.TOO_DEEP, f"a string with more than {_HOLES} holes", span)
        found = _hole(c, body[start + 1 : end], span.start + offset + start + 1) if end >= 0 else None
        if found is None:
            c.fail(DiagnosticCode.EXPECTED_VALUE, "a hole of this string holds no expression", span)
        holes.append(found)
        start = body.find("{", end)
    return Text("interpolated", raw, body, span, tuple(holes))


def _hole(c: Cursor, text: str, start: int) -> Expression | None:
    """The one expression of a hole, read by a cursor of its own, one level deeper; None when it is none."""
    inner = Cursor(c.source, lex(text).moved(start), c.rules, c.limits)
    inner.depth = c.depth
    try:
        inner.enter()
        found = c.expression(inner)
    except Misfit:
        if inner.depth > c.limits.nesting:
            c.depth = inner.depth - 1
            c.enter()
        return None
    c.deepest = max(c.deepest, inner.deepest)
    return found if inner.kinds[inner.at] == END and not inner.problems else None

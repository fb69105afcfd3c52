"""After a construct that did not fit, reading goes on where the next one begins.

Owns where that is: behind the construct's `;` or `}`, before the `}` around it, or before a line that opens a
declaration; the error nodes that stand for what was passed over; and what to do about a brace that is never closed.
Knows nothing of what else went wrong.
"""

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.cursor import Cursor, begins
from ferrule.protoscript.syntax import ErrorNode
from ferrule.protoscript.tokens import END

__all__ = ["begins_declaration", "broken", "dedented", "rest", "skip", "unclosed"]

_OPENERS = frozenset({"prototype", "partial", "function", "extern", "namespace"})
_OPEN_ENDED = frozenset({"unterminated", "open-comment"})


_GOES_ON = frozenset({"else", "catch", "finally"})


def skip(c: Cursor, first: int) -> None:
    """Step from a construct that began at token `first` to the next; the cursor may stand anywhere behind `first`."""
    if c.closed:
        return
    braces = brackets = 0
    for kind in c.kinds[first : c.at]:
        braces += _BRACES.get(kind, 0) if braces or kind != "}" else 0
        brackets += _BRACKETS.get(kind, 0)
    while c.kinds[c.at] != END:
        kind = c.kinds[c.at]
        if kind == "}" and braces == 0:
            return
        if kind == ";" and braces == 0:
            c.at += 1
            return
        if kind == "name" and c.at > first and c.breaks() and _starts(c, first, braces, brackets):
            return
        braces += _BRACES.get(kind, 0)
        brackets += _BRACKETS.get(kind, 0)
        c.at += 1
        if kind == "}" and braces == 0 and c.texts[c.at] not in _GOES_ON:
            c.at += c.kinds[c.at] == ";"
            return


_BRACES = {"{": 1, "}": -1}
_BRACKETS = {"(": 1, "[": 1, ")": -1, "]": -1}


def _starts(c: Cursor, first: int, braces: int, brackets: int) -> bool:
    """Whether the name that begins the present line begins something new."""
    if c.texts[c.at] in _OPENERS:
        return braces == 0 or _outside(c, first)
    return braces == 0 and brackets <= 0 and begins(c)


def begins_declaration(c: Cursor, at: int) -> bool:
    """Whether token `at` is the first of its line and opens a declaration."""
    return c.texts[at] in _OPENERS and c.kinds[at] == "name" and c.breaks(at)


def _outside(c: Cursor, first: int) -> bool:
    """Whether the present token is indented no more than token `first`, so that braces between them are left open."""
    return c.source.indentation(c.starts[c.at]) <= c.source.indentation(c.starts[first])


def broken(c: Cursor, first: int) -> ErrorNode:
    """What was passed over since token `first`; too much of it ends reading."""
    c.skipped += c.at - first
    if c.skipped > c.limits.skipped and not c.closed:
        message = f"more than {c.limits.skipped} tokens could not be read; the rest is not tried"
        c.note(DiagnosticCode.TOO_MUCH_SKIPPED, message, c.gap())
        c.closed = True
    return ErrorNode(c.failure, c.span(first))


def rest(c: Cursor) -> ErrorNode:
    """Everything that is left, given up."""
    first = c.at
    c.at = c.kinds.index(END, first)
    return ErrorNode(c.failure, c.span(first))


def dedented(c: Cursor, opening: int) -> bool:
    """Whether a declaration begins here that, by its indentation, stands outside of the braces at `opening`.

    Asked only on a second reading, when it is known that some brace is never closed.
    """
    return c.layout and begins_declaration(c, c.at) and _outside(c, opening)


def unclosed(c: Cursor, opening: int, what: str) -> None:
    """Report that the braces at `opening` are not closed where the present token stands."""
    ends = c.kinds[c.at] == END
    if not (ends and _swallowed(c)):
        line, _ = c.source.position(c.starts[opening])
        message = f"the {what} whose `{{` stands in line {line} is not closed"
        c.note(DiagnosticCode.UNCLOSED, message, c.gap(), hint="put `}` here")
    if ends:
        # Everything around what is not closed is not closed either: one finding says it.
        c.closed = c.left_open = True


def _swallowed(c: Cursor) -> bool:
    """Whether a text or comment without end, which is reported already, has taken in the brace that is missing."""
    odd = (text for kind, text in zip(c.kinds, c.texts, strict=True) if kind in _OPEN_ENDED)
    return bool(c.problems) and any("}" in text for text in odd)

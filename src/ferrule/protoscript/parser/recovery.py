"""After a construct that did not fit, reading goes on where the next one begins.

Owns where that is: behind the construct's `;` or `}`, before the `}` around it, or before a line that opens a
declaration; the error nodes that stand for what was passed over; and what to do about a brace that is never closed.
Knows nothing of what else went wrong.
"""

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.cursor import Cursor
from ferrule.protoscript.syntax import ErrorNode
from ferrule.protoscript.tokens import END

__all__ = ["broken", "dedented", "rest", "skip", "unclosed"]

# Words that open a declaration where they are the first of their line.
_OPENERS = frozenset({"prototype", "partial", "function", "extern", "namespace"})
_OPEN_ENDED = frozenset({"unterminated", "open-comment"})


_GOES_ON = frozenset({"else", "catch", "finally"})


def skip(c: Cursor, first: int) -> None:
    """Step from a construct that began at token `first` to the next; the cursor may stand anywhere behind `first`."""
    if c.closed:
        return
    kinds = c.kinds
    level = 0
    for at in range(first, c.at):
        kind = kinds[at]
        level += (kind == "{") - (kind == "}" and level > 0)
    while kinds[c.at] != END:
        kind = kinds[c.at]
        if kind == "{":
            level += 1
        elif kind == "}":
            if level == 0:
                return
            level -= 1
            if level == 0 and c.texts[c.at + 1] not in _GOES_ON:
                c.at += 2 if kinds[c.at + 1] == ";" else 1
                return
        elif kind == ";" and level == 0:
            c.at += 1
            return
        elif kind == "name" and level == 0 and c.at > first and c.texts[c.at] in _OPENERS and c.breaks():
            return
        c.at += 1


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
    at = c.at
    if not c.layout or c.texts[at] not in _OPENERS or c.kinds[at] != "name":
        return False
    return c.breaks() and c.source.indentation(c.starts[at]) <= c.source.indentation(c.starts[opening])


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

"""A new object: `new Type(…) { … }`, empty or not.

Owns creation and the initializer in braces. Knows nothing of the values inside: `Cursor.expression` reads them.
"""

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.cursor import Cursor, at_word
from ferrule.protoscript.parser.types import type_text
from ferrule.protoscript.syntax import Creation, Expression, Initializer, New

__all__ = ["new"]


def new(c: Cursor) -> New | Creation:
    """New = "new" type [ "(" [ args ] ")" ] [ initializer ] . `new T[3]` makes an array."""
    first = c.at
    c.at += 1
    type_ = type_text(c, "the type after `new`")
    array = c.kinds[c.at - 1] == "]"
    found: tuple[Expression, ...] | None = None
    if c.kinds[c.at] == "(" and c.kinds[c.at + 1] == ")":
        c.at += 2
        found = ()
    elif c.kinds[c.at] == "(":
        c.enter()
        values: list[Expression] = []
        while c.kinds[c.at] == "," or not values:
            c.at += 1
            values.append(c.expression(c))
        c.expect(")", "the arguments")
        c.depth -= 1
        found = tuple(values)
    initializer = None
    if c.kinds[c.at] == "{":
        if array:
            c.fail(DiagnosticCode.UNEXPECTED_TOKEN, "the elements of an array stand in `[ ]`, not in `{ }`")
        initializer = _initializer(c)
    if found == () and initializer is None and not array:
        return New(type_, c.span(first))
    return Creation(type_, found, initializer, c.span(first))


def _initializer(c: Cursor) -> Initializer:
    """Initializer = "{" [ ( initializer | expression ) { "," ( initializer | expression ) } ] "}" ."""
    first = c.at
    c.enter()
    # Counted twice: it takes more of Python's stack than other brackets.
    c.enter()
    c.at += 1
    items: list[Expression | Initializer] = []
    while c.kinds[c.at] != "}":
        if c.kinds[c.at] == "{":
            items.append(_initializer(c))
        else:
            # What begins with `new` is a new object and no more, as in the reference.
            items.append(new(c) if at_word(c, "new") else c.expression(c))
        if c.kinds[c.at] != ",":
            break
        c.at += 1
        if c.kinds[c.at] == "}":
            c.fail(DiagnosticCode.STRAY_COMMA, "no value follows this comma", c.span(c.at - 1), hint="leave it out")
    c.expect("}", "the properties of the new object")
    c.depth -= 2
    return Initializer(tuple(items), c.span(first))

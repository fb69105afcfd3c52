"""A value is a literal, a name, a list or a new object: what a memory may say (reference/protoscript.md section 4.1).

Owns the operands of an expression up to, but without, prefix, postfix and infix operators. Knows nothing of operators:
where one stands, `operators` goes on from the operand that this file has read.
"""

from collections.abc import Callable

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.creations import new
from ferrule.protoscript.parser.cursor import Cursor, describe
from ferrule.protoscript.parser.interpolations import interpolated
from ferrule.protoscript.parser.literals import number, string
from ferrule.protoscript.parser.types import type_end, type_text
from ferrule.protoscript.syntax import Call, Expression, ListExpression, Name, Null, Parenthesised, Span, Text, Truth
from ferrule.protoscript.syntax.spans import make_span
from ferrule.protoscript.words import RESERVED

__all__ = ["TERMS", "TEXTS", "arguments", "no_value"]

TEXTS = frozenset({"string", "verbatim", "char", "protostring"})

# `Maker = extern` is read by the reference as a name; words that carry structure are no values for us.
_NO_VALUE = RESERVED - {"init", "reference", "recursive", "in", "include", "import", "using", "initialized", "nameof"}


def no_value(c: Cursor) -> Expression:
    """Term = literal | name | call | list | "new" … | "(" expression ")" . fails: none of them starts here."""
    hint = "a list is written in square brackets: `[a, b]`" if c.kinds[c.at] == "{" else ""
    span = c.gap() if c.breaks() else None
    return c.fail(DiagnosticCode.EXPECTED_VALUE, f"expected a value, not {describe(c)}", span, hint=hint)


def _word(c: Cursor) -> Expression:  # noqa: PLR0911 - one return for each alternative of the rule
    """Word = "true" | "false" | "null" | "new" … | name | call ."""
    at = c.at
    text = c.texts[at]
    if text not in _NO_VALUE:
        following = c.kinds[at + 1]
        if following == "(" and text not in _ASKING:
            c.at = at + 1
            found = arguments(c)
            return Call(text, found, c.span(at))
        if following == "(":
            return _asking(c)
        if following == "<" and c.wrong_guesses < _PATIENCE and _is_generic(c, at):
            return _generic(c)
        c.at = at + 1
        return Name(text, make_span((c.starts[at], c.ends[at])))
    if text in {"true", "false"}:
        c.at = at + 1
        return Truth(text == "true", Span(c.starts[at], c.ends[at]))
    if text == "null":
        c.at = at + 1
        return Null(Span(c.starts[at], c.ends[at]))
    if text == "new":
        return new(c)
    span = c.gap() if c.breaks() else None
    return c.fail(DiagnosticCode.EXPECTED_VALUE, f"expected a value, not the word `{text}`", span)


_ASKING = frozenset({"nameof", "initialized"})


def _generic(c: Cursor) -> Expression:
    """Call = name [ "<" type { "," type } ">" ] [ "(" [ args ] ")" ] ."""
    first = c.at
    name = type_text(c)
    if c.kinds[c.at] != "(":
        return Name(name, c.span(first))
    c.enter()
    found = arguments(c)
    c.depth -= 1
    return Call(name, found, c.span(first))


def _asking(c: Cursor) -> Call:
    """Asking = "nameof" "(" type ")" | "initialized" "(" expression ")" ."""
    first = c.at
    name = c.texts[first]
    c.enter()
    c.at += 1
    end = type_end(c, c.at + 1) if name == "nameof" else -1
    if end > 0 and c.kinds[end] == ")":
        c.at += 1
        at = c.at
        found: tuple[Expression, ...] = (Name(type_text(c), c.span(at)),)
        c.at += 1
    else:
        found = arguments(c)
    if not found and name == "initialized":
        c.fail(DiagnosticCode.EXPECTED_VALUE, "`initialized` asks about one expression", c.gap())
    c.depth -= 1
    return Call(name, found, c.span(first))


def _is_generic(c: Cursor, first: int) -> bool:
    """Whether `a<b…>` is a generic name; `a < b` compares. Only what can follow a name makes it one."""
    if c.kinds[first + 2] != "name" or c.kinds[first + 3] not in _IN_GENERIC:
        return False
    end = type_end(c, first)
    if end > 0 and c.kinds[end] in _AFTER_GENERIC:
        return True
    c.wrong_guesses += 1
    return False


_PATIENCE = 10_000
_IN_GENERIC = frozenset({">", ",", "<", ".", "::", "?", "["})
_AFTER_GENERIC = frozenset({"(", ";", ",", ")", "]", "}", "."})


def arguments(c: Cursor) -> tuple[Expression, ...]:
    """Args = "(" [ expression { "," expression } ] ")" ."""
    c.enter()
    c.at += 1
    found: list[Expression] = []
    if c.kinds[c.at] != ")":
        found.append(c.expression(c))
        while c.kinds[c.at] == ",":
            c.at += 1
            found.append(c.expression(c))
    c.expect(")", "the arguments")
    c.depth -= 1
    return tuple(found)


def _listing(c: Cursor) -> ListExpression:
    """List = "[" [ expression { "," expression } [ "," ] ] "]" ."""
    first = c.at
    c.enter()
    c.at += 1
    elements: list[Expression] = []
    while c.kinds[c.at] != "]":
        if c.kinds[c.at] == ",":
            c.fail(DiagnosticCode.STRAY_COMMA, "this comma has no value before it", hint="leave it out")
        elements.append(c.expression(c))
        if c.kinds[c.at] == ",":
            c.at += 1
        elif c.kinds[c.at] != "]":
            _unclosed_list(c)
    c.at += 1
    c.depth -= 1
    return ListExpression(tuple(elements), c.span(first))


def _unclosed_list(c: Cursor) -> None:
    if c.kinds[c.at] in _VALUE_STARTS and not c.breaks():
        message = "a comma is missing between two elements of the list"
        c.fail(DiagnosticCode.MISSING_COMMA, message, c.gap(), hint="put `,` here")
    c.expect("]", "the elements of the list")


_VALUE_STARTS = TEXTS | {"name", "number", "["}


def _parenthesised(c: Cursor) -> Parenthesised:
    """Parenthesised = "(" expression ")" ."""
    first = c.at
    c.enter()
    c.at += 1
    inner = c.expression(c)
    c.expect(")", "the expression in parentheses")
    c.depth -= 1
    return Parenthesised(inner, c.span(first))


_TYPOGRAPHIC = "\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"


def _bad_word(c: Cursor) -> Name:
    """A word that is no identifier: reported, and read on as the name it tries to be."""
    hint = "names consist of letters, digits and underscores; text belongs in quotes"
    if c.texts[c.at][:1] in _TYPOGRAPHIC:
        hint = 'use plain quotes: `"`'
    c.note(DiagnosticCode.BAD_IDENTIFIER, "this is not a name as ProtoScript writes it", c.here(), hint=hint)
    c.at += 1
    return Name(c.texts[c.at - 1], c.span(c.at - 1))


def _open_text(c: Cursor) -> Text:
    """A text without its closing quote: reported, and read on as the text it tries to be."""
    at = c.at
    raw = c.texts[at]
    hint = 'close it with `"`; inside a verbatim string a quote is written twice'
    place = Span(c.starts[at], c.starts[at] + 1)
    c.note(DiagnosticCode.UNTERMINATED_STRING, "this string has no closing quote", place, hint=hint)
    c.at = at + 1
    return Text("string", raw, raw.lstrip("@$").removeprefix('"'), c.span(at))


TERMS: dict[str, Callable[[Cursor], Expression]] = {
    "name": _word,
    "number": number,
    **dict.fromkeys(TEXTS, string),
    "interpolated": interpolated,
    "[": _listing,
    "(": _parenthesised,
    "junk": _bad_word,
    "unterminated": _open_text,
}

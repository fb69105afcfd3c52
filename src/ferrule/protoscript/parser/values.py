"""A value is a literal, a name, a list or a new object: what a memory may say (reference/protoscript.md section 4.1).

Owns the operands of an expression up to, but without, postfix and infix operators. Knows nothing of operators: where
one stands, `operators` goes on from the operand that this file has read.
"""

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.cursor import Cursor, describe
from ferrule.protoscript.parser.literals import number, string
from ferrule.protoscript.parser.types import type_end, type_text
from ferrule.protoscript.syntax import Expression, ListExpression, Name, New, Null, OpaqueExpression, Span, Truth
from ferrule.protoscript.words import RESERVED

__all__ = ["TEXTS", "arguments", "bare_word", "is_generic", "term", "word"]

TEXTS = frozenset({"string", "verbatim", "char", "protostring"})

# `Maker = extern` is read by the reference as a name; words that carry structure are no values for us.
_NO_VALUE = RESERVED - {"init", "reference", "recursive", "in", "include", "import", "using", "initialized", "nameof"}


def term(c: Cursor) -> Expression:  # noqa: PLR0911 - one return for each alternative of the rule
    """Term = literal | name | call | list | "new" … | "(" expression ")" ."""
    kind = c.kinds[c.at]
    if kind == "name":
        return word(c)
    if kind in TEXTS:
        return string(c)
    if kind == "number":
        return number(c)
    if kind == "[":
        return listing(c)
    if kind == "(":
        return _parenthesised(c)
    if kind == "junk":
        return _bad_word(c)
    return c.fail(DiagnosticCode.EXPECTED_VALUE, f"expected a value, not {describe(c)}", hint=_value_hint(c))


def word(c: Cursor) -> Expression:
    """Word = "true" | "false" | "null" | "new" … | name | call ."""
    if c.kinds[c.at + 1] in _CALLS and c.texts[c.at] not in _NO_VALUE:
        return _call_or_name(c)
    return bare_word(c)


def bare_word(c: Cursor) -> Expression:
    """A word that is no call: what follows it belongs to somebody else."""
    at = c.at
    text = c.texts[at]
    span = Span(c.starts[at], c.ends[at])
    if text not in _NO_VALUE:
        c.at = at + 1
        return Name(text, span)
    if text in {"true", "false"}:
        c.at = at + 1
        return Truth(text == "true", span)
    if text == "null":
        c.at = at + 1
        return Null(span)
    if text == "new":
        return new(c)
    return c.fail(DiagnosticCode.EXPECTED_VALUE, f"expected a value, not the word `{text}`")


_CALLS = frozenset({"(", "<"})


def listing(c: Cursor) -> ListExpression:
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
    if c.kinds[c.at] in _VALUE_STARTS:
        c.fail(DiagnosticCode.MISSING_COMMA, "a comma is missing between two elements of the list", c.gap())
    c.expect("]", "the elements of the list")


_VALUE_STARTS = TEXTS | {"name", "number", "["}


def new(c: Cursor) -> Expression:
    """New = "new" type [ "(" [ args ] ")" ] [ "{" initItem { "," initItem } "}" ] . `new T[3]` makes an array."""
    first = c.at
    c.at += 1
    type_ = type_text(c, "the type after `new`")
    array = c.kinds[c.at - 1] == "]"
    plain = c.kinds[c.at] == "(" and arguments(c) == 0 and not array
    if c.kinds[c.at] == "{":
        if array:
            c.fail(DiagnosticCode.UNEXPECTED_TOKEN, "the elements of an array stand in `[ ]`, not in `{ }`")
        _initializer(c)
        plain = False
    if plain:
        return New(type_, c.span(first))
    return OpaqueExpression(f"new {type_}" if not array else "new array", c.text(first), c.span(first))


def arguments(c: Cursor) -> int:
    """Args = "(" [ expression { "," expression } ] ")" . answers how many there are."""
    c.enter()
    c.at += 1
    count = 0
    if c.kinds[c.at] != ")":
        c.expression(c)
        count = 1
        while c.kinds[c.at] == ",":
            c.at += 1
            c.expression(c)
            count += 1
    c.expect(")", "the arguments")
    c.depth -= 1
    return count


def _initializer(c: Cursor) -> None:
    """Initializer = "{" [ initItem { "," initItem } ] "}" . initItem = initializer | expression ."""
    c.enter()
    c.at += 1
    if c.kinds[c.at] != "}":
        _initializer_item(c)
        while c.kinds[c.at] == ",":
            c.at += 1
            _initializer_item(c)
    c.expect("}", "the properties of the new object")
    c.depth -= 1


def _initializer_item(c: Cursor) -> None:
    if c.kinds[c.at] == "{":
        _initializer(c)
    elif c.texts[c.at] == "new" and c.kinds[c.at] == "name":
        new(c)
    else:
        c.expression(c)


def _parenthesised(c: Cursor) -> OpaqueExpression:
    """Parenthesised = "(" expression ")" ."""
    first = c.at
    c.enter()
    c.at += 1
    c.expression(c)
    c.expect(")", "the expression in parentheses")
    c.depth -= 1
    return OpaqueExpression("parentheses", c.text(first), c.span(first))


def _call_or_name(c: Cursor) -> Expression:
    """Call = name [ "<" type { "," type } ">" ] [ "(" [ args ] ")" ] ."""
    first = c.at
    name = c.texts[first]
    if c.kinds[first + 1] == "<":
        if not is_generic(c, first):
            c.at = first + 1
            return Name(name, Span(c.starts[first], c.ends[first]))
        name = type_text(c)
    else:
        c.at += 1
    if c.kinds[c.at] != "(":
        return Name(name, c.span(first))
    if arguments(c) == 0 and name == "initialized":
        c.fail(DiagnosticCode.EXPECTED_VALUE, "`initialized` asks about one expression", c.gap())
    return OpaqueExpression("call", c.text(first), c.span(first))


def is_generic(c: Cursor, first: int) -> bool:
    """Whether `a<b…>` is a generic name; `a < b` compares. Only what can follow a name makes it one."""
    if c.kinds[first + 2] != "name" or c.kinds[first + 3] not in _IN_GENERIC or c.wrong_guesses > _PATIENCE:
        return False
    end = type_end(c, first)
    if end > 0 and c.kinds[end] in _AFTER_GENERIC:
        return True
    c.wrong_guesses += 1
    return False


_PATIENCE = 10_000
_IN_GENERIC = frozenset({">", ",", "<", ".", "::", "?", "["})
_AFTER_GENERIC = frozenset({"(", ";", ",", ")", "]", "}", "."})


_TYPOGRAPHIC = "\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"


def _bad_word(c: Cursor) -> Name:
    """A word that is no identifier: reported, and read on as the name it tries to be."""
    hint = "names consist of letters, digits and underscores; text belongs in quotes"
    if c.texts[c.at][:1] in _TYPOGRAPHIC:
        hint = 'use plain quotes: `"`'
    c.note(DiagnosticCode.BAD_IDENTIFIER, "this is not a name as ProtoScript writes it", c.here(), hint=hint)
    c.at += 1
    return Name(c.texts[c.at - 1], c.span(c.at - 1))


def _value_hint(c: Cursor) -> str:
    if c.kinds[c.at] == "{":
        return "a list is written in square brackets: `[a, b]`"
    return ""

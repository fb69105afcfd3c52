"""A function is a signature that is checked and a body that stays text.

Owns `function F(Int a) : Int { … }` and the C#-style method `Int F(Int a) { … }`. Knows nothing of statements but that
`Rules.block` checks them.
"""

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.cursor import Cursor
from ferrule.protoscript.parser.types import dotted, identifier, type_end, type_text
from ferrule.protoscript.syntax import Function
from ferrule.protoscript.words import FIELD_MODIFIERS

__all__ = ["function", "is_method", "method"]


def function(c: Cursor) -> Function:
    """Function = "function" { modifier } dotted "(" [ params ] ")" ":" type ( ";" | block ) ."""
    first = c.at
    c.at += 1
    while c.texts[c.at] in FIELD_MODIFIERS and c.kinds[c.at] == "name":
        c.at += 1
    name = dotted(c, "the function's name", strict=True)
    _parameters(c)
    if c.kinds[c.at] != ":":
        hint = "a function names its return type: `function F() : String { … }`"
        c.fail(DiagnosticCode.UNEXPECTED_TOKEN, "expected `:` and the return type", hint=hint)
    c.at += 1
    type_text(c, "the return type")
    signature = c.text(first)
    return _with_body(c, first, name, signature)


def is_method(c: Cursor, at: int) -> bool:
    """Whether a type, a name and an open parenthesis follow at `at`; a look ahead."""
    end = type_end(c, at)
    return end > 0 and c.kinds[end] == "name" and c.kinds[end + 1] == "("


def method(c: Cursor, first: int) -> Function:
    """Method = { modifier } type ident "(" [ params ] ")" block . `first` is its first token, modifiers included."""
    type_text(c, "the return type")
    name = identifier(c, "the method's name", strict=False)
    _parameters(c)
    if c.kinds[c.at] == ";":
        c.fail(DiagnosticCode.EMPTY_STATEMENT, "a method has a body", hint="write the body in `{ }`")
    return _with_body(c, first, name, c.text(first))


def _with_body(c: Cursor, first: int, name: str, signature: str) -> Function:
    start = c.at
    if c.kinds[c.at] == ";":
        c.at += 1
    else:
        c.rules.block(c)
    return Function(name, signature, c.text(start), (), c.span(first))


def _parameters(c: Cursor) -> None:
    """Parameters = "(" [ param { "," param } ] ")" ."""
    c.enter()
    c.expect("(", "the function's name")
    if c.kinds[c.at] != ")":
        _parameter(c)
        while c.kinds[c.at] == ",":
            c.at += 1
            _parameter(c)
    c.expect(")", "the parameters")
    c.depth -= 1


def _parameter(c: Cursor) -> None:
    """Param = [ "this" ] [ "ref" | "out" ] type ident [ "=" expression ] ."""
    for words in ({"this"}, {"ref", "out"}):
        if c.texts[c.at] in words and c.kinds[c.at + 1] == "name":
            c.at += 1
    type_text(c, "the parameter's type")
    identifier(c, "the parameter's name", strict=False)
    if c.kinds[c.at] == "=":
        c.at += 1
        c.expression(c)

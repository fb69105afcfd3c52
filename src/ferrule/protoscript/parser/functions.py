"""A function is its signature and its body, read in full and never run.

Owns `function F(Int a) : Int { … }` and the C#-style method `Int F(Int a) { … }`. Knows nothing of statements but that
`Rules.block` reads them.
"""

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.cursor import Cursor
from ferrule.protoscript.parser.types import dotted, identifier, type_end, type_text
from ferrule.protoscript.syntax import Annotation, Function, Parameter
from ferrule.protoscript.words import FIELD_MODIFIERS

__all__ = ["function", "is_method", "method"]


def function(c: Cursor, annotations: tuple[Annotation, ...] = ()) -> Function:
    """Function = "function" { modifier } dotted "(" [ params ] ")" ":" type ( ";" | block ) ."""
    first = c.at
    c.at += 1
    start = c.at
    while c.texts[c.at] in FIELD_MODIFIERS and c.kinds[c.at] == "name":
        c.at += 1
    modifiers = tuple(c.texts[start : c.at])
    named = c.at
    name = dotted(c, "the function's name", strict=True)
    name_span = c.span(named)
    parameters = _parameters(c)
    type_ = _return_type(c)
    body = None
    if c.kinds[c.at] == ";":
        c.at += 1
    else:
        body = c.rules.block(c)
    return Function(name, type_, parameters, body, modifiers, annotations, "function", c.span(first), name_span)


def _return_type(c: Cursor) -> str:
    if c.kinds[c.at] != ":":
        message = "expected `:` and the return type"
        hint = "a function names its return type: `function F() : String { … }`"
        if c.kinds[c.at] not in {"{", ";"}:
            c.fail(DiagnosticCode.UNEXPECTED_TOKEN, message, c.gap(), hint=hint)
        c.note(DiagnosticCode.UNEXPECTED_TOKEN, message, c.gap(), hint=hint)
        return ""
    c.at += 1
    return type_text(c, "the return type")


def is_method(c: Cursor, at: int) -> bool:
    """Whether a type, a name and an open parenthesis follow at `at`; a look ahead."""
    end = type_end(c, at)
    return end > 0 and c.kinds[end] == "name" and c.kinds[end + 1] == "("


def method(c: Cursor, first: int, modifiers: tuple[str, ...], annotations: tuple[Annotation, ...]) -> Function:
    """Method = { modifier } type ident "(" [ params ] ")" block . `first` is its first token, modifiers included."""
    type_ = type_text(c, "the return type")
    named = c.at
    name = identifier(c, "the method's name", strict=False)
    name_span = c.span(named)
    parameters = _parameters(c)
    if c.kinds[c.at] == ";":
        c.fail(DiagnosticCode.EMPTY_STATEMENT, "a method has a body", hint="write the body in `{ }`")
    body = c.rules.block(c)
    return Function(name, type_, parameters, body, modifiers, annotations, "method", c.span(first), name_span)


def _parameters(c: Cursor) -> tuple[Parameter, ...]:
    """Parameters = "(" [ param { "," param } ] ")" ."""
    c.enter()
    c.expect("(", "the function's name")
    found: list[Parameter] = []
    if c.kinds[c.at] != ")":
        found.append(_parameter(c))
        while c.kinds[c.at] == ",":
            c.at += 1
            found.append(_parameter(c))
    c.expect(")", "the parameters")
    c.depth -= 1
    return tuple(found)


def _parameter(c: Cursor) -> Parameter:
    """Param = [ "this" ] [ "ref" | "out" ] type ident [ "=" expression ] ."""
    first = c.at
    for words in ({"this"}, {"ref", "out"}):
        if c.texts[c.at] in words and c.kinds[c.at + 1] == "name":
            c.at += 1
    modifiers = tuple(c.texts[first : c.at])
    type_ = type_text(c, "the parameter's type")
    name = identifier(c, "the parameter's name", strict=False)
    default = None
    if c.kinds[c.at] == "=":
        c.at += 1
        default = c.expression(c)
    return Parameter(type_, name, modifiers, default, c.span(first))

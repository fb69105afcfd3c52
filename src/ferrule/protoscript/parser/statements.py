"""Statements are checked and then kept as opaque text: Ferrule reads them so that it can say what they are.

Owns the statement grammar of code files as far as accepting and rejecting goes. Trees come with the issue that needs
them. Knows nothing of prototypes: a function inside a block is read through `Rules`.
"""

from collections.abc import Callable

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.cursor import Cursor
from ferrule.protoscript.parser.types import identifier, type_end, type_text
from ferrule.protoscript.syntax import Opaque
from ferrule.protoscript.tokens import END
from ferrule.protoscript.words import RESERVED, STATEMENT_WORDS, UNARY_WORDS, WORD_OPERATORS

__all__ = ["block", "statement"]

_NO_TYPE = (RESERVED | UNARY_WORDS) - {"reference"}
_NO_VARIABLE = WORD_OPERATORS | {"in"}


def block(c: Cursor) -> None:
    """Block = "{" { statement } "}" | statement ."""
    c.enter()
    if c.kinds[c.at] == "{":
        c.at += 1
        while c.kinds[c.at] != "}":
            if c.kinds[c.at] == END:
                c.fail(DiagnosticCode.UNCLOSED, "the text ends inside a block; `}` is missing", c.gap())
            _step(c)
        c.at += 1
    else:
        _step(c)
    c.depth -= 1


def statement(c: Cursor) -> Opaque:
    """Statement, as one opaque node."""
    first = c.at
    what = _step(c)
    return Opaque(what, c.text(first), c.span(first))


def _step(c: Cursor) -> str:
    """Statement = keyword statement | function | block | varDecl ";" | expression ";" . answers what it is."""
    kind, text = c.kinds[c.at], c.texts[c.at]
    if kind == "name":
        if text in STATEMENT_WORDS:
            c.at += 1
            _KEYWORDS[text](c)
            return f"{text} statement"
        if text == "function" and c.kinds[c.at + 1] != "=":
            c.rules.function(c)
            return "function"
        if _is_declaration(c):
            _variable(c)
            return "variable"
    elif kind == "{":
        block(c)
        return "block"
    elif kind == ";":
        c.fail(DiagnosticCode.EMPTY_STATEMENT, "this `;` ends nothing", hint="leave it out")
    c.expression(c)
    c.semicolon("the statement")
    return "statement"


def _is_declaration(c: Cursor) -> bool:
    """Whether a type and a name follow, as in `Int x`; a look ahead."""
    at = c.at
    while c.texts[at] in {"extern", "const"} and c.kinds[at + 1] == "name":
        at += 1
    if c.texts[at] in _NO_TYPE:
        return at > c.at
    end = type_end(c, at)
    if end < 0 or c.kinds[end] != "name" or c.texts[end] in _NO_VARIABLE:
        return False
    # `a ? b : c;` starts like a nullable type.
    return c.kinds[end - 1] != "?" or c.kinds[end + 1] in {"=", ";", ","}


def _variable(c: Cursor) -> None:
    """VarDecl = { "extern" | "const" } type ident [ "=" expression ] { "," ident [ "=" expression ] } ";" ."""
    while c.texts[c.at] in {"extern", "const"} and c.kinds[c.at + 1] == "name":
        c.at += 1
    type_text(c)
    while True:
        identifier(c, "the variable's name", strict=False)
        if c.kinds[c.at] == "=":
            c.at += 1
            c.expression(c)
        if c.kinds[c.at] != ",":
            break
        c.at += 1
    c.semicolon("the variable")


def _condition(c: Cursor, word: str) -> None:
    c.expect("(", f"`{word}`")
    c.expression(c)
    c.expect(")", "the condition")


def _return(c: Cursor) -> None:
    """Return = ( "return" | "throw" ) [ expression ] ";" ."""
    if c.kinds[c.at] != ";":
        c.expression(c)
    c.semicolon("the value")


def _if(c: Cursor) -> None:
    """If = "if" "(" expression ")" block { "else" "if" "(" expression ")" block } [ "else" block ] ."""
    _condition(c, "if")
    block(c)
    while c.texts[c.at] == "else" and c.kinds[c.at] == "name":
        c.at += 1
        if c.texts[c.at] == "if" and c.kinds[c.at] == "name":
            c.at += 1
            _condition(c, "if")
            block(c)
        else:
            block(c)
            return


def _foreach(c: Cursor) -> None:
    """Foreach = "foreach" "(" type ident "in" expression ")" block ."""
    c.expect("(", "`foreach`")
    type_text(c)
    identifier(c, "the loop's variable", strict=False)
    if c.texts[c.at] != "in":
        c.fail(DiagnosticCode.UNEXPECTED_TOKEN, "expected `in` after the loop's variable")
    c.at += 1
    c.expression(c)
    c.expect(")", "the collection")
    block(c)


def _for(c: Cursor) -> None:
    """For = "for" "(" ( statement | ";" ) [ expression ] ";" [ expression { "," expression } ] ")" block ."""
    c.expect("(", "`for`")
    if c.kinds[c.at] == ";":
        c.at += 1
    else:
        _step(c)
    if c.kinds[c.at] != ";":
        c.expression(c)
    c.expect(";", "the condition of `for`")
    if c.kinds[c.at] != ")":
        c.expression(c)
        while c.kinds[c.at] == ",":
            c.at += 1
            c.expression(c)
    c.expect(")", "the step of `for`")
    block(c)


def _while(c: Cursor) -> None:
    """While = "while" "(" expression ")" block ."""
    _condition(c, "while")
    block(c)


def _do(c: Cursor) -> None:
    """Do = "do" "{" { statement } "}" "while" "(" expression ")" ";" ."""
    if c.kinds[c.at] != "{":
        c.fail(DiagnosticCode.UNEXPECTED_TOKEN, "expected `{` after `do`")
    block(c)
    if c.texts[c.at] != "while":
        c.fail(DiagnosticCode.UNEXPECTED_TOKEN, "expected `while` after the block of `do`")
    c.at += 1
    _condition(c, "while")
    c.semicolon("the condition")


def _switch(c: Cursor) -> None:
    """Switch = "switch" "(" expression ")" block . its labels are statements of the block."""
    _condition(c, "switch")
    block(c)


def _case(c: Cursor) -> None:
    """Case = "case" expression ":" ."""
    c.expression(c)
    c.expect(":", "the value of `case`")


def _default(c: Cursor) -> None:
    """Default = "default" ":" ."""
    c.expect(":", "`default`")


def _try(c: Cursor) -> None:
    """Try = "try" block { "catch" [ "(" type [ ident ] ")" ] block } [ "finally" block ] ."""
    block(c)
    while c.texts[c.at] == "catch" and c.kinds[c.at] == "name":
        c.at += 1
        if c.kinds[c.at] == "(":
            c.at += 1
            type_text(c)
            if c.kinds[c.at] == "name":
                c.at += 1
            c.expect(")", "what is caught")
        block(c)
    if c.texts[c.at] == "finally" and c.kinds[c.at] == "name":
        c.at += 1
        block(c)


def _jump(c: Cursor) -> None:
    """Jump = ( "break" | "continue" ) ";" ."""
    c.semicolon("the statement")


def _yield(c: Cursor) -> None:
    """Yield = "yield" ( "break" | "return" expression ) ";" ."""
    if c.texts[c.at] == "break":
        c.at += 1
    elif c.texts[c.at] == "return" and c.kinds[c.at + 1] != ";":
        c.at += 1
        c.expression(c)
    else:
        c.fail(DiagnosticCode.UNEXPECTED_TOKEN, "expected `break` or `return` with a value after `yield`")
    c.semicolon("the statement")


_KEYWORDS: dict[str, Callable[[Cursor], None]] = {
    "return": _return,
    "throw": _return,
    "if": _if,
    "foreach": _foreach,
    "for": _for,
    "while": _while,
    "do": _do,
    "switch": _switch,
    "case": _case,
    "default": _default,
    "try": _try,
    "break": _jump,
    "continue": _jump,
    "yield": _yield,
}

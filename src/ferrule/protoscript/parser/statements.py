"""Statements are read in full and never run; a broken one costs itself, not the block around it.

Owns the statement grammar of code files. Knows nothing of prototypes; functions are read through `Rules`.
"""

from collections.abc import Callable

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.cursor import Cursor, Misfit, at_word
from ferrule.protoscript.parser.mistaken import refuse_foreign_kind
from ferrule.protoscript.parser.recovery import begins_declaration, broken, dedented, skip, unclosed
from ferrule.protoscript.parser.types import identifier, type_end, type_text
from ferrule.protoscript.syntax import (
    Block,
    Branch,
    Break,
    Case,
    Catch,
    Code,
    Continue,
    Default,
    Do,
    Expression,
    ExpressionStatement,
    For,
    ForEach,
    If,
    Return,
    Switch,
    Throw,
    Try,
    Variable,
    VariableDeclaration,
    While,
    Yield,
)
from ferrule.protoscript.tokens import END
from ferrule.protoscript.words import RESERVED, STATEMENT_WORDS, UNARY_WORDS, WORD_OPERATORS

__all__ = ["block", "statement"]

_NO_TYPE = (RESERVED | UNARY_WORDS) - {"reference"}
_NOTHING = frozenset({";", "}"})
_NO_VARIABLE = WORD_OPERATORS | {"in"}


def block(c: Cursor) -> Block:
    """Block = "{" { statement } "}" | statement ."""
    first = c.at
    c.enter()
    if c.kinds[first] != "{":
        only = statement(c)
        c.depth -= 1
        return Block((only,), braced=False, span=c.span(first))
    c.at = first + 1
    depth = c.depth
    found: list[Code] = []
    while c.kinds[c.at] != "}" and not c.closed:
        start = c.at
        if c.kinds[start] == END or dedented(c, first):
            unclosed(c, first, "block")
            break
        try:
            found.append(statement(c))
        except Misfit:
            c.depth = depth
            skip(c, start)
            if c.at > start:
                found.append(broken(c, start))
    if c.kinds[c.at] == "}":
        c.at += 1
    c.depth = depth - 1
    return Block(tuple(found), braced=True, span=c.span(first))


def statement(c: Cursor) -> Code:
    """Statement = keyword statement | function | block | varDecl ";" | expression ";" ."""
    first = c.at
    kind, text = c.kinds[first], c.texts[first]
    if kind == "name":
        if text in STATEMENT_WORDS:
            c.at += 1
            return _KEYWORDS[text](c, first)
        if text == "function" and c.kinds[first + 1] != "=":
            return c.rules.function(c)
        if _is_declaration(c):
            return _variables(c)
    elif kind == "{":
        return block(c)
    elif kind == ";":
        c.fail(DiagnosticCode.EMPTY_STATEMENT, "this `;` ends nothing", hint="leave it out")
    value = c.expression(c)
    c.semicolon("the statement")
    return ExpressionStatement(value, c.span(first))


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
    if begins_declaration(c, end):
        return False
    # `a ? b : c;` starts like a nullable type.
    return c.kinds[end - 1] != "?" or c.kinds[end + 1] in {"=", ";", ","}


def _variables(c: Cursor) -> VariableDeclaration:
    """VarDecl = { "extern" | "const" } type ident [ "=" expression ] { "," ident [ "=" expression ] } ";" ."""
    first = c.at
    while c.texts[c.at] in {"extern", "const"} and c.kinds[c.at + 1] == "name":
        c.at += 1
    modifiers = tuple(c.texts[first : c.at])
    type_ = type_text(c)
    found: list[Variable] = []
    while True:
        at = c.at
        name = identifier(c, "the variable's name", strict=False)
        value = None
        if c.kinds[c.at] == "=":
            c.at += 1
            value = c.expression(c)
        found.append(Variable(name, value, c.span(at)))
        if c.kinds[c.at] != ",":
            break
        c.at += 1
    refuse_foreign_kind(c, type_)
    c.semicolon("the variable")
    return VariableDeclaration(modifiers, type_, tuple(found), c.span(first))


def _condition(c: Cursor, word: str) -> Expression:
    c.expect("(", f"`{word}`")
    value = c.expression(c)
    c.expect(")", "the condition")
    return value


def _return(c: Cursor, first: int) -> Return:
    """Return = "return" [ expression ] ";" ."""
    value = None if c.kinds[c.at] in _NOTHING else c.expression(c)
    c.semicolon("the value")
    return Return(value, c.span(first))


def _throw(c: Cursor, first: int) -> Throw:
    """Throw = "throw" [ expression ] ";" ."""
    value = None if c.kinds[c.at] in _NOTHING else c.expression(c)
    c.semicolon("the value")
    return Throw(value, c.span(first))


def _if(c: Cursor, first: int) -> If:
    """If = "if" "(" expression ")" block { "else" "if" "(" expression ")" block } [ "else" block ] ."""
    branches: list[Branch] = []
    otherwise = None
    at = first
    while True:
        condition = _condition(c, "if")
        body = block(c)
        branches.append(Branch(condition, body, c.span(at)))
        if not at_word(c, "else"):
            break
        c.at += 1
        at = c.at
        if not at_word(c, "if"):
            otherwise = block(c)
            break
        c.at += 1
    return If(tuple(branches), otherwise, c.span(first))


def _foreach(c: Cursor, first: int) -> ForEach:
    """ForEach = "foreach" "(" type ident "in" expression ")" block ."""
    c.expect("(", "`foreach`")
    type_ = type_text(c)
    name = identifier(c, "the loop's variable", strict=False)
    if c.texts[c.at] != "in":
        c.fail(
            DiagnosticCode.UNEXPECTED_TOKEN, "expected `in` after the loop's variable", c.gap(), hint="put `in` here"
        )
    c.at += 1
    collection = c.expression(c)
    c.expect(")", "the collection")
    body = block(c)
    return ForEach(type_, name, collection, body, c.span(first))


def _for(c: Cursor, first: int) -> For:
    """For = "for" "(" ( statement | ";" ) [ expression ] ";" [ expression { "," expression } ] ")" block ."""
    c.expect("(", "`for`")
    start = None
    if c.kinds[c.at] == ";":
        c.at += 1
    else:
        c.enter()
        start = statement(c)
        c.depth -= 1
    condition = None if c.kinds[c.at] == ";" else c.expression(c)
    c.expect(";", "the condition of `for`")
    steps: list[Expression] = []
    if c.kinds[c.at] != ")":
        steps.append(c.expression(c))
        while c.kinds[c.at] == ",":
            c.at += 1
            steps.append(c.expression(c))
    c.expect(")", "the step of `for`")
    body = block(c)
    return For(start, condition, tuple(steps), body, c.span(first))


def _while(c: Cursor, first: int) -> While:
    """While = "while" "(" expression ")" block ."""
    condition = _condition(c, "while")
    body = block(c)
    return While(condition, body, c.span(first))


def _do(c: Cursor, first: int) -> Do:
    """Do = "do" "{" { statement } "}" "while" "(" expression ")" ";" ."""
    if c.kinds[c.at] != "{":
        c.fail(DiagnosticCode.UNEXPECTED_TOKEN, "expected `{` after `do`", c.gap(), hint="put `{` here")
    body = block(c)
    if c.texts[c.at] != "while":
        hint = "write `while (condition);` here"
        c.fail(DiagnosticCode.UNEXPECTED_TOKEN, "expected `while` after the block of `do`", c.gap(), hint=hint)
    c.at += 1
    condition = _condition(c, "while")
    c.semicolon("the condition")
    return Do(body, condition, c.span(first))


def _switch(c: Cursor, first: int) -> Switch:
    """Switch = "switch" "(" expression ")" block . its labels are statements of the block."""
    subject = _condition(c, "switch")
    body = block(c)
    return Switch(subject, body, c.span(first))


def _case(c: Cursor, first: int) -> Case:
    """Case = "case" expression ":" ."""
    value = c.expression(c)
    c.expect(":", "the value of `case`")
    return Case(value, c.span(first))


def _default(c: Cursor, first: int) -> Default:
    """Default = "default" ":" ."""
    c.expect(":", "`default`")
    return Default(c.span(first))


def _try(c: Cursor, first: int) -> Try:
    """Try = "try" block { "catch" [ "(" type [ ident ] ")" ] block } [ "finally" block ] ."""
    body = block(c)
    catches: list[Catch] = []
    while at_word(c, "catch"):
        at = c.at
        c.at += 1
        type_ = name = ""
        if c.kinds[c.at] == "(":
            c.at += 1
            type_ = type_text(c)
            if c.kinds[c.at] == "name":
                name = c.texts[c.at]
                c.at += 1
            c.expect(")", "what is caught")
        handler = block(c)
        catches.append(Catch(type_, name, handler, c.span(at)))
    last = None
    if at_word(c, "finally"):
        c.at += 1
        last = block(c)
    return Try(body, tuple(catches), last, c.span(first))


def _break(c: Cursor, first: int) -> Break:
    """Break = "break" ";" ."""
    c.semicolon("the statement")
    return Break(c.span(first))


def _continue(c: Cursor, first: int) -> Continue:
    """Continue = "continue" ";" ."""
    c.semicolon("the statement")
    return Continue(c.span(first))


def _yield(c: Cursor, first: int) -> Yield:
    """Yield = "yield" ( "break" | "return" expression ) ";" ."""
    value = None
    if c.texts[c.at] == "break":
        c.at += 1
    elif c.texts[c.at] == "return" and c.kinds[c.at + 1] != ";":
        c.at += 1
        value = c.expression(c)
    else:
        message = "expected `break` or `return` with a value after `yield`"
        c.fail(DiagnosticCode.UNEXPECTED_TOKEN, message, c.gap(), hint="write `yield return value;` or `yield break;`")
    c.semicolon("the statement")
    return Yield(value, c.span(first))


_KEYWORDS: dict[str, Callable[[Cursor, int], Code]] = {
    "return": _return,
    "throw": _throw,
    "if": _if,
    "foreach": _foreach,
    "for": _for,
    "while": _while,
    "do": _do,
    "switch": _switch,
    "case": _case,
    "default": _default,
    "try": _try,
    "break": _break,
    "continue": _continue,
    "yield": _yield,
}

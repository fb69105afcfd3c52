"""Whatever goes beyond a plain value is read to its end and kept as opaque text that names what it is.

Owns prefix, postfix and infix operators, lambdas, `->` conditions and interpolated strings, as far as telling right
from wrong needs it: chains are read in a loop, so that their length costs no depth. Trees for these come with the issue
that needs them; the rules stay. Knows nothing of precedence, which no verdict depends on.
"""

from collections.abc import Callable

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.lexer import lex
from ferrule.protoscript.parser.cursor import Cursor, Misfit
from ferrule.protoscript.parser.literals import number, string
from ferrule.protoscript.parser.types import identifier, type_end, type_text
from ferrule.protoscript.parser.values import TEXTS, arguments, bare_word, is_generic, term, word
from ferrule.protoscript.source import Source
from ferrule.protoscript.syntax import Expression, Number, OpaqueExpression, Text
from ferrule.protoscript.tokens import END
from ferrule.protoscript.words import UNARY_WORDS, WORD_OPERATORS

__all__ = ["expression"]

_CLOSERS = frozenset({";", ",", "]", ")", "}"})
_INFIX = frozenset("= == != !== + - * / % & | ^ && || ?? < > <= >= << <<= += -= /= %= &= |= ^=".split())  # noqa: SIM905 - a line reads better
_PREFIX = frozenset({"+", "-", "!", "~", "++", "--"})
_POSTFIX = frozenset({"[", ".", "?.", "++", "--"})
_HOLES = 256
_SIMPLE: dict[str, Callable[[Cursor], Expression]] = {
    "name": word,
    "number": number,
    **dict.fromkeys(TEXTS, string),
}
_OPENS = UNARY_WORDS | {"new"}
_SUFFIX = _POSTFIX | {"(", "<"}
_GOES_ON = _INFIX | _POSTFIX | {"?", "=>", "->", "name", "!"}


def expression(c: Cursor) -> Expression:
    """Expression = operand { infix } . a literal or name that ends at once is read without detours."""
    first = c.at
    if c.kinds[first + 1] in _CLOSERS:
        simple = _SIMPLE.get(c.kinds[first])
        if simple is not None:
            return simple(c)
    node = operand(c)
    if c.kinds[c.at] not in _GOES_ON:
        return node
    what = ""
    while step := _infix(c):
        what = what or step
    return OpaqueExpression(what, c.text(first), c.span(first)) if what else node


def operand(c: Cursor) -> Expression:
    """Operand = [ prefix ] term { postfix } . a minus directly before a number belongs to the number."""
    first = c.at
    if c.kinds[first] == "name" and c.texts[first] not in _OPENS:
        following = c.kinds[first + 1]
        if following not in _SUFFIX or (following == "<" and not is_generic(c, first)):
            return bare_word(c)
    prefix = ""
    if c.kinds[c.at] in _PREFIX or _is_unary_word(c):
        prefix = c.texts[c.at]
        c.at += 1
    node: Expression
    if c.kinds[c.at] == "interpolated":
        node = _interpolated(c)
    elif prefix == "-" and c.kinds[c.at] == "number":
        node, prefix = _negative(c), ""
    else:
        node = term(c)
    postfix = _postfix(c) if c.kinds[c.at] in _POSTFIX else ""
    if not prefix and not postfix:
        return node
    return OpaqueExpression(f"operator `{prefix}`" if prefix else postfix, c.text(first), c.span(first))


def _negative(c: Cursor) -> Number:
    first = c.at - 1
    value = number(c, negative=True)
    return Number(value.form, value.raw, value.value, negative=True, span=c.span(first))


def _is_unary_word(c: Cursor) -> bool:
    return c.texts[c.at] in UNARY_WORDS and c.kinds[c.at] == "name" and c.kinds[c.at + 1] not in _CLOSERS


def _postfix(c: Cursor) -> str:
    """Postfix = "[" expression "]" | "++" | "--" | ( "." | "?." ) ident [ args ] ."""
    what = ""
    while True:
        kind = c.kinds[c.at]
        if kind == "[":
            c.enter()
            c.at += 1
            c.expression(c)
            c.expect("]", "the index")
            c.depth -= 1
            what = what or "index"
        elif kind in {".", "?."}:
            c.at += 1
            _member(c)
            what = what or "member access"
        elif kind in {"++", "--"}:
            c.at += 1
            what = what or f"operator `{kind}`"
        else:
            return what


def _member(c: Cursor) -> None:
    """Access = ident [ "<" type { "," type } ">" ] [ "(" [ args ] ")" ] ."""
    if c.kinds[c.at + 1] == "<":
        end = type_end(c, c.at)
        if end > 0 and c.kinds[end] == "(":
            type_text(c, "the member's name")
            arguments(c)
            return
    identifier(c, "a member's name after `.`", strict=False)
    if c.kinds[c.at] == "(":
        arguments(c)


def _infix(c: Cursor) -> str:
    """Infix = OP operand | "!" WORDOP operand | "?" expression ":" operand | "=>" ( block | operand ) | "->" … ."""
    kind = c.kinds[c.at]
    if kind in _INFIX:
        c.at += 1
        if kind == ">":
            kind += _joined(c)
        operand(c)
        return f"operator `{kind}`"
    if kind == "name":
        return _word_operator(c, c.at)
    if kind == "!" and c.kinds[c.at + 1] == "name":
        return _word_operator(c, c.at + 1)
    if kind == "?":
        return _choice(c)
    if kind == "=>":
        return _lambda(c)
    return _conditions(c) if kind == "->" else ""


def _joined(c: Cursor) -> str:
    """`>>` and `>>=` are read as single `>` by the lexer; they are one operator where nothing stands between."""
    following = c.kinds[c.at]
    if following in {">", ">="} and c.starts[c.at] == c.ends[c.at - 1]:
        c.at += 1
        return following
    return ""


def _word_operator(c: Cursor, at: int) -> str:
    if c.texts[at] not in WORD_OPERATORS:
        return ""
    c.at = at + 1
    operand(c)
    return f"operator `{c.texts[at]}`"


def _choice(c: Cursor) -> str:
    c.enter()
    c.at += 1
    c.expression(c)
    c.expect(":", "the first branch of `? :`")
    c.depth -= 1
    operand(c)
    return "operator `? :`"


def _lambda(c: Cursor) -> str:
    c.at += 1
    if c.kinds[c.at] == "{":
        c.rules.block(c)
    else:
        operand(c)
    return "lambda"


def _conditions(c: Cursor) -> str:
    """Conditions = "->" term "{" [ expression { "," expression } ] "}" ."""
    c.at += 1
    term(c)
    c.enter()
    c.expect("{", "the type of a `->` condition")
    if c.kinds[c.at] != "}":
        c.expression(c)
        while c.kinds[c.at] == ",":
            c.at += 1
            c.expression(c)
    c.expect("}", "the conditions")
    c.depth -= 1
    return "operator `->`"


def _interpolated(c: Cursor) -> Text:
    """Interpolated = "$" STRING . each `{ expression }` in it must be an expression."""
    node = string(c)
    body = node.value
    at = body.find("{")
    holes = 0
    while at >= 0:
        end = body.find("}", at)
        holes += 1
        if holes > _HOLES:
            c.fail(DiagnosticCode.TOO_DEEP, f"a string with more than {_HOLES} holes", node.span)
        if end < 0 or not _is_expression(c, body[at + 1 : end]):
            c.fail(DiagnosticCode.EXPECTED_VALUE, "a hole of this string holds no expression", node.span)
        at = body.find("{", end)
    return node


def _is_expression(c: Cursor, text: str) -> bool:
    """Whether the text of a hole is one expression; it is read by a cursor of its own, one level deeper."""
    inner = Cursor(Source(text), lex(text), c.rules, c.limits)
    inner.depth = c.depth
    try:
        inner.enter()
        c.expression(inner)
    except Misfit:
        return False
    return inner.kinds[inner.at] == END and not inner.problems

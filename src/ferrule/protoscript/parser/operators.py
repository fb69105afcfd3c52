"""Operators, in the usual order of precedence (docs/grammar.md), each level grouped from the left.

Owns the expression: prefix and postfix operators, runs of infix ones, assignment, choice, lambdas and `->` conditions.
Chains are read in a loop and kept as one node, so that their length costs neither depth here nor height of the tree.
The reference leans to the right instead (its quirk `precedence`). Knows nothing of what an operator does.
"""

from collections.abc import Callable

from ferrule.protoscript.parser.cursor import Cursor
from ferrule.protoscript.parser.literals import number
from ferrule.protoscript.parser.postfixes import POSTFIXES, postfix
from ferrule.protoscript.parser.values import TERMS, TEXTS, no_value
from ferrule.protoscript.syntax import Assign, Binary, Block, Conditional, Expression, Lambda, Number, Unary
from ferrule.protoscript.syntax.spans import make_span
from ferrule.protoscript.words import UNARY_WORDS, WORD_OPERATORS

__all__ = ["LEVELS", "expression"]

LEVELS: tuple[tuple[str, ...], ...] = (
    ("??",),
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!=", "!=="),
    ("<", ">", "<=", ">=", "is", "as", "typeof", "cast", "!is", "!as", "!typeof", "!cast"),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
"""The infix operators from loose to tight; behind all of them come `? :`, then `=>` and assignment."""

_TIGHTNESS = {operator: level for level, operators in enumerate(LEVELS) for operator in operators}
_INFIX = frozenset(_TIGHTNESS) - WORD_OPERATORS - {">>"}
_ASSIGNING = frozenset({"=", "+=", "-=", "/=", "%=", "&=", "|=", "^=", "<<="})
_PREFIX = frozenset({"+", "-", "!", "~", "++", "--"})
_CLOSERS = frozenset({";", ",", "]", ")", "}"})
_SIMPLE: dict[str, Callable[[Cursor], Expression]] = {
    kind: read for kind, read in TERMS.items() if kind in TEXTS | {"name", "number"}
}
_GOES_ON = frozenset({"?", "=>", ">"}) | _ASSIGNING


def expression(c: Cursor) -> Expression:
    """Expression = operand { infix operand } [ ending ] . a lone literal or name is read without detours."""
    first = c.at
    kind = c.kinds[first]
    if c.kinds[first + 1] in _CLOSERS:
        simple = _SIMPLE.get(kind)
        if simple is not None:
            return simple(c)
    operands: list[Expression] = []
    operators: list[str] = []
    while True:
        at = c.at
        kind = c.kinds[at]
        if kind in _PREFIX or (kind == "name" and c.texts[at] in UNARY_WORDS):
            node = _prefixed(c)
        else:
            node = TERMS.get(kind, no_value)(c)
        kind = c.kinds[c.at]
        if kind in POSTFIXES:
            node = postfix(c, node, at)
            kind = c.kinds[c.at]
        if kind in _CLOSERS:
            break
        operator = _infix(c)
        if not operator:
            break
        operands.append(node)
        operators.append(operator)
    if operators:
        operands.append(node)
        node = _grouped(operands, operators)
    return _ending(c, first, node) if c.kinds[c.at] in _GOES_ON else node


def _prefixed(c: Cursor) -> Expression:
    """Prefixed = ( "+" | "-" | "!" | "~" | "++" | "--" | "await" | "out" | "ref" ) term { postfix } .

    One prefix and no more, as in the reference.
    """
    first = c.at
    operator = c.texts[first]
    following = c.kinds[first + 1]
    if following in _CLOSERS and c.kinds[first] == "name":
        return no_value(c)
    c.at = first + 1
    if operator == "-" and following == "number":
        value = number(c, negative=True)
        return Number(value.form, value.raw, value.value, negative=True, span=c.span(first))
    c.enter()
    node = TERMS.get(following, no_value)(c)
    if c.kinds[c.at] in POSTFIXES:
        node = postfix(c, node, first + 1)
    c.depth -= 1
    return Unary(operator, node, c.span(first))


def _infix(c: Cursor) -> str:
    """Infix = OP | [ "!" ] WORDOP . the operator that was stepped over; "" when none stands here."""
    kind = c.kinds[c.at]
    if kind in _INFIX:
        if kind == ">" and _touches(c) and c.kinds[c.at + 1] in {">", ">="}:
            # The lexer cuts `>>` and `>>=` in two, because two lists of type arguments may close there.
            kind += c.kinds[c.at + 1]
            if kind == ">>=":
                return ""
            c.at += 1
        c.at += 1
        return kind
    negated = kind == "!"
    if kind == "name" or negated:
        word = c.texts[c.at + negated]
        if word in WORD_OPERATORS:
            c.at += 1 + negated
            return "!" + word if negated else word
    return ""


def _touches(c: Cursor) -> bool:
    """Whether nothing stands between the present token and the next."""
    return c.starts[c.at + 1] == c.ends[c.at]


def _grouped(operands: list[Expression], operators: list[str]) -> Expression:
    """A flat run as nested `Binary` nodes, tighter operators inside; one pass, no recursion."""
    node = operands[0]
    if len(operators) == 1:
        last = operands[1]
        return Binary((node, last), (operators[0],), make_span((node.span.start, last.span.end)))
    waiting: list[tuple[int, list[Expression], list[str]]] = []
    for operator, operand in zip(operators, operands[1:], strict=True):
        level = _TIGHTNESS[operator]
        while waiting and waiting[-1][0] > level:
            node = _closed(waiting.pop(), node)
        if waiting and waiting[-1][0] == level:
            waiting[-1][1].append(node)
            waiting[-1][2].append(operator)
        else:
            waiting.append((level, [node], [operator]))
        node = operand
    while waiting:
        node = _closed(waiting.pop(), node)
    return node


def _closed(run: tuple[int, list[Expression], list[str]], last: Expression) -> Binary:
    _, operands, operators = run
    operands.append(last)
    return Binary(tuple(operands), tuple(operators), make_span((operands[0].span.start, last.span.end)))


def _ending(c: Cursor, first: int, node: Expression) -> Expression:
    """Ending = "?" expression ":" expression | "=>" ( block | expression ) | ASSIGN expression .

    Grouped from the right.
    """
    kind = c.kinds[c.at]
    c.enter()
    c.at += 1
    if kind == "?":
        then = c.expression(c)
        c.expect(":", "the first branch of `? :`")
        node = Conditional(node, then, c.expression(c), c.span(first))
    elif kind == "=>":
        body: Expression | Block = c.rules.block(c) if c.kinds[c.at] == "{" else c.expression(c)
        node = Lambda(node, body, c.span(first))
    else:
        if kind not in _ASSIGNING:
            kind += c.kinds[c.at]
            c.at += 1
        value = c.expression(c)
        node = Assign(node, kind, value, c.span(first))
    c.depth -= 1
    return node

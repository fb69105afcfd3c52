"""What may stand behind an operand: members, elements, `++`, and `->` conditions.

Owns the chain of links and the categorisation. Knows nothing of the operand before it.
"""

from ferrule.protoscript.parser.cursor import Cursor
from ferrule.protoscript.parser.types import brackets_end, identifier, type_end, type_text
from ferrule.protoscript.parser.values import TERMS, arguments, no_value
from ferrule.protoscript.syntax import (
    Access,
    Categorisation,
    ElementAccess,
    Expression,
    Link,
    MemberAccess,
    Name,
    Step,
)
from ferrule.protoscript.words import WORD_OPERATORS

__all__ = ["POSTFIXES", "postfix"]

_MARKS = frozenset({".", "?."})
_STEPS = frozenset({"++", "--"})
_FAR = 32
POSTFIXES = _MARKS | _STEPS | {"[", "->"}


def postfix(c: Cursor, target: Expression, first: int) -> Expression:
    """Postfix = "[" expression "]" | "++" | "--" | ( "." | "?." ) access [ args ] | categorisation ."""
    links: list[Link] = []
    while True:
        at = c.at
        kind = c.kinds[at]
        if kind in _MARKS:
            c.at = at + 1
            name = _member_name(c)
            found = arguments(c) if c.kinds[c.at] == "(" else None
            links.append(MemberAccess("." if kind == "." else "?.", name, found, c.span(at)))
        elif kind == "[" and not (c.breaks() and _annotates(c)):
            c.enter()
            c.at = at + 1
            index = c.expression(c)
            c.expect("]", "the index")
            c.depth -= 1
            links.append(ElementAccess(index, c.span(at)))
        elif kind in _STEPS:
            c.at = at + 1
            links.append(Step("++" if kind == "++" else "--", c.span(at)))
        else:
            break
    if links:
        target = Access(target, tuple(links), c.span(first))
    return _categorisation(c, target, first) if c.kinds[c.at] == "->" else target


def _annotates(c: Cursor) -> bool:
    """Whether the bracket that begins this line is an annotation behind a forgotten `;`: then a name follows."""
    end = brackets_end(c, c.at)
    last = c.at + _FAR
    while 0 < end < last and c.kinds[end] == "[":
        end = brackets_end(c, end)
    return end > 0 and c.kinds[end] == "name" and c.texts[end] not in WORD_OPERATORS


def _member_name(c: Cursor) -> str:
    """Access = ident [ "<" type { "," type } ">" ] . type arguments only before a call."""
    if c.kinds[c.at + 1] == "<":
        end = type_end(c, c.at)
        if end > 0 and c.kinds[end] == "(":
            return type_text(c, "the member's name")
    return identifier(c, "a member's name after `.`", strict=False)


def _categorisation(c: Cursor, subject: Expression, first: int) -> Categorisation:
    """Categorisation = "->" term "{" [ expression { "," expression } ] "}" ."""
    c.enter()
    c.at += 1
    kind = c.kinds[c.at]
    type_ = TERMS.get(kind, no_value)(c)
    if isinstance(type_, Name) and c.kinds[c.at] == ".":
        type_ = postfix(c, type_, c.at - 1)
    c.expect("{", "the type of a `->` condition")
    conditions: list[Expression] = []
    if c.kinds[c.at] != "}":
        conditions.append(c.expression(c))
        while c.kinds[c.at] == ",":
            c.at += 1
            conditions.append(c.expression(c))
    c.expect("}", "the conditions")
    c.depth -= 1
    return Categorisation(subject, type_, tuple(conditions), c.span(first))

"""A prototype is a name, its bases and a body of members.

Owns the declaration with its modifiers, the `where` clause (ignored, as in the reference), nesting, and going on after
a header or a member that does not fit, so that one mistake does not hide the next. Knows nothing of files.
"""

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.annotations import Pending
from ferrule.protoscript.parser.cursor import Cursor, Misfit, describe
from ferrule.protoscript.parser.members import member
from ferrule.protoscript.parser.recovery import begins_declaration, broken, dedented, skip, unclosed
from ferrule.protoscript.parser.types import type_text
from ferrule.protoscript.syntax import Annotation, Member, Prototype, Span
from ferrule.protoscript.tokens import END

__all__ = ["prototype"]


def prototype(c: Cursor, first: int, modifiers: tuple[str, ...], annotations: tuple[Annotation, ...]) -> Prototype:
    """Prototype = { modifier } "prototype" type [ bases ] [ "where" … ] ( ";" | "{" { member } "}" ) .

    The cursor stands on the word `prototype`; `first` is the first token of the declaration.
    """
    c.at += 1
    name, name_span = _name(c)
    bases, base_spans = _bases(c)
    where = _where(c)
    short = c.kinds[c.at] == ";"
    if short:
        c.at += 1
        _no_body_after_short_form(c)
        members: tuple[Member, ...] = ()
    else:
        _expect_body(c, bases)
        members = _body(c)
    return Prototype(name, bases, modifiers, annotations, members, where, short, c.span(first), name_span, base_spans)


def _name(c: Cursor) -> tuple[str, Span]:
    if c.kinds[c.at] in {":", "{"}:
        hint = "write the name behind the word `prototype`"
        c.note(DiagnosticCode.EXPECTED_NAME, "expected the prototype's name", c.gap(), hint=hint)
        return "", c.gap()
    first = c.at
    return type_text(c, "the prototype's name"), c.span(first)


def _bases(c: Cursor) -> tuple[tuple[str, ...], tuple[Span, ...]]:
    """Bases = ( ":" | "extends" ) type { "," type } ."""
    if c.kinds[c.at] != ":" and c.texts[c.at] != "extends":
        return (), ()
    names: list[str] = []
    spans: list[Span] = []
    while True:
        c.at += 1
        at = c.at
        if c.kinds[at] in {"{", ";"}:
            c.note(
                DiagnosticCode.EXPECTED_NAME, "expected a base", c.gap(), hint="write its name, or leave the mark out"
            )
            return tuple(names), tuple(spans)
        names.append(type_text(c, "a base"))
        spans.append(c.span(at))
        if c.kinds[c.at] != ",":
            return tuple(names), tuple(spans)


def _where(c: Cursor) -> str:
    """Where = "where" { anything but "{" } ."""
    if c.texts[c.at] != "where" or c.kinds[c.at] != "name":
        return ""
    first = c.at
    while c.kinds[c.at] not in {"{", ";", END}:
        if c.kinds[c.at] in _OPEN_ENDED:
            c.fail(DiagnosticCode.UNEXPECTED_TOKEN, "")
        c.at += 1
    return c.text(first)


_OPEN_ENDED = frozenset({"unterminated", "open-comment", "stray"})
"""What is no token, or takes in more than it should: said even where everything is ignored."""


def _no_body_after_short_form(c: Cursor) -> None:
    if c.kinds[c.at] == "{":
        hint = "remove the `;` in front of `{`"
        c.fail(DiagnosticCode.SHORT_FORM_WITH_BODY, "a declaration that ends with `;` has no body", hint=hint)


def _expect_body(c: Cursor, bases: tuple[str, ...]) -> None:
    if c.kinds[c.at] == "{":
        return
    if c.texts[c.at] in {"is", "inherits", "implements"} and not bases:
        message = f"expected `:` or `{{`, not {describe(c)}"
        c.fail(DiagnosticCode.UNEXPECTED_TOKEN, message, hint="bases follow a `:`")
    if c.kinds[c.at] == END:
        c.fail(DiagnosticCode.UNCLOSED, "the text ends before the body of the prototype", c.gap(), hint="add `{ }`")
    wanted = "`,`, `{` or `;`" if bases else "`:`, `{` or `;`"
    hint = "a name is one word" if c.kinds[c.at] in {"name", "-"} and not bases else "a body stands in `{ }`"
    span = c.gap() if c.breaks() else c.here()
    message = f"expected {wanted}, not {describe(c)}"
    ahead = c.at
    while c.kinds[ahead] not in _ENDS and ahead < c.at + _HEADER and not begins_declaration(c, ahead):
        ahead += 1
    if c.kinds[ahead] != "{":
        c.fail(DiagnosticCode.UNEXPECTED_TOKEN, message, span, hint=hint)
    c.note(DiagnosticCode.UNEXPECTED_TOKEN, message, span, hint=hint)
    c.at = ahead


_HEADER = 16
_ENDS = frozenset({"{", "}", ";", "=", "(", END})


def _body(c: Cursor) -> tuple[Member, ...]:
    """Body = "{" { member | prototype } "}" ."""
    opening = c.at
    c.enter()
    c.at += 1
    depth = c.depth
    members: list[Member] = []
    pending = Pending()
    while c.kinds[c.at] != "}" and not c.closed:
        first = c.at
        if c.kinds[first] == END or dedented(c, opening):
            unclosed(c, opening, "body")
            break
        try:
            if c.texts[first] == "prototype" and c.kinds[first] == "name":
                members.append(prototype(c, first, (), pending.take()))
                continue
            found = member(c, pending)
        except Misfit:
            c.depth = depth
            skip(c, first)
            if c.at > first:
                members.append(broken(c, pending.start(first)))
        else:
            if found is not None:
                members.append(found)
    pending.end(c)
    if c.kinds[c.at] == "}":
        c.at += 1
    c.depth = depth - 1
    return tuple(members)

"""A prototype is a name, its bases and a body of members.

Owns the declaration with its modifiers, the `where` clause (ignored, as in the reference), nesting, and going on after
a member that does not fit, so that one mistake does not hide the next. Knows nothing of files and namespaces.
"""

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.annotations import Pending
from ferrule.protoscript.parser.cursor import Cursor, Misfit, describe
from ferrule.protoscript.parser.members import member
from ferrule.protoscript.parser.types import type_text
from ferrule.protoscript.syntax import Annotation, Member, Prototype, Span
from ferrule.protoscript.tokens import END

__all__ = ["prototype", "skip"]


def prototype(c: Cursor, first: int, modifiers: tuple[str, ...], annotations: tuple[Annotation, ...]) -> Prototype:
    """Prototype = { modifier } "prototype" type [ bases ] [ "where" … ] ( ";" | "{" { member } "}" ) .

    The cursor stands on the word `prototype`; `first` is the first token of the declaration.
    """
    c.at += 1
    named = c.at
    name = type_text(c, "the prototype's name")
    name_span = c.span(named)
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


def _bases(c: Cursor) -> tuple[tuple[str, ...], tuple[Span, ...]]:
    """Bases = ( ":" | "extends" ) type { "," type } ."""
    if c.kinds[c.at] != ":" and c.texts[c.at] != "extends":
        return (), ()
    names: list[str] = []
    spans: list[Span] = []
    while True:
        c.at += 1
        at = c.at
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
        c.at += 1
    return c.text(first)


def _no_body_after_short_form(c: Cursor) -> None:
    if c.kinds[c.at] == "{":
        hint = "remove the `;` in front of `{`"
        c.fail(DiagnosticCode.SHORT_FORM_WITH_BODY, "a declaration that ends with `;` has no body", hint=hint)


def _expect_body(c: Cursor, bases: tuple[str, ...]) -> None:
    if c.kinds[c.at] == "{":
        return
    if c.texts[c.at] in {"is", "inherits", "implements"} and not bases:
        c.fail(DiagnosticCode.UNEXPECTED_TOKEN, f"expected `:` or `{{`, not {describe(c)}", hint="bases follow a `:`")
    if c.kinds[c.at] == END:
        c.fail(DiagnosticCode.UNCLOSED, "the text ends before the body of the prototype", c.gap(), hint="add `{ }`")
    wanted = "`,`, `{` or `;`" if bases else "`:`, `{` or `;`"
    hint = "a name is one word" if c.kinds[c.at] in {"name", "-"} and not bases else ""
    c.fail(DiagnosticCode.UNEXPECTED_TOKEN, f"expected {wanted}, not {describe(c)}", hint=hint)


def _body(c: Cursor) -> tuple[Member, ...]:
    """Body = "{" { member | prototype } "}" ."""
    opening = c.at
    c.enter()
    c.at += 1
    depth = c.depth
    members: list[Member] = []
    pending = Pending()
    while c.kinds[c.at] != "}" and not c.over():
        if c.kinds[c.at] == END:
            place = Span(c.starts[opening], c.ends[opening])
            c.note(DiagnosticCode.UNCLOSED, "this `{` is never closed", place, hint="add `}` at the end of the body")
            raise Misfit
        first = c.at
        try:
            found = _nested(c, pending) if c.texts[first] == "prototype" else member(c, pending)
        except Misfit:
            c.depth = depth
            skip(c, first)
        else:
            if found is not None:
                members.append(found)
    pending.end(c)
    if c.kinds[c.at] == "}":
        c.at += 1
    c.depth = depth - 1
    return tuple(members)


def _nested(c: Cursor, pending: Pending) -> Member | None:
    if c.kinds[c.at] != "name":
        return member(c, pending)
    return prototype(c, c.at, (), pending.take())


def skip(c: Cursor, first: int) -> None:
    """Go on after a construct that began at `first` and did not fit: behind its `;`, or before the `}` around it."""
    level = 0
    for at in range(first, c.at):
        kind = c.kinds[at]
        level += (kind == "{") - (kind == "}" and level > 0)
    c.at = max(c.at, first)
    while c.kinds[c.at] != END:
        kind = c.kinds[c.at]
        if kind == "{":
            level += 1
        elif kind == "}":
            if level == 0:
                return
            level -= 1
            if level == 0:
                c.at += 2 if c.kinds[c.at + 1] == ";" else 1
                return
        elif kind == ";" and level == 0:
            c.at += 1
            return
        c.at += 1

"""A file is a sequence of directives, namespaces, prototypes, functions and statements, in source order.

Owns the top level: what a first word opens, where reading goes on after a mistake, and what a text is that is no
ProtoScript at all. Knows nothing of what stands inside the constructs.
"""

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.annotations import Pending
from ferrule.protoscript.parser.cursor import Cursor, Misfit, describe
from ferrule.protoscript.parser.directives import DIRECTIVES, directive
from ferrule.protoscript.parser.functions import function
from ferrule.protoscript.parser.mistaken import refuse_foreign_text, refuse_prose
from ferrule.protoscript.parser.prototypes import prototype
from ferrule.protoscript.parser.recovery import broken, dedented, rest, skip, unclosed
from ferrule.protoscript.parser.statements import statement
from ferrule.protoscript.parser.types import dotted
from ferrule.protoscript.syntax import Code, File, Item, Namespace, Span
from ferrule.protoscript.tokens import END
from ferrule.protoscript.words import FIELD_MODIFIERS, STATEMENT_WORDS

__all__ = ["file"]


def file(c: Cursor) -> File:
    """File = { directive | namespace | item } ."""
    refuse_foreign_text(c)
    return File(_items(c, END), Span(0, len(c.source.text)))


def _items(c: Cursor, closing: str, opening: int = 0) -> tuple[Item, ...]:
    """Items = { annotation | prototype | extern | function | statement } . directives and namespaces at file level."""
    found: list[Item] = []
    pending = Pending()
    depth = c.depth
    while c.kinds[c.at] != closing and not c.closed:
        first = c.at
        if c.kinds[first] == END or (closing != END and dedented(c, opening)):
            unclosed(c, opening, "namespace")
            break
        try:
            item = _item(c, pending, at_file_level=closing == END)
        except Misfit:
            c.depth = depth
            if c.over() and closing == END:
                c.at = pending.start(first)
                break
            skip(c, first)
            if c.at == first or (c.kinds[c.at] == "}" and closing == END):
                c.at += 1
            found.append(broken(c, pending.start(first)))
        else:
            if item is not None:
                found.append(item)
    found.extend(pending.end(c))
    if closing == END and c.kinds[c.at] != END:
        found.append(rest(c))
    return tuple(found)


def _item(c: Cursor, pending: Pending, *, at_file_level: bool) -> Item | None:
    kind, word = c.kinds[c.at], c.texts[c.at]
    if kind == "[":
        pending.add(c)
        return None
    if kind == "name":
        if word == "prototype":
            return prototype(c, c.at, (), pending.take())
        if word in {"partial", "extern"}:
            return _modified(c, pending)
        if word == "function":
            return function(c, pending.take())
        if at_file_level and (word in DIRECTIVES or word == "namespace"):
            pending.pass_over(c)
            return directive(c) if word in DIRECTIVES else _namespace(c)
    pending.pass_over(c)
    return _statement(c)


def _modified(c: Cursor, pending: Pending) -> Item:
    """Modified = ( "partial" | "extern" ) { modifier } prototype | "extern" varDecl ."""
    first = c.at
    words = []
    while c.texts[c.at] in FIELD_MODIFIERS and c.kinds[c.at] == "name":
        words.append(c.texts[c.at])
        c.at += 1
    if c.texts[c.at] == "prototype" and c.kinds[c.at] == "name":
        return prototype(c, first, tuple(words), pending.take())
    if words[0] == "partial":
        c.fail(DiagnosticCode.UNEXPECTED_TOKEN, f"expected `prototype` after `partial`, not {describe(c)}")
    c.at = first
    pending.pass_over(c)
    return statement(c)


def _namespace(c: Cursor) -> Namespace:
    """Namespace = "namespace" ident { "." ident } "{" { item } "}" ."""
    first = c.at
    c.at += 1
    name = dotted(c, "the namespace's name", strict=True)
    c.enter()
    opening = c.at
    c.expect("{", "the namespace's name")
    items = _items(c, "}", opening)
    if c.kinds[c.at] == "}":
        c.at += 1
    c.depth -= 1
    return Namespace(name, items, c.span(first))


def _statement(c: Cursor) -> Code:
    if c.kinds[c.at] == "}":
        c.fail(DiagnosticCode.UNEXPECTED_TOKEN, "this `}` closes nothing", hint="remove it")
    if c.texts[c.at] not in STATEMENT_WORDS:
        refuse_prose(c)
    return statement(c)

"""What may stand in the body of a prototype, told apart by its first words.

Owns fields, assignments, init blocks and the order of guesses (reference/protoscript.md section 2.1). A member that
does not fit is reported; who owns the body goes on after it. Knows nothing of the file around it.
"""

from ferrule.protoscript.diagnostics import DiagnosticCode
from ferrule.protoscript.parser.annotations import Pending
from ferrule.protoscript.parser.cursor import Cursor, describe
from ferrule.protoscript.parser.functions import function, is_method, method
from ferrule.protoscript.parser.mistaken import refuse_foreign_kind
from ferrule.protoscript.parser.types import identifier, type_end, type_text
from ferrule.protoscript.syntax import Annotation, Assignment, Expression, Field, Function, Init, Span
from ferrule.protoscript.syntax.spans import make_span
from ferrule.protoscript.words import FIELD_MODIFIERS, RESERVED, STATEMENT_WORDS, UNARY_WORDS, WORD_OPERATORS

__all__ = ["member"]

_OPENING = frozenset({"prototype", "function", "init"})
_NOT_A_PLAIN_TYPE = RESERVED | _OPENING
_NEVER_A_NAME = WORD_OPERATORS | UNARY_WORDS
_NOT_A_PROPERTY = STATEMENT_WORDS | _NEVER_A_NAME | _OPENING
_AFTER_NAME = frozenset({"=", ";"})


def member(c: Cursor, pending: Pending) -> Field | Assignment | Function | Init | None:
    """Member = annotation | function | method | init | field | assignment . None after an annotation.

    Nested prototypes are read by `prototypes`, which owns the body.
    """
    at = c.at
    kinds, word = c.kinds, c.texts[at]
    if kinds[at] == "name":
        following = kinds[at + 1]
        if following == "=" and word not in _NOT_A_PROPERTY:
            pending.pass_over(c)
            return _assignment(c)
        if following == "name" and kinds[at + 2] in _AFTER_NAME and word not in _NOT_A_PLAIN_TYPE:
            return _plain_field(c, pending.take())
        return _other(c, pending)
    if kinds[at] == "[":
        pending.add(c)
        return None
    hint = "a body holds `Type Name = value;` and `Name = value;`"
    if kinds[at] == ";":
        hint = "leave this `;` out"
    return c.fail(DiagnosticCode.NOT_A_MEMBER, f"expected a property, not {describe(c)}", hint=hint)


def _assignment(c: Cursor) -> Assignment:
    """Assignment = ident "=" expression ";" ."""
    at = c.at
    start = c.starts[at]
    name_span = make_span((start, c.ends[at]))
    c.at = at + 2
    value = c.expression(c)
    if c.kinds[c.at] == ";":
        c.at += 1
    else:
        c.semicolon("the value")
    return Assignment(c.texts[at], value, True, make_span((start, c.ends[c.at - 1])), name_span)  # noqa: FBT003 - `plain`, by position for speed


def _plain_field(c: Cursor, annotations: tuple[Annotation, ...]) -> Field:
    """`ident ident [ "=" expression ] ";"`: the field of a memory, of which a large file has very many."""
    at = c.at
    name = c.texts[at + 1]
    if name in _NEVER_A_NAME or c.kinds[at + 3] == "{":
        return _field(c, at, (), annotations)
    value: Expression | None = None
    if c.kinds[at + 2] == ";":
        c.at = at + 3
    else:
        c.at = at + 3
        value = c.expression(c)
        if c.kinds[c.at] == ";":
            c.at += 1
        else:
            c.semicolon("the value")
    span = make_span((c.starts[at], c.ends[c.at - 1]))
    return Field(c.texts[at], name, value, (), annotations, span, make_span((c.starts[at + 1], c.ends[at + 1])))


def _field(c: Cursor, first: int, modifiers: tuple[str, ...], annotations: tuple[Annotation, ...]) -> Field:
    """Field = { modifier } type ident [ "=" expression ] ";" ."""
    type_ = type_text(c)
    at = c.at
    name = identifier(c, "the property's name", strict=False)
    value: Expression | None = None
    if c.kinds[c.at] == "=":
        c.at += 1
        if c.kinds[c.at] == "{":
            hint = "a list is written in square brackets: `[a, b]`"
            c.fail(DiagnosticCode.EXPECTED_VALUE, "expected a value, not `{`", hint=hint)
        value = c.expression(c)
    if value is None:
        refuse_foreign_kind(c, type_)
    c.semicolon("the property" if value is None else "the value")
    name_span = Span(c.starts[at], c.ends[at])
    return Field(type_, name, value, modifiers, annotations, c.span(first), name_span)


def _other(c: Cursor, pending: Pending) -> Field | Assignment | Function | Init:
    """Everything that the two quick guesses of `member` leave over."""
    first = c.at
    word = c.texts[first]
    if word == "function":
        return function(c, pending.take())
    if word == "init":
        return _init(c, pending)
    modifiers: list[str] = []
    while c.texts[c.at] in FIELD_MODIFIERS and c.kinds[c.at] == "name":
        modifiers.append(c.texts[c.at])
        c.at += 1
    if is_method(c, c.at):
        return method(c, first, tuple(modifiers), pending.take())
    end = type_end(c, c.at)
    if end > 0 and c.kinds[end] == "=" and c.kinds[end - 1] != "?" and not modifiers:
        pending.pass_over(c)
        return _odd_assignment(c, end)
    if end < 0 or c.kinds[end] not in {"name", "number", "junk"}:
        _not_a_member(c, first, end)
    return _field(c, first, tuple(modifiers), pending.take())


def _odd_assignment(c: Cursor, end: int) -> Assignment:
    """An assignment whose target is no plain name: `A.B = 1;`. Read, and marked as such."""
    first = c.at
    if c.texts[first] in _NOT_A_PROPERTY:
        hint = "" if c.texts[first] in _OPENING else "a body holds `Type Name = value;` and `Name = value;`"
        c.fail(DiagnosticCode.RESERVED_WORD, f"`{c.texts[first]}` cannot be assigned", hint=hint)
    target = type_text(c, "the property")
    name_span = c.span(first)
    c.at = end + 1
    value = c.expression(c)
    c.semicolon("the value")
    return Assignment(target, value, plain=False, span=c.span(first), name_span=name_span)


def _init(c: Cursor, pending: Pending) -> Init:
    """Init = "init" block ."""
    first = c.at
    c.at += 1
    left = pending.take()
    if left:
        c.note(DiagnosticCode.DANGLING_ANNOTATION, "an init block takes no annotation", left[0].span, hint="remove it")
    if c.kinds[c.at] == "=":
        c.fail(DiagnosticCode.RESERVED_WORD, "`init` cannot be assigned", hint="it opens a block of statements")
    body = c.rules.block(c)
    return Init(body, c.span(first))


def _not_a_member(c: Cursor, first: int, end: int) -> None:
    """Say what is wrong with a member that is neither a field nor an assignment."""
    if end > 0:
        c.at = end
    if c.kinds[c.at] == ":":
        hint = f"write `{c.texts[first]} = value;`"
        c.fail(DiagnosticCode.NOT_A_MEMBER, "a property is not written with `:`", hint=hint)
    if c.kinds[c.at] in {";", "}"}:
        hint = "write `Type Name;` to declare a property, `Name = value;` to assign one"
        c.fail(DiagnosticCode.NOT_A_MEMBER, "this is neither a declaration nor an assignment", c.span(first), hint=hint)
    c.fail(DiagnosticCode.NOT_A_MEMBER, f"expected a property's name or `=`, not {describe(c)}")

"""Rule 7: no secret is written, in no field, name or comment, whole, encoded or in pieces (R27, R28, INV-I6).

Owns where a definition is searched. What a secret looks like is known by `referents.secrets`; a secret's *name* passes.
A refusal says the kind and the place, never a character of the value.
"""

from collections.abc import Iterator

from ferrule.errors import Code
from ferrule.memory.case import Case, Finding
from ferrule.memory.rules.characters import comment_spans
from ferrule.memory.rules.disguises import hidden_kind, joined_kind, joined_kinds, may_hide
from ferrule.memory.rules.members import fields_and_assignments, texts_in, values_of
from ferrule.protoscript.syntax import Expression, Span
from ferrule.referents.properties import kind_of_property
from ferrule.referents.secrets.mark import has_placeholder

__all__ = ["secrecy_rule", "secret_in_text"]

_MOST = 5
_REMEDY = "Leave the value out; write the name under which the secret is kept, in a property such as SecretKey."


def secrecy_rule(case: Case) -> list[Finding]:
    """SECRET_VALUE for values, names and comments, decoded and joined forms included (CASE-D01 to D11)."""
    found = [*_values(case), *_names(case), *_comments(case)]
    return (found or list(_joined(case)))[:_MOST]


def secret_in_text(case: Case) -> list[Finding]:
    """SECRET_VALUE for a text that another rule has refused already, readable or not.

    A refused text is kept to explain the review; one that holds a secret is not (INV-I6), and this code says so.
    """
    text = case.source.text
    kind = case.secret_kind(text) or hidden_kind(text)
    found = [_finding(kind, "The text", Span(0, 0))] if kind else secrecy_rule(case)
    return found[:1]


def _finding(kind: str, where: str, span: Span, prop: str = "") -> Finding:
    return Finding(Code.SECRET_VALUE, f"{where} holds what looks like a secret ({kind}).", _REMEDY, prop, span)


def _values(case: Case) -> Iterator[Finding]:
    literals = [(name, text) for name, expression in values_of(case.tree) for text in texts_in(expression)]
    bare = not may_hide(text.value for _, text in literals)
    for name, text in literals:
        kind = _kind(case, name, text.value, bare=bare)
        if kind:
            yield _finding(kind, name[:60], text.span, name[:60])


def _kind(case: Case, name: str, value: str, *, bare: bool) -> str:
    """The kind of secret in a value, its property's name heard as an announcement unless that names a handle."""
    if has_placeholder(value):
        return "a redacted one"
    kind = case.secret_kind(value)
    if kind is None and kind_of_property(name) is None:
        kind = case.secret_kind(f'{name} = "{value}"')
    return kind or hidden_kind(value, bare=bare) or ""


def _names(case: Case) -> Iterator[Finding]:
    kind = case.secret_kind(case.tree.name)
    if kind:
        yield _finding(kind, "The prototype's name", case.tree.name_span)
    members = list(fields_and_assignments(case.tree))
    said = [_text(member.value) if member.value is not None else "" for member in members]
    together = joined_kinds([(member.name, text) for member, text in zip(members, said, strict=True)])
    for member, text, joined in zip(members, said, together, strict=True):
        kind = case.secret_kind(member.name) or (None if case.secret_kind(text) else joined)
        if kind:
            yield _finding(kind, "A property's name", member.name_span)


def _comments(case: Case) -> Iterator[Finding]:
    for start, end in comment_spans(case.source.text):
        comment = case.source.text[start:end]
        kind = case.secret_kind(comment) or hidden_kind(comment)
        if kind:
            yield _finding(kind, "A comment", Span(start, end))


def _joined(case: Case) -> Iterator[Finding]:
    """A secret cut in pieces: over the elements of one list, over two members that follow each other, or over more."""
    values = [(name, expression, _text(expression)) for name, expression in values_of(case.tree)]
    for (_, _, before), (name, expression, text) in zip([("", None, ""), *values], values, strict=False):
        kind = case.secret_kind(text) or case.secret_kind(before + text)
        if kind:
            yield _finding(kind, "Two values together", expression.span, name[:60])
    kind = joined_kind([text.value for _, expression, _ in values for text in texts_in(expression)])
    if kind:
        yield _finding(kind, "Several values together", case.tree.name_span)


def _text(expression: Expression) -> str:
    return "".join(text.value for text in texts_in(expression))

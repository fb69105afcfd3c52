"""A project's own definitions are somebody else's text: what must not be read is told, what is odd is shown.

Owns that judgement over one file (secrets, characters that people cannot see through, syntax) and the list of what a
file declares. Nothing in a file is ever run; functions and annotations are data that nobody looks at again. Knows
nothing of files, trust or who asks.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ferrule.memory.rules.characters import forbidden_in_text
from ferrule.memory.rules.disguises import hidden_kind
from ferrule.ontology.build import declarations, opaque, prototype_of
from ferrule.ontology.handles import handles_of
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import LayerName
from ferrule.protoscript import syntax
from ferrule.protoscript.reading import Parsed, parse
from ferrule.referents.kinds import HandleKind
from ferrule.referents.secrets.detect import looks_secret

__all__ = ["Declared", "declared_in", "oddities_in", "unreadable"]

_PHRASE = "SemanticEntity"
_MOST_ODD = 20


@dataclass(frozen=True, slots=True)
class Declared:
    """One definition of a file: an entity, a type or an addition (`partial`), and its handles as (property, value)."""

    name: str
    bases: tuple[str, ...]
    what: str
    handles: tuple[tuple[str, str], ...] = ()


def unreadable(text: str) -> str:
    """Why a file is not to be read whatever it says; empty when it may be. Never a character of a secret."""
    hidden = next(forbidden_in_text(text.removeprefix("\ufeff")), None)
    if hidden is not None:
        line = text.count("\n", 0, hidden[0]) + 1
        return f"{hidden[1]} in line {line}"
    kind = looks_secret(text) or _secret_value(text)
    if kind:
        return f"what looks like a secret ({kind})"
    found = parse(text).diagnostics
    return f"no ProtoScript: line {found[0].line}: {found[0].message}" if found else ""


def _secret_value(text: str) -> str:
    """The kind of secret in a value of its own, as it reads without its quotes and escapes."""
    for _, tree in declarations(parse(text).tree):
        for prop in prototype_of(tree, LayerName.PERMANENT).properties:
            if isinstance(prop.value, str):
                kind = looks_secret(prop.value) or hidden_kind(prop.value)
                if kind:
                    return kind
    return ""


def declared_in(text: str, known: Ontology) -> tuple[Declared, ...]:
    """What a file declares, in its order; types and handles as the whole ontology sees them."""
    return tuple(_declared(name, tree, known) for name, tree in declarations(parse(text).tree))


def _declared(name: str, tree: syntax.Prototype, known: Ontology) -> Declared:
    what = "addition" if tree.partial else "type" if known.is_type(name) else "entity"
    own = {member.name for member in tree.members if isinstance(member, syntax.Field | syntax.Assignment)}
    held = known.get(name)
    handles = handles_of(held, known) if held is not None else ()
    told = tuple((one.property, one.value) for one in handles if one.property in own)
    links = HandleKind.TYPED_REFERENCE
    first = tuple(pair for one, pair in zip(handles, told, strict=False) if one.kind is not links)
    return Declared(name, tree.bases, what, first or told)


def oddities_in(text: str) -> tuple[str, ...]:
    """What a file holds besides definitions of things: told before it is trusted, and never run."""
    parsed = parse(text)
    found = list(dict.fromkeys(_odd(parsed)))
    more = len(found) - _MOST_ODD
    return (*found[:_MOST_ODD], f"and {more} more") if more > 0 else tuple(found)


def _odd(parsed: Parsed) -> Iterator[str]:
    def at(span: syntax.Span) -> str:
        return f"line {parsed.source.position(span.start)[0]}"

    for item in parsed.tree.items:
        if not isinstance(item, syntax.Prototype):
            yield f"{at(item.span)}: {_odd_item(item, parsed)}"
    for _, tree in declarations(parsed.tree):
        notes = (note for note in tree.annotations if note.name != _PHRASE)
        yield from (f"{at(note.span)}: an annotation, never made: {_short(note.text)}" for note in notes)
        yield from (f"{at(member.span)}: {what}" for member in tree.members for what in _odd_member(member, parsed))


def _odd_item(item: syntax.Directive | syntax.Namespace | syntax.Annotation | syntax.Code, parsed: Parsed) -> str:
    match item:
        case syntax.Directive(text=text):
            return f"a directive, not followed: {_short(text)}"
        case syntax.Namespace(name=name):
            return f"the namespace {name}, not looked into"
        case syntax.Function():
            return f"a function, never run: {_signature(item, parsed)}"
        case syntax.Annotation(text=text):
            return f"an annotation, never made: {_short(text)}"
        case syntax.ErrorNode():
            return f"a part that could not be read: {_written(item.span, parsed)}"
        case _:
            return f"a statement, never run: {_written(item.span, parsed)}"


def _odd_member(member: syntax.Member, parsed: Parsed) -> Iterator[str]:
    match member:
        case syntax.Function():
            yield f"a function, never run: {_signature(member, parsed)}"
        case syntax.Init():
            yield "an init block, never run"
        case syntax.ErrorNode():
            yield f"a part that could not be read: {_written(member.span, parsed)}"
        case syntax.Field() | syntax.Assignment():
            if member.value is not None and opaque(member.value):
                yield f"the value of {member.name} would need running, and is not read"
        case _:
            return  # a prototype of its own, told elsewhere


def _signature(function: syntax.Function, parsed: Parsed) -> str:
    end = function.span.end if function.body is None else function.body.span.start
    return _written(syntax.Span(function.span.start, end), parsed).removesuffix(";")


def _written(span: syntax.Span, parsed: Parsed) -> str:
    return _short(parsed.source.text[span.start : span.end])


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 80 else f"{flat[:79]}…"  # noqa: PLR2004 - one line of a terminal

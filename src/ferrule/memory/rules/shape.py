"""Rule 2: exactly one prototype in raw ProtoScript, and nothing in it that would need running.

Owns the allow-list of constructs (INV-I5, R5, R51, R85, D11). What is refused here was read, never executed.
"""

from collections.abc import Iterator, Mapping

from ferrule.errors import Code
from ferrule.memory.case import Case, Finding
from ferrule.memory.rules.characters import is_word, lone_hashes
from ferrule.memory.rules.members import expressions_in, fields_and_assignments
from ferrule.protoscript import syntax
from ferrule.protoscript.diagnostics import Diagnostic, DiagnosticCode, refusal_code
from ferrule.protoscript.words import STATEMENT_WORDS
from ferrule.referents.expressions import expression

__all__ = ["shape_rule"]

_MOST = 8
_NAME_RULE = 3
_HUGE = expression(r"[0-9]{1,40}(?:\.[0-9]{1,40})?[eE]\+?[0-9]{3,6}")
_ONE = "Send exactly one definition: prototype Name : Base { … }."
_PLAIN = "Use texts, numbers, true, false, null, names, lists and new Collection() only."
_UNBOUND = "Leave it out: an annotation acts outside of this session; put search phrases into Aliases."
_DROP = "Leave it out: a memory holds properties and nothing else."


def shape_rule(case: Case) -> list[Finding]:
    """PARSE, NOT_ONE_PROTOTYPE, FORBIDDEN_CONSTRUCT and TOO_DEEP (CASE-B02 to B30, I04)."""
    wrapped = _wrapped(case.source.text)
    if wrapped:
        return wrapped
    found = [_diagnosed(finding, case) for finding in case.reading.diagnostics]
    if not found:
        found = [*_count(case), *_items(case.reading.tree)]
    if not found:
        found = [*_header(case.tree), *_members(case.tree), *_depth(case), *_hashes(case.source.text)]
    return found[:_MOST]


def _wrapped(text: str) -> list[Finding]:
    """JSON, fences and nothing at all are named as what they are; nothing is ever taken out of them."""
    body = text.strip()
    if not body:
        return [Finding(Code.PARSE, "The text is empty.", _ONE)]
    if body.startswith("```") or body.endswith("```"):
        return [Finding(Code.PARSE, "The text is wrapped in a Markdown fence.", "Send the bare definition.")]
    if body[0] in '{"' or _is_json_list(body):
        return [Finding(Code.PARSE, "The text is JSON, not ProtoScript.", _ONE)]
    return []


def _is_json_list(body: str) -> bool:
    return body[0] == "[" and body[-1] == "]" and "prototype" not in body


def _diagnosed(found: Diagnostic, case: Case) -> Finding:
    code = refusal_code(found.code)
    written = case.source.text[found.span.start : found.span.end]
    if found.code is DiagnosticCode.BAD_NUMBER and _HUGE.fullmatch(written):
        code = Code.TYPE_MISMATCH
    if code is Code.BAD_IDENTIFIER and not (is_word(written[:1]) or written[:1].isspace() or not written.isprintable()):
        code = Code.PARSE
    if code is Code.RESERVED_NAME and written in STATEMENT_WORDS and found.span != case.tree.name_span:
        code = Code.FORBIDDEN_CONSTRUCT
    hint = found.hint or "Correct the text at that place."
    rule = _NAME_RULE if code in (Code.BAD_IDENTIFIER, Code.RESERVED_NAME) else 0
    return Finding(code, _sentence(found.message), _sentence(hint), span=found.span, rule=rule)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def _count(case: Case) -> Iterator[Finding]:
    number = len(case.reading.tree.prototypes)
    if number != 1:
        said = "no prototype" if number == 0 else f"{number} prototypes"
        yield Finding(Code.NOT_ONE_PROTOTYPE, f"The text declares {said}.", _ONE)


def _items(tree: syntax.File) -> Iterator[Finding]:
    for item in tree.items:
        if not isinstance(item, syntax.Prototype):
            yield _forbidden(_named(item), item.span)


_NAMED: Mapping[type, str] = {
    syntax.Namespace: "a namespace",
    syntax.Function: "a function",
    syntax.Annotation: "an annotation",
    syntax.Init: "an init block",
    syntax.Prototype: "a nested prototype",
}


def _named(item: object) -> str:
    if isinstance(item, syntax.Directive):
        return f"{'an' if item.kind[0] in 'iu' else 'a'} {item.kind} directive"
    return _NAMED.get(type(item), "a statement")


def _forbidden(what: str, span: syntax.Span, remedy: str = _DROP, prop: str = "") -> Finding:
    return Finding(Code.FORBIDDEN_CONSTRUCT, f"The definition holds {what}.", remedy, prop, span)


def _header(tree: syntax.Prototype) -> Iterator[Finding]:
    for modifier in tree.modifiers:
        if modifier != "partial":
            yield _forbidden(f"the modifier {modifier}", tree.span)
    if tree.where.strip():
        yield _forbidden("a where clause", tree.span)
    for annotation in tree.annotations:
        yield _forbidden("an annotation", annotation.span, _UNBOUND)


def _members(tree: syntax.Prototype) -> Iterator[Finding]:
    for member in tree.members:
        if not isinstance(member, syntax.Field | syntax.Assignment):
            yield _forbidden(_named(member), member.span)
    for member in fields_and_assignments(tree):
        if isinstance(member, syntax.Field):
            yield from _field(member)
        elif not member.plain:
            yield _forbidden("an assignment to something else than a property", member.span)
        if member.value is not None:
            yield from _value(member.name, member.value)


def _field(member: syntax.Field) -> Iterator[Finding]:
    for modifier in member.modifiers:
        yield _forbidden(f"the modifier {modifier}", member.span, prop=member.name)
    for annotation in member.annotations:
        yield _forbidden("an annotation", annotation.span, prop=member.name)


def _value(name: str, value: syntax.Expression) -> Iterator[Finding]:
    for found in expressions_in(value):
        match found:
            case syntax.Computed(what=what):
                yield _forbidden(f"an expression ({what[:40]})", found.span, _PLAIN, name)
            case syntax.Text(form="interpolated" | "protostring"):
                yield _forbidden("a computed text", found.span, 'Write the text itself as @"…".', name)
            case syntax.New(type=kind) if kind != "Collection":
                yield _forbidden("a new instance", found.span, _PLAIN, name)
            case _:
                continue


def _hashes(text: str) -> Iterator[Finding]:
    """A `#` that starts a token opens a comment in the reference: here it is more likely a name cut in two."""
    for at in lone_hashes(text):
        remedy = "Write # only inside a name, as in Base#Tag, and comments with //."
        yield _forbidden("a # that is not part of a name", syntax.Span(at, at + 1), remedy)


def _depth(case: Case) -> Iterator[Finding]:
    for member in fields_and_assignments(case.tree):
        if member.value is not None and _levels(member.value) > case.view.limits.nesting:
            message = f"A list is nested more than {case.view.limits.nesting} levels deep."
            yield Finding(Code.TOO_DEEP, message, "Write a flat list.", member.name, member.value.span)


def _levels(value: syntax.Expression) -> int:
    deepest = 0
    waiting = [(value, 1)]
    while waiting:
        found, level = waiting.pop()
        if isinstance(found, syntax.ListExpression):
            deepest = max(deepest, level)
            waiting.extend((element, level + 1) for element in found.elements)
    return deepest

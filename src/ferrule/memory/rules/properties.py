"""Rule 5: every property is declared, every value fits its type, every reference leads somewhere.

Owns declarations, types, references and doubles (R43, CASE-G06, G09, OBS-M6, M7, M15). Nothing is converted and nothing
is dropped.
"""

import difflib
from collections.abc import Iterator, Mapping, Sequence

from ferrule.errors import Code
from ferrule.memory.case import Case, Finding
from ferrule.memory.rules.bases import odd_bases
from ferrule.memory.rules.members import expressions_in, fields_and_assignments
from ferrule.ontology.build import value_of
from ferrule.ontology.current import family
from ferrule.ontology.fitting import BUILTIN, fits, is_type_name, said, suggestion
from ferrule.protoscript import syntax
from ferrule.referents.expressions import expression

__all__ = ["inherited_type", "properties_rule"]

_SAME = {"Integer": "Int", "Boolean": "Bool"}
_PLAIN_NUMBERS = frozenset({"int", "double"})
_NOT_NUMBERS = frozenset({"NaN", "Infinity"})
_SHOWN = 60
_MOST = 8
_DATED = expression(r"AtTurn([0-9]{1,128})\Z")


def properties_rule(case: Case) -> list[Finding]:
    """UNKNOWN_PROPERTY, UNKNOWN_REFERENCE, UNKNOWN_TYPE and TYPE_MISMATCH, member by member."""
    found = list(_doubles(case.tree))
    spelt = _spellings(case)
    for member in fields_and_assignments(case.tree):
        if len(found) >= _MOST:
            break
        declared, findings = _declaration(case, member, spelt)
        found += findings
        if member.value is not None and declared:
            found += _value(case, member.name, member.value, declared)
    return found[:_MOST]


def inherited_type(case: Case, name: str) -> str:
    """The type that the bases and everything above them declare for a property; empty when they do not."""
    holders = dict.fromkeys((*case.written.bases, *case.trial.ancestors(case.written.name)))
    for holder in holders:
        prototype = case.known.get(holder)
        held = prototype.own(name) if prototype else None
        if held is not None and held.declares:
            return held.type
    return ""


def _own_type(case: Case, name: str) -> str:
    held = case.existing.own(name) if case.existing else None
    return held.type if held is not None and held.declares else ""


def _doubles(tree: syntax.Prototype) -> Iterator[Finding]:
    valued: set[str] = set()
    declared: set[str] = set()
    for member in fields_and_assignments(tree):
        again = member.name in valued and member.value is not None
        if again or (member.name in declared and isinstance(member, syntax.Field)):
            message = f"{member.name[:_SHOWN]} stands twice in the definition."
            yield Finding(Code.TYPE_MISMATCH, message, "Write it once.", member.name, member.name_span)
        if member.value is not None:
            valued.add(member.name)
        if isinstance(member, syntax.Field):
            declared.add(member.name)


def _declaration(
    case: Case, member: syntax.Field | syntax.Assignment, spelt: Mapping[str, Sequence[str]]
) -> tuple[str, list[Finding]]:
    """The type that holds for a member, and what is wrong with how it is declared."""
    wrong_turn = _wrong_turn(case, member)
    if wrong_turn:
        return "", wrong_turn
    if isinstance(member, syntax.Field):
        findings = list(_field(case, member, spelt))
        return ("" if findings else member.type), findings
    declared = _known_type(case, member.name)
    # Of bases that are not known, nobody can say what they do not declare: rule 4 tells of them.
    return declared, [] if declared or odd_bases(case) else [_undeclared(case, member)]


def _known_type(case: Case, name: str) -> str:
    """By the schema, the definition itself, or the family of `<Property>AtTurn<n>` (design.md section 3)."""
    for wanted in (name, family(name)):
        for member in case.tree.members:
            if isinstance(member, syntax.Field) and member.name == wanted:
                return member.type
        declared = _own_type(case, wanted) or inherited_type(case, wanted)
        if declared:
            return declared
    return ""


def _wrong_turn(case: Case, member: syntax.Field | syntax.Assignment) -> list[Finding]:
    """A critic dates a value by the turn that it reviews and no other: a later date would rule the current view."""
    dated = _DATED.search(member.name)
    if dated is None or not case.by_critic or dated[1] == str(case.view.ordinal):
        return []
    name = f"{member.name[: dated.start()]}AtTurn{case.view.ordinal}"
    message = f"{member.name[:_SHOWN]} names another turn than the reviewed one."
    return [Finding(Code.UNKNOWN_PROPERTY, message, f"Call it {name}.", member.name, member.name_span)]


def _field(case: Case, member: syntax.Field, spelt: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    name, kind = member.name, member.type
    if not is_type_name(kind, case.trial):
        yield _unknown_type(member)
        return
    above = inherited_type(case, name)
    if above:
        remedy = f"Assign it without a type: {name} = … ;"
        yield Finding(Code.TYPE_MISMATCH, f"{name} is declared above already.", remedy, name, member.span)
        return
    yield from _respelt(member, spelt)
    stands = _own_type(case, name) or (inherited_type(case, family(name)) or _own_type(case, family(name)))
    if stands and _SAME.get(stands, stands) != _SAME.get(kind, kind):
        message = f"{name} is declared with another type."
        yield Finding(Code.TYPE_MISMATCH, message, f"Its type is {stands}.", name, member.span)


def _spellings(case: Case) -> Mapping[str, Sequence[str]]:
    """Folded name → every known or declared property of that name, whatever its case."""
    names = (
        *(entry.property for entry in case.known.schema(case.tree.name)),
        *(entry.property for base in case.written.bases for entry in case.known.schema(base)),
        *(other.name for other in fields_and_assignments(case.tree)),
    )
    spelt: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        spelt.setdefault(name.casefold(), []).append(name)
    return spelt


def _respelt(member: syntax.Field, spelt: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    """A property that differs from another only in case is that property in disguise (rule 3, INV-I3)."""
    other = next((name for name in spelt.get(member.name.casefold(), ()) if name != member.name), "")
    if other:
        message = f"{member.name[:_SHOWN]} differs only in case from {other[:_SHOWN]}."
        remedy = f"Use {other[:_SHOWN]}, or a name of its own."
        yield Finding(Code.ALREADY_EXISTS, message, remedy, member.name, member.name_span)


def _unknown_type(member: syntax.Field) -> Finding:
    meant = suggestion(member.type)
    remedy = f"Write {meant}." if meant else "Use String, Int, Bool, Double, Collection or a known prototype."
    return Finding(Code.UNKNOWN_TYPE, f"The type of {member.name} is not known.", remedy, member.name, member.span)


def _undeclared(case: Case, member: syntax.Assignment) -> Finding:
    declared = [entry.property for entry in case.trial.schema(case.written.name)]
    near = difflib.get_close_matches(member.name[:_SHOWN], declared, n=2, cutoff=0.6)
    remedy = f"Give it a type, as in String {member.name[:_SHOWN]} = … ;"
    if near:
        remedy = f"Did you mean {' or '.join(near)}? Else give it a type, as in String Name = … ;"
    message = f"{member.name[:_SHOWN]} is not declared."
    return Finding(Code.UNKNOWN_PROPERTY, message, remedy, member.name, member.name_span)


def _value(case: Case, name: str, expression: syntax.Expression, declared: str) -> list[Finding]:
    unresolved = list(_references(case, name, expression, declared))
    if unresolved:
        return unresolved
    value = value_of(expression)
    odd = any(
        isinstance(found, syntax.Number) and found.form not in _PLAIN_NUMBERS for found in expressions_in(expression)
    )
    if fits(value, declared, case.trial) and not odd:
        return []
    message = f"{name} is of type {declared} and cannot hold {'a suffixed number' if odd else said(value)}."
    return [Finding(Code.TYPE_MISMATCH, message, _fitting(declared), name, expression.span)]


def _fitting(declared: str) -> str:
    if declared in BUILTIN:
        return f"Give it a value of type {declared}, or declare a new property for this value."
    return f"Name a known prototype that is a {declared}, without quotes."


def _references(case: Case, name: str, expression: syntax.Expression, declared: str) -> Iterator[Finding]:
    for found in expressions_in(expression):
        if not isinstance(found, syntax.Name) or case.trial.get(found.name) is not None:
            continue
        if found.name in _NOT_NUMBERS:
            message = f"{name} cannot hold a number that is not finite."
            yield Finding(Code.TYPE_MISMATCH, message, "Give it a number.", name, found.span)
        else:
            message = f"{name} refers to something that is not a known prototype."
            remedy = "Write a text in quotes, or write the prototype that it refers to first."
            if declared not in BUILTIN:
                remedy = f"Name a known prototype that is a {declared}, or leave the line out."
            yield Finding(Code.UNKNOWN_REFERENCE, message, remedy, name, found.span)

"""Rule 3, first half: a definition takes a plain name that is free to take, and no base that can run.

Owns identifiers, reserved names, spelling collisions and action bases (DEC-D7, R5, CASE-B25, C04, OBS-M10).
"""

from collections.abc import Iterator

from ferrule.errors import Code
from ferrule.memory.case import Case, Finding
from ferrule.memory.rules.reserved import ACTION_ROOTS, BUILTIN_NAMES, HOST_MEMBERS, INITIALIZER, RESERVED_WORDS
from ferrule.protoscript import syntax
from ferrule.referents.expressions import expression

__all__ = ["names_rule"]

_NAME = expression(r"[A-Za-z_][A-Za-z0-9_]*(?:#[A-Za-z0-9_]+)*")
_PROPERTY = expression(r"[A-Za-z_][A-Za-z0-9_]*")
_LONGEST = 128
_ASCII = "Use ASCII letters, digits and underscores, beginning with a letter, as in HarborSync or Gateway#Staging."
_OTHER = "Choose a name that says which thing it is."


def names_rule(case: Case) -> list[Finding]:
    """BAD_IDENTIFIER, RESERVED_NAME, and ALREADY_EXISTS for a name that differs from a known one only in case."""
    return [*_name(case), *_properties(case.tree), *_bases(case), *_target(case)]


def _name(case: Case) -> Iterator[Finding]:
    name, span = case.tree.name, case.tree.name_span
    if name in RESERVED_WORDS or name.split(".", 1)[0] in BUILTIN_NAMES:
        yield Finding(Code.RESERVED_NAME, "The name is a reserved or built-in word.", _OTHER, span=span)
    elif not _NAME.fullmatch(name) or len(name) > _LONGEST:
        yield Finding(Code.BAD_IDENTIFIER, "The prototype's name is not a plain ASCII name.", _ASCII, span=span)
    elif case.known.is_type(name):
        remedy = f"Derive from it: prototype {name}Something : {name} {{ … }}."
        yield Finding(
            Code.RESERVED_NAME, f"{name} is a permanent type, and types are not written to.", remedy, span=span
        )
    else:
        yield from _spelling(case)


def _spelling(case: Case) -> Iterator[Finding]:
    name = case.tree.name
    others = [other for other in case.known.names(lambda layer: layer.spelled(name)) if other != name]
    if others and case.existing is None:
        message = f"The name differs only in case from {others[0]}, which is known."
        yield Finding(
            Code.ALREADY_EXISTS, message, f"Augment {others[0]} or choose another name.", span=case.tree.name_span
        )


def _properties(tree: syntax.Prototype) -> Iterator[Finding]:
    for member in tree.members:
        if not isinstance(member, syntax.Field):
            continue
        if not _PROPERTY.fullmatch(member.name) or len(member.name) > _LONGEST:
            message = "A property's name is not a plain ASCII name."
            yield Finding(Code.BAD_IDENTIFIER, message, _ASCII, member.name[:_LONGEST], member.name_span)
        elif member.name in HOST_MEMBERS:
            message = f"{member.name} is a member of every prototype and cannot be declared."
            yield Finding(Code.RESERVED_NAME, message, _OTHER, member.name, member.name_span)


def _bases(case: Case) -> Iterator[Finding]:
    for base, span in zip(case.tree.bases, case.tree.base_spans, strict=False):
        if _runs(case, base):
            message = f"{base[:_LONGEST]} is an action or starts itself, and memory holds no behaviour."
            yield Finding(
                Code.RESERVED_NAME, message, "Derive from an entity type such as SemanticEntityBase.", span=span
            )


def _runs(case: Case, base: str) -> bool:
    line = (base, *case.known.ancestors(base))
    if not ACTION_ROOTS.isdisjoint(line):
        return True
    known = (case.known.get(name) for name in line)
    return any(held.declares for found in known if found and (held := found.own(INITIALIZER)) is not None)


def _target(case: Case) -> Iterator[Finding]:
    """A critic says what it augments; the definition must be of exactly that."""
    target = case.submission.proposal.target if case.submission.proposal else None
    if target is None or not case.by_critic:
        return
    if not target.isprintable() or case.known.get(target) is None:  # half a surrogate pair can be asked of no store
        message = "The prototype to augment is not known."
        yield Finding(Code.UNKNOWN_REFERENCE, message, "Search again, or propose it as new.", span=case.tree.name_span)
    elif target != case.tree.name:
        message = f"The proposal augments {target}, but the definition has another name."
        remedy = f"Write partial prototype {target} {{ … }}."
        yield Finding(Code.BAD_IDENTIFIER, message, remedy, span=case.tree.name_span)

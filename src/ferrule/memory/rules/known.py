"""Rule 3, second half: a critic creates nothing that is already known, nor takes its handle (R39, R65, R66, CASE-L15).

Owns the collision of names, aliases and handle keys with what any layer knows; an augmentation takes no handle that
points at a third thing. A definition that would change nothing has been answered before this is asked (DEC-D1).
"""

from collections.abc import Iterator
from dataclasses import replace

from ferrule.errors import Code
from ferrule.memory.case import Case, Finding
from ferrule.memory.rules.members import span_of
from ferrule.ontology.handles import keys_of, lookup_keys
from ferrule.ontology.layers import names_of
from ferrule.ontology.words import fold_phrase

__all__ = ["known_rule"]

_MOST = 8


def known_rule(case: Case) -> list[Finding]:
    """ALREADY_EXISTS for a new-create with the name, an alias or a handle of something known.

    Also for an augmentation that takes a handle of another known thing: two things under one handle are one of them
    too many, and whoever follows the handle lands in the wrong place (PEER-D08).
    """
    if case.submission.proposal is None:
        return []
    if case.submission.proposal.target is not None:
        return list(_handles(case))
    if case.existing is not None:
        return [_exists(case, case.tree.name, "name", "")]
    return [*_names(case), *_handles(case)][:_MOST]


def _names(case: Case) -> Iterator[Finding]:
    for name in (case.written.name, *names_of(case.written)):
        for other in case.known.names(lambda layer, name=name: layer.called(name)):  # type: ignore[misc]
            if not case.known.is_type(other):
                yield _exists(case, other, "name or alias", "" if name == case.written.name else _bearer(case, name))
                break


def _bearer(case: Case, name: str) -> str:
    """The property that says the name or alias."""
    phrase = fold_phrase(name)
    named = ((prop.name, names_of(replace(case.written, properties=(prop,)))) for prop in case.written.properties)
    return next(prop for prop, said in named if phrase in map(fold_phrase, said))


def _handles(case: Case) -> Iterator[Finding]:
    for handle in case.carried.written:
        if not keys_of((handle,)):
            continue
        holders = (
            other
            for key in lookup_keys(handle.kind, handle.value, case.place, handle.key)
            for other in case.holders(key)
        )
        other = next((name for name in holders if name != case.tree.name), "")
        if other:
            yield _exists(case, other, "handle", handle.property)


def _exists(case: Case, other: str, what: str, prop: str) -> Finding:
    message = f"{other} is known and has this {what} already."
    remedy = f"Augment {other} with what is new about it, or write nothing."
    creating = case.submission.proposal is not None and case.submission.proposal.target is None
    if not creating:
        remedy = f"Drop this line; what is new about {other} is another proposal."
    return Finding(Code.ALREADY_EXISTS, message, remedy, prop, span_of(case.tree, prop), final=creating)

"""Rule 4: a prototype stands under bases that exist, and it keeps them.

Owns bases: known ones, no cycle, no change (R86, CASE-G06, G08, OBS-M11).
"""

import difflib
from collections.abc import Iterator

from ferrule.errors import Code
from ferrule.memory.case import Case, Finding
from ferrule.ontology.fitting import BUILTIN
from ferrule.protoscript.syntax import Span

__all__ = ["bases_rule", "odd_bases"]

_SHOWN, _MANY, _ALIKE = 60, 2_000, 0.75


def odd_bases(case: Case) -> frozenset[str]:
    """The bases that nothing can be asked about: unknown ones, types of values, and the prototype itself."""
    return frozenset(
        base for base in case.tree.bases if base == case.tree.name or base in BUILTIN or case.known.get(base) is None
    )


def bases_rule(case: Case) -> list[Finding]:
    """UNKNOWN_TYPE and TYPE_MISMATCH for what stands after the colon."""
    if not case.tree.bases:
        return list(_none(case))
    return [*_cycle(case), *_unknown(case)] or list(_changed(case))


def _none(case: Case) -> Iterator[Finding]:
    if case.existing is not None and case.tree.partial:
        return
    name = case.tree.name
    if case.existing is not None:
        remedy = f"Write partial prototype {name} {{ … }} to add to it."
    else:
        remedy = f"Write prototype {name} : SemanticEntityBase {{ … }} or a closer base{_looked_at(case)}."
    yield Finding(Code.UNKNOWN_TYPE, "The prototype names no base.", remedy, span=case.tree.name_span)


def _looked_at(case: Case) -> str:
    """A critic inspects the base that it takes instead: rule 11 asks for that, and would refuse in the next round."""
    return ", and look at its details and schema" if case.by_critic and case.existing is None else ""


def _spans(case: Case) -> Iterator[tuple[str, Span]]:
    yield from zip(case.tree.bases, case.tree.base_spans, strict=False)


def _cycle(case: Case) -> Iterator[Finding]:
    for base, span in _spans(case):
        if base == case.tree.name or case.tree.name in case.known.ancestors(base):
            message = "The prototype would become its own ancestor."
            remedy = f"Name a base that does not derive from it{_looked_at(case)}."
            yield Finding(Code.TYPE_MISMATCH, message, remedy, span=span)


def _unknown(case: Case) -> Iterator[Finding]:
    for base, span in _spans(case):
        if base == case.tree.name:
            continue  # told as a cycle
        if base in BUILTIN:
            message = f"{base} is the type of a value, not a base."
            remedy = f"Use SemanticEntityBase or a closer base{_looked_at(case)}."
            yield Finding(Code.UNKNOWN_TYPE, message, remedy, span=span)
        elif case.known.get(base) is None:
            message = "A base is not known in this session's ontology."
            near = _near(case, base)
            meant = f"Did you mean {near}? Else use" if near else "Use"
            remedy = f"{meant} SemanticEntityBase or a base that exists{_looked_at(case)}."
            yield Finding(Code.UNKNOWN_TYPE, message, remedy, span=span)


def _near(case: Case, base: str) -> str:
    """The permanent type that is spelt nearly so, or nothing; a large ontology is not searched for it."""
    names = case.view.permanent.names()
    found = difflib.get_close_matches(base[:_SHOWN], names, n=1, cutoff=_ALIKE) if len(names) <= _MANY else []
    return found[0] if found else ""


def _changed(case: Case) -> Iterator[Finding]:
    if case.existing is not None and set(case.tree.bases) != set(case.existing.bases):
        stands = ", ".join(case.existing.bases)
        message = f"{case.tree.name} exists with other bases."
        yield Finding(Code.TYPE_MISMATCH, message, f"Keep its bases: {stands}.", span=next(_spans(case))[1])

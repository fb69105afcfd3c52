"""Rule 4: a prototype stands under bases that exist, and it keeps them.

Owns bases: known ones, no cycle, no change (R86, CASE-G06, G08, OBS-M11).
"""

from collections.abc import Iterator

from ferrule.errors import Code
from ferrule.memory.case import Case, Finding
from ferrule.ontology.fitting import BUILTIN
from ferrule.protoscript.syntax import Span

__all__ = ["bases_rule"]


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
        remedy = f"Write prototype {name} : SemanticEntityBase {{ … }} or a closer base."
    yield Finding(Code.UNKNOWN_TYPE, "The prototype names no base.", remedy, span=case.tree.name_span)


def _spans(case: Case) -> Iterator[tuple[str, Span]]:
    spans = case.tree.base_spans or (case.tree.name_span,) * len(case.tree.bases)
    yield from zip(case.tree.bases, spans, strict=False)


def _cycle(case: Case) -> Iterator[Finding]:
    for base, span in _spans(case):
        if base == case.tree.name or case.tree.name in case.known.ancestors(base):
            message = "The prototype would become its own ancestor."
            yield Finding(Code.TYPE_MISMATCH, message, "Name a base that does not derive from it.", span=span)


def _unknown(case: Case) -> Iterator[Finding]:
    for base, span in _spans(case):
        if base == case.tree.name:
            continue  # told as a cycle
        if base in BUILTIN:
            message = f"{base} is the type of a value, not a base."
            yield Finding(Code.UNKNOWN_TYPE, message, "Use SemanticEntityBase or a closer base.", span=span)
        elif case.known.get(base) is None:
            message = "A base is not known in this session's ontology."
            yield Finding(Code.UNKNOWN_TYPE, message, "Use SemanticEntityBase or a base that exists.", span=span)


def _changed(case: Case) -> Iterator[Finding]:
    if case.existing is not None and set(case.tree.bases) != set(case.existing.bases):
        stands = ", ".join(case.existing.bases)
        message = f"{case.tree.name} exists with other bases."
        yield Finding(Code.TYPE_MISMATCH, message, f"Keep its bases: {stands}.", span=next(_spans(case))[1])

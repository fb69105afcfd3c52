"""Rule 6: nothing that is already valued is assigned again, by anybody, in any spelling (INV-I3).

Owns the comparison with what stands: own values, and values that an ancestor assigned (DEC-D1, D2, R44, R58).
"""

from ferrule.errors import Code
from ferrule.memory.case import Case, Finding
from ferrule.memory.rules.members import assigned_names, span_of
from ferrule.ontology.build import empty, same_value
from ferrule.ontology.current import family
from ferrule.ontology.resolve import Effective
from ferrule.ontology.values import Property

__all__ = ["overwrite_rule", "standing", "unaltered"]

_UNVALUED = Effective(None, valued=False, by="")


def standing(case: Case, name: str) -> Effective:
    """What a property holds before this definition: by the prototype itself, else by what it inherits."""
    if case.existing is not None:
        return case.known.effective(case.existing.name, name)
    inherited = (case.known.effective(base, name) for base in case.written.bases)
    return next((found for found in inherited if found.valued), _UNVALUED)


def overwrite_rule(case: Case) -> list[Finding]:
    """ALREADY_VALUED for every assignment of a valued property, the same value included (DEC-D1)."""
    return [_valued(case, name) for name in assigned_names(case.tree) if standing(case, name).valued]


def _valued(case: Case, name: str) -> Finding:
    prop = case.written.own(name)
    same = prop is not None and same_value(prop.value, standing(case, name).value)
    by = standing(case, name).by
    message = f"{name} has a value already" + ("." if by == case.tree.name else f", assigned by {by}.")
    remedy = "Drop this line." if same else f"Drop this line; for a later state declare {family(name)}AtTurn<n>."
    if not same and case.by_critic:
        remedy = f"Drop this line; for a later state declare {family(name)}AtTurn{case.view.ordinal}."
    return Finding(Code.ALREADY_VALUED, message, remedy, name, span_of(case.tree, name))


def unaltered(case: Case) -> bool:
    """Whether the definition would change nothing: known, same bases, each value as it stands (DEC-D1, R66)."""
    existing = case.existing
    if existing is None or (case.tree.bases and set(case.tree.bases) != set(existing.bases)):
        return False
    if not case.tree.bases and not case.tree.partial:
        return False
    given = assigned_names(case.tree)
    return all(_stands(case, prop, given=prop.name in given) for prop in case.written.properties)


def _stands(case: Case, prop: Property, *, given: bool) -> bool:
    if prop.declares and not _declared(case, prop.name, prop.type):
        return False
    stands = standing(case, prop.name)
    if not given:
        return True
    return same_value(prop.value, stands.value) if stands.valued else empty(prop.value)


def _declared(case: Case, name: str, kind: str) -> bool:
    held = case.existing.own(name) if case.existing else None
    return held is not None and held.declares and held.type == kind

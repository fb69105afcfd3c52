"""Rule 10: planned stays planned until something shows otherwise (R20-R23, R47, D10, CASE-A09, A10).

Owns the comparison of what the claims, state properties and free text say with what the turn proves for the entity's
handles. An entity known only by a link is judged by the words that are cited for it.
"""

import re
from collections.abc import Iterator, Sequence

from ferrule.bridge.modality import admissible, provable
from ferrule.bridge.values import Claim, Modality, Role, TurnView
from ferrule.bridge.wording import proposes, wishes_for
from ferrule.errors import Code
from ferrule.memory.case import Case, Finding
from ferrule.memory.rules import citing
from ferrule.memory.rules.members import span_of
from ferrule.memory.rules.states import CLAIMS_REALITY, LIFECYCLE, stated
from ferrule.ontology.current import family
from ferrule.ontology.handles import keys_of
from ferrule.ontology.layers import texts_of
from ferrule.referents.expressions import expression
from ferrule.referents.properties import is_free_text

__all__ = ["modality_rule", "proved_state"]

_FACT = expression(rf"\b(?:{'|'.join(CLAIMS_REALITY)})\b", re.IGNORECASE)
_NOT_YET = expression(
    r"\b(?:be|get|not|never|yet|once|when|until|after|if|to)\s{1,3}(?:\w{1,20}\s{1,3})?\Z", re.IGNORECASE
)
_LOOK_BACK = 40
_MOST = 8


def modality_rule(case: Case) -> list[Finding]:
    """MODALITY for every claim, state and sentence that says more than the evidence."""
    view, proposal = case.view.turn, case.submission.proposal
    if view is None or proposal is None:
        return []
    keys = _keys(case)
    stated_too_high = list(_states(case, view, keys, proposal.claims))
    told = {finding.property for finding in stated_too_high}
    claimed = [finding for finding in _claims(case, view, keys, proposal.claims) if finding.property not in told]
    return [*stated_too_high, *claimed][:_MOST]


def _keys(case: Case) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*keys_of(case.carried.written), *keys_of(case.carried.standing))))


def _allowed(view: TurnView, keys: Sequence[str], claims: Sequence[Claim], modality: Modality) -> bool:
    if admissible(view, keys, modality):
        return True
    return not keys and modality.rung <= _told(view, claims).rung


def _told(view: TurnView, claims: Sequence[Claim]) -> Modality:
    """What cited words prove for an entity without a key of its own."""
    best = Modality.PLANNED
    for piece in citing.spans_cited(view, claims):
        if piece.role is Role.INTENT and not wishes_for(piece.text, piece.start, piece.end):
            return Modality.EXISTING
        if piece.role is Role.OUTCOME and not proposes(piece.text, piece.start, piece.end):
            best = Modality.REPORTED
    return best


def _claims(case: Case, view: TurnView, keys: Sequence[str], claims: Sequence[Claim]) -> Iterator[Finding]:
    for claim in claims:
        if not _allowed(view, keys, claims, claim.modality):
            yield _too_high(case, claim.property, claim.modality, provable(view, keys))


def _states(case: Case, view: TurnView, keys: Sequence[str], claims: Sequence[Claim]) -> Iterator[Finding]:
    proved = provable(view, keys)
    for prop in case.written.properties:
        said = stated(prop.name, prop.value)
        if said is not None:
            exact = family(prop.name) == LIFECYCLE
            allowed = _allowed(view, keys, claims, said) if exact else said.rung <= proved.rung
            if not allowed:
                yield _too_high(case, prop.name, said, proved)
        elif proved is Modality.PLANNED and is_free_text(prop.name) and _claims_fact(prop.value):
            yield _too_high(case, prop.name, Modality.CREATED, proved)


def proved_state(case: Case, view: TurnView) -> Modality:
    """What the turn proves of the entity, by the handles that it would have."""
    return provable(view, _keys(case))


def _claims_fact(value: object) -> bool:
    texts = texts_of(value) if isinstance(value, str | tuple) else ()
    return any(
        not _NOT_YET.search(text[max(0, found.start() - _LOOK_BACK) : found.start()])
        for text in texts
        for found in _FACT.finditer(text)
    )


def _too_high(case: Case, prop: str, said: Modality, proved: Modality) -> Finding:
    message = f"{prop or 'The definition'} says {said.value}, but the turn proves no more than {proved.value}."
    remedy = f"Claim {proved.value}, or write nothing until a result shows more."
    return Finding(Code.MODALITY, message, remedy, prop, span_of(case.tree, prop))

"""One verdict for one definition: the rules in order, and whatever finds something refuses (INV-I1, R54, R59).

Owns the order of the rules and who is bound by which (DEC-D5), the answer for what would change nothing (DEC-D1), and
what an admitted definition becomes. Check-only and write ask the same function. Knows nothing of stores.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ferrule.bridge.evidence import cited_text, excerpt
from ferrule.bridge.values import Claim, HandleView, Modality, Refusal
from ferrule.errors import Code
from ferrule.memory.case import Case, Finding
from ferrule.memory.merge import canonical, merge, resolved
from ferrule.memory.ports import StagedWrite
from ferrule.memory.rules.bases import bases_rule
from ferrule.memory.rules.durability import durability_rule
from ferrule.memory.rules.evidence import evidence_rule
from ferrule.memory.rules.handle import handle_rule
from ferrule.memory.rules.known import known_rule
from ferrule.memory.rules.modality import modality_rule
from ferrule.memory.rules.names import names_rule
from ferrule.memory.rules.overwrite import overwrite_rule, unaltered
from ferrule.memory.rules.proof import proof_rule
from ferrule.memory.rules.properties import properties_rule
from ferrule.memory.rules.secrecy import secrecy_rule, secret_in_text
from ferrule.memory.rules.shape import shape_rule
from ferrule.memory.rules.text import text_rule
from ferrule.memory.submission import AdmissionView, Refusals, Submission, Unaltered, Verdict, Written
from ferrule.ontology.handles import handles_of, keys_of
from ferrule.ontology.layers import phrases_of
from ferrule.ontology.values import Prototype
from ferrule.referents.kinds import Handle, HandleKind

__all__ = ["RULES", "Rule", "admit"]

Judge = Callable[[Case], list[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One admission rule: its number in design.md section 4, and what it does to a person's own memory (DEC-D5).

    Rules that stand `together` look at members one by one and need nothing of each other, so that all of them are heard
    before an answer is given: whoever repairs a definition does it once.
    """

    number: int
    judge: Judge
    for_person: bool = True
    warns_person: bool = False
    together: bool = False


# Whether anything changes is asked after the first three have found the text readable and its name plain (DEC-D1).
_READABLE = (Rule(1, text_rule), Rule(2, shape_rule), Rule(3, names_rule))
_SOUND = (
    Rule(3, known_rule, for_person=False),
    Rule(4, bases_rule),
    Rule(5, properties_rule, together=True),
    Rule(6, overwrite_rule, together=True),
    Rule(7, secrecy_rule, together=True),
    Rule(8, handle_rule, warns_person=True),
    Rule(9, evidence_rule, for_person=False),
    Rule(10, modality_rule, for_person=False),
    Rule(11, proof_rule, for_person=False),
    Rule(12, durability_rule, warns_person=True),
)
_SECRECY = 7
_NEVER_KEPT = frozenset({Code.SECRET_VALUE, Code.BAD_TEXT, Code.TOO_LARGE})
RULES: tuple[Rule, ...] = (*_READABLE, *_SOUND)


def admit(submission: Submission, view: AdmissionView) -> Verdict:
    """Judge one definition: `Written`, `Unaltered`, or `Refusals` with every finding of the first rule that found any.

    Rules 5 to 7 stand together: what any of them finds is told with what the others find. Never raises for what a
    text may hold, changes nothing, and gives the same verdict for the same values.
    """
    case = Case(submission, view)
    refused, _ = _judge(case, _READABLE)
    if refused:
        return Refusals(_told(case, refused))
    if unaltered(case):
        return Unaltered(case.tree.name)
    refused, warnings = _judge(case, _SOUND)
    if refused:
        return Refusals(_told(case, refused))
    return Written(_staged(case), warnings)


def _judge(case: Case, rules: tuple[Rule, ...]) -> tuple[tuple[Refusal, ...], tuple[Refusal, ...]]:
    warnings: list[Refusal] = []
    refused: list[Refusal] = []
    for rule in rules:
        if refused and not rule.together:
            break
        if not case.by_critic and not rule.for_person:
            continue
        found = tuple(case.refusal(finding, rule.number) for finding in rule.judge(case))
        if not found:
            continue
        if not case.by_critic and rule.warns_person:
            warnings += found
        elif rule.together:
            refused += found
        else:
            return found, ()
    return tuple(refused), () if refused else tuple(warnings)


def _told(case: Case, refused: tuple[Refusal, ...]) -> tuple[Refusal, ...]:
    """The refusals, with rule 7 heard as well: whoever keeps a refused text must know that it holds a secret."""
    if any(refusal.code in _NEVER_KEPT for refusal in refused):
        return refused
    return (*refused, *(case.refusal(finding, _SECRECY) for finding in secret_in_text(case)))


def _staged(case: Case) -> StagedWrite:
    written = resolved(case.written, case.trial)
    own = case.known.own_part(written.name)
    stands = merge(written, own, below=case.known.known_below(written.name))
    handles = _handles(case, stands)
    proposal = case.submission.proposal
    claims = proposal.claims if proposal is not None else ()
    created = case.existing is None
    return StagedWrite(
        prototype=stands,
        action="created" if created else "augmented",
        definition=canonical(written, partial=not created, bases=created),
        merged=canonical(stands),
        handles=tuple(HandleView(handle.kind, handle.value, handle.property, _key(handle)) for handle in handles),
        keys=_keys(case, handles),
        phrases=phrases_of(stands),
        modality=proposal.modality if proposal is not None else Modality.EXISTING,
        claims=claims,
        excerpts=tuple(dict.fromkeys(found for claim in claims for found in _excerpts(case, claim))),
        candidate=proposal.candidate if proposal is not None else "",
        person=not case.by_critic,
    )


def _key(handle: Handle) -> str:
    return "" if handle.kind is HandleKind.TYPED_REFERENCE else handle.key


def _handles(case: Case, stands: Prototype) -> tuple[Handle, ...]:
    """The handles of the session's part after the write, those of this write keyed as the turn keys them."""
    fresh = {(handle.property, handle.value): handle for handle in case.carried.written}
    found = handles_of(stands, case.trial, case.place)
    return tuple(fresh.get((handle.property, handle.value), handle) for handle in found)


def _keys(case: Case, handles: tuple[Handle, ...]) -> tuple[str, ...]:
    """Identity keys of the write. An older handle keeps the key that its turn gave it: another place, another key."""
    fresh = {(handle.property, handle.value) for handle in case.carried.written}
    name = case.tree.name
    kept = [
        handle
        for handle in handles
        if (handle.property, handle.value) in fresh
        or name in case.known.names(lambda layer, key=handle.key: layer.holding(key))  # type: ignore[misc]
    ]
    return keys_of(kept)


def _excerpts(case: Case, claim: Claim) -> list[tuple[str, str, str]]:
    """(property, role, words) of every piece of the turn that a claim cites, at most 200 characters each."""
    turn = case.view.turn
    if turn is None:
        return []
    found = []
    for evidence in claim.evidence:
        cited = cited_text(turn, evidence.cites)
        if cited is not None:
            found.append((claim.property, cited[1].value, excerpt(turn, evidence.cites)))
    return found

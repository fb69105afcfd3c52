"""One verdict for one definition: the rules in order, and whatever finds something refuses (INV-I1, R54, R59).

Owns the order of the rules and who is bound by which (DEC-D5), the answer for what would change nothing (DEC-D1), and
what an admitted definition becomes. Check-only and write ask the same function. Knows nothing of stores, and of which
findings are told together only that `hearing` decides it.
"""

from ferrule.bridge.evidence import cited_text, excerpt
from ferrule.bridge.values import Claim, HandleView, Modality, Refusal
from ferrule.errors import Code
from ferrule.memory.case import Case
from ferrule.memory.hearing import Rule, about_the_whole, all_heard, first_heard
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
from ferrule.memory.telling import in_order, told
from ferrule.ontology.handles import handles_of, keys_of
from ferrule.ontology.layers import phrases_of
from ferrule.ontology.values import Prototype
from ferrule.referents.kinds import Handle, HandleKind

__all__ = ["RULES", "admit"]

# Whether anything changes is asked after the first three have found the text readable and its name plain (DEC-D1).
_READABLE = (Rule(1, text_rule), Rule(2, shape_rule), Rule(3, names_rule))
_SOUND = (
    Rule(3, known_rule, for_person=False),
    Rule(4, bases_rule),
    Rule(5, properties_rule),
    Rule(6, overwrite_rule, drops=True),
    Rule(7, secrecy_rule, drops=True, always=True),
    Rule(8, handle_rule, warns_person=True, of_what_is_left=True),
    Rule(9, evidence_rule, for_person=False, of_what_is_left=True),
    Rule(10, modality_rule, for_person=False, of_what_is_left=True, rests=True),
    Rule(11, proof_rule, for_person=False, of_what_is_left=True),
    Rule(12, durability_rule, warns_person=True, of_what_is_left=True),
)
_SECRECY = 7
_NEVER_KEPT = frozenset({Code.SECRET_VALUE, Code.BAD_TEXT, Code.TOO_LARGE})
RULES: tuple[Rule, ...] = (*_READABLE, *_SOUND)


def admit(submission: Submission, view: AdmissionView) -> Verdict:
    """Judge one definition: `Written`, `Unaltered`, or `Refusals` with everything that can be said of it at once.

    Never raises for what a text may hold, changes nothing, and gives the same verdict for the same values.
    """
    case = Case(submission, view)
    refused = first_heard(case, _READABLE)
    if about_the_whole(refused):
        return Refusals(_with_secrets(case, refused))
    if not refused and unaltered(case):
        return Unaltered(case.tree.name)
    found, warnings = all_heard(case, _SOUND, refused)
    if found:
        return Refusals(found)
    return Written(_staged(case), warnings)


def _with_secrets(case: Case, refused: tuple[Refusal, ...]) -> tuple[Refusal, ...]:
    """The refusals of a text that rule 7 does not get to read, with what it finds there: a secret is not kept."""
    if any(refusal.code in _NEVER_KEPT for refusal in refused):
        return refused
    return in_order((*refused, *told(case, ((finding, _SECRECY) for finding in secret_in_text(case)))))


def _staged(case: Case) -> StagedWrite:
    written = resolved(case.written, case.trial)
    own = case.known.own_part(written.name)
    stands = merge(written, own, below=case.known.known_below(written.name))
    handles = _handles(case, stands)
    proposal = case.submission.proposal
    claims = proposal.claims if proposal is not None else ()
    created = case.existing is None
    definition = canonical(written, partial=not created, bases=created)
    return StagedWrite(
        prototype=stands,
        action="created" if created else "augmented",
        definition=definition,
        merged=definition if created else canonical(stands),
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
    if case.existing is None:
        return case.carried.written
    fresh = {(handle.property, handle.value): handle for handle in case.carried.written}
    found = handles_of(stands, case.trial, case.place)
    return tuple(fresh.get((handle.property, handle.value), handle) for handle in found)


def _keys(case: Case, handles: tuple[Handle, ...]) -> tuple[str, ...]:
    """Identity keys of the write. An older handle keeps the key that its turn gave it: another place, another key."""
    fresh = {(handle.property, handle.value) for handle in case.carried.written}
    name = case.tree.name
    kept = [
        handle for handle in handles if (handle.property, handle.value) in fresh or name in case.holders(handle.key)
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

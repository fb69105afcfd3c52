"""Rule 9: what is not in the evidence is not written (R16-R23, R94, D9, CASE-A01, A07, A13).

Owns, per property, what proves it: a handle by a mention or a recorded call, a reference by its known target and a
cited relation, every other value by cited words. Observations confirm; they never create.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ferrule.bridge.evidence import spans_of
from ferrule.bridge.values import CallRef, Claim, Mention, MentionRef, Modality, TurnView
from ferrule.errors import Code
from ferrule.memory.case import Case, Finding
from ferrule.memory.rules import citing
from ferrule.memory.rules.handle import pointed_at
from ferrule.memory.rules.heard import Heard
from ferrule.memory.rules.members import expressions_in, span_of, values_of
from ferrule.memory.rules.modality import proved_state
from ferrule.memory.rules.states import LIFECYCLE, stated
from ferrule.ontology.build import empty
from ferrule.ontology.current import family
from ferrule.ontology.fitting import refs_of
from ferrule.ontology.handles import handles_of, lookup_keys
from ferrule.ontology.layers import names_of, texts_of
from ferrule.ontology.values import Property, Prototype
from ferrule.ontology.words import fold_phrase
from ferrule.protoscript import syntax
from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.referents.recognise import recognise

__all__ = ["evidence_rule"]

_NUMBER = expression(r"(?<![\w.])\d{1,20}(?:[.,:]\d{1,20}){0,6}")
_HOST = expression(r"(?<![\w.@/-])(?:[a-z0-9][a-z0-9-]{0,62}\.){1,5}[a-z]{2,24}(?![\w.@/-])")
_SEPARATOR = expression(r"[;\n]")
# Only these two may say it in other words; any other text is quoted, free text too (D9).
_PARAPHRASING = frozenset({"Description", "Notes"})
_MOST = 8
_MOST_IN_PROSE = 40
_HEAD_WORD = 3
_AROUND = 200


@dataclass(frozen=True, slots=True)
class _Ask:
    """One property of the definition with the claims made for it."""

    case: Case
    view: TurnView
    prop: Property
    claims: tuple[Claim, ...]
    heard: Heard

    def finding(self, message: str, remedy: str, *, basis: bool = False) -> Finding:
        """Nothing proves it."""
        span = span_of(self.case.tree, self.prop.name)
        return Finding(Code.NO_EVIDENCE, message, remedy, self.prop.name, span, basis=basis)


def evidence_rule(case: Case) -> list[Finding]:
    """NO_EVIDENCE for every property without proof, and for an entity that only tools speak of.

    Who names it is asked only where it has a handle to be named by, and one that the turn has.
    """
    view, proposal = case.view.turn, case.submission.proposal
    if view is None or proposal is None:
        message = "A critic's definition comes with the turn and the claims that it rests on."
        return [Finding(Code.NO_EVIDENCE, message, "Propose it through the door.", span=case.tree.name_span)]
    heard = Heard.of(case, view)
    found: list[Finding] = list(_beside(case, proposal.claims))
    for prop in case.written.properties:
        claims = tuple(claim for claim in proposal.claims if claim.property == prop.name)
        found += _property(_Ask(case, view, prop, claims, heard))
    nameable = pointed_at(case) and not any(finding.basis for finding in found)
    return [*_own_name(case, heard), *(_unnamed(case, view) if nameable else ()), *found][:_MOST]


def _beside(case: Case, claims: Sequence[Claim]) -> Iterator[Finding]:
    """What is claimed of nothing that the definition says would only be kept as words that nobody judged."""
    said = {prop.name for prop in case.written.properties}
    if any(claim.property not in said for claim in claims):
        message = "A claim is made for a property that the definition does not have."
        yield Finding(Code.NO_EVIDENCE, message, "Claim what the definition says, nothing else.")


def _property(ask: _Ask) -> list[Finding]:
    name, value = ask.prop.name, ask.prop.value
    hollow = _hollow(ask)
    if hollow or isinstance(value, bool) or _is_left_to_modality(ask):
        return hollow
    if family(name) == "EntityName":
        return list(_entity_name(ask))
    if family(name) in ("Aliases", "Alias"):
        return list(_aliases(ask))
    if family(name) in _PARAPHRASING:
        return list(_prose(ask))
    return [*_references(ask), *_handles(ask), *_values(ask)]


def _hollow(ask: _Ask) -> list[Finding]:
    """What says nothing: a property without a value (R46), a citation of what is not there."""
    name, record = ask.prop.name, ask.case.view.record
    cited = [evidence for claim in ask.claims for evidence in claim.evidence]
    if not all(citing.points_at_something(ask.view, record, evidence) for evidence in cited):
        return [ask.finding(f"{name} cites something that is not there.", "Cite a mention, span or call of this turn.")]
    if empty(ask.prop.value):
        return [ask.finding(f"{name} is declared without a value.", "Leave it out until the turn has one.")]
    return []


def _is_left_to_modality(ask: _Ask) -> bool:
    """Whether rule 10 judges the value: the closed vocabulary of `LifecycleState`, and any state above the evidence.

    Any other state word is a value like another and is cited, unless it is just what the turn proves.
    """
    said = stated(ask.prop.name, ask.prop.value)
    if said is None:
        return False
    word = str(ask.prop.value).strip().casefold()
    if family(ask.prop.name) == LIFECYCLE and word in set(Modality):
        return True
    proved = proved_state(ask.case, ask.view)
    return said.rung > proved.rung or word == proved.value


def _entity_name(ask: _Ask) -> Iterator[Finding]:
    """Exempt from citing when its words come from the evidence, its handles, or its type (D9)."""
    said = " ".join(texts_of(ask.prop.value))
    if not ask.heard.has_words(said):
        message = "EntityName has a word that neither user nor outcome uses."
        yield ask.finding(message, "Name it as the user or the outcome does.")


def _own_name(case: Case, heard: Heard) -> Iterator[Finding]:
    """The prototype's name is read by people and agents like any other: its words are heard too (D9, R94)."""
    if case.existing is None and not heard.has_words(case.tree.name):
        message = "The prototype's name has a word that neither user nor outcome uses."
        remedy = "Name it after the words or the handle of the turn."
        yield Finding(Code.NO_EVIDENCE, message, remedy, span=case.tree.name_span)


def _aliases(ask: _Ask) -> Iterator[Finding]:
    for text in texts_of(ask.prop.value):
        for alias in filter(None, (part.strip() for part in _SEPARATOR.split(text))):
            pattern = citing.phrase_pattern(alias)
            pieces = [piece for piece in citing.spans_cited(ask.view, ask.claims) if piece.role in citing.CREATING]
            cited = pattern is not None and any(pattern.search(p.text[p.start : p.end]) for p in pieces)
            record = ask.case.view.record
            named = any(alias in call.values for call in citing.answered(record, citing.NAMING))
            if not (cited or named or citing.stands_cited(ask.view, (), ask.claims, alias, roles=citing.CREATING)):
                message = "An alias does not stand in what it cites, or only a tool calls it so."
                yield ask.finding(message, "Cite where user or outcome calls it so, or drop it.")


def _prose(ask: _Ask) -> Iterator[Finding]:
    """Free text may paraphrase, but it brings in no path, URL, id or number of its own (D9)."""
    for text in texts_of(ask.prop.value):
        inside = [found.value for found in recognise(text) if found.kind is not HandleKind.COMMAND]
        plain = unicodedata.normalize("NFKC", text)
        values = tuple(dict.fromkeys((*inside, *_HOST.findall(plain), *_NUMBER.findall(plain))))
        if len(values) > _MOST_IN_PROSE:
            yield ask.finding(f"{ask.prop.name} is a list of values, not a description.", "Say it in a sentence.")
        elif not all(_heard(ask, value) for value in values):
            message = f"{ask.prop.name} holds a path, URL, id or number that is not in the turn."
            yield ask.finding(message, "Leave it out.")


def _heard(ask: _Ask, value: str) -> bool:
    if citing.returned_anywhere(ask.case.view.record, value):
        return True
    if any(value in (mention.value, mention.key) for mention in ask.view.mentions):
        return True
    return any(True for text in ask.view.texts for _ in spans_of(text.text, value))


def _references(ask: _Ask) -> Iterator[Finding]:
    """The target is something the ontology answered with, or staged before; the relation is cited (D9)."""
    staged = {prototype.name for prototype in ask.case.view.staged}
    for target in refs_of(ask.prop.value):
        known = ask.case.trial.get(target)
        if known is None:
            continue  # nobody can look up or speak of what is not there: rule 5 tells it
        if target not in staged and not citing.returned_anywhere(ask.case.view.record, target):
            if target != ask.case.written.name:
                message = f"{ask.prop.name} links to something that this review did not look up."
                yield ask.finding(message, "Search the target and use the name that the search returns.", basis=True)
        elif not any(_speaks_of(ask, known, piece) for piece in citing.spans_cited(ask.view, ask.claims)):
            message = f"What is cited for the link {ask.prop.name} does not speak of its target."
            yield ask.finding(message, "Cite where the turn relates the two.", basis=True)


def _speaks_of(ask: _Ask, known: Prototype, piece: citing.Piece) -> bool:
    """Whether the cited words, or those around them, name what the link leads to, by a name or by a handle (D9)."""
    start, end = max(0, piece.start - _AROUND), piece.end + _AROUND
    near = piece.text[start:end]
    names = (known.name, *names_of(known))
    if any((pattern := citing.phrase_pattern(name)) is not None and pattern.search(near) for name in names):
        return True
    handles = handles_of(known, ask.case.trial, ask.case.place)
    values = {mark for handle in handles for mark in (handle.value, handle.key)}
    return any(
        (mention.value in values or mention.key in values or _held_by(ask.case, mention, known.name))
        and start <= mention.start <= end
        for mention in ask.view.mentions
        if mention.text == piece.id
    )


def _held_by(case: Case, mention: Mention, name: str) -> bool:
    keys = lookup_keys(mention.kind, mention.value, case.place, mention.key)
    return any(name in case.holders(key) for key in keys)


def _handles(ask: _Ask) -> Iterator[Finding]:
    for handle in ask.case.carried.written:
        own = handle.property == ask.prop.name and handle.kind is not HandleKind.TYPED_REFERENCE
        if own and not _is_mentioned(ask, handle.kind, handle.value):
            message = f"{ask.prop.name} names no mention of this turn."
            told = any(mention.key == handle.key for mention in ask.view.mentions)
            remedy = "Take the value from a numbered mention, or from what a search returned."
            yield ask.finding(message, remedy, basis=not told)


def _is_mentioned(ask: _Ask, kind: HandleKind, value: str) -> bool:
    for claim in ask.claims:
        for evidence in claim.evidence:
            cites = evidence.cites
            if isinstance(cites, MentionRef):
                mention = ask.view.mention(cites.mention)
                if mention is not None and citing.carries(ask.view, mention, kind, value):
                    return True
            elif isinstance(cites, CallRef) and cites.value == value and _is_held(ask, kind, value):
                return True
    return False


def _is_held(ask: _Ask, kind: HandleKind, value: str) -> bool:
    """Whether something known carries the handle: prose that a call repeats proves none, whoever wrote it (D9)."""
    keys = lookup_keys(kind, value, ask.case.place)
    return any(map(ask.case.holders, keys))


def _values(ask: _Ask) -> Iterator[Finding]:
    """Every other text or number stands, whole, in what is cited."""
    handles = {handle.value for handle in ask.case.carried.written if handle.property == ask.prop.name}
    for text in _literals(ask):
        if text not in handles and not citing.stands_cited(ask.view, ask.case.view.record, ask.claims, text):
            message = f"The value of {ask.prop.name} does not stand in what it cites."
            yield ask.finding(message, "Cite the words that say it, or leave it out.")


def _literals(ask: _Ask) -> Iterator[str]:
    """The texts and numbers of a property as they are written, lists opened."""
    for name, value in values_of(ask.case.tree):
        for found in expressions_in(value) if name == ask.prop.name else ():
            if isinstance(found, syntax.Text):
                yield found.value
            elif isinstance(found, syntax.Number):
                yield f"-{found.raw}" if found.negative else found.raw


def _unnamed(case: Case, view: TurnView) -> list[Finding]:
    """What only tools speak of is not created and not added to (D9, CASE-A11).

    A new entity is strong by a handle, or a cited link, in intent, outcome or an action that did not fail; for a known
    one it is enough that somebody names it.
    """
    if _by_handle(case, view):
        return []
    if (case.existing is not None or _by_link(case, view)) and any(
        _names(case, view, name) for name in (case.tree.name, *names_of(case.merged))
    ):
        return []
    message = "Neither the user, the outcome nor a successful action names it: only tool results do."
    return [Finding(Code.NO_EVIDENCE, message, "Write nothing about it.", span=case.tree.name_span, basis=True)]


def _by_link(case: Case, view: TurnView) -> bool:
    """Whether a link to something known is cited where user, outcome or the agent's own call speaks."""
    links = {prop.name for prop in case.written.properties if refs_of(prop.value)}
    claims = case.submission.proposal.claims if case.submission.proposal is not None else ()
    linking = [claim for claim in claims if claim.property in links]
    return any(piece.role in citing.CREATING for piece in citing.spans_cited(view, linking))


def _by_handle(case: Case, view: TurnView) -> bool:
    """Whether somebody names it by a handle that it gets, or by one under which it is known already."""
    own = [handle for handle in case.carried.written if handle.kind is not HandleKind.TYPED_REFERENCE]
    marks = {mark for handle in own for mark in (handle.key, handle.value)}
    return any(
        citing.creates(mention)
        and (mention.key in marks or mention.value in marks or _held_by(case, mention, case.tree.name))
        for mention in view.mentions
    )


def _names(case: Case, view: TurnView, name: str) -> bool:
    """Whether somebody says the name; the mere name of a type ("the server") points at nothing."""
    if len(fold_phrase(name)) < _HEAD_WORD:
        return False
    bearers = case.known.names(lambda layer: layer.called(name))
    return not any(case.known.is_type(other) for other in bearers) and citing.says(view, name)

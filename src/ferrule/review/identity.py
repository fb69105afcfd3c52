"""Pass 1: every strong candidate is searched for through the door and gets exactly one disposition (R35, R36).

Owns the searches, what their answers mean, and the demotion by code of whatever was not searched (R48, R49). Knows
nothing of which candidates deserve memory: the reviewer said so; it never makes one worthier than the reviewer did.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ferrule.bridge.values import (
    Confidence,
    Decision,
    Details,
    Disposition,
    Hit,
    Modality,
    SearchKind,
    SearchReceipt,
)
from ferrule.review.budget import CallBudget
from ferrule.review.prospect import HandleFact, NameForm, Prospect, folded
from ferrule.review.relocated import moved_with_its_folder

__all__ = ["Settled", "settle"]

_MAX_HANDLES = 3
_MAX_ALIASES = 2
_MAX_RENAMES = 3
_WRITE_CALLS = 2
_UPDATE_CALLS = 2 + _WRITE_CALLS  # where it was before, what is known of it, and the write
_CALLED_SO = "is called so"
_TERMINAL = frozenset({Modality.PLANNED, Modality.REPORTED, Modality.DELETED})
_MADE_OR_GONE = frozenset({Modality.CREATED, Modality.DELETED})


@dataclass(frozen=True, slots=True)
class Settled:
    """One prospect after pass 1. `known` is the target's state when it exists; `name` the one to write under."""

    prospect: Prospect
    decision: Decision
    known: Details | None = None
    name: str = ""


def settle(prospects: Sequence[Prospect], budget: CallBudget, *, writes: int) -> tuple[Settled, ...]:
    """Settle prospects in order of worth; wanted ones get all their searches, the others one each while calls last.

    At most `writes` prospects come out for writing. Order of the result is the order of the prospects.
    """
    settled: dict[int, Settled] = {}
    taken: set[str] = set()
    for index, prospect in enumerate(prospects):
        if prospect.worth:
            result = _settle_wanted(prospect, budget, taken)
            if _writes(result) and sum(map(_writes, settled.values())) >= writes:
                result = _decide(result.prospect, Disposition.DEFERRED_UNCERTAIN, (), "more than one turn may write")
            settled[index] = result
            if _writes(result):
                taken |= _phrases(result)
    rest = [index for index in range(len(prospects)) if index not in settled]
    for index in sorted(rest, key=lambda index: not brings_state(prospects[index])):
        full = sum(map(_writes, settled.values()))
        settled[index] = _settle_reference(
            prospects[index], budget, reserved=_WRITE_CALLS * full, may_write=full < writes
        )
    return tuple(settled[index] for index in range(len(prospects)))


def brings_state(prospect: Prospect) -> bool:
    """Whether the turn ends or moves the thing, or makes it: what a memory of it must be told, wanted anew or not."""
    moved = bool(prospect.former) and prospect.candidate.modality.rung >= Modality.CREATED.rung
    return prospect.state is not None or prospect.again or moved or prospect.candidate.modality in _MADE_OR_GONE


def _phrases(settled: Settled) -> set[str]:
    prospect = settled.prospect
    return {folded(text) for text in (settled.name, prospect.name.value, *(alias.value for alias in prospect.aliases))}


def _writes(settled: Settled) -> bool:
    return settled.decision.disposition in (Disposition.NEW_CREATE, Disposition.EXISTING_AUGMENT)


def _settle_reference(prospect: Prospect, budget: CallBudget, *, reserved: int, may_write: bool) -> Settled:
    """A strong candidate that is not wanted is still searched once, by handle, while the writes keep their calls.

    Where it is known and the turn changed what became of it, the memory is augmented all the same (R38, R45).
    """
    if not prospect.candidate.strong or not prospect.handles:
        return _decide(prospect, Disposition.REFERENCE_ONLY, (), prospect.reason)
    receipt = None
    if budget.left > reserved:
        receipt = budget.search(prospect.handles[0].value, SearchKind.HANDLE, candidate=prospect.label)
    if receipt is None or not receipt.complete:
        return _decide(
            prospect, Disposition.DEFERRED_UNCERTAIN, (), f"{prospect.reason}; not searched within the call budget"
        )
    known = [hit for hit in receipt.hits if _holds(hit, prospect)]
    receipts = [receipt]
    spare = may_write and brings_state(prospect) and budget.left >= reserved + _UPDATE_CALLS
    if not known and spare and prospect.former:
        before = budget.search(prospect.former[0], SearchKind.HANDLE, candidate=prospect.label)
        receipts += [before] if before is not None else []
        known = list(before.hits) if before is not None and before.complete else []
    if spare and len(known) == 1 and not known[0].forgotten:
        bare = replace(prospect, handles=prospect.handles[:1], given=None)  # what was searched for
        return _existing(bare, budget, receipts, known[0].name, by="its handle")
    if known:
        return _decide(
            prospect, Disposition.EXISTING_SUFFICIENT, receipts, _known_reason(known[0]), target=known[0].name
        )
    return _decide(prospect, Disposition.REFERENCE_ONLY, receipts, prospect.reason)


def _known_reason(hit: Hit) -> str:
    return "rejected by the user before" if hit.forgotten else f"already known by its handle as {hit.name}"


def _settle_wanted(prospect: Prospect, budget: CallBudget, taken: set[str]) -> Settled:
    """Search for everything the write would say, under the first name that this review has not given away."""
    forms = [form for form in prospect.forms if not {folded(form.identifier), folded(form.text)} & taken]
    if not forms:
        return _decide(prospect, Disposition.DEFERRED_UNCERTAIN, (), "no free name could be made for it")
    aliases = tuple(alias for alias in prospect.aliases[:_MAX_ALIASES] if folded(alias.value) not in taken)
    prospect = _named(replace(prospect, aliases=aliases, handles=prospect.handles[:_MAX_HANDLES]), forms[0])
    wanted = _queries(prospect)
    if budget.left < len(wanted) + _WRITE_CALLS:
        return _decide(prospect, Disposition.DEFERRED_UNCERTAIN, (), "not searched: the call budget is spent")
    receipts: list[SearchReceipt] = []
    for query, kind in wanted:
        receipt = budget.search(query, kind, candidate=prospect.label)
        if receipt is None or not receipt.complete:
            return _decide(prospect, Disposition.DEFERRED_UNCERTAIN, receipts, "a search failed; failed is not empty")
        receipts.append(receipt)
    return _judge(prospect, budget, receipts, forms[1:])


def _named(prospect: Prospect, form: NameForm) -> Prospect:
    """The prospect under that name; an alias that says the same is none."""
    own = {folded(form.identifier), folded(form.text)}
    aliases = tuple(alias for alias in prospect.aliases if folded(alias.value) not in own)
    return replace(prospect, name=replace(prospect.name, value=form.text), aliases=aliases, forms=(form,))


def _queries(prospect: Prospect) -> list[tuple[str, SearchKind]]:
    named = [(prospect.name.value, SearchKind.NAME)]
    named += [(form.identifier, SearchKind.NAME) for form in prospect.forms[:1] if _apart(form)]
    named += [(alias.value, SearchKind.ALIAS) for alias in prospect.aliases]
    found = [(handle.value, SearchKind.HANDLE) for handle in prospect.handles]
    return named + found + [(value, SearchKind.HANDLE) for value in prospect.former]


def _apart(form: NameForm) -> bool:
    """Whether the prototype's name has nothing of the entity's, which no identifier can spell: it is searched too."""
    return form.identifier.isascii() and not form.text.isascii() and folded(form.identifier) not in folded(form.text)


def _judge(prospect: Prospect, budget: CallBudget, receipts: list[SearchReceipt], forms: Sequence[NameForm]) -> Settled:
    hits = {hit.name: hit for receipt in receipts for hit in receipt.hits}
    moved = {hit.name for r in receipts for hit in r.hits if r.kind is SearchKind.HANDLE and r.query in prospect.former}
    holders = [hit for hit in hits.values() if _holds(hit, prospect) or hit.name in moved]
    forgotten = [hit for hit in hits.values() if hit.forgotten]
    if forgotten:
        return _decide(
            prospect, Disposition.EXISTING_SUFFICIENT, receipts, "rejected by the user before", target=forgotten[0].name
        )
    alike = [hit for hit in holders if prospect.type in hit.bases] or holders
    if len(alike) > 1:
        names = ", ".join(sorted(hit.name for hit in alike)[:3])
        return _decide(
            prospect, Disposition.DEFERRED_UNCERTAIN, receipts, f"several memories carry its handles: {names}"
        )
    if alike:
        return _existing(prospect, budget, receipts, alike[0].name, by="its handle")
    namesakes = [hit for hit in hits.values() if _called(hit, prospect)]
    return _by_namesakes(prospect, budget, receipts, (namesakes, forms)) if namesakes else _new(prospect, receipts)


def _by_namesakes(
    prospect: Prospect,
    budget: CallBudget,
    receipts: list[SearchReceipt],
    others: tuple[Sequence[Hit], Sequence[NameForm]],
) -> Settled:
    """The same thing when name and type agree and no handle speaks against it, or its folder moved; else another."""
    namesakes, forms = others
    alike = [hit for hit in namesakes if prospect.type in hit.bases]
    same = [hit for hit in alike if not _contradicts(hit, prospect)]
    if len(same) == 1:
        return _by_name(prospect, budget, receipts, same[0])
    if not same and len(alike) == 1 and moved_with_its_folder(prospect, alike[0], budget, spare=_WRITE_CALLS + 1):
        return _existing(prospect, budget, receipts, alike[0].name, by="its name in a folder that moved")
    return _beside(prospect, budget, receipts, forms)


def _holds(hit: Hit, prospect: Prospect) -> bool:
    keys = {handle.key for handle in prospect.handles}
    values = {handle.value for handle in prospect.handles}
    return any(view.key in keys if view.key else view.value in values for view in hit.handles)


def _called(hit: Hit, prospect: Prospect) -> bool:
    names = (prospect.name.value, *(form.identifier for form in prospect.forms[:1]))
    wanted = {folded(name) for name in (*names, *(alias.value for alias in prospect.aliases))} - {""}
    return folded(hit.entity_name) in wanted or folded(hit.name) in wanted or hit.why == _CALLED_SO


def _contradicts(hit: Hit, prospect: Prospect) -> bool:
    """A handle of the same kind with another value: another thing of the same name (R34)."""
    kinds = {handle.kind for handle in prospect.handles}
    return any(view.kind in kinds for view in hit.handles)


def _by_name(prospect: Prospect, budget: CallBudget, receipts: Sequence[SearchReceipt], hit: Hit) -> Settled:
    """Identity by name alone is enough only for a telling name: two words at least, same type, nothing against it."""
    if len(prospect.name.value.split()) < 2 and not _camel(prospect.name.value):  # noqa: PLR2004 - two words
        reason = f"{hit.name} has that name, but no handle says that it is the same thing"
        return _decide(prospect, Disposition.DEFERRED_UNCERTAIN, receipts, reason, confidence=Confidence.MEDIUM)
    return _existing(prospect, budget, receipts, hit.name, by="its name")


def _camel(text: str) -> bool:
    return sum(char.isupper() for char in text) > 1 and any(char.islower() for char in text)


def _existing(
    prospect: Prospect, budget: CallBudget, receipts: Sequence[SearchReceipt], name: str, *, by: str
) -> Settled:
    known = budget.details(name, candidate=prospect.label)
    if known is None or not known.known:
        return _decide(prospect, Disposition.DEFERRED_UNCERTAIN, receipts, f"{name} could not be inspected")
    added = new_handles(prospect, known)
    if not added and not new_state(prospect, known) and not new_name(prospect, known):
        reason = f"already known by {by} as {name}; the turn adds nothing"
        settled = _decide(prospect, Disposition.EXISTING_SUFFICIENT, receipts, reason, target=name)
        return replace(settled, known=known, name=name)
    what = "a handle" if added else "a new state"
    settled = _decide(
        prospect, Disposition.EXISTING_AUGMENT, receipts, f"known by {by} as {name}; the turn adds {what}", target=name
    )
    return replace(settled, known=known, name=name)


def new_handles(prospect: Prospect, known: Details) -> tuple[HandleFact, ...]:
    """The handles that the known prototype does not carry yet, by identity key."""
    keys = {view.key for view in known.handles if view.key}
    values = {view.value for view in known.handles}
    return tuple(handle for handle in prospect.handles if handle.key not in keys and handle.value not in values)


def new_name(prospect: Prospect, known: Details) -> bool:
    """Whether the user gives the thing another name than it has (R16)."""
    if prospect.given is None:
        return False
    names = [folded(prop.value) for prop in known.properties if prop.name.startswith("EntityName")]
    return not any(name.startswith(folded(prospect.given.value)) for name in names)


def new_state(prospect: Prospect, known: Details) -> str:
    """The lifecycle state that the turn brings, or empty when it is the current one or none is carried (R45).

    What became of the thing in the turn's own word ("merged") says more than that it was changed.
    """
    current = [prop.value for prop in known.properties if prop.name.startswith("LifecycleState") and prop.value]
    modality = prospect.candidate.modality
    if prospect.state is not None and modality is not Modality.DELETED:
        word = prospect.state.value
        return word if word.casefold() not in (value.casefold() for value in current[-1:]) else ""
    if not current:
        return modality.value if modality is Modality.DELETED else ""
    if current[-1].casefold() not in set(Modality) and not prospect.again and modality not in _MADE_OR_GONE:
        return ""  # what was merged stays merged, though somebody comments on it
    if modality.value == current[-1] or (modality in _TERMINAL and modality is not Modality.DELETED):
        return ""
    return modality.value


def _beside(
    prospect: Prospect, budget: CallBudget, receipts: list[SearchReceipt], forms: Sequence[NameForm]
) -> Settled:
    """Another thing has the name: take a longer one, searched as well, and leave the shared aliases to the other."""
    for form in forms[:_MAX_RENAMES]:
        longer = _named(replace(prospect, aliases=()), form)
        query = form.identifier if _apart(form) else form.text
        receipt = (
            budget.search(query, SearchKind.NAME, candidate=prospect.label) if budget.left > _WRITE_CALLS else None
        )
        if receipt is None or not receipt.complete:
            break
        receipts.append(receipt)
        if not any(_called(hit, longer) for hit in receipt.hits):
            settled = _new(longer, receipts)
            reason = f"{settled.decision.reason}; another thing of that name is known"
            return replace(settled, decision=replace(settled.decision, reason=reason))
    return _decide(
        prospect, Disposition.DEFERRED_UNCERTAIN, receipts, "another thing has that name, and no free one was found"
    )


def _new(prospect: Prospect, receipts: Sequence[SearchReceipt]) -> Settled:
    settled = _decide(prospect, Disposition.NEW_CREATE, receipts, prospect.reason)
    return replace(settled, name=prospect.forms[0].identifier)


def _decide(
    prospect: Prospect,
    disposition: Disposition,
    receipts: Sequence[SearchReceipt],
    reason: str,
    *,
    target: str | None = None,
    confidence: Confidence | None = None,
) -> Settled:
    calls = tuple(receipt.call for receipt in receipts)
    if disposition is Disposition.DEFERRED_UNCERTAIN:
        confidence = confidence or Confidence.LOW
    if confidence is not None:
        prospect = replace(prospect, candidate=replace(prospect.candidate, confidence=confidence))
    return Settled(prospect, Decision(prospect.label, disposition, target, calls, reason))

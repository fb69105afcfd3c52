"""Pass 2: what was settled for writing becomes one sparse, handle-complete prototype, each value with its evidence.

Owns the choice of properties from the source's own schema (R42, R43, R46), the added properties of a changed state
(R45), claims, and the repair of a refused write. Knows nothing of why a candidate was chosen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ferrule.bridge.door import Door
from ferrule.bridge.values import (
    Accepted,
    Answer,
    Claim,
    Decision,
    Details,
    Disposition,
    Evidence,
    MentionRef,
    Modality,
    Proposal,
    Proves,
    Refused,
    SchemaRow,
    Stage,
)
from ferrule.errors import Code
from ferrule.referents.kinds import HandleKind
from ferrule.referents.properties import kind_of_property
from ferrule.review.budget import CallBudget
from ferrule.review.definition import DefinedProperty, definition_text
from ferrule.review.gate import complaint
from ferrule.review.identity import Settled, new_handles, new_state
from ferrule.review.prospect import HandleFact, TextFact

__all__ = ["write_all"]

_PATH_KINDS = frozenset({HandleKind.FILESYSTEM_PATH, HandleKind.REPOSITORY_ROOT, HandleKind.PROMPT_PATH})
_ROOT = "SemanticEntityBase"
_STATES = frozenset({Modality.PLANNED, Modality.REPORTED, Modality.DELETED})
_FIELD_NAMES = {
    HandleKind.FILESYSTEM_PATH: "FilePath",
    HandleKind.REPOSITORY_ROOT: "RepositoryRoot",
    HandleKind.REPOSITORY_ID: "RepositoryId",
    HandleKind.URL: "Url",
    HandleKind.PACKAGE_ID: "PackageId",
    HandleKind.SITE_ID: "SiteId",
    HandleKind.SESSION_KEY: "SessionKey",
    HandleKind.SECRET_NAME: "SecretKey",
    HandleKind.COMMIT_SHA: "CommitSha",
    HandleKind.COMMAND: "CommandLine",
    HandleKind.PROMPT_PATH: "PromptPath",
    HandleKind.BRANCH: "BranchName",
    HandleKind.TAG: "TagName",
    HandleKind.PULL_REQUEST: "PullRequestNumber",
    HandleKind.ISSUE: "IssueNumber",
    HandleKind.TASK_ID: "TaskId",
    HandleKind.DOCUMENT_ID: "DocumentId",
    HandleKind.HOST: "HostName",
    HandleKind.DATABASE_ID: "DatabaseId",
    HandleKind.OTHER_ID: "Identifier",
}


@dataclass(frozen=True, slots=True)
class _Line:
    """One property of a draft with its claim."""

    defined: DefinedProperty
    claim: Claim


def write_all(
    settled: Sequence[Settled], door: Door, budget: CallBudget, *, ordinal: int, repairs: int
) -> tuple[Decision, ...]:
    """Write what is to be written, in order, and give back the decisions as they stand after it.

    A candidate whose writes all fail ends as deferred-uncertain with the refusal's code as reason; nothing of it is
    staged (R59).
    """
    door.enter(Stage.PROPERTIES)
    decisions = []
    for item in settled:
        if item.decision.disposition in (Disposition.NEW_CREATE, Disposition.EXISTING_AUGMENT):
            decisions.append(_write(item, door, budget, ordinal=ordinal, repairs=repairs))
        else:
            decisions.append(item.decision)
    return tuple(decisions)


def _write(item: Settled, door: Door, budget: CallBudget, *, ordinal: int, repairs: int) -> Decision:
    label = item.prospect.label
    augment = item.decision.disposition is Disposition.EXISTING_AUGMENT
    inspected = item.name if augment else item.prospect.type
    known = budget.details(inspected, candidate=label)
    rows = budget.schema(inspected, candidate=label) if known is not None else None
    if known is None or rows is None:
        return _deferred(item, "its schema was not inspected within the call budget")
    base = item.prospect.type if augment or rows else _ROOT
    lines = _augmentation(item, known, rows, ordinal) if augment else _creation(item, rows)
    answer = _submit(item, base, lines, door, repairs)
    if isinstance(answer, Refused):
        codes = ", ".join(dict.fromkeys(refusal.code.value for refusal in answer.refusals))
        return _deferred(item, f"refused by the source: {codes}")
    return item.decision


def _deferred(item: Settled, reason: str) -> Decision:
    return replace(item.decision, disposition=Disposition.DEFERRED_UNCERTAIN, target=None, reason=reason)


def _creation(item: Settled, rows: Sequence[SchemaRow]) -> list[_Line]:
    prospect = item.prospect
    modality = prospect.candidate.modality
    lines = [_text("EntityName", prospect.name, rows, modality, Proves.NAME)]
    if prospect.aliases:
        together = TextFact(
            "; ".join(alias.value for alias in prospect.aliases),
            tuple(evidence for alias in prospect.aliases for evidence in alias.evidence),
        )
        lines.append(_text("Aliases", together, rows, modality, Proves.ALIAS))
    lines += _handles(prospect.handles, rows, frozenset())
    if modality in _STATES:
        state = TextFact(modality.value, prospect.handles[0].evidence)
        lines.append(_text("LifecycleState", state, rows, modality, Proves.PROPERTY))
    return lines


def _augmentation(item: Settled, known: Details, rows: Sequence[SchemaRow], ordinal: int) -> list[_Line]:
    prospect = item.prospect
    valued = frozenset(prop.name for prop in known.properties if prop.assigned or prop.value)
    lines = []
    for line in _handles(new_handles(prospect, known), rows, valued):
        name = line.defined.name
        if name in valued:
            name = f"{name}AtTurn{ordinal}"
            line = _Line(replace(line.defined, name=name, type="String"), replace(line.claim, property=name))  # noqa: PLW2901
        lines.append(line)
    state = new_state(prospect, known)
    if state:
        fact = TextFact(state, prospect.handles[0].evidence)
        plain = "LifecycleState" if "LifecycleState" not in valued else f"LifecycleStateAtTurn{ordinal}"
        lines.append(_text(plain, fact, rows, prospect.candidate.modality, Proves.PROPERTY))
    return lines


def _text(name: str, fact: TextFact, rows: Sequence[SchemaRow], modality: Modality, proves: Proves) -> _Line:
    declared = any(row.property == name for row in rows)
    evidence = tuple(Evidence(item.cites, proves) for item in fact.evidence)
    return _Line(
        DefinedProperty(name, fact.value, "" if declared else "String"), Claim(name, fact.value, evidence, modality)
    )


def _handles(handles: Sequence[HandleFact], rows: Sequence[SchemaRow], valued: frozenset[str]) -> list[_Line]:
    used: set[str] = set()
    lines = []
    for handle in handles:
        name, declared = _property(handle.kind, rows, used, valued)
        used.add(name)
        lines.append(
            _Line(
                DefinedProperty(name, handle.value, "" if declared else "String"),
                Claim(name, handle.value, handle.evidence, handle.modality),
            )
        )
    return lines


def _property(kind: HandleKind, rows: Sequence[SchemaRow], used: set[str], valued: frozenset[str]) -> tuple[str, bool]:
    """The declared, unvalued property for that kind; else a valued one (its later value); else a new name."""
    fitting = [row.property for row in rows if row.type.casefold() == "string" and _fits(row.property, kind)]
    free = [name for name in fitting if name not in used and name not in valued]
    if free:
        return free[0], True
    taken = [name for name in fitting if name not in used]
    if taken:
        return taken[0], True
    plain = _FIELD_NAMES[kind] if kind in _FIELD_NAMES else "Identifier"
    names = (plain, f"Alternate{plain}", f"Other{plain}", f"Further{plain}")
    return next(name for name in (*names, f"Last{plain}") if name not in used), False


def _fits(name: str, kind: HandleKind) -> bool:
    carried = kind_of_property(name)
    return carried is kind or (carried in _PATH_KINDS and kind in _PATH_KINDS)


def _submit(item: Settled, base: str, lines: list[_Line], door: Door, repairs: int) -> Answer:
    """Write, and on refusal drop the property that was refused; a name of another thing takes the next form."""
    name = item.name
    forms = [form for form in item.prospect.forms if form != name]
    augment = item.decision.disposition is Disposition.EXISTING_AUGMENT
    answer: Answer = Refused(())
    for _ in range(repairs + 1):
        proposal = _proposal(item, name, base, lines, door)
        fault = complaint(proposal)
        if fault is not None:
            return Refused((fault,))
        answer = door.write(proposal)
        if not isinstance(answer, Refused):
            return answer
        renamed = _renamed(answer, forms) if not augment else ""
        shorter = _without_refused(answer, lines)
        if renamed:
            name = renamed
            forms.remove(renamed)
        elif shorter:
            lines = shorter
        else:
            return answer
    return answer


def _renamed(answer: Refused, forms: Sequence[str]) -> str:
    known = all(refusal.code in _NAME_CODES and not refusal.property for refusal in answer.refusals)
    return forms[0] if known and answer.refusals and forms else ""


_NAME_CODES = frozenset({Code.RESERVED_NAME, Code.BAD_IDENTIFIER})


def _without_refused(answer: Refused, lines: Sequence[_Line]) -> list[_Line]:
    refused = {refusal.property for refusal in answer.refusals if refusal.property}
    kept = [line for line in lines if line.defined.name not in refused]
    has_handle = any(
        isinstance(e.cites, MentionRef) and e.proves is Proves.HANDLE for line in kept for e in line.claim.evidence
    )
    return kept if has_handle and len(kept) < len(lines) else []


def _proposal(item: Settled, name: str, base: str, lines: Sequence[_Line], door: Door) -> Proposal:
    augment = item.decision.disposition is Disposition.EXISTING_AUGMENT
    return Proposal(
        source=door.read_turn().source,
        candidate=item.prospect.label,
        target=name if augment else None,
        definition=definition_text(name, base, [line.defined for line in lines], partial=augment),
        claims=tuple(line.claim for line in lines),
    )


def accepted(answer: Answer) -> bool:
    """Whether the source staged it."""
    return isinstance(answer, Accepted)

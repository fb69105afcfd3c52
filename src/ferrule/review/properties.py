"""Pass 2: what was settled for writing becomes one sparse, handle-complete prototype, each value with its evidence.

Owns the choice of properties from the source's own schema (R42, R43, R46), the added properties of a changed state
(R45), claims, and the repair of a refused write. Knows nothing of why a candidate was chosen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ferrule.bridge.door import Door
from ferrule.bridge.values import (
    Answer,
    Claim,
    Decision,
    Details,
    Disposition,
    Evidence,
    Modality,
    Proposal,
    Proves,
    Refused,
    SchemaRow,
    Stage,
    Unchanged,
)
from ferrule.errors import Code
from ferrule.referents.kinds import HandleKind
from ferrule.referents.properties import kind_of_property
from ferrule.review.budget import CallBudget
from ferrule.review.definition import DefinedProperty, definition_text
from ferrule.review.gate import complaint
from ferrule.review.identity import Settled, new_handles, new_name, new_state
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
    answer = _submit(item, _Target(base, known, rows, ordinal), door, repairs)
    if isinstance(answer, Refused):
        codes = ", ".join(dict.fromkeys(refusal.code.value for refusal in answer.refusals))
        return _deferred(item, f"refused by the source: {codes}")
    if isinstance(answer, Unchanged):
        return replace(item.decision, disposition=Disposition.EXISTING_SUFFICIENT, target=answer.prototype)
    return item.decision


@dataclass(frozen=True, slots=True)
class _Target:
    """What the definition builds on: the base or the known prototype, its values and its declarations."""

    base: str
    known: Details
    rows: Sequence[SchemaRow]
    ordinal: int


def _deferred(item: Settled, reason: str) -> Decision:
    return replace(item.decision, disposition=Disposition.DEFERRED_UNCERTAIN, target=None, reason=reason)


def _lines(item: Settled, target: _Target, modality: Modality) -> list[_Line]:
    if item.decision.disposition is Disposition.EXISTING_AUGMENT:
        return _augmentation(item, target, modality)
    return _creation(item, target.rows, modality)


def _creation(item: Settled, rows: Sequence[SchemaRow], modality: Modality) -> list[_Line]:
    prospect = item.prospect
    lines = [_text("EntityName", prospect.name, rows, modality=modality, proves=Proves.NAME)]
    if prospect.aliases:
        together = TextFact(
            "; ".join(alias.value for alias in prospect.aliases),
            tuple(evidence for alias in prospect.aliases for evidence in alias.evidence),
        )
        lines.append(_text("Aliases", together, rows, modality=modality, proves=Proves.ALIAS))
    lines += _handles(prospect.handles, rows, frozenset(), modality)
    if modality in _STATES:
        state = TextFact(modality.value, prospect.handles[0].evidence)
        lines.append(_text("LifecycleState", state, rows, modality=modality, proves=Proves.PROPERTY))
    return lines


def _augmentation(item: Settled, target: _Target, modality: Modality) -> list[_Line]:
    """Only what is new: further handles, a changed value as `…AtTurn<ordinal>`, a new state (R38, R45)."""
    prospect, known = item.prospect, target.known
    valued = frozenset(prop.name for prop in known.properties if prop.assigned)
    lines = []
    for line in _handles(new_handles(prospect, known), target.rows, valued, modality):
        name = line.defined.name
        lines.append(_later(line, f"{name}AtTurn{target.ordinal}") if name in valued else line)
    if prospect.given is not None and new_name(prospect, known):
        name = f"EntityNameAtTurn{target.ordinal}" if "EntityName" in valued else "EntityName"
        lines.append(_text(name, prospect.given, target.rows, modality=modality, proves=Proves.NAME))
    state = new_state(prospect, known)
    if state:
        word = prospect.state
        fact = word if word is not None and word.value == state else TextFact(state, prospect.handles[0].evidence)
        plain = "LifecycleState" if "LifecycleState" not in valued else f"LifecycleStateAtTurn{target.ordinal}"
        lines.append(_text(plain, fact, target.rows, modality=modality, proves=Proves.PROPERTY))
    return lines


def _later(line: _Line, name: str) -> _Line:
    return _Line(replace(line.defined, name=name, type="String"), replace(line.claim, property=name))


def _text(name: str, fact: TextFact, rows: Sequence[SchemaRow], *, modality: Modality, proves: Proves) -> _Line:
    declared = any(row.property == name for row in rows)
    evidence = tuple(Evidence(item.cites, proves) for item in fact.evidence)
    return _Line(
        DefinedProperty(name, fact.value, "" if declared else "String"), Claim(name, fact.value, evidence, modality)
    )


def _handles(
    handles: Sequence[HandleFact], rows: Sequence[SchemaRow], valued: frozenset[str], modality: Modality
) -> list[_Line]:
    used: set[str] = set()
    lines = []
    for handle in handles:
        name, declared = _property(handle.kind, rows, used, valued)
        used.add(name)
        lines.append(
            _Line(
                DefinedProperty(name, handle.value, "" if declared else "String"),
                Claim(name, handle.value, handle.evidence, modality),
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
    plain = _FIELD_NAMES.get(kind, "Identifier")
    names = (plain, f"Alternate{plain}", f"Other{plain}", f"Further{plain}")
    return next(name for name in (*names, f"Last{plain}") if name not in used), False


def _fits(name: str, kind: HandleKind) -> bool:
    carried = kind_of_property(name)
    return carried is kind or (carried in _PATH_KINDS and kind in _PATH_KINDS)


def _submit(item: Settled, target: _Target, door: Door, repairs: int) -> Answer:
    """Write; when refused, claim less or drop the refused property, at most `repairs` times (R59)."""
    modality = item.prospect.candidate.modality
    dropped: set[str] = set()
    answer: Answer = Refused(())
    for _ in range(repairs + 1):
        lines = [line for line in _lines(item, target, modality) if line.defined.name not in dropped]
        proposal = _proposal(item, target.base, lines, door.read_turn().source)
        fault = complaint(proposal)
        if fault is not None:
            return Refused((fault,))
        answer = door.write(proposal)
        if not isinstance(answer, Refused):
            return answer
        lower, gone = _lower(answer, modality, item.prospect.handles), _droppable(answer, lines)
        if lower is None and not gone:
            return answer
        modality, dropped = lower or modality, dropped | gone
    return answer


_BELOW = {
    Modality.CHANGED: Modality.EXISTING,
    Modality.CREATED: Modality.EXISTING,
    Modality.DELETED: Modality.REPORTED,
    Modality.EXISTING: Modality.REPORTED,
    Modality.REPORTED: Modality.PLANNED,
}


def _lower(answer: Refused, modality: Modality, handles: Sequence[HandleFact]) -> Modality | None:
    """What the handles alone prove, else the next weaker modality, when the source found the claimed one too strong."""
    if not any(refusal.code is Code.MODALITY for refusal in answer.refusals):
        return None
    proved = handles[0].modality if handles else modality
    if proved is not modality and proved.rung <= modality.rung:
        return proved
    return _BELOW.get(modality)


def _droppable(answer: Refused, lines: Sequence[_Line]) -> set[str]:
    """The refused properties that can go; none unless all that was refused can, and a handle is left."""
    others = [refusal for refusal in answer.refusals if refusal.code is not Code.MODALITY]
    refused = {refusal.property for refusal in others}
    kept = [line for line in lines if line.defined.name not in refused]
    own = any(evidence.proves is Proves.HANDLE for line in kept for evidence in line.claim.evidence)
    plain = all(refusal.property and refusal.code in _DROPPING for refusal in others)
    return refused if plain and own and len(kept) < len(lines) else set()


_DROPPING = frozenset(
    {
        Code.NO_EVIDENCE,
        Code.UNKNOWN_PROPERTY,
        Code.TYPE_MISMATCH,
        Code.NO_SEARCH_PROOF,
        Code.TOO_LARGE,
        Code.NOT_DURABLE,
    }
)


def _proposal(item: Settled, base: str, lines: Sequence[_Line], source: str) -> Proposal:
    augment = item.decision.disposition is Disposition.EXISTING_AUGMENT
    return Proposal(
        source=source,
        candidate=item.prospect.label,
        target=item.name if augment else None,
        definition=definition_text(item.name, base, [line.defined for line in lines], partial=augment),
        claims=tuple(line.claim for line in lines),
    )

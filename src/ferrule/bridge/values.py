"""What passes through the one door between critic and source: closed, frozen values.

Owns the vocabulary of a review: view, mention, evidence, claim, proposal, refusal, receipts, candidates, decisions.
Knows nothing of prototypes' inner form, of stores, or of how a critic thinks.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from ferrule.bridge.details import Details, Found, HandleView, PropertyDetail
from ferrule.bridge.matches import Match, MatchKind
from ferrule.bridge.turn_view import Mention, TurnText, TurnView
from ferrule.bridge.vocabulary import Confidence, Disposition, Modality, Proves, Role, SearchKind, Stage
from ferrule.errors import Code

__all__ = [
    "Accepted",
    "Answer",
    "Call",
    "CallRef",
    "Candidate",
    "Cited",
    "Claim",
    "Confidence",
    "Decision",
    "Details",
    "Disposition",
    "Evidence",
    "Found",
    "HandleView",
    "Hit",
    "Lifecycle",
    "Match",
    "MatchKind",
    "Mention",
    "MentionRef",
    "Modality",
    "PropertyDetail",
    "Proposal",
    "Proves",
    "Receipt",
    "Refusal",
    "Refused",
    "Role",
    "SchemaRow",
    "SearchKind",
    "SearchReceipt",
    "SpanRef",
    "Stage",
    "TurnReview",
    "TurnText",
    "TurnView",
    "Unchanged",
    "Usage",
]


@dataclass(frozen=True, slots=True)
class MentionRef:
    """Cites a mention of the reviewed turn."""

    mention: str


@dataclass(frozen=True, slots=True)
class SpanRef:
    """Cites `text[start:end]` of a turn text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CallRef:
    """Cites a value that a recorded door call of this critic turn returned from the source's ontology."""

    call: str
    value: str


Cited: TypeAlias = MentionRef | SpanRef | CallRef


@dataclass(frozen=True, slots=True)
class Evidence:
    """One citation and what it is cited for. The role is looked up by the door, never taken from the critic."""

    cites: Cited
    proves: Proves


@dataclass(frozen=True, slots=True)
class Claim:
    """One property of a proposal with its evidence and how real the evidence makes it.

    `value` is the text of the property's value as written in the definition (a reference is its prototype name).
    """

    property: str
    value: str
    evidence: tuple[Evidence, ...]
    modality: Modality


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """What tells two things of one name apart (R34): a class of thing and where it lives."""

    type: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that the turn speaks of: label, aliases, and the mentions that carry its handles (R32, R33)."""

    label: str
    aliases: tuple[str, ...]
    lifecycle: Lifecycle
    strong: bool
    confidence: Confidence
    mentions: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    keys: tuple[str, ...]
    modality: Modality
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Decision:
    """The disposition of one candidate, with the executed searches it rests on and the reason in words (R36)."""

    candidate: str
    disposition: Disposition
    target: str | None
    searches: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """One raw ProtoScript prototype with its evidence; `target` None means new-create, else what to augment."""

    source: str
    candidate: str
    target: str | None
    definition: str
    claims: tuple[Claim, ...]

    @property
    def modality(self) -> Modality:
        """The highest modality claimed; within the top rung the last claim of it decides."""
        best = Modality.PLANNED
        for claim in self.claims:
            if claim.modality.rung >= best.rung:
                best = claim.modality
        return best


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a definition was refused, and what would make it pass. Never echoes a secret or more than a few words."""

    code: Code
    rule: int
    message: str
    remedy: str
    property: str = ""
    line: int = 1
    column: int = 1
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Accepted:
    """The definition is staged; it becomes memory when the review commits."""

    prototype: str
    action: str
    call: str = ""
    warnings: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The definition would change nothing (D1)."""

    prototype: str
    call: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """The definition was refused; nothing changed (R59)."""

    refusals: tuple[Refusal, ...]
    call: str = ""


Answer: TypeAlias = Accepted | Unchanged | Refused


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer of a search: a prototype that may be the one, and why it matched; `matches` says so as data."""

    name: str
    bases: tuple[str, ...]
    layer: str
    entity_name: str
    handles: tuple[HandleView, ...]
    why: str
    forgotten: bool = False
    matches: tuple[Match, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchReceipt:
    """Proof of an executed search (R48, R49). `complete` False means that it failed: failed is not empty (CASE-L14)."""

    call: str
    query: str
    kind: SearchKind
    hits: tuple[Hit, ...]
    revision: int
    complete: bool = True


@dataclass(frozen=True, slots=True)
class SchemaRow:
    """One resolved declaration, inherited and unassigned ones included (R43)."""

    property: str
    type: str
    declared_by: str
    assigned: bool


@dataclass(frozen=True, slots=True)
class Call:
    """One call made through the door, as the door itself recorded it (R48): the trace that counts.

    `found` is how many things a search found at that revision, 0 included (R49); None for what is no search, or failed.
    """

    id: str
    stage: Stage
    tool: str
    candidate: str
    arguments: tuple[tuple[str, str], ...]
    ok: bool
    values: tuple[str, ...] = ()
    revision: int = 0
    found: int | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a commit gives for one verdict: link of the append-only hash chain."""

    seq: int
    previous: str
    hash: str
    session: str
    turn: str
    verdict: str
    code: str
    prototype: str
    payload_sha256: str
    revision_before: int
    revision_after: int
    payload_length: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """What a review cost. CPU in milliseconds."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cpu_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class TurnReview:
    """The result of one review, as the critic hands it over for the commit. Calls are the door's, not the critic's.

    `marker` is the result line that the critic rendered from the door's record (R90).
    """

    source: str
    turn: str
    ordinal: int
    reviewer: str
    candidates: tuple[Candidate, ...]
    decisions: tuple[Decision, ...]
    reason: str
    usage: Usage = field(default_factory=Usage)
    calls: tuple[Call, ...] = ()
    marker: str = ""

"""Values of a review as the plain JSON that every interface shows (design.md section 8).

Owns the shape: snake_case keys, plain types, excerpts instead of whole texts. Knows nothing of stores; what was written
is handed in by who knows it.
"""

from collections.abc import Mapping, Sequence

from ferrule.bridge.evidence import cited_text, excerpt
from ferrule.bridge.values import (
    Call,
    Candidate,
    Decision,
    Evidence,
    HandleView,
    MentionRef,
    Proves,
    Refusal,
    SpanRef,
    TurnReview,
    TurnView,
    Usage,
)

__all__ = [
    "JsonObject",
    "call_form",
    "candidate_form",
    "evidence_form",
    "handle_form",
    "refusal_form",
    "review_form",
    "usage_form",
    "written_form",
]

JsonObject = dict[str, object]


def evidence_form(view: TurnView, evidence: Evidence) -> JsonObject:
    """`{role, excerpt, start, end}` with offsets in code points of the whole message; `call` for a recorded call.

    The role is the view's, not the critic's. A citation of nothing has an empty excerpt.
    """
    cites = evidence.cites
    shown: JsonObject = {
        "role": "",
        "excerpt": excerpt(view, cites),
        "start": 0,
        "end": 0,
        "proves": evidence.proves.value,
    }
    if isinstance(cites, MentionRef):
        mention = view.mention(cites.mention)
        span = SpanRef(mention.text, mention.start, mention.end) if mention else None
    elif isinstance(cites, SpanRef):
        span = cites
    else:
        return shown | {"role": "ontology", "call": cites.call}
    said = cited_text(view, cites)
    text = view.text(span.text) if span else None
    if said is None or span is None or text is None:
        return shown
    return shown | {
        "role": said[1].value,
        "text": span.text,
        "start": text.origin + span.start,
        "end": text.origin + span.end,
    }


def candidate_form(view: TurnView, candidate: Candidate, decision: Decision | None) -> JsonObject:
    """One candidate with its disposition, reason, handles and evidence. Without a decision it is deferred (R41)."""
    return {
        "label": candidate.label,
        "aliases": list(candidate.aliases),
        "type": candidate.lifecycle.type,
        "disposition": decision.disposition.value if decision else "deferred-uncertain",
        "target": decision.target if decision else None,
        "reason": decision.reason if decision else "no decision was made",
        "modality": candidate.modality.value,
        "handles": _handles(view, candidate),
        "confidence": candidate.confidence.value,
        "strong": candidate.strong,
        "score": round(candidate.score, 4),
        "searches": list(decision.searches) if decision else [],
        "evidence": [evidence_form(view, evidence) for evidence in candidate.evidence],
    }


def _handles(view: TurnView, candidate: Candidate) -> list[JsonObject]:
    """The handles by which the turn speaks of the candidate: those that its evidence cites as such (D9)."""
    cited = [
        e.cites.mention for e in candidate.evidence if e.proves is Proves.HANDLE and isinstance(e.cites, MentionRef)
    ]
    found = [mention for name in cited if (mention := view.mention(name)) is not None]
    return [{"kind": mention.kind.value, "value": mention.value, "key": mention.key} for mention in found]


def call_form(call: Call) -> JsonObject:
    """`{id, pass, tool, candidate, ok}` and what was asked, as the door recorded it (R48).

    A search that was executed says how many things it `found`: that it found nothing is a fact at a revision (R49).
    """
    return {
        "id": call.id,
        "pass": call.stage.value,
        "tool": call.tool,
        "candidate": call.candidate,
        "ok": call.ok,
        "arguments": dict(call.arguments),
        "revision": call.revision,
        **({} if call.found is None else {"found": call.found}),
    }


def refusal_form(refusal: Refusal) -> JsonObject:
    """`{code, rule, property, line, column, message, remedy}`."""
    return {
        "code": refusal.code.value,
        "rule": refusal.rule,
        "property": refusal.property,
        "line": refusal.line,
        "column": refusal.column,
        "offset": refusal.offset,
        "message": refusal.message,
        "remedy": refusal.remedy,
    }


def handle_form(handle: HandleView) -> JsonObject:
    """`{kind, value, property}`."""
    return {"kind": handle.kind.value, "value": handle.value, "property": handle.property}


def usage_form(usage: Usage) -> JsonObject:
    """`{requests, input_tokens, output_tokens, cpu_ms}`."""
    return {
        "requests": usage.requests,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cpu_ms": round(usage.cpu_ms, 3),
    }


def written_form(  # noqa: PLR0913 - the six facts of one write, all by name
    *,
    prototype: str,
    bases: Sequence[str],
    action: str,
    properties: Mapping[str, object],
    handles: Sequence[HandleView],
    modality: str,
    definition: str,
) -> JsonObject:
    """One accepted write. `action` is created or augmented; `definition` is the canonical text (D11)."""
    return {
        "prototype": prototype,
        "bases": list(bases),
        "action": action,
        "properties": dict(properties),
        "handles": [handle_form(handle) for handle in handles],
        "modality": modality,
        "definition": definition,
    }


def review_form(
    review: TurnReview,
    view: TurnView,
    *,
    written: Sequence[JsonObject] = (),
    refused: Sequence[JsonObject] = (),
    outcome: str = "",
    already: bool = False,
) -> JsonObject:
    """One review in the form of `ferrule review --json`.

    `refused` items are `{candidate, definition, refusals}`. `outcome` is wrote, nothing, failed or declined; when not
    given it follows from `written`. A review that was made before carries `already`.
    """
    decisions = {decision.candidate: decision for decision in review.decisions}
    form: JsonObject = {
        "turn": {"key": review.turn, "ordinal": review.ordinal},
        "outcome": outcome or ("wrote" if written else "nothing"),
        "reviewer": review.reviewer,
        "reason": review.reason,
        "candidates": [
            candidate_form(view, candidate, decisions.get(candidate.label)) for candidate in review.candidates
        ],
        "written": list(written),
        "refused": list(refused),
        "calls": [call_form(call) for call in review.calls],
        "usage": usage_form(review.usage),
    }
    return form | {"already": True} if already else form

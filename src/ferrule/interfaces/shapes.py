"""Memories as JSON: one shape for the command line, MCP and whoever asks later.

Owns the names of the members (snake_case). Knows nothing of where a memory came from or how it is shown.
"""

from collections.abc import Iterable, Mapping

from ferrule.bridge.matches import Match, told, why_of
from ferrule.bridge.values import Details, HandleView, Refusal, SchemaRow

__all__ = ["brief", "full", "origin", "refusal_rows", "schema_rows"]


def brief(memory: Details) -> dict[str, object]:
    """What a list needs: name, types, state, handles."""
    return {
        "name": memory.name,
        "bases": list(memory.bases),
        "layer": memory.layer,
        "modality": memory.modality or None,
        "turn": memory.turn or None,
        "handles": [_handle(handle) for handle in memory.handles],
        **({"from_session": memory.origin, "remembered_at": memory.at or None} if memory.origin else {}),
        **_found(memory),
    }


def _found(memory: Details) -> dict[str, object]:
    """Of an answer of a search: why, in words and as data, and the session's revision at which that was so."""
    if memory.revision is None:
        return {}
    matched = [_match(match) for match in memory.matches]
    return {"why": why_of(memory.matches), "matched": matched, "revision": memory.revision}


def _match(match: Match) -> dict[str, object]:
    row: dict[str, object] = {"by": match.by.value, "told": told(match)}
    row |= {name: text for name in ("text", "property", "said") if (text := getattr(match, name))}
    return row | ({"score": match.score} if match.score else {})


def full(memory: Details) -> dict[str, object]:
    """Everything: values in the current view with what they were, and the definition as ProtoScript."""
    properties = [
        {
            "name": prop.name,
            "type": prop.type,
            "value": prop.value,
            "declared_by": prop.declared_by,
            "was": list(prop.was),
        }
        for prop in memory.properties
        if prop.assigned
    ]
    return {**brief(memory), "properties": properties, "definition": memory.definition}


def schema_rows(rows: Iterable[SchemaRow]) -> list[dict[str, object]]:
    """Every declaration that a prototype has, inherited and unassigned ones included."""
    return [
        {"property": row.property, "type": row.type, "declared_by": row.declared_by, "assigned": row.assigned}
        for row in rows
    ]


def refusal_rows(refusals: Iterable[Refusal]) -> list[dict[str, object]]:
    """Refusals or warnings as design.md section 8 gives them."""
    return [
        {
            "code": refusal.code.value,
            "rule": refusal.rule,
            "property": refusal.property,
            "line": refusal.line,
            "column": refusal.column,
            "message": refusal.message,
            "remedy": refusal.remedy,
        }
        for refusal in refusals
    ]


def origin(review: Mapping[str, object], name: str) -> dict[str, object]:
    """Of one stored review, only what made this memory: the turn, the candidate with its evidence, the write."""
    written = _first(review, "written", "prototype", name)
    label = str((written or {}).get("candidate", ""))
    return {"turn": review.get("turn"), "candidate": _first(review, "candidates", "label", label), "written": written}


def _first(review: Mapping[str, object], member: str, key: str, value: str) -> Mapping[str, object] | None:
    rows = review.get(member)
    found = [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
    return next((row for row in found if row.get(key) == value), None)


def _handle(handle: HandleView) -> dict[str, object]:
    return {"kind": handle.kind.value, "value": handle.value, "property": handle.property}

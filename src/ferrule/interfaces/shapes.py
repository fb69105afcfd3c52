"""Memories as JSON: one shape for the command line, MCP and whoever asks later.

Owns the names of the members (snake_case). Knows nothing of where a memory came from or how it is shown.
"""

from collections.abc import Iterable

from ferrule.bridge.values import Details, HandleView, Refusal, SchemaRow

__all__ = ["brief", "full", "refusal_rows", "schema_rows"]


def brief(memory: Details) -> dict[str, object]:
    """What a list needs: name, types, state, handles."""
    return {
        "name": memory.name,
        "bases": list(memory.bases),
        "layer": memory.layer,
        "modality": memory.modality or None,
        "turn": memory.turn or None,
        "handles": [_handle(handle) for handle in memory.handles],
    }


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


def _handle(handle: HandleView) -> dict[str, object]:
    return {"kind": handle.kind.value, "value": handle.value, "property": handle.property}

"""Values go into the store as JSON and come back equal.

Owns the stored form of turns, properties, handles, claims and excerpts. Knows nothing of tables.
"""

import json
import zlib
from collections.abc import Hashable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, cast

from ferrule.bridge.values import CallRef, Cited, Claim, HandleView, MentionRef, SpanRef
from ferrule.ontology.values import Annotated, LayerName, Opaque, Property, Prototype, Ref, Value
from ferrule.referents.kinds import HandleKind, Place
from ferrule.session.turn import Action, Artifact, ToolCall, Turn, Verb

__all__ = [
    "claim_json",
    "compact",
    "facts_of",
    "handles_json",
    "packed",
    "properties_json",
    "prototype_from",
    "read_handles",
    "read_turn",
    "turn_json",
    "unpacked",
]

_LARGE = 64 * 1024
_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def compact(value: object) -> str:
    """One line of JSON, keys in the order given, any Unicode as it is."""
    return _COMPACT.encode(value)


def packed(text: str) -> str | bytes:
    """A text as it is, or deflated when it is large: a huge tool result would cost more to write than to deflate."""
    return text if len(text) < _LARGE else zlib.compress(text.encode("utf-8", "surrogatepass"), 1)


def unpacked(stored: str | bytes) -> str:
    """The text of what `packed` gave.

    Raises:
        ValueError: it is damaged.
    """
    if isinstance(stored, str):
        return stored
    try:
        return zlib.decompress(stored).decode("utf-8", "surrogatepass")
    except zlib.error as error:
        raise ValueError(str(error)) from error


def turn_json(turn: Turn) -> str:
    """The stored form of a turn."""
    whole = facts_of(turn) | {
        "calls": [_call(call) for call in turn.calls],
        "actions": [facts_of(action) for action in turn.actions],
        "artifacts": [facts_of(artifact) for artifact in turn.artifacts],
        "place": facts_of(turn.place),
    }
    return compact(whole)


def facts_of(value: Any) -> dict[str, Any]:  # noqa: ANN401 - any dataclass
    """The fields of a flat dataclass value by name, in their order; nothing in them is copied."""
    return {name: getattr(value, name) for name in _names(cast("Hashable", type(value)))}


@cache
def _names(kind: Hashable) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cast("Any", kind)))


def _call(call: ToolCall) -> dict[str, object]:
    arguments = call.arguments if isinstance(call.arguments, str) else {"object": dict(call.arguments)}
    return {
        "call_id": call.call_id,
        "tool": call.tool,
        "arguments": arguments,
        "result": call.result,
        "ok": call.ok,
        "cwd": call.cwd,
        "details": dict(call.details),
    }


def read_turn(body: str) -> Turn:
    """The turn of a stored form."""
    stored: dict[str, Any] = json.loads(body)
    return Turn(
        **{
            **stored,
            "steering": tuple(stored["steering"]),
            "calls": tuple(_read_call(call) for call in stored["calls"]),
            "actions": tuple(_read_action(action) for action in stored["actions"]),
            "artifacts": tuple(Artifact(**artifact) for artifact in stored["artifacts"]),
            "place": Place(**stored["place"]),
        }
    )


def _read_call(stored: dict[str, Any]) -> ToolCall:
    arguments = stored["arguments"]
    return ToolCall(**{**stored, "arguments": arguments if isinstance(arguments, str) else arguments["object"]})


def _read_action(stored: dict[str, Any]) -> Action:
    kind = stored["kind"]
    return Action(**{**stored, "verb": Verb(stored["verb"]), "kind": None if kind is None else HandleKind(kind)})


def properties_json(properties: tuple[Property, ...], annotations: tuple[Annotated, ...] = ()) -> str:
    """The stored form of a prototype's own properties, in order; then of its annotations, which only files have."""
    rows: list[object] = [
        [prop.name, prop.type, _value(prop.value), prop.declares, prop.assigned] for prop in properties
    ]
    rows += [{"annotation": one.name, "arguments": _value(one.arguments)} for one in annotations]
    return compact(rows)


def prototype_from(name: str, bases: str, properties: str, *, partial: bool) -> Prototype:
    """The prototype of a stored row."""
    rows = json.loads(properties)
    said = [row for row in rows if isinstance(row, dict)]
    return Prototype(
        name=name,
        bases=tuple(json.loads(bases)),
        properties=tuple(
            Property(name=own, type=kind, value=_read_value(value), declares=declares, assigned=assigned)
            for own, kind, value, declares, assigned in (rows[: -len(said)] if said else rows)
        ),
        layer=LayerName.SESSION,
        partial=partial,
        annotations=tuple(Annotated(row["annotation"], tuple(map(_read_value, row["arguments"]))) for row in said),
    )


def _value(value: Value) -> object:
    if isinstance(value, Ref):
        return {"ref": value.name}
    if isinstance(value, Opaque):
        return {"opaque": value.what}
    if isinstance(value, tuple):
        return [_value(element) for element in value]
    return value


def _read_value(stored: Any) -> Value:  # noqa: ANN401 - any JSON value
    if isinstance(stored, dict):
        return Ref(stored["ref"]) if "ref" in stored else Opaque(stored["opaque"])
    if isinstance(stored, list):
        return tuple(_read_value(element) for element in stored)
    value: Value = stored
    return value


def handles_json(handles: tuple[HandleView, ...]) -> str:
    """The stored form of a memory's handles."""
    return compact([[handle.kind.value, handle.value, handle.property, handle.key] for handle in handles])


def read_handles(stored: str) -> tuple[HandleView, ...]:
    """The handles of a stored row."""
    return tuple(HandleView(HandleKind(kind), value, own, key) for kind, value, own, key in json.loads(stored))


def claim_json(claim: Claim) -> str:
    """The evidence of one claim: what it cites and what that proves."""
    return compact([{"cites": _cited(item.cites), "proves": item.proves.value} for item in claim.evidence])


def _cited(cites: Cited) -> Mapping[str, object]:
    match cites:
        case MentionRef(mention):
            return {"mention": mention}
        case SpanRef(text, start, end):
            return {"text": text, "start": start, "end": end}
        case CallRef(call, value):
            return {"call": call, "value": value}

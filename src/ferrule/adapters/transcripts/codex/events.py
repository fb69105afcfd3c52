"""A line of a Codex rollout becomes one small event; three generations of the format speak the same few events.

Owns the envelopes and payloads: `event_msg`, `response_item`, `item_completed`, and flat lines. Knows nothing of turns.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ferrule.adapters.transcripts.drafts import RawCall
from ferrule.adapters.transcripts.fields import joined_texts, text_at

__all__ = ["Event", "read_event"]

_MAX_CHANGES = 100
_MARKS = {
    "task_started": "started",
    "turn_started": "started",
    "task_complete": "complete",
    "turn_complete": "complete",
    "turn_aborted": "aborted",
    "thread_rolled_back": "rolled-back",
}
_SAYINGS = {"user_message": "user", "agent_message": "agent"}
_FLAT = frozenset({"message", "function_call", "function_call_output", "local_shell_call", "reasoning"})


@dataclass(slots=True)
class Event:
    """One thing that a line says.

    `kind` is `meta`, `context`, `started`, `complete`, `aborted`, `rolled-back`, `user`, `agent`, `call`, `output` or
    `ended`. `source` tells who says it (`event`, `item` or `response`), because one fact stands in several places.
    """

    kind: str
    line: int
    stamp: str = ""
    turn: str = ""
    text: str = ""
    source: str = ""
    call: RawCall | None = None
    call_id: str = ""
    ok: bool | None = None
    number: int = 0
    payload: Mapping[str, Any] = field(default_factory=dict)


def read_event(value: Mapping[str, Any], line: int) -> Event | None:
    """Read one line; None when no turn can need it."""
    kind, payload = text_at(value, "type"), value.get("payload")
    stamp = text_at(value, "timestamp")
    event: Event | None = None
    if not isinstance(payload, dict):
        event = _flat(value, line)
    elif kind == "session_meta":
        event = Event("meta", line, payload=payload)
    elif kind == "turn_context":
        event = Event("context", line, turn=text_at(payload, "turn_id"), payload=payload)
    elif kind == "event_msg":
        event = _message(payload, line)
    elif kind == "response_item":
        event = _response(payload, line)
    if event is not None:
        event.stamp = stamp
    return event


def _flat(value: Mapping[str, Any], line: int) -> Event | None:
    """A line of a file from before the envelope: a header, or a bare response item."""
    if text_at(value, "type") in _FLAT:
        return _response(value, line)
    if "type" not in value and "id" in value and "timestamp" in value:
        return Event("meta", line, payload=value)
    return None


def _message(payload: Mapping[str, Any], line: int) -> Event | None:
    kind, turn = text_at(payload, "type"), text_at(payload, "turn_id")
    if kind in _MARKS:
        number = payload.get("num_turns")
        text = text_at(payload, "last_agent_message")
        return Event(_MARKS[kind], line, turn=turn, text=text, number=number if isinstance(number, int) else 0)
    if kind in _SAYINGS:
        return Event(_SAYINGS[kind], line, text=text_at(payload, "message"), source="event")
    if kind == "item_completed" and isinstance(payload.get("item"), dict):
        return _item(payload["item"], turn, line)
    return _ended(payload, line)


def _item(item: Mapping[str, Any], turn: str, line: int) -> Event | None:
    """The newest form: whole items, with the outcome of a command beside it."""
    kind = text_at(item, "type")
    if kind in {"UserMessage", "AgentMessage"}:
        name = "user" if kind == "UserMessage" else "agent"
        return Event(name, line, turn=turn, text=joined_texts(item.get("content")), source="item")
    if kind == "CommandExecution":
        code = item.get("exit_code")
        ok = code == 0 if isinstance(code, int) else None
        return Event("ended", line, call_id=text_at(item, "id"), ok=ok, payload=_place(item))
    if kind in {"FileChange", "McpToolCall"}:
        status = item.get("status")
        ok = {"completed": True, "failed": False, "declined": False}.get(status if isinstance(status, str) else "")
        return Event("ended", line, call_id=text_at(item, "id"), ok=ok)
    return None


def _ended(payload: Mapping[str, Any], line: int) -> Event | None:
    """The outcome of a call as older versions say it beside the output."""
    kind, call_id = text_at(payload, "type"), text_at(payload, "call_id")
    if kind == "exec_command_end":
        code = payload.get("exit_code")
        return Event(
            "ended",
            line,
            call_id=call_id,
            ok=code == 0 if isinstance(code, int) else None,
            text=text_at(payload, "aggregated_output") or text_at(payload, "stdout"),
            payload=_place(payload),
        )
    if kind == "patch_apply_end":
        ok = payload.get("success")
        changes = payload.get("changes")
        files = ", ".join(list(map(str, changes))[:_MAX_CHANGES]) if isinstance(changes, dict) else ""
        return Event(
            "ended", line, call_id=call_id, ok=ok if isinstance(ok, bool) else None, payload={"changes": files}
        )
    if kind == "mcp_tool_call_end":
        result = payload.get("result")
        ok = ("Ok" in result) if isinstance(result, dict) and ("Ok" in result or "Err" in result) else None
        return Event("ended", line, call_id=call_id, ok=ok)
    return None


def _place(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    cwd = text_at(payload, "cwd").removeprefix("file://")
    return {"cwd": cwd} if cwd else {}


def _response(payload: Mapping[str, Any], line: int) -> Event | None:
    kind = text_at(payload, "type")
    if kind == "message":
        name = {"user": "user", "assistant": "agent"}.get(text_at(payload, "role"))
        return Event(name, line, text=joined_texts(payload.get("content")), source="response") if name else None
    if kind in {"function_call_output", "custom_tool_call_output", "local_shell_call_output"}:
        return Event("output", line, call_id=text_at(payload, "call_id"), text=_output(payload.get("output")))
    call = _call(payload)
    return Event("call", line, call=call) if call is not None else None


def _call(payload: Mapping[str, Any]) -> RawCall | None:
    kind = text_at(payload, "type")
    call_id = text_at(payload, "call_id") or text_at(payload, "id")
    space = text_at(payload, "namespace")
    name = f"{space}__{text_at(payload, 'name')}" if space.startswith("mcp__") else text_at(payload, "name")
    if kind == "function_call":
        return RawCall(call_id, name, _parsed(payload.get("arguments")))
    if kind == "custom_tool_call":
        return RawCall(call_id, name, text_at(payload, "input"))
    action = payload.get("action")
    if kind == "local_shell_call" and isinstance(action, dict):
        arguments = {"command": action.get("command"), "workdir": text_at(action, "working_directory")}
        return RawCall(call_id, "local_shell", arguments)
    if kind == "web_search_call" and isinstance(action, dict):
        url = text_at(action, "url")
        ok = True if payload.get("status") == "completed" else None
        arguments = {"url": url} if url else {"query": text_at(action, "query")}
        return RawCall(call_id, "web_fetch" if url else "web_search", arguments, ok=ok)
    return None


def _parsed(arguments: object) -> str | Mapping[str, object]:
    """Arguments come as JSON in a string."""
    if isinstance(arguments, dict):
        return arguments
    if not isinstance(arguments, str):
        return ""
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
    return value if isinstance(value, dict) else arguments


def _output(output: object) -> str:
    """The text of an output: a string, blocks, or `{"output": …, "metadata": {"exit_code": …}}` in a string."""
    if isinstance(output, list):
        return joined_texts(output)
    if isinstance(output, dict):
        return _wrapped(output)
    text = output if isinstance(output, str) else ""
    if text[:10].replace(" ", "").startswith('{"output"'):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return text
        return _wrapped(value) if isinstance(value, dict) else text
    return text


def _wrapped(value: Mapping[str, Any]) -> str:
    metadata = value.get("metadata")
    code = metadata.get("exit_code") if isinstance(metadata, dict) else None
    text = text_at(value, "output") or text_at(value, "content")
    return f"Process exited with code {code}\n{text}" if isinstance(code, int) else text

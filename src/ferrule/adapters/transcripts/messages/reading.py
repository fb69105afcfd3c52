"""One chat message in the manner of the chat completions or of the messages API is read for who says what.

Owns both manners: tool calls beside the content or as blocks in it, results as messages of the tool or as blocks in a
message of the user. Knows nothing of files and turns.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ferrule.adapters.transcripts.fields import joined_texts, text_at
from ferrule.adapters.transcripts.messages.turning import Said, Who

__all__ = ["ROLES", "as_text", "is_message", "said_in"]

ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_TEXTS = frozenset({"text", "input_text", "output_text"})


def is_message(value: object) -> bool:
    """Whether a value has the shape of a chat message: a role, and no type beside it."""
    return (
        isinstance(value, dict)
        and text_at(value, "role") in ROLES
        and "type" not in value
        and ("content" in value or "tool_calls" in value or "function_call" in value)
    )


def said_in(message: Mapping[str, Any]) -> Iterator[Said]:
    """What one message says, in order; nothing for the system's."""
    role = text_at(message, "role")
    if role == "user":
        yield from _users(message)
    elif role == "assistant":
        yield from _assistants(message)
    elif role in {"tool", "function"}:
        yield _result(text_at(message, "tool_call_id") or text_at(message, "name"), message.get("content"))


def as_text(value: object) -> str:
    """Content as text: a text, the texts of blocks, or what else it is as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and any(isinstance(b, dict) and isinstance(b.get("text"), str) for b in value):
        return joined_texts(value)
    return json.dumps(value, ensure_ascii=False)


def _users(message: Mapping[str, Any]) -> Iterator[Said]:
    """The results that stand in a message of the user are the tools'; the rest is the person's."""
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    results = [b for b in blocks if isinstance(b, dict) and b.get("type") == "tool_result"]
    for block in results:
        wrong = block.get("is_error")
        yield _result(text_at(block, "tool_use_id"), block.get("content"), ok=not wrong if wrong is not None else None)
    words = content if isinstance(content, str) else joined_texts([b for b in blocks if _is_text(b)])
    if words.strip() or not results:
        yield Said(Who.USER, words, text_at(message, "id"), at=_time(message))


def _assistants(message: Mapping[str, Any]) -> Iterator[Said]:
    content = message.get("content")
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, str):
            yield Said(Who.AGENT, block, at=_time(message))
        elif isinstance(block, dict) and _is_text(block):
            yield Said(Who.AGENT, text_at(block, "text"), at=_time(message))
        elif isinstance(block, dict) and block.get("type") == "tool_use":
            yield Said(Who.CALL, id=text_at(block, "id"), tool=text_at(block, "name"), arguments=_given(block, "input"))
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            yield Said(Who.CALL, id=text_at(call, "id"), tool=text_at(function, "name"), arguments=_given(function))
    legacy = message.get("function_call")
    if isinstance(legacy, dict):
        name = text_at(legacy, "name")
        yield Said(Who.CALL, id=name, tool=name, arguments=_given(legacy))


def _given(call: Mapping[str, Any], key: str = "arguments") -> str | Mapping[str, object]:
    """Arguments as the object that they are, or are as JSON; else as text."""
    value = call.get(key)
    if isinstance(value, dict):
        return value
    if not isinstance(value, str):
        return "" if value is None else json.dumps(value, ensure_ascii=False)
    try:
        parsed = json.loads(value) if value.lstrip()[:1] == "{" else None
    except (ValueError, RecursionError):
        parsed = None
    return parsed if isinstance(parsed, dict) else value


def _result(call_id: str, content: object, *, ok: bool | None = None) -> Said:
    return Said(Who.RESULT, as_text(content), call_id, ok=ok)


def _is_text(block: object) -> bool:
    return isinstance(block, dict) and str(block.get("type", "text")) in _TEXTS and isinstance(block.get("text"), str)


def _time(message: Mapping[str, Any]) -> str:
    return text_at(message, "created_at") or text_at(message, "timestamp")

"""One item of a Responses conversation is read for who says what.

Owns the kinds of items: messages, function calls, hosted tools and their outputs. Chat-completions mode gives every
item the same fake id, so ids of items are no keys. Knows nothing of files.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ferrule.adapters.transcripts.fields import joined_texts, text_at
from ferrule.adapters.transcripts.messages.reading import as_text
from ferrule.adapters.transcripts.messages.turning import Said, Who

__all__ = ["is_item", "is_telling_item", "said_in_item"]

_FILES = {"create_file": "write_file", "update_file": "edit_file", "delete_file": "delete_file"}
_TOOLS = {"local_shell": "shell", "web_search": "web_search", "apply_patch": "apply_patch", "mcp": "mcp"}


def is_item(value: object) -> bool:
    """Whether a value may stand in such a list: a message with or without its type, a call, an output, a thought."""
    if not isinstance(value, dict):
        return False
    return is_telling_item(value) or (text_at(value, "role") != "" and "content" in value and "tool_calls" not in value)


def is_telling_item(value: object) -> bool:
    """Whether a value is an item that no plain list of chat messages has."""
    if not isinstance(value, dict):
        return False
    kind = text_at(value, "type")
    if kind == "message":
        return "role" in value
    return kind in {"reasoning", "item_reference", "compaction"} or kind.endswith(("_call", "_call_output"))


def said_in_item(item: Mapping[str, Any]) -> Iterator[Said]:
    """What one item says; nothing for thoughts and instructions."""
    kind, role = text_at(item, "type"), text_at(item, "role")
    if kind in {"", "message"}:
        if role == "user":
            yield Said(Who.USER, joined_texts(item.get("content")))
        elif role == "assistant" and text_at(item, "status") != "incomplete":  # words that broke off
            yield Said(Who.AGENT, _spoken(item.get("content")))
    elif kind.endswith("_output"):
        yield Said(Who.RESULT, as_text(item.get("output")), _call_id(item), ok=_went_well(item))
    elif kind.endswith("_call"):
        yield from _called(item, kind.removesuffix("_call"))


def _spoken(content: object) -> str:
    blocks = content if isinstance(content, list) else []
    refusals = [text_at(b, "refusal") for b in blocks if isinstance(b, dict) and b.get("type") == "refusal"]
    return "\n".join(part for part in (joined_texts(content), *refusals) if part)


def _call_id(item: Mapping[str, Any]) -> str:
    return text_at(item, "call_id") or text_at(item, "id")


def _called(item: Mapping[str, Any], kind: str) -> Iterator[Said]:
    """A call; hosted tools carry their result in the call itself."""
    tool, arguments = _request(item, kind)
    yield Said(Who.CALL, id=_call_id(item), tool=tool, arguments=arguments)
    result = next((item[key] for key in ("output", "result", "results", "outputs") if item.get(key) is not None), None)
    if result is not None:
        yield Said(Who.RESULT, as_text(result), _call_id(item), ok=_went_well(item))


def _request(item: Mapping[str, Any], kind: str) -> tuple[str, str | Mapping[str, object]]:
    action, operation = item.get("action"), item.get("operation")
    if isinstance(action, dict):
        commands = action.get("commands")
        if isinstance(commands, list):
            return "shell", {"command": "\n".join(str(one) for one in commands)}
        return _TOOLS.get(kind, kind), action
    if isinstance(operation, dict):
        return _FILES.get(text_at(operation, "type"), "apply_patch"), operation
    if isinstance(item.get("code"), str):
        return "python", {"code": item["code"]}
    name, given = text_at(item, "name") or _TOOLS.get(kind, kind), item.get("arguments", item.get("input", ""))
    if isinstance(given, str) and given.lstrip()[:1] == "{":
        try:
            parsed = json.loads(given)
        except (ValueError, RecursionError):
            parsed = given
        given = parsed if isinstance(parsed, dict) else given
    return name, given if isinstance(given, dict) else as_text(given)


def _went_well(item: Mapping[str, Any]) -> bool | None:
    """What the item says of success; `completed` only tells that an answer came."""
    if item.get("error"):
        return False
    if text_at(item, "status") in {"failed", "incomplete"}:
        return False
    output = item.get("output")
    outcomes = [one.get("outcome") for one in output if isinstance(one, dict)] if isinstance(output, list) else []
    codes = [one.get("exit_code") for one in outcomes if isinstance(one, dict) and "exit_code" in one]
    return all(code == 0 for code in codes) if codes else None

"""A LangChain message list is a session, whether dumped as dicts, as constructors or as plain models.

Owns the shapes of messages and of the states around them. Knows nothing of graphs: a state has the messages of all
turns, and nothing of which node said them.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ferrule.adapters.transcripts.fields import joined_texts, text_at
from ferrule.adapters.transcripts.formats import Format, Given, Sample
from ferrule.adapters.transcripts.messages.reading import as_text, said_in
from ferrule.adapters.transcripts.messages.turning import Conversation, Said, Who, session_of
from ferrule.session.imported import ImportedSession

__all__ = ["FORMAT"]

NAME = "langchain"
_TYPES = {"human": "human", "ai": "ai", "tool": "tool", "system": "system", "function": "tool", "remove": "remove"}
_CLASSES = {
    **{f"{name}Message{chunk}": name.lower() for name in ("Human", "AI", "Tool", "System") for chunk in ("", "Chunk")},
    "FunctionMessage": "tool",
    "RemoveMessage": "remove",
}
_THREAD = ("thread_id", "session_id", "conversation_id")
_LOOKED_AT = 20


def _looks(sample: Sample) -> bool:
    if sample.text:
        return False
    document = sample.document
    if isinstance(document, dict):
        held = _held(document)
        return held is not None and _all_messages(held)
    values = document if isinstance(document, list) else sample.values
    return (isinstance(document, list) or len(sample.values) > 1) and _all_messages(values)


def _all_messages(values: Sequence[object]) -> bool:
    first = list(islice(values, _LOOKED_AT))
    kinds = [_kind(value) for value in first]
    return bool(first) and all(kinds) and "human" in kinds


def _kind(value: object) -> str:
    """What a message is: `human`, `ai`, `tool`, `system`, `remove`; empty when it is no message of LangChain's."""
    if not isinstance(value, dict):
        return ""
    if value.get("lc") == 1 and value.get("type") == "constructor":
        path = value.get("id")
        return _CLASSES.get(str(path[-1]), "") if isinstance(path, list) and path else ""
    known = text_at(value, "type").removesuffix("MessageChunk").lower()
    data = value.get("data")
    inside = "content" in value or (isinstance(data, dict) and "content" in data)
    return _TYPES.get(known, "") if inside and "role" not in value else ""


def _held(value: Mapping[str, Any], depth: int = 0) -> list[Any] | None:
    """The messages that a state holds: directly, under the values of a thread, or under a checkpoint's channels."""
    listed = value.get("messages")
    if isinstance(listed, list):
        return listed
    inner = (value.get(key) for key in ("values", "channel_values", "state", "checkpoint", "output"))
    held = (_held(one, depth + 1) for one in inner if isinstance(one, dict) and depth < 3)  # noqa: PLR2004 - a thread in a state in a checkpoint
    return next((one for one in held if one is not None), None)


def _read(given: Given) -> tuple[ImportedSession, ...]:
    document = given.sample.document
    thread = ""
    if isinstance(document, dict):
        messages = _held(document) or []
        thread = _thread(document)
    else:
        messages = document if isinstance(document, list) else [record.value for record in given.records]
    found = [message for message in messages if isinstance(message, dict)]
    person = next((text_at(_inside(message), "name") for message in found if _kind(message) == "human"), "")
    said = [one for message in found for one in _said(message, person)]
    return (session_of(Conversation(NAME, said, id=thread), given),)


def _thread(value: Mapping[str, Any]) -> str:
    config = value.get("config")
    places = [value, value.get("metadata"), config.get("configurable") if isinstance(config, dict) else None]
    found = (text_at(place, key) for place in places if isinstance(place, dict) for key in _THREAD)
    return next((one for one in found if one and not one.strip().isdigit()), "")  # every example's thread is "1"


def _inside(message: Mapping[str, Any]) -> Mapping[str, Any]:
    inside = message.get("kwargs") if "lc" in message else message.get("data", message)
    return inside if isinstance(inside, dict) else {}


def _said(message: Mapping[str, Any], person: str) -> Iterator[Said]:
    """What a message says. Agents of a graph hand their words to each other as a human's, under names of their own."""
    kind, inside = _kind(message), _inside(message)
    if kind == "human":
        handed = not person and text_at(inside, "name") != ""
        who = Who.AGENT if handed else Who.USER
        yield Said(who, joined_texts(inside.get("content")), text_at(inside, "id"))
    elif kind == "ai":
        yield from _agents(inside)
    elif kind == "tool":
        status = text_at(inside, "status")
        ok = {"success": True, "error": False}.get(status)
        call = text_at(inside, "tool_call_id") or text_at(inside, "name")
        yield Said(Who.RESULT, as_text(inside.get("content")), call, ok=ok)


def _agents(inside: Mapping[str, Any]) -> Iterator[Said]:
    """Words and calls of the model. Calls stand under `tool_calls`; older dumps have only what the provider sent."""
    yield Said(Who.AGENT, joined_texts(inside.get("content")))
    calls = inside.get("tool_calls")
    found = [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    for call in found:
        given = call.get("args")
        arguments = given if isinstance(given, dict) else as_text(given)
        yield Said(Who.CALL, id=text_at(call, "id"), tool=text_at(call, "name"), arguments=arguments)
    extra = inside.get("additional_kwargs")
    if not found and isinstance(extra, dict):
        older = {"role": "assistant", **{key: extra.get(key) for key in ("tool_calls", "function_call")}}
        yield from said_in(older)


FORMAT = Format(NAME, "a list of LangChain messages", _looks, _read)

"""Every action of mini-swe-agent is one shell command, and every answer says with which code it ended.

Owns the two dialects: a fenced block answered in tags, and a tool call answered in JSON. Knows nothing of turns.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ferrule.adapters.transcripts.fields import joined_texts, text_at

__all__ = ["ASKED_TO_FINISH", "Answer", "answer_of", "commands_of", "has_command", "prose_of"]

_BLOCK = re.compile(r"^```(?:mswea_bash_command|bash)\s{0,8}\n(.*?)\n```", re.MULTILINE | re.DOTALL)
_TAGGED = re.compile(r"\s{0,20}<returncode>\s{0,8}(-?\d{1,9})\s{0,8}</returncode>")
_THOUGHT = re.compile(r"^(?:THOUGHT|Thought): ?", re.MULTILINE)
_MAX_JSON = 4 * 1024 * 1024
_MAX_ACTIONS = 50
ASKED_TO_FINISH = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command printed, and the code it ended with; None where it did not run."""

    text: str
    code: int | None


def has_command(text: str) -> bool:
    """Whether a message of the assistant holds a command in the newer fence."""
    return "```mswea_bash_command" in text


def commands_of(message: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The commands of an assistant's message that could run, each with the id of its call.

    A message with two fenced blocks, or none, is sent back unread: it holds no command.
    """
    extra = message.get("extra")
    told = extra.get("actions") if isinstance(extra, dict) else None
    if isinstance(told, list):
        actions = [action for action in told[:_MAX_ACTIONS] if isinstance(action, dict)]
        return [(text_at(action, "command"), text_at(action, "tool_call_id")) for action in actions]
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls:
        return [found for call in calls[:_MAX_ACTIONS] if isinstance(call, dict) and (found := _called(call))]
    blocks = _BLOCK.findall(joined_texts(message.get("content")))
    return [(blocks[0], "")] if len(blocks) == 1 else []


def prose_of(message: Mapping[str, Any]) -> str:
    """What the assistant said beside its command."""
    return _THOUGHT.sub("", _BLOCK.sub("", joined_texts(message.get("content")))).strip()


def answer_of(message: Mapping[str, Any]) -> Answer | None:
    """The answer to a command, whichever role it comes in; None when the message is none."""
    content = joined_texts(message.get("content"))
    tagged = _TAGGED.match(content)
    if tagged is not None:
        return Answer(_output(content[tagged.end() :]), int(tagged[1]))
    extra = message.get("extra")
    told = extra if isinstance(extra, dict) and "returncode" in extra else _object(content)
    if "returncode" not in told:
        return None
    code = told["returncode"]
    ran = isinstance(code, int) and not isinstance(code, bool) and not text_at(told, "exception_info")
    return Answer(text_at(told, "raw_output") or text_at(told, "output"), code if ran else None)


def _output(text: str) -> str:
    """What stands in the tags of an answer, or all of it where they are missing."""
    opened, closed = text.find("<output"), text.rfind("</output")
    begins = text.find(">", opened) + 1 if opened >= 0 else 0
    return text[begins:closed].strip("\n") if 0 < begins <= closed else text.strip()


def _called(call: Mapping[str, Any]) -> tuple[str, str] | None:
    function = call.get("function")
    given = _object(text_at(function, "arguments")) if isinstance(function, dict) else {}
    command = text_at(given, "command")
    return (command, text_at(call, "id")) if command else None


def _object(text: str) -> Mapping[str, Any]:
    if text.lstrip()[:1] != "{" or len(text) > _MAX_JSON:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}

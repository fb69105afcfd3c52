"""A trajectory is a row of steps: what was thought, what was done, what came back, and where.

Owns the two places where a file keeps them: `trajectory`, and `history` where the other is missing. Demonstrations are
of other tasks and no steps. Knows nothing of what an action does.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ferrule.adapters.transcripts.fields import joined_texts, text_at

__all__ = ["Step", "object_at", "said", "steps_of", "task_of", "without_status"]

_MAX_STEPS = 5000
_MAX_STATE = 64 * 1024
_MAX_CONFIG = 4 * 1024 * 1024
_STATUS = re.compile(r"\((?:Open file|Current directory|Interactive session): [^\n]{0,1000}\)|bash-\$|\s{0,200}")
_DIRECTORY = re.compile(r"^\(Current directory: ([^\n]{1,1000})\)\s{0,8}$", re.MULTILINE)
_FENCE = re.compile(r"^```[\w+-]{0,20}\n(.*?)^```", re.MULTILINE | re.DOTALL)
_RULES = "INSTRUCTIONS:"
_TAIL = 4000


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the agent.

    Attributes:
        thought: its prose.
        action: the command, as it was sent to the console.
        observation: what came back; None when nothing did.
        directory: where the console is, by the step's own state.
        file: the file that its editor shows.
    """

    thought: str
    action: str
    observation: str | None = None
    directory: str = ""
    file: str = ""


def steps_of(value: Mapping[str, Any]) -> list[Step]:
    """The steps of a trajectory in order, at most 5,000."""
    rows = value.get("trajectory")
    steps = [_step(row) for row in rows[:_MAX_STEPS] if isinstance(row, dict)] if isinstance(rows, list) else []
    found = [step for step in steps if step.action.strip() or step.thought.strip()]
    return found or list(_told(said(value.get("history"))))[:_MAX_STEPS]


def said(messages: object) -> list[Mapping[str, Any]]:
    """The messages of a history without the demonstrations."""
    rows = messages if isinstance(messages, list) else []
    return [row for row in rows if isinstance(row, dict) and not _is_demonstration(row)]


def task_of(value: Mapping[str, Any]) -> str:
    """The task: the first message of the user that is no demonstration, without what the harness adds to it.

    Where a file keeps no history, the first step's query has it.
    """
    rows = value.get("trajectory")
    first = rows[0] if isinstance(rows, list) and rows and isinstance(rows[0], dict) else {}
    for messages in (value.get("history"), first.get("query"), first.get("messages")):
        for message in said(messages):
            if text_at(message, "role") == "user" and text_at(message, "message_type") != "system_prompt":
                text = without_status(joined_texts(message.get("content")))
                if text.strip():
                    return _without_rules(text)
    return ""


def without_status(text: str) -> str:
    """The text without the lines at its end by which the console says where it is."""
    lines = text.replace("\r\n", "\n").split("\n")
    while lines and _STATUS.fullmatch(lines[-1]):
        lines.pop()
    return "\n".join(lines)


def object_at(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The object under a key, also where it is kept as JSON in a text; empty when it is none."""
    found = value.get(key)
    if isinstance(found, str) and found.lstrip()[:1] == "{" and len(found) <= _MAX_CONFIG:
        try:
            found = json.loads(found)
        except (ValueError, RecursionError):
            return {}
    return found if isinstance(found, dict) else {}


def _is_demonstration(message: Mapping[str, Any]) -> bool:
    return message.get("is_demo") is True or text_at(message, "message_type") == "demonstration"


def _without_rules(text: str) -> str:
    """The harness's own rules follow the task, behind a line of their own."""
    task, _, _ = f"\n{text}".partition(f"\n{_RULES}\n")
    return task.strip() or text.strip()


def _step(row: Mapping[str, Any]) -> Step:
    state = row.get("state")
    where = object_at(row, "state") if not isinstance(state, str) or len(state) <= _MAX_STATE else {}
    observation = row.get("observation")
    return Step(
        thought=text_at(row, "thought") or _FENCE.sub("", text_at(row, "response")),
        action=text_at(row, "action"),
        observation=observation if isinstance(observation, str) else None,
        directory=text_at(where, "working_dir"),
        file=text_at(where, "open_file"),
    )


def _told(messages: Sequence[Mapping[str, Any]]) -> Iterator[Step]:
    """The steps of a history: each of the assistant's messages with the observation that follows it."""
    before = ""
    for message, after in zip(messages, [*messages[1:], {}], strict=True):
        content = joined_texts(message.get("content"))
        if text_at(message, "role") == "user" and not before:
            before = _directory(content)
        if text_at(message, "role") != "assistant":
            continue
        action, thought = text_at(message, "action"), text_at(message, "thought")
        if not action:
            fenced = _FENCE.findall(content)
            action = fenced[-1] if fenced else ""
        answered = text_at(after, "role") in {"user", "tool"}
        seen = joined_texts(after.get("content")) if answered else ""
        here, before = before, _directory(seen) or before
        yield Step(
            thought=thought or _FENCE.sub("", content),
            action=action,
            observation=without_status(seen) if answered else None,
            directory=here,
        )


def _directory(text: str) -> str:
    found = _DIRECTORY.findall(text[-_TAIL:])
    return found[-1].strip() if found else ""

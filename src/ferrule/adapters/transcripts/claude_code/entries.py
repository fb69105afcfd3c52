"""A line of a Claude Code session becomes one small entry; what no turn needs is dropped at once.

Owns the envelope and the content blocks. Keeps memory small: a session file may be hundreds of megabytes. Knows nothing
of turns.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ferrule.adapters.transcripts.claude_code.prompts import Prompt, read_prompt
from ferrule.adapters.transcripts.fields import joined_texts, text_at
from ferrule.bridge.marks import RECALL_OPEN

__all__ = ["Entry", "Result", "ToolUse", "read_entry"]

_MAX_DETAIL = 600
_REJECTED = "The user doesn't want to proceed"
_OBJECTION = "the user said:"
_TITLES = ("summary", "customTitle", "aiTitle", "title")
_LINKS = frozenset({"progress", "system", "attachment"})
_TOLD = re.compile(re.escape(RECALL_OPEN) + r'claude-code:([0-9A-Za-z_-]{1,100})"')


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A `tool_use` block."""

    id: str
    name: str
    input: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Result:
    """A `tool_result` block with the small scalars of the structured result beside the message.

    `said` holds the person's own words in it: answers to the agent's questions, and why a call was rejected.
    """

    id: str
    text: str
    failed: bool
    details: Mapping[str, object] = field(default_factory=dict)
    said: tuple[str, ...] = ()


@dataclass(slots=True)
class Entry:
    """One line.

    `kind` is `user`, `assistant`, `steering`, `pull-request`, `title`, `queued` or `link` (only its place counts).
    `asked` is the client's id of the prompt that a user line answers to (`promptId`), which is what its hooks name.
    `forked` is the session that the line was copied from, where a fork says so; `told` is the session whose memory
    Ferrule told in it when the session started.
    """

    kind: str
    position: int
    line: int
    uuid: str = ""
    parent: str | None = None
    stamp: str = ""
    cwd: str = ""
    branch: str = ""
    session: str = ""
    forked: str = ""
    told: str = ""
    agent: str = ""
    asked: str = ""
    sidechain: bool = False
    prompt: Prompt | None = None
    texts: tuple[str, ...] = ()
    uses: tuple[ToolUse, ...] = ()
    results: tuple[Result, ...] = ()
    message: str = ""
    stop: str = ""
    api_error: bool = False
    note: str = ""


def read_entry(value: Mapping[str, Any], position: int, line: int) -> Entry | None:
    """Read one line; None when no turn can need it."""
    kind = text_at(value, "type")
    entry = Entry("link", position, line)
    _envelope(entry, value)
    if kind in {"user", "assistant"} and isinstance(value.get("message"), dict):
        entry.kind = str(kind)
        (_user if kind == "user" else _assistant)(entry, value)
    elif kind == "attachment" and isinstance(value.get("attachment"), dict):
        _attachment(entry, value["attachment"])
    elif kind == "pr-link":
        entry.kind, entry.note = "pull-request", text_at(value, "prUrl")
    elif kind == "queue-operation" and value.get("operation") == "enqueue":
        entry.kind, entry.note = "queued", text_at(value, "content")
    elif kind in {"summary", "custom-title", "ai-title"}:
        entry.kind = "title"
        entry.note = (
            text_at(value, "summary")
            or text_at(value, "customTitle")
            or text_at(value, "aiTitle")
            or text_at(value, "title")
        )
    elif kind not in _LINKS:
        return None
    return entry if entry.uuid or entry.kind in {"pull-request", "title", "queued"} else _without_uuid(entry)


def _without_uuid(entry: Entry) -> Entry | None:
    """A message without uuid still counts; it is placed by its position."""
    return entry if entry.kind in {"user", "assistant", "steering"} else None


def _envelope(entry: Entry, value: Mapping[str, Any]) -> None:
    entry.uuid = text_at(value, "uuid")
    entry.parent = text_at(value, "parentUuid") or text_at(value, "logicalParentUuid") or None
    entry.stamp = text_at(value, "timestamp")
    entry.cwd = text_at(value, "cwd")
    entry.branch = text_at(value, "gitBranch")
    entry.session = text_at(value, "sessionId")
    entry.agent = text_at(value, "agentId")
    origin = value.get("forkedFrom")
    entry.forked = text_at(origin, "sessionId") if isinstance(origin, dict) else ""
    entry.asked = text_at(value, "promptId")
    entry.sidechain = value.get("isSidechain") is True


def _attachment(entry: Entry, attachment: Mapping[str, Any]) -> None:
    """A message typed while the agent worked, delivered into the running turn; or what our own hook told."""
    if text_at(attachment, "type") == "hook_additional_context":
        entry.told = _told(attachment.get("content"))
        return
    if text_at(attachment, "type") != "queued_command" or attachment.get("commandMode") == "task-notification":
        return
    said = attachment.get("prompt")
    if isinstance(said, list):
        said = "\n".join(b["text"] for b in said if isinstance(b, dict) and isinstance(b.get("text"), str))
    prompt = read_prompt({}, said) if isinstance(said, str) else None
    if prompt is not None and prompt.kind == "human" and prompt.text:
        entry.kind, entry.prompt = "steering", Prompt("steering", prompt.text)


def _told(content: object) -> str:
    """The client's id of the session that Ferrule's text names, where the text begins with it; else nothing."""
    texts = content if isinstance(content, list) else [content]
    found = (_TOLD.match(text) for text in texts if isinstance(text, str))
    return next((match[1] for match in found if match is not None), "")


def _user(entry: Entry, value: Mapping[str, Any]) -> None:
    content = value["message"].get("content")
    entry.prompt = read_prompt(value, content)
    blocks = content if isinstance(content, list) else []
    details, answers = _details(value.get("toolUseResult")), _answers(value.get("toolUseResult"))
    entry.results = tuple(
        Result(
            text_at(block, "tool_use_id"),
            joined_texts(block.get("content")),
            block.get("is_error") is True,
            details,
            answers or _objection(joined_texts(block.get("content"))),
        )
        for block in blocks
        if isinstance(block, dict) and text_at(block, "type") == "tool_result"
    )


def _assistant(entry: Entry, value: Mapping[str, Any]) -> None:
    message = value["message"]
    content = message.get("content")
    blocks = [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []
    if isinstance(content, str):
        blocks = [{"type": "text", "text": content}]
    entry.texts = tuple(
        text_at(b, "text") for b in blocks if text_at(b, "type") == "text" and text_at(b, "text").strip()
    )
    entry.uses = tuple(
        ToolUse(text_at(b, "id"), text_at(b, "name"), b["input"] if isinstance(b.get("input"), dict) else {})
        for b in blocks
        if text_at(b, "type") in {"tool_use", "server_tool_use"}
    )
    entry.message = text_at(message, "id")
    entry.stop = text_at(message, "stop_reason")
    entry.api_error = value.get("isApiErrorMessage") is True


def _answers(value: object) -> tuple[str, ...]:
    """What the person answered to the agent's questions."""
    answers = value.get("answers") if isinstance(value, dict) else None
    return tuple(text for text in answers.values() if isinstance(text, str)) if isinstance(answers, dict) else ()


def _objection(text: str) -> tuple[str, ...]:
    """What the person said when rejecting a call."""
    if not text.startswith(_REJECTED):
        return ()
    words = text.partition(_OBJECTION)[2].strip()
    return (words,) if words else ()


def _details(value: object) -> dict[str, object]:
    """The small scalars of a structured result; file contents and patches are not needed."""
    if not isinstance(value, dict):
        return {}
    return {
        str(key): item
        for key, item in value.items()
        if isinstance(item, bool | int | float) or (isinstance(item, str) and len(item) <= _MAX_DETAIL)
    }

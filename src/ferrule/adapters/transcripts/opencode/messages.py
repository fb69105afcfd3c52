"""An OpenCode message is its facts and its parts; what a user message is shows in its parts.

Owns the marks of prompts, and of what the client itself puts in a user's place. Knows nothing of turns.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ferrule.adapters.transcripts.fields import text_at
from ferrule.adapters.transcripts.injected import without_injected

__all__ = ["Message", "Prompt", "Talk", "read_prompt"]

_SHELL = "The following tool was executed by the user"
_QUOTED = re.compile(r'"(?P<text>[^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
_LONGEST = 256 * 1024  # of a prompt on a command line


@dataclass(frozen=True, slots=True)
class Message:
    """One message: `info` as the client keeps it, and its parts in order."""

    info: Mapping[str, Any]
    parts: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Talk:
    """One session as its file shows it: its facts and its messages in order."""

    info: Mapping[str, Any]
    messages: Sequence[Message]


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a user message is.

    Attributes:
        kind: `human`; `continued` (the client's own words, on which a running turn goes on); `aside` (no turn of a
            person, for `reason`).
        text: the person's words; empty for a message of files only.
    """

    kind: str
    text: str = ""
    reason: str = ""


def read_prompt(message: Message) -> Prompt:
    """Tell a person's words from a compaction, a shell command of the user, and what the client adds by itself."""
    said: list[str] = []
    own: list[str] = []
    for part in message.parts:
        kind = text_at(part, "type")
        if kind == "compaction":
            return Prompt("aside", reason="injected" if part.get("auto") is True else "ui-command")
        if kind == "text" and text_at(part, "text").strip():
            (own if _is_added(part) else said).append(text_at(part, "text"))
    words = without_injected(_unquoted("\n".join(said))).strip()
    if words:
        return Prompt("human", words)
    if any(text.startswith(_SHELL) for text in own):
        return Prompt("aside", reason="user-shell")
    if any(text_at(part, "type") == "subtask" for part in message.parts):
        return Prompt("aside", reason="command")
    return Prompt("continued") if own or said else Prompt("human")


def _is_added(part: Mapping[str, Any]) -> bool:
    """A part that the client or a plugin wrote: a file's text, a reminder, a note that no model sees."""
    return part.get("synthetic") is True or part.get("ignored") is True


def _unquoted(text: str) -> str:
    """`opencode run` puts a prompt with spaces into quotes; they are nobody's words."""
    found = _QUOTED.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    return found["text"].replace('\\"', '"') if found and " " in found["text"] else text

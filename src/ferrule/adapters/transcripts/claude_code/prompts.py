"""What a user line of Claude Code is: a person's prompt, a command, or one of the client's many notices.

Owns the marks of those lines. Knows nothing of turns.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ferrule.adapters.transcripts.fields import text_at
from ferrule.adapters.transcripts.injected import without_injected

__all__ = ["Prompt", "read_prompt"]

_INTERRUPTED = "[Request interrupted by user"
_NOBODY = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
_NOTICES = (
    ("<task-notification>", "injected"),
    ("<teammate-message", "injected"),
    ("<cross-session-message", "injected"),
    ("Operation stopped by hook:", "injected"),
    ("<bash-input>", "user-shell"),
    ("<bash-stdout>", "user-shell"),
    ("<bash-stderr>", "user-shell"),
)
_ECHOES = ("<local-command-stdout>", "<local-command-stderr>", "<local-command-caveat>", "Caveat: The messages below")
_UI_COMMANDS = frozenset(
    (
        *("exit", "quit", "clear", "mcp", "model", "help", "login", "logout", "status", "config", "cost", "doctor"),
        *("resume", "compact", "context", "memory", "permissions", "hooks", "agents", "vim", "terminal-setup", "ide"),
        *("add-dir", "bashes", "tasks", "export", "fast", "theme", "usage", "upgrade", "release-notes", "rewind"),
        *("plugin", "plugins", "output-style", "statusline", "privacy-settings", "feedback", "bug", "effort", "rename"),
        *("install-github-app", "todos", "stats", "skills", "color", "keybindings", "chrome", "copy", "diff", "btw"),
    )
)
_OWN = "ferrule:"
"""Ferrule's own commands: what it is asked and answers there is about memory, and never for it."""
_NAME = re.compile(r"<command-name>/?([^<\n]{1,200})</command-name>")
_ARGUMENTS = re.compile(r"<command-args>(.{0,100000}?)</command-args>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a user line says.

    Attributes:
        kind: `human` (a person's prompt), `steering` (words beside a tool result), `notice` (opens a turn that nobody
            asked for), `interruption` (closes the running turn), or `echo` (belongs to nothing).
        text: the person's words.
        reason: why a turn that a notice opens is not reviewable.
    """

    kind: str
    text: str = ""
    reason: str = ""


_ECHO = Prompt("echo")


def read_prompt(line: Mapping[str, Any], content: object) -> Prompt:
    """Tell what a `user` line is, from its flags and its text."""
    text, has_results, has_media = _text_of(content)
    stripped = text.lstrip()
    if any(line.get(flag) for flag in _NOBODY) or stripped.startswith(_ECHOES):
        return _ECHO
    if stripped.startswith(_INTERRUPTED):
        return Prompt("interruption")
    words = without_injected(text).strip()
    if has_results:
        return Prompt("steering", words) if words else _ECHO
    return _opening(stripped, words, has_media=has_media)


def _opening(stripped: str, words: str, *, has_media: bool) -> Prompt:
    """A line that opens a turn: a notice of the client, a command, or a person's words."""
    reason = next((reason for mark, reason in _NOTICES if stripped.startswith(mark)), "")
    if reason:
        return Prompt("notice", reason=reason)
    if stripped.startswith(("<command-message>", "<command-name>")):
        return _command(stripped)
    return Prompt("human", words) if words or has_media else _ECHO


def _command(text: str) -> Prompt:
    """A slash command: those of the user interface are notices, a custom one is a prompt with its arguments."""
    name = _NAME.search(text)
    command = name[1].strip() if name else ""
    if not command or command.lower() in _UI_COMMANDS or command.lower().startswith(_OWN):
        return Prompt("notice", reason="ui-command")
    given = _ARGUMENTS.search(text)
    return Prompt("human", without_injected(given[1]).strip() if given and given[1].strip() else command)


def _text_of(content: object) -> tuple[str, bool, bool]:
    """The text blocks of a message, whether it carries tool results, and whether it carries images."""
    if isinstance(content, str):
        return content, False, False
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    texts = [
        block["text"] for block in blocks if text_at(block, "type") == "text" and isinstance(block.get("text"), str)
    ]
    kinds = {text_at(block, "type") for block in blocks}
    return "\n".join(texts), "tool_result" in kinds, bool(kinds & {"image", "document"})

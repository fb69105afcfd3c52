"""What a client or Ferrule itself puts into a message is cut out of it: it is nobody's words (R94).

Owns the fences of injected text. Knows nothing of formats.
"""

import re

__all__ = ["is_own_tool", "without_injected", "without_recalled"]

# By the ways in which clients join a server's name with that of its tool.
_OWN_TOOLS = ("mcp__ferrule__", "mcp_ferrule_", "ferrule__", "ferrule_", "ferrule-")

_FENCES = (
    "system-reminder",
    "ferrule-memory",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "environment_context",
    "environment_details",
    "user_instructions",
    "local-command-caveat",
    "hook_context",
    "session_context",
    "skill-context",
    "system_notification",
    "system_reminder",
)
_OPEN = re.compile(rf"<({'|'.join(_FENCES)})\b[^>\n]{{0,300}}>")
_RECALLED = re.compile(r"<(ferrule-memory)\b[^>\n]{0,300}>")
_MAX_FENCES = 200


def is_own_tool(name: str) -> bool:
    """Whether a call asked Ferrule itself: neither its words nor its answer is evidence of anything (R94)."""
    return name.startswith(_OWN_TOOLS)


def without_injected(text: str) -> str:
    """The text without fenced injected parts; a fence that is not closed reaches to the end."""
    return _without(_OPEN, text)


def without_recalled(text: str) -> str:
    """A tool's text without what Ferrule told: `ferrule context` prints it, and clients hand it around (R94)."""
    return _without(_RECALLED, text)


def _without(fence: re.Pattern[str], text: str) -> str:
    parts: list[str] = []
    at = 0
    for _ in range(_MAX_FENCES):
        opened = fence.search(text, at)
        if opened is None:
            break
        parts.append(text[at : opened.start()])
        closing = f"</{opened[1]}>"
        end = text.find(closing, opened.end())
        at = len(text) if end < 0 else end + len(closing)
    if not parts:
        return text
    parts.append(text[at:])
    return "".join(parts).strip()

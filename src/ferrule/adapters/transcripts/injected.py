"""What a client or Ferrule itself puts into a message is cut out of it: it is nobody's words (R94).

Owns the fences of injected text. Knows nothing of formats.
"""

import re

__all__ = ["without_injected"]

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
)
_OPEN = re.compile(rf"<({'|'.join(_FENCES)})\b[^>\n]{{0,300}}>")
_MAX_FENCES = 200


def without_injected(text: str) -> str:
    """The text without fenced injected parts; a fence that is not closed reaches to the end."""
    parts: list[str] = []
    at = 0
    for _ in range(_MAX_FENCES):
        opened = _OPEN.search(text, at)
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

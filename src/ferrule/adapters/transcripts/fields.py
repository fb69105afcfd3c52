"""A member of a JSON object is read as what it should be, or as nothing: files of other versions hold anything.

Owns that reading. Knows nothing of formats.
"""

from collections.abc import Mapping
from typing import Any

__all__ = ["joined_texts", "text_at"]


def text_at(value: Mapping[str, Any], key: str) -> str:
    """The text under a key; empty when there is none or it is no text."""
    found = value.get(key)
    return found if isinstance(found, str) else ""


def joined_texts(content: object) -> str:
    """A text, or the texts of content blocks joined by newlines."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(b["text"] for b in blocks if isinstance(b, dict) and isinstance(b.get("text"), str))

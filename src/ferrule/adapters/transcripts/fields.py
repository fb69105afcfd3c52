"""A member of a JSON object is read as what it should be, or as nothing: files of other versions hold anything.

Owns that reading. Knows nothing of formats.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

__all__ = ["joined_texts", "moment", "object_at", "objects_at", "text_at"]

_MOMENT = re.compile(r"[0-9][0-9T:Z.,+\- ]{3,39}")
_NO_NUMBER = 1e15
_NOTHING: Mapping[str, Any] = MappingProxyType({})


def text_at(value: Mapping[str, Any], key: str) -> str:
    """The text under a key; empty when there is none or it is no text."""
    found = value.get(key)
    return found if isinstance(found, str) else ""


def number_at(value: Mapping[str, Any], key: str) -> float:
    """The number under a key; zero when there is none, or one that no file means."""
    found = value.get(key)
    usable = isinstance(found, int | float) and not isinstance(found, bool) and abs(found) < _NO_NUMBER
    return float(found) if usable and found is not None else 0.0


def object_at(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The object under a key; empty when there is none or it is no object."""
    found = value.get(key)
    return found if isinstance(found, dict) else _NOTHING


def objects_at(value: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The objects of the list under a key, what is no object left out; empty when there is no list."""
    found = value.get(key)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def joined_texts(content: object) -> str:
    """A text, or the texts of content blocks joined by newlines."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(b["text"] for b in blocks if isinstance(b, dict) and isinstance(b.get("text"), str))


def moment(text: str | None) -> str | None:
    """A time as it is written; None for what is none, since a time passes no scrubber (D13)."""
    return text if text and _MOMENT.fullmatch(text) else None

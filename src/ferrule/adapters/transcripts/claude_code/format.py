"""Claude Code sessions as one of the formats that are read."""

from collections.abc import Mapping
from typing import Any

from ferrule.adapters.transcripts.claude_code.reader import FORMAT as NAME
from ferrule.adapters.transcripts.claude_code.reader import is_claude_code, read_claude_code
from ferrule.adapters.transcripts.formats import Format, Given, Sample
from ferrule.session.imported import ImportedSession

__all__ = ["FORMAT"]


def _looks(sample: Sample) -> bool:
    return any(is_claude_code(value) for value in sample.values) and not any(map(_has_parts, sample.values))


def _has_parts(value: Mapping[str, Any]) -> bool:
    """Whether a message is in parts: Qwen Code's lines are Claude Code's in all but that."""
    message = value.get("message")
    return isinstance(message, dict) and "parts" in message and "content" not in message


def _read(given: Given) -> tuple[ImportedSession, ...]:
    return read_claude_code(given.records, given.lines, given.scrub, stem=given.stem, profiles=given.profiles)


FORMAT = Format(NAME, "a Claude Code session", _looks, _read)

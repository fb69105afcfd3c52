"""A file without ids names a conversation by what it began with, and a file of several gives each of them once.

Owns those two rules, and the text of a file that is no JSON. Knows nothing of formats.
"""

import hashlib
from collections.abc import Iterable, Sequence

from ferrule.adapters.transcripts.formats import Given
from ferrule.session.imported import ImportedSession

__all__ = ["distinct", "opening", "whole_text"]


def whole_text(given: Given) -> str:
    """The text of a file of a text format: that its lines are no JSON is then nothing to warn of."""
    given.lines.unreadable.clear()
    return given.text


def opening(parts: Iterable[str]) -> bytes:
    """A digest of what a conversation began with, to name it by: it stays when the conversation goes on."""
    text = "\x00".join(parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest().encode("ascii")


def distinct(sessions: Sequence[ImportedSession], warnings: list[str]) -> tuple[ImportedSession, ...]:
    """Each conversation once, in its longest form: a file may hold one twice, or again after it went on.

    Args:
        sessions: the conversations as they stand in the file.
        warnings: takes a line when one is left out.
    """
    longest: dict[str, ImportedSession] = {}
    for session in sessions:
        known = longest.get(session.session.key)
        if known is None or len(known.turns) < len(session.turns):
            longest[session.session.key] = session
    if len(longest) < len(sessions):
        warnings.append(f"duplicate-session: {len(sessions) - len(longest)} left out")
    return tuple(longest.values())

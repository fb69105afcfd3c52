"""What other sessions of the repository remember comes last, and says whose it is and how old.

Owns the label and what is never told of others: what the session was told already, and what a person has forgotten
anywhere among them (design.md section 7, R87, DEC-D14). Told only where a person opted in; that, and which sessions
these are, is decided elsewhere. Never used for admission.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from ferrule.bridge.details import Details
from ferrule.recall.context import PlaceCheck, entry, safe
from ferrule.recall.ranking import ranked

__all__ = ["OTHER", "aged", "others_of", "wider_entries"]

OTHER = "other-session"
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_ENOUGH = 13  # of a UUID of version 7 all that tells milliseconds


def others_of(
    told: Iterable[Details], theirs: Iterable[tuple[str, Sequence[Details]]], forgotten: frozenset[str]
) -> tuple[Details, ...]:
    """Memories of other sessions, each marked with its origin, that tell something new.

    Args:
        told: what the session and its conversation remember themselves.
        theirs: (session key, its memories), the nearest first.
        forgotten: identity keys and names that a person had forgotten in any of these sessions.
    """
    seen = {handle.key or handle.value for memory in told for handle in memory.handles}
    found: list[Details] = []
    for session, memories in theirs:
        for memory in memories:
            keys = {handle.key or handle.value for handle in memory.handles}
            if memory.name in forgotten or keys & forgotten or keys <= seen:
                continue
            seen |= keys
            found.append(replace(memory, layer=OTHER, origin=session))
    return tuple(found)


def wider_entries(memories: Iterable[Details], place_check: PlaceCheck, now: float) -> Iterator[str]:
    """One line per memory, best first, with the session that it is of and its age; `now` in seconds since the epoch."""
    for memory in ranked(memories):
        line = entry(memory, place_check)
        if line:
            age = aged(memory.at, now)
            yield f"{line} [another session, {_short(memory.origin)}{f', {age}' if age else ''}]"


def _short(key: str) -> str:
    """As much of a session's key as names it among others: the rest would only cost tokens."""
    client, colon, native = safe(key).partition(":")
    return f"{client}{colon}{native[:_ENOUGH]}"


def aged(at: str, now: float) -> str:
    """How long ago that instant was, in the largest unit that fits; empty when it is none."""
    try:
        seconds = now - datetime.fromisoformat(at).timestamp()
    except ValueError:
        return ""
    for size, word in ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute")):
        count = int(seconds // size)
        if count >= 1:
            return f"{count} {word}{'' if count == 1 else 's'} ago"
    return "just now"

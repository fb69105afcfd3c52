"""The end of a long transcript is found from behind: from the line on which a known turn opens, nothing above it read.

Owns that search in blocks, bounded in distance and tries. A line counts only when it parses and opens that very turn:
the turn's key stands in other lines too, and in whatever a tool printed. Knows nothing of what follows the line.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any

from ferrule.adapters.transcripts.fields import text_at

__all__ = ["OPENINGS", "opening_of"]

_BLOCK = 256 * 1024
_MAX_BACK = 128 * 1024 * 1024
_MAX_LINE = 4 * 1024 * 1024
_MAX_TRIES = 200

_Opens = Callable[[Mapping[str, Any], str], bool]


def _claude_code(value: Mapping[str, Any], key: str) -> bool:
    return text_at(value, "type") == "user" and text_at(value, "uuid") == key and value.get("isSidechain") is not True


def _codex(value: Mapping[str, Any], key: str) -> bool:
    payload = value.get("payload")
    if text_at(value, "type") != "event_msg" or not isinstance(payload, dict):
        return False
    return text_at(payload, "type") in {"task_started", "turn_started"} and text_at(payload, "turn_id") == key


OPENINGS: Mapping[str, _Opens] = {"claude-code": _claude_code, "codex": _codex}


def opening_of(stream: IO[bytes], key: str, client: str) -> int | None:
    """The offset of the line that opens a turn, or None when it is not found within bounds.

    The first opening from behind counts; a turn has one. The stream is left anywhere.
    """
    opens = OPENINGS.get(client)
    if opens is None:
        return None
    needle = json.dumps(key).encode("ascii")
    for tries, (start, line) in enumerate(_lines_with(stream, needle)):
        if tries >= _MAX_TRIES:
            return None
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and opens(value, key):
            return start
    return None


def _lines_with(stream: IO[bytes], needle: bytes) -> Iterator[tuple[int, bytes]]:
    """(offset, line) of the lines that hold the bytes, from behind, each once; very long lines are passed over."""
    end = stream.seek(0, os.SEEK_END)
    least = max(0, end - _MAX_BACK)
    held = b""  # from `at` to the end of what was not looked at yet
    at = end
    while at > least:
        size = min(_BLOCK, at - least)
        at -= size
        stream.seek(at)
        held = stream.read(size) + held
        first = 0 if at == 0 else held.find(b"\n") + 1
        if at and not first:  # still inside one line
            if len(held) > _MAX_LINE:
                held = held[: len(needle)]  # what could begin here belongs to the line above as well
            continue
        whole, held = held[first:], held[:first]
        place = len(whole)
        while (found := whole.rfind(needle, 0, place)) >= 0:
            begin = whole.rfind(b"\n", 0, found) + 1
            close = whole.find(b"\n", found)
            yield at + first + begin, whole[begin : len(whole) if close < 0 else close]
            place = begin

"""What a change does to a file, shown to a person before it is done: the lines that come and go, and a few beside them.

Owns that preview. Lines beside a change are the person's own and may hold secrets, which are taken out here: a preview
is copied into an issue sooner than one thinks. Knows nothing of why a file changes.
"""

import difflib
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ferrule.adapters.clients.changes import Change
from ferrule.referents.secrets.detect import scrub

__all__ = ["Preview", "preview"]

CONTEXT = 2
MOST_LINES = 2000
LONG, BESIDE = 240, 40
_LONGEST = 4096
_HEAD = re.compile(r"@@ -(\d+)(\S*) \+(\d+)(\S*) @@")


@dataclass(frozen=True, slots=True)
class Preview:
    """One file: `action` is `new`, `change` or `remove`; `rows` are those of a unified diff without its head."""

    file: Path
    action: str
    meaning: str
    rows: tuple[str, ...]


def preview(changes: Iterable[Change]) -> tuple[Preview, ...]:
    """How each change looks."""
    return tuple(Preview(change.named, _action(change), change.meaning, _rows(change)) for change in changes)


def _action(change: Change) -> str:
    if change.before is None:
        return "new"
    return "remove" if change.after is None else "change"


def _rows(change: Change) -> tuple[str, ...]:
    before, after = _lines(change.before), _lines(change.after)
    head = _same(before, after)
    tail = _same(before[head:][::-1], after[head:][::-1])
    start = max(head - CONTEXT, 0)
    old = before[start : len(before) - max(tail - CONTEXT, 0)]
    new = after[start : len(after) - max(tail - CONTEXT, 0)]
    if len(old) > MOST_LINES or len(new) > MOST_LINES:
        return (f"@@ {len(old)} lines become {len(new)} @@",)
    if len(before) == len(after) == 1 and max(map(len, (before[0], after[0]))) > LONG:
        rows = _long(before[0], after[0])
    else:
        rows = list(difflib.unified_diff(old, new, n=CONTEXT, lineterm=""))[2:]
    key = secrets.token_bytes(16)
    return tuple(_numbered(row, start) if row[:1] == "@" else scrub(row[:_LONGEST], key) for row in rows)


def _long(before: str, after: str) -> list[str]:
    """A file on a single line: only what changes in it, and a little beside."""
    head = _same(before, after)
    tail = _same(before[head:][::-1], after[head:][::-1])
    rows = []
    for sign, line in (("-", before), ("+", after)):
        start, end = max(head - BESIDE, 0), min(len(line) - tail + BESIDE, len(line))
        rows.append(f"{sign}{'…' if start else ''}{line[start:end]}{'…' if end < len(line) else ''}")
    return rows


def _numbered(row: str, by: int) -> str:
    """The head of a hunk, whose lines were counted from another beginning."""
    return _HEAD.sub(lambda found: f"@@ -{int(found[1]) + by}{found[2]} +{int(found[3]) + by}{found[4]} @@", row)


def _lines(data: bytes | None) -> list[str]:
    text = "" if data is None else data.decode("utf-8", "replace").replace("\r\n", "\n")
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines, or characters, are the same from the beginning: halved, since a file may be one long line."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low

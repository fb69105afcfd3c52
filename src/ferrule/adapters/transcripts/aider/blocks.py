"""The model proposes edits in blocks; only aider's report says which of them were applied.

Owns SEARCH/REPLACE blocks and whole files in an answer, and the answer without them: what stands in a block is a change
or nothing, but no word of the answer. Knows nothing of turns.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, field

__all__ = ["Block", "Proposed", "proposed"]

_FENCE = re.compile(r"\s{0,3}(`{3,8}|~{3,8}|</?source>)[\w+#.-]{0,30}\s{0,20}")
_SEARCH = re.compile(r"<{5,9} SEARCH\b.{0,20}")
_DIVIDER = re.compile(r"={5,9}\s{0,8}")
_REPLACE = re.compile(r">{5,9} REPLACE\b.{0,20}")
_MAX_BLOCKS = 500


@dataclass(frozen=True, slots=True)
class Block:
    """One proposed edit: what is to be replaced by what; `old` is None where the whole file is given."""

    path: str
    old: str | None
    new: str


@dataclass(slots=True)
class Proposed:
    """An answer's blocks, and its prose without them."""

    prose: str = ""
    blocks: list[Block] = field(default_factory=list)


def proposed(text: str, applied: Collection[str]) -> Proposed:
    """Split an answer.

    Args:
        text: the model's answer.
        applied: the files of which aider says that an edit was applied; a fence behind such a name is the whole file.
    """
    found = Proposed()
    prose: list[str] = []
    lines = text.split("\n")
    at = 0
    named = ""
    while at < len(lines):
        line = lines[at]
        if _FENCE.fullmatch(line):
            end = _fence_end(lines, at)
            body = lines[at + 1 : end]
            if any(_SEARCH.fullmatch(row) for row in body[:2]) or named in applied:
                _take(found, named, body)
                at = end + 1
                continue
            prose += lines[at : end + 1]
            at = end + 1
            continue
        if _SEARCH.fullmatch(line):
            end = next((row for row in range(at, len(lines)) if _REPLACE.fullmatch(lines[row])), len(lines) - 1)
            _take(found, named, lines[at : end + 1])
            at = end + 1
            continue
        named = _name(line) or named
        prose.append(line)
        at += 1
    found.prose = "\n".join(prose).strip()
    return found


def _fence_end(lines: list[str], at: int) -> int:
    """The line that closes a fence; a fence inside of a SEARCH or REPLACE part is not it."""
    inside = False
    for row in range(at + 1, len(lines)):
        line = lines[row]
        inside = _SEARCH.fullmatch(line) is not None or (inside and _REPLACE.fullmatch(line) is None)
        if not inside and _FENCE.fullmatch(line):
            return row
    return len(lines) - 1


def _take(found: Proposed, path: str, body: list[str]) -> None:
    """The blocks of a fence; without a SEARCH it is the whole file."""
    if len(found.blocks) >= _MAX_BLOCKS:
        return
    if not any(_SEARCH.fullmatch(row) for row in body):
        found.blocks.append(Block(path, None, "\n".join(body)))
        return
    part: list[str] | None = None
    old: list[str] = []
    new: list[str] = []
    for row in body:
        if _SEARCH.fullmatch(row):
            old, new = [], []
            part = old
        elif part is old and _DIVIDER.fullmatch(row):
            part = new
        elif part is not None and _REPLACE.fullmatch(row):
            found.blocks.append(Block(path, "\n".join(old), "\n".join(new)))
            part = None
        elif part is not None:
            part.append(row)


def _name(line: str) -> str:
    """The file that a line before a fence names."""
    return line.strip().strip("*`#: ")[:400]

"""What ships for people to try was written by hand: how the tests of bundled turns and sessions see that it was.

Owns reading lines, every text of a value, and runs of eight words, ours and those of the judge's data. Knows nothing of
what any file holds.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["KEY", "Row", "grams", "in_the_judges_data", "rows", "strings"]

SHARED = Path(__file__).parents[3] / "shared"
KEY = b"k" * 32
# What programs print the same way everywhere is nobody's sentence.
PRINTED = re.compile(
    r"(?i)chunk id|wall time|process exited|files? changed|insertions|updated successfully|updated the following"
    r"|begin patch|end patch|added \d+ packages|want to proceed with this tool|operations to perform|system check"
)

Row = Mapping[str, Any]


def rows(path: Path) -> list[Row]:
    """The objects of a file of lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def strings(value: object) -> Iterator[str]:
    """Every text within a JSON value, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from strings(item)


def grams(texts: Iterable[str]) -> set[tuple[str, ...]]:
    """All runs of eight words within a line, lines that programs print left out."""
    lines = (line for text in texts for line in text.splitlines() if not PRINTED.search(line))
    return {gram for line in lines for gram in runs_of_eight(re.findall(r"\w+", line.lower()))}


def runs_of_eight(words: Sequence[str]) -> set[tuple[str, ...]]:
    """All runs of eight words."""
    return set(zip(*(words[start:] for start in range(8)), strict=False))


def in_the_judges_data(texts: Iterable[str]) -> set[tuple[str, ...]]:
    """The runs of eight words of some texts that stand in the gold turns, their labels or the corpus too."""
    ours = grams(texts)
    known = {word for gram in ours for word in gram}
    shared: set[tuple[str, ...]] = set()
    for path in [*SHARED.glob("gold/*"), *SHARED.glob("corpus/**/*")]:
        text = path.read_text(encoding="utf-8", errors="replace").lower() if path.is_file() else ""
        words = re.findall(r"\w+", text.replace("\\n", " ").replace("\\t", " "))
        ours_too = bytes(map(known.__contains__, words))
        for run in re.finditer(rb"\x01{8,}", ours_too):
            shared |= ours & runs_of_eight(words[run.start() : run.end()])
    return shared

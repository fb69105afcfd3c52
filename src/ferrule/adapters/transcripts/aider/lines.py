"""A chat history of Aider is markdown: a line is a start, a person's words, aider's own report, or the model's answer.

Owns how they are told apart: what aider and the person wrote ends in two blanks, a heading or a quotation of the model
does not; a report of several lines bears its mark on the first alone. Knows nothing of turns.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Line", "is_aider", "lines_of"]

_START = re.compile(r"# aider chat started at (\S[^\n]{0,60})")
_PERSON = re.compile(r"####(?: (.*))?")
_REPORT = re.compile(r">(?: (.*))?")
_MAX_LINES = 2_000_000
_MAX_REPORT = 2000


@dataclass(frozen=True, slots=True)
class Line:
    """One line: `kind` is `start`, `person`, `report` or `model`; `text` has no mark."""

    kind: str
    text: str
    number: int


def is_aider(text: str) -> bool:
    """Whether a text begins as a chat history does."""
    return _START.match(text.lstrip("\n \t")) is not None


def lines_of(text: str) -> Iterator[Line]:
    """The lines of a history in order."""
    rows = text.split("\n", _MAX_LINES)[:_MAX_LINES]
    # An editor may have taken the blanks off: then every mark counts.
    marked = any(row.startswith("#### ") and row.endswith("  ") for row in rows)
    open_since = 0
    before = ""
    for number, row in enumerate(rows, start=1):
        kind, words = _told(row, before, marked=marked)
        if open_since and kind in {"model", "report"}:
            # Within a report of several lines, until the one that ends in two blanks.
            kind, words = "report", words if kind == "report" else row.rstrip()
            open_since = 0 if row.endswith("  ") or number - open_since > _MAX_REPORT else open_since
        else:
            open_since = number if kind == "report" and marked and not row.endswith("  ") else 0
        yield Line(kind, words, number)
        before = kind


def _told(row: str, before: str, *, marked: bool) -> tuple[str, str]:
    """What a line is, by its mark and the kind of the line before."""
    start = _START.fullmatch(row.rstrip())
    if start is not None:
        return "start", start[1]
    person = _PERSON.fullmatch(row)
    if person is not None and (not marked or row.endswith("  ")):
        return "person", (person[1] or "").rstrip()
    report = _REPORT.fullmatch(row)
    if report is not None and (not marked or row.endswith("  ") or before == "report"):
        return "report", (report[1] or "").strip()
    # An answer begins behind an empty line: what follows a report at once is its next line.
    return ("report", row.strip()) if marked and before == "report" and row.strip() else ("model", row)

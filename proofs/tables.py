"""What a campaign found, as a table that a document can quote with its command.

Owns the rows and their text. Knows nothing of how a figure came about.
"""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Row", "table"]


@dataclass(frozen=True, slots=True)
class Row:
    """One line: what was done how often, and what was wrong.

    Attributes:
        what: the promise or the figure.
        runs: how often it was tried, in words or figures.
        violations: how often it was broken; None for a figure that is only told.
        seeds: which seeds were played, or which of them broke it.
        note: a figure that belongs to it.
    """

    what: str
    runs: str
    violations: int | None
    seeds: str = ""
    note: str = ""


def table(title: str, command: str, rows: Sequence[Row]) -> str:
    """The campaign's table in Markdown."""
    lines = [
        f"**{title}** (`{command}`)",
        "",
        "| what | runs | violations | seeds | figures |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.what} | {row.runs} | {'' if row.violations is None else row.violations} | {row.seeds} | {row.note} |"
        for row in rows
    ]
    return "\n".join(lines)

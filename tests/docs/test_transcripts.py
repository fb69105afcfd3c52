"""The page on transcripts names what exists."""

import re
from pathlib import Path

import pytest

from ferrule.adapters.transcripts.formats import formats
from ferrule.session.imported import SkippedTurn

PAGE = (Path(__file__).parents[2] / "docs" / "transcripts.md").read_text(encoding="utf-8")


def _first_cells(head: str) -> list[str]:
    """The names in the first column of the table that begins with this head."""
    table = PAGE.split(f"\n{head}", maxsplit=1)[1].split("\n\n", maxsplit=1)[0]
    cells = re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`([a-z-]+)`", cell)]


def test_the_page_explains_every_reason_for_skipping_a_turn() -> None:
    """R89: a reader of a report finds each reason explained, and no other."""
    listed = re.search(r"Reasons: `([a-z\s-]+)`", SkippedTurn.__doc__ or "")
    assert listed is not None
    assert sorted(_first_cells("| reason | the turn |")) == sorted(listed[1].split())


@pytest.mark.parametrize("head", ["| format | what it is |", "| format | session id |"])
def test_the_page_says_of_every_format_what_it_is_and_what_it_can_know(head: str) -> None:
    """R89, R94: each format that is read, under the name that `--format` takes, and no other."""
    assert sorted(_first_cells(head)) == sorted(known.name for known in formats())

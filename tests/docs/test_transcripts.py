"""The page on transcripts names what exists."""

import re
from pathlib import Path

from ferrule.session.imported import SkippedTurn

PAGE = Path(__file__).parents[2] / "docs" / "transcripts.md"


def test_the_page_explains_every_reason_for_skipping_a_turn() -> None:
    """R89: a reader of a report finds each reason explained, and no other."""
    explained = re.findall(r"^\| `([a-z-]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    listed = re.search(r"Reasons: `([a-z\s-]+)`", SkippedTurn.__doc__ or "")
    assert listed is not None
    assert sorted(explained) == sorted(listed[1].split())

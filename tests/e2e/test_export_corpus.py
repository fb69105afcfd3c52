"""Every real run and chat of five other agents goes through the command line (issue 5)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).parents[3] / "shared" / "corpus"
FOLDERS = ("swe-agent", "mini-swe-agent", "openhands", "aider", "specstory-cursor")
FILES = [path for folder in FOLDERS for path in sorted((SHARED / folder).glob("*")) if path.is_file()]


@pytest.mark.shared
@pytest.mark.parametrize("folder", FOLDERS)
def test_every_file_of_a_format_is_reviewed(ferrule: Callable[..., Any], folder: str) -> None:
    """R15, R71: exit 0, every turn ends as wrote or nothing, and writing stays sparse."""
    for path in (path for path in FILES if path.parent.name == folder):
        told = ferrule("review", str(path), "--json")
        assert told.code == 0, told.err
        reviews = [review for row in told.rows() for review in row["reviews"]]
        assert {review["outcome"] for review in reviews} <= {"wrote", "nothing"}
        assert all(len(review["written"]) <= 8 for review in reviews)
    for words in (["explain"], ["log"], ["context"]):
        assert ferrule(*words).code == 0

"""What a session worked on lately is told out of the stored reviews, and forgetting reaches it there."""

import sqlite3
from pathlib import Path

from .conftest import Ferrule

SAMPLE = Path(__file__).parents[2] / "src/ferrule/samples/codex-pull-request-and-worktree.jsonl"
TOUCHED = "harvest/retry.py"
FORGOTTEN = "HarvestToml"


def _candidates(home: Path, of: str) -> str:
    """What the stored reviews hold of the candidates that became this memory."""
    link = sqlite3.connect(home / "ferrule.sqlite3")
    try:
        rows = link.execute(
            "select one.value from reviews, json_each(reviews.body, '$.candidates') as one"
            " where one.value ->> 'label' = ? or one.value ->> 'target' = ?",
            (of, of),
        )
        return "\n".join(text for (text,) in rows)
    finally:
        link.close()


def test_what_was_touched_and_not_remembered_is_told_behind_the_memories(ferrule: Ferrule) -> None:
    """R87: the file that only a call changed stands in the last line of the context, its values whole."""
    ferrule("review", str(SAMPLE))
    *_, line, _ = ferrule("context", "--session", "last").out.strip().splitlines()
    assert line.startswith("- lately, not remembered: ")
    assert any(value.endswith(TOUCHED) for value in line.split("; "))


def test_what_a_person_forgets_is_told_no_more_and_leaves_the_reviews(ferrule: Ferrule, home: Path) -> None:
    """R97, DEC-D14: neither as a memory nor as something worked on lately; the candidate keeps no handle."""
    ferrule("review", str(SAMPLE))
    assert "harvest.toml" in ferrule("context", "--session", "last").out
    assert ferrule("memory", "forget", FORGOTTEN, "--yes").code == 0
    assert "harvest.toml" not in ferrule("context", "--session", "last").out
    left = _candidates(home, FORGOTTEN)
    assert left
    assert "harvest.toml" not in left

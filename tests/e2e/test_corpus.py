"""Every real session of the shared corpus is read and reviewed without an exception (issue 2)."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).parents[3] / "shared" / "corpus"
FOLDERS = ("claude-code", "codex")


def smallest(folder: str, count: int) -> list[Path]:
    """The smallest transcripts of a folder."""
    files = list((SHARED / folder).glob("*.jsonl")) if SHARED.is_dir() else []
    return sorted(files, key=lambda path: path.stat().st_size)[:count]


def totals(rows: list[dict[str, Any]]) -> dict[str, Counter[str]]:
    """Turns by outcome, skipped ones by reason, refusals by code, memories by modality."""
    reviews = [review for row in rows for review in row["reviews"]]
    refusals = [refusal for review in reviews for refused in review["refused"] for refusal in refused["refusals"]]
    return {
        "turns": Counter(review["outcome"] for review in reviews),
        "skipped": Counter(skip["reason"] for row in rows for skip in row["skipped"]),
        "refused": Counter(refusal["code"] for refusal in refusals),
        "written": Counter(written["modality"] for review in reviews for written in review["written"]),
    }


@pytest.mark.shared
@pytest.mark.parametrize(
    "path", [path for folder in FOLDERS for path in smallest(folder, 3)], ids=lambda path: path.stem
)
def test_a_real_session_is_reviewed(ferrule: Callable[..., Any], path: Path) -> None:
    """Exit 0; every turn ends as wrote or nothing; explain, context and log tell about it."""
    told = ferrule("review", str(path), "--json")
    assert told.code == 0, told.err
    assert set(totals(told.rows())["turns"]) <= {"wrote", "nothing"}
    for words in (["explain"], ["log"], ["context"], ["memory", "export"]):
        assert ferrule(*words).code == 0


@pytest.mark.shared
@pytest.mark.parametrize("folder", FOLDERS)
def test_every_real_session_of_a_client_is_reviewed(
    ferrule: Callable[..., Any], folder: str, record_property: Callable[[str, object], None]
) -> None:
    """All files of one client in one run: none is unreadable, no review fails, writing stays sparse (R71)."""
    told = ferrule("review", str(SHARED / folder), "--json")
    assert told.code == 0
    assert "skipped " not in told.err, told.err
    rows = told.rows()
    assert len(rows) >= len(smallest(folder, 1000))
    found = totals(rows)
    for name, counts in found.items():
        record_property(name, dict(counts))
    print({"sessions": len(rows), **{name: dict(counts) for name, counts in found.items()}})  # noqa: T201 - the totals
    assert set(found["turns"]) <= {"wrote", "nothing"}
    assert found["written"].total() <= 2 * found["turns"].total()

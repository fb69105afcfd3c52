"""`ferrule bench`: turns reviewed in isolation, predictions and figures written."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CREATED = "File created successfully at: /w/shop/{0}"


def turn(number: int, path: str, **more: object) -> dict[str, object]:
    """A neutral turn in which one file was written as the user asked."""
    call = {
        "call_id": "c1",
        "tool": "Write",
        "arguments": {"file_path": f"/w/shop/{path}", "content": "x"},
        "result": CREATED.format(path),
        "ok": True,
    }
    return {
        "id": f"b{number}",
        "session_key": "bench-one",
        "profile": "buffaly-agent",
        "turn_key": f"b{number}",
        "cwd": "/w/shop",
        "user": {"text": f"Please write {path} with the plan."},
        "outcome": {"text": f"I wrote `{path}`."},
        "tool_results": [call],
    } | more


def put(path: Path, rows: list[dict[str, object]]) -> str:
    """Rows as lines of JSON."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def label(number: int, path: str) -> dict[str, object]:
    """What an ideal critic would remember of that turn."""
    handle = {"kind": "filesystem-path", "value": path}
    entity = {"label": path, "type": "Document", "grade": "required", "handles": [handle], "modality": "created"}
    return {"id": f"b{number}", "entities": [entity], "forbidden": []}


def test_predictions_and_figures_are_written(tmp_path: Path, home: Path, ferrule: Callable[..., Any]) -> None:
    """Each turn alone: the same file in two turns is new in both; nothing of it reaches a home."""
    turns = put(tmp_path / "t.jsonl", [turn(1, "docs/plan.md"), turn(2, "docs/plan.md"), turn(3, "x.md", outcome={})])
    labels = put(tmp_path / "l.jsonl", [label(1, "docs/plan.md"), label(2, "docs/plan.md"), label(3, "x.md")])
    told = ferrule("bench", "--turns", turns, "--labels", labels, "--out", str(tmp_path / "out"), "--json")
    assert told.code == 0, told.err
    (figures,) = told.rows()
    assert figures["figures"]["hit_required"] == 2
    assert figures["skipped"] == [{"id": "b3", "reason": "no-outcome"}]
    lines = (tmp_path / "out" / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["b1", "b2"]
    assert json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))["figures"] == figures["figures"]
    assert not home.exists()
    sure = ferrule(
        "bench", "--turns", turns, "--labels", labels, "--out", str(tmp_path / "o"), "--json", "--threshold", ".9999999"
    )
    assert sure.rows()[0]["figures"]["written"] == 0
    assert ferrule("bench", "--turns", turns, "--labels", labels, "--out", "x", "--threshold", "2").code == 2
    page = ferrule("bench", "--turns", turns, "--labels", labels, "--out", str(tmp_path / "out")).out
    assert "precision" in page
    assert ">= 0.92" in page


@pytest.mark.parametrize(
    ("turns", "labels", "code"),
    [("none", "l", 3), ("t", "none", 3), ("bad", "l", 3), ("t", "bad", 3), ("list", "l", 3)],
)
def test_what_cannot_be_read_is_one_line(
    tmp_path: Path, ferrule: Callable[..., Any], *, turns: str, labels: str, code: int
) -> None:
    """Exit 3; no half-written predictions."""
    put(tmp_path / "t", [turn(1, "a.md")])
    put(tmp_path / "l", [label(1, "a.md")])
    (tmp_path / "bad").write_text("{no json\n", encoding="utf-8")
    (tmp_path / "list").write_text("[1]\n", encoding="utf-8")
    out = tmp_path / "out"
    told = ferrule("bench", "--turns", str(tmp_path / turns), "--labels", str(tmp_path / labels), "--out", str(out))
    assert (told.code, told.err.count("\n")) == (code, 1), told.err
    assert not (out / "predictions.jsonl").exists()


def test_a_turn_is_reviewed_from_standard_input(ferrule: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """`ferrule review -` takes the neutral one-turn form."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(turn(1, "docs/plan.md")).encode())))
    (report,) = ferrule("review", "-", "--json").rows()
    assert report["session"] == "bench-one"
    assert report["reviews"][0]["written"][0]["handles"][0]["value"].endswith("docs/plan.md")

"""A benchmark reviews each labelled turn by itself and leaves predictions and figures behind."""

import json
from pathlib import Path

import pytest

from ferrule.errors import StoreError, UnreadableInput
from ferrule.evaluation.bench import METRICS, PREDICTIONS, BenchTurn, Reviewed, run_bench
from ferrule.evaluation.records import read_labels
from ferrule.evaluation.scoring import Label, Labelled, WrittenMemory
from ferrule.session.turn import Turn

LABELS = (
    Label(
        "one", (Labelled("app", "SourceFile", "required", (("filesystem-path", "src/app.py"),), "changed"),), (), "a/1"
    ),
    Label("two", (Labelled("PR", "PullRequest", "required", (("pull-request", "7"),), "created"),), (), "b/2"),
    Label("three", (), (), "b/3"),
)


def turn(key: str) -> Turn:
    """A turn that says next to nothing."""
    return Turn(key=key, session="s", ordinal=1, user="u", outcome="o")


def review(item: Turn) -> Reviewed:
    """A critic that knows one file."""
    written = (WrittenMemory("App", (("filesystem-path", "/x/src/app.py"),), "changed"),) if item.key == "one" else ()
    return Reviewed(written, cpu_ms=2.0)


def test_a_run_leaves_predictions_and_figures_by_kind(tmp_path: Path) -> None:
    """R71: recall by type, by handle kind and by format."""
    turns = [BenchTurn("one", turn("one")), BenchTurn("three", turn("three")), BenchTurn("other", turn("other"))]
    metrics = run_bench(turns, review, LABELS, tmp_path / "out")
    stored = json.loads((tmp_path / "out" / METRICS).read_text(encoding="utf-8"))
    assert stored == json.loads(json.dumps(metrics))
    assert stored["figures"]["recall"] == 0.5
    assert stored["types"]["PullRequest"]["hit"] == 0
    assert stored["groups"]["files"]["recall"] == 1.0
    assert stored["formats"]["a"]["precision"] == 1.0
    assert stored["skipped"] == [{"id": "two", "reason": "not among the turns"}]
    lines = (tmp_path / "out" / PREDICTIONS).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["one", "three"]


def test_an_unreviewable_turn_is_skipped_with_its_reason(tmp_path: Path) -> None:
    """R76."""
    metrics = run_bench([BenchTurn("two", None, "no-outcome")], review, LABELS[1:2], tmp_path)
    assert metrics["skipped"] == [{"id": "two", "reason": "no-outcome"}]


def test_an_unwritable_folder_is_one_clear_error(tmp_path: Path) -> None:
    """R89."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreError):
        run_bench([], review, LABELS, tmp_path / "file" / "out")


@pytest.mark.parametrize("text", ["{", "[]\n", '{"x": 1}\n'])
def test_a_broken_label_file_is_one_clear_error(text: str, tmp_path: Path) -> None:
    """R89."""
    path = tmp_path / "labels.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableInput):
        read_labels(path)

"""`ferrule bench`: turns reviewed in isolation in every lane, kept as they are made, told in figures."""

import contextlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ferrule as package
from ferrule.wiring.benching_turns import bench_turns, scrub_of

CREATED = "File created successfully at: /w/shop/{0}"
PATIENCE = 120.0


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
    return {"id": f"b{number}", "file": f"shop/{number}", "entities": [entity], "forbidden": []}


@pytest.fixture
def case(tmp_path: Path) -> tuple[str, ...]:
    """Three turns, the third of which cannot be reviewed, and their labels, as options."""
    turns = put(tmp_path / "t.jsonl", [turn(1, "docs/plan.md"), turn(2, "docs/plan.md"), turn(3, "x.md", outcome={})])
    labels = put(tmp_path / "l.jsonl", [label(1, "docs/plan.md"), label(2, "docs/plan.md"), label(3, "x.md")])
    return ("bench", "--turns", turns, "--labels", labels)


Ferrule = Callable[..., Any]


def test_predictions_and_figures_are_written(
    tmp_path: Path, home: Path, ferrule: Ferrule, case: tuple[str, ...]
) -> None:
    """Each turn alone: the same file in two turns is new in both; nothing of it reaches a home."""
    out = tmp_path / "out"
    told = ferrule(*case, "--out", str(out), "--json")
    assert told.code == 0, told.err
    (figures,) = told.rows()
    assert figures["figures"]["hit_required"] == 2
    assert figures["skipped"] == [{"id": "b3", "reason": "no-outcome"}]
    lines = (out / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["b1", "b2"]
    assert (out / "lanes" / "embedded" / "predictions.jsonl").read_text(encoding="utf-8").splitlines() == lines
    stored = json.loads((out / "metrics.json").read_text(encoding="utf-8"))
    assert {**stored, "out_of_bounds": []} == figures
    assert not home.exists()
    first = stored["lanes"]["embedded"]["turns"][0]
    assert first["entities"][0]["verdict"] == "hit"
    assert first["written"][0]["why"]
    assert stored["lanes"]["embedded"]["thresholds"]["as_shipped"]["hit"] == 2


def test_the_page_tells_figures_goals_and_what_was_kept(
    tmp_path: Path, ferrule: Ferrule, case: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """R71: values beside intervals and goals; skipped turns by name; no line is wider than the terminal."""
    page = ferrule(*case, "--out", str(tmp_path / "out"))
    assert page.code == 0, page.err
    for words in (
        "precision",
        ">= 0.92",
        "not met",
        "1 skipped",
        "b3: no-outcome",
        "found 2 of 3 required",
        "Document",
    ):
        assert words in page.out
    monkeypatch.setenv("COLUMNS", "80")
    narrow = ferrule(*case, "--out", str(tmp_path / "out")).out
    assert max(map(len, narrow.splitlines())) <= 80


def test_lanes_stand_beside_each_other(tmp_path: Path, ferrule: Ferrule, case: tuple[str, ...]) -> None:
    """R71: a surer reviewer and a stored critic's file; agreement between each two; one journal per lane."""
    stored = put(tmp_path / "peer.jsonl", [{"id": "b1", "written": [{"prototype": "P", "handles": []}]}])
    out = tmp_path / "out"
    lanes = ("--lane", "embedded", "--lane", "sure=embedded:threshold=.9999999", "--lane", f"file:{stored}")
    told = ferrule(*case, "--out", str(out), *lanes, "--jobs", "3", "--json")
    assert told.code == 0, told.err
    (metrics,) = told.rows()
    assert {name: row["figures"]["written"] for name, row in metrics["lanes"].items()} == {
        "embedded": 2,
        "sure": 0,
        "file-peer": 1,
    }
    assert [pair["lanes"][0] for pair in metrics["agreement"]] == ["embedded", "embedded", "sure"]
    assert metrics["lanes"]["sure"]["lane"]["about"]["threshold"] == "0.9999999"
    assert sorted(path.name for path in (out / "lanes").iterdir()) == ["embedded", "file-peer", "sure"]
    assert not (out / "predictions.jsonl").exists()
    page = ferrule(*case, "--out", str(out), *lanes)
    assert "embedded and sure" in page.out
    assert "rows were there" not in page.err


def test_a_second_start_goes_on_and_another_run_is_refused(
    tmp_path: Path, ferrule: Ferrule, case: tuple[str, ...]
) -> None:
    """R89: the same files, and one line that says what differs and what to do."""
    out = tmp_path / "out"
    first = ferrule(*case, "--out", str(out), "--json").rows()
    journal = out / "lanes" / "embedded" / "rows.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole[: whole.index(b"\n") + 20])
    again = ferrule(*case, "--out", str(out), "--json")
    assert "1 damaged" in again.err
    assert "1 of 3 rows were there" in again.err
    assert without_times(again.rows()) == without_times(first)
    refused = ferrule(*case, "--out", str(out), "--threshold", "0.9")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "--fresh" in refused.err
    assert ferrule(*case, "--out", str(out), "--threshold", "0.9", "--fresh").code == 0
    run = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert len(run["code"]) == len(run["lanes"][0]["about"]["weights"]) == 64
    put(out / "run.json", [{**run, "code": "of yesterday"}])
    assert "other reviewing code" in ferrule(*case, "--out", str(out), "--threshold", "0.9").err


def without_times(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """JSON without what no two runs share."""
    times = {"cpu_ms", "wall_ms", "latency", "started"}
    if isinstance(value, dict):
        return {name: without_times(part) for name, part in value.items() if name not in times}
    return [without_times(part) for part in value] if isinstance(value, list) else value


def test_figures_out_of_bounds_fail_a_pipeline(ferrule: Ferrule, case: tuple[str, ...]) -> None:
    """R71: exit 1 and one line per figure; within bounds exit 0."""
    worse = ferrule(*case, "--fail-below", "precision=0.5,recall=0.9", "--fail-above", "forbidden=0", "--json")
    assert worse.code == 1
    (row,) = worse.rows()[0]["out_of_bounds"]
    assert (row["lane"], row["figure"], row["side"], row["bound"]) == ("embedded", "recall", "below", 0.9)
    assert "embedded: recall 0.6667 is below 0.9" in worse.err
    assert ferrule(*case, "--fail-below", "recall=0.6", "--fail-above", "written=2").code == 0
    nothing = ferrule(*case, "--threshold", ".9999999", "--fail-below", "precision=0.1", "--fail-above", "precision=0")
    assert (nothing.code, "precision (not counted) is below 0.1" in nothing.err) == (1, True)


def test_a_baseline_tells_what_changed(tmp_path: Path, ferrule: Ferrule, case: tuple[str, ...]) -> None:
    """R71: also against the run in the same folder, before it is written anew."""
    out = str(tmp_path / "out")
    ferrule(*case, "--out", out)
    told = ferrule(*case, "--threshold", ".9999999", "--baseline", out)
    assert "b1  lost Document: docs/plan.md" in told.out
    assert "recall" in told.out.partition("Since")[2]
    same = ferrule(*case, "--out", out, "--baseline", f"{out}/metrics.json")
    assert "no figure moved" in same.out


def test_turns_are_chosen_by_number_or_name(ferrule: Ferrule, case: tuple[str, ...]) -> None:
    """R71."""
    assert ferrule(*case, "--limit", "1", "--json").rows()[0]["figures"]["turns"] == 1
    (chosen,) = ferrule(*case, "--only", "b2, b3", "--json").rows()
    assert [row["id"] for row in chosen["turns"]] == ["b2", "b3"]


def test_without_files_the_shipped_turns_are_tried_and_nothing_is_kept(
    tmp_path: Path, ferrule: Ferrule, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R71: it runs on any machine."""
    monkeypatch.chdir(tmp_path)
    told = ferrule("bench", "--limit", "3")
    assert told.code == 0, told.err
    assert told.out.startswith("3 turns")
    assert "Nothing was kept" in told.out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("turns", "labels", "code"),
    [("none", "l", 3), ("t", "none", 3), ("bad", "l", 3), ("t", "bad", 3), ("list", "l", 3), ("t", "t", 3)],
)
def test_what_cannot_be_read_is_one_line(
    tmp_path: Path, ferrule: Ferrule, *, turns: str, labels: str, code: int
) -> None:
    """Exit 3; nothing is created."""
    put(tmp_path / "t", [turn(1, "a.md")])
    put(tmp_path / "l", [label(1, "a.md")])
    (tmp_path / "bad").write_text("{no json\n", encoding="utf-8")
    (tmp_path / "list").write_text("[1]\n", encoding="utf-8")
    out = tmp_path / "out"
    told = ferrule("bench", "--turns", str(tmp_path / turns), "--labels", str(tmp_path / labels), "--out", str(out))
    assert (told.code, told.err.count("\n")) == (code, 1), told.err
    assert not out.exists()


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--lane", "nobody"), 2, "embedded (the reviewer that ships with Ferrule), file:PREDICTIONS.jsonl"),
        (("--lane", "embedded:colour=red"), 2, "its settings: threshold"),
        (("--lane", "embedded:threshold=2"), 2, "above 0 and below 1"),
        (("--lane", "embedded:x"), 2, "it is written embedded"),
        (("--lane", "file"), 2, "it is written file:PREDICTIONS.jsonl"),
        (("--lane", "file:/none"), 3, "/none cannot be read"),
        (("--lane", "embedded", "--lane", "embedded"), 2, "two lanes are called embedded"),
        (("--threshold", "2"), 2, "above 0 and below 1"),
        (("--fail-below", "beauty=1"), 2, "precision, recall"),
        (("--fail-above", "forbidden"), 2, "forbidden=0.9"),
        (("--only", "b1,b9"), 2, "no label for b9"),
        (("--limit", "0"), 2, "from 1"),
        (("--jobs", "0"), 2, "from 1 to 32"),
        (("--draws", "-1"), 2, "from 0"),
        (("--baseline", "/none"), 3, "/none is not there"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_before_anything_is_created(
    tmp_path: Path, ferrule: Ferrule, case: tuple[str, ...], *, options: tuple[str, ...], code: int, words: str
) -> None:
    """R89: and it says what there is."""
    told = ferrule(*case, "--out", str(tmp_path / "out"), *options)
    assert (told.code, told.err.count("\n")) == (code, 1), told.err
    assert words in told.err
    assert not (tmp_path / "out").exists()


def test_files_and_options_that_do_not_go_together_are_refused(tmp_path: Path, ferrule: Ferrule) -> None:
    """R89: turns without labels, labels of other turns, a turn twice, --fresh without a run."""
    turns = put(tmp_path / "t", [turn(1, "a.md")])
    other = put(tmp_path / "o", [label(2, "a.md")])
    twice = put(tmp_path / "tt", [turn(1, "a.md"), turn(1, "b.md")])
    labels = put(tmp_path / "l", [label(1, "a.md")])
    assert "go together" in ferrule("bench", "--turns", turns).err
    assert "has a label" in ferrule("bench", "--turns", turns, "--labels", other).err
    assert "the turn b1 twice" in ferrule("bench", "--turns", twice, "--labels", labels).err
    assert "need --out" in ferrule("bench", "--fresh").err
    assert (
        "holds no predictions" in ferrule("bench", "--turns", turns, "--labels", labels, "--lane", f"file:{turns}").err
    )


def test_secrets_are_marked_alike_in_every_run_and_otherwise_for_other_turns(tmp_path: Path) -> None:
    """D13, R89: what a resumed run writes is what an undisturbed one writes, and no mark can be checked by guessing."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    rows = [turn(1, "a.md", user={"text": f"use {secret} for it"}), turn(2, "b.md")]
    paths = [Path(put(tmp_path / "t", rows)), Path(put(tmp_path / "u", rows[:1]))]
    texts = [next(iter(bench_turns(path, scrub_of(path))(["b1"]))).read().turn for path in (*paths, paths[0])]
    said = [item.user for item in texts if item is not None]
    assert not any(secret in text for text in said)
    assert said[0] == said[2] != said[1]


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_killed_run_is_gone_on_with_and_ends_as_an_undisturbed_one(tmp_path: Path) -> None:
    """R89: the real command, killed with -9 among its rows."""
    # A copy, so that nobody's edit meanwhile is taken for other code.
    copy = tmp_path / "copy"
    shutil.copytree(Path(package.__file__).parent, copy / "ferrule")
    environment = {**os.environ, "PYTHONPATH": str(copy), "FERRULE_HOME": str(tmp_path / "home")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # three starts of the copy, compiled once
    turns = put(tmp_path / "t.jsonl", [turn(number, f"docs/plan{number}.md") for number in range(16)])
    labels = put(tmp_path / "l.jsonl", [label(number, f"docs/plan{number}.md") for number in range(16)])

    def command(out: str) -> list[str]:
        bench = [sys.executable, "-m", "ferrule", "bench", "--turns", turns, "--labels", labels]
        return [*bench, "--out", str(tmp_path / out), "--json"]

    def done(out: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - our own command
            command(out), env=environment, check=False, capture_output=True, encoding="utf-8", timeout=PATIENCE
        )

    rows = tmp_path / "out" / "lanes" / "embedded" / "rows.jsonl"
    until = time.monotonic() + PATIENCE
    with subprocess.Popen(  # noqa: S603 - our own command
        command("out"), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as killed:
        while not rows.exists() or rows.read_bytes().count(b"\n") < 2:
            with contextlib.suppress(subprocess.TimeoutExpired):
                pytest.fail(f"it ended by itself: {killed.wait(timeout=0.02)}")
            assert time.monotonic() < until
        killed.send_signal(signal.SIGKILL)
    made = rows.read_bytes().count(b"\n")
    assert 2 <= made < 16

    whole, resumed = done("whole"), done("out")
    assert f"{made} of 16 rows were there" in resumed.stderr
    assert without_times(json.loads(resumed.stdout)) == without_times(json.loads(whole.stdout))
    for name in ("predictions.jsonl", "lanes/embedded/predictions.jsonl"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_turn_is_reviewed_from_standard_input(ferrule: Ferrule, monkeypatch: pytest.MonkeyPatch) -> None:
    """`ferrule review -` takes the neutral one-turn form."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(turn(1, "docs/plan.md")).encode())))
    (report,) = ferrule("review", "-", "--json").rows()
    assert report["session"] == "bench-one"
    assert report["reviews"][0]["written"][0]["handles"][0]["value"].endswith("docs/plan.md")

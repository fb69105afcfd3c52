"""The figures of a lane: the published ones, with intervals, breakdowns, thresholds, cost, the account of a turn."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bench_cases import facts, judged, label, lane_rows, memory, row, scored

from ferrule.evaluation.bootstrap import Draws, drawn, interval
from ferrule.evaluation.metrics import metrics_of
from ferrule.evaluation.metrics_lane import Judged, lane_metrics
from ferrule.evaluation.metrics_run import run_metrics
from ferrule.evaluation.records import prediction_line, read_labels
from ferrule.evaluation.rows import Row, RowCandidate, RowOutcome, RowUsage
from ferrule.evaluation.scoring import Label, Prediction
from ferrule.evaluation.thresholds import GRID, ScoredTurn, thresholds_of

GOLD = Path(__file__).resolve().parents[3] / "shared" / "gold"
DRAWS = Draws(200, 7)


def section(turns: Judged, *rows: Row, draws: Draws = DRAWS) -> dict[str, Any]:
    """The lane's section of `metrics.json`, as a reader sees it."""
    found: dict[str, Any] = json.loads(json.dumps(lane_metrics(turns, lane_rows("lane", *rows), draws).section))
    return found


def test_figures_and_breakdowns_are_those_of_the_published_measure() -> None:
    """R71: by type, by group, by handle kind, by format; the sums of the turns are the whole."""
    labels = (label("a", "x.py", "y.py"), label("b", "z.py", acceptable=("k.py",)), label("c"))
    rows = (row("a", "x.py", "odd.py"), row("b", "k.py"), row("c", "noise.py"))
    found = section(judged(*labels), *rows)
    published = metrics_of(labels, {item.id: Prediction(item.id, item.written) for item in rows})
    assert found["figures"] == published["figures"]
    assert found["types"]["SourceFile"] == {"required": 3, "hit": 1, "recall": 0.3333, "interval": [0.0, 0.5]}
    assert found["groups"]["files"]["recall"] == 0.3333
    assert found["kinds"]["filesystem-path"]["hit"] == 1
    assert found["formats"]["codex"]["precision"] == found["repositories"]["shop"]["precision"] == 0.3333
    assert found["languages"]["en"]["turns"] == 3
    assert {
        name: sum(turn["counts"][name] for turn in found["turns"]) for name in ("written", "false", "required")
    } == {
        "written": 4,
        "false": 2,
        "required": 3,
    }


def test_a_turn_is_accounted_for_with_verdicts_and_the_reviewers_reasons() -> None:
    """R71: what was hit, missed, false and forbidden, each with the reason that the reviewer gave."""
    labels = (label("a", "x.py", "y.py", "z.py", acceptable=("k.py",), forbidden=("log.txt",)),)
    made = scored("a", **{"x.py": 0.9, "log.txt": 0.8, "y.py": 0.2})
    (turn,) = section(judged(*labels), made)["turns"]
    assert [(item["verdict"], item["why"], item["score"]) for item in turn["entities"]] == [
        ("hit", "scored 0.9", 0.9),
        ("missed", "scored 0.2", 0.2),
        ("missed", "the reviewer saw nothing with one of its handles", None),
        ("unneeded", "the reviewer saw nothing with one of its handles", None),
    ]
    assert [(item["verdict"], item["entity"], item["forbidden"], item["why"]) for item in turn["written"]] == [
        ("hit", 0, [], "scored 0.9"),
        ("false", None, ["log.txt"], "scored 0.8"),
    ]
    assert turn["forbidden"] == ["log.txt"]


def test_rows_that_failed_or_were_skipped_count_as_nothing_written_and_are_told() -> None:
    """R76: so is a turn without a row."""
    labels = (label("a", "x.py"), label("b", "y.py"), label("c", "z.py"))
    failed = Row("a", RowOutcome.FAILED, reason="full", code="IO_FAILED", wall_ms=9.0)
    found = section(judged(*labels), failed, Row("b", RowOutcome.SKIPPED, reason="no-outcome"))
    assert found["outcomes"] == {"written": 0, "nothing": 0, "skipped": 2, "failed": 1}
    assert found["failed"] == [{"id": "a", "reason": "full", "code": "IO_FAILED"}]
    assert found["skipped"][0] == {"id": "b", "reason": "no-outcome"}
    assert (found["figures"]["recall"], found["latency"]["cpu_ms"]) == (0.0, {})


def test_cost_and_latency_are_summed_and_spread() -> None:
    """R71: an unknown price is not taken for none."""
    labels = tuple(label(name) for name in "abc")
    rows = [
        Row(name, RowOutcome.NOTHING, cpu_ms=cpu, wall_ms=2 * cpu, usage=RowUsage(1, 10, 2, price))
        for name, cpu, price in (("a", 1.0, 0.5), ("b", 2.0, 0.25), ("c", 9.0, 0.0))
    ]
    found = section(judged(*labels), *rows)
    assert found["cost"] == {"requests": 3, "input_tokens": 30, "output_tokens": 6, "price": 0.75, "turns": 3}
    assert found["latency"]["cpu_ms"] == {"p50": 2.0, "p95": 9.0, "max": 9.0, "mean": 4.0}
    unknown = Row("c", RowOutcome.NOTHING, usage=RowUsage(1, 10, 2, None))
    assert section(judged(*labels), *rows[:2], unknown)["cost"]["price"] is None


def test_intervals_come_from_sessions_and_are_the_same_every_time() -> None:
    """R71: sixty turns of one session prove no more than one; many sessions prove more than few."""
    labels = tuple(label(f"t{number}", f"f{number}.py") for number in range(60))
    rows = [row(item.id, *([item.entities[0].label] if place % 3 else [])) for place, item in enumerate(labels)]

    def ends(sessions: int) -> list[float]:
        turns = Judged(labels, tuple(facts(item.id, f"s{place % sessions}") for place, item in enumerate(labels)))
        return section(turns, *rows)["intervals"]["recall"] or []

    wide, narrow = ends(2), ends(60)
    assert ends(1) == []
    assert wide == ends(2)
    assert narrow[0] < 0.6667 < narrow[1]
    assert 0.1 < narrow[1] - narrow[0] < 0.35


def test_draws_are_sums_over_whole_sessions() -> None:
    """Every draw has as many sessions as there are, and nothing is drawn where there is only one."""
    units = [("s1", {"n": 1, "k": 2}), ("s1", {"n": 1}), ("s2", {"n": 5})]
    sums = {(sample["n"], sample["k"]) for sample in drawn(units, Draws(100, 1))}
    assert sums == {(4, 4), (7, 2), (10, 0)}
    assert drawn(units[:2], Draws(100, 1)) == []
    assert interval([0.1, None]) is None
    assert interval([value / 100 for value in range(101)]) == (0.025, 0.975)


def test_a_threshold_is_chosen_on_the_other_repositories_and_scored_on_the_one_left_out() -> None:
    """R71: where one repository needs another threshold, the nested figure says what it costs."""
    # In `high` scores above 0.8 are right, in `low` already those above 0.3.
    turns = []
    for number in range(4):
        wanted = label(f"h{number}", "right.py")
        turns.append(ScoredTurn(wanted, scored(wanted.id, **{"right.py": 0.9, "wrong.py": 0.7}), "high", wanted.id))
    for number in range(4):
        wanted = label(f"l{number}", "right.py")
        turns.append(ScoredTurn(wanted, scored(wanted.id, **{"right.py": 0.4, "wrong.py": 0.2}), "low", wanted.id))
    found = thresholds_of(turns, DRAWS)
    assert found is not None
    nested: Any = found["nested"]
    chosen = {fold["repository"]: fold["threshold"] for fold in nested["best_f1"]["folds"]}
    assert chosen == {"high": 0.4, "low": 0.9}
    assert (nested["best_f1"]["hit"], nested["best_f1"]["false"]) == (4, 4)
    by_precision = {fold["repository"]: fold["threshold"] for fold in nested["recall_at_precision"]["folds"]}
    assert by_precision == {"high": 0.4, "low": 0.9}
    curve: Any = found["curve"]
    assert [point["threshold"] for point in curve] == list(GRID)
    assert [curve[place]["hit"] for place in (9, 39, 40, 89, 90)] == [8, 8, 4, 4, 0]
    shipped: Any = found["as_shipped"]
    assert (shipped["hit"], shipped["false"]) == (4, 4)


def test_scores_are_calibrated_against_the_labels() -> None:
    """R71: per tenth of the score, how many candidates are required or acceptable."""
    wanted = label("a", "x.py", acceptable=("k.py",))
    turn = ScoredTurn(wanted, scored("a", **{"x.py": 1.0, "k.py": 0.95, "n.py": 0.05}), "shop", "a")
    found: Any = thresholds_of([turn], DRAWS)
    assert found["calibration"][9] == {"from": 0.9, "to": 1.0, "candidates": 2, "required": 1, "acceptable": 1}
    assert found["calibration"][0]["candidates"] == 1
    assert found["nested"]["best_f1"] is None  # one repository leaves none to choose on


def test_a_lane_without_scores_has_no_thresholds() -> None:
    """A stored prediction file tells none."""
    stored = Row("a", RowOutcome.WRITTEN, (memory("x.py"),), (RowCandidate("x", ""),))
    assert section(judged(label("a", "x.py")), stored)["thresholds"] is None


@pytest.mark.shared
def test_the_counts_are_those_of_the_published_scorer(tmp_path: Path) -> None:
    """R71: the same numbers as `score.py` on the same predictions, wrong and missing ones included."""
    labels = read_labels(GOLD / "labels.jsonl")
    rows = [_guess(item, place) for place, item in enumerate(labels)]
    lines = [prediction_line(Prediction(item.id, item.written)) for item in rows]
    (tmp_path / "p.jsonl").write_text("\n".join(lines), encoding="utf-8")
    ran = subprocess.run(  # noqa: S603 - the published scorer, beside the project
        [sys.executable, str(GOLD / "score.py"), str(GOLD / "labels.jsonl"), str(tmp_path / "p.jsonl")],
        check=True,
        capture_output=True,
        encoding="utf-8",
    )
    published = json.loads(ran.stdout)
    found = section(judged(*labels), *rows, draws=Draws(0))["figures"]
    assert {name: found[name] for name in published} == published
    assert published["false"] > 0 < published["forbidden"]


def _guess(item: Label, place: int) -> Row:
    """A critic that finds some, misses some, writes nonsense and what is forbidden."""
    kept = [entity for number, entity in enumerate(item.entities) if (place + number) % 3]
    written = [memory(entity.handles[0][1], entity.modality if place % 5 else "planned") for entity in kept]
    if place % 4 == 0:
        written.append(memory(f"nonsense/{place}.py"))
    if place % 7 == 0 and item.forbidden:
        written.append(memory(item.forbidden[0].value))
    return Row(item.id, RowOutcome.WRITTEN if written else RowOutcome.NOTHING, tuple(written))


def test_the_first_lane_stands_at_the_top_where_readers_of_one_lane_look() -> None:
    """R71: the figures that were there before lanes were."""
    labels = (label("a", "x.py"), label("b"))
    lanes = (lane_rows("one", row("a", "x.py"), row("b")), lane_rows("two", row("a"), row("b")))
    found = run_metrics({"ferrule": "1"}, judged(*labels), lanes, DRAWS)
    section_of: Any = found["lanes"]
    assert found["figures"] == section_of["one"]["figures"]
    assert section_of["two"]["figures"]["recall"] == 0.0
    assert found["cpu_ms"] == {"p50": 2.0, "p95": 2.0, "max": 2.0, "mean": 2.0}
    turns: Any = found["turns"]
    assert [turn["expect"] for turn in turns] == ["write", "nothing"]

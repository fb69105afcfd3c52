"""Lanes beside each other, and a run beside an earlier one."""

import json
from typing import Any

import pytest
from bench_cases import judged, label, lane_rows, memory, row

from ferrule.evaluation.agreement import alike
from ferrule.evaluation.bench import LaneRows
from ferrule.evaluation.bootstrap import Draws
from ferrule.evaluation.metrics_run import Baseline, run_metrics
from ferrule.evaluation.scoring import Label

DRAWS = Draws(200, 3)
LABELS = tuple(label(f"t{number}", f"f{number}.py") for number in range(30))


def metrics(
    *lanes: LaneRows, labels: tuple[Label, ...] = LABELS, baseline: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The metrics of a run, as a reader sees them."""
    place = None if baseline is None else Baseline("then", baseline)
    found = run_metrics({"ferrule": "9"}, judged(*labels), lanes, DRAWS, baseline=place)
    told: dict[str, Any] = json.loads(json.dumps(found))
    return told


def good(name: str = "good", *, until: int = 30) -> LaneRows:
    """Finds everything up to there, then nothing."""
    return lane_rows(name, *(row(f"t{n}", *([f"f{n}.py"] if n < until else [])) for n in range(30)))


def test_agreement_counts_turns_entities_and_memories() -> None:
    """R71: both, only one, neither; kappa of "wrote something"; Jaccard of what was written."""
    noisy = lane_rows("noisy", *(row(f"t{n}", *([f"/w/f{n}.py", "noise.py"] if n >= 10 else [])) for n in range(30)))
    (pair,) = metrics(good(until=20), noisy)["agreement"]
    assert pair["lanes"] == ["good", "noisy"]
    assert [pair[name] for name in ("both", "only_a", "only_b", "neither")] == [10, 10, 10, 0]
    assert pair["required"] == {"both": 10, "only_a": 10, "only_b": 10, "neither": 0}
    assert (pair["shared"], pair["written"], pair["jaccard"]) == (10, [20, 40], 0.2)
    assert (pair["agreed"], pair["kappa"]) == (0.3333, -0.5)
    assert pair["disagreements"][0] == {"id": "t0", "only_a": ["File_f0.py"], "only_b": []}
    assert len(pair["disagreements"]) == 30


def test_lanes_that_write_the_same_agree_wholly() -> None:
    """R71: no difference is none in every draw."""
    (pair,) = metrics(good("a", until=20), good("b", until=20))["agreement"]
    assert (pair["kappa"], pair["jaccard"], pair["disagreements"]) == (1.0, 1.0, [])
    assert pair["differences"]["recall"] == {"delta": 0.0, "interval": [0.0, 0.0]}


def test_a_difference_is_drawn_by_draw_and_so_sharper_than_two_intervals() -> None:
    """R71: both lanes on the same sessions: what both miss says nothing about which is better."""
    found = metrics(good("a", until=20), good("b", until=10))
    ends = found["agreement"][0]["differences"]["recall"]
    assert ends["delta"] == pytest.approx(1 / 3, abs=1e-3)
    assert 0 < ends["interval"][0] < 0.3333 < ends["interval"][1]
    spread = ends["interval"][1] - ends["interval"][0]
    apart = found["lanes"]["a"]["intervals"]["recall"][1] - found["lanes"]["b"]["intervals"]["recall"][0]
    assert spread < apart


def test_three_lanes_make_three_pairs_and_one_makes_none() -> None:
    """R71."""
    lanes = [good(name) for name in "abc"]
    assert [pair["lanes"] for pair in metrics(*lanes)["agreement"]] == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert metrics(lanes[0])["agreement"] == []


def test_one_memory_is_alike_to_one_other_only() -> None:
    """One to one: a critic that writes a thing twice shares one of them."""
    assert alike([memory("x.py"), memory("x.py")], [memory("/w/x.py")]) == [(0, 0)]


def test_drift_tells_figures_and_the_turns_that_changed() -> None:
    """R71: gained, lost, newly false, no longer false; and whether a figure left the baseline's interval."""
    then = metrics(good(until=28))
    rows = [row(f"t{n}", *([f"f{n}.py"] if n >= 20 else [])) for n in range(29)]
    now = lane_rows("good", *rows, row("t29", "odd.py"))
    drift = metrics(now, baseline=then)["drift"]
    assert (drift["baseline"], drift["ferrule"]) == ("then", "9")
    told = drift["lanes"]["good"]
    assert (told["turns"], told["only_now"], told["only_then"], told["same_labels"]) == (30, 0, 0, True)
    recall = told["figures"]["recall"]
    assert (recall["was"], recall["now"], recall["outside"], recall["worse"]) == (0.9333, 0.3, True, True)
    changed = {item["id"]: item for item in told["changed"]}
    assert changed["t0"]["lost"] == ["SourceFile: f0.py"]
    assert changed["t28"]["gained"] == ["SourceFile: f28.py"]
    assert changed["t29"]["new_false"] == ["odd.py"]
    assert len(changed) == 22
    back = metrics(good(until=28), baseline=metrics(now))["drift"]["lanes"]["good"]
    assert {item["id"]: item["gone_false"] for item in back["changed"]}["t29"] == ["odd.py"]


def test_no_change_is_no_drift() -> None:
    """R71: a small move within the interval is not called one either."""
    then = metrics(good(until=20))
    still = metrics(good(until=20), baseline=then)["drift"]["lanes"]["good"]
    assert still["changed"] == []
    assert {row["delta"] for row in still["figures"].values()} <= {0.0, None}
    small = metrics(good(until=21), baseline=then)["drift"]["lanes"]["good"]["figures"]["recall"]
    assert (small["outside"], small["worse"]) == (False, False)


def test_only_turns_that_both_runs_have_are_compared() -> None:
    """R71: more turns are no drift; a label that changed is told and its turn is not called gained or lost."""
    then = metrics(good(until=20), labels=LABELS[:25])
    told = metrics(good(until=20), baseline=then)["drift"]["lanes"]["good"]
    assert (told["turns"], told["only_now"], told["figures"]["recall"]["delta"]) == (25, 5, 0.0)
    other = (label("t0", "other.py"), *LABELS[1:25])
    relabelled = metrics(good(until=20), baseline=metrics(good(until=20), labels=other))["drift"]["lanes"]["good"]
    assert relabelled["same_labels"] is False
    assert all(not item["gained"] for item in relabelled["changed"])


def test_single_lanes_are_compared_whatever_their_names() -> None:
    """R71: `--threshold 0.5` against the shipped one is a lane of another name."""
    then = metrics(good("old", until=20))
    assert metrics(good("new"), baseline=then)["drift"]["lanes"]["new"]["baseline_lane"] == "old"
    assert metrics(good("x"), good("y"), baseline=then)["drift"]["lanes"] == {}


@pytest.mark.parametrize(
    "odd",
    [
        {"lanes": {"good": 7}},
        {"lanes": {"good": {"turns": [{"id": "t0"}]}}, "turns": [{"id": "t0"}]},
        {
            "lanes": {"good": {"turns": [{"id": "t0", "entities": "x", "written": [3], "counts": {"written": "x"}}]}},
            "turns": [{"id": "t0", "entities": [{"handles": 4}]}],
        },
    ],
)
def test_a_strange_baseline_is_compared_as_far_as_it_goes(odd: dict[str, Any]) -> None:
    """R89: a file from elsewhere is data."""
    assert metrics(good(), baseline=odd)["drift"]["lanes"]["good"]["turns"] in {0, 1}

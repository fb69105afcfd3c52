"""Fit the embedded reviewer's ranker on labelled turns and say honestly how good it is.

    scripts/fit_ranker.py TURNS.jsonl LABELS.jsonl [--write] [--curve] [--also TURNS.jsonl LABELS.jsonl]...

Prints figures in sample; nested figures, where weights and threshold of every turn were chosen on other repositories,
with intervals by session; the calibration of the scores on unseen repositories; with `--curve` the same figures by the
number of repositories fitted on; with `--also` the figures of the fitted weights on turns they were not fitted on.
Signals and priors were written by people who had read the fitted turns: only `--also` with new turns is free of that.
`--write` stores the weights and the threshold that the same rule chooses on all repositories.
Standard library only: iteratively reweighted least squares with a ridge, per group.
"""

import argparse
import json
import math
import sys
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.ranker_examples import Example, read_examples
from scripts.ranker_trial import (
    PARTS,
    Ranked,
    Thresholds,
    Trial,
    best_thresholds,
    calibration,
    part_of,
    predicted,
    ranked,
    with_intervals,
)

from ferrule.evaluation.metrics import metrics_of
from ferrule.review.embedded.ranker import GroupWeights
from ferrule.review.embedded.scenes import GROUPS

_ROOT = Path(__file__).resolve().parents[1]
WEIGHTS = _ROOT / "src/ferrule/review/embedded/weights.json"
PRIORS = Path(__file__).with_name("ranker_priors.toml")
RIDGE = 50.0
ACCEPTABLE = 0.35  # an acceptable write costs attention, not correctness
_CLOSE_ENOUGH = 1e-4
_SMALLEST = 0.05  # a weight below this says nothing


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gaussian elimination with pivoting."""
    size = len(right)
    rows = [[*matrix[i], right[i]] for i in range(size)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda r: abs(rows[r][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(column + 1, size):
            factor = rows[row][column] / rows[column][column]
            if factor:
                for k in range(column, size + 1):
                    rows[row][k] -= factor * rows[column][k]
    found = [0.0] * size
    for row in range(size - 1, -1, -1):
        found[row] = (rows[row][size] - sum(rows[row][k] * found[k] for k in range(row + 1, size))) / rows[row][row]
    return found


def fit_group(
    rows: Sequence[tuple[Mapping[str, float], int, float]], prior: Mapping[str, float], ridge: float
) -> tuple[float, dict[str, float]]:
    """Logistic regression drawn to a prior by a ridge: (signals, is required, weight) per row."""
    names = sorted({name for signals, _, _ in rows for name in signals} | (prior.keys() - {"bias"}))
    at = {name: i + 1 for i, name in enumerate(names)}
    packed = [([(0, 1.0), *((at[n], v) for n, v in signals.items())], y, w) for signals, y, w in rows]
    size = len(names) + 1
    centre = [prior.get("bias", -3.0), *(prior.get(name, 0.0) for name in names)]
    beta = list(centre)
    for _ in range(12):
        hessian = [[ridge if i == j else 0.0 for j in range(size)] for i in range(size)]
        gradient = [-ridge * (b - c) for b, c in zip(beta, centre, strict=True)]
        for cells, y, w in packed:
            z = sum(beta[i] * v for i, v in cells)
            p = 1 / (1 + math.exp(-max(-30.0, min(30.0, z))))
            spread = w * max(p * (1 - p), 1e-6)
            for i, v in cells:
                gradient[i] += w * (y - p) * v
                for j, u in cells:
                    hessian[i][j] += spread * v * u
        step = solve(hessian, gradient)
        beta = [b + max(-2.0, min(2.0, s)) for b, s in zip(beta, step, strict=True)]
        if max(map(abs, step)) < _CLOSE_ENOUGH:
            break
    return beta[0], {name: round(beta[at[name]], 3) for name in names if abs(beta[at[name]]) >= _SMALLEST}


@cache
def priors() -> dict[str, dict[str, float]]:
    """What a careful colleague believes before seeing a labelled turn."""
    return tomllib.loads(PRIORS.read_text(encoding="utf-8"))


def fit(examples: Sequence[Example], *, ridge: float = RIDGE) -> dict[str, GroupWeights]:
    """Bias and weights per group, without a threshold."""
    fitted = {}
    for group in GROUPS:
        rows = []
        for item in examples:
            for w in item.weighed:
                if w.group == group and not w.veto:
                    grade = item.grade(w.index)
                    rows.append((w.signals, int(grade == 1), ACCEPTABLE if grade == 0 else 1.0))
        bias, weights = fit_group(rows, priors()[group], ridge)
        fitted[group] = GroupWeights(round(bias, 3), 1.0, weights)
    return fitted


SHOWN = (
    "precision recall written hit_required hit_acceptable false abstention writes_per_100_turns acceptable_share "
    "handle_support handle_completeness modality_accuracy forbidden"
)


def show(title: str, turns: Sequence[tuple[Ranked, Thresholds]]) -> None:
    """One block of figures."""
    metrics = metrics_of([turn.example.label for turn, _ in turns], predicted(turns))
    found = metrics["figures"]
    print(title, {name: found[name] for name in SHOWN.split()})  # type: ignore[index]
    print("   ", {k: (v["hit"], v["required"]) for k, v in metrics["groups"].items()})  # type: ignore[attr-defined]
    print("   ", {k: (v["hit"], v["required"]) for k, v in metrics["types"].items()})  # type: ignore[attr-defined]


def report(trial: Trial, weights: Mapping[str, GroupWeights], thresholds: Thresholds, *, curve: bool) -> None:
    """All tables about the fitted turns."""
    show("in sample", [(turn, thresholds) for turn in ranked(trial.examples, weights)])
    nested = trial.nested()
    show("nested", nested)
    for name, (value, spread) in with_intervals(nested).items():
        print(f"    {name:22} {value} {spread}")
    print("    thresholds", dict(sorted({turn.example.repository: tuple(at.values()) for turn, at in nested}.items())))
    print("calibration on unseen repositories")
    for row in calibration(trial.unseen()):
        print("   ", row)
    if curve:
        print(f"learning curve at {thresholds}: repositories fitted on")
        for size, found in trial.curve(thresholds).items():
            print(f"    {size} {found}")


def main() -> None:
    """Fit, report, and write when asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("turns", type=Path)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--ridge", type=float, default=RIDGE)
    parser.add_argument("--thresholds", type=float, nargs=2, help="of files and others, instead of the chosen ones")
    parser.add_argument("--also", type=Path, nargs=2, action="append", default=[], metavar=("TURNS", "LABELS"))
    parser.add_argument("--curve", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    trial = Trial(read_examples(options.turns, options.labels), lambda e: fit(e, ridge=options.ridge))
    weights = trial.without()
    thresholds: Thresholds = best_thresholds(trial.unseen())
    if options.thresholds:
        thresholds = dict(zip(PARTS, options.thresholds, strict=True))
    print("thresholds", thresholds)
    report(trial, weights, thresholds, curve=options.curve)
    for turns, labels in options.also:
        others = ranked(read_examples(turns, labels), weights)
        show(f"{turns} (not fitted on)", [(turn, thresholds) for turn in others])
    if options.write:
        groups = {
            n: {"bias": w.bias, "threshold": thresholds[part_of(n)], "weights": dict(w.weights)}
            for n, w in weights.items()
        }
        text = json.dumps({"version": 1, "groups": groups}, indent=1, sort_keys=True)
        WEIGHTS.write_text(text + "\n", encoding="utf-8")
        print("written", WEIGHTS)


if __name__ == "__main__":
    main()

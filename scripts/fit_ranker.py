"""Fit the embedded reviewer's ranker on labelled turns and say honestly how good it is.

    scripts/fit_ranker.py TURNS.jsonl LABELS.jsonl [--write]

Prints in-sample figures and, beside them, figures where every turn was judged by weights that were fitted on other
repositories only. That is still optimistic: signals, priors and the threshold were chosen by people who had read all
repositories. `--write` stores the weights.
Standard library only: iteratively reweighted least squares with a ridge, per group.
"""

import argparse
import json
import math
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from ferrule.adapters.transcripts.reader import read_text
from ferrule.bridge.view import view_of
from ferrule.evaluation.metrics import metrics_of
from ferrule.evaluation.records import read_labels
from ferrule.evaluation.scoring import Label, Prediction, WrittenMemory, same_handle, score
from ferrule.review.embedded.facts import prospect_of
from ferrule.review.embedded.judging import Judgement, Weighed, choose, scene, weigh
from ferrule.review.embedded.ranker import GroupWeights
from ferrule.review.embedded.scenes import GROUPS, Scene
from ferrule.session.turn import Turn

WEIGHTS = Path(__file__).resolve().parents[1] / "src/ferrule/review/embedded/weights.json"
PRIORS = Path(__file__).with_name("ranker_priors.toml")
RIDGE = 50.0
ACCEPTABLE = 0.35  # an acceptable write costs attention, not correctness
THRESHOLD = 0.42  # two steps above the lowest that keeps precision 0.95, as a margin for turns that nobody has seen
MOST_WRITES = 5
_CLOSE_ENOUGH = 1e-4
_SMALLEST = 0.05  # a weight below this says nothing


@dataclass(frozen=True)
class Example:
    """One turn, weighed once; `grades` tells per candidate: 1 required, 0 acceptable, -1 nothing."""

    label: Label
    repository: str
    scene: Scene
    weighed: tuple[Weighed, ...]
    grades: Mapping[int, int]
    memories: Mapping[int, WrittenMemory]


def repository_of(file: str) -> str:
    """The repository a labelled turn comes from, as far as its file name tells."""
    parts = file.split("/")
    name = parts[1].split("__")[0] if "__" in (parts[1] if len(parts) > 1 else "") else parts[0]
    return {"specstory-cursor": "cursor-project"}.get(name, name)


def example(label: Label, turn: Turn) -> Example:
    """Weigh one turn and look up what the labels say of each candidate."""
    found = scene(view_of(turn))
    weighed = weigh(found)
    memories, grades = {}, {}
    for item in weighed:
        prospect = prospect_of(found, Judgement(item.index, item.type, 0.0, item.veto, worth=True, reason=""))
        handles = tuple((handle.kind.value, handle.value) for handle in prospect.handles)
        memories[item.index] = WrittenMemory(prospect.label, handles, prospect.candidate.modality.value)
        grades[item.index] = _grade(label, handles)
    return Example(label, repository_of(label.file), found, weighed, grades, memories)


def _grade(label: Label, handles: Sequence[tuple[str, str]]) -> int:
    best = -1
    for entity in label.entities:
        if any(same_handle(value, other) for _, value in handles for _, other in entity.handles):
            best = max(best, int(entity.required))
    return best


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


def fit(examples: Sequence[Example], *, ridge: float = RIDGE) -> dict[str, tuple[float, dict[str, float]]]:
    """Bias and weights per group."""
    fitted = {}
    priors = tomllib.loads(PRIORS.read_text(encoding="utf-8"))
    for group in GROUPS:
        rows = []
        for item in examples:
            for w in item.weighed:
                if w.group == group and not w.veto:
                    grade = item.grades[w.index]
                    rows.append((w.signals, int(grade == 1), ACCEPTABLE if grade == 0 else 1.0))
        if rows:
            fitted[group] = fit_group(rows, priors[group], ridge)
    return fitted


def with_threshold(fitted: Mapping[str, tuple[float, dict[str, float]]], threshold: float) -> dict[str, GroupWeights]:
    """One threshold for all groups: scores are calibrated alike."""
    return {group: GroupWeights(bias, threshold, weights) for group, (bias, weights) in fitted.items()}


def predict(examples: Iterable[Example], weights: Mapping[str, GroupWeights]) -> dict[str, Prediction]:
    """What would be written, without a door."""
    found = {}
    for item in examples:
        chosen = [j.index for j in choose(item.scene, item.weighed, weights) if j.worth][:MOST_WRITES]
        found[item.label.id] = Prediction(item.label.id, tuple(item.memories[i] for i in chosen))
    return found


def best_threshold(
    examples: Sequence[Example], fitted: Mapping[str, tuple[float, dict[str, float]]], target: float
) -> float:
    """The lowest threshold whose precision stays at `target`, so that recall is highest."""
    best = 0.9
    for step in range(90, 14, -1):
        threshold = step / 100
        figures = score([e.label for e in examples], predict(examples, with_threshold(fitted, threshold)))[0].figures()
        if (figures["precision"] or 0.0) >= target:
            best = threshold
    return best


def cross_validated(examples: Sequence[Example], threshold: float) -> dict[str, Prediction]:
    """Every turn judged by weights of other repositories."""
    found: dict[str, Prediction] = {}
    for repository in sorted({e.repository for e in examples}):
        train = [e for e in examples if e.repository != repository]
        test = [e for e in examples if e.repository == repository]
        found |= predict(test, with_threshold(fit(train), threshold))
    return found


SHOWN = (
    "precision recall written hit_required hit_acceptable false abstention writes_per_100_turns acceptable_share "
    "handle_support handle_completeness modality_accuracy forbidden"
)


def show(title: str, labels: Sequence[Label], predictions: Mapping[str, Prediction]) -> None:
    """One block of figures."""
    metrics = metrics_of(labels, predictions)
    figures = metrics["figures"]
    print(title, {name: figures[name] for name in SHOWN.split()})  # type: ignore[index]
    print("   ", {k: (v["hit"], v["required"]) for k, v in metrics["types"].items()})  # type: ignore[attr-defined]


def main() -> None:
    """Fit, report, and write when asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("turns", type=Path)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--threshold", type=float, default=THRESHOLD)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    labels = {label.id: label for label in read_labels(options.labels)}
    examples = []
    with options.turns.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            value = json.loads(line)
            for session in read_text(line, scrub=lambda text: text, name=f"line {number}"):
                examples += [example(labels[value["id"]], turn) for turn in session.turns if value["id"] in labels]
    known = [e.label for e in examples]
    fitted = fit(examples)
    weights = with_threshold(fitted, options.threshold)
    show("in sample     ", known, predict(examples, weights))
    show("other repos   ", known, cross_validated(examples, options.threshold))
    if options.write:
        groups = {
            n: {"bias": round(w.bias, 3), "threshold": w.threshold, "weights": dict(w.weights)}
            for n, w in weights.items()
        }
        WEIGHTS.write_text(
            json.dumps({"version": 1, "groups": groups}, indent=1, sort_keys=True) + "\n", encoding="utf-8"
        )
        print("written", WEIGHTS)


if __name__ == "__main__":
    main()

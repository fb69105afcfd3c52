"""A benchmark reviews every labelled turn by itself and says how good the critic was.

Each turn gets a memory of its own, so that no turn can help another. Owns the run, its two files (`predictions.jsonl`,
`metrics.json`) and the cost figures. The review itself is a function that `wiring` hands in. Knows nothing of stores,
reviewers or transcripts.
"""

import json
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ferrule.errors import Code, StoreError
from ferrule.evaluation.metrics import metrics_of
from ferrule.evaluation.records import prediction_line
from ferrule.evaluation.scoring import Label, Prediction, WrittenMemory
from ferrule.session.turn import Turn

__all__ = ["METRICS", "PREDICTIONS", "BenchTurn", "ReviewTurn", "Reviewed", "run_bench"]

PREDICTIONS = "predictions.jsonl"
METRICS = "metrics.json"


@dataclass(frozen=True, slots=True)
class BenchTurn:
    """One turn of a benchmark. `turn` is None when it is not reviewable; `reason` then says why."""

    id: str
    turn: Turn | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What one isolated review wrote and what it cost outside a model, in milliseconds of CPU."""

    written: tuple[WrittenMemory, ...]
    cpu_ms: float = 0.0


ReviewTurn: TypeAlias = Callable[[Turn], Reviewed]


def _nothing(_id: str) -> None:
    return None


def run_bench(
    turns: Iterable[BenchTurn],
    review: ReviewTurn,
    labels: Sequence[Label],
    out: Path,
    *,
    progress: Callable[[str], None] = _nothing,
) -> dict[str, object]:
    """Review the turns one by one, write both files into `out`, and give the metrics back.

    Only labelled turns count; a labelled turn that never came counts as "wrote nothing" and is listed as skipped.

    Raises:
        StoreError: `out` cannot be written.
    """
    wanted = {label.id for label in labels}
    predictions: dict[str, Prediction] = {}
    skipped: list[dict[str, str]] = []
    costs: list[float] = []
    for item in turns:
        if item.id not in wanted:
            continue
        if item.turn is None:
            skipped.append({"id": item.id, "reason": item.reason})
            continue
        reviewed = review(item.turn)
        predictions[item.id] = Prediction(item.id, reviewed.written)
        costs.append(reviewed.cpu_ms)
        progress(item.id)
    seen = predictions.keys() | {row["id"] for row in skipped}
    skipped += [{"id": name, "reason": "not among the turns"} for name in sorted(wanted - seen)]
    metrics = metrics_of(labels, predictions) | {"skipped": skipped, "cpu_ms": _cost(costs)}
    _write(out, predictions, metrics)
    return metrics


def _cost(costs: Sequence[float]) -> dict[str, float]:
    if not costs:
        return {}
    ordered = sorted(costs)
    last = len(ordered) - 1
    return {
        "p50": round(statistics.median(ordered), 3),
        "p95": round(ordered[round(0.95 * last)], 3),
        "max": round(ordered[last], 3),
    }


def _write(out: Path, predictions: dict[str, Prediction], metrics: dict[str, object]) -> None:
    lines = "".join(prediction_line(prediction) + "\n" for prediction in predictions.values())
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / PREDICTIONS).write_text(lines, encoding="utf-8")
        (out / METRICS).write_text(json.dumps(metrics, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as problem:
        raise StoreError(f"{out}: {problem.strerror or problem}", code=Code.IO_FAILED) from problem

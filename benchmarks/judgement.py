"""How well the embedded reviewer judges, on labelled turns that lie beside the project."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure
from ferrule.wiring.benching import bench

__all__ = ["judgement", "judgement_tables"]

GOLD = Path(__file__).parents[2] / "shared" / "gold"
GOALS = {
    "precision": ">= 0.92 (thirty lines of heuristics 0.88)",
    "recall": ">= 0.80 (thirty lines of heuristics 0.46)",
    "abstention": ">= 0.95",
    "handle_support": ">= 0.97",
    "handle_completeness": ">= 0.85",
    "modality_accuracy": ">= 0.90",
    "writes_per_100_turns": "<= 80",
    "acceptable_share": "<= 0.35 of writes",
    "forbidden": "0",
}
COMPARED = ("written", "hit_required", "false", "required", "forbidden", "nothing_clean", "modality_ok")
MISSED = 12


def judgement() -> Iterator[Figure]:
    """The headline figures, and whether the published scorer gives the same counts."""
    if not GOLD.is_dir():
        return
    found, counts = _found(), _scored()
    figures = found["figures"]
    for name, goal in GOALS.items():
        value = figures[name]
        shown = f"{value:.3f}" if isinstance(value, float) else str(value)
        yield Figure(f"judgement: {name.replace('_', ' ')}", shown, goal, _between(found["intervals"].get(name)))
    nested = found["lanes"]["embedded"]["thresholds"]["nested"]["recall_at_precision"]
    for name in ("precision", "recall"):
        yield Figure(
            f"judgement: {name}, threshold chosen on other repositories",
            f"{nested[name]:.3f}",
            GOALS[name].partition(" (")[0],
            _between(nested["intervals"][name]),
        )
    differing = [name for name in COMPARED if figures[name] != counts[name]]
    yield Figure(
        "judgement: our scorer against the published one",
        "same counts" if not differing else f"differ in {', '.join(differing)}",
        "same",
        f"{figures['turns']} turns, {figures['required']} required entities",
    )


def judgement_tables() -> str:
    """By group, type, handle kind and format, and what is missed most, as Markdown."""
    if not GOLD.is_dir():
        return ""
    found = _found()
    parts = []
    for title, name in (("Group", "groups"), ("Type", "types"), ("Handle kind", "kinds")):
        rows = [(key, row["required"], row["hit"], _ratio(row["recall"])) for key, row in found[name].items()]
        parts.append(_table((title, "required", "found", "recall"), rows))
    formats = [
        (key, row["turns"], _ratio(row["precision"]), _ratio(row["recall"]), _ratio(row["abstention"]))
        for key, row in found["formats"].items()
    ]
    parts.append(_table(("Format or repository", "turns", "precision", "recall", "abstention"), formats))
    missed = [(row["type"], row["modality"], row["missed"]) for row in found["most_missed"][:MISSED]]
    parts.append(_table(("Missed most: type", "modality", "missed"), missed))
    return "\n\n".join(parts)


@cache
def _found() -> Mapping[str, Any]:
    with tempfile.TemporaryDirectory() as out:
        found = bench(GOLD / "turns.jsonl", GOLD / "labels.jsonl", Path(out), progress=lambda _line: None)
        ran = subprocess.run(  # noqa: S603 - the published scorer, beside the project
            [sys.executable, str(GOLD / "score.py"), str(GOLD / "labels.jsonl"), str(Path(out) / "predictions.jsonl")],
            check=True,
            capture_output=True,
            encoding="utf-8",
        )
    return {**found, "scored": json.loads(ran.stdout)}


def _scored() -> Mapping[str, Any]:
    scored: Mapping[str, Any] = _found()["scored"]
    return scored


def _between(ends: Sequence[float] | None) -> str:
    return "" if ends is None else f"95 % of draws of sessions: {ends[0]:.3f} to {ends[1]:.3f}"


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _table(heads: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> str:
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    return "\n".join([*lines, *(f"| {' | '.join(map(str, row))} |" for row in rows)])

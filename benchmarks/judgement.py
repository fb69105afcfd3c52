"""How well the embedded reviewer judges, on labelled turns that lie beside the project."""

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.figures import Figure
from ferrule.wiring.benching import bench

__all__ = ["judgement"]

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


def judgement() -> Iterator[Figure]:
    """The headline figures; `ferrule bench` prints the rest, by kind and with what is missed."""
    if not GOLD.is_dir():
        return
    with tempfile.TemporaryDirectory() as out:
        found = bench(GOLD / "turns.jsonl", GOLD / "labels.jsonl", Path(out), ontology=(), progress=lambda _line: None)
    figures = found["figures"]
    assert isinstance(figures, Mapping)  # noqa: S101 - the bench's own shape
    for name, goal in GOALS.items():
        value = figures[name]
        shown = f"{value:.3f}" if isinstance(value, float) else str(value)
        yield Figure(f"judgement: {name.replace('_', ' ')}", shown, goal)

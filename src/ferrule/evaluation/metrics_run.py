"""All figures of a run in one object: `metrics.json`, whose shape stands in `evaluation/runs.py`.

Owns putting the parts together: turns, lanes, agreement, drift. Knows nothing of files or of how turns were reviewed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ferrule.evaluation.agreement import agreements
from ferrule.evaluation.bench import LaneRows
from ferrule.evaluation.bootstrap import Draws
from ferrule.evaluation.drift import drift_of
from ferrule.evaluation.metrics import group_of
from ferrule.evaluation.metrics_lane import Judged, lane_metrics
from ferrule.evaluation.metrics_turns import entity_form
from ferrule.evaluation.records_turns import TurnFacts
from ferrule.evaluation.runs import FORMAT
from ferrule.evaluation.scoring import Label

__all__ = ["Baseline", "run_metrics"]

_ON_TOP = ("figures", "intervals", "groups", "types", "kinds", "formats", "most_missed", "skipped")


@dataclass(frozen=True, slots=True)
class Baseline:
    """A stored `metrics.json` to compare with, and where it lies."""

    place: str
    metrics: Mapping[str, object]


def run_metrics(
    what: Mapping[str, object],
    judged: Judged,
    lanes: Sequence[LaneRows],
    draws: Draws,
    *,
    baseline: Baseline | None = None,
) -> dict[str, object]:
    """The object of `metrics.json`.

    Args:
        what: the object of `run.json`.
        judged: the labelled turns.
        lanes: what each lane made of them.
        draws: of the intervals.
        baseline: an earlier run, to tell what changed since.
    """
    found = [(lane.lane.name, lane_metrics(judged, lane, draws)) for lane in lanes]
    metrics: dict[str, object] = {
        "format": FORMAT,
        "ferrule": what.get("ferrule", ""),
        "run": dict(what),
        **_first(found[0][1].section),
        "turns": [_turn(label, facts) for label, facts in zip(judged.labels, judged.facts, strict=True)],
        "lanes": {name: lane.section for name, lane in found},
        "agreement": agreements(found),
        "drift": None,
    }
    if baseline is not None:
        metrics["drift"] = {"baseline": baseline.place, **drift_of(metrics, baseline.metrics, draws)}
    return metrics


def _first(section: Mapping[str, object]) -> dict[str, object]:
    """The first lane's figures at the top: where readers of one lane have always found them."""
    latency = section.get("latency")
    cpu = latency.get("cpu_ms") if isinstance(latency, Mapping) else {}
    return {**{name: section[name] for name in _ON_TOP}, "cpu_ms": cpu}


def _turn(label: Label, facts: TurnFacts) -> dict[str, object]:
    return {
        "id": label.id,
        "session": facts.session,
        "format": facts.format,
        "repository": facts.repository,
        "language": facts.language,
        "expect": "write" if any(entity.required for entity in label.entities) else "nothing",
        "entities": [entity_form(entity, group_of(entity)) for entity in label.entities],
        "forbidden": [{"value": item.value, "why": item.why} for item in label.forbidden],
    }

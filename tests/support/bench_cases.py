"""Labels, rows and lanes of a benchmark in one line each.

Owns builders that several tests of the benchmark share. Knows nothing of what is tested.
"""

from collections.abc import Sequence

from ferrule.evaluation.bench import LaneRows
from ferrule.evaluation.lanes import Lane
from ferrule.evaluation.metrics_lane import Judged
from ferrule.evaluation.records_turns import TurnFacts
from ferrule.evaluation.rows import Row, RowCandidate, RowOutcome, Step
from ferrule.evaluation.scoring import Forbidden, Label, Labelled, WrittenMemory

__all__ = ["candidate", "facts", "judged", "label", "lane_rows", "memory", "row", "scored"]


def entity(value: str, *, grade: str = "required", modality: str = "changed") -> Labelled:
    """A source file of that path."""
    return Labelled(value, "SourceFile", grade, (("filesystem-path", value),), modality)


def label(name: str, *required: str, acceptable: Sequence[str] = (), forbidden: Sequence[str] = ()) -> Label:
    """A label that requires these files."""
    entities = (*map(entity, required), *(entity(value, grade="acceptable") for value in acceptable))
    return Label(name, entities, tuple(Forbidden(value, "log") for value in forbidden), f"codex/{name}")


def memory(value: str, modality: str = "changed") -> WrittenMemory:
    """A written file."""
    return WrittenMemory(f"File_{value}", (("filesystem-path", value),), modality)


def row(name: str, *written: str) -> Row:
    """A row that wrote these files."""
    outcome = RowOutcome.WRITTEN if written else RowOutcome.NOTHING
    return Row(name, outcome, tuple(map(memory, written)), reason=f"why {name}", cpu_ms=2.0, wall_ms=4.0)


def candidate(value: str, score: float, *, chosen: bool = False) -> RowCandidate:
    """A scored file."""
    return RowCandidate(
        value, "SourceFile", (("filesystem-path", value),), "changed", score, chosen=chosen, reason=f"scored {score}"
    )


def scored(name: str, **scores: float) -> Row:
    """A row whose candidates (`a=0.9`) are written from their own score down; those above 0.5 are."""
    ordered = sorted(scores.items(), key=lambda item: -item[1])
    candidates = tuple(candidate(value, score, chosen=score >= 0.5) for value, score in ordered)
    steps = tuple(Step(score, tuple(range(place + 1))) for place, (_, score) in enumerate(ordered))
    written = [value for value, score in ordered if score >= 0.5]
    made = row(name, *written)
    return Row(name, made.outcome, made.written, candidates, steps, cpu_ms=1.0, wall_ms=1.0)


def facts(name: str, session: str = "", repository: str = "shop", language: str = "en") -> TurnFacts:
    """A turn of a session; of its own when none is named."""
    return TurnFacts(name, session or name, "codex", repository, language)


def judged(*labels: Label, repository: str = "shop") -> Judged:
    """Labels, each of a session of its own."""
    return Judged(labels, tuple(facts(item.id, repository=repository) for item in labels))


def lane_rows(name: str, *rows: Row) -> LaneRows:
    """A lane that made these rows."""
    return LaneRows(Lane(name, "scripted"), rows)

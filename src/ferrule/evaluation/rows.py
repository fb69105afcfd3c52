"""A row is what became of one turn in one lane: one line of `rows.jsonl`, complete in itself.

Owns the values and their JSON form, read back without trust. Knows nothing of files or of what the figures mean.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ferrule.evaluation.records import handles_of, memories_of, memory_form, objects_of
from ferrule.evaluation.scoring import WrittenMemory

__all__ = ["Row", "RowCandidate", "RowOutcome", "RowUsage", "Step", "latest", "row_line", "row_of"]


class RowOutcome(StrEnum):
    """The four ends of a row. `skipped` and `failed` count as "wrote nothing" and are shown."""

    WRITTEN = "written"
    NOTHING = "nothing"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class RowCandidate:
    """One thing that the reviewer thought about.

    Attributes:
        label: what the reviewer calls it.
        type: its entity type.
        handles: (kind, value) pairs; empty where the reviewer does not tell them.
        modality: as it would be written.
        score: between 0 and 1 where the reviewer has one, else None.
        chosen: whether the reviewer wanted it written, as shipped.
        reason: why, or why not, in the reviewer's words.
    """

    label: str
    type: str
    handles: tuple[tuple[str, str], ...] = ()
    modality: str = ""
    score: float | None = None
    chosen: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """From this threshold down to the next step's, exactly these candidates (by index) would be written."""

    threshold: float
    chosen: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RowUsage:
    """What a row cost outside this machine; `price` in US dollars, None where the lane cannot tell."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    price: float | None = 0.0


@dataclass(frozen=True, slots=True)
class Row:
    """What became of one turn in one lane.

    Attributes:
        id: the turn's id.
        outcome: how it ended.
        written: what the critic wrote.
        candidates: what it thought about, the worthiest first, where it tells.
        steps: what it would write at other thresholds, the highest first; empty where it has no scores.
        reason: its words for the whole turn; of a skipped or failed one, why.
        code: the code of a failure, else empty.
        cpu_ms: CPU milliseconds outside a model.
        wall_ms: milliseconds from start to end.
        usage: requests, tokens and price.
    """

    id: str
    outcome: RowOutcome
    written: tuple[WrittenMemory, ...] = ()
    candidates: tuple[RowCandidate, ...] = ()
    steps: tuple[Step, ...] = ()
    reason: str = ""
    code: str = ""
    cpu_ms: float = 0.0
    wall_ms: float = 0.0
    usage: RowUsage = field(default_factory=RowUsage)


def row_line(row: Row) -> str:
    """The line of a row, without its end."""
    form = {
        "id": row.id,
        "outcome": row.outcome.value,
        "written": [memory_form(memory) for memory in row.written],
        "candidates": [_candidate_form(candidate) for candidate in row.candidates],
        "steps": [[step.threshold, list(step.chosen)] for step in row.steps],
        "reason": row.reason,
        "code": row.code,
        "cpu_ms": round(row.cpu_ms, 3),
        "wall_ms": round(row.wall_ms, 3),
        "usage": {
            "requests": row.usage.requests,
            "input_tokens": row.usage.input_tokens,
            "output_tokens": row.usage.output_tokens,
            "price": row.usage.price,
        },
    }
    return json.dumps(form, ensure_ascii=False)


def _candidate_form(candidate: RowCandidate) -> dict[str, object]:
    return {
        "label": candidate.label,
        "type": candidate.type,
        "handles": [{"kind": kind, "value": value} for kind, value in candidate.handles],
        "modality": candidate.modality,
        "score": candidate.score,
        "chosen": candidate.chosen,
        "reason": candidate.reason,
    }


def row_of(line: str) -> Row | None:
    """The row of a line, or None for a line that is none: torn by a crash, or damaged."""
    try:
        form = json.loads(line)
        return _row(form) if isinstance(form, dict) else None
    except (ValueError, TypeError, RecursionError):
        return None


def _row(form: Mapping[str, object]) -> Row | None:
    if not isinstance(form.get("id"), str):
        return None
    candidates = tuple(_candidate(item) for item in objects_of(form, "candidates"))
    return Row(
        id=str(form["id"]),
        outcome=RowOutcome(str(form.get("outcome"))),
        written=memories_of(form),
        candidates=candidates,
        steps=_steps(form.get("steps"), len(candidates)),
        reason=str(form.get("reason", "")),
        code=str(form.get("code", "")),
        cpu_ms=_number(form.get("cpu_ms")),
        wall_ms=_number(form.get("wall_ms")),
        usage=_usage(form.get("usage")),
    )


def _candidate(item: Mapping[str, object]) -> RowCandidate:
    score = item.get("score")
    return RowCandidate(
        label=str(item.get("label", "")),
        type=str(item.get("type", "")),
        handles=handles_of(item),
        modality=str(item.get("modality", "")),
        score=None if score is None else _number(score),
        chosen=item.get("chosen") is True,
        reason=str(item.get("reason", "")),
    )


def _steps(value: object, count: int) -> tuple[Step, ...]:
    steps = []
    for item in value if isinstance(value, list) else []:
        threshold, chosen = item
        indexes = tuple(int(index) for index in chosen)
        if not all(0 <= index < count for index in indexes):
            raise ValueError("a step names no candidate")
        steps.append(Step(_number(threshold), indexes))
    return tuple(steps)


def _usage(value: object) -> RowUsage:
    form: Mapping[str, object] = value if isinstance(value, dict) else {}
    price = form.get("price")
    return RowUsage(
        requests=int(_number(form.get("requests"))),
        input_tokens=int(_number(form.get("input_tokens"))),
        output_tokens=int(_number(form.get("output_tokens"))),
        price=None if price is None else _number(price),
    )


def _number(value: object) -> float:
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError("not a number")
    return float(value)


def latest(rows: Sequence[Row]) -> dict[str, Row]:
    """The last row of each turn: a turn that was tried again has several."""
    return {row.id: row for row in rows}

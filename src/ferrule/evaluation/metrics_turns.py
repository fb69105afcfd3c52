"""The account of one turn in one lane: a verdict per labelled entity and per written memory, with the reasons given.

Owns the verdicts and their JSON form. Knows nothing of totals or files.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from ferrule.evaluation.rows import Row, RowCandidate
from ferrule.evaluation.scoring import (
    Label,
    Labelled,
    Prediction,
    Score,
    TurnScore,
    WrittenMemory,
    same_handle,
    score,
)

__all__ = ["Account", "account_form", "account_of", "entity_form", "score_of"]

UNSEEN = "the reviewer saw nothing with one of its handles"
UNTOLD = "the reviewer does not tell"


@dataclass(frozen=True, slots=True)
class Account:
    """One turn in one lane, scored: `counts` are those of the published scorer for this turn alone."""

    label: Label
    row: Row
    turn: TurnScore
    counts: dict[str, int]


def account_of(label: Label, row: Row) -> Account:
    """Score one turn by itself; totals are sums of such counts."""
    total, (turn,) = score((label,), {label.id: Prediction(label.id, row.written)})
    return Account(label, row, turn, asdict(total))


def account_form(account: Account) -> dict[str, object]:
    """An element of `turns` of a lane in `metrics.json`."""
    row, turn = account.row, account.turn
    by_entity = {entity: memory for memory, entity in turn.pairs}
    entities = [_entity(account, entity, by_entity.get(place)) for place, entity in enumerate(account.label.entities)]
    return {
        "id": row.id,
        "outcome": row.outcome.value,
        "reason": row.reason,
        "code": row.code,
        "cpu_ms": round(row.cpu_ms, 3),
        "wall_ms": round(row.wall_ms, 3),
        "counts": account.counts,
        "entities": entities,
        "written": [_memory(account, place, memory) for place, memory in enumerate(row.written)],
        "forbidden": list(turn.forbidden),
    }


def _entity(account: Account, entity: Labelled, memory: int | None) -> dict[str, object]:
    if memory is None:
        verdict = "missed" if entity.required else "unneeded"
    else:
        verdict = "hit" if entity.required else "acceptable"
    best = _best(account.row.candidates, entity.handles)
    return {
        "verdict": verdict,
        "memory": memory,
        "modality_ok": None if memory is None else account.row.written[memory].modality == entity.modality,
        "why": _why(account.row, best),
        "score": None if best is None else best.score,
    }


def _memory(account: Account, place: int, memory: WrittenMemory) -> dict[str, object]:
    entity = dict(account.turn.pairs).get(place)
    best = _best(account.row.candidates, memory.handles)
    grade = "" if entity is None else account.label.entities[entity].grade
    verdict = {"": "false", "required": "hit"}.get(grade, "acceptable")
    return {
        "prototype": memory.prototype,
        "handles": [{"kind": kind, "value": value} for kind, value in memory.handles],
        "modality": memory.modality,
        "verdict": verdict,
        "entity": entity,
        "forbidden": [
            value for value in account.turn.forbidden if any(same_handle(value, mine) for _, mine in memory.handles)
        ],
        "why": account.row.reason if best is None else best.reason,
        "score": None if best is None else best.score,
    }


def _why(row: Row, best: RowCandidate | None) -> str:
    if best is not None:
        return best.reason
    return UNSEEN if any(candidate.handles for candidate in row.candidates) else row.reason or UNTOLD


def _best(candidates: Sequence[RowCandidate], handles: Sequence[tuple[str, str]]) -> RowCandidate | None:
    """The candidate that shares a handle: a chosen one first, then the one with the highest score."""
    fitting = [
        candidate
        for candidate in candidates
        if any(same_handle(mine, theirs) for _, mine in candidate.handles for _, theirs in handles)
    ]
    return max(fitting, key=lambda candidate: (candidate.chosen, candidate.score or 0.0), default=None)


def entity_form(entity: Labelled, group: str) -> dict[str, object]:
    """An element of `entities` of a turn in `metrics.json`."""
    return {
        "label": entity.label,
        "type": entity.type,
        "group": group,
        "grade": entity.grade,
        "modality": entity.modality,
        "handles": [{"kind": kind, "value": value} for kind, value in entity.handles],
    }


def score_of(counts: Mapping[str, int]) -> Score:
    """The score whose counts these are: its figures are those of the published scorer."""
    return Score(**{name: counts.get(name, 0) for name in Score.__dataclass_fields__})

"""What another threshold would have given, and what one chosen on other repositories gives on a repository not seen.

Owns the curve, the nested choice (each repository is scored at the threshold that is best on all others) and the
calibration of the scores. Works on the steps of rows; a lane without scores has none. Knows nothing of reviewers.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ferrule.evaluation.bootstrap import Draws, drawn, intervals
from ferrule.evaluation.rows import Row, RowCandidate
from ferrule.evaluation.scoring import Label, WrittenMemory, same_handle, score_turn

__all__ = ["GRID", "ScoredTurn", "thresholds_of"]

GRID = tuple(number / 100 for number in range(1, 100))
PRECISION_KEPT = 0.95
_BINS = 10

Counts = dict[str, int]


@dataclass(frozen=True, slots=True)
class ScoredTurn:
    """One turn with its label, its row, and where it comes from."""

    label: Label
    row: Row
    repository: str
    session: str


@dataclass(frozen=True, slots=True)
class _Turn:
    """One turn, scored once per step: `at` holds the counts per place of the grid, shared where they are the same."""

    session: str
    repository: str
    at: tuple[Counts, ...]


def thresholds_of(turns: Sequence[ScoredTurn], draws: Draws) -> dict[str, object] | None:
    """The section `thresholds` of a lane; None when its reviewer tells no scores."""
    if not any(turn.row.steps for turn in turns):
        return None
    counted = [_Turn(turn.session, turn.repository, _counts_by_threshold(turn)) for turn in turns]
    totals = [_summed(turn.at[place] for turn in counted) for place in range(len(GRID))]
    return {
        "candidates": sum(len(turn.row.candidates) for turn in turns),
        "curve": [{"threshold": t, **_shown(counts)} for t, counts in zip(GRID, totals, strict=True)],
        "as_shipped": _shown(_summed(_counts(turn.label, _chosen(turn.row)) for turn in turns)),
        "nested": {name: _nested(counted, rule, draws) for name, rule in _RULES.items()},
        "calibration": _calibration(turns),
    }


def _counts_by_threshold(turn: ScoredTurn) -> tuple[Counts, ...]:
    """Counts at each place of the grid; the step that holds at a threshold is the lowest one not below it."""
    steps = sorted(turn.row.steps, key=lambda step: -step.threshold)
    nothing = _counts(turn.label, ())
    by_step = [_counts(turn.label, [_memory(turn.row.candidates[index]) for index in step.chosen]) for step in steps]
    found = []
    for threshold in GRID:
        held = sum(step.threshold >= threshold for step in steps)
        found.append(by_step[held - 1] if held else nothing)
    return tuple(found)


def _chosen(row: Row) -> list[WrittenMemory]:
    return [_memory(candidate) for candidate in row.candidates if candidate.chosen]


def _memory(candidate: RowCandidate) -> WrittenMemory:
    return WrittenMemory(candidate.label, candidate.handles, candidate.modality)


def _counts(label: Label, written: Sequence[WrittenMemory]) -> Counts:
    account = score_turn(label, written)
    required = sum(entity.required for entity in label.entities)
    return {
        "turns": 1,
        "required": required,
        "written": len(written),
        "hit": required - len(account.missed),
        "false": len(account.false),
    }


def _summed(parts: Iterable[Counts]) -> Counts:
    total = dict.fromkeys(("turns", "required", "written", "hit", "false"), 0)
    for counts in parts:
        for name, count in counts.items():
            total[name] += count
    return total


def _ratios(counts: Mapping[str, int]) -> dict[str, float | None]:
    precision = _ratio(counts["hit"], counts["hit"] + counts["false"])
    recall = _ratio(counts["hit"], counts["required"])
    f1 = round(2 * precision * recall / (precision + recall), 4) if precision and recall else 0.0
    writes = _ratio(100 * counts["written"], counts["turns"])
    return {"precision": precision, "recall": recall, "f1": f1, "writes_per_100_turns": writes}


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _shown(counts: Counts) -> dict[str, object]:
    return {**_ratios(counts), **{name: counts[name] for name in ("hit", "false", "written")}}


@dataclass(frozen=True, slots=True)
class _Rule:
    """How a threshold is chosen from the counts at each: the place with the best rank, the highest of equals."""

    words: str
    rank: Callable[[Mapping[str, float | None]], tuple[float, ...]]


def _by_f1(ratios: Mapping[str, float | None]) -> tuple[float, ...]:
    return (ratios["f1"] or 0.0,)


def _by_recall(ratios: Mapping[str, float | None]) -> tuple[float, ...]:
    precision, recall = ratios["precision"] or 0.0, ratios["recall"] or 0.0
    return (1.0, recall, precision) if precision >= PRECISION_KEPT else (0.0, precision, recall)


_RULES = {
    "best_f1": _Rule("best F1", _by_f1),
    "recall_at_precision": _Rule(f"best recall at precision >= {PRECISION_KEPT}", _by_recall),
}


def _nested(turns: Sequence[_Turn], rule: _Rule, draws: Draws) -> dict[str, object] | None:
    """Each repository at the threshold that is best on all others; None with only one repository."""
    parts: dict[str, list[_Turn]] = {}
    for turn in turns:
        parts.setdefault(turn.repository, []).append(turn)
    if len(parts) <= 1:
        return None
    totals = [_summed(turn.at[place] for turn in turns) for place in range(len(GRID))]
    folds: list[dict[str, object]] = []
    held_out: list[tuple[str, Counts]] = []
    for name, members in sorted(parts.items()):
        own = [_summed(turn.at[place] for turn in members) for place in range(len(GRID))]
        place = _best([_less(total, part) for total, part in zip(totals, own, strict=True)], rule)
        folds.append({"repository": name, "threshold": GRID[place], **own[place]})
        held_out += [(turn.session, turn.at[place]) for turn in members]
    total = _summed(counts for _, counts in held_out)
    found = intervals(drawn(held_out, draws), _ratios)
    return {"rule": rule.words, **_shown(total), "required": total["required"], "intervals": found, "folds": folds}


def _best(counted: Sequence[Counts], rule: _Rule) -> int:
    return max(range(len(counted)), key=lambda place: (rule.rank(_ratios(counted[place])), place))


def _less(total: Counts, part: Counts) -> Counts:
    return {name: count - part[name] for name, count in total.items()}


def _calibration(turns: Sequence[ScoredTurn]) -> list[dict[str, object]]:
    """Per tenth of the score: how many candidates, and how many of them the labels require or accept."""
    bins = [{"candidates": 0, "required": 0, "acceptable": 0} for _ in range(_BINS)]
    for turn in turns:
        for candidate in turn.row.candidates:
            if candidate.score is not None and candidate.handles:
                part = bins[max(0, min(int(candidate.score * _BINS), _BINS - 1))]
                part["candidates"] += 1
                grade = _grade(turn.label, candidate)
                if grade:
                    part[grade] += 1
    return [{"from": place / _BINS, "to": (place + 1) / _BINS, **part} for place, part in enumerate(bins)]


def _grade(label: Label, candidate: RowCandidate) -> str:
    """`required`, `acceptable`, or empty when the labels know nothing of it."""
    grades = {
        "required" if entity.required else "acceptable"
        for entity in label.entities
        if any(same_handle(one, other) for _, one in candidate.handles for _, other in entity.handles)
    }
    return "required" if "required" in grades else next(iter(grades), "")

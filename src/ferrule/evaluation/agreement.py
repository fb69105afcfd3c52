"""Where two lanes write alike: per turn, per labelled entity, per memory, and how far their figures are truly apart.

Owns the comparison of two lanes over the same turns. Differences are taken draw by draw, so that an interval that does
not hold 0 means that one lane is better and not luckier. Knows nothing of what a lane is.
"""

from collections.abc import Sequence
from itertools import combinations

from ferrule.evaluation.bootstrap import interval
from ferrule.evaluation.metrics_lane import RATIOS, LaneMetrics, figures_of
from ferrule.evaluation.metrics_turns import Account
from ferrule.evaluation.scoring import WrittenMemory, same_handle

__all__ = ["agreements", "alike"]


def agreements(lanes: Sequence[tuple[str, LaneMetrics]]) -> list[dict[str, object]]:
    """Every pair of lanes compared; empty for one lane. The shape stands in `evaluation/runs.py`."""
    return [_compared(one, other) for one, other in combinations(lanes, 2)]


def alike(mine: Sequence[WrittenMemory], theirs: Sequence[WrittenMemory]) -> list[tuple[int, int]]:
    """Pairs of memories that share a handle, one to one, in order."""
    pairs: list[tuple[int, int]] = []
    free = dict.fromkeys(range(len(theirs)))
    for place, memory in enumerate(mine):
        found = next((other for other in free if _share(memory, theirs[other])), None)
        if found is not None:
            del free[found]
            pairs.append((place, found))
    return pairs


def _share(one: WrittenMemory, other: WrittenMemory) -> bool:
    return any(same_handle(mine, theirs) for _, mine in one.handles for _, theirs in other.handles)


def _compared(one: tuple[str, LaneMetrics], other: tuple[str, LaneMetrics]) -> dict[str, object]:
    (a_name, a), (b_name, b) = one, other
    pairs = list(zip(a.accounts, b.accounts, strict=True))
    turns = _table([(bool(mine.row.written), bool(theirs.row.written)) for mine, theirs in pairs])
    shared = sum(len(alike(mine.row.written, theirs.row.written)) for mine, theirs in pairs)
    counts = [sum(len(account.row.written) for account in lane.accounts) for lane in (a, b)]
    union = sum(counts) - shared
    return {
        "lanes": [a_name, b_name],
        "turns": len(pairs),
        **turns,
        "agreed": _ratio(turns["both"] + turns["neither"], len(pairs)),
        "kappa": _kappa(turns),
        "required": _table([found for mine, theirs in pairs for found in _entities(mine, theirs)]),
        "jaccard": _ratio(shared, union),
        "shared": shared,
        "written": counts,
        "differences": _differences(a, b),
        "disagreements": [found for mine, theirs in pairs if (found := _disagreement(mine, theirs))],
    }


def _table(cells: Sequence[tuple[bool, bool]]) -> dict[str, int]:
    return {
        "both": cells.count((True, True)),
        "only_a": cells.count((True, False)),
        "only_b": cells.count((False, True)),
        "neither": cells.count((False, False)),
    }


def _kappa(turns: dict[str, int]) -> float | None:
    """Cohen's kappa of "wrote something": 1 full agreement, 0 as by chance; None where chance leaves no room."""
    total = sum(turns.values())
    if not total:
        return None
    a_yes, b_yes = turns["both"] + turns["only_a"], turns["both"] + turns["only_b"]
    seen = (turns["both"] + turns["neither"]) / total
    chance = (a_yes * b_yes + (total - a_yes) * (total - b_yes)) / total**2
    return None if chance >= 1 else round((seen - chance) / (1 - chance), 4)


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _entities(mine: Account, theirs: Account) -> list[tuple[bool, bool]]:
    return [
        (place not in mine.turn.missed, place not in theirs.turn.missed)
        for place, entity in enumerate(mine.label.entities)
        if entity.required
    ]


def _disagreement(mine: Account, theirs: Account) -> dict[str, object] | None:
    pairs = alike(mine.row.written, theirs.row.written)
    only_a = _names(mine.row.written, {one for one, _ in pairs})
    only_b = _names(theirs.row.written, {other for _, other in pairs})
    return {"id": mine.label.id, "only_a": only_a, "only_b": only_b} if only_a or only_b else None


def _names(written: Sequence[WrittenMemory], paired: set[int]) -> list[str]:
    return [memory.prototype for place, memory in enumerate(written) if place not in paired]


def _differences(a: LaneMetrics, b: LaneMetrics) -> dict[str, object]:
    mine, theirs = (_total(lane) for lane in (a, b))
    found: dict[str, object] = {}
    for name in RATIOS:
        one, other = mine[name], theirs[name]
        draws = [
            None if left[name] is None or right[name] is None else (left[name] or 0) - (right[name] or 0)
            for left, right in zip(a.drawn, b.drawn, strict=True)
        ]
        delta = None if one is None or other is None else round(one - other, 4)
        found[name] = {"delta": delta, "interval": interval(draws)}
    return found


def _total(lane: LaneMetrics) -> dict[str, float | int | None]:
    total: dict[str, int] = {}
    for account in lane.accounts:
        for name, count in account.counts.items():
            total[name] = total.get(name, 0) + count
    return figures_of(total)

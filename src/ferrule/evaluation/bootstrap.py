"""How far a figure could be off by chance: sessions are drawn again with replacement, since their turns stand together.

Owns the draws and the intervals, also those of a difference between two lanes on the same draws. Seeded: the same
counts give the same interval. Knows nothing of what is counted.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Draws", "Interval", "drawn", "interval", "intervals"]

Interval = tuple[float, float]
"""Low and high end of the middle 95 %."""

_LOW, _HIGH = 0.025, 0.975
_FEWEST_SESSIONS = 2
_FEWEST_VALUES = 20

Counts = Mapping[str, int]
Figures = Mapping[str, float | int | None]


@dataclass(frozen=True, slots=True)
class Draws:
    """How many draws, under which seed."""

    count: int = 1000
    seed: int = 1


def drawn(units: Sequence[tuple[str, Counts]], draws: Draws) -> list[dict[str, int]]:
    """The summed counts of each draw; none when fewer than two sessions are there, since nothing can be drawn then.

    `units` are (session, counts) per turn; a count that a turn does not have is 0. Two sets of units over the same
    sessions in the same order are drawn alike, so that their differences can be taken draw by draw.
    """
    names = sorted({name for _, counts in units for name in counts})
    sessions: dict[str, list[int]] = {}
    for session, counts in units:
        vector = sessions.setdefault(session, [0] * len(names))
        for place, name in enumerate(names):
            vector[place] += counts.get(name, 0)
    vectors = list(sessions.values())
    if len(vectors) < _FEWEST_SESSIONS:
        return []
    chance = random.Random(draws.seed)  # noqa: S311 - chance under a seed is the point
    return [
        dict(zip(names, map(sum, zip(*chance.choices(vectors, k=len(vectors)), strict=True)), strict=True))
        for _ in range(draws.count)
    ]


def interval(values: Sequence[float | int | None]) -> Interval | None:
    """The middle 95 % of the values that could be computed; None when too few could."""
    found = sorted(value for value in values if value is not None)
    if len(found) < _FEWEST_VALUES:
        return None
    return round(_quantile(found, _LOW), 4), round(_quantile(found, _HIGH), 4)


def _quantile(ordered: Sequence[float | int], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def intervals(
    samples: Sequence[Mapping[str, int]], figures: Callable[[Mapping[str, int]], Figures]
) -> dict[str, Interval | None]:
    """The interval of every figure that is computed from the counts."""
    rows = [figures(sample) for sample in samples]
    return {name: interval([row[name] for row in rows]) for name in (rows[0] if rows else ())}

"""Bounds that a run's figures must keep, so that a pipeline can fail on a worse reviewer.

Owns reading `precision=0.9,recall=0.66` and finding what is out of bounds. Knows nothing of how a run is made.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ferrule.errors import Code, UsageError
from ferrule.evaluation.goals import GOALS
from ferrule.evaluation.metrics_lane import figures_of

__all__ = ["GOALS", "Bound", "bounds_of", "out_of_bounds"]


@dataclass(frozen=True, slots=True)
class Bound:
    """The least (`least`) or the most that a figure may be."""

    figure: str
    value: float
    least: bool


def bounds_of(texts: Sequence[str], *, least: bool) -> tuple[Bound, ...]:
    """Bounds from their words.

    Raises:
        UsageError: a figure is unknown, or its bound is no number.
    """
    option = "--fail-below" if least else "--fail-above"
    return tuple(
        _bound(part.strip(), option, least=least) for text in texts for part in text.split(",") if part.strip()
    )


def _bound(part: str, option: str, *, least: bool) -> Bound:
    name, _, number = part.partition("=")
    known = figures_of({})
    if name not in known:
        raise UsageError(
            f"{option}: there is no figure {name}; the figures: {', '.join(known)}", code=Code.BAD_TOOL_ARGS
        )
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UsageError(f"{option} {part}: it is written {name}=0.9", code=Code.BAD_TOOL_ARGS)
    return Bound(name, value, least)


def out_of_bounds(metrics: Mapping[str, object], bounds: Sequence[Bound]) -> list[dict[str, object]]:
    """What is out of bounds, per lane: `{"lane", "figure", "value", "bound", "side": below | above}`.

    A figure that could not be computed, since nothing was written or required, is below every bound and above none.
    """
    lanes = metrics.get("lanes")
    return [
        {
            "lane": name,
            "figure": bound.figure,
            "value": value,
            "bound": bound.value,
            "side": "below" if bound.least else "above",
        }
        for name, section in (lanes.items() if isinstance(lanes, Mapping) else ())
        for bound in bounds
        if _is_out(value := section["figures"][bound.figure], bound)
    ]


def _is_out(value: float | None, bound: Bound) -> bool:
    if value is None:
        return bound.least
    return value < bound.value if bound.least else value > bound.value

"""What a benchmark yields and how CPU time is taken.

CPU time is that of the process (user and system), best or median of several runs: these machines are shared, and wall
time says more about the neighbours than about Ferrule.
"""

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Figure", "cpu_ms", "percentile", "wall_ms"]


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured row of the table."""

    what: str
    measured: str
    goal: str
    note: str = ""


def cpu_ms(action: Callable[[], object], *, times: int = 1) -> list[float]:
    """CPU milliseconds of each run."""
    return [_cost(action, time.process_time) for _ in range(times)]


def wall_ms(action: Callable[[], object], *, times: int = 1) -> list[float]:
    """Wall milliseconds of each run, for what waits for a disk."""
    return [_cost(action, time.perf_counter) for _ in range(times)]


def _cost(action: Callable[[], object], clock: Callable[[], float]) -> float:
    began = clock()
    action()
    return 1000 * (clock() - began)


def percentile(values: Iterable[float], share: float) -> float:
    """The nearest-rank percentile; the median for 0.5."""
    ordered: Sequence[float] = sorted(values)
    if share == 0.5:  # noqa: PLR2004 - the median, by name
        return statistics.median(ordered)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

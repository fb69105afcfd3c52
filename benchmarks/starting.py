"""How much it costs to start: `ferrule --help`, and what an install brings."""

import os
import subprocess
import sys
from collections.abc import Iterator

from benchmarks.figures import Figure, percentile

__all__ = ["starting"]

RUNS = 15


def starting() -> Iterator[Figure]:
    """CPU of a fresh process, beside that of a bare interpreter in the same run."""
    bare = percentile(_cpu([sys.executable, "-c", "pass"]), 0.5)
    helped = percentile(_cpu([sys.executable, "-m", "ferrule", "--help"]), 0.5)
    yield Figure(
        "start-up: `ferrule --help`",
        f"{helped:.0f} ms CPU",
        "< 250 ms CPU",
        f"bare interpreter {bare:.0f} ms in the same run; median of {RUNS}",
    )


def _cpu(command: list[str]) -> Iterator[float]:
    for _ in range(RUNS):
        before = os.times()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own interpreter
        after = os.times()
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        yield 1000 * spent

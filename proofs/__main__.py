"""`python -m proofs [PART…] [--quick] [--jobs N] [--seed S] [--SIZE N…]`: try to break the promise; 1 if it broke.

Owns the order of the campaigns and their tables. Each ends by itself. Knows nothing of what they do, or of their sizes.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from proofs.backlog import backlog
from proofs.calling import calls
from proofs.damaging import damage
from proofs.delivering import deliveries
from proofs.failing import errors
from proofs.fuzzing import fuzz
from proofs.histories import histories
from proofs.killing import kills
from proofs.limiting import disk
from proofs.powers import power
from proofs.simulation import history, simulation
from proofs.sizes import SIZES, add_options, estimate, sizes_of
from proofs.tables import Row, table
from proofs.together import together
from proofs.watching import trace

_RIVALS_SHARE = 5
_HOUR = 3_600.0


def main(words: list[str]) -> int:
    """Run the asked campaigns, or all."""
    parser = argparse.ArgumentParser(prog="python -m proofs", description=__doc__)
    names = ", ".join(SIZES)
    parser.add_argument("part", nargs="*", help=f"{names}; all when none is named; or fuzz, or history of one seed")
    parser.add_argument("--quick", action="store_true", help="a short look instead of a proof")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="so many campaigns at a time")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--seconds", type=float, default=_HOUR, help="so long fuzz goes on (3,600)", metavar="N")
    add_options(parser)
    asked = parser.parse_args(words)
    sizes = sizes_of(asked)
    every = _parts(sizes, asked.seed, asked.seconds)
    unknown = [name for name in asked.part if name not in every]
    if unknown:
        parser.error(f"no such part: {', '.join(unknown)}; there are {', '.join(every)}")
    parts = asked.part or list(SIZES)
    print(f"commit {_commit()}; this takes {estimate(parts, sizes, asked.jobs)}", flush=True)
    if len(parts) > 1 and asked.jobs > 1:
        return _side_by_side(parts, _options(words), asked.jobs)
    violations = 0
    for name in parts:
        began = time.monotonic()
        rows = list(every[name]())
        violations += sum(row.violations or 0 for row in rows)
        print(table(name, " ".join(["python -m proofs", name, *_options(words)]), rows))
        print(f"\n{name} took {time.monotonic() - began:.0f} s\n", flush=True)
    return 1 if violations else 0


def _parts(sizes: dict[str, int], seed: int, seconds: float) -> dict[str, Callable[[], Iterable[Row]]]:
    return {
        "damage": lambda: damage(sizes["damage"]),
        "histories": lambda: histories(sizes["histories"], seed),
        "simulation": lambda: simulation(sizes["simulation"], seed),
        "errors": lambda: errors(most=sizes["errors"]),
        "power": lambda: power(sizes["power"], seed),
        "trace": lambda: trace(sizes["trace"], seed),
        "kills": lambda: kills(sizes["kills"], seed),
        "together": lambda: together(sizes["together"], max(10, sizes["together"] // _RIVALS_SHARE), seed),
        "backlog": lambda: backlog(sizes["backlog"]),
        "calls": lambda: calls(most=sizes["calls"]),
        "deliveries": lambda: deliveries(sizes["deliveries"], seed),
        "disk": lambda: disk(sizes["disk"]),
        "fuzz": lambda: fuzz(seconds, seed),
        "history": lambda: history(seed),
    }


def _side_by_side(parts: Sequence[str], options: Sequence[str], jobs: int) -> int:
    """Each campaign in a process of its own, so many at a time; what one says is printed when it has ended."""

    def run(name: str) -> int:
        # S603: this package, with the words that were given
        ended = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "proofs", name, *options],
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        print(ended.stdout, flush=True)
        return ended.returncode

    with ThreadPoolExecutor(jobs) as pool:
        return max(pool.map(run, parts))


def _options(words: list[str]) -> list[str]:
    first = next((place for place, word in enumerate(words) if word.startswith("-")), len(words))
    return words[first:]


def _commit() -> str:
    """The commit that is tried, so that a seed can be played again on it; empty outside a repository."""
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty"],  # noqa: S607 - whatever git the person has
        cwd=Path(__file__).parent,
        capture_output=True,
        check=False,
        text=True,
        timeout=20,
    )
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

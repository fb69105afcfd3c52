"""`python -m proofs [PART…] [--seeds N] [--kills N] [--seed S]`: try to break the promise; exits 1 if it broke.

Owns the order of the campaigns, their sizes and their tables. Each ends by itself. Knows nothing of what they do.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from proofs.backlog import backlog
from proofs.delivering import deliveries
from proofs.killing import kills
from proofs.simulation import history, simulation
from proofs.tables import Row, table

SEEDS, KILLS, ROUNDS, TURNS = 10_000, 500, 20, 10_000


def main(words: list[str]) -> int:
    """Run the asked campaigns, or all."""
    parser = argparse.ArgumentParser(prog="python -m proofs", description=__doc__)
    parser.add_argument(
        "part", nargs="*", help="simulation, kills, deliveries, backlog; all when none is named; or history of one seed"
    )
    parser.add_argument("--seeds", type=int, default=SEEDS, help="how many seeds the simulation plays")
    parser.add_argument("--kills", type=int, default=KILLS, help="how many kills are dealt")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how many rounds of deliveries")
    parser.add_argument("--turns", type=int, default=TURNS, help="how long the backlog is")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    asked = parser.parse_args(words)
    parts: dict[str, Callable[[], Iterable[Row]]] = {
        "simulation": lambda: simulation(asked.seeds, asked.seed),
        "kills": lambda: kills(asked.kills, asked.seed),
        "deliveries": lambda: deliveries(asked.rounds, asked.seed),
        "backlog": lambda: backlog(asked.turns),
    }
    single: dict[str, Callable[[], Iterable[Row]]] = {"history": lambda: history(asked.seed)}
    every = parts | single
    unknown = [name for name in asked.part if name not in every]
    if unknown:
        parser.error(f"no such part: {', '.join(unknown)}; there are {', '.join(every)}")
    print(f"commit {_commit()}", flush=True)
    violations = 0
    for name in asked.part or parts:
        began = time.monotonic()
        rows = list(every[name]())
        violations += sum(row.violations or 0 for row in rows)
        print(table(name, " ".join(["python -m proofs", name, *_options(words)]), rows))
        print(f"\n{name} took {time.monotonic() - began:.0f} s\n", flush=True)
    return 1 if violations else 0


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

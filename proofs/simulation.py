"""Ten thousand lives of a companion, each replayable by its number: none may lose, repeat, reorder or mix anything up.

Owns one run from its seed to its verdict, and the campaign over many (CASE-M10). Knows nothing of how a step is judged.
"""

import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from proofs.answering import Answers
from proofs.ending import faults_at_rest
from proofs.faults import Faults
from proofs.judging import Judge
from proofs.playing import PLACES, Play
from proofs.scripting import scripts
from proofs.tables import Row
from proofs.world import forget_template, opened_world

__all__ = ["Verdict", "campaign", "history", "simulate", "simulation"]

_BATCH = 50
_TOLD = 1000


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one seed; `wrong` is empty when every invariant held.

    Attributes:
        figures: steps, commits, take-overs and so on.
        faults: which faults were dealt, how often.
        answers: what the acts were answered.
    """

    seed: int
    wrong: tuple[str, ...]
    figures: Counter[str]
    faults: Counter[str]
    answers: Counter[str]


def simulate(seed: int, told: Callable[[str], None] | None = None) -> Verdict:
    """Play one seed and judge it; `told` is told the history line by line."""
    with opened_world(seed) as (world, look):
        judge = Judge()
        play = Play(
            world, look, judge, scripts(world.rng), Answers(judge), Faults(world, tuple(sorted(set(PLACES.values()))))
        )
        play.told = told
        play.run()
        last = world.process("desk-a")
        last.end()  # so that the file is opened and checked once more
        judge.wrong.extend(faults_at_rest(look, last.real_store()))
        figures = Counter(
            {
                "steps": play.taken,
                "commits": judge.commits,
                "take-overs": judge.leases.takeovers,
                "refused commits": judge.leases.refused,
                "parked": sum(order.state == "parked" for order in look.now.orders.values()),
            }
        )
        return Verdict(seed, tuple(judge.wrong), figures, play.faults.dealt, Counter(play.answers.counted))


def _batch(first: int, count: int) -> tuple[list[Verdict], Counter[str]]:
    """The seeds that broke something, and the figures of all."""
    total: Counter[str] = Counter()
    broken = []
    for seed in range(first, first + count):
        verdict = simulate(seed)
        total += verdict.figures
        total["seeds"] += 1
        total["faults"] += sum(verdict.faults.values())
        if verdict.wrong:
            broken.append(verdict)
    forget_template()
    return broken, total


def campaign(first: int, count: int) -> Iterator[tuple[list[Verdict], Counter[str]]]:
    """Batches of seeds, over all cores; each as soon as it is done."""
    starts = range(first, first + count, _BATCH)
    sizes = [min(_BATCH, first + count - start) for start in starts]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(_batch, starts, sizes)


def simulation(count: int, first: int) -> Iterator[Row]:
    """The campaign's table; a seed that broke something is told at once, with how to play it again."""
    total: Counter[str] = Counter()
    broken: list[Verdict] = []
    for found, figures in campaign(first, count):
        total += figures
        if total["seeds"] % _TOLD == 0:
            print(f"{total['seeds']} of {count} seeds", file=sys.stderr, flush=True)
        for verdict in found:
            broken.append(verdict)
            print(f"seed {verdict.seed}: {verdict.wrong[0]}", flush=True)
            print(f"  its history: python -m proofs history --seed {verdict.seed}", flush=True)
    runs = f"{total['seeds']} seeds, {total['steps']} steps, {total['faults']} faults"
    seeds = f"{first}..{first + count - 1}"
    note = ", ".join(f"{total[name]} {name}" for name in ("commits", "take-overs", "refused commits", "parked"))
    yield Row("INV-I1..I4, I7, order, nothing lost", runs, len(broken), _named(broken) or seeds, note)


def history(seed: int) -> Iterator[Row]:
    """Print what happened in one seed, step by step, and what was wrong with it."""
    verdict = simulate(seed, print)
    print(*(f"WRONG: {fault}" for fault in verdict.wrong), sep="\n")
    yield Row("one history", f"{verdict.figures['steps']} steps", len(verdict.wrong), str(seed))


def _named(broken: list[Verdict]) -> str:
    return ", ".join(str(verdict.seed) for verdict in broken[:20])

"""Ten thousand lives of a companion, each replayable by its number: none may lose, repeat, reorder or mix anything up.

Owns one run from its seed to its verdict, and the campaign over many (CASE-M10). Knows nothing of tables.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from proofs.answering import Answers
from proofs.ending import faults_at_rest
from proofs.judging import Judge
from proofs.playing import Play
from proofs.scripting import scripts
from proofs.world import World, opened_world

__all__ = ["Verdict", "simulate"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one seed; `wrong` is empty when every invariant held."""

    seed: int
    wrong: tuple[str, ...]
    steps: int
    commits: int
    takeovers: int
    refused: int
    faults: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)


def simulate(seed: int, plant: Callable[[World], None] | None = None) -> Verdict:
    """Play one seed and judge it. `plant` may spoil the world first: the judge must find it."""
    with opened_world(seed) as (world, look):
        if plant is not None:
            plant(world)
        judge = Judge()
        play = Play(world, look, judge, scripts(world.rng), Answers(judge))
        play.run()
        store = world.process("desk-a").real_store()
        judge.wrong.extend(faults_at_rest(look, store))
        return Verdict(
            seed=seed,
            wrong=tuple(judge.wrong),
            steps=play.taken,
            commits=judge.commits,
            takeovers=judge.takeovers,
            refused=judge.refused,
            faults=Counter(play.faults),
            answers=Counter(play.answers.counted),
        )


def summed(verdicts: Iterable[Verdict]) -> Counter[str]:
    """Figures over many runs."""
    total: Counter[str] = Counter()
    for verdict in verdicts:
        total["runs"] += 1
        total["steps"] += verdict.steps
        total["commits"] += verdict.commits
        total["take-overs"] += verdict.takeovers
        total["refused commits"] += verdict.refused
        total["faults"] += sum(verdict.faults.values())
    return total

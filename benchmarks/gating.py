"""What the evaluate gate costs: uncontended, in one process and between processes, and what a source does inside it."""

import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure, percentile, wall_ms
from ferrule.bridge.door import Door
from ferrule.companion.answers import Attached
from ferrule.companion.attaching import attach
from ferrule.companion.worker import work_lane
from ferrule.review.port import Limits, ReviewDraft, Reviewer
from ferrule.session.gate import EvaluateGate
from ferrule.session.source import SOURCE_PROFILE, Origin, SourceSession
from ferrule.session.turn import Turn
from ferrule.wiring.critic import critic_of
from ferrule.wiring.home import Home, open_home

__all__ = ["gating"]

SOURCE = SourceSession("bench:gate", SOURCE_PROFILE)
TURNS = 200
NOW = 2_000_000_000.0


class Hung(Reviewer):
    """A reviewer that hangs until the benchmark is over."""

    def __init__(self) -> None:
        self.began, self.let = threading.Event(), threading.Event()

    @property
    def name(self) -> str:
        """`hung-1`."""
        return "hung-1"

    def review(self, door: Door, limits: Limits) -> ReviewDraft:  # noqa: ARG002 - it looks at nothing
        """Hang."""
        self.began.set()
        self.let.wait()
        return ReviewDraft((), (), "it hung")


def gating() -> Iterator[Figure]:
    """One home; the gate alone, then attach inside an evaluation while a review of the same source hangs."""
    folder = Path(tempfile.mkdtemp(prefix="ferrule-bench-"))
    try:
        with open_home(folder / "home") as home:
            yield from _alone(home)
            yield from _inside(home)
    finally:
        shutil.rmtree(folder)


def _alone(home: Home) -> Iterator[Figure]:
    for where, gate in (("in one process", EvaluateGate()), ("between processes", home.gate)):
        write, evaluation = (
            1000 * percentile(wall_ms(partial(_through, partial(enter, SOURCE.key)), times=2000), 0.5)
            for enter in (gate.of, gate.evaluating)
        )
        yield Figure(
            f"evaluate gate, uncontended, {where}",
            f"p50 {write:.0f} us a write, {evaluation:.0f} us an evaluation",
            "far below the commit",
            "wall, 2,000 times each, entering and leaving",
        )


def _through(enter: Callable[[], AbstractContextManager[object]]) -> None:
    with enter():
        pass


def _inside(home: Home) -> Iterator[Figure]:
    turns = [Turn(f"t{number}", SOURCE.key, number, "please", "done") for number in range(TURNS + 1)]
    home.store.put_session(SOURCE)
    home.store.put_turns(turns)
    reviewer = Hung()
    critic = replace(critic_of(home), reviewer=reviewer)
    _attached(home, turns[0])
    worker = threading.Thread(target=lambda: next(iter(work_lane(critic, SOURCE.key))))
    worker.start()
    reviewer.began.wait()
    try:
        spent = []
        for turn in turns[1:]:
            with home.gate.evaluating(SOURCE.key, seconds=0, patience=0):
                spent.append(wall_ms(partial(_attached, home, turn))[0])
    finally:
        reviewer.let.set()
        worker.join()
    yield Figure(
        "attach inside an evaluation, a review of the source hanging",
        f"p50 {percentile(spent, 0.5):.1f} ms, p95 {percentile(spent, 0.95):.1f} ms",
        "p50 < 5 ms, < 100 ms",
        f"wall, {TURNS} turns, one commit each; without patience for any lock",
    )


def _attached(home: Home, turn: Turn) -> None:
    answer = attach(home.store, SOURCE.key, turn.key, Origin.MANAGEMENT, now=NOW)
    if not isinstance(answer, Attached):
        raise TypeError(answer)

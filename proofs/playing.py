"""One seed is one history: the scheduler picks who goes on and lets things break, then lets all settle.

Owns the schedule of one run. The actors' work is the real code (`doing`); the judge looks at every step. Knows nothing
of what a step means.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from ferrule.errors import FerruleError
from proofs.acts import Act, Kind, Step
from proofs.answering import Answers
from proofs.chance import happens
from proofs.doing import host, worker
from proofs.faults import Faults
from proofs.fibers import Fiber
from proofs.history import in_words
from proofs.judging import Judge
from proofs.looking import Look
from proofs.world import Process, World

__all__ = ["Play"]

STEPS = 220
FAULTS = 0.06  # of all steps
RESTLESS = 0.05  # how often a sleeping worker looks though nothing rang
NAP = 5.0
SOUND = frozenset({"", "tampered"})  # an id that was never used before makes any content sound
PATIENCE = 6 * 3600.0  # longer than all back-offs and waits together
PLACES = {
    "worker-1": "work-a",
    "worker-2": "work-a",
    "worker-3": "work-b",
    "host-1": "desk-a",
    "host-2": "desk-b",
}


@dataclass
class Play:
    """The run of one seed; `scripts` says what the two hosts do, `told` is told the history line by line."""

    world: World
    look: Look
    judge: Judge
    scripts: dict[str, deque[Act]]
    answers: Answers
    faults: Faults
    fibers: dict[str, Fiber] = field(default_factory=dict)
    sprung: dict[str, int] = field(default_factory=dict)
    taken: int = 0
    told: Callable[[str], None] | None = None

    def run(self) -> None:
        """Play until the scripts are over, with faults; then without, until nothing waits."""
        self.look.changed()
        while self.taken < STEPS and any(self.scripts.values()):
            if happens(self.world.rng, FAULTS):
                fault = self.faults.deal(self.taken)
                if self.told is not None:
                    self.told(f"{self.world.now:.1f} --- {fault}")
            ready = [name for name in PLACES if self._ready(name)]
            if ready:
                self._step(self.world.rng.choice(ready))
            else:
                self._nap(NAP)
        self._settle()

    def _step(self, name: str) -> None:
        """Let one actor go on to its next cut, and judge what it did."""
        world, fiber, before = self.world, self.fibers[name], self.look.now
        world.stage.fiber, world.stage.called, world.stage.deep = fiber, [], 0
        fiber.resume()
        world.stage.fiber = None
        self.taken += 1
        if self.look.changed() or happens(world.rng, RESTLESS):
            world.asleep.clear()
        act = world.acts.get(name, Act(Kind.WORK))
        step = Step(name, act, tuple(world.stage.called), before, self.look.now, world.moment())
        if act.kind is Kind.DISPATCH and act.twist in SOUND:
            self.judge.events.update((act.source, turn) for turn in act.turns)
        self.judge.step(step)
        self.answers.step(step)
        if self.told is not None:
            self.told(in_words(step))
        if fiber.died is not None:
            self._died(name, step)
        if fiber.dying:
            self._process(name).end()  # it was killed inside a statement, and all of its process with it
        world.wait(world.rng.random() * 0.5)

    def _died(self, name: str, step: Step) -> None:
        """An actor ended by an error: the disk's fault when it failed since the actor began, else a finding."""
        error, self.fibers[name].died = self.fibers[name].died, None
        trap = self._process(name).trap
        failed = trap.lost or trap.sprung > self.sprung[name]
        if not (isinstance(error, FerruleError) and failed):
            self.judge.say(step, f"{name} ended with {type(error).__name__}: {error}")

    def _process(self, name: str) -> Process:
        return self.world.process(PLACES[name])

    def _ready(self, name: str) -> bool:
        """Whether an actor can go on; one that is over and still has work begins anew."""
        process = self._process(name)
        if self.faults.down.get(process.name, 0) > self.taken or name in self.world.asleep:
            return False
        if process.stopped_until is not None:
            if process.stopped_until > self.world.now and not self.world.quiet:
                return False
            process.stopped_until = None
        fiber = self.fibers.get(name)
        if fiber is not None and not fiber.over:
            return True
        work = self._work(name)
        if work is None:
            return False
        self.fibers[name], self.sprung[name] = Fiber(name, work), process.trap.sprung
        process.fibers = [*(other for other in process.fibers if not other.over), self.fibers[name]]
        self.answers.forget(name)
        return True

    def _work(self, name: str) -> Callable[[], None] | None:
        """What an actor does when it begins; None for a host whose script is over."""
        process = self._process(name)
        if name not in self.scripts:
            return lambda: worker(process, name)
        script = self.scripts[name]
        return (lambda: host(process, name, script, self.answers)) if script else None

    def _nap(self, seconds: float) -> None:
        """Nobody can go on: time passes, and sleepers look again."""
        self.taken += 1
        self.world.wait(seconds)
        self.world.asleep.clear()

    def _settle(self) -> None:
        """Nothing breaks any more: everybody finishes, every lane goes on, until nothing waits."""
        self.world.quiet = True
        self.faults.down.clear()
        for process in self.world.processes.values():
            process.trap.left = 0
            if process.trap.lost:
                process.end()
        until = self.world.steady + PATIENCE
        while self.world.steady < until:
            ready = [name for name in PLACES if self._lives_on(name) and self._ready(name)]
            for name in ready:
                self._step(name)
            if ready:
                continue
            self.scripts["host-1"].extend(self._wake_up())
            if not self.look.now.open():
                return
            if not self.scripts["host-1"]:
                self._nap(max(1.0, self.look.now.next_due(self.world.now) - self.world.now))
        self.judge.wrong.append(f"0 lost: still waiting after all faults ended: {sorted(self.look.now.open())[:3]}")

    def _lives_on(self, name: str) -> bool:
        """One worker is enough for the rest; the others finish what they hold."""
        fiber = self.fibers.get(name)
        return name in self.scripts or name == "worker-1" or (fiber is not None and not fiber.over)

    def _wake_up(self) -> list[Act]:
        """Every lane that rests though turns wait in it goes on."""
        now = self.look.now
        sources = sorted({source for source, _ in now.open()})
        woken = [Act(Kind.ARCHIVE, source, on=False) for source in sources if now.sessions[source][2]]
        return woken + [Act(Kind.PAUSE, source, on=False) for source in sources if source in now.paused]

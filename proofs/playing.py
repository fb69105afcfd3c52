"""One seed is one history: the scheduler picks who goes on, what breaks and what the clock says, then lets all settle.

Owns the schedule and the faults of one run. The actors' work is the real code (`doing`); the judge looks at every step.
Knows nothing of what a step means.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from ferrule.errors import FerruleError
from proofs.acts import Act, Kind
from proofs.answering import Answers
from proofs.doing import LEASE, host, worker
from proofs.fibers import Fiber
from proofs.judging import Judge, Step
from proofs.looking import Look
from proofs.world import SOURCES, Process, World

__all__ = ["Play"]

DAY = 86_400.0
NAP = 5.0
RESTLESS = 0.05  # how often a sleeping worker looks though nothing rang
SOUND = frozenset({"", "tampered"})  # an id that was never used before makes any content sound
STEPS = 220
_WORKERS = (("worker-1", "work-a"), ("worker-2", "work-a"), ("worker-3", "work-b"))
_HOSTS = (("host-1", "desk-a"), ("host-2", "desk-b"))
_PATIENCE = 6 * 3600.0  # longer than all back-offs and waits together
FIRST = "worker-1"
_PLACES = dict((*_WORKERS, *_HOSTS))
_ROLES = tuple(_PLACES)


@dataclass
class Play:
    """The run of one seed."""

    world: World
    look: Look
    judge: Judge
    scripts: dict[str, deque[Act]]
    answers: Answers
    fault_rate: float = 0.06
    fibers: dict[str, Fiber] = field(default_factory=dict)
    down: dict[str, int] = field(default_factory=dict)
    faults: dict[str, int] = field(default_factory=dict)
    taken: int = 0

    def run(self) -> None:
        """Play until the scripts are over, with faults; then without, until nothing waits."""
        self.look.changed()
        while self.taken < STEPS and any(self.scripts.values()):
            if self.world.rng.random() < self.fault_rate:
                self._fault()
            self._go_on()
        self._settle()

    # -- steps

    def _go_on(self) -> bool:
        """One step of somebody; False when nobody can go on."""
        ready = [name for name in self._roles() if self._ready(name)]
        if not ready:
            self.taken += 1
            self.world.wait(NAP)
            self.world.asleep.clear()
            return False
        self.step(self.world.rng.choice(ready))
        return True

    def step(self, name: str) -> None:
        """Let one actor go on to its next cut, and judge what it did."""
        world = self.world
        fiber = self.fibers[name]
        before = self.look.now
        world.stage.fiber, world.stage.called, world.stage.deep = fiber, [], 0
        fiber.resume()
        world.stage.fiber = None
        self.taken += 1
        if self.look.changed() or world.rng.random() < RESTLESS:
            world.asleep.clear()
        act = world.acts.get(name, Act(Kind.WORK))
        step = Step(name, act, tuple(world.stage.called), before, self.look.now, world.moment())
        if act.kind is Kind.DISPATCH and act.twist in SOUND:
            self.judge.events.update((act.source, turn) for turn in act.turns)
        self.judge.step(step)
        self.answers.step(step)
        if fiber.died is not None:
            self._died(name, step)
        world.wait(world.rng.random() * 0.5)

    def _died(self, name: str, step: Step) -> None:
        """An actor ended by an error: the disk's fault when one was set, else a finding."""
        fiber = self.fibers[name]
        error, fiber.died = fiber.died, None
        sprung = self._process(name).trap.sprung
        if not (isinstance(error, FerruleError) and sprung):
            self.judge.say(step, f"{name} ended with {type(error).__name__}: {error}")

    def _roles(self) -> tuple[str, ...]:
        return _ROLES

    def _process(self, name: str) -> Process:
        return self.world.process(_PLACES[name])

    def _ready(self, name: str) -> bool:
        """Whether an actor can go on; one that is over and still has work begins anew."""
        process = self._process(name)
        if self.down.get(process.name, 0) > self.taken or name in self.world.asleep:
            return False
        if process.stopped_until is not None:
            if process.stopped_until > self.world.now and not self.world.quiet:
                return False
            process.stopped_until = None
        fiber = self.fibers.get(name)
        if fiber is None or fiber.over:
            work = self._work(name)
            if work is None:
                return False
            self._begin(name, process, work)
        return True

    def _begin(self, name: str, process: Process, work: Callable[[], None]) -> None:
        fiber = Fiber(name, work)
        self.fibers[name] = fiber
        process.fibers = [other for other in process.fibers if not other.over]
        process.fibers.append(fiber)
        self.answers.forget(name)

    def _work(self, name: str) -> Callable[[], None] | None:
        process = self._process(name)
        if name in self.scripts:
            script = self.scripts[name]
            return (lambda: host(process, name, script, self.answers)) if script else None
        return lambda: worker(process, name)

    # -- faults

    def _fault(self) -> None:
        rng = self.world.rng
        kinds: tuple[Callable[[], None], ...] = (
            self._kill,
            self._kill,
            self._kill_inside,
            self._stop,
            self._disk,
            self._disk,
            self._clock,
            self._clock,
            self._reopen,
        )
        fault = rng.choice(kinds)
        self.faults[fault.__name__] = self.faults.get(fault.__name__, 0) + 1
        fault()

    def _any(self) -> Process:
        return self._process(self.world.rng.choice(self._roles()))

    def _kill(self) -> None:
        """A process dies at a cut; it is back at once, or later."""
        process = self._any()
        process.end()
        self.down[process.name] = self.taken + self.world.rng.choice((0, 0, 5, 40))

    def _kill_inside(self) -> None:
        """A process dies before one of its next statements, inside a transaction or outside."""
        process = self._any()
        fiber_of = self.world.stage

        def die() -> None:
            if fiber_of.fiber is not None:
                fiber_of.fiber.dying = True
                fiber_of.fiber.cut()

        process.trap.left, process.trap.spring = self.world.rng.randint(1, 25), die

    def _stop(self) -> None:
        """A process is stopped for longer than its lease, while the others go on."""
        process = self._any()
        process.stopped_until = self.world.now + LEASE * self.world.rng.choice((0.5, 1.5, 3.0))
        self.world.wait(self.world.rng.choice((0.0, LEASE + 5.0)))

    def _disk(self) -> None:
        """One of the next statements of a process fails."""
        name = self.world.rng.choice(("SQLITE_IOERR_WRITE", "SQLITE_FULL", "SQLITE_IOERR_FSYNC"))
        self._any().trap.disk(self.world.rng.randint(1, 25), name)

    def _clock(self) -> None:
        """The clock jumps: a little, back two days, forward ten years (CASE-H08)."""
        steps = (1.0, -1.0, LEASE / 2, LEASE + 1, -LEASE, 3600.0, -2 * DAY, 3652 * DAY)
        self.world.jump(self.world.rng.choice(steps))

    def _reopen(self) -> None:
        """A process ends in order and begins anew."""
        self._any().end()

    # -- rest

    def _settle(self) -> None:
        """Nothing breaks any more: everybody finishes, every lane goes on, until nothing waits."""
        self.world.quiet = True
        self.down.clear()
        for process in self.world.processes.values():
            process.trap.left = 0
            if process.trap.lost:
                process.end()
        self.scripts["host-1"].extend(self._wake_up())
        until = self.world.steady + _PATIENCE
        while self.world.steady < until:
            ready = [name for name in self._roles() if self._lives_on(name) and self._ready(name)]
            for name in ready:
                self.step(name)
            if not ready and not self._open():
                return
            if not ready:
                self.world.wait(max(1.0, self._next_due() - self.world.now))
                self.world.asleep.clear()
        self.judge.wrong.append(f"0 lost: still waiting after all faults ended: {sorted(self._open())[:3]}")

    def _lives_on(self, name: str) -> bool:
        """One worker is enough for the rest; the others finish what they hold."""
        fiber = self.fibers.get(name)
        return name in self.scripts or name == FIRST or (fiber is not None and not fiber.over)

    def _next_due(self) -> float:
        """When something can be done again; an hour at most, so that a lane that the clock blocked is found."""
        now = self.look.now
        lanes = [lane.due for lane in now.lanes.values() if lane.due is not None]
        events = [event.due for event in now.events.values() if event.state == "received"]
        return min([*lanes, *events, self.world.now + 3600.0])

    def _wake_up(self) -> list[Act]:
        woken = []
        for source in SOURCES:
            if source.key not in self.look.now.sessions:
                continue
            woken.append(Act(Kind.ARCHIVE, source.key, on=False))
            woken.append(Act(Kind.PAUSE, source.key, on=False))
        return woken

    def _open(self) -> set[tuple[str, str]]:
        now = self.look.now
        events = {(event.source, event.turn) for event in now.events.values() if event.state == "received"}
        return events | {key for key, order in now.orders.items() if order.state in {"waiting", "claimed", "failed"}}

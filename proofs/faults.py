"""What breaks in one run: processes die, stop and begin anew, disks fail, clocks are set, as the seed says.

Owns the kinds of faults and how often each was dealt. Knows nothing of who is scheduled when.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from proofs.chance import happens
from proofs.doing import LEASE
from proofs.world import Process, World

__all__ = ["Faults"]

DAY = 86_400.0
CLOCK = (1.0, -1.0, LEASE / 2, LEASE + 1, -LEASE, 3600.0, -2 * DAY, 3652 * DAY)
DISK = ("SQLITE_IOERR_WRITE", "SQLITE_FULL", "SQLITE_IOERR_FSYNC")


@dataclass
class Faults:
    """The faults of one run. `names` are the processes; `down` says until which step a dead one stays away."""

    world: World
    names: tuple[str, ...]
    down: dict[str, int] = field(default_factory=dict)
    dealt: Counter[str] = field(default_factory=Counter)

    def deal(self, step: int) -> str:
        """Let one thing break; returns what, and where."""
        kinds: tuple[tuple[str, Callable[[Process, int], None]], ...] = (
            ("kill", self._kill),
            ("kill", self._kill),
            ("kill inside", self._kill_inside),
            ("stop", self._stop),
            ("disk", self._disk),
            ("disk", self._disk),
            ("clock", self._clock),
            ("clock", self._clock),
            ("reopen", self._reopen),
        )
        name, fault = self.world.rng.choice(kinds)
        self.dealt[name] += 1
        at_work = [process.name for process in self.world.processes.values() if process.holding]
        names = at_work if at_work and happens(self.world.rng, 0.6) else self.names
        process = self.world.process(self.world.rng.choice(names))
        fault(process, step)
        return f"{name} {process.name}"

    def _kill(self, process: Process, step: int) -> None:
        """A process dies at a cut; it is back at once, or later."""
        process.end()
        self.down[process.name] = step + self.world.rng.choice((0, 0, 5, 40))

    def _kill_inside(self, process: Process, _: int) -> None:
        """A process dies before one of its next statements, inside a transaction or outside."""
        stage = self.world.stage

        def die() -> None:
            if stage.fiber is not None:
                stage.fiber.dying = True
                stage.fiber.cut()

        process.trap.left, process.trap.spring = self.world.rng.randint(1, 25), die

    def _stop(self, process: Process, _: int) -> None:
        """A process is stopped, mostly for longer than its lease, while the others go on."""
        process.stopped_until = self.world.now + LEASE * self.world.rng.choice((0.5, 1.5, 3.0))
        self.world.wait(self.world.rng.choice((0.0, LEASE + 5.0)))

    def _disk(self, process: Process, _: int) -> None:
        """One of the next statements of a process fails."""
        process.trap.disk(self.world.rng.randint(1, 25), self.world.rng.choice(DISK))

    def _clock(self, _: Process, __: int) -> None:
        """The clock is set: a little, back two days, forward ten years (CASE-H08)."""
        self.world.jump(self.world.rng.choice(CLOCK))

    def _reopen(self, process: Process, _: int) -> None:
        """A process ends in order and begins anew."""
        process.end()

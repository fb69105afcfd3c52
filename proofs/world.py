"""Everything that one seed plays with: a home in memory, a clock that jumps, processes that die, sources and turns.

Owns the home of one run and what is open in it. A process is a store of its own on the same file, as in life. Knows
nothing of who does what.
"""

import atexit
import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.referents.kinds import HandleKind, Place
from ferrule.session.keys import child_key
from ferrule.session.source import CRITIC_PROFILE, SOURCE_PROFILE, SourceSession
from ferrule.session.turn import Action, ToolCall, Turn, Verb
from proofs.acts import Act, Moment
from proofs.breaking import Trap, breakable
from proofs.cutting import Stage, cut_store
from proofs.fibers import Fiber
from proofs.looking import Look
from proofs.stubs import value_of

__all__ = [
    "BEGAN",
    "SOURCES",
    "STRANGERS",
    "TURNS",
    "Process",
    "World",
    "a_turn",
    "fast_folder",
    "forget_template",
    "opened_world",
]

BEGAN = 1_900_000_000.0
TURNS = 5
_MEMORY = Path("/dev/shm")  # noqa: S108 - a private folder is made in it
_SPARE = 1024**3

SOURCES = tuple(
    SourceSession(key=key, profile=SOURCE_PROFILE, client="desk", cwd="/quay")
    for key in ("desk:alpha", "desk:Bay 6-1: east", "desk:gull")
)
# Sessions that nobody may observe: a companion, a subagent, a specialised agent, and one that only looks like a child.
STRANGERS = (
    SourceSession(key="desk:helper", profile=SOURCE_PROFILE, parent="desk:alpha", client="desk"),
    SourceSession(key="desk:reviewer", profile="code-review-agent", client="desk"),
    SourceSession(key=child_key("desk:helper"), profile=CRITIC_PROFILE, parent="desk:helper", hidden=True),
)


def fast_folder() -> Path | None:
    """A folder that lives in memory, where there is one with room; None for the usual place."""
    try:
        return _MEMORY if shutil.disk_usage(_MEMORY).free > _SPARE else None
    except OSError:
        return None


@cache
def a_turn(source: str, ordinal: int) -> Turn:
    """A completed turn that tells whose it is: it wrote one document."""
    key = f"t{ordinal}"
    path = value_of(source, key)
    call = ToolCall("c1", "Write", {"file_path": path, "content": "# text"}, f"File created: {path}", ok=True)
    return Turn(
        key,
        source,
        ordinal,
        user=f"Please write the Berth Notes {ordinal} into {path}.",
        outcome=f"The Berth Notes {ordinal} are in {path}.",
        calls=(call,),
        actions=(Action("c1", 0, Verb.CREATED, path, HandleKind.FILESYSTEM_PATH, ok=True),),
        place=Place(cwd="/quay", root="/quay", repository="git.example/harbour/quay"),
    )


@dataclass
class Process:
    """One process with the home open: its store as the code gets it, its fibers, and the fault that waits for it."""

    name: str
    world: "World"
    trap: Trap = field(default_factory=Trap)
    fibers: list[Fiber] = field(default_factory=list)
    real: SqliteStore | None = None
    stopped_until: float | None = None
    holding: int = 0

    @property
    def store(self) -> SqliteStore:
        """The store, cut at its calls."""
        return cut_store(self.real_store(), self.world.stage)

    def real_store(self) -> SqliteStore:
        """The store without cuts, for the judge."""
        if self.real is None:
            self.real = SqliteStore(self.world.home, self.world.clock, connect=breakable(self.trap))
        return self.real

    def end(self) -> None:
        """The process dies: its actors stop where they are, and the system closes what it had open."""
        self.trap.left = 0
        for fiber in self.fibers:
            self.world.stage.fiber = fiber
            fiber.kill()
            self.world.stage.fiber = None
        self.fibers.clear()
        self.holding = 0
        self.stopped_until = None
        self.close()

    def close(self) -> None:
        """Close the store, if it is open."""
        self.trap.lost = False
        if self.real is not None:
            self.real.close()
            self.real = None


@dataclass
class World:
    """One run."""

    home: Path
    seed: int
    rng: random.Random
    now: float = BEGAN
    steady: float = 0.0
    forward: int = 0
    backward: int = 0
    stage: Stage = field(default_factory=Stage)
    processes: dict[str, Process] = field(default_factory=dict)
    acts: dict[str, Act] = field(default_factory=dict)
    quiet: bool = False
    asleep: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.stage.clock = self.moment

    def clock(self) -> float:
        """Seconds since the epoch, as every process reads them."""
        return self.now

    def moment(self) -> Moment:
        """Now, as the model tells it."""
        return Moment(self.now, self.steady, self.forward, self.backward)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds
        self.steady += seconds

    def jump(self, seconds: float) -> None:
        """Set the clock; no time passes."""
        self.now += seconds
        self.forward += seconds > 0
        self.backward += seconds < 0

    def process(self, name: str) -> Process:
        """The process of that name, started when it is not there."""
        found = self.processes.get(name)
        if found is None:
            found = self.processes[name] = Process(name, self)
        return found

    def close(self) -> None:
        """End everything."""
        for process in self.processes.values():
            process.end()


@cache
def _template() -> Path:
    """An empty home, made once per process and copied for each run."""
    folder = Path(tempfile.mkdtemp(prefix="ferrule-proofs-", dir=fast_folder()))
    SqliteStore(folder / "empty", lambda: BEGAN).close()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def forget_template() -> None:
    """Remove the empty home of this process."""
    if _template.cache_info().currsize:
        shutil.rmtree(_template(), ignore_errors=True)
        _template.cache_clear()


@contextmanager
def opened_world(seed: int) -> Iterator[tuple[World, Look]]:
    """A fresh world for one seed and the judge's view of it; nothing of it is left afterwards."""
    home = _template() / f"run-{seed}"
    shutil.copytree(_template() / "empty", home)
    world = World(home, seed, random.Random(seed))
    try:
        look = Look(home)
        try:
            yield world, look
        finally:
            look.close()
            world.close()
    finally:
        shutil.rmtree(home, ignore_errors=True)

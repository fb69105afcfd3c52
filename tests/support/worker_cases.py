"""Turns of several sources, a reviewer that does as it is told, a bell that makes time pass: for tests of workers."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from door_cases import NOTES, permanent, the_turn, written
from store_cases import Clock, a_session

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.door import Door
from ferrule.companion.binding import companion_of
from ferrule.companion.worker import Critic
from ferrule.companion.working import Ended, Hours, Worker, Workshop
from ferrule.errors import ModelError
from ferrule.memory.desk import MemoryDesk
from ferrule.review.port import Limits, ReviewDraft
from ferrule.session.source import InstructionState, Origin

LONG = 20.0
"""Real seconds after which a test gives up on another thread; nothing waits for them to pass."""


@dataclass
class Told:
    """A reviewer that keeps who was reviewed in which order, and calls `during` with the turn while it reviews.

    `writing` turns (as `source turn`) get one memory; `failing` maps a turn to how often the model is away for it.
    """

    during: Callable[[str], None] = lambda _: None
    writing: Sequence[str] = ()
    failing: dict[str, int] = field(default_factory=dict)
    began: list[str] = field(default_factory=list)
    name: str = "told-1"

    def review(self, door: Door, limits: Limits) -> ReviewDraft:  # noqa: ARG002 - bounded by its script
        """Do as told."""
        view = door.read_turn()
        turn = f"{view.source} {view.turn}"
        self.began.append(turn)
        self.during(turn)
        if self.failing.get(turn, 0) > 0:
            self.failing[turn] -= 1
            raise ModelError("the model is not there")
        if turn in self.writing:
            written(door, "ParserNotes", "Parser Notes", NOTES)
        return ReviewDraft((), (), "as told")


def queue(store: SqliteStore, source: str, *ordinals: int) -> None:
    """Store and enqueue turns of a source."""
    session = a_session(source, cwd="/work/kestrel")
    store.put_session(session)
    store.put_turns([the_turn(ordinal, source) for ordinal in ordinals])
    store.enqueue(session, companion_of(session), [(ordinal, f"t{ordinal}") for ordinal in ordinals], Origin.EVENT)


def critic_for(store: SqliteStore, reviewer: Told, **more: object) -> Critic:
    """What a worker works with."""
    facts: dict[str, object] = {"cpu": lambda: 0.0, "lease_seconds": 30.0, "worker": "me"}
    return Critic(store, MemoryDesk(store, permanent()), reviewer, **facts | more)  # type: ignore[arg-type]


@dataclass
class PassingBell:
    """A bell in a world where time passes only while the foreman sleeps.

    A sleep jumps to its end unless somebody rang or nudged before; while somebody is `at_work` it waits for that.
    `on_leave` and `on_sleep` let a test act at those moments.
    """

    clock: Clock
    at_work: Callable[[], bool] = lambda: False
    on_leave: Callable[[], None] = lambda: None
    on_sleep: Callable[[float | None], None] = lambda _: None
    slept: list[float | None] = field(default_factory=list)
    rings: list[bool] = field(default_factory=list)
    listening: bool = False
    _state: threading.Condition = field(default_factory=threading.Condition)
    _rung: bool = False
    _nudged: bool = False

    def listen(self) -> None:
        """There again."""
        self.listening = True

    def leave(self) -> None:
        """Gone."""
        self.listening = False
        self.on_leave()

    def ring(self) -> bool:
        """From outside; False when nobody listens."""
        with self._state:
            self._rung = self._rung or self.listening
            self._state.notify_all()
            return self.listening

    def nudge(self) -> None:
        """From inside."""
        with self._state:
            self._nudged = True
            self._state.notify_all()

    def wait(self, seconds: float | None) -> bool:
        """Sleep, in the time of `clock`."""
        self.on_sleep(seconds)
        with self._state:
            waits = seconds is None or self.at_work()
            if waits and not self._state.wait_for(lambda: self._rung or self._nudged, LONG):
                raise AssertionError("the foreman slept for ever")
            if not self._rung and not self._nudged and seconds is not None:
                self.clock.now += seconds
            self.slept.append(seconds)
            rung, self._rung, self._nudged = self._rung, False, False
            self.rings.append(rung)
            return rung

    def steady(self) -> float:
        """Seconds since the beginning of this world."""
        return self.clock.now - 1_900_000_000.0


class Post:
    """A worker over a store in a world of its own time, and what it was seen to do."""

    def __init__(self, store: SqliteStore, clock: Clock, reviewer: Told, hours: Hours, **more: object) -> None:
        self.bell = PassingBell(clock)
        self.settled: list[str] = []
        self.told: list[str] = []
        self.ahead = 0.0
        facts: dict[str, object] = {
            "settled": self.settled.append,
            "tell": self.told.append,
            "clock": lambda: clock.now + self.ahead,
            "steady": self.bell.steady,
        }
        shop = Workshop(critic_for(store, reviewer), self.bell, **facts | more)  # type: ignore[arg-type]
        self.worker = Worker(shop, hours)
        self.bell.at_work = lambda: not self.worker._hands.rest().all_rest

    def run_aside(self) -> tuple[threading.Thread, list[Ended]]:
        """Run in a thread of its own."""
        ended: list[Ended] = []
        thread = threading.Thread(target=lambda: ended.append(self.worker.run()))
        thread.start()
        return thread, ended


ONE = Hours(parallel=1)
TWO = Hours(parallel=2)


def state(store: SqliteStore, source: str, turn: str) -> tuple[InstructionState, int]:
    """How the instruction of a turn stands, and how often it was tried."""
    instruction = store.instruction(source, turn)
    assert instruction is not None
    return instruction.state, instruction.attempts

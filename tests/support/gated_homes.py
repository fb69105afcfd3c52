"""An open home with a source of a few turns, a reviewer that can be held up, and a watchdog over every lock taken."""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from door_cases import GUIDE, NOTES, ONTOLOGY, SOURCE, the_turn, written
from gate_cases import PATIENT

from ferrule.bridge.door import Door
from ferrule.companion.worker import Critic
from ferrule.review.port import Limits, ReviewDraft, Reviewer
from ferrule.session.turn import Turn
from ferrule.wiring.critic import critic_of
from ferrule.wiring.home import Home, open_home

TURNS = tuple(the_turn(ordinal) for ordinal in range(1, 6))
WRITTEN = {1: ("ParserNotes", "Parser Notes", NOTES), 2: ("StyleGuide", "Style Guide", GUIDE)}


@contextmanager
def a_home(folder: Path, turns: Sequence[Turn] = TURNS) -> Iterator[Home]:
    """A home with the small ontology, the source and its turns stored."""
    ontology = folder.with_name("small.pts")
    if not ontology.exists():
        ontology.write_text(ONTOLOGY, encoding="utf-8")
    with open_home(folder, ontology=[ontology]) as home:
        home.store.put_session(SOURCE)
        home.store.put_turns(turns)
        yield home


@dataclass
class Held(Reviewer):
    """A reviewer that says when it began and goes on when it is let; the first two turns write one document each."""

    home: Home
    began: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    let: threading.Event = field(default_factory=threading.Event)
    locks: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """`held-1`."""
        return "held-1"

    def review(self, door: Door, limits: Limits) -> ReviewDraft:  # noqa: ARG002 - it has no limits of its own
        """Note what this thread holds, wait, write."""
        self.locks.append(self.home.gate.held() + (("store",) if self.home.store.is_inside() else ()))
        self.began.release()
        assert self.let.wait(PATIENT)
        document = WRITTEN.get(door.read_turn().ordinal)
        if document is not None:
            written(door, *document)
        return ReviewDraft((), (), "held")


def critic_with(home: Home, reviewer: Reviewer) -> Critic:
    """The home's critic with that reviewer."""
    return replace(critic_of(home), reviewer=reviewer)


@dataclass
class Watchdog:
    """Every asking for the gate and every begun transaction, with what its thread held then: edges of the lock graph.

    It uses what is there in production: the gate asks each open store whether the caller is inside a transaction, and
    SQLite tells every statement that it runs.
    """

    home: Home
    edges: set[tuple[str, str]] = field(default_factory=set)
    asked: int = 0
    begun: list[str] = field(default_factory=list)

    def gate_is_asked_for(self) -> bool:
        """Called by the gate before it lets anybody wait."""
        inside = self.home.store.is_inside()
        self.asked += 1
        if inside:
            self.edges.add(("store", "gate"))
        return inside

    def statement(self, text: str) -> None:
        """Called by SQLite for each statement, in the thread that runs it."""
        if text.startswith("BEGIN"):
            self.begun.append(threading.current_thread().name)
            self.edges.update(("gate", "store") for _ in self.home.gate.held())


@contextmanager
def watched(home: Home) -> Iterator[Watchdog]:
    """Watch over a scenario; afterwards the lock graph has one direction and nobody holds or waits for anything."""
    dog = Watchdog(home)
    connection: sqlite3.Connection = home.store._database._connection
    connection.set_trace_callback(dog.statement)
    with home.gate.watching(dog.gate_is_asked_for):
        yield dog
    connection.set_trace_callback(None)
    assert dog.edges <= {("gate", "store")}, "a lock was asked for in the other order: a cycle can arise"
    assert len(home.gate._rooms) == 0


def joined(*threads: threading.Thread) -> None:
    """Wait, within bounds, for threads to end: the watchdog's last word."""
    for thread in threads:
        thread.join(PATIENT)
        if thread.is_alive():
            pytest.fail(f"{thread.name} hangs: there is a deadlock")

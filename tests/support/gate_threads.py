"""Threads inside an evaluate gate, for tests of it."""

import threading
from collections.abc import Callable

from gate_cases import PATIENT

from ferrule.session.gate import EvaluateGate


class Held:
    """A thread that went into a gate and stays there until told to leave."""

    def __init__(self, enter: Callable[["Held"], None]) -> None:
        self.inside, self.leave = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=enter, args=(self,))
        self.thread.start()
        assert self.inside.wait(PATIENT)

    def stay(self) -> None:
        """Say that the gate was entered, and wait."""
        self.inside.set()
        assert self.leave.wait(PATIENT)

    def gone(self) -> None:
        """Leave, and wait until the thread has ended."""
        self.leave.set()
        self.thread.join(PATIENT)
        assert not self.thread.is_alive()


def writing(gate: EvaluateGate, source: str = "alpha") -> Held:
    """Another thread in the gate, as NLMemory."""

    def enter(held: Held) -> None:
        with gate.of(source):
            held.stay()

    return Held(enter)


def evaluating(gate: EvaluateGate, source: str = "alpha") -> Held:
    """Another thread in the gate, as a host."""

    def enter(held: Held) -> None:
        with gate.evaluating(source):
            held.stay()

    return Held(enter)


def waiting(gate: EvaluateGate) -> int:
    """How many wait for a turn, in all rooms."""
    return sum(len(room.waiting) for room in gate._rooms._rooms.values())

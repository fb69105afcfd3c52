"""One mutex per source keeps its evaluation and NLMemory's writes apart, and nothing waits for a review under it (R78).

Owns the gate. Whoever evaluates a source holds it for the whole evaluation and may attach, dispatch and give feedback
meanwhile: each is a row in the store, never a call, and none of them asks for the gate. NLMemory holds it for one short
commit. Nobody holds it while a reviewer, a model, a source or the network is called (CASE-M07), and it is never asked
for inside a store transaction, so that locks are taken in one order only: gate, then store. No cycle can arise.

Every wait is bounded. A commit that finds the gate closed gives up (`GateBusy`) and is tried again later. An evaluation
waits for another evaluation of the same source, and hardly at all for a commit: one that takes longer than
`PATIENCE_SECONDS` belongs to a stopped or hung process, and the source goes on without it (INV-I8). That costs only
that the stopped commit may land in the middle of the evaluation; the store's transaction and the lane's fencing keep
it whole or out in any case.

Knows nothing of what is evaluated, nor how processes are kept apart: that is the `Latch`.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn, Protocol

from ferrule.errors import GateBusy, InternalError, StoreError
from ferrule.session.rooms import Entry, Rooms

__all__ = [
    "EVALUATION_SECONDS",
    "PATIENCE_SECONDS",
    "TRESPASSES",
    "WAIT_SECONDS",
    "EvaluateGate",
    "Evaluation",
    "Latch",
    "Room",
    "trespass",
]

# Below the five seconds in which a process that was asked to stop has to be gone (CASE-J09), far below a lease.
WAIT_SECONDS = 4.0
# Another evaluation of the same source is a person's or an agent's work; whoever can wait longer says so.
EVALUATION_SECONDS = 30.0
# A commit takes milliseconds; see above.
PATIENCE_SECONDS = 0.5

# The last broken promises of this process, for a test suite or a status page to look at (CASE-M07).
TRESPASSES: deque[str] = deque(maxlen=16)


def trespass(what: str) -> NoReturn:
    """A lock is held, or asked for, where that could deadlock: stop here, in production too (CASE-M07).

    Raises:
        InternalError: always.
    """
    TRESPASSES.append(what)
    raise InternalError(what)


class Room(StrEnum):
    """What is held of a source: its evaluation (hosts, one at a time), or the gate itself (an evaluation or a commit).

    They are two, so that an evaluation that goes on without a hung commit still keeps other evaluations out.
    """

    EVALUATION = "evaluation"
    GATE = "gate"


class Latch(Protocol):
    """Keeps other processes out of a source's rooms."""

    def take(self, source: str, room: Room, seconds: float) -> Callable[[], None] | None:
        """Hold a room against other processes; waits at most that long, first come, first served as far as it can.

        Returns what gives it back, callable from any thread, or None when the time had passed. A process that dies
        holds nothing.

        Raises:
            StoreError: `UNSAFE_PATH` or `IO_FAILED`: processes cannot be kept apart here.
        """
        ...


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A running evaluation. `without` tells why the gate could not be had for it; empty when it could (INV-I8)."""

    source: str
    without: str = ""


class EvaluateGate:
    """A re-entrant mutex per source session, first come, first served.

    Args:
        latch: keeps other processes out; None for a gate of this process only.

    >>> gate = EvaluateGate()
    >>> with gate.evaluating("alpha"), gate.of("alpha"):
    ...     gate.held()
    ('alpha',)
    """

    def __init__(self, latch: Latch | None = None) -> None:
        self._latch = latch
        self._rooms = Rooms()
        self._stores: list[Callable[[], bool]] = []

    @contextmanager
    def watching(self, inside: Callable[[], bool]) -> Iterator[None]:
        """While a store is open: it tells whether the calling thread is in the middle of its work.

        Whoever asks for the gate there breaks the one order of locks, gate then store, and is stopped (CASE-M07). In a
        transaction that is a bug, or a signal handler whose write would hang on a commit that is not its own; in a
        single statement it is a signal handler, and whoever holds the gate may be waiting for this very statement.
        """
        self._stores.append(inside)
        try:
            yield
        finally:
            self._stores.remove(inside)

    @contextmanager
    def of(self, source: str, *, seconds: float | None = None) -> Iterator[None]:
        """Hold the gate for one short write. Never review, search or call anybody inside.

        Args:
            source: the key of the source session.
            seconds: the longest wait, in this process and then once more between processes; None for `WAIT_SECONDS`.

        Raises:
            GateBusy: the source is being evaluated, or another write hangs; nothing was done (CASE-M08).
            StoreError: processes cannot be kept apart: `UNSAFE_PATH` or `IO_FAILED`.
        """
        with self._held(source, Room.GATE, WAIT_SECONDS if seconds is None else seconds):
            yield

    @contextmanager
    def evaluating(
        self, source: str, *, seconds: float | None = None, patience: float = PATIENCE_SECONDS
    ) -> Iterator[Evaluation]:
        """Hold the gate while a host evaluates the source. Attach, dispatch and feedback may be called inside (R78).

        The gate belongs to the thread: two evaluations in one thread, of an event loop say, are not kept apart.

        Args:
            source: the key of the source session.
            seconds: how long to wait for another evaluation of this source; None for `EVALUATION_SECONDS`.
            patience: how long to wait for a commit, in seconds; then the evaluation begins without the gate (INV-I8).

        Raises:
            GateBusy: another evaluation of this source did not end in time.
        """
        mine = set(self._rooms.of_thread())
        if (source, Room.GATE) in mine and (source, Room.EVALUATION) not in mine:
            trespass(f"{source} is evaluated inside a write to its own memory")
        with ExitStack() as stack:
            longest = EVALUATION_SECONDS if seconds is None else seconds
            stack.enter_context(self._held(source, Room.EVALUATION, longest, needs_latch=False))
            without = ""
            try:
                stack.enter_context(self._held(source, Room.GATE, patience))
            except StoreError as error:
                without = str(error)
            yield Evaluation(source, without)

    def held(self) -> tuple[str, ...]:
        """The sources whose evaluation or gate the calling thread holds: empty wherever somebody is called."""
        return tuple(dict.fromkeys(source for source, _ in self._rooms.of_thread()))

    @contextmanager
    def _held(self, source: str, room: Room, seconds: float, *, needs_latch: bool = True) -> Iterator[None]:
        key = (source, room)
        entry = Entry()
        if any(inside() for inside in tuple(self._stores)):
            trespass(f"the gate of {source} is asked for in the middle of a store's work")
        try:
            if not self._rooms.enter(key, entry, seconds):
                raise _busy(source, room, seconds)
            if self._latch is not None and not self._rooms.undoes(key):
                if self._rooms.is_nested(key):  # a signal handler, in the middle of this thread's own waiting
                    raise _busy(source, room, 0.0)
                self._rooms.undo_at_the_end(key, self._taken(self._latch, key, seconds, needed=needs_latch))
            yield
        finally:
            self._rooms.leave(key, entry)

    @staticmethod
    def _taken(latch: Latch, key: tuple[str, Room], seconds: float, *, needed: bool) -> Callable[[], None]:
        source, room = key
        try:
            undo = latch.take(source, room, seconds)
        except StoreError:
            if needed:
                raise
            return _nothing
        if undo is None:
            raise _busy(source, room, seconds)
        return undo


def _nothing() -> None:
    """What is to be given back where other processes could not be kept out."""


def _busy(source: str, room: Room, seconds: float) -> GateBusy:
    whose = "another evaluation of it" if room is Room.EVALUATION else "an evaluation or another write"
    return GateBusy(f"{source}: {whose} did not end within {seconds:g} s; nothing was changed, try again later")

"""The evaluate gate inside one process."""

import queue
import threading
from collections.abc import Callable

import pytest
from gate_cases import PATIENT, until
from gate_threads import evaluating, waiting, writing

from ferrule.errors import Code, GateBusy, InternalError, StoreError
from ferrule.session.gate import TRESPASSES, EvaluateGate, Latch, Room


@pytest.fixture
def trespasses() -> None:
    """For a test that breaks the rule on purpose: what it left is taken away again."""
    TRESPASSES.clear()


def test_a_source_is_evaluated_or_written_by_one_at_a_time_first_come_first_served() -> None:
    """R78: who waits enters when the other leaves, in the order of coming; nobody is passed by."""
    gate, order = EvaluateGate(), queue.SimpleQueue[int]()

    def following(number: int) -> None:
        with gate.of("alpha", seconds=PATIENT):
            order.put(number)

    held = evaluating(gate)
    threads = []
    for number in range(5):
        threads.append(threading.Thread(target=following, args=(number,)))
        threads[-1].start()
        until(lambda number=number: waiting(gate) == number + 1)  # type: ignore[misc]
    held.gone()
    for thread in threads:
        thread.join(PATIENT)
    assert [order.get(timeout=PATIENT) for _ in range(5)] == [0, 1, 2, 3, 4]


def test_sources_do_not_wait_for_each_other() -> None:
    """R78: a gate held for one source leaves all others open."""
    gate = EvaluateGate()
    held = evaluating(gate, "alpha")
    with gate.of("beta", seconds=0), gate.evaluating("gamma", seconds=0):
        assert gate.held() == ("beta", "gamma")
    held.gone()


def test_the_holder_may_enter_again_as_often_as_it_likes() -> None:
    """R78: what an evaluation writes to its own memory, it writes at once."""
    gate = EvaluateGate()
    with gate.evaluating("alpha") as outer, gate.of("alpha", seconds=0), gate.of("alpha", seconds=0):
        assert outer.without == ""
    with gate.evaluating("alpha", seconds=0), gate.evaluating("alpha", seconds=0) as inner:
        assert inner.without == ""
    assert gate.held() == ()


def test_a_wait_that_passes_its_bound_ends_with_the_code_and_changes_nothing() -> None:
    """CASE-M08: BUDGET, the time for waiting is used up; the gate opens as ever afterwards."""
    gate = EvaluateGate()
    held = writing(gate)
    with pytest.raises(GateBusy) as caught, gate.of("alpha", seconds=0.01):
        pass
    assert (caught.value.code, caught.value.exit_code) == (Code.BUDGET, 4)
    assert isinstance(caught.value, StoreError)
    assert "alpha" in str(caught.value)
    held.gone()
    with gate.of("alpha", seconds=0):
        pass


def test_one_evaluation_waits_for_the_other_and_gives_up_at_its_bound() -> None:
    """R78, CASE-M08: two hosts do not evaluate one source at the same time."""
    gate = EvaluateGate()
    held = evaluating(gate)
    with pytest.raises(GateBusy), gate.evaluating("alpha", seconds=0.01):
        pass
    held.gone()


def test_a_commit_that_hangs_does_not_hold_the_source_up() -> None:
    """INV-I8: the evaluation begins without the gate and says why; another evaluation is still kept out."""
    gate = EvaluateGate()
    held = writing(gate)
    with gate.evaluating("alpha", patience=0.01) as evaluation:
        assert "another write did not end" in evaluation.without
        assert gate.held() == ("alpha",)
        with pytest.raises(GateBusy), gate.of("alpha", seconds=0.01):
            pass
        errors = queue.SimpleQueue[str]()

        def other() -> None:
            try:
                with gate.evaluating("alpha", seconds=0.01):
                    errors.put("let in")
            except GateBusy as error:
                errors.put(error.code)

        thread = threading.Thread(target=other)
        thread.start()
        thread.join(PATIENT)
        assert errors.get(timeout=PATIENT) == "BUDGET"
    held.gone()
    with gate.evaluating("alpha", patience=0) as evaluation:
        assert evaluation.without == ""


def test_held_tells_what_this_thread_holds_and_no_other() -> None:
    """CASE-M07: so that whoever is about to call a reviewer can be stopped."""
    gate = EvaluateGate()
    held = evaluating(gate, "beta")
    assert gate.held() == ()
    with gate.of("alpha"):
        assert gate.held() == ("alpha",)
    assert gate.held() == ()
    held.gone()


@pytest.mark.usefixtures("trespasses")
def test_the_gate_is_never_asked_for_inside_a_store_transaction() -> None:
    """CASE-M07, R78: locks are taken in one order, gate then store; the other order is stopped and noted."""
    inside = [False]
    gate = EvaluateGate()
    with gate.watching(lambda: inside[0]), gate.of("alpha"):
        inside[0] = True
        for entered in (gate.of("beta"), gate.evaluating("beta"), gate.of("alpha")):
            with pytest.raises(InternalError), entered:
                pass
    assert len(TRESPASSES) == 3
    with gate.of("beta", seconds=0):  # that store is closed
        pass
    TRESPASSES.clear()


@pytest.mark.usefixtures("trespasses")
def test_a_source_is_never_evaluated_inside_a_write_to_its_memory() -> None:
    """CASE-M07: no lock is held when the source is called."""
    gate = EvaluateGate()
    with gate.of("alpha"), pytest.raises(InternalError), gate.evaluating("alpha"):
        pass
    assert len(TRESPASSES) == 1
    TRESPASSES.clear()
    with gate.evaluating("alpha", seconds=0):
        pass


def test_a_gate_that_nobody_holds_or_waits_for_is_forgotten() -> None:
    """R78, CASE-I10: locks do not pile up with sources, whatever happened inside."""
    gate = EvaluateGate()
    for number in range(100):
        with gate.evaluating(f"source {number}"), gate.of(f"source {number}"):
            pass
    for raised in (KeyboardInterrupt, SystemExit, ValueError):
        with pytest.raises(raised), gate.evaluating("alpha"):
            raise raised
    held = writing(gate)
    with pytest.raises(GateBusy), gate.of("alpha", seconds=0.01):
        pass
    held.gone()
    assert len(gate._rooms) == 0


class Broken(Latch):
    """A latch of a home that cannot be used."""

    def take(self, source: str, room: Room, seconds: float) -> Callable[[], None] | None:
        """Fail as a read-only file system does."""
        raise StoreError(f"{source}: {room} cannot be locked ({seconds})")


def test_a_home_that_cannot_be_locked_refuses_writes_and_lets_the_source_go_on() -> None:
    """INV-I8, R59: fail closed where memory is written, never where the source works."""
    gate = EvaluateGate(Broken())
    with pytest.raises(StoreError), gate.of("alpha", seconds=0):
        pass
    with gate.evaluating("alpha", seconds=0) as evaluation:
        assert "cannot be locked" in evaluation.without
    assert len(gate._rooms) == 0


class Counting(Latch):
    """A latch that tells what was taken and given back."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def take(self, source: str, room: Room, seconds: float) -> Callable[[], None] | None:
        """Note it."""
        assert seconds >= 0
        self.log.append(f"+{source} {room}")
        return lambda: self.log.append(f"-{source} {room}")


def test_other_processes_are_kept_out_once_however_often_the_holder_enters() -> None:
    """R78: evaluation first, then the gate; given back in the opposite order when the last one leaves."""
    latch = Counting()
    gate = EvaluateGate(latch)
    with gate.evaluating("alpha"):
        with gate.of("alpha"):
            pass
        with gate.evaluating("alpha"):
            pass
        assert latch.log == ["+alpha evaluation", "+alpha gate"]
    assert latch.log[2:] == ["-alpha gate", "-alpha evaluation"]

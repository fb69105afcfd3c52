"""The evaluate gate among threads that die, fork, fail, or are interrupted."""

import contextlib
import os
import queue
import random
import signal
import threading

import pytest
from gate_cases import PATIENT, until
from gate_threads import waiting, writing

from ferrule.errors import GateBusy
from ferrule.session.gate import EvaluateGate


def test_a_thread_that_dies_inside_holds_nobody_up() -> None:
    """R78, CASE-J14: what a thread left open when it ended is taken over by whoever comes, or waits until then."""
    gate = EvaluateGate()
    left = [gate.of("alpha"), gate.of("beta")]

    def careless() -> None:
        for entered in left:
            entered.__enter__()

    thread = threading.Thread(target=careless)
    thread.start()
    thread.join(PATIENT)
    with gate.of("alpha", seconds=0):
        assert gate.held() == ("alpha",)
    left.clear()  # its leftovers are collected: the rooms of the living are not touched
    with gate.of("beta", seconds=0):
        pass
    assert len(gate._rooms) == 0


def test_a_waiter_is_let_in_at_its_bound_when_the_holder_died_meanwhile() -> None:
    """R78: the bound ends the wait, and the dead do not count."""
    gate = EvaluateGate()
    left, ready, die = [gate.of("alpha")], threading.Event(), threading.Event()

    def careless() -> None:
        left[0].__enter__()
        ready.set()
        die.wait(PATIENT)

    holder = threading.Thread(target=careless)
    holder.start()
    assert ready.wait(PATIENT)
    entered = queue.SimpleQueue[str]()

    def patient() -> None:
        with gate.of("alpha", seconds=1.0):
            entered.put("entered")

    waiter = threading.Thread(target=patient)
    waiter.start()
    until(lambda: waiting(gate) == 1)
    die.set()
    holder.join(PATIENT)
    assert entered.get(timeout=PATIENT) == "entered"
    waiter.join(PATIENT)


def test_leaving_from_another_thread_is_leaving() -> None:
    """R78: a web framework may leave a context on another thread of its pool than it entered on."""
    gate = EvaluateGate()
    entered = gate.of("alpha")
    entered.__enter__()
    thread = threading.Thread(target=entered.__exit__, args=(None, None, None))
    thread.start()
    thread.join(PATIENT)
    assert gate.held() == ()
    assert len(gate._rooms) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # from Python 3.12 on: what this test is about
def test_a_forked_child_holds_nothing_and_waits_for_no_thread_of_its_parent() -> None:
    """CASE-J12: the threads inside are not in the child; its own leaving does not let anybody into the parent's."""
    gate = EvaluateGate()
    held = writing(gate, "beta")
    with gate.of("alpha"):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                with gate.of("beta", seconds=0), gate.of("alpha", seconds=0):
                    code = 0 if gate.held() == ("beta", "alpha") else 2
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert gate.held() == ("alpha",)
    held.gone()


def test_many_threads_that_come_go_nest_and_fail_are_never_inside_together() -> None:
    """R78, CASE-M12: a count that is raised with no other care is exact; nobody is left inside or waiting."""
    gate, counts, done = EvaluateGate(), {"alpha": 0, "beta": 0}, [0, 0]
    breathe = threading.Event()

    def raising(source: str, chance: random.Random) -> None:
        before = counts[source]
        breathe.wait(0.0005)
        counts[source] = before + 1
        if chance.random() < 0.3:
            with gate.of(source, seconds=0):
                breathe.wait(0.0005)
        if chance.random() < 0.2:
            raise ValueError(source)

    def work(seed: int) -> None:
        chance = random.Random(seed)  # noqa: S311 - reproducible, not secret
        for _ in range(150):
            place = chance.randrange(2)
            source = ("alpha", "beta")[place]
            entered = gate.evaluating(source, patience=PATIENT) if chance.random() < 0.4 else gate.of(source)
            with contextlib.suppress(ValueError), entered:
                done[place] += 1
                raising(source, chance)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENT)
    assert [counts["alpha"], counts["beta"]] == done
    assert sum(done) == 6 * 150
    assert len(gate._rooms) == 0


def test_whoever_is_asked_in_the_middle_of_its_own_waiting_does_not_wait_for_itself() -> None:
    """CASE-M12: a signal handler that comes while its thread waits is told at once, and the wait goes on."""
    gate, said = EvaluateGate(), list[str]()

    def handler(_signal: int, _frame: object) -> None:
        try:
            with gate.of("alpha"):
                said.append("let in")
        except GateBusy as error:
            said.append(error.code)
        held.leave.set()

    before = signal.signal(signal.SIGUSR1, handler)
    held = writing(gate)

    def poke() -> None:
        until(lambda: waiting(gate) == 1)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)

    poker = threading.Thread(target=poke)
    try:
        poker.start()
        with gate.of("alpha", seconds=PATIENT):
            said.append("my turn")
    finally:
        poker.join(PATIENT)
        signal.signal(signal.SIGUSR1, before)
    held.gone()
    assert said == ["BUDGET", "my turn"]


def test_whoever_is_asked_in_the_middle_of_its_own_bookkeeping_is_told_at_once() -> None:
    """CASE-M12: the gate of another source, too: whoever holds that needs the bookkeeping to leave."""
    gate = EvaluateGate()
    with gate._rooms._guard, pytest.raises(GateBusy), gate.of("alpha", seconds=PATIENT):
        pass
    with gate.of("alpha", seconds=0):
        pass

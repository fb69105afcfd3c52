"""The evaluate gate."""

import threading

from ferrule.session.gate import EvaluateGate


def test_one_source_is_evaluated_by_one_at_a_time() -> None:
    """R78: while one holds the gate of a source, another waits; after it left, the other enters."""
    gate, order = EvaluateGate(), []
    entered, leave = threading.Event(), threading.Event()

    def first() -> None:
        with gate.of("alpha"):
            entered.set()
            leave.wait(10)
            order.append("first")

    def second() -> None:
        with gate.of("alpha"):
            order.append("second")

    threads = [threading.Thread(target=first)]
    threads[0].start()
    assert entered.wait(10)
    threads.append(threading.Thread(target=second))
    threads[1].start()
    leave.set()
    for thread in threads:
        thread.join(10)
    assert order == ["first", "second"]


def test_sources_do_not_wait_for_each_other() -> None:
    """R78: a gate held for one source leaves all others open, and the holder may enter its own again."""
    gate = EvaluateGate()
    done = threading.Event()

    def other() -> None:
        with gate.of("beta"):
            done.set()

    with gate.of("alpha"), gate.of("alpha"):
        thread = threading.Thread(target=other)
        thread.start()
        assert done.wait(10)
        thread.join(10)


def test_a_gate_that_nobody_holds_is_forgotten() -> None:
    """R78: locks do not pile up with sources."""
    gate = EvaluateGate()
    for number in range(100):
        with gate.of(f"source {number}"):
            pass
    assert not gate._locks

"""Several processes write one home: nothing is lost, nothing is done twice.

Homes are in memory: what processes do to each other is looked at, and no disk that others keep busy decides it.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from store_cases import IMPORT, LEASE, Clock, Entity, a_child, a_commit, a_property, a_session, a_turn, a_write

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import Code, StoreError
from ferrule.memory.receipts import broken_at
from ferrule.session.events import EventEnvelope, StoredEvent
from ferrule.session.source import LaneClaim
from ferrule.session.subscriptions import Companion, Subscription

pytestmark = pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="works with forked processes"
)
TURNS = 12
ROUNDS = 100
PATIENCE = 60
SOURCE = a_session()
FORK = multiprocessing.get_context("fork")


def work(home: Path, key: str, report: Connection) -> None:
    """Take the lane's turns until none is left; report how many were committed here."""
    store = SqliteStore(home, Clock())
    done = 0
    while store._database.number("SELECT count(*) FROM instructions WHERE state IN ('waiting', 'claimed')"):
        claim = store.claim(key, lease_seconds=LEASE)
        if claim is None:
            time.sleep(0)
            continue
        done += commit_one(store, claim)
    store.close()
    report.send(done)
    report.close()


def commit_one(store: SqliteStore, claim: LaneClaim) -> int:
    """Commit the claimed turn, as whoever got the claim; 0 when somebody else did."""
    ordinal = claim.instruction.ordinal
    try:
        store.commit(a_commit(a_turn(ordinal), a_write(Entity(f"Thing{ordinal}", f"/t/{ordinal}"))), claim)
    except StoreError:
        return 0
    return 1


def test_two_processes_share_a_lane_without_loss_or_doubles(in_memory: Path) -> None:
    """CASE-M02, INV-I4, R100: each turn once, all receipts in one sound chain."""
    home = in_memory / "home"
    source = a_session()
    store = SqliteStore(home, Clock())
    store.put_session(source)
    turns = [a_turn(ordinal) for ordinal in range(1, TURNS + 1)]
    store.put_turns(turns)
    store.enqueue(source, a_child(source), [(turn.ordinal, turn.key) for turn in turns], IMPORT)
    store.close()
    pipes = [FORK.Pipe(duplex=False) for _ in range(2)]
    workers = [FORK.Process(target=work, args=(home, source.key, sender)) for _, sender in pipes]
    for worker, (_, sender) in zip(workers, pipes, strict=True):
        worker.start()
        sender.close()
    done = [receiver.recv() for receiver, _ in pipes]
    for worker in workers:
        worker.join(30)
    assert [worker.exitcode for worker in workers] == [0, 0]
    store = SqliteStore(home, Clock())
    assert sum(done) == TURNS
    assert store.layer(source.key).names() == tuple(f"Thing{n}" for n in range(1, TURNS + 1))
    assert len(store.receipts()) == TURNS
    assert broken_at(store.receipts()) is None
    assert store.revision(source.key) == TURNS
    store.close()


# -- many at once


def side_by_side(work: Callable[[Path, int, Connection], None], home: Path, count: int) -> list[int]:
    """Run `work(home, number, pipe)` in forked processes that begin together; what each reports."""
    pipes = [FORK.Pipe() for _ in range(count)]
    workers = [
        FORK.Process(target=begun, args=(work, home, number, theirs)) for number, (_, theirs) in enumerate(pipes)
    ]
    for worker in workers:
        worker.start()
    try:
        for ours, _ in pipes:
            assert ours.poll(PATIENCE)
            assert ours.recv() == "ready"
        for ours, _ in pipes:
            ours.send("go")
        said = []
        for ours, _ in pipes:
            assert ours.poll(PATIENCE)
            said.append(int(ours.recv()))
        return said
    finally:
        for worker in workers:
            worker.join(5)
            if worker.is_alive():
                worker.kill()
                worker.join(5)


def begun(work: Callable[[Path, int, Connection], None], home: Path, number: int, pipe: Connection) -> None:
    """A forked process: work, report, and never return into the test runner."""
    try:
        work(home, number, pipe)
    finally:
        os._exit(0)


def ready(pipe: Connection) -> None:
    """Wait for the others."""
    pipe.send("ready")
    assert pipe.poll(PATIENCE)
    pipe.recv()


def write_fifty(home: Path, number: int, pipe: Connection) -> None:
    """A process that writes fifty things of its own, from three threads, while signals come in."""
    store = SqliteStore(home, Clock())
    signal.signal(signal.SIGALRM, lambda *_: None)
    ready(pipe)
    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)

    def write(part: range) -> None:
        for n in part:
            store.commit_person(SOURCE.key, a_write(Entity(f"Thing{number}x{n}", f"/t/{number}/{n}")))

    threads = [threading.Thread(target=write, args=(range(first, 50, 3),)) for first in (1, 2)]
    for thread in threads:
        thread.start()
    write(range(0, 50, 3))
    for thread in threads:
        thread.join(PATIENCE)
    signal.setitimer(signal.ITIMER_REAL, 0)
    pipe.send(len(store.receipts()))


def test_eight_processes_with_threads_and_signals_lose_nothing(in_memory: Path) -> None:
    """CASE-M02, CASE-M12, CASE-K06: 400 distinct writes are 400 memories and one sound chain of receipts."""
    home = in_memory / "home"
    store = SqliteStore(home, Clock())
    store.put_session(SOURCE)
    assert max(side_by_side(write_fifty, home, 8)) == 400
    assert len(store.layer(SOURCE.key).names()) == 400
    assert (len(store.receipts()), store.revision(SOURCE.key)) == (400, 400)
    assert broken_at(store.receipts()) is None
    store.close()
    SqliteStore(home, Clock()).close()


def claim_a_property(home: Path, number: int, pipe: Connection) -> None:
    """A process that gives each thing its own owner, judged when it had none; tells how often it was first."""
    store = SqliteStore(home, Clock())
    ready(pipe)
    won = 0
    for n in range(ROUNDS):
        mine = Entity(f"Thing{n}", f"/t/{n}", more=(a_property("Owner", f"process {number}"),))
        try:
            store.commit_person(SOURCE.key, a_write(mine))
            won += 1
        except StoreError as error:
            won += 0 if error.code is Code.STALE_REVISION else ROUNDS
    pipe.send(won)


def test_of_two_processes_that_fill_the_same_property_one_is_first(in_memory: Path) -> None:
    """CASE-M01, INV-I3: exactly one is accepted in each round, the other is told that it judged something older."""
    home = in_memory / "home"
    store = SqliteStore(home, Clock())
    store.put_session(SOURCE)
    for n in range(ROUNDS):
        store.commit_person(SOURCE.key, a_write(Entity(f"Thing{n}", f"/t/{n}")))
    assert sum(side_by_side(claim_a_property, home, 2)) == ROUNDS
    assert len(store.receipts()) == 2 * ROUNDS
    store.close()


def attach_ten(home: Path, number: int, pipe: Connection) -> None:
    """A process that attaches to the same turn ten times."""
    store = SqliteStore(home, Clock())
    child = a_child(SOURCE)
    ready(pipe)
    for n in range(10):
        with store.unit():
            store.put_companion(Companion(child.key, SOURCE.key), child)
            store.put_subscription(Subscription(SOURCE.key, child.key, 2))
            store.enqueue(SOURCE, child, [(1, "t1")], IMPORT)
            store.put_event(StoredEvent(EventEnvelope(f"e{n}", "turn.completed", SOURCE.key, "", "", "t1"), "d"))
    pipe.send(number)


def test_fifty_attaches_from_five_processes_are_one(in_memory: Path) -> None:
    """CASE-F11, CASE-H01, R74: one child, one subscription, one queued turn, each event once."""
    home = in_memory / "home"
    store = SqliteStore(home, Clock())
    store.put_session(SOURCE)
    side_by_side(attach_ten, home, 5)
    assert len(store.sessions(hidden=True)) == 2
    assert (len(store.companions()), len(store.subscriptions()), len(store.instructions(SOURCE.key))) == (1, 1, 1)
    assert [one.envelope.id for one in store.received_events(100)] == [f"e{n}" for n in range(10)]
    store.close()


def serve(home: Path, number: int, pipe: Connection) -> None:
    """A worker that reviews whatever is due until nothing is; tells how many it did before the other had to wait."""
    store = SqliteStore(home, time.time)
    ready(pipe)
    done = 0
    while (claim := store.claim_next(lease_seconds=LEASE, worker=str(number))) is not None:
        turn = claim.instruction
        store.commit(a_commit(a_turn(turn.ordinal, claim.source)), claim)
        done += 1
    pipe.send(done)


def test_two_workers_share_the_lanes_and_neither_starves(in_memory: Path) -> None:
    """R2, INV-I4, CASE-M02: every turn once; who waits for the file gets it within a few commits of the other."""
    home = in_memory / "home"
    store = SqliteStore(home, time.time)
    for number in range(20):
        source = a_session(f"desk:{number}")
        store.enqueue(source, a_child(source), [(ordinal, f"t{ordinal}") for ordinal in range(1, 11)], IMPORT)
    done = side_by_side(serve, home, 2)
    assert sum(done) == sum(lane.reviewed for lane in store.lanes()) == 200
    assert min(done) >= 20
    store.close()


def open_it(home: Path, report: Connection) -> None:
    """Open a home and say whether that worked."""
    SqliteStore(home, Clock()).close()
    report.send("opened")
    report.close()


def test_two_processes_may_begin_a_home_at_the_same_time(in_memory: Path) -> None:
    """CASE-M02: one makes it, the other finds it made."""
    pipes = [FORK.Pipe(duplex=False) for _ in range(2)]
    workers = [FORK.Process(target=open_it, args=(in_memory / "home", sender)) for _, sender in pipes]
    for worker, (_, sender) in zip(workers, pipes, strict=True):
        worker.start()
        sender.close()
    assert [receiver.recv() for receiver, _ in pipes] == ["opened", "opened"]
    for worker in workers:
        worker.join(30)

"""Several processes write one home: nothing is lost, nothing is done twice."""

import multiprocessing
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from store_cases import IMPORT, LEASE, Clock, Entity, a_child, a_commit, a_session, a_turn, a_write

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import StoreError
from ferrule.memory.receipts import broken_at
from ferrule.session.source import LaneClaim

pytestmark = pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="works with forked processes"
)
TURNS = 12
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


def test_two_processes_share_a_lane_without_loss_or_doubles(tmp_path: Path) -> None:
    """CASE-M02, INV-I4, R100: each turn once, all receipts in one sound chain."""
    home = tmp_path / "home"
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


def open_it(home: Path, report: Connection) -> None:
    """Open a home and say whether that worked."""
    SqliteStore(home, Clock()).close()
    report.send("opened")
    report.close()


def test_two_processes_may_begin_a_home_at_the_same_time(tmp_path: Path) -> None:
    """CASE-M02: one makes it, the other finds it made."""
    pipes = [FORK.Pipe(duplex=False) for _ in range(2)]
    workers = [FORK.Process(target=open_it, args=(tmp_path / "home", sender)) for _, sender in pipes]
    for worker, (_, sender) in zip(workers, pipes, strict=True):
        worker.start()
        sender.close()
    assert [receiver.recv() for receiver, _ in pipes] == ["opened", "opened"]
    for worker in workers:
        worker.join(30)

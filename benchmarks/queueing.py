"""What lanes cost: queuing while a reviewer hangs, reviews per second of one and of two workers, claims among many."""

import multiprocessing
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.figures import Figure, percentile, wall_ms
from ferrule.adapters.sqlite.statements import statements
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.importing import companion_of
from ferrule.memory.ports import ReviewCommit
from ferrule.session.source import SOURCE_PROFILE, LaneClaim, Origin, SourceSession

__all__ = ["queueing"]

SPAWN = multiprocessing.get_context("spawn")
SIZES = (10, 100, 1_000, 10_000)
SOURCES, TURNS = 40, 200
SECONDS = 3.0
PATIENCE = 60.0
LEASE = 30.0


def queueing() -> Iterator[Figure]:
    """Each figure has a home of its own; whatever runs beside runs in processes that are stopped in bounded time."""
    yield from _enqueuing()
    ((alone, cpu),) = _reviews(1)
    yield Figure(
        "stub reviews, one worker process",
        f"{alone / SECONDS:.0f} a second, {cpu / max(1, alone):.1f} ms CPU each",
        ">= 100 a second",
        "wall, claim and commit of an empty review, one durable commit each, one thread",
    )
    both = [done for done, _ in _reviews(2)]
    share = 100 * min(both) / max(1, sum(both))
    yield Figure(
        "stub reviews, two worker processes on one home",
        f"{sum(both) / SECONDS:.0f} a second, shared {share:.0f}/{100 - share:.0f}",
        "no worse than 40/60",
        f"wall, {SECONDS:.0f} s, {SOURCES} sources",
    )
    yield from _claiming()


@contextmanager
def _store() -> Iterator[SqliteStore]:
    folder = Path(tempfile.mkdtemp(prefix="ferrule-bench-"))
    try:
        store = SqliteStore(folder / "home", time.time)
        try:
            yield store
        finally:
            store.close()
    finally:
        shutil.rmtree(folder)


def _queue(store: SqliteStore, sources: range, turns: int) -> None:
    """Lanes in one transaction for all: what is measured is not the filling."""
    with store.unit():
        for number in sources:
            source = SourceSession(f"bench:{number}", SOURCE_PROFILE)
            waiting = [(ordinal, f"t{ordinal}") for ordinal in range(1, turns + 1)]
            store.enqueue(source, companion_of(source), waiting, Origin.EVENT)


@contextmanager
def _beside(work: object, home: Path, count: int) -> Iterator[Sequence[Connection]]:
    """Run `work(home, pipe)` in processes of their own; they say when they are ready and are ended afterwards."""
    pipes = [SPAWN.Pipe() for _ in range(count)]
    workers = [SPAWN.Process(target=work, args=(home, theirs), daemon=True) for _, theirs in pipes]  # type: ignore[arg-type]
    try:
        for worker in workers:
            worker.start()
        for ours, _ in pipes:
            _heard(ours)
        yield [ours for ours, _ in pipes]
    finally:
        for worker in workers:
            worker.join(0.5)
            if worker.is_alive():
                worker.kill()
                worker.join(PATIENCE)


def _heard(pipe: Connection) -> tuple[int, float]:
    """Reviews done and CPU milliseconds spent on them."""
    if not pipe.poll(PATIENCE):
        raise TimeoutError("a worker process of the benchmark did not answer")
    done, cpu = pipe.recv()
    return int(done), float(cpu)


# -- queuing beside a reviewer that hangs


def _hang(home: Path, pipe: Connection) -> None:
    """A worker whose reviewer never answers: it holds its claim and renews it."""
    store = SqliteStore(home, time.time)
    claim = store.claim_next(lease_seconds=LEASE)
    pipe.send((0, 0.0))
    while claim is not None and not pipe.poll(0.2):
        store.renew(claim, lease_seconds=LEASE)


def _enqueuing() -> Iterator[Figure]:
    with _store() as store:
        _queue(store, range(1), 1)
        source = SourceSession("bench:0", SOURCE_PROFILE)
        child = companion_of(source)
        with _beside(_hang, store.home, 1):
            spent = [
                wall_ms(partial(store.enqueue, source, child, [(number, f"t{number}")], Origin.EVENT))[0]
                for number in range(2, 302)
            ]
    yield Figure(
        "enqueue while another process reviews and its reviewer hangs",
        f"p50 {percentile(spent, 0.5):.1f} ms, p95 {percentile(spent, 0.95):.1f} ms",
        "p50 < 5 ms",
        "wall, one durable commit each, 300 turns of the source under review",
    )


# -- reviews per second


def _work(home: Path, pipe: Connection) -> None:
    """Review with a stub until the time is up; tells how many were committed."""
    store = SqliteStore(home, time.time)
    pipe.send((0, 0.0))
    pipe.recv()
    ends = time.monotonic() + SECONDS
    began = time.process_time()
    done = 0
    while time.monotonic() < ends:
        claim = store.claim_next(lease_seconds=LEASE)
        if claim is None:
            break
        store.commit(_nothing(claim), claim)
        done += 1
    pipe.send((done, 1000 * (time.process_time() - began)))
    store.close()


def _nothing(claim: LaneClaim) -> ReviewCommit:
    turn = claim.instruction
    review: dict[str, object] = {"turn": {"key": turn.turn, "ordinal": turn.ordinal}, "outcome": "nothing"}
    return ReviewCommit(
        session=claim.source,
        turn=turn.turn,
        ordinal=turn.ordinal,
        staged=(),
        refused=(),
        outcome="nothing",
        review=review,
        marker=f"marker of {turn.turn}",
        read_revision=0,
        reviewer="stub",
    )


def _reviews(processes: int) -> list[tuple[int, float]]:
    with _store() as store:
        _queue(store, range(SOURCES), TURNS)
        with _beside(_work, store.home, processes) as pipes:
            for pipe in pipes:
                pipe.send(0)
            return [_heard(pipe) for pipe in pipes]


# -- a claim among many


def _claiming() -> Iterator[Figure]:
    costs = []
    plan = ""
    with _store() as store:
        filled = 0
        for size in SIZES:
            _queue(store, range(filled, size), 1)
            filled = size
            costs.append(_claim_ms(store))
        rows = store._database.rows(f"EXPLAIN QUERY PLAN {statements('lanes')['next_lane']}", {"now": 0.0})  # noqa: SLF001
        plan = "; ".join(str(row["detail"]) for row in rows)
    ratios = ", ".join(f"{cost / costs[0]:.2f}" for cost in costs)
    yield Figure(
        "claim and release among 10, 100, 1,000, 10,000 waiting sources",
        f"{costs[0]:.2f} ms; {ratios} times the first",
        "flat",
        f"wall, p50 of 200, not synced; plan: {plan}",
    )


def _claim_ms(store: SqliteStore) -> float:
    def once() -> None:
        claim = store.claim_next(lease_seconds=LEASE)
        if claim is not None:
            store.release(claim)

    return statistics.median(wall_ms(once, times=200))

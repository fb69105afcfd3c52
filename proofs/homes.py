"""Homes of the campaigns with real processes: sources with their turns, queued, and what is left of them afterwards.

Owns preparing a home and judging one at rest by its file alone: nothing lost, nothing twice, order kept, receipts sound
(INV-I4, R2, R84, R100). Knows nothing of kills or of how turns were delivered.
"""

import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.binding import companion_of
from ferrule.session.source import SOURCE_PROFILE, Origin, SourceSession
from proofs.ending import faults_at_rest
from proofs.looking import Look, Snapshot
from proofs.stub_worker import LOGS
from proofs.world import a_turn, fast_folder

__all__ = ["a_source", "faults_of", "filled", "open_count", "put_in_lanes", "throw_away"]


def a_source(number: int) -> SourceSession:
    """One of many sources."""
    return SourceSession(key=f"dock:{number}", profile=SOURCE_PROFILE, client="dock", cwd="/quay")


@contextmanager
def throw_away(name: str) -> Iterator[Path]:
    """A folder for one home, in memory where there is room; nothing of it is left."""
    folder = Path(tempfile.mkdtemp(prefix=f"ferrule-{name}-", dir=fast_folder()))
    home = folder / "home"
    try:
        SqliteStore(home, time.time).close()
        (home / LOGS).mkdir()
        yield home
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def filled(store: SqliteStore, sources: int, turns: int) -> None:
    """Store sources and turns."""
    for number in range(sources):
        source = a_source(number)
        store.put_session(source)
        store.put_turns([a_turn(source.key, ordinal) for ordinal in range(1, turns + 1)])


def put_in_lanes(store: SqliteStore, sources: int, turns: int) -> None:
    """Queue every turn of every source."""
    for number in range(sources):
        source = a_source(number)
        keys = [(ordinal, f"t{ordinal}") for ordinal in range(1, turns + 1)]
        store.enqueue(source, companion_of(source), keys, Origin.IMPORT)


def open_count(look: Look) -> int:
    """How many instructions are not settled yet."""
    return look.count("SELECT count(*) FROM instructions WHERE state IN ('waiting', 'claimed')")


def faults_of(home: Path, expected: Iterable[tuple[str, str]]) -> Counter[str]:
    """What is wrong with a home at rest, by kind; the kinds of the table are always there."""
    found: Counter[str] = Counter({"lost": 0, "duplicate effects": 0, "order errors": 0, "unsound": 0})
    store = SqliteStore(home, time.time)
    look = Look(home)
    try:
        look.changed()
        now = look.now
        found["lost"] += sum(1 for key in expected if _lost(now, key))
        per_turn = Counter((row["session"], row["turn"]) for row in now.receipts)
        found["duplicate effects"] += sum(count - 1 for count in per_turn.values()) + len(now.twice)
        found["order errors"] += _out_of_order(now)
        found["unsound"] += sum(1 for _ in faults_at_rest(look, store))
    finally:
        look.close()
        store.close()
    return found


def _lost(now: Snapshot, key: tuple[str, str]) -> bool:
    """Neither reviewed nor parked with a reason."""
    order = now.orders.get(key)
    if order is None:
        return True
    reviewed = order.state == "done" and key in now.reviews
    return not reviewed and not (order.state == "parked" and order.reason)


def _out_of_order(now: Snapshot) -> int:
    """Commits that came after one of a later turn of the same source."""
    latest: dict[str, int] = {}
    errors = 0
    for row in now.receipts:
        ordinal = now.orders[row["session"], row["turn"]].ordinal
        errors += ordinal < latest.get(row["session"], 0)
        latest[row["session"]] = max(ordinal, latest.get(row["session"], 0))
    return errors

"""Ten thousand queued turns and a restart in the middle: each is reviewed once, in bounded memory (CASE-H10).

Owns the campaign. Knows nothing of what a review is.
"""

import time
from collections import Counter

from ferrule.adapters.sqlite.store import SqliteStore
from proofs.children import brood
from proofs.homes import a_source, faults_of, filled, open_count, put_in_lanes, throw_away
from proofs.looking import Look
from proofs.stub_worker import LOGS, OVER, Terms, run
from proofs.tables import Row

__all__ = ["backlog", "worked_off"]

PER_SOURCE = 20
LEASE = 2.0
MEBIBYTE = 1024
MOST_RESIDENT = 150
PATIENCE = 1800.0


def worked_off(total: int) -> Counter[str]:
    """Queue, work off a third, kill the worker, work off the rest; what was found, and the figures."""
    sources = max(1, total // PER_SOURCE)
    with throw_away("backlog") as home, brood() as family:
        store = SqliteStore(home, time.time)
        filled(store, sources, PER_SOURCE)
        put_in_lanes(store, sources, PER_SOURCE)
        store.close()
        look = Look(home)
        try:
            began = time.monotonic()
            first = family.start(run, home, "first", Terms(LEASE))
            _until(look, total * 2 // 3, began + PATIENCE)
            family.kill(first)
            second = family.start(run, home, "second", Terms(LEASE))
            _until(look, 0, began + PATIENCE)
            took = time.monotonic() - began
        finally:
            look.close()
        (home / OVER).touch()
        family.finish(second, 60.0)
        found = faults_of(home, [(a_source(n).key, f"t{o}") for n in range(sources) for o in range(1, PER_SOURCE + 1)])
        found["turns"] = sources * PER_SOURCE
        found["resident MiB"] = int((home / LOGS / "second.rss").read_text(encoding="ascii")) // MEBIBYTE
        found["turns a second"] = int(found["turns"] / took)
        return found


def _until(look: Look, left: int, ends: float) -> None:
    while open_count(look) > left and time.monotonic() < ends:
        time.sleep(0.05)


def backlog(total: int) -> list[Row]:
    """The campaign's table."""
    found = worked_off(total)
    runs = f"{found['turns']} turns, 1 restart"
    lines = [Row(name, runs, found[name]) for name in ("lost", "duplicate effects", "order errors", "unsound")]
    note = f"{found['resident MiB']} MiB at most, {found['turns a second']} turns a second"
    lines.append(Row("memory beyond bounds", runs, int(found["resident MiB"] > MOST_RESIDENT), note=note))
    return lines

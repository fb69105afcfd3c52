"""What it costs to keep a large memory: to check it, copy it, put it back, take it in, bring it forward, show it."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure, cpu_ms, percentile, wall_ms
from benchmarks.storing import definition
from ferrule.session.source import SOURCE_PROFILE, SourceSession
from ferrule.wiring.critic import memory_of
from ferrule.wiring.home import Home, open_home
from ferrule.wiring.keeping import backed_up, restored
from ferrule.wiring.repairing import repaired
from ferrule.wiring.verifying import Verified, verified

__all__ = ["keeping"]

SESSION = "bench:kept"
MEMORIES, RECEIPTS, SMALL = 10_000, 100_000, 2_000


def keeping() -> Iterator[Figure]:
    """One home of 10,000 memories and 100,000 receipts, and what is done to it as a whole."""
    folder = Path(tempfile.mkdtemp(prefix="ferrule-bench-"))
    try:
        place = folder / "home"
        with open_home(place) as home:
            yield from _taking_in(home)
            yield from _readable(home)
            text = memory_of(home).export(SESSION)
            home.store.attest(SESSION, "promoted", [("Nothing", "")] * (RECEIPTS - len(home.store.receipts())))
        yield from _checking(place)
        yield from _copying(place, folder)
        yield from _again(place, folder, text)
    finally:
        shutil.rmtree(folder)


def _taking_in(home: Home) -> Iterator[Figure]:
    home.store.put_session(SourceSession(SESSION, SOURCE_PROFILE))
    text = "\n".join(definition(number) for number in range(MEMORIES))
    spent: list[float] = []
    wall = wall_ms(lambda: spent.extend(cpu_ms(partial(memory_of(home).restore, SESSION, text))))[0]
    yield Figure(
        "restore from `.pts` alone: 10,000 memories through the rules",
        f"{spent[0] / 1000:.1f} s CPU, {wall / 1000:.1f} s wall",
        "< 10 s",
        "rules 1-7 for every definition; transactions of 250, each all or nothing and durable when it ends",
    )


def _readable(home: Home) -> Iterator[Figure]:
    memory = memory_of(home)
    cold = cpu_ms(partial(memory.project, SESSION))[0]
    again = cpu_ms(partial(memory.project, SESSION), times=5)
    memory.write(SESSION, definition(MEMORIES))
    one = cpu_ms(partial(memory.project, SESSION))[0]
    small = f"{SESSION}:small"
    home.store.put_session(SourceSession(small, SOURCE_PROFILE))
    memory.restore(small, "\n".join(definition(number) for number in range(SMALL)))
    first, second = cpu_ms(partial(memory.project, small), times=2)
    yield Figure(
        "readable file of 2,000 memories",
        f"{first:.0f} ms CPU made for the first time, {second:.0f} ms while its memories stand",
        "",
        f"of 10,000: {cold:.0f} ms, then {percentile(again, 0.5):.0f} ms, {one:.0f} ms when one was added",
    )


def _checking(place: Path) -> Iterator[Figure]:
    found: list[int] = []

    def count(looked: Verified) -> int:
        found.append(sum(1 for one in looked.findings if one.code is not None))
        return 0

    spent = cpu_ms(lambda: verified(place, None, count), times=2)
    yield Figure(
        "`memory verify`: 10,000 memories, 100,000 receipts",
        f"{min(spent) / 1000:.1f} s CPU",
        "",
        f"chain, seals, indexes, files; {found[-1]} findings",
    )
    mended = cpu_ms(lambda: repaired(place, lambda _: True))[0]
    yield Figure("`memory repair` of a sound home of that size", f"{mended / 1000:.1f} s CPU", "", "tried on a copy")


def _copying(place: Path, folder: Path) -> Iterator[Figure]:
    target = folder / "backup.sqlite3"
    backing = cpu_ms(lambda: backed_up(place, str(target)))[0]
    size = target.stat().st_size
    yield Figure(
        "`memory backup` of that home",
        f"{backing / 1000:.1f} s CPU",
        "",
        f"{size / 1e6:.0f} MB, copied and checked whole",
    )
    back = cpu_ms(lambda: restored(place, str(target), lambda _: True))[0]
    yield Figure(
        "`memory restore` of that backup",
        f"{back / 1000:.1f} s CPU",
        "",
        "checked whole, compared with what is there, exchanged, the readable files after it",
    )


def _again(place: Path, folder: Path, text: str) -> Iterator[Figure]:
    def opened() -> None:
        with open_home(place) as home:
            home.store.layer(SESSION).called("the ledger 12")

    yield Figure(
        "opening a home of 10,000, and a first answer",
        f"{percentile(cpu_ms(opened, times=5), 0.5):.0f} ms CPU",
        "< 1 s",
        "100,000 receipts",
    )
    old = folder / "old"
    shutil.copytree(place, old)
    connection = sqlite3.connect(old / "ferrule.sqlite3")
    connection.executescript("UPDATE key_forms SET version = 1; UPDATE turns SET body = NULL")
    connection.close()

    def migrated() -> None:
        with open_home(old):
            pass

    yield Figure(
        "bringing a home of 10,000 forward: every identity key made anew",
        f"{cpu_ms(migrated)[0] / 1000:.1f} s CPU",
        "",
        "a copy beside, one transaction",
    )
    with open_home(place) as home:
        unchanged = cpu_ms(partial(memory_of(home).restore, SESSION, text))[0]
    yield Figure(
        "taking the same 10,000 in once more",
        f"{unchanged / 1000:.1f} s CPU",
        "",
        "nothing changes; nothing is written",
    )

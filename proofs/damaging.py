"""A bit is flipped, an end cut off, a log is of another time: told, or harmless, never a wrong value served.

Owns the campaign `damage` (CASE-N01, N03): every byte of a small store file, every page of it and every 64 bytes of its
log as an end, logs and memory maps of other moments. Knows nothing of how damage is noticed.
"""

import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ferrule.adapters.sqlite.home import FILE_NAME
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import FerruleError, InternalError, StoreError
from proofs.deeds import SOURCE, Bench, definition, prepared
from proofs.judging_homes import faults_of_file
from proofs.scenes import workshop
from proofs.tables import Row

__all__ = ["Served", "cut_short", "damage", "flipped", "served", "stale_logs", "values_changed"]

_PAGE = 4096
_STEP = 64
_EMPTY: tuple[object, ...] = (None, "", ())


@dataclass(frozen=True, slots=True)
class Served:
    """What a reader gets of a home: each value by what was asked, or the code of the refusal to open it at all."""

    values: dict[str, object]
    refused: str = ""


def served(home: Path) -> Served:
    """Ask for everything that a reader is served; what is refused is left out, except opening itself."""
    bench = Bench(home)
    values: dict[str, object] = {}
    try:
        for what, ask in _questions(bench.store):
            try:
                values[what] = ask()
            except StoreError as error:
                values[what] = error.code
    except InternalError as error:
        return Served({}, f"{error.code}")
    except StoreError as error:
        return Served({}, f"{error.code}")
    finally:
        _closed(bench)
    return Served(values)


def _questions(store: SqliteStore) -> Iterator[tuple[str, Callable[[], object]]]:
    for name in ("Almanac", "Ledger", "Tariff", "Harbour"):
        yield f"definition {name}", partial(store.definition, SOURCE.key, name)
        yield f"prototype {name}", partial(store.layer(SOURCE.key).get, name)
        yield f"handles {name}", partial(store.handles, SOURCE.key, name)
        yield f"found {name}", partial(store.layer(SOURCE.key).called, f"the {name}")
    for key in ("t1", "t2"):
        yield f"turn {key}", partial(store.turn, SOURCE.key, key)


def _closed(bench: Bench) -> None:
    try:
        bench.close()
    except FerruleError:
        return


def _verdict(sound: Served, now: Served, home: Path) -> str:
    """`wrong` when something else is served than was written; `told`, `absent`, `misfiled` or `harmless` otherwise.

    Misfiled is a thing that is found by what another is called, and served with its own values: an index was hit, which
    the product's own check must tell.
    """
    if now.refused:
        return "told" if now.refused != "INTERNAL" else "wrong"
    kinds = {"harmless"}
    for what, was in sound.values.items():
        found = now.values[what]
        if found == was:
            continue
        told = isinstance(found, str) and found.isupper()
        other = "misfiled" if what.startswith("found") else "wrong"
        kinds.add("told" if told else "absent" if found in _EMPTY else other)
    worst = next(kind for kind in ("wrong", "misfiled", "told", "absent", "harmless") if kind in kinds)
    return worst if worst != "misfiled" or _is_told(home) else "wrong"


def _is_told(home: Path) -> bool:
    """Whether the product's own check finds anything."""
    try:
        return any(True for _ in faults_of_file(home))
    except StoreError:
        return True


def flipped(folder: Path, most: int) -> Counter[str]:
    """Flip one bit at each byte of a small store, one after the other; of a larger one at so many, evenly spread."""
    base, home = prepared(folder / "sound", "some"), folder / "home"
    shutil.copytree(base, home)
    file, sound = home / FILE_NAME, served(base)
    content = file.read_bytes()
    found: Counter[str] = Counter()
    names = {path.name for path in base.iterdir()}
    for at in range(0, len(content), -(-len(content) // most)):
        _put(file, at, content[at] ^ (1 << (at % 8)))
        verdict = _verdict(sound, served(home), home)
        found[verdict] += 1
        if verdict == "wrong":
            print(f"byte {at}: {_differences(sound, served(home))}", flush=True)
        _put(file, at, content[at])
        if {path.name for path in home.iterdir()} - names or file.stat().st_size != len(content):
            shutil.rmtree(home)
            shutil.copytree(base, home)
    if file.read_bytes() != content:
        found["changed by reading"] += 1
    return found


def _differences(sound: Served, now: Served) -> str:
    other = [what for what, was in sound.values.items() if now.values.get(what) != was]
    return "; ".join(f"{what}: {now.values.get(what)!r}"[:200] for what in other)


def _put(file: Path, at: int, byte: int) -> None:
    descriptor = os.open(file, os.O_WRONLY)
    try:
        os.pwrite(descriptor, bytes([byte]), at)
    finally:
        os.close(descriptor)


def values_changed(folder: Path) -> Counter[str]:
    """Change each text of a memory's row with SQL, which no checksum of a page can show."""
    folder.mkdir(exist_ok=True)
    base, home = prepared(folder / "sound", "some"), folder / "home"
    sound = _copied(base, home)
    found: Counter[str] = Counter()
    for column in ("merged", "properties", "handles", "bases"):
        connection = sqlite3.connect(home / FILE_NAME)
        connection.execute(f"UPDATE memories SET {column} = replace({column}, 'A', 'B') WHERE name = 'Almanac'")  # noqa: S608
        connection.commit()
        connection.close()
        found[_verdict(sound, served(home), home)] += 1
        shutil.rmtree(home)
        shutil.copytree(base, home)
    return found


def cut_short(folder: Path, most: int) -> Iterator[tuple[str, Counter[str]]]:
    """Cut the file at every page, and the log at every 64 bytes (at so many of those at most).

    A log that is cut loses its last commits, and the head of the receipts tells that; what is served was true once.
    """
    moments = list(_moments(folder))
    for state, name, unit in (("some", FILE_NAME, _PAGE), ("logged", f"{FILE_NAME}-wal", _STEP)):
        base, home = prepared(folder / state, state), folder / "cut"
        ends = range(0, (base / name).stat().st_size, unit)
        found: Counter[str] = Counter()
        true_once = [_copied(base, home), *moments]
        for end in ends[:: -(-len(ends) // most)]:
            shutil.rmtree(home)
            shutil.copytree(base, home)
            os.truncate(home / name, end)
            now = served(home)
            found[min((_verdict(once, now, home) for once in true_once), key=_WORST.index)] += 1
        shutil.rmtree(home)
        yield name, found


_WORST = ("harmless", "absent", "told", "misfiled", "wrong")


def _copied(base: Path, home: Path) -> Served:
    shutil.copytree(base, home)
    return served(home)


def _moments(folder: Path) -> Iterator[Served]:
    """What was served at each moment while the logged home was filled."""
    bench = Bench(folder / "moments" / "home")
    bench.home.parent.mkdir()
    bench.store.put_session(SOURCE)
    copy = folder / "moments" / "copy"
    for name in ("", "Almanac", "Ledger", "Tariff"):
        if name:
            bench.memory.write(SOURCE.key, definition(name))
        shutil.copytree(bench.home, copy)
        yield served(copy)
        shutil.rmtree(copy)
    bench.close()


def stale_logs(folder: Path) -> Counter[str]:
    """A log, a memory map or both of another store or of another moment beside a sound file."""
    folder.mkdir(exist_ok=True)
    base, other = prepared(folder / "one", "logged"), prepared(folder / "two", "logged")
    still = prepared(folder / "three", "some")
    sound = served(still)
    found: Counter[str] = Counter()
    for names in (("-wal",), ("-shm",), ("-wal", "-shm")):
        for donor in (base, other):
            home = folder / f"stale{found.total()}"
            shutil.copytree(still, home)
            for end in names:
                source = donor / f"{FILE_NAME}{end}"
                if source.exists():
                    shutil.copy(source, home / source.name)
            found[_verdict(sound, served(home), home)] += 1
    return found


def damage(most: int) -> Iterator[Row]:
    """Flip a bit at each byte, or at so many; cut, and mix up."""
    with workshop("damage") as folder:
        found = flipped(folder, most)
        yield _row("one bit flipped, at one byte of a store file after the other", found)
        for name, counted in cut_short(folder, most):
            unit = "page" if name == FILE_NAME else f"{_STEP} bytes of its log"
            yield _row(f"cut off, at one {unit} after the other", counted)
        yield _row("a text of a row changed", values_changed(folder / "changed"))
        yield _row("a log or memory map of another store or moment", stale_logs(folder / "stale"))


def _row(what: str, found: Counter[str]) -> Row:
    note = ", ".join(f"{found[kind]} {kind}" for kind in ("told", "absent", "misfiled", "harmless") if found[kind])
    return Row(what, f"{found.total()} stores", found["wrong"] + found["changed by reading"], note=note)

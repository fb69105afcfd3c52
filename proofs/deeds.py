"""The acts that change a home, each by the product's own road: what the campaigns of faults kill, break and cut.

Owns a small home in three states, the seven deeds on it, and what counts as done. Knows nothing of faults.
"""

import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ferrule.adapters.sqlite.backing_up import back_up
from ferrule.adapters.sqlite.files import synced
from ferrule.adapters.sqlite.restoring import put_back, staged
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Accepted, TurnReview, Unchanged
from ferrule.companion.binding import companion_of
from ferrule.errors import InternalError, StoreError
from ferrule.memory.artifact import artifact_path
from ferrule.memory.nlmemory import NLMemory
from ferrule.session.source import Origin
from proofs.minds import permanent
from proofs.stubs import PlainDesk
from proofs.world import BEGAN, SOURCES, a_turn

__all__ = ["DEEDS", "KEPT", "PLANTED", "SOURCE", "STATES", "Bench", "Deed", "deed_of", "definition", "prepared"]

SOURCE = SOURCES[0]
KEPT = ("Almanac", "Ledger")
OLD, NEW = "Almanac", "Timetable"
_LEASE = 30.0
_REVIEWED, _WAITING = 1, 2


def definition(name: str) -> str:
    """A document that a person writes."""
    return f'prototype {name} : Document {{ EntityName = @"the {name}"; DocumentPath = @"/quay/{name}.md"; }}'


class Bench:
    """A home that is worked on: its store is opened at the first use, and again after `close`."""

    def __init__(self, home: Path, now: float = BEGAN) -> None:
        self.home = home
        self.now = now
        self._store: SqliteStore | None = None

    @property
    def copy(self) -> Path:
        """Where a backup of the home goes."""
        return self.home.with_name("copy.sqlite3")

    @property
    def backup(self) -> Path:
        """The backup that is put back."""
        return self.home.with_name("earlier.sqlite3")

    @property
    def store(self) -> SqliteStore:
        """The open store."""
        if self._store is None:
            self._store = SqliteStore(self.home, lambda: self.now)
        return self._store

    @property
    def memory(self) -> NLMemory:
        """The person's hand on it."""
        return NLMemory(self.store, permanent(), self.home)

    def close(self) -> None:
        """Close the store if it is open; whatever goes wrong, it counts as closed."""
        store, self._store = self._store, None
        if store is not None:
            store.close()

    def names(self) -> tuple[str, ...]:
        """What is remembered."""
        return self.store.layer(SOURCE.key).names()


@dataclass(frozen=True, slots=True)
class Deed:
    """One act.

    Attributes:
        act: does it; returning is the acknowledgement.
        done: whether it has been done, as the home tells.
        states: in which states of a home it can be done.
        reopens: whether it opens the home's file by itself, so that no store may be open.
        repeats: whether a person who was refused does it again, whatever became of the first attempt.
    """

    act: Callable[[Bench], None]
    done: Callable[[Bench], bool]
    states: tuple[str, ...] = ("some", "logged")
    reopens: bool = False
    repeats: bool = False


def _review(bench: Bench) -> None:
    bench.now += _LEASE + 1  # whoever tried it before may have died with the lease
    _commit(bench, _WAITING)


def _commit(bench: Bench, ordinal: int) -> None:
    claim = bench.store.claim(SOURCE.key, lease_seconds=_LEASE)
    if claim is None:
        raise StoreError("the waiting turn could not be claimed")
    desk = PlainDesk(bench.store)
    review = TurnReview(SOURCE.key, f"t{ordinal}", ordinal, "stub-1", (), (), "stub", marker="a marker")
    desk.commit(desk.open(claim), review, claim)


def _reviewed(bench: Bench) -> bool:
    return bench.store.review(SOURCE.key, f"t{_WAITING}") is not None


def _write(bench: Bench) -> None:
    answer = bench.memory.write(SOURCE.key, definition(NEW))
    if not isinstance(answer, Accepted | Unchanged):
        raise InternalError(f"the rules refuse {NEW}: {answer}")


def _forget(bench: Bench) -> None:
    bench.memory.forget(SOURCE.key, [OLD])


def _undo(bench: Bench) -> None:
    write = next((one for one in bench.store.standing_writes(SOURCE.key) if one.name == OLD), None)
    if write is not None:
        bench.memory.undo(SOURCE.key, write.number)
    else:  # undone already, and the file could not follow: the next change brings it up to date
        bench.memory.project(SOURCE.key)


def _gone(bench: Bench) -> bool:
    path = artifact_path(bench.home, SOURCE.key)
    return OLD not in bench.names() and not (path.is_file() and OLD in path.read_text(encoding="utf-8"))


def _back_up(bench: Bench) -> None:
    back_up(bench.home, bench.copy, made_at="2030-01-01T00:00:00+00:00", ferrule="proofs")


def _put_back(bench: Bench) -> None:
    with staged(bench.home, bench.backup) as ready:
        put_back(ready, "now")


def _project(bench: Bench) -> None:
    bench.memory.project(SOURCE.key)


def _projected(bench: Bench) -> bool:
    path = artifact_path(bench.home, SOURCE.key)
    return path.is_file() and path.read_text(encoding="utf-8") == bench.memory.export(SOURCE.key)


def _in_two_halves(bench: Bench) -> None:
    """Two transactions where one is promised."""
    for name in (NEW, "Second"):
        if name not in bench.names():
            bench.memory.write(SOURCE.key, definition(name))


def _swallowed(bench: Bench) -> None:
    """An error that nobody is told of."""
    with suppress(StoreError):
        _write(bench)


def _synced_again(bench: Bench) -> None:
    """A sync that failed, and was tried once more."""
    for last in (False, True):
        try:
            _write(bench)
        except StoreError:
            if last:
                raise
            for path in bench.home.glob("*-wal"):
                synced(path)
            bench.close()
        else:
            return


DEEDS: dict[str, Deed] = {
    "review": Deed(_review, _reviewed, ("empty", "some", "logged")),
    "write": Deed(_write, lambda bench: NEW in bench.names(), ("empty", "some", "logged")),
    "forget": Deed(_forget, _gone, repeats=True),
    "undo": Deed(_undo, _gone, repeats=True),
    "backup": Deed(_back_up, lambda bench: bench.copy.exists(), ("empty", "some", "logged"), reopens=True),
    "restore": Deed(_put_back, lambda bench: bench.names() == (OLD,), ("empty", "some", "logged"), reopens=True),
    "project": Deed(_project, _projected, repeats=True),
}

# What a campaign must find: deeds that break a promise on purpose.
PLANTED: dict[str, Deed] = {
    "two halves": Deed(_in_two_halves, lambda bench: {NEW, "Second"} <= {*bench.names()}),
    "swallowed": Deed(_swallowed, lambda bench: NEW in bench.names()),
    "synced again": Deed(_synced_again, lambda bench: NEW in bench.names()),
}


def deed_of(name: str) -> Deed:
    """A deed by its name, a planted one too."""
    return DEEDS.get(name) or PLANTED[name]


STATES = ("empty", "some", "logged")


def prepared(folder: Path, state: str) -> Path:
    """A home in that state below a new folder, with a waiting turn, and an earlier backup beside it.

    `empty` remembers nothing yet; `some` has a reviewed turn, two things that a person wrote, and its readable file;
    `logged` is the same as a killed process leaves it: the last writes stand in the write-ahead log only.
    """
    bench = Bench(folder / "home")
    folder.mkdir()
    bench.store.put_session(SOURCE)
    bench.memory.write(SOURCE.key, definition(OLD))
    bench.close()
    back_up(bench.home, bench.backup, made_at="2030-01-01T00:00:00+00:00", ferrule="proofs")
    shutil.rmtree(bench.home)
    bench.store.put_session(SOURCE)
    if state != "empty":
        _queue(bench.store, _REVIEWED)
        _commit(bench, _REVIEWED)
        for name in KEPT:
            bench.memory.write(SOURCE.key, definition(name))
        bench.memory.project(SOURCE.key)
        bench.memory.write(SOURCE.key, definition("Tariff"))  # the readable file lags
    _queue(bench.store, _WAITING)
    if state == "logged":
        shutil.copytree(bench.home, folder / "as-killed")
    bench.close()
    if state == "logged":
        shutil.rmtree(bench.home)
        (folder / "as-killed").rename(bench.home)
    return bench.home


def _queue(store: SqliteStore, ordinal: int) -> None:
    turn = a_turn(SOURCE.key, ordinal)
    store.put_turns([turn])
    store.enqueue(SOURCE, companion_of(SOURCE), [(ordinal, turn.key)], Origin.IMPORT)

"""A damaged home is repaired from what is sound in it, once a person has seen what that would do (CASE-N01, N09).

Owns the order: tried on a copy, shown, a copy of the store kept beside, done in one transaction, then the head and the
readable files. Knows nothing of what is mended, or of how it is shown.
"""

import sqlite3
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ferrule.adapters.sqlite.backing_up import copy_as_it_is
from ferrule.adapters.sqlite.checking import last_receipt, viewed
from ferrule.adapters.sqlite.failures import from_os
from ferrule.adapters.sqlite.home import FILE_NAME, HEAD_NAME, REHEARSING, Head, read_head, write_head
from ferrule.adapters.sqlite.opening import open_database
from ferrule.adapters.sqlite.repairing import Mended, Repair, session_folders
from ferrule.bridge.values import HandleView
from ferrule.errors import StoreCorrupt, StoreError
from ferrule.memory.merge import resolved
from ferrule.memory.receipts import GENESIS
from ferrule.ontology.handles import handles_of
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import Prototype
from ferrule.referents.kinds import HandleKind
from ferrule.wiring.keeping import check_idle, followed
from ferrule.wiring.locating import is_home, located, no_home
from ferrule.wiring.projects import Projects, projects_of
from ferrule.wiring.settings import read_settings

__all__ = ["Mended", "Repaired", "repaired"]

UNREADABLE = "it cannot be read"


@dataclass(frozen=True, slots=True)
class Repaired:
    """What a repair did, or would do: `steps`, whether it was `done`, the copy that it kept, notes for people."""

    home: Path
    steps: tuple[Mended, ...]
    done: bool = False
    copy: Path | None = None
    notes: tuple[str, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return any(step.what != "left" for step in self.steps)

    @property
    def left(self) -> bool:
        """Whether something stays as it is, for nothing mends it."""
        return any(step.what == "left" for step in self.steps)


def repaired(home: Path | str | None, wanted: Callable[[Repaired], bool]) -> Repaired:
    """Repair a home once it was shown and is wanted; asked only when there is something to do.

    Raises:
        UsageError: there is no home.
        StoreCorrupt: the store is missing, or so damaged that no repair can read it: a backup is the way then.
        StoreError: the home is in use, or cannot be written; nothing was changed.
    """
    place = located(home)
    if not is_home(place):
        raise no_home(place)
    path = place / FILE_NAME
    if not path.exists():
        raise StoreCorrupt(f"{path}: the store is missing; ferrule memory restore FILE puts a backup in its place")
    check_idle(place)
    projects = projects_of(place, (), read_settings(place).ontology)
    try:
        plan = _rehearsed(place, projects)
    except StoreCorrupt as error:
        told = f"{error}; no repair can read it: ferrule memory restore FILE puts a backup in its place"
        raise StoreCorrupt(told, code=error.code) from error
    if not plan.changes or not wanted(plan):
        return plan
    check_idle(place)
    before = _copies(place)
    steps = _repair(place, projects, _head(place))
    copies = [copy for copy, made in _copies(place).items() if made != before.get(copy)]
    return Repaired(place, steps, done=True, copy=next(iter(copies), None), notes=_follow(place))


def _copies(place: Path) -> dict[Path, tuple[int, int]]:
    """The copies beside the store, and what tells one from another that takes its name."""
    looks = ((copy, copy.stat()) for copy in place.glob(f"{FILE_NAME}.v*"))
    return {copy: (look.st_ino, look.st_mtime_ns) for copy, look in looks}


def _rehearsed(place: Path, projects: Projects) -> Repaired:
    try:
        with tempfile.TemporaryDirectory(prefix=REHEARSING, dir=place, ignore_cleanup_errors=True) as folder:
            copy_as_it_is(place, Path(folder))
            return Repaired(place, _repair(Path(folder), projects, _head(place)))
    except OSError as error:
        raise from_os(error, place, "try the repair on a copy of the store") from error


def _repair(place: Path, projects: Projects, head: Head | str) -> tuple[Mended, ...]:
    """One transaction that does everything, together with what an older version's store needs to become this one's."""
    folders: dict[str, str | None] = {}
    given = head if isinstance(head, Head) else None
    repair = Repair(_completing(projects, folders), datetime.now(UTC).isoformat(timespec="seconds"), given)
    there: list[int] = []

    def step(connection: sqlite3.Connection) -> None:
        folders.update(session_folders(connection))
        there.append(int(connection.execute("SELECT count(*) FROM receipts").fetchone()[0]))
        repair(connection)

    open_database(place, step=step).close()
    if isinstance(head, str) and (there[-1] or head == UNREADABLE):
        return (*repair.steps, Mended("rebuilt", "receipts", "", HEAD_NAME, f"{head}; made anew from the chain"))
    return tuple(repair.steps)


def _completing(
    projects: Projects, folders: dict[str, str | None]
) -> Callable[[str, Prototype], tuple[Prototype, tuple[HandleView, ...]]]:
    """Types and handles of a prototype, as the permanent layer of its session tells them."""

    def complete(session: str, prototype: Prototype) -> tuple[Prototype, tuple[HandleView, ...]]:
        layer = projects.layer(folders.get(session)) if projects.decided() else projects.permanent
        known = Ontology(layer).staged_with(prototype)
        typed = resolved(prototype, known)
        handles = tuple(
            HandleView(one.kind, one.value, one.property, "" if one.kind is HandleKind.TYPED_REFERENCE else one.key)
            for one in handles_of(typed, known)
        )
        return typed, handles

    return complete


# -- the head beside the store


def _head(place: Path) -> Head | str:
    """The head, or why there is none."""
    try:
        return read_head(place) or "it is missing"
    except StoreCorrupt:
        return UNREADABLE


def _follow(place: Path) -> tuple[str, ...]:
    """Let the head and the readable files follow; the repair stands without them."""
    with viewed(place / FILE_NAME) as connection:
        last = last_receipt(connection)
    write_head(place, last or Head(0, GENESIS))
    try:
        return followed(place)
    except StoreError as error:
        return (str(error),)

"""A backup takes the place of a home's store whole or not at all, and what that loses is known before.

Owns the check of a backup, the comparison with what is there now, and the exchange (INV-I1, INV-I2, CASE-J13, N12). The
present store is kept beside as a copy, which goes as copies of older versions do: with the retention of texts, and when
something is forgotten (D13, R97). Knows nothing of workers or of how a difference is shown.
"""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ferrule.adapters.sqlite.backing_up import Manifest, check_sound, read_manifest
from ferrule.adapters.sqlite.checking import Counts, counted, last_receipt, viewed
from ferrule.adapters.sqlite.failures import from_os, from_sqlite, is_busy
from ferrule.adapters.sqlite.files import copied, discarded, removed, replaced, synced, synced_folder
from ferrule.adapters.sqlite.home import FILE_NAME, HEAD_NAME, RESTORING, Head, alone, ensure_home, write_head
from ferrule.adapters.sqlite.opening import open_database
from ferrule.adapters.sqlite.statements import SCHEMA_VERSION, statements
from ferrule.errors import Code, StoreCorrupt, StoreError, StoreVersion

__all__ = ["Loss", "Names", "Present", "Staged", "put_back", "staged"]

_SQL = statements("restoring")
_MOST = 1000
_LETTERS = "abcdefghijklmnopqrstuvwxyz"  # for several within one second
_BESIDE = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class Names:
    """(session, memory) of some memories, the first thousand, and how many there are."""

    first: tuple[tuple[str, str], ...] = ()
    count: int = 0


@dataclass(frozen=True, slots=True)
class Loss:
    """What a restore changes of what is remembered now.

    Attributes:
        gone: memories that the backup does not have.
        older: memories that the backup has otherwise, as they were.
        back: memories that are not there now.
        learned_again: what was forgotten since, and would be no more.
        same_history: whether the backup is of this store's own past.
        receipts: receipts that were given since; all of them where the history is another.
    """

    gone: Names
    older: Names
    back: Names
    learned_again: Names
    same_history: bool
    receipts: int


@dataclass(frozen=True, slots=True)
class Present:
    """What is in the home now; `trouble` tells why it cannot be read, `counts`, `last` and `loss` are None then."""

    counts: Counts | None
    last: Head | None
    loss: Loss | None
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Staged:
    """A backup that was checked and is ready to be put into a home; `present` is None for an empty one."""

    home: Path
    store: Path
    head: Head
    counts: Counts
    manifest: Manifest | None
    present: Present | None


@contextmanager
def staged(home: Path, backup: Path) -> Iterator[Staged]:
    """Copy a backup beside the store of a home, bring it to this version, check it, and compare. Nothing is exchanged.

    Raises:
        StoreVersion: it, or the store of the home, is of a newer Ferrule.
        StoreCorrupt: no backup, damaged, or not what its manifest says.
        StoreError: it cannot be read, or the home cannot be used.
    """
    if not backup.is_file():
        raise StoreError(f"{backup}: there is no such backup")
    if any(_size(backup.with_name(f"{backup.name}{end}")) for end in ("-wal", "-journal")):
        raise StoreError(f"{backup}: this is a store in use, not a backup; ferrule memory backup makes one")
    manifest = read_manifest(backup)
    empty = not home.exists()
    place = ensure_home(home)
    try:
        stage = Path(tempfile.mkdtemp(prefix=RESTORING, dir=place))
    except OSError as error:
        raise from_os(error, place, "prepare the restore") from error
    try:
        yield _checked(place, stage, backup, manifest)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
        if empty:
            with suppress(OSError):
                place.rmdir()  # nothing was put into it


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _checked(home: Path, stage: Path, backup: Path, manifest: Manifest | None) -> Staged:
    store = stage / FILE_NAME
    digest = copied(backup, store)
    if manifest is not None and digest != manifest.sha256:
        raise StoreCorrupt(f"{backup}: damaged, or another file: its digest is not the one of its manifest")
    open_database(stage).close()
    head = None if manifest is None else Head(manifest.receipts, manifest.head)
    last, counts = check_sound(store, head, f"{backup}: the backup does not check out")
    return Staged(home, store, last, counts, manifest, _present(home / FILE_NAME, store, last))


def _present(path: Path, store: Path, head: Head) -> Present | None:
    if path.is_symlink():
        raise StoreError(f"{path}: a link stands where the store should be", code=Code.UNSAFE_PATH)
    if not path.exists():
        return None
    try:
        with viewed(path) as now, viewed(store) as then:
            return Present(counted(now), last_receipt(now), _loss(now, then, head))
    except StoreVersion:
        raise
    except StoreError as error:
        return Present(None, None, None, str(error))
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return Present(None, None, None, str(from_sqlite(error, path)))


def _loss(now: sqlite3.Connection, then: sqlite3.Connection, head: Head) -> Loss:
    gone, older, back = _differences(now, then, "memories")
    last = last_receipt(now)
    row = now.execute(statements("receipts")["at"], {"seq": head.seq}).fetchone()
    own = head.seq == 0 or (row is not None and row["hash"] == head.hash)
    given = 0 if last is None else last.seq
    return Loss(gone, older, back, _differences(now, then, "tombstones")[0], own, given - head.seq if own else given)


def _differences(now: sqlite3.Connection, then: sqlite3.Connection, what: str) -> tuple[Names, Names, Names]:
    """What is only there now, what is otherwise, what is only there then: both are read in one order, row by row."""
    ours, theirs = now.execute(_SQL[what]), then.execute(_SQL[what])
    lists: tuple[list[tuple[str, str]], ...] = ([], [], [])
    counts = [0, 0, 0]
    one, other = ours.fetchone(), theirs.fetchone()
    while one is not None or other is not None:
        mine = None if one is None else (one["session"], one["name"])
        its = None if other is None else (other["session"], other["name"])
        ahead = its is None or (mine is not None and mine < its)
        at = 0 if ahead else 1 if mine == its else 2
        named = mine if ahead else its
        if named is not None and (at != 1 or one["merged"] != other["merged"]):
            counts[at] += 1
            if len(lists[at]) < _MOST:
                lists[at].append(named)
        if at in {0, 1}:
            one = ours.fetchone()
        if at in {1, 2}:
            other = theirs.fetchone()
    first, second, third = (Names(tuple(names), count) for names, count in zip(lists, counts, strict=True))
    return first, second, third


def put_back(ready: Staged, stamp: str) -> Path | None:
    """Put the backup in the place of the store; returns where the present one was kept, or None where there was none.

    The head goes first and comes last: in between the chain itself is checked at the next opening. The exchange is one
    renaming; a process that dies on the way leaves the one store or the other.

    Raises:
        StoreError: the home is in use, its store changed since it was compared, or the disk refuses; the present store
            stands then.
    """
    home, path = ready.home, ready.home / FILE_NAME
    with alone(home):
        aside = _kept_aside(ready, path, stamp) if path.exists() or path.is_symlink() else None
        synced(ready.store)
        removed(home / HEAD_NAME)
        for end in _BESIDE:
            removed(path.with_name(f"{path.name}{end}"))
        synced_folder(home)
        replaced(ready.store, path)
        if ready.head.seq:
            write_head(home, ready.head)
    return aside


def _kept_aside(ready: Staged, path: Path, stamp: str) -> Path:
    """Nobody else has the store open, it is the one that was compared, and a copy of it stands beside."""
    if ready.present is None:
        raise StoreError(f"{path}: a store was begun meanwhile; look again")
    sound = not ready.present.trouble
    if sound and _let_go(path) != ready.present.last:
        raise StoreError(f"{path}: the store was written to meanwhile; look again", code=Code.STALE_REVISION)
    named = (path.with_name(f"{path.name}.v{SCHEMA_VERSION}-replaced-{stamp}{end}") for end in ("", *_LETTERS))
    aside = next((one for one in named if not one.exists()), path)
    try:
        copied(path, aside)
        wal = path.with_name(f"{path.name}-wal")
        if _size(wal):
            copied(wal, aside.with_name(f"{aside.name}-wal"))
    except StoreError:
        discarded(aside)
        raise
    return aside


def _let_go(path: Path) -> Head | None:
    """Take the store out of its log, which nobody can while another has it open; its last receipt.

    Raises:
        StoreError: it is in use.
    """
    in_use = f"{path.parent}: the home is in use by another process; end it, then restore"
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=1.0)
        try:
            connection.row_factory = sqlite3.Row
            mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
            if mode != "delete":
                raise StoreError(in_use, code=Code.BUDGET)
            return last_receipt(connection)
        finally:
            connection.close()
    except sqlite3.Error as error:
        if is_busy(error):
            raise StoreError(in_use, code=Code.BUDGET) from error
        raise from_sqlite(error, path) from error

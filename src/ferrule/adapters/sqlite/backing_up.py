"""A backup is one consistent, checked file with a manifest of its digests, made while others write.

Owns making it by SQLite's own backup, the check of what was written, and the manifest (CASE-J13, INV-I1). It holds the
store alone: keys and settings of the home stay there. Knows nothing of how it is put back.
"""

import json
import os
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from ferrule.adapters.sqlite.checking import Counts, counted, faults, last_receipt, viewed
from ferrule.adapters.sqlite.failures import from_os, from_sqlite
from ferrule.adapters.sqlite.files import copied, digest_of, discarded, made, part_beside, placed, replaced, synced
from ferrule.adapters.sqlite.home import FILE_NAME, Head, read_head
from ferrule.adapters.sqlite.statements import SCHEMA_VERSION
from ferrule.errors import Code, StoreCorrupt, UsageError

__all__ = [
    "MANIFEST",
    "Manifest",
    "back_up",
    "check_sound",
    "copy_as_it_is",
    "copy_store",
    "manifest_beside",
    "read_manifest",
]

MANIFEST = ".manifest.json"
_LARGEST = 64 * 1024


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says of itself, in a file beside it.

    Attributes:
        file: the backup's name.
        sha256: of its bytes.
        size: in bytes.
        store_version: the form of the store.
        ferrule: the version that made it.
        made_at: when, in UTC.
        receipts: number of the last receipt.
        head: its hash.
        counts: how much is in it.
    """

    file: str
    sha256: str
    size: int
    store_version: int
    ferrule: str
    made_at: str
    receipts: int
    head: str
    counts: Mapping[str, int]


def manifest_beside(path: Path) -> Path:
    """Where the manifest of a backup is."""
    return path.with_name(f"{path.name}{MANIFEST}")


def back_up(home: Path, target: Path, *, made_at: str, ferrule: str) -> Manifest:
    """Copy the store of a home into a new file, as it is at this moment; writers go on meanwhile.

    The manifest gets its name first, so that a backup is never without one; a manifest alone is of an unfinished one.

    Raises:
        UsageError: something of that name is there already: nothing is ever overwritten.
        StoreCorrupt: the store, or what was written of it, does not check out; no backup is left.
        StoreError: the store cannot be read, or the file cannot be written; no backup is left.
    """
    if target.exists() or target.is_symlink():
        raise UsageError(f"{target} exists already; a backup overwrites nothing", code=Code.UNSAFE_PATH)
    beside = manifest_beside(target)
    part, note = part_beside(target), part_beside(beside)
    try:
        head, counts = _copy(home, part)
        synced(part)
        manifest = Manifest(
            file=target.name,
            sha256=digest_of(part),
            size=part.stat().st_size,
            store_version=SCHEMA_VERSION,
            ferrule=ferrule,
            made_at=made_at,
            receipts=head.seq,
            head=head.hash,
            counts=asdict(counts),
        )
        copied(part, note, (json.dumps(asdict(manifest), indent=2) + "\n").encode())
        replaced(note, beside)
        placed(part, target)
    except OSError as error:
        raise from_os(error, target, "make the backup") from error
    finally:
        for path in (part, note, *(part.with_name(f"{part.name}{end}") for end in ("-wal", "-shm", "-journal"))):
            discarded(path)
    return manifest


def _copy(home: Path, part: Path) -> tuple[Head, Counts]:
    source = home / FILE_NAME
    head = read_head(home)
    os.close(made(part))
    with viewed(source) as connection:
        try:
            copy = sqlite3.connect(part, isolation_level=None)
            try:
                connection.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE").fetchone()
            finally:
                copy.close()
        except sqlite3.Error as error:
            raise from_sqlite(error, part) from error
    return check_sound(part, head, f"{source}: the store does not check out, so it was not backed up")


def copy_store(home: Path, folder: Path) -> None:
    """A copy of the store of a home in another folder, as it is now, to try something out on.

    Raises:
        StoreError: it cannot be read or copied.
    """
    target = folder / FILE_NAME
    os.close(made(target))
    with viewed(home / FILE_NAME) as connection:
        try:
            copy = sqlite3.connect(target, isolation_level=None)
            try:
                connection.backup(copy)
            finally:
                copy.close()
        except sqlite3.Error as error:
            raise from_sqlite(error, target) from error


def copy_as_it_is(home: Path, folder: Path) -> None:
    """A copy of the store of a home in another folder, whatever its version and however damaged it is.

    Raises:
        StoreError: it cannot be read or copied.
    """
    source, target = home / FILE_NAME, folder / FILE_NAME
    os.close(made(target))
    try:
        connection = sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True, timeout=5.0)
        copy = sqlite3.connect(target, isolation_level=None)
        try:
            connection.backup(copy)
        finally:
            copy.close()
            connection.close()
    except sqlite3.Error as error:
        raise from_sqlite(error, source) from error


def check_sound(path: Path, head: Head | None, otherwise: str) -> tuple[Head, Counts]:
    """Look a whole store over; its last receipt and how much is in it.

    Args:
        path: a file that nobody writes to.
        head: what its chain must hold; None when that is not known.
        otherwise: how the refusal begins.

    Raises:
        StoreCorrupt: it does not check out.
    """
    with viewed(path) as connection:
        try:
            last, counts = last_receipt(connection), counted(connection)
        except (sqlite3.Error, UnicodeDecodeError) as error:  # damaged, or a disk that cannot be read (CASE-K07)
            raise from_sqlite(error, path) from error
        found = next((one for one in faults(connection, path, head or last) if one.code is not None), None)
        if found is not None:
            named = " ".join(part for part in (found.session, found.name, found.message) if part)
            raise StoreCorrupt(f"{otherwise}: {named}", code=found.code)
        return last or Head(0, ""), counts


def read_manifest(path: Path) -> Manifest | None:
    """The manifest beside a backup, or None when there is none.

    Raises:
        StoreCorrupt: it is not one.
        StoreError: it cannot be read.
    """
    beside = manifest_beside(path)
    try:
        with beside.open("rb") as file:
            content = file.read(_LARGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise from_os(error, beside, "read the manifest") from error
    try:
        facts = json.loads(content)
        found = Manifest(**facts)
    except (ValueError, TypeError, RecursionError) as error:
        raise StoreCorrupt(f"{beside}: this is no manifest of a backup") from error
    kinds = ((facts["sha256"], str), (facts["head"], str), (facts["receipts"], int), (facts["made_at"], str))
    if not all(isinstance(fact, kind) for fact, kind in kinds):
        raise StoreCorrupt(f"{beside}: this is no manifest of a backup")
    return found

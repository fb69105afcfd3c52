"""What a home holds, as one digest per part, read with plain SQL; and whether it opens, checks out and works on.

Owns that judgement for the campaigns of faults (INV-I1): the rows without their times, the readable file, the checks of
the product itself. Knows nothing of what was done to the home.
"""

import hashlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ferrule.adapters.sqlite.checking import faults, viewed
from ferrule.adapters.sqlite.home import FILE_NAME, read_head
from ferrule.errors import FerruleError
from ferrule.memory.artifact import artifact_path
from proofs.deeds import SOURCE, Bench, deed_of
from proofs.world import BEGAN

__all__ = ["Held", "faults_of_file", "held", "wrong_at_rest"]

_TABLES = (
    "sessions",
    "turns",
    "instructions",
    "memories",
    "writes",
    "provenance",
    "memory_keys",
    "phrases",
    "words",
    "fragments",
    "tombstones",
    "reviews",
    "receipts",
)
# When something was done, and who is at it just now, is not what is remembered.
_PASSING = frozenset({"at", "stored_at", "state", "attempts", "epoch"})
_LATER = 3600.0


@dataclass(frozen=True, slots=True)
class Held:
    """What a home holds.

    Attributes:
        rows: digest of every row of every table that is memory; empty where there is no store.
        text: digest of the session's readable file; empty where there is none.
    """

    rows: str
    text: str


def held(home: Path) -> Held:
    """What a home holds at rest.

    Raises:
        sqlite3.Error: the file is no database any more.
    """
    path = artifact_path(home, SOURCE.key)
    text = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    file = home / FILE_NAME
    if not file.exists():
        return Held("", text)
    digest = hashlib.sha256()
    connection = sqlite3.connect(file, isolation_level=None)
    try:
        for table in _TABLES:
            cursor = connection.execute(f"SELECT * FROM {table}")  # noqa: S608 - our own list
            kept = [at for at, column in enumerate(cursor.description) if column[0] not in _PASSING]
            for row in sorted(repr([row[at] for at in kept]) for row in cursor):
                digest.update(row.encode())
            digest.update(table.encode())
    finally:
        connection.close()
    return Held(digest.hexdigest(), text)


def wrong_at_rest(home: Path, deed: str) -> Iterator[str]:
    """What does not check out once the home is opened again; and the deed, done now, must succeed if it was not.

    Raises nothing of the product: whatever it refuses is told.
    """
    bench = Bench(home, BEGAN + _LATER)
    try:
        bench.store.revision(SOURCE.key)
        bench.close()
        yield from faults_of_file(home)
        if not deed_of(deed).done(bench):
            bench.close()
            deed_of(deed).act(bench)
            if not deed_of(deed).done(bench):
                yield f"{deed} was done again and is not there"
        bench.memory.project(SOURCE.key)
        if not bench.memory.verify(SOURCE.key).ok:
            yield f"memory and file do not agree: {bench.memory.verify(SOURCE.key)}"
        bench.close()
        yield from faults_of_file(home)
    except (FerruleError, OSError, sqlite3.Error) as error:
        yield f"it does not work on: {type(error).__name__}: {error}"
    finally:
        bench.close()


def faults_of_file(home: Path) -> Iterator[str]:
    """What the product's own checks find in a store at rest."""
    head = read_head(home)
    with viewed(home / FILE_NAME) as connection:
        for fault in faults(connection, home / FILE_NAME, head):
            if fault.code is not None:
                yield f"{fault.code}: {fault.area} {fault.name}: {fault.message}"

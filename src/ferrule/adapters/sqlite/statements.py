"""Every statement that reaches the database has a name and stands in a `.sql` file.

Owns loading of those files. A statement starts with `-- name: <name>`; a migration is a whole file, run statement by
statement so that it can stand inside one transaction. Knows nothing of what the statements mean.
"""

import functools
import sqlite3
from collections.abc import Mapping
from pathlib import Path

__all__ = ["SCHEMA_VERSION", "migration", "statements"]

SCHEMA_VERSION = 6
_MARK = "-- name: "
_FOLDER = Path(__file__).parent / "sql"


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


@functools.cache
def statements(topic: str) -> Mapping[str, str]:
    """The named statements of `sql/<topic>.sql`."""
    found: dict[str, str] = {}
    for part in ("\n" + _text(f"{topic}.sql")).split("\n" + _MARK)[1:]:
        name, _, body = part.partition("\n")
        found[name.strip()] = body.strip().rstrip(";")
    return found


@functools.cache
def migration(version: int) -> tuple[str, ...]:
    """The statements that lead from `version - 1` to `version`, in order."""
    found: list[str] = []
    pending = ""
    for line in _text(f"schema_{version:04d}.sql").splitlines():
        if line.startswith("--"):
            continue
        pending = f"{pending}\n{line}" if pending else line
        if pending.strip() and sqlite3.complete_statement(pending):
            found.append(pending.strip())
            pending = ""
    return tuple(found)

"""A write-ahead log that is not of this store is noticed before it is played into it (CASE-N03).

Owns that look. SQLite knows a log by its name alone: one of another store, or of another time, would overwrite pages
that are whole, at the latest when the file is closed. The receipt that was given last tells whether the file is ours,
with its log and without. Knows nothing of receipts but their hash.
"""

import sqlite3
from pathlib import Path

from ferrule.adapters.sqlite.home import Head, read_head
from ferrule.adapters.sqlite.statements import statements
from ferrule.errors import Code, StoreCorrupt

__all__ = ["refuse_foreign_log"]


def refuse_foreign_log(home: Path, path: Path) -> None:
    """Look at a store that has a log, without changing a byte of either.

    Raises:
        StoreCorrupt: `LEDGER_BROKEN`: the receipt that was given last is there without the log, and is not with it.
    """
    log = path.with_name(f"{path.name}-wal")
    if not log.exists() or not log.stat().st_size or not path.stat().st_size:
        return
    try:
        head = read_head(home)
    except StoreCorrupt:
        return  # said by whoever needs it
    if head is None or head.seq == 0 or _holds(path, head, "mode=ro"):
        return
    if _holds(path, head, "mode=ro&immutable=1"):
        told = "the store is whole without it; move that file away, then try again"
        raise StoreCorrupt(f"{log}: this log is of another store or another time: {told}", code=Code.LEDGER_BROKEN)


def _holds(path: Path, head: Head, how: str) -> bool:
    """Whether the receipt that was given last is there; what cannot be asked is not."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, timeout=5.0)
        try:
            row = connection.execute(statements("receipts")["at"], {"seq": head.seq}).fetchone()
        finally:
            connection.close()
    except (sqlite3.Error, UnicodeDecodeError):
        return False
    return row is not None and row[1] == head.hash

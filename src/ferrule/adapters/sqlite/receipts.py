"""The chain of receipts as rows, and its head kept a second time beside the database (CASE-N09).

Owns appending, reading, and the check at opening that no tail was cut. Knows nothing of what was judged.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from pathlib import Path

from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.home import Head, read_head, write_head
from ferrule.adapters.sqlite.statements import statements
from ferrule.bridge.values import Receipt
from ferrule.errors import Code, StoreCorrupt
from ferrule.memory.receipts import GENESIS, broken_at, link

__all__ = ["Verdict", "append", "append_all", "check_head", "follow_head", "read_receipts", "turn_receipts"]

_SQL = statements("receipts")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one receipt is to attest."""

    session: str
    turn: str
    verdict: str
    prototype: str
    payload_sha256: str
    payload_length: int
    revision_before: int
    revision_after: int
    code: str = ""


_OF_A_VERDICT = tuple(field.name for field in fields(Verdict))
_OF_A_RECEIPT = tuple(field.name for field in fields(Receipt))


def append(database: Database, verdict: Verdict) -> Receipt:
    """Add a receipt to the chain, inside a transaction."""
    return append_all(database, (verdict,))[0]


def append_all(database: Database, verdicts: Iterable[Verdict]) -> tuple[Receipt, ...]:
    """Add receipts to the chain in their order, inside a transaction: each follows from the one before it."""
    last = _last(database)
    given: list[Receipt] = []
    for verdict in verdicts:
        facts = {field: getattr(verdict, field) for field in _OF_A_VERDICT}
        receipt = Receipt(seq=last.seq + 1, previous=last.hash, hash="", **facts)
        receipt = replace(receipt, hash=link(receipt))
        last = Head(receipt.seq, receipt.hash)
        given.append(receipt)
    database.many(_SQL["put"], [_row(receipt) for receipt in given])
    return tuple(given)


def _row(receipt: Receipt) -> dict[str, object]:
    return {field: getattr(receipt, field) for field in _OF_A_RECEIPT}


def read_receipts(database: Database, session: str | None = None) -> tuple[Receipt, ...]:
    """The chain, oldest first; of one session when asked."""
    if session is None:
        return _receipts(database.rows(_SQL["all"]))
    return _receipts(database.rows(_SQL["of_session"], {"session": session}))


def turn_receipts(database: Database, session: str, turn: str) -> tuple[Receipt, ...]:
    """The receipts of one reviewed turn."""
    return _receipts(database.rows(_SQL["of_turn"], {"session": session, "turn": turn}))


def check_head(database: Database, home: Path) -> str:
    """Compare the chain with the head kept beside it, and catch the head up; returns a notice for people or ''.

    Raises:
        StoreCorrupt: `LEDGER_BROKEN`: the chain is shorter than its head says, differs from it or is broken.
    """
    head, last = read_head(home), _last(database)
    notice = ""
    if head is None and last.seq > 0:
        where = broken_at(read_receipts(database))
        if where is not None:
            raise _broken(database, f"receipt {where} does not follow from the one before it")
        notice = f"the head of the receipts was missing; {last.seq} receipts were checked and a new head written"
    if head is not None and head.seq > 0:
        row = database.row(_SQL["at"], {"seq": head.seq})
        if row is None:
            raise _broken(database, f"{head.seq} receipts were given, but only {last.seq} are there")
        if row["hash"] != head.hash:
            raise _broken(database, f"receipt {head.seq} is not the one that was given")
    if head != last:
        write_head(home, last)
    return notice


def follow_head(home: Path, receipts: Iterable[Receipt]) -> None:
    """Write the head after a commit that gave receipts."""
    last = max(receipts, key=lambda receipt: receipt.seq, default=None)
    if last is not None:
        write_head(home, Head(last.seq, last.hash))


def _last(database: Database) -> Head:
    row = database.row(_SQL["last"])
    return Head(0, GENESIS) if row is None else Head(int(row["seq"]), str(row["hash"]))


def _receipts(rows: Iterable[sqlite3.Row]) -> tuple[Receipt, ...]:
    return tuple(Receipt(**dict(row)) for row in rows)


def _broken(database: Database, what: str) -> StoreCorrupt:
    return StoreCorrupt(f"{database.path}: the chain of receipts is broken: {what}", code=Code.LEDGER_BROKEN)

"""A store is looked over whole: chain, head, seals, indexes against rows, turns, and SQLite's own structure.

Owns those checks on one read-only view of one file (CASE-N01, N09, INV-I1, INV-I3). One row is in memory at a time, and
the names of one session. Nothing is changed, made or migrated. Knows nothing of the projection's files.
"""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ferrule.adapters.sqlite.coding import prototype_from, read_handles
from ferrule.adapters.sqlite.failures import from_sqlite
from ferrule.adapters.sqlite.home import Head
from ferrule.adapters.sqlite.layer import fold_name, scoped, word_list
from ferrule.adapters.sqlite.memories import indexed
from ferrule.adapters.sqlite.opening import APPLICATION_ID
from ferrule.adapters.sqlite.postings import Postings
from ferrule.adapters.sqlite.reindexing import keys_wanted
from ferrule.adapters.sqlite.sealing import seal
from ferrule.adapters.sqlite.sessions import is_sound
from ferrule.adapters.sqlite.statements import SCHEMA_VERSION, statements
from ferrule.bridge.values import Receipt
from ferrule.errors import Code, StoreCorrupt, StoreError, StoreVersion
from ferrule.memory.receipts import broken_at, unmatched
from ferrule.ontology.layers import phrases_of
from ferrule.ontology.values import Prototype

__all__ = [
    "Counts",
    "Fault",
    "counted",
    "faults",
    "known_sessions",
    "last_receipt",
    "newest_session",
    "prototypes_of",
    "viewed",
]

_SQL = statements("checking")
_MOST = 100
_FRAGMENT = 3


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that does not check out.

    Attributes:
        code: `STORE_CORRUPT` or `LEDGER_BROKEN`; None for what is only to be known.
        area: `file`, `receipts`, `memory`, `index`, `key`, `aside`, `turn`, `review` or `projection`.
        session: whose, or empty.
        name: of the memory, turn or file, or empty.
        message: what is wrong, in words.
    """

    code: Code | None
    area: str
    session: str
    name: str
    message: str


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a store holds."""

    sessions: int
    memories: int
    receipts: int
    turns: int
    reviews: int


@contextmanager
def viewed(path: Path) -> Iterator[sqlite3.Connection]:
    """One unchanging, read-only view of a store; writers are not kept from writing.

    Raises:
        StoreVersion: of another version than this Ferrule's.
        StoreCorrupt: no Ferrule store.
        StoreError: it cannot be read.
    """
    address = f"{path.absolute().as_uri()}?mode=ro{_still(path)}"
    try:
        connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=5.0)
    except sqlite3.Error as error:
        raise from_sqlite(error, path) from error
    try:
        connection.row_factory = sqlite3.Row
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("BEGIN")
            _check_kind(connection, path)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise from_sqlite(error, path) from error
        yield connection
    finally:
        connection.close()


def _still(path: Path) -> str:
    """On a file system where nobody can write SQLite could not keep its notes beside, nor need it (CASE-K05)."""
    logged = path.with_name(f"{path.name}-wal").exists()
    return "" if logged or os.access(path.parent, os.W_OK) else "&immutable=1"


def _check_kind(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StoreCorrupt(f"{path}: this is no Ferrule store")
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA_VERSION:
        line = f"store version {version}, this one knows {SCHEMA_VERSION}"
        raise StoreVersion(f"{path}: written by a newer Ferrule ({line}); upgrade Ferrule to use it")
    if version < SCHEMA_VERSION:
        raise StoreVersion(f"{path}: of an older Ferrule; it is brought forward when it is opened, by ferrule status")


def counted(connection: sqlite3.Connection) -> Counts:
    """How much is in it."""
    return Counts(**dict(connection.execute(_SQL["counts"]).fetchone()))


def known_sessions(connection: sqlite3.Connection, source: str | None = None) -> tuple[tuple[int, str], ...]:
    """(row id, key) of every session, or of one."""
    return tuple((int(row["id"]), str(row["key"])) for row in connection.execute(_SQL["sessions"], {"source": source}))


def newest_session(connection: sqlite3.Connection) -> str | None:
    """The key of the session that had the newest turn, or None when there is none."""
    row = connection.execute(statements("sessions")["sessions"], {"hidden": 0}).fetchone()
    return None if row is None else str(row["key"])


def last_receipt(connection: sqlite3.Connection) -> Head | None:
    """The newest receipt, or None when none was given."""
    row = connection.execute(statements("receipts")["last"]).fetchone()
    return None if row is None else Head(int(row["seq"]), str(row["hash"]))


def prototypes_of(connection: sqlite3.Connection, session: int) -> Iterator[Prototype]:
    """The memories of a session as their rows say, oldest first; those that are damaged are left out."""
    for row in connection.execute(_SQL["memories"], {"session": session}):
        if seal(dict(row)) == row["seal"]:
            yield _prototype(row)


def faults(connection: sqlite3.Connection, path: Path, head: Head | None, source: str | None = None) -> Iterator[Fault]:
    """Everything that does not check out, of one session or of all.

    The chain, its head and the file are one for all sessions and always looked at. A check that the damage itself keeps
    from going on ends with that finding, the others go on.

    Args:
        connection: from `viewed`.
        path: the file, for messages.
        head: as it was read before the view began, so that it cannot be ahead of it.
        source: only this session's rows.
    """
    checks = [_structure(connection), _chain(connection, head)]
    try:
        found = known_sessions(connection, source)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        checks, found = [*checks, iter([_damage(error, path)])], ()
    postings = Postings(connection)
    checks += [one for number, key in found for one in _session(connection, number, key, postings)]
    if source is None:
        checks.append(_strays(connection))
    for check in checks:
        yield from _going_on(check, path)


def _going_on(check: Iterator[Fault], path: Path) -> Iterator[Fault]:
    try:
        yield from check
    except (sqlite3.Error, UnicodeDecodeError, ValueError, TypeError, KeyError) as error:
        yield _damage(error, path)


def _damage(error: Exception, path: Path) -> Fault:
    if isinstance(error, sqlite3.Error | UnicodeDecodeError):
        told: StoreError | object = from_sqlite(error, path)
        return Fault(Code.STORE_CORRUPT, "file", "", "", str(told))
    return Fault(Code.STORE_CORRUPT, "file", "", "", f"{path}: a row cannot be read ({type(error).__name__})")


def _structure(connection: sqlite3.Connection) -> Iterator[Fault]:
    for row in connection.execute(f"PRAGMA integrity_check({_MOST})"):
        if row[0] != "ok":
            line = " ".join(str(row[0]).split())  # it says several things in lines of their own
            yield Fault(Code.STORE_CORRUPT, "file", "", "", f"SQLite: {line[:200]}")
    for count, row in enumerate(connection.execute("PRAGMA foreign_key_check")):
        if count >= _MOST:
            return
        yield Fault(Code.STORE_CORRUPT, "file", "", "", f"a row of {row[0]} belongs to a row of {row[2]} that is gone")


def _chain(connection: sqlite3.Connection, head: Head | None) -> Iterator[Fault]:
    broken = broken_at(_receipt(row) for row in connection.execute(_SQL["chain"]))
    if broken is not None:
        message = f"receipt {broken} does not follow from the one before it"
        yield Fault(Code.LEDGER_BROKEN, "receipts", "", "", message)
    last = last_receipt(connection)
    if head is None and last is not None:
        message = "the head beside the store is missing: whether the chain was cut cannot be told"
        yield Fault(Code.LEDGER_BROKEN, "receipts", "", "", message)
    if head is None or head.seq == 0:
        return
    row = connection.execute(statements("receipts")["at"], {"seq": head.seq}).fetchone()
    if row is None:
        there = 0 if last is None else last.seq
        message = f"{head.seq} receipts were given, but only {there} are there: the end of the chain was cut"
        yield Fault(Code.LEDGER_BROKEN, "receipts", "", "", message)
    elif row["hash"] != head.hash:
        yield Fault(Code.LEDGER_BROKEN, "receipts", "", "", f"receipt {head.seq} is not the one that was given")


def _receipt(row: sqlite3.Row) -> Receipt:
    return Receipt(**dict(row))


def _session(connection: sqlite3.Connection, number: int, key: str, postings: Postings) -> list[Iterator[Fault]]:
    return [
        _memories(connection, number, key, postings),
        _shared(connection, number, key),
        _aside(connection, key),
        _ledger(connection, number, key),
        _turns(connection, number, key),
        _reviews(connection, number, key),
    ]


def _memories(connection: sqlite3.Connection, number: int, key: str, postings: Postings) -> Iterator[Fault]:
    for row in connection.execute(_SQL["memories"], {"session": number}):
        if seal(dict(row)) != row["seal"]:
            message = "the row is not what was written: its seal does not fit"
            yield Fault(Code.STORE_CORRUPT, "memory", key, str(row["name"]), message)
            continue
        for message in _index(connection, row, postings):
            yield Fault(Code.STORE_CORRUPT, "index", key, str(row["name"]), message)


def _index(connection: sqlite3.Connection, row: sqlite3.Row, postings: Postings) -> Iterator[str]:
    """Whatever would keep the memory from being found, or have it found for what it is not."""
    prototype, handles = _prototype(row), read_handles(row["handles"])
    memory, session = {"memory": row["id"]}, row["session"]
    if row["folded"] != fold_name(row["name"]):
        yield "its spelling is not indexed"
    for statement, wanted in (("keys", {*keys_wanted(handles)}), ("phrases", {*phrases_of(prototype)})):
        marks = connection.execute(_SQL[statement], memory).fetchall()
        if missing := wanted - {str(mark["mark"]) for mark in marks if mark["session"] == session}:
            yield f"{len(missing)} of its {statement} not indexed"
        if any(mark["session"] != session for mark in marks):
            yield f"its {statement} are indexed for another session"
    words, text = indexed(session, prototype, handles)
    terms = scoped(session, word_list(prototype.name))
    held = connection.execute(_SQL["words"], memory).fetchone()
    right = held is not None and dict(held) == words
    if not right or not (
        postings.agree("words", row["id"], terms) or _finds(connection, "found_by_words", terms, row["id"])
    ):
        yield "its words are not indexed as they stand"
    letters = text.lower()
    held = connection.execute(_SQL["fragments"], memory).fetchone()
    right = held is not None and held["text"] == text
    terms = (prototype.name,) if len(prototype.name) >= _FRAGMENT else ()
    pieces = (letters[at : at + _FRAGMENT] for at in range(len(letters) - _FRAGMENT + 1))
    if not right or not (
        postings.agree("fragments", row["id"], pieces) or _finds(connection, "found_by_fragment", terms, row["id"])
    ):
        yield "its fragments are not indexed as they stand"


def _shared(connection: sqlite3.Connection, number: int, key: str) -> Iterator[Fault]:
    """Two memories of one thing: a person may write that, or two old keys became one. Nothing is merged by itself."""
    for row in connection.execute(statements("key_forms")["shared"], {"session": number}):
        names = ", ".join(json.loads(row["names"]))
        message = f"they are kept apart and name one thing: {row['key']}; forget the one that is not wanted"
        yield Fault(None, "key", key, names, message)


def _aside(connection: sqlite3.Connection, key: str) -> Iterator[Fault]:
    for row in connection.execute(statements("repairing")["aside"], {"source": key}):
        message = f"set aside by a repair on {row['at'][:10]}, for {row['reason']}; ferrule memory forget removes it"
        yield Fault(None, "aside", key, str(row["name"]), message)


def _finds(connection: sqlite3.Connection, statement: str, terms: tuple[str, ...], memory: int) -> bool:
    """Whether the index itself finds the memory by these terms; slow where many memories share them."""
    query = " AND ".join(f'"{term}"' for term in terms)
    return not query or connection.execute(_SQL[statement], {"query": query, "memory": memory}).fetchone() is not None


def _ledger(connection: sqlite3.Connection, number: int, key: str) -> Iterator[Fault]:
    receipts = (_receipt(row) for row in connection.execute(_SQL["chain_of_session"], {"source": key}))
    writes = ((str(row[0]), str(row[1])) for row in connection.execute(_SQL["writes"], {"session": number}))
    for name in unmatched(receipts, writes):
        yield Fault(Code.LEDGER_BROKEN, "receipts", key, name, "its writes and its receipts do not match one to one")


def _turns(connection: sqlite3.Connection, number: int, key: str) -> Iterator[Fault]:
    for row in connection.execute(_SQL["bodies"], {"session": number}):
        if not is_sound(row["body"], row["digest"]):
            yield Fault(Code.STORE_CORRUPT, "turn", key, str(row["key"]), "its stored text is damaged")


def _reviews(connection: sqlite3.Connection, number: int, key: str) -> Iterator[Fault]:
    both = {"session": number, "source": key}
    for statement, message in (
        ("reviews_without_receipt", "it was reviewed, and no receipt says so"),
        ("receipts_without_review", "a receipt was given, and there is no review"),
    ):
        for row in connection.execute(_SQL[statement], both):
            yield Fault(Code.LEDGER_BROKEN, "review", key, str(row["turn"]), message)


def _strays(connection: sqlite3.Connection) -> Iterator[Fault]:
    for statement in ("stray_words", "stray_fragments"):
        if connection.execute(_SQL[statement]).fetchone() is not None:
            yield Fault(Code.STORE_CORRUPT, "index", "", "", "the index holds what belongs to no memory")
    for row in connection.execute(_SQL["receipts_of_strangers"]):
        yield Fault(Code.LEDGER_BROKEN, "receipts", str(row["session"]), "", "receipts of a session that is gone")


def _prototype(row: sqlite3.Row) -> Prototype:
    return prototype_from(row["name"], row["bases"], row["properties"], partial=bool(row["partial"]))

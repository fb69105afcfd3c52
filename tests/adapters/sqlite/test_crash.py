"""A write is wholly there or not at all, whatever statement the process dies at."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from store_cases import (
    IMPORT,
    LEASE,
    Clock,
    Entity,
    a_child,
    a_commit,
    a_property,
    a_refusal,
    a_session,
    a_turn,
    a_write,
    claimed,
)

from ferrule.adapters.sqlite.opening import Connect, connect_file
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import InternalError, StoreError
from ferrule.session.source import LaneClaim

SOURCE = a_session()
NOTES = Entity("ParserNotes", "docs/parser.md", aliases="the grammar page")
GUIDE = Entity("StyleGuide", "docs/style.md")
TABLES = (
    "sessions",
    "turns",
    "instructions",
    "memories",
    "writes",
    "provenance",
    "memory_keys",
    "phrases",
    "touched",
    "words",
    "fragments",
    "tombstones",
    "reviews",
    "receipts",
)


class Counting(sqlite3.Connection):
    """A connection that counts its statements and calls `at` before the one of number `stop`."""

    count = 0
    stop = 0
    at: Callable[[], None] = staticmethod(lambda: None)

    def _tick(self) -> None:
        self.count += 1
        if self.count == self.stop:
            type(self).at()

    def execute(self, *args: object) -> sqlite3.Cursor:
        """Count, then execute."""
        self._tick()
        return super().execute(*args)  # type: ignore[arg-type]

    def executemany(self, *args: object) -> sqlite3.Cursor:
        """Count, then execute."""
        self._tick()
        return super().executemany(*args)  # type: ignore[arg-type]


def counting(connections: list[Counting]) -> Connect:
    """How to connect with a counting connection, kept in `connections`."""

    def connect(path: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Counting)
        connections.append(connection)
        return connection

    return connect


def prepared(home: Path) -> None:
    """A home with one memory and a second turn that waits."""
    store = SqliteStore(home, Clock())
    for ordinal in (1, 2):
        store.put_session(SOURCE)
        store.put_turns([a_turn(ordinal)])
        store.enqueue(SOURCE, a_child(SOURCE), [(ordinal, f"t{ordinal}")], IMPORT)
    store.commit(a_commit(a_turn(1), a_write(NOTES)), claimed(store.claim(SOURCE.key, lease_seconds=LEASE)))
    store.close()


def digest(home: Path) -> list[list[tuple[object, ...]]]:
    """Every row of every table but the lanes, whose lease is not memory."""
    connection = connect_file(home / "ferrule.sqlite3")
    rows = [sorted(connection.execute(f"SELECT * FROM {table}").fetchall()) for table in TABLES]  # noqa: S608
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    return rows


def commit_second(store: SqliteStore, claim: LaneClaim) -> None:
    """The commit under test: one new memory, one augmented, one refusal."""
    augmented = replace(NOTES, more=(a_property("AliasesAtTurn2", "railroad page"),))
    store.commit(a_commit(a_turn(2), a_write(augmented), a_write(GUIDE), refused=[a_refusal()]), claim)


def claim_of(store: SqliteStore) -> LaneClaim:
    """The claim of the second turn."""
    return claimed(store.claim(SOURCE.key, lease_seconds=LEASE))


def statements_of_the_commit(home: Path) -> int:
    """How many statements the commit under test takes, in a home that is thrown away."""
    connections: list[Counting] = []
    prepared(home)
    store = SqliteStore(home, Clock(), connect=counting(connections))
    claim = claim_of(store)
    before = connections[0].count
    commit_second(store, claim)
    store.close()
    return connections[0].count - before


def test_a_failure_at_any_statement_leaves_all_or_nothing(tmp_path: Path) -> None:
    """INV-I1, R59: fail the Nth statement, for every N: nothing is changed, and the same process writes on."""
    total = statements_of_the_commit(tmp_path / "count")
    assert total > 20
    connections: list[Counting] = []
    prepared(tmp_path / "home")
    store = SqliteStore(tmp_path / "home", Clock(), connect=counting(connections))
    claim = claim_of(store)
    before = digest(tmp_path / "home")

    def fail() -> None:
        raise sqlite3.OperationalError("disk I/O error")

    Counting.at = staticmethod(fail)
    for n in range(1, total + 1):
        connections[0].stop = connections[0].count + n
        with pytest.raises(StoreError):
            commit_second(store, claim)
        assert digest(tmp_path / "home") == before, n
    connections[0].stop = 0
    commit_second(store, claim)
    assert store.layer(SOURCE.key).names() == ("ParserNotes", "StyleGuide")
    store.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked child")
def test_a_kill_at_any_statement_leaves_before_or_after(in_memory: Path) -> None:
    """INV-I1, INV-I2, CASE-J01, R100: a process that dies between any two statements never leaves a third state."""
    total = statements_of_the_commit(in_memory / "count")
    prepared(in_memory / "first")
    first = SqliteStore(in_memory / "first", Clock())
    claim = claim_of(first)
    first.close()
    before = digest(in_memory / "first")
    seen = set()
    for n in range(1, total + 2):
        home = in_memory / f"home-{n}"
        shutil.copytree(in_memory / "first", home)
        _in_a_child(home, claim, n)
        after = digest(home)
        store = SqliteStore(home, Clock(Clock().now + LEASE + 1))
        if after == before:
            commit_second(store, claim_of(store))
        seen.add(after == before)
        assert store.layer(SOURCE.key).names() == ("ParserNotes", "StyleGuide"), n
        assert len(store.receipts()) == 4
        store.close()
    assert seen == {True, False}


def _in_a_child(home: Path, claim: LaneClaim, n: int) -> None:
    """Open the store in a child and let it die before its Nth statement of the commit, or right after it."""
    child = os.fork()
    if child == 0:
        code = 99  # whatever goes wrong, a child never returns into the test runner
        try:
            connections: list[Counting] = []
            store = SqliteStore(home, Clock(), connect=counting(connections))
            Counting.at = staticmethod(lambda: os._exit(9))
            connections[0].stop = connections[0].count + n
            commit_second(store, claim)
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) in {0, 9}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_store_is_never_used_after_a_fork(tmp_path: Path) -> None:
    """CASE-J12: the child cannot commit, the parent is unaffected."""
    prepared(tmp_path / "home")
    store = SqliteStore(tmp_path / "home", Clock())
    claim = claim_of(store)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            commit_second(store, claim)
        except StoreError:
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    commit_second(store, claim)
    assert store.layer(SOURCE.key).names() == ("ParserNotes", "StyleGuide")
    store.close()


def test_after_a_failed_sync_nothing_more_is_written(tmp_path: Path) -> None:
    """CASE-K03: no retry on that descriptor; opened again and checked, the store goes on."""
    connections: list[Counting] = []
    prepared(tmp_path / "home")
    store = SqliteStore(tmp_path / "home", Clock(), connect=counting(connections))
    claim = claim_of(store)

    def fail() -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorname = "SQLITE_IOERR_FSYNC"
        raise error

    Counting.at = staticmethod(fail)
    connections[0].stop = connections[0].count + 5
    with pytest.raises(StoreError, match="syncing"):
        commit_second(store, claim)
    with pytest.raises(StoreError, match="open the store again"):
        commit_second(store, claim)
    assert store.layer(SOURCE.key).names() == ("ParserNotes",)
    store.close()
    again = SqliteStore(tmp_path / "home", Clock())
    commit_second(again, claim)
    again.close()


def test_a_transaction_never_opens_inside_another(tmp_path: Path) -> None:
    """INV-I1: a broken invariant is said, not nested."""
    store = SqliteStore(tmp_path / "home", Clock())
    with store._database.transaction(), pytest.raises(InternalError), store._database.transaction():
        pass
    with pytest.raises(InternalError):
        store._database.run("DELETE FROM sessions")
    store.close()

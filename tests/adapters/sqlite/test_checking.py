"""A check of a whole store finds what was changed behind its back, names it, and changes nothing itself."""

import os
import shutil
import sqlite3
from pathlib import Path

import pytest
from store_cases import IMPORT, LEASE, Clock, Entity, a_child, a_commit, a_session, a_turn, a_write, claimed

from ferrule.adapters.sqlite.checking import Counts, Fault, counted, faults, last_receipt, viewed
from ferrule.adapters.sqlite.home import FILE_NAME, Head, read_head
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import Code, StoreCorrupt, StoreError, StoreVersion

SOURCE = a_session()
OTHERS = a_session("desk:beta")
NOTES = Entity("ParserNotes", "docs/parser.md", aliases="the grammar page")
GUIDE = Entity("StyleGuide", "docs/style.md")
BROKEN, CORRUPT = Code.LEDGER_BROKEN, Code.STORE_CORRUPT


def filled(home: Path) -> Path:
    """A home with two sessions of one reviewed turn and two memories each."""
    store = SqliteStore(home, Clock())
    for source in (SOURCE, OTHERS):
        store.put_session(source)
        store.put_turns([a_turn(session=source.key)])
        store.enqueue(source, a_child(source), [(1, "t1")], IMPORT)
        claim = claimed(store.claim(source.key, lease_seconds=LEASE))
        store.commit(a_commit(a_turn(session=source.key), a_write(NOTES), a_write(GUIDE)), claim)
    store.close()
    return home


def edited(home: Path, *statements: str) -> None:
    """Change the file behind Ferrule's back."""
    connection = sqlite3.connect(home / FILE_NAME, isolation_level=None)
    for trigger in ("receipts_never_leave", "receipts_never_change"):
        connection.execute(f"DROP TRIGGER {trigger}")
    for statement in statements:
        connection.execute(statement)
    connection.close()


def found(home: Path, source: str | None = None, head: Head | None = None) -> list[Fault]:
    """Everything that a check finds."""
    with viewed(home / FILE_NAME) as connection:
        return list(faults(connection, home / FILE_NAME, head or read_head(home), source))


def test_a_sound_store_has_no_faults_and_is_left_as_it_is(in_memory: Path) -> None:
    """CASE-N09, CASE-N01: nothing is found, no byte is changed, and what is in it is counted."""
    home = filled(in_memory / "home")
    before = (home / FILE_NAME).read_bytes()
    assert found(home) == []
    assert (home / FILE_NAME).read_bytes() == before
    with viewed(home / FILE_NAME) as connection:
        assert counted(connection) == Counts(sessions=4, memories=4, receipts=4, turns=2, reviews=2)
        assert last_receipt(connection) == read_head(home)


@pytest.mark.parametrize(
    ("statement", "code", "area", "name"),
    [
        ("DELETE FROM receipts WHERE seq = 4", BROKEN, "receipts", ""),
        ("DELETE FROM receipts WHERE seq = 2", BROKEN, "receipts", ""),
        ("UPDATE receipts SET prototype = 'Another' WHERE seq = 2", BROKEN, "receipts", "Another"),
        ("UPDATE receipts SET hash = 'x' WHERE seq = 4", BROKEN, "receipts", ""),
        ("UPDATE memories SET merged = merged || ' ' WHERE id = 1", CORRUPT, "memory", "ParserNotes"),
        ("UPDATE memories SET properties = '[]' WHERE id = 2", CORRUPT, "memory", "StyleGuide"),
        ("UPDATE memories SET folded = 'x' WHERE id = 1", CORRUPT, "index", "ParserNotes"),
        ("DELETE FROM memory_keys WHERE memory = 1", CORRUPT, "index", "ParserNotes"),
        ("UPDATE memory_keys SET session = 99 WHERE memory = 1", CORRUPT, "index", "ParserNotes"),
        ("DELETE FROM phrases WHERE memory = 2", CORRUPT, "index", "StyleGuide"),
        ("DELETE FROM words WHERE rowid = 1", CORRUPT, "index", "ParserNotes"),
        ("DELETE FROM words_data WHERE id > 10", CORRUPT, "file", ""),
        ("UPDATE fragments SET text = 'else' WHERE rowid = 1", CORRUPT, "index", "ParserNotes"),
        ("INSERT INTO words (rowid, named, called, valued) VALUES (77, 'a', 'b', 'c')", CORRUPT, "index", ""),
        ("DELETE FROM writes WHERE memory = 1", BROKEN, "receipts", "ParserNotes"),
        ("UPDATE writes SET definition = 'x' WHERE memory = 1", BROKEN, "receipts", "ParserNotes"),
        ("DELETE FROM memories WHERE id = 1", CORRUPT, "file", ""),
        ("DELETE FROM reviews", BROKEN, "review", "t1"),
        ("UPDATE turns SET body = 'x'", CORRUPT, "turn", "t1"),
        ("UPDATE sessions SET key = 'desk:gone' WHERE key = 'desk:beta'", BROKEN, "receipts", ""),
    ],
)
def test_what_was_changed_behind_its_back_is_found_and_named(
    in_memory: Path, *, statement: str, code: Code, area: str, name: str
) -> None:
    """CASE-N01, CASE-N09: receipts, seals, indexes and turns, each kind of change with its code and its name."""
    home = filled(in_memory / "home")
    edited(home, statement)
    told = found(home)
    assert (code, area, name) in {(one.code, one.area, one.name) for one in told}, told


def test_one_session_is_looked_at_without_the_rows_of_others(in_memory: Path) -> None:
    """CASE-N09: the chain is everybody's, the rows are each session's own."""
    home = filled(in_memory / "home")
    edited(home, "UPDATE memories SET merged = 'x'")
    assert {one.session for one in found(home)} == {SOURCE.key, OTHERS.key}
    assert {one.session for one in found(home, OTHERS.key)} == {OTHERS.key}


def test_a_head_that_lags_is_no_fault_and_a_missing_one_is(in_memory: Path) -> None:
    """CASE-N09, INV-I2: a process may die between commit and head; without a head a cut tail cannot be told."""
    home = filled(in_memory / "home")
    with viewed(home / FILE_NAME) as connection:
        row = connection.execute("SELECT seq, hash FROM receipts WHERE seq = 3").fetchone()
    assert found(home, head=Head(row["seq"], row["hash"])) == []
    (home / "receipts.head").unlink()
    assert [one.code for one in found(home)] == [BROKEN]


@pytest.mark.parametrize("content", [b"", b"\0" * 86])
def test_a_head_whose_bytes_a_power_cut_took_is_written_anew(in_memory: Path, content: bytes) -> None:
    """CASE-N09, CASE-J07: the file is there without its bytes: the chain is checked, and nobody is locked out."""
    home = filled(in_memory / "home")
    head = (home / "receipts.head").read_bytes()
    (home / "receipts.head").write_bytes(content)
    store = SqliteStore(home, Clock())
    store.close()
    assert "4 receipts were checked" in store.notice
    assert (home / "receipts.head").read_bytes() == head


def test_the_head_is_synced_by_whoever_gave_receipts(in_memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-N09, INV-I2: once for all of a process, when it closes the store; who only reads syncs nothing."""
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_ino))
    home = filled(in_memory / "home")
    head = (home / "receipts.head").stat().st_ino
    assert synced == [head]
    store = SqliteStore(home, Clock())
    assert store.layer(SOURCE.key).names()
    store.close()
    assert synced == [head]


def test_a_store_on_a_disk_that_nobody_can_write_is_checked(in_memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-K05: nothing is put beside it, not even by SQLite."""
    home = filled(in_memory / "home")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with viewed(home / FILE_NAME) as connection:
        assert list(faults(connection, home / FILE_NAME, read_head(home))) == []
        assert {one.name for one in home.iterdir()} == {FILE_NAME, "receipts.head"}


def test_a_check_sees_one_state_while_others_write(in_memory: Path) -> None:
    """CASE-N09: what is committed meanwhile is not half seen."""
    home = filled(in_memory / "home")
    head = read_head(home)
    with viewed(home / FILE_NAME) as connection:
        check = faults(connection, home / FILE_NAME, head)
        store = SqliteStore(home, Clock())
        store.forget(SOURCE.key, ["ParserNotes"])
        store.close()
        assert list(check) == []
    assert found(home) == []


def test_what_is_no_store_of_ours_is_refused(in_memory: Path) -> None:
    """CASE-N12: newer, older, foreign, missing: each with its own code."""
    home = filled(in_memory / "home")
    for change, kind in (
        ("PRAGMA user_version = 99", StoreVersion),
        ("PRAGMA user_version = 1", StoreVersion),
        ("PRAGMA application_id = 1", StoreCorrupt),
    ):
        connection = sqlite3.connect(home / FILE_NAME, isolation_level=None)
        connection.execute(change)
        connection.close()
        with pytest.raises(kind):
            found(home)
    (in_memory / "text").write_text("no database at all, whatever its name says", encoding="utf-8")
    with pytest.raises(StoreCorrupt), viewed(in_memory / "text"):
        pass
    with pytest.raises(StoreError), viewed(in_memory / "nothing"):
        pass


def test_a_flipped_bit_is_found_or_harmless_and_never_a_surprise(in_memory: Path) -> None:
    """CASE-N01: flipped at places all over the file, a check ends in findings or in a refusal, never in a crash."""
    home = filled(in_memory / "home")
    content = (home / FILE_NAME).read_bytes()
    spots = [at for at in range(len(content)) if content[at]]
    told = 0
    for at in spots[:: max(1, len(spots) // 120)]:
        flipped = in_memory / "flipped"
        shutil.rmtree(flipped, ignore_errors=True)
        shutil.copytree(home, flipped)
        changed = bytearray(content)
        changed[at] ^= 1 << (at % 8)
        (flipped / FILE_NAME).write_bytes(changed)
        try:
            told += bool(found(flipped))
        except StoreError:
            told += 1
    assert told > 60

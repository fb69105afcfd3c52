"""A damaged store is said to be damaged, or it serves what was written: never something else."""

import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from store_cases import IMPORT, LEASE, Clock, Entity, a_child, a_commit, a_property, a_session, a_turn, a_write, claimed

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import Code, StoreCorrupt, StoreError

SOURCE = a_session()
NOTES = Entity("ParserNotes", "docs/parser.md", aliases="the grammar page")
OTHER = Entity("StyleGuide", "docs/style.md")


def prepared(home: Path) -> Path:
    """A home with two memories in one file without a log beside it."""
    store = SqliteStore(home, Clock())
    store.put_session(SOURCE)
    store.put_turns([a_turn()])
    store.enqueue(SOURCE, a_child(SOURCE), [(1, "t1")], IMPORT)
    claim = claimed(store.claim(SOURCE.key, lease_seconds=LEASE))
    store.commit(a_commit(a_turn(), a_write(NOTES), a_write(OTHER)), claim)
    store.close()
    return home / "ferrule.sqlite3"


def served(home: Path) -> list[object]:
    """What a reader gets: each memory, its definition and handles, and the turn."""
    store = SqliteStore(home, Clock())
    try:
        return [
            *(store.layer(SOURCE.key).get(entity.name) for entity in (NOTES, OTHER)),
            *(store.definition(SOURCE.key, entity.name) for entity in (NOTES, OTHER)),
            *(store.handles(SOURCE.key, entity.name) for entity in (NOTES, OTHER)),
            store.turn(SOURCE.key, "t1"),
        ]
    finally:
        store.close()


def test_a_flipped_bit_never_changes_what_is_served(tmp_path: Path) -> None:
    """CASE-N01: flipped at places all over the file: detected, absent or harmless, never another value."""
    file = prepared(tmp_path / "home")
    sound = served(tmp_path / "home")
    content = file.read_bytes()
    spots = [at for at in range(len(content)) if content[at]][:: max(1, sum(map(bool, content)) // 150)]
    damaged = 0
    for at in spots:
        home = tmp_path / "flipped"
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(tmp_path / "home", home)
        changed = bytearray(content)
        changed[at] ^= 1 << (at % 8)
        (home / "ferrule.sqlite3").write_bytes(changed)
        try:
            found = served(home)
        except StoreError:
            damaged += 1
            continue
        for was, now in zip(sound, found, strict=True):
            assert now == was or now in (None, "", ()), at
    assert damaged > 5


@pytest.mark.parametrize("column", ["merged", "properties", "bases", "handles", "modality"])
def test_a_changed_value_is_told_and_the_others_are_served(tmp_path: Path, column: str) -> None:
    """CASE-N01, CASE-C11: STORE_CORRUPT for that record by name, others served."""
    file = prepared(tmp_path / "home")
    connection = sqlite3.connect(file)
    connection.execute(f"UPDATE memories SET {column} = replace({column}, 'e', 'x') WHERE name = 'ParserNotes'")  # noqa: S608
    connection.commit()
    connection.close()
    store = SqliteStore(tmp_path / "home", Clock())
    with pytest.raises(StoreCorrupt, match="ParserNotes") as caught:
        store.layer(SOURCE.key).get("ParserNotes")
    assert caught.value.code is Code.STORE_CORRUPT
    assert store.layer(SOURCE.key).get("StyleGuide") == OTHER.prototype
    store.close()


def test_text_that_is_no_utf8_is_damage(tmp_path: Path) -> None:
    """CASE-C11: no silent replacement characters, no exception of another kind."""
    file = prepared(tmp_path / "home")
    connection = sqlite3.connect(file)
    connection.execute("UPDATE memories SET merged = CAST(x'ff41' AS TEXT) WHERE name = 'ParserNotes'")
    connection.commit()
    connection.close()
    store = SqliteStore(tmp_path / "home", Clock())
    with pytest.raises(StoreCorrupt):
        store.layer(SOURCE.key).get("ParserNotes")
    store.close()


def test_a_damaged_turn_is_not_reviewed(tmp_path: Path) -> None:
    """CASE-N01: a turn is immutable, so its digest must fit."""
    file = prepared(tmp_path / "home")
    connection = sqlite3.connect(file)
    connection.execute("UPDATE turns SET body = replace(body, 'parser', 'parses')")
    connection.commit()
    connection.close()
    store = SqliteStore(tmp_path / "home", Clock())
    with pytest.raises(StoreCorrupt, match="t1"):
        store.turn(SOURCE.key, "t1")
    store.close()


def test_a_damaged_large_turn_is_told_too(tmp_path: Path) -> None:
    """CASE-N01: a deflated body that does not inflate, or inflates to something else."""
    prepared(tmp_path / "home")
    store = SqliteStore(tmp_path / "home", Clock())
    store.put_turns([a_turn(2, user="word " * 50_000)])
    for change in ("substr(body, 1, 100)", "CAST('x' || body AS BLOB)"):
        with store._database.transaction():
            store._database.run(f"UPDATE turns SET body = {change} WHERE key = 't2'")  # noqa: S608
        with pytest.raises(StoreCorrupt, match="t2"):
            store.turn(SOURCE.key, "t2")
    store.close()


def test_a_lost_log_or_memory_map_is_no_silent_empty_store(tmp_path: Path) -> None:
    """CASE-N03: without `-shm` all is there; a `-wal` that is lost with commits in it shows by the head."""
    prepared(tmp_path / "home")
    store = SqliteStore(tmp_path / "home", Clock())
    store.put_turns([a_turn(2)])
    store.enqueue(SOURCE, a_child(SOURCE), [(2, "t2")], IMPORT)
    claim = claimed(store.claim(SOURCE.key, lease_seconds=LEASE))
    later = replace(OTHER, more=(a_property("Aliases", "the style page"),))
    store.commit(a_commit(a_turn(2), a_write(later)), claim)
    for name, lost in (("whole", ("-shm",)), ("cut", ("-wal", "-shm"))):
        home = tmp_path / name
        shutil.copytree(tmp_path / "home", home)
        for suffix in lost:
            (home / f"ferrule.sqlite3{suffix}").unlink()
    store.close()
    again = SqliteStore(tmp_path / "whole", Clock())
    assert again.layer(SOURCE.key).called("the style page") == ("StyleGuide",)
    again.close()
    with pytest.raises(StoreCorrupt) as caught:
        SqliteStore(tmp_path / "cut", Clock())
    assert caught.value.code is Code.LEDGER_BROKEN

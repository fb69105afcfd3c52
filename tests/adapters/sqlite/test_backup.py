"""A backup is whole, checked and private, and a restore exchanges a store whole or not at all."""

import json
import os
import shutil
import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from backup_cases import LATER, NEW, OLD, SOURCE, backup, filled, names, opened, restore, reviewed
from store_cases import IMPORT, LEASE, Entity, a_child, a_commit, a_turn, a_write, claimed

from ferrule.adapters.sqlite.backing_up import manifest_beside, read_manifest
from ferrule.adapters.sqlite.home import FILE_NAME
from ferrule.adapters.sqlite.opening import APPLICATION_ID
from ferrule.adapters.sqlite.restoring import Loss, Names, put_back, staged
from ferrule.adapters.sqlite.statements import SCHEMA_VERSION, migration
from ferrule.errors import Code, StoreCorrupt, StoreError, StoreVersion, UsageError


def test_a_backup_is_private_checked_and_told_by_its_manifest(in_memory: Path) -> None:
    """CASE-J13, CASE-E11: 0600 whatever the umask; digest, size and head as they are; nothing else is left beside."""
    home = filled(in_memory / "home")
    before = os.umask(0)
    try:
        (in_memory / "safe").mkdir()
        file = backup(home, in_memory / "safe" / "copy.sqlite3")
    finally:
        os.umask(before)
    manifest = read_manifest(file)
    assert manifest is not None
    assert (manifest.size, manifest.receipts) == (file.stat().st_size, 2)
    assert manifest.counts["memories"] == 2
    assert {one.name for one in file.parent.iterdir()} == {file.name, manifest_beside(file).name}
    assert {stat.S_IMODE(one.stat().st_mode) for one in file.parent.iterdir()} == {0o600}
    assert restore(in_memory / "other", file) is None
    assert names(in_memory / "other") == OLD


def test_a_backup_overwrites_nothing_and_of_a_damaged_store_there_is_none(in_memory: Path) -> None:
    """CASE-N01: a file of that name is refused; a store that does not check out leaves no backup behind."""
    home = filled(in_memory / "home")
    target = in_memory / "safe" / "copy.sqlite3"
    target.parent.mkdir()
    target.write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="overwrites nothing"):
        backup(home, target)
    assert target.read_text(encoding="utf-8") == "mine"
    target.unlink()
    connection = sqlite3.connect(home / FILE_NAME, isolation_level=None)
    connection.execute("UPDATE memories SET merged = 'x' WHERE name = 'StyleGuide'")
    connection.close()
    with pytest.raises(StoreCorrupt, match="StyleGuide"):
        backup(home, target)
    assert list(target.parent.iterdir()) == []


def test_a_backup_that_is_made_while_others_write_is_of_one_moment(in_memory: Path) -> None:
    """CASE-J13, INV-I1: every backup checks out, and holds whole reviews only."""
    home = filled(in_memory / "home")
    ended = threading.Event()

    def write() -> None:
        store = opened(home)
        for ordinal in range(2, 40):
            reviewed(store, ordinal, *(Entity(f"Pair{ordinal}{end}", f"docs/{ordinal}{end}.md") for end in "ab"))
        store.close()
        ended.set()

    writer = threading.Thread(target=write)
    writer.start()
    made = 0
    while not ended.is_set() and made < 12:
        made += 1
        file = backup(home, in_memory / f"copy{made}.sqlite3")
        there = in_memory / f"home{made}"
        restore(there, file)
        held = names(there)
        assert len(held) % 2 == 0
        shutil.rmtree(there)
    writer.join()
    assert made > 0


def test_what_a_restore_loses_is_known_before(in_memory: Path) -> None:
    """DEC-D8: what is gone, what is as it was, what was forgotten since; a strange history is told."""
    home = filled(in_memory / "home")
    file = backup(home, in_memory / "copy.sqlite3")
    store = opened(home)
    reviewed(store, 2, LATER)
    store.forget(SOURCE.key, ["StyleGuide"])
    store.close()
    with staged(home, file) as ready:
        assert ready.present is not None
        assert ready.present.loss == Loss(
            gone=Names(((SOURCE.key, "ReleaseNotes"),), 1),
            older=Names(),
            back=Names(((SOURCE.key, "StyleGuide"),), 1),
            learned_again=Names(((SOURCE.key, "StyleGuide"),), 1),
            same_history=True,
            receipts=2,
        )
    assert not list(home.glob(".restoring-*"))
    other = opened(in_memory / "other")
    reviewed(other, 1, LATER)
    other.close()
    with staged(in_memory / "other", file) as ready:
        assert ready.present is not None
        assert ready.present.loss is not None
        assert not ready.present.loss.same_history
    assert names(in_memory / "other") == ("ReleaseNotes",)


def test_a_restore_keeps_the_store_that_was_there_beside(in_memory: Path) -> None:
    """DEC-D8, CASE-N14: the backup is served, the present store can be put back in turn, redelivery converges."""
    home = filled(in_memory / "home")
    file = backup(home, in_memory / "copy.sqlite3")
    store = opened(home)
    reviewed(store, 2, LATER)
    store.close()
    aside = restore(home, file)
    assert names(home) == OLD
    assert aside is not None
    assert stat.S_IMODE(aside.stat().st_mode) == 0o600
    store = opened(home)
    assert store.put_turns([a_turn(1), a_turn(2)]) == 1
    store.enqueue(SOURCE, a_child(SOURCE), [(1, "t1"), (2, "t2")], IMPORT)
    claim = claimed(store.claim(SOURCE.key, lease_seconds=LEASE))
    assert claim.instruction.turn == "t2"
    store.commit(a_commit(a_turn(2), a_write(LATER)), claim)
    assert store.claim(SOURCE.key, lease_seconds=LEASE) is None
    store.close()
    assert names(home) == NEW
    kept = shutil.copy(aside, in_memory / "kept.sqlite3")
    restore(home, Path(kept))
    assert names(home) == NEW


@pytest.mark.parametrize("where", ["", "flip", "cut", "receipt", "newer", "text", "wal"])
def test_a_backup_that_is_not_what_it_was_is_refused(in_memory: Path, where: str) -> None:
    """CASE-N01, CASE-N12, CASE-J13: damaged, shortened, newer, in use, no backup at all: the home stays as it is."""
    home = filled(in_memory / "home")
    file = backup(home, in_memory / "copy.sqlite3")
    content = bytearray(file.read_bytes())
    code = Code.STORE_CORRUPT
    if where == "flip":
        content[len(content) // 2] ^= 1
    elif where == "cut":
        del content[-4096:]
    elif where == "text":
        content = bytearray(b"nothing of ours, whatever its name says")
    file.write_bytes(content)
    if where in {"newer", "receipt"}:
        manifest_beside(file).unlink()
        connection = sqlite3.connect(file, isolation_level=None)
        connection.execute("PRAGMA user_version = 99" if where == "newer" else "UPDATE memories SET merged = 'x'")
        connection.close()
        code = Code.STORE_VERSION if where == "newer" else code
    if where == "wal":
        Path(f"{file}-wal").write_bytes(b"x")
        code = Code.IO_FAILED
    if not where:
        file.unlink()
        code = Code.IO_FAILED
    with pytest.raises(StoreError) as caught:
        restore(home, file)
    assert caught.value.code is code
    assert isinstance(caught.value, StoreVersion) == (where == "newer")
    assert names(home) == OLD
    assert not list(home.glob(".restoring-*"))
    with pytest.raises(StoreError):
        restore(in_memory / "never", file)
    assert not (in_memory / "never").exists()


def test_a_manifest_that_is_none_is_refused_and_none_is_needed(in_memory: Path) -> None:
    """CASE-N01: what stands beside the backup has to be of it; a backup that lost it is still checked."""
    home = filled(in_memory / "home")
    file = backup(home, in_memory / "copy.sqlite3")
    facts = json.loads(manifest_beside(file).read_text(encoding="utf-8"))
    for text in ("", "[]", '{"a": 1}', json.dumps(facts | {"sha256": 3}), "[" * 50_000):
        manifest_beside(file).write_text(text, encoding="utf-8")
        with pytest.raises(StoreCorrupt, match="manifest"):
            restore(in_memory / "other", file)
    longer = json.dumps(facts | {"receipts": 9})
    manifest_beside(file).write_text(longer, encoding="utf-8")
    with pytest.raises(StoreCorrupt, match="end of the chain was cut"):
        restore(in_memory / "other", file)
    manifest_beside(file).unlink()
    restore(in_memory / "other", file)
    assert names(in_memory / "other") == OLD


def test_a_home_in_use_is_refused(in_memory: Path) -> None:
    """INV-I2: an open store would go on writing into a file that nobody finds any more."""
    home = filled(in_memory / "home", LATER)
    file = backup(home, in_memory / "copy.sqlite3")
    with opened_elsewhere(home), pytest.raises(StoreError, match="in use") as caught:
        restore(home, file)
    assert caught.value.code is Code.BUDGET
    with staged(home, file) as ready:
        store = opened(home)
        store.forget(SOURCE.key, ["StyleGuide"])
        store.close()
        with pytest.raises(StoreError, match="written to meanwhile"):
            put_back(ready, "now")


@contextmanager
def opened_elsewhere(home: Path) -> Iterator[None]:
    """Another process has the store open."""
    ready, rest = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        store = opened(home)
        os.write(ready[1], b"x")
        os.read(rest[0], 1)
        store.close()
        os._exit(0)
    os.read(ready[0], 1)
    try:
        yield
    finally:
        os.write(rest[1], b"x")
        os.waitpid(child, 0)
        for end in (*ready, *rest):
            os.close(end)


def test_a_damaged_store_can_be_replaced(in_memory: Path) -> None:
    """CASE-N01: that is what a backup is for; the damaged one is kept beside."""
    home = filled(in_memory / "home", LATER)
    file = backup(home, in_memory / "copy.sqlite3")
    (home / FILE_NAME).write_bytes(b"nothing of ours, whatever its name says" * 100)
    with staged(home, file) as ready:
        assert ready.present is not None
        assert "damaged" in ready.present.trouble
        aside = put_back(ready, "now")
    assert names(home) == NEW
    assert aside is not None
    assert aside.read_bytes().startswith(b"nothing of ours")


def test_a_restore_needs_no_head_and_follows_no_link(in_memory: Path) -> None:
    """CASE-N04, CASE-E07: a store that is gone with its head left behind can be restored; a link is refused."""
    home = filled(in_memory / "home")
    file = backup(home, in_memory / "copy.sqlite3")
    (home / FILE_NAME).unlink()
    restore(home, file)
    assert names(home) == OLD
    (home / FILE_NAME).rename(in_memory / "away")
    (home / FILE_NAME).symlink_to(in_memory / "away")
    with pytest.raises(StoreError) as caught:
        restore(home, file)
    assert caught.value.code is Code.UNSAFE_PATH


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION))
def test_a_backup_of_an_older_version_is_brought_forward(in_memory: Path, version: int) -> None:
    """CASE-N10: in the copy that is restored; the backup itself stays as it is. A newer store is never replaced."""
    file = in_memory / "old.sqlite3"
    connection = sqlite3.connect(file, isolation_level=None)
    for step in range(1, version + 1):
        for statement in migration(step):
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.execute(
        "INSERT INTO sessions (key, profile, hidden, archived, client, title) VALUES (?, 'p', 0, 0, 'desk', 'A title')",
        (SOURCE.key,),
    )
    connection.close()
    content = file.read_bytes()
    restore(in_memory / "home", file)
    assert file.read_bytes() == content
    store = opened(in_memory / "home")
    assert [one.title for one in store.sessions()] == ["A title"]
    store.close()
    connection = sqlite3.connect(in_memory / "home" / FILE_NAME, isolation_level=None)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreVersion, match="newer"):
        restore(in_memory / "home", file)

"""Files of a store that are lost, left behind or of another store: told before anything is overwritten."""

import shutil
from pathlib import Path

import pytest
from backup_cases import GUIDE, LATER, NOTES, SOURCE, backup, filled, names, opened, restore, reviewed
from store_cases import IMPORT, Entity, a_child

from ferrule.adapters.sqlite.home import FILE_NAME, HEAD_NAME
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import Code, StoreCorrupt
from ferrule.memory.receipts import broken_at, unmatched
from ferrule.session.source import InstructionState

LOG, SHARED = f"{FILE_NAME}-wal", f"{FILE_NAME}-shm"


def left_open(home: Path, other: Path, *entities: Entity, first: int = 2) -> SqliteStore:
    """Write more into a home and copy it while it is open: as a process that was killed leaves it."""
    store = opened(home)
    for ordinal, entity in enumerate(entities, first):
        reviewed(store, ordinal, entity)
    shutil.copytree(home, other)
    return store


def test_a_log_of_another_store_is_told_and_not_played_in(in_memory: Path) -> None:
    """CASE-N03: the file stays byte for byte what it was; without that log the store is whole."""
    filled(in_memory / "mine", LATER)
    filled(in_memory / "theirs")
    store = left_open(in_memory / "theirs", in_memory / "killed", Entity("Theirs", "/theirs"))
    store.close()
    file = in_memory / "mine" / FILE_NAME
    before = file.read_bytes()
    shutil.copy(in_memory / "killed" / LOG, in_memory / "mine" / LOG)
    for _ in range(2):
        with pytest.raises(StoreCorrupt, match="of another store or another time") as caught:
            opened(in_memory / "mine")
        assert caught.value.code is Code.LEDGER_BROKEN
        assert file.read_bytes() == before
    (in_memory / "mine" / LOG).unlink()
    assert names(in_memory / "mine") == ("ParserNotes", "StyleGuide", "ReleaseNotes")


def test_an_old_log_of_the_same_store_is_told_and_not_played_in(in_memory: Path) -> None:
    """CASE-N03: put back by a careless restore of files, it would take later pages back."""
    filled(in_memory / "home")
    store = left_open(in_memory / "home", in_memory / "killed", LATER)
    reviewed(store, 3, Entity("Newest", "/newest"))
    store.close()
    file = in_memory / "home" / FILE_NAME
    before = file.read_bytes()
    shutil.copy(in_memory / "killed" / LOG, in_memory / "home" / LOG)
    with pytest.raises(StoreCorrupt, match="of another store or another time"):
        opened(in_memory / "home")
    assert file.read_bytes() == before


def test_the_log_of_a_killed_process_is_played_in(in_memory: Path) -> None:
    """CASE-N03, INV-I2: with its memory map, without it, and with an empty one."""
    filled(in_memory / "home")
    left_open(in_memory / "home", in_memory / "killed", LATER).close()
    for number, content in enumerate((b"", None, (in_memory / "killed" / SHARED).read_bytes())):
        home = in_memory / f"home-{number}"
        shutil.copytree(in_memory / "killed", home)
        (home / SHARED).unlink()
        if content is not None:
            (home / SHARED).write_bytes(content)
        assert names(home) == ("ParserNotes", "StyleGuide", "ReleaseNotes")


@pytest.mark.parametrize("trace", [HEAD_NAME, LOG, "sessions"])
def test_a_store_is_never_made_anew_where_anything_tells_of_one(in_memory: Path, trace: str) -> None:
    """CASE-N04: receipts, a log with commits in it, a session's memory file: refused, with the way out."""
    filled(in_memory / "home")
    store = left_open(in_memory / "home", in_memory / "killed", LATER)
    store.close()
    home = in_memory / "killed"
    memory = home / "sessions" / "ab" / "artifacts" / "nl-memory" / "SessionMemory.pts"
    memory.parent.mkdir(parents=True)
    memory.write_text("// memory\n")
    for path in (home / FILE_NAME, home / SHARED, *((home / one) for one in (HEAD_NAME, LOG) if one != trace)):
        path.unlink()
    if trace != "sessions":
        shutil.rmtree(home / "sessions")
    before = sorted(home.rglob("*"))
    with pytest.raises(StoreCorrupt, match="is missing although") as caught:
        opened(home)
    assert caught.value.code is Code.STORE_CORRUPT
    assert sorted(home.rglob("*")) == before


def test_a_restored_backup_and_the_turns_of_today_come_together(in_memory: Path) -> None:
    """CASE-N14, INV-I4: last night's store, and everything delivered again: each turn once, nothing twice, no gap."""
    home = filled(in_memory / "home")
    file = backup(home, in_memory / "last-night")
    store = opened(home)
    reviewed(store, 2, LATER)
    store.forget(SOURCE.key, [GUIDE.name])
    store.close()
    today = opened(home)
    wanted = today.layer(SOURCE.key).names()
    today.close()
    restore(home, file)
    store = opened(home)
    assert store.layer(SOURCE.key).names() == ("ParserNotes", "StyleGuide")
    for _ in range(2):
        for ordinal, entities in ((1, (NOTES, GUIDE)), (2, (LATER,))):
            held = store.review(SOURCE.key, f"t{ordinal}")
            if held is None:
                reviewed(store, ordinal, *entities)
            else:
                (again,) = store.enqueue(SOURCE, a_child(SOURCE), [(ordinal, f"t{ordinal}")], IMPORT)
                assert again.state is InstructionState.DONE
    store.forget(SOURCE.key, [GUIDE.name])
    assert store.layer(SOURCE.key).names() == wanted
    receipts = store.receipts(SOURCE.key)
    assert [one.turn for one in receipts if one.verdict == "accepted"] == ["t1", "t1", "t2"]
    assert broken_at(store.receipts()) is None
    assert unmatched(receipts, store.writes(SOURCE.key)) == ()
    store.close()

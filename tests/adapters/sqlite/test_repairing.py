"""A damaged home is repaired from what is sound in it: never a likely value, nothing lost without a word."""
# ruff: noqa: S608 - the statements are this file's own

import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from counted import connect, counted, failing_at, killed_at
from store_cases import a_session

from ferrule.adapters.sqlite.opening import open_database
from ferrule.adapters.sqlite.repairing import Repair
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import Code, StoreCorrupt, StoreError, UsageError
from ferrule.memory.artifact import artifact_path
from ferrule.wiring.critic import memory_of
from ferrule.wiring.home import open_home
from ferrule.wiring.repairing import Repaired, repaired
from ferrule.wiring.verifying import Fault, Verified, verified

KEY = "desk:alpha"
FIRST = """prototype HarbourLedger : SourceFile
{
	EntityName = @"harbour ledger";
	Aliases = @"the quay book";
	FilePath = @"/srv/work/ledger.py";
}
"""
MORE = """partial prototype HarbourLedger
{
	String Status = @"moored";
}
"""
OTHER = """prototype StagingHost : Host
{
	EntityName = @"staging";
	HostName = @"staging.example.org";
}
"""
LINKED = """partial prototype StagingHost
{
	HarbourLedger Keeps = HarbourLedger;
}
"""


@pytest.fixture
def home(in_memory: Path) -> Path:
    """A home with two memories, each written twice."""
    with open_home(in_memory / "home") as opened:
        opened.store.put_session(a_session())
        memory = memory_of(opened, KEY)
        for text in (FIRST, OTHER, MORE, LINKED):
            assert memory.write(KEY, text).__class__.__name__ == "Accepted", text
        memory.project(KEY)
    return in_memory / "home"


def change(home: Path, *statements: str) -> None:
    """Change rows behind Ferrule's back."""
    connection = sqlite3.connect(home / "ferrule.sqlite3")
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.executescript(
        "DROP TRIGGER IF EXISTS receipts_never_change; DROP TRIGGER IF EXISTS receipts_never_leave;"
    )
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def mend(home: Path) -> Repaired:
    """Repair it, and what was shown is what was done."""
    shown: list[Repaired] = []

    def yes(plan: Repaired) -> bool:
        shown.append(plan)
        return True

    done = repaired(home, yes)
    if shown:
        assert [(one.what, one.area, one.name) for one in shown[0].steps] == [
            (one.what, one.area, one.name) for one in done.steps
        ]
    return done


def told(home: Path, *, notes: bool = False) -> list[str]:
    """What a verification finds; the areas of its notes when asked."""
    found: list[Fault] = []

    def use(looked: Verified) -> int:
        found.extend(looked.findings)
        return 0

    verified(home, None, use)
    if notes:
        return [one.area for one in found if one.code is None]
    return [f"{one.area} {one.name}: {one.message}" for one in found if one.code is not None]


def rows(home: Path) -> list[object]:
    """Both memories whole, what finds them, and what stands."""
    connection = sqlite3.connect(home / "ferrule.sqlite3")
    asked = (
        f"SELECT {COLUMNS} FROM memories ORDER BY id",
        "SELECT memory, definition FROM writes ORDER BY id",
        "SELECT * FROM memory_keys",
        "SELECT * FROM phrases",
        "SELECT rowid, * FROM words",
        "SELECT rowid, * FROM fragments",
    )
    found: list[object] = [connection.execute(query).fetchall() for query in asked]
    connection.close()
    return found


COLUMNS = "id, name, folded, partial, bases, properties, handles, merged, turn, ordinal, modality, revision, seal"
LEDGER = "WHERE name = 'HarbourLedger'"
DAMAGES = {
    "properties": f"UPDATE memories SET properties = replace(properties, 'moored', 'mooted') {LEDGER}",
    "properties of no JSON": f"UPDATE memories SET properties = substr(properties, 2) {LEDGER}",
    "merged": f"UPDATE memories SET merged = replace(merged, 'moored', 'mooted') {LEDGER}",
    "handles": f"UPDATE memories SET handles = replace(handles, 'ledger.py', 'ladger.py') {LEDGER}",
    "handles of no JSON": f"UPDATE memories SET handles = 'x' {LEDGER}",
    "bases": f"UPDATE memories SET bases = replace(bases, 'File', 'Tile') {LEDGER}",
    "name": f"UPDATE memories SET name = 'HarbourLadger' {LEDGER}",
    "partial": f"UPDATE memories SET partial = 1 {LEDGER}",
    "modality": f"UPDATE memories SET modality = 'planned' {LEDGER}",
    "ordinal": f"UPDATE memories SET ordinal = 99 {LEDGER}",
    "revision": f"UPDATE memories SET revision = 77 {LEDGER}",
    "seal": f"UPDATE memories SET seal = 'ab' || substr(seal, 3) {LEDGER}",
    "several": f"UPDATE memories SET merged = '', properties = '[]', bases = '[]', handles = '[]' {LEDGER}",
    "all and the seal": f"UPDATE memories SET merged = '', properties = '[]', bases = '[]', seal = '' {LEDGER}",
    "spelling": f"UPDATE memories SET folded = 'x' {LEDGER}",
    "keys": "DELETE FROM memory_keys",
    "keys of others": "INSERT INTO memory_keys SELECT session, 'path:/elsewhere', memory FROM memory_keys",
    "phrases": "UPDATE phrases SET phrase = 'x' || phrase",
    "words": "DELETE FROM words WHERE rowid = 1",
    "words changed": "UPDATE words SET called = 'else' WHERE rowid = 1",
    "fragments": "DELETE FROM fragments",
    "stray words": "INSERT INTO words (rowid, named) VALUES (99, '1_stray')",
    "stray keys": "INSERT INTO memory_keys VALUES (1, 'path:/x', 99)",
    "definition": "UPDATE writes SET definition = replace(definition, 'moored', 'mooted')",
    "first definition": "UPDATE writes SET definition = '' WHERE id = 1",
    "words of SQLite's own": "UPDATE words_data SET block = x'00' WHERE id > 10",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_is_damaged_becomes_what_was_written(home: Path, damage: str) -> None:
    """CASE-N01, INV-I3: proven by seal or receipts, row, writes and every index; a copy stays, a receipt says so."""
    before = rows(home)
    change(home, damage)
    assert told(home) != [] or "of others" in damage or "elsewhere" in damage
    done = mend(home)
    assert done.done
    assert done.copy is not None
    assert done.copy.exists()
    assert rows(home) == before
    assert told(home) == []
    assert not mend(home).changes, "twice is once"
    with open_home(home) as opened:
        assert opened.store.layer(KEY).called("the quay book") == ("HarbourLedger",)


def test_a_memory_that_nothing_proves_is_set_aside_and_the_others_are_served(home: Path) -> None:
    """CASE-N01, R97: kept with the reason, told by verify, gone once it is forgotten; its name is free again."""
    change(home, f"UPDATE memories SET properties = '[]', seal = '' {LEDGER}", "UPDATE writes SET definition = 'x'")
    done = mend(home)
    assert [one.name for one in done.steps if one.what == "set aside"] == ["HarbourLedger"]
    assert told(home) == []
    assert "aside" in told(home, notes=True)
    with open_home(home) as opened:
        assert opened.store.layer(KEY).names() == ("StagingHost",)
        assert opened.store.set_aside(KEY) == ("HarbourLedger",)
        assert opened.store.receipts()[-1].verdict in {"set-aside", "reconciled"}
        memory_of(opened, KEY).forget(KEY, ["HarbourLedger"])
        assert opened.store.set_aside(KEY) == ()
        assert [stone.name for stone in opened.store.tombstones(KEY, ["harbourledger"])] == ["HarbourLedger"]
        assert [path.name for path in home.iterdir() if path.is_file() and b"quay" in path.read_bytes()] == []
        assert memory_of(opened, KEY).write(KEY, FIRST).__class__.__name__ == "Accepted"
    assert told(home) == []


def test_a_memory_without_receipt_is_set_aside(home: Path) -> None:
    """CASE-N09: a row with a seal that fits can be made by anybody; no receipt attests it."""
    change(home, "UPDATE receipts SET prototype = 'Else' WHERE prototype = 'StagingHost'")
    assert mend(home).left, "a broken chain attests nothing, so nothing is taken out for it"
    with open_home(home) as opened:
        assert "StagingHost" in opened.store.layer(KEY).names()


def test_a_forged_memory_is_set_aside(home: Path) -> None:
    """CASE-N09, INV-I7: put in behind Ferrule's back, seal and all."""
    columns = "session, folded, partial, bases, properties, handles, merged, turn, ordinal, modality, revision"
    connection = sqlite3.connect(home / "ferrule.sqlite3")
    connection.row_factory = sqlite3.Row
    row = dict(connection.execute(f"SELECT {columns} FROM memories {LEDGER}").fetchone())
    connection.close()
    from ferrule.adapters.sqlite.sealing import seal

    forged = row | {"name": "Forged"}
    values = ", ".join(f"'{value}'" if isinstance(value, str) else str(value) for value in forged.values())
    change(home, f"INSERT INTO memories ({', '.join(forged)}, seal) VALUES ({values}, '{seal(forged)}')")
    assert any("Forged" in line for line in told(home))
    done = mend(home)
    assert ("set aside", "Forged") in [(one.what, one.name) for one in done.steps]
    assert told(home) == []
    with open_home(home) as opened:
        assert opened.store.layer(KEY).names() == ("HarbourLedger", "StagingHost")


def test_a_receipt_without_memory_is_said_in_the_chain(home: Path) -> None:
    """CASE-N09: reconciled by rule: what is gone is said to be gone, and can be written again."""
    change(home, f"DELETE FROM memories {LEDGER}")
    assert any("do not match" in line for line in told(home))
    done = mend(home)
    assert ("reconciled", "receipts", "HarbourLedger") in [(one.what, one.area, one.name) for one in done.steps]
    assert told(home) == []
    with open_home(home) as opened:
        assert memory_of(opened, KEY).write(KEY, FIRST).__class__.__name__ == "Accepted"
    assert told(home) == []


def test_a_write_that_is_gone_is_said_in_the_chain(home: Path) -> None:
    """CASE-N09: the memory is sound by its seal and stays whole."""
    before = rows(home)[0]
    change(home, "DELETE FROM writes WHERE definition LIKE '%moored%' AND action = 'augmented'")
    mend(home)
    assert rows(home)[0] == before
    assert told(home) == []


def test_a_damaged_turn_is_dropped_and_told(home: Path) -> None:
    """CASE-N01: its transcript can be imported again."""
    from store_cases import a_turn

    with open_home(home) as opened:
        opened.store.put_turns([a_turn()])
    change(home, "UPDATE turns SET body = replace(body, 'parser', 'parses')")
    done = mend(home)
    assert [(one.what, one.area, one.name) for one in done.steps] == [("dropped", "turn", "t1")]
    assert told(home) == []
    with open_home(home) as opened:
        assert opened.store.turn(KEY, "t1") is None
        assert opened.store.put_turns([a_turn()]) == 0
        assert opened.store.turn(KEY, "t1") == a_turn()


@pytest.mark.parametrize("content", [None, b"\x00\xff rubbish", b"x" * 300])
def test_a_head_that_is_lost_is_made_anew_from_the_chain(home: Path, content: bytes | None) -> None:
    """CASE-N09: when the chain itself is whole."""
    head = home / "receipts.head"
    before = head.read_bytes()
    head.unlink()
    if content is not None:
        head.write_bytes(content)
    mend(home)
    assert told(home) == []
    assert int(head.read_text().split()[0]) >= int(before.split()[0])


def test_a_cut_end_of_the_chain_is_said_in_the_chain(home: Path) -> None:
    """CASE-N03, CASE-N09: a lost log takes writes and receipts together; the owner is not locked out."""
    change(
        home,
        "DELETE FROM receipts WHERE seq = 4",
        "DELETE FROM writes WHERE id = 4",
        "UPDATE memories SET properties = replace(properties, 'x', 'x')",
    )
    with pytest.raises(StoreCorrupt, match="only 3 are there"):
        SqliteStore(home, time.time)
    done = mend(home)
    assert any("the end is lost" in one.reason for one in done.steps)
    with open_home(home) as opened:
        assert [one.verdict for one in opened.store.receipts()][3] == "cut"
    assert told(home) == []


def test_another_history_is_not_taken_for_this_one(home: Path) -> None:
    """CASE-N03: a store that the head was not given for is refused, and nothing of it is changed."""
    head = home / "receipts.head"
    head.write_text(f"{2:020d} {'ab' * 32}\n")
    before = (home / "ferrule.sqlite3").read_bytes()
    with pytest.raises(StoreCorrupt, match="another history") as caught:
        repaired(home, lambda _: True)
    assert caught.value.code is Code.LEDGER_BROKEN
    assert (home / "ferrule.sqlite3").read_bytes() == before


def test_a_broken_chain_is_left_and_the_rest_is_mended(home: Path) -> None:
    """LEDGER_BROKEN: nothing mends evidence; rows are still proven by their seals, indexes come from rows."""
    before = rows(home)
    change(home, "UPDATE receipts SET code = 'X' WHERE seq = 1", DAMAGES["merged"], DAMAGES["words"])
    done = mend(home)
    assert done.left
    assert rows(home) == before
    assert all("receipt 1 does not follow" in line for line in told(home))


def test_nothing_is_done_unless_it_is_wanted(home: Path) -> None:
    """DEC-D8: shown, and the store stays byte for byte; a sound home is not even asked about."""
    asked: list[Repaired] = []

    def no(plan: Repaired) -> bool:
        asked.append(plan)
        return False

    assert not repaired(home, no).changes
    assert asked == []
    change(home, DAMAGES["merged"])
    before = (home / "ferrule.sqlite3").read_bytes()
    plan = repaired(home, no)
    assert (plan.done, plan.changes, len(asked)) == (False, True, 1)
    assert (home / "ferrule.sqlite3").read_bytes() == before
    assert sorted(path.name for path in home.iterdir() if "v5" in path.name or "rehears" in path.name) == []


def test_an_older_damaged_store_is_repaired_and_brought_forward(home: Path) -> None:
    """CASE-N13, CASE-N10: the damaged record that keeps a migration from going on is mended in the same transaction."""
    before = rows(home)
    change(home, DAMAGES["several"], "UPDATE key_forms SET version = 1")
    with pytest.raises(StoreCorrupt, match="HarbourLedger"):
        SqliteStore(home, time.time)
    assert mend(home).done
    assert rows(home) == before
    assert told(home) == []


def test_the_readable_file_follows(home: Path) -> None:
    """DEC-D12, CASE-N08: made anew from the rows; one that was edited by hand is kept beside and told."""
    path = artifact_path(home, KEY)
    text = path.read_text()
    path.write_text(text + "// mine\n")
    change(home, DAMAGES["merged"])
    done = mend(home)
    assert path.read_text() == text
    assert any("edited by hand and kept" in note for note in done.notes)


@pytest.mark.parametrize("spoil", [lambda file: file.unlink(), lambda file: file.write_bytes(b"no store" * 600)])
def test_what_no_repair_can_read_says_what_helps(home: Path, spoil: Callable[[Path], None]) -> None:
    """CASE-N04, R59: a missing store, another file: one line, nothing made."""
    spoil(home / "ferrule.sqlite3")
    with pytest.raises(StoreError, match="memory restore"):
        repaired(home, lambda _: True)
    with pytest.raises(UsageError):
        repaired(home / "nowhere", lambda _: True)


EVERYTHING = (
    DAMAGES["several"],
    DAMAGES["words changed"],
    DAMAGES["keys"],
    "UPDATE memories SET properties = '[]', seal = '' WHERE name = 'StagingHost'",
    "UPDATE writes SET definition = 'x' WHERE memory = 2",
)


def repair(home: Path) -> None:
    """As the command does, on a counted connection and without an ontology."""
    open_database(home, connect, Repair(lambda _, prototype: (prototype, ()), "2026-01-01T00:00:00+00:00")).close()


def everything(home: Path) -> list[object]:
    """Every row that a repair may touch."""
    connection = sqlite3.connect(home / "ferrule.sqlite3")
    tables = ("memories", "writes", "memory_keys", "phrases", "receipts", "set_aside", "sessions", "words", "fragments")
    found: list[object] = [connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables]
    connection.close()
    return found


def test_a_repair_that_fails_or_is_killed_at_any_statement_is_done_whole_or_not_at_all(home: Path) -> None:
    """INV-I1, CASE-J01: at the Nth statement for every N; and the repair after it is done."""
    change(home, *EVERYTHING)
    spare = home.with_name("spare")
    shutil.copytree(home, spare)
    count, before = counted(lambda: repair(spare)), everything(home)
    after = everything(spare)
    assert count > 60
    seen = []
    for number in range(1, count + 2):
        if number <= count:
            with pytest.raises(StoreError):
                failing_at(number, lambda: repair(home))
            assert everything(home) == before, number
        place = home.with_name(f"home-{number}")
        shutil.copytree(home, place)
        killed_at(number, lambda place=place: repair(place))  # type: ignore[misc]
        seen.append(everything(place))
        assert seen[-1] in (before, after), number
        shutil.rmtree(place)
    assert before in seen
    assert after in seen

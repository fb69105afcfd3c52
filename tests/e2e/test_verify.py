"""`ferrule memory verify` tells whether what a home holds is what was written, and changes nothing."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ferrule as package
from ferrule.memory.artifact import artifact_path

SAMPLES = Path(package.__file__).parent / "samples"


@pytest.fixture
def reviewed(ferrule: Callable[..., Any]) -> Callable[..., Any]:
    """A home with one reviewed session."""
    assert ferrule("review", str(SAMPLES / "codex-pull-request-and-worktree.jsonl")).code == 0
    return ferrule


def key_of(command: Callable[..., Any]) -> str:
    """The session of the home."""
    return str(command("sessions", "list", "--json").rows()[0]["session"])


def contents(home: Path) -> dict[str, bytes]:
    """Every file of a home, but for what SQLite keeps while it is open."""
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in home.rglob("*")
        if path.is_file() and not path.name.endswith(("-wal", "-shm"))
    }


def test_a_sound_home_checks_out_and_is_left_as_it_is(reviewed: Callable[..., Any], home: Path) -> None:
    """CASE-N09, R89: exit code 0, the figures of the store, no byte changed."""
    before = contents(home)
    told = reviewed("memory", "verify")
    assert told.code == 0
    assert "all of it checks out" in told.out
    (row,) = reviewed("memory", "verify", "--json").rows()
    assert row["ok"] is True
    assert row["memories"] == len(reviewed("memory", "list", "--json").rows()) > 0
    assert row["head"] == row["receipts"] > 0
    assert contents(home) == before


def test_notes_are_counted_and_are_no_finding(reviewed: Callable[..., Any], home: Path) -> None:
    """CASE-N09: one note is one note; it does not count against the store."""
    (shown, *_) = sorted(home.rglob("SessionMemory.pts"))
    shown.with_name("SessionMemory.edited-1.pts").write_text("// mine\n", encoding="utf-8")
    told = reviewed("memory", "verify")
    assert (told.code, told.out.splitlines()[-1]) == (0, "all of it checks out; 1 note")
    shown.with_name("SessionMemory.edited-2.pts").write_text("// mine\n", encoding="utf-8")
    assert reviewed("memory", "verify").out.splitlines()[-1] == "all of it checks out; 2 notes"


def test_a_cut_tail_is_told_though_nothing_else_opens(reviewed: Callable[..., Any], home: Path) -> None:
    """CASE-N09, LEDGER_BROKEN: the head beside the store knows of the receipts that are gone; exit code 1."""
    connection = sqlite3.connect(home / "ferrule.sqlite3", isolation_level=None)
    connection.execute("DROP TRIGGER receipts_never_leave")
    connection.execute("DELETE FROM receipts WHERE seq = (SELECT max(seq) FROM receipts)")
    connection.close()
    assert reviewed("memory", "list").code == 4
    told = reviewed("memory", "verify", "--json")
    assert told.code == 1
    assert ("LEDGER_BROKEN", "receipts") in {(row.get("code"), row.get("area")) for row in told.rows()}
    assert "the end of the chain was cut" in reviewed("memory", "verify").out


def test_a_damaged_memory_is_named_with_what_helps(reviewed: Callable[..., Any], home: Path) -> None:
    """CASE-N01: code, session, name and remedy; the session alone gives the same."""
    connection = sqlite3.connect(home / "ferrule.sqlite3", isolation_level=None)
    name = connection.execute("SELECT name FROM memories").fetchone()[0]
    connection.execute("UPDATE memories SET merged = 'x' WHERE name = ?", (name,))
    connection.close()
    key = key_of(reviewed)
    for words in ((), ("--session", "last"), ("--session", key)):
        told = reviewed("memory", "verify", "--json", *words)
        assert told.code == 1
        row = told.rows()[0]
        assert (row["code"], row["session"], row["name"]) == ("STORE_CORRUPT", key, name)
        assert "memory repair" in row["remedy"]
    assert reviewed("memory", "verify", "--session", "nobody").code == 2


def test_an_edited_file_is_a_note_and_no_fault(reviewed: Callable[..., Any], home: Path) -> None:
    """CASE-N08, DEC-D12: told before and after it was kept beside; exit code 0."""
    path = artifact_path(home, key_of(reviewed))
    path.write_text(path.read_text(encoding="utf-8") + "// mine\n", encoding="utf-8")
    told = reviewed("memory", "verify", "--json")
    assert told.code == 0
    assert [row["message"] for row in told.rows()[:-1]] == [
        "edited by hand; it is kept beside when the next one is written"
    ]
    reviewed("memory", "forget", "--all", "--yes")
    told = reviewed("memory", "verify", "--json")
    assert told.code == 0
    assert "memory import" in told.rows()[0]["message"]


def test_where_there_is_no_home_or_no_store_it_says_so(ferrule: Callable[..., Any], home: Path) -> None:
    """CASE-N04: no home is a usage error, a store that is gone from its home is one of the store."""
    assert ferrule("memory", "verify").code == 2
    assert not home.exists()
    ferrule("review", str(SAMPLES / "codex-pull-request-and-worktree.jsonl"))
    (home / "ferrule.sqlite3").unlink()
    told = ferrule("memory", "verify")
    assert told.code == 4
    assert "memory restore" in told.err

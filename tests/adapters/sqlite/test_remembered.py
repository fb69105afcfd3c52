"""Recall reads a store quickly and alone, and sees what every other reader sees."""

import contextlib
import sqlite3
from pathlib import Path

import pytest
from store_cases import Clock, a_session

from ferrule.adapters.sqlite.remembered import reading
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.details import Details
from ferrule.memory.nlmemory import NLMemory
from ferrule.memory.reader import MemoryReader
from ferrule.ontology.loading import load_shipped

KEY = "desk:alpha"
PERMANENT = load_shipped().layer
WRITES = (
    'prototype Shop : Repository { RepositoryRoot = "/w/shop"; RemoteUrl = "https://git.example/acme/shop"; }',
    'prototype Retry : PullRequest { PullRequestUrl = "https://git.example/acme/shop/pull/41"; }',
    'partial prototype Shop { String RepositoryRootAtTurn3 = "/srv/shop"; }',
    'prototype Policy : SourceFile { FilePath = "src/retry/policy.py"; Repository = Shop; }',
    'partial prototype Shop { String RepositoryRootAtTurn5 = "/w/shop"; }',
)


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    """A store in which a session remembers things, one of which moved and came back; closed again."""
    opened = SqliteStore(tmp_path / "home", Clock())
    opened.put_session(a_session(KEY, lineage=KEY, cwd="/w/shop"))
    memory = NLMemory(opened, PERMANENT, tmp_path / "home")
    for text in WRITES:
        memory.write(KEY, text)
    opened.close()
    return opened


def read(home: Path, key: str = KEY) -> list[Details]:
    """What recall reads of a session."""
    with reading(home) as remembered:
        assert remembered is not None
        return list(remembered.memories(key))


def told(memories: list[Details]) -> list[tuple[object, ...]]:
    """What recall tells of memories."""
    return [
        (one.name, one.bases, one.modality, one.turn, [(own.kind, own.value, own.property) for own in one.handles])
        for one in memories
    ]


def test_recall_sees_what_a_reader_sees(store: SqliteStore, tmp_path: Path) -> None:
    """R45: same order, same types, same state, and of a value that changed the one that stands."""
    again = SqliteStore(store.home, Clock())
    whole = list(MemoryReader(again, PERMANENT, KEY).list())
    again.close()
    assert told(read(store.home)) == told(whole)
    assert [one.name for one in whole] == ["Shop", "Policy", "Retry"]
    assert tmp_path.exists()


def test_reading_changes_nothing(store: SqliteStore) -> None:
    """INV-I8: not a byte of the store, whoever looks."""
    file = store.home / "ferrule.sqlite3"
    before = (file.read_bytes(), file.stat().st_mtime_ns)
    read(store.home)
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before


def test_a_damaged_memory_is_left_out_and_the_others_are_told(store: SqliteStore) -> None:
    """CASE-N01: a wrong path is worse than none."""
    with contextlib.closing(sqlite3.connect(store.home / "ferrule.sqlite3")) as connection:
        connection.execute("UPDATE memories SET handles = replace(handles, 'policy', 'qolicy')")
        connection.commit()
    assert [one.name for one in read(store.home)] == ["Shop", "Retry"]


def test_an_unknown_session_remembers_nothing(store: SqliteStore) -> None:
    """R87: by its whole key only."""
    assert [read(store.home, key) for key in ("desk:alph", "desk:alpha2", "")] == [[], [], []]


def test_there_is_nothing_to_read_where_there_is_no_store(tmp_path: Path) -> None:
    """Nothing is made on the way."""
    with reading(tmp_path / "nowhere") as remembered:
        assert remembered is None
    assert list(tmp_path.iterdir()) == []

"""A database of a client may be anything: damaged, hostile, in use; it is read as far as it goes, or refused."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from opencode_talk import database as opencode_file
from opencode_talk import simple

from ferrule.adapters.transcripts import databases
from ferrule.adapters.transcripts.openai_agents import database as agents_database
from ferrule.adapters.transcripts.reader import read_transcript
from ferrule.errors import FerruleError
from ferrule.session.imported import ImportedSession

SECRET = "ghp_" + "a1B2c3D4" * 5
SAID = [{"role": "user", "content": "Name it \ud83d Kestrel"}, {"role": "assistant", "content": "It is Kestrel."}]


def _scrub(text: str) -> str:
    return text.replace(SECRET, "[gone]")


def _agents(path: Path, *sessions: str) -> Path:
    """A database of the OpenAI Agents SDK."""
    with closing(sqlite3.connect(path)) as link, link:
        link.execute("create table agent_sessions (session_id text primary key, created_at text, updated_at text)")
        link.execute("create table agent_messages (id integer primary key, session_id text, message_data text)")
        for at, name in enumerate(sessions):
            link.execute("insert into agent_sessions values (?, ?, '')", (name, f"{at:04}"))
            rows = [(name, json.dumps(item)) for item in SAID]
            link.executemany("insert into agent_messages (session_id, message_data) values (?, ?)", rows)
    return path


def _opencode(path: Path) -> Path:
    return opencode_file(path, simple())


def _read(path: Path) -> tuple[ImportedSession, ...] | str:
    """The sessions, or the one line by which the file was refused; no secret in either."""
    try:
        read: tuple[ImportedSession, ...] | str = read_transcript(path, scrub=_scrub)
    except FerruleError as error:
        read = str(error)
        assert "\n" not in read
    assert SECRET not in repr(read)
    return read


@pytest.mark.parametrize("made", [_opencode, lambda path: _agents(path, "one")], ids=["opencode", "openai-agents"])
def test_no_word_of_a_damaged_database_is_said(made: Callable[[Path], Path], tmp_path: Path) -> None:
    """DEC-D13: SQLite's own messages quote names, schemas and values that are no UTF-8; they reach nobody."""
    for number in range(3):
        path = made(tmp_path / f"{number}.db")
        with closing(sqlite3.connect(path)) as link, link:
            table = "part" if made is _opencode else "agent_messages"
            column = "data" if made is _opencode else "message_data"
            if number == 0:
                link.execute(f"update {table} set {column} = cast(? as text)", (f"{SECRET}\xff".encode("latin-1"),))  # noqa: S608 - names of ours
            if number == 1:
                link.execute("pragma writable_schema = on")
                link.execute("insert into sqlite_master values ('table', ?, ?, 0, ?)", (SECRET, SECRET, f"x {SECRET}"))
            if number == 2:
                link.execute(f"alter table {table} rename column {column} to [{SECRET}]")
        assert _read(path)


@pytest.mark.parametrize("table", ["agent_sessions", "agent_messages"])
def test_a_view_in_a_tables_place_is_not_run(table: str, tmp_path: Path) -> None:
    """R89: it may never end."""
    path = _agents(tmp_path / "runs.db", "one")
    with closing(sqlite3.connect(path)) as link, link:
        link.execute(f"alter table {table} rename to {table}_0")
        link.execute(
            f"create view {table} as with recursive n(x) as (select 1 union all select x + 1 from n) "  # noqa: S608 - a name of ours
            "select x as session_id, x as created_at, x as id, x as message_data from n"
        )
    assert isinstance(_read(path), str)


def test_reading_that_takes_too_long_ends(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """R89: what was read until then stands, and it is said."""
    path = _agents(tmp_path / "runs.db", *(f"s{at}" for at in range(300)))
    monkeypatch.setattr(databases, "_STEPS", 1000)
    monkeypatch.setattr(databases, "_MAX_ROUNDS", 200)
    sessions = _read(path)
    assert not isinstance(sessions, str)
    assert 0 < len(sessions) < 300
    assert any("reading it takes too long" in warning for warning in sessions[-1].warnings)


def test_the_newest_sessions_are_read_and_the_others_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """R89: memory is bounded."""
    path = _agents(tmp_path / "runs.db", "old", "new")
    monkeypatch.setattr(agents_database, "_MAX_BYTES", 50)
    sessions = _read(path)
    assert not isinstance(sessions, str)
    assert [one.session.key for one in sessions] == ["openai-agents:new"]
    assert "openai-agents: 1 older sessions are not read" in sessions[0].warnings


def test_a_database_in_use_is_read_with_its_log_and_left_alone(tmp_path: Path) -> None:
    """R89, INV-I5: what stands only in the write-ahead log is read; no file appears beside it, no lock is taken."""
    path = _agents(tmp_path / "runs.db", "one")
    with closing(sqlite3.connect(path)) as client:
        client.execute("pragma journal_mode = wal")
        client.execute("insert into agent_sessions values ('two', '1', '')")
        for item in SAID:
            client.execute(
                "insert into agent_messages (session_id, message_data) values ('two', ?)", (json.dumps(item),)
            )
        client.commit()
        before = sorted(entry.name for entry in tmp_path.iterdir())
        client.execute("begin immediate")
        sessions = _read(path)
        client.execute("rollback")
        assert sorted(entry.name for entry in tmp_path.iterdir()) == before
    assert not isinstance(sessions, str)
    assert {one.session.key for one in sessions} == {"openai-agents:one", "openai-agents:two"}


def test_sessions_whose_ids_are_secrets_have_keys_of_their_own(tmp_path: Path) -> None:
    """DEC-D13, R90: also where all of them stand in one file, and when it grows."""
    agents = _read(_agents(tmp_path / "a.db", SECRET, f"{SECRET}2"))
    grown = _read(_agents(tmp_path / "b.db", SECRET, f"{SECRET}2", "three"))
    stored = _read(opencode_file(tmp_path / "c.db", simple(session=SECRET), simple(session=f"{SECRET}2")))
    assert not isinstance(agents, str)
    assert not isinstance(grown, str)
    assert not isinstance(stored, str)
    assert len({one.session.key for one in (*agents, *stored)}) == 4
    assert {one.session.key for one in agents} < {one.session.key for one in grown}

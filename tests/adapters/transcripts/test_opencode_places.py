"""OpenCode keeps one session in four ways; the same turns come out of each, and nothing is written to any of them."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from claude_lines import reasons, said
from opencode_talk import OpenTalk, database, simple
from opencode_talk import read_export as read

from ferrule.adapters.transcripts.opencode import database as opencode_database
from ferrule.adapters.transcripts.reader import read_stream, read_text, read_transcript
from ferrule.errors import UnreadableInput


def test_a_list_of_messages_is_a_session_without_its_facts() -> None:
    """Design section 2: what the client's server answers to a plugin; same keys as in an export."""
    talk = simple()
    (listed,) = read_text(json.dumps(talk.messages), scrub=str)
    exported = read(talk)
    assert listed.session.key == exported.session.key
    assert [turn.key for turn in listed.turns] == [turn.key for turn in exported.turns]
    assert listed.session.cwd == "/w"


def test_folders_hold_what_an_export_holds(tmp_path: Path) -> None:
    """R15: the file of the session finds its messages and parts beside it; a broken one is told."""
    talk = simple()
    file = talk.folders(tmp_path)
    (session,) = read_transcript(file, scrub=str)
    assert session.turns == read(talk).turns
    (tmp_path / "storage" / "part" / "msg_003" / "prt_003_00.json").write_text("{", encoding="utf-8")
    (session,) = read_transcript(file, scrub=str)
    assert reasons(session) == ["no-outcome"]
    assert "opencode: 1 files of this session could not be read" in session.warnings


def test_pipes_and_links_among_a_sessions_files_are_passed_over(tmp_path: Path) -> None:
    """R89: a pipe would never end, a link leads out of the client's folder."""
    file = simple().folders(tmp_path)
    part = tmp_path / "storage" / "part" / "msg_003"
    (part / "prt_003_98.json").symlink_to(file)
    os.mkfifo(part / "prt_003_99.json")
    (session,) = read_transcript(file, scrub=str)
    assert session.turns == read(simple()).turns
    assert "opencode: 2 files of this session could not be read" in session.warnings


def test_a_session_file_alone_says_what_is_missing(tmp_path: Path) -> None:
    """R89: alone, through a pipe, or with an id that leads out of the folder."""
    alone = tmp_path / "ses_1.json"
    alone.write_text(json.dumps(OpenTalk().info), encoding="utf-8")
    missing = "its messages were not found"
    with pytest.raises(UnreadableInput, match=missing):
        read_transcript(alone, scrub=str)
    for info in (OpenTalk().info, OpenTalk(session="ses_/../..").info):
        with pytest.raises(UnreadableInput, match=missing):
            read_text(json.dumps(info), scrub=str)


def test_a_database_holds_all_sessions(tmp_path: Path) -> None:
    """R15: in the order of their last change, subagents with their parents, each with the turns of its export."""
    first, second, child = simple(), simple(session="ses_2"), simple(session="ses_3", parentID="ses_2")
    second.user("more")
    second.answer("done")
    path = database(tmp_path / "opencode.db", first, second, child)
    found = {session.session.key: session for session in read_transcript(path, scrub=str)}
    assert list(found)[-1] == "opencode:ses_2"
    assert found["opencode:ses_1"].turns == read(first).turns
    assert len(found["opencode:ses_2"].turns) == 2
    assert found["opencode:ses_3"].session.parent == "opencode:ses_2"


def _traces(folder: Path) -> dict[str, tuple[int, int]]:
    return {path.name: (path.stat().st_size, path.stat().st_mtime_ns) for path in folder.iterdir()}


def test_a_database_in_use_is_read_to_its_last_commit_and_not_touched(tmp_path: Path) -> None:
    """R15: what stands in the log only is read; the client can write all the while, and nothing of it changes."""
    path = database(tmp_path / "opencode.db", simple())
    with closing(sqlite3.connect(path, timeout=0)) as client:
        client.execute("PRAGMA wal_autocheckpoint = 0")
        simple(session="ses_2").rows(client)
        client.commit()
        simple(session="ses_3").rows(client)  # not committed: a lock is held
        before = _traces(tmp_path)
        sessions = read_transcript(path, scrub=str)
        assert _traces(tmp_path) == before
        client.commit()
        assert client.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    assert sorted(session.session.key for session in sessions) == ["opencode:ses_1", "opencode:ses_2"]


def test_a_closed_database_gets_no_files_beside_it(tmp_path: Path) -> None:
    """R15: not even for the time of the reading, which a shared-memory file would betray."""
    path = database(tmp_path / "opencode.db", simple())
    before = _traces(tmp_path)
    (session,) = read_transcript(path, scrub=str)
    assert len(session.turns) == 1
    assert _traces(tmp_path) == before


def test_a_broken_database_is_said_to_be_broken(tmp_path: Path) -> None:
    """R57: rows that are no JSON are counted; a damaged or a piped file is one clear sentence."""
    path = database(tmp_path / "opencode.db", simple())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE part SET data = '{' WHERE message_id = 'msg_003'")
        connection.execute("INSERT INTO part VALUES ('prt_x', 'msg_003', 'ses_1', 0, 0, '[1]')")
        connection.execute("INSERT INTO part VALUES (x'00', 'msg_003', 'ses_1', 0, 0, x'ff')")
        connection.execute("INSERT INTO message VALUES (x'00', 'ses_1', 'soon', 0, x'7b7d')")
        connection.execute("INSERT INTO session VALUES (x'00', 1, 2, 3, 4, 5, 6, 7, 8, 9)")
        connection.commit()
    (session,) = read_transcript(path, scrub=str)
    assert reasons(session) == ["no-outcome"]
    assert "opencode: 2 rows of the database could not be read" in session.warnings
    raw = path.read_bytes()
    path.write_bytes(raw[:4096] + b"\xff" * (len(raw) - 4096))
    with pytest.raises(UnreadableInput, match="the database cannot be read"):
        read_transcript(path, scrub=str)
    with path.open("rb") as stream, pytest.raises(UnreadableInput, match="not through a pipe"):
        read_stream(stream, scrub=str, form="opencode")


def test_of_a_large_database_the_newest_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Design section 9: bounded, and what is left out is said; of a session that is too large its end is read."""
    old, new = simple(), simple(session="ses_2")
    new.user("more")
    new.answer("done")
    path = database(tmp_path / "opencode.db", old, new)
    monkeypatch.setattr(opencode_database, "_MAX_BYTES", 500)
    (session,) = read_transcript(path, scrub=str)
    assert session.session.key == "opencode:ses_2"
    assert said(session) == [("more", "done")]
    assert session.warnings == (
        "opencode: the beginning of a session is not read, it is too large",
        "opencode: 1 older sessions are not read; export one with `opencode export <session>`",
    )

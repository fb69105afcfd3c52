"""Sessions of OpenCode, Gemini CLI and Copilot CLI go the whole way: read, reviewed, told again."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from opencode_talk import OpenTalk, database, tool

SHARED = Path(__file__).parents[3] / "shared" / "corpus"
FOLDERS = ("opencode", "gemini-cli", "copilot-cli")
FILES = [path for folder in FOLDERS for path in sorted((SHARED / folder).glob("*.json*"))]


@pytest.mark.shared
@pytest.mark.parametrize("path", FILES or [SHARED / "absent"], ids=lambda path: path.stem)
def test_a_real_session_of_another_client_is_reviewed(ferrule: Callable[..., Any], path: Path) -> None:
    """Issue 5: exit 0, every turn ends as wrote or nothing, and nothing is written twice in a second run."""
    told = ferrule("review", str(path), "--json")
    assert told.code == 0, told.err
    (row,) = told.rows()
    outcomes = {review["outcome"] for review in row["reviews"]}
    if "17-6a36dde4c6-1" in path.stem:  # a session that the client started by itself
        assert outcomes == {"declined"}
        return
    assert outcomes
    assert outcomes <= {"wrote", "nothing"}
    again = ferrule("review", str(path), "--json")
    assert (again.code, all(review.get("already") for review in again.rows()[0]["reviews"])) == (0, True)


def talk() -> OpenTalk:
    """A session in which a person asks for a file and gets it."""
    one = OpenTalk(directory="/w/tides")
    one.user("Write the tide table to docs/tides.md, I will need it every week.")
    path = "/w/tides/docs/tides.md"
    one.answer(
        tool("write", {"filePath": path, "content": "x"}, "Wrote file successfully.", exists=False), finish="tool-calls"
    )
    one.answer("The tide table is in docs/tides.md now.")
    return one


def test_what_a_turn_made_is_remembered_whatever_way_the_client_kept_it(
    ferrule: Callable[..., Any], tmp_path: Path
) -> None:
    """Design section 2: an export, its folders and its database are one session: the turn is reviewed once."""
    export = tmp_path / "export.json"
    export.write_text(json.dumps(talk().export()), encoding="utf-8")
    written = [
        memory
        for review in ferrule("review", str(export), "--json").rows()[0]["reviews"]
        for memory in review["written"]
    ]
    assert any(handle["value"].endswith("docs/tides.md") for memory in written for handle in memory["handles"])
    for other in (talk().folders(tmp_path), database(tmp_path / "opencode.db", talk())):
        (row,) = ferrule("review", str(other), "--json").rows()
        assert (row["session"], [review["already"] for review in row["reviews"]]) == ("opencode:ses_1", [True])


def test_the_clients_folder_is_walked_by_sessions_not_by_pieces(ferrule: Callable[..., Any], tmp_path: Path) -> None:
    """R89: thousands of messages and parts are files too, and none of them is told to be no transcript."""
    folder = tmp_path / "opencode"
    talk().folders(folder)
    database(folder / "opencode.db", OpenTalk(session="ses_2"))
    told = ferrule("review", str(folder), "--json")
    assert (told.code, told.err) == (0, "")
    assert sorted(row["session"] for row in told.rows()) == ["opencode:ses_1", "opencode:ses_2"]


def test_what_of_a_file_was_passed_over_is_said_once(ferrule: Callable[..., Any], tmp_path: Path) -> None:
    """R89: beside the output, not once for each of its sessions."""
    path = database(tmp_path / "opencode.db", talk(), OpenTalk(session="ses_2"))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO part VALUES ('prt_x', 'msg_001', 'ses_1', 0, 0, '{')")
        connection.commit()
    told = ferrule("review", str(path), "--json")
    assert (told.code, len(told.rows())) == (0, 2)
    assert told.err == f"ferrule: {path}: opencode: 1 rows of the database could not be read\n"

"""What people and programs get wrong when they follow a session: one line, a documented code, nothing changed."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from follow_cases import CHILD, SOURCE, event, held, put, turn

from ferrule.interfaces.cli.entry import run

Ferrule = Callable[..., Any]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of good and bad files and of a home with an attached session; no mistake may change anything in it."""
    folder = tmp_path_factory.mktemp("mistakes")
    put(folder / "t1.json", turn(1))
    put(folder / "t2.json", turn(2))
    put(folder / "e2.json", event(2))
    put(folder / "two.json", turn(1), turn(1, session_key="desk 2"))
    put(folder / "foreign.json", {"hello": "world"})
    (folder / "binary").write_bytes(bytes(range(256)) * 40)
    (folder / "huge").write_bytes(b'{"EventId": "' + b"x" * 70_000 + b'"}')
    (folder / "deep").write_bytes(b"[" * 5000)
    (folder / "empty").write_bytes(b"")
    (folder / "folder").mkdir()
    (folder / "loop").symlink_to(folder / "loop")
    assert run(["attach", "--from", str(folder / "t1.json"), "--home", str(folder / "home")]) == 0
    return folder


# words (a name with @ stands for that file), exit code, a part of what is said
MISTAKES: dict[str, tuple[list[str], int, str]] = {
    "no such session": (["attach", "nobody"], 2, "no session is called"),
    "a session that is no text": (["attach", "\udcff"], 2, "no session is called"),
    "a turn that is no text": (["attach", SOURCE, "\udcff"], 1, "[TURN_NOT_COMPLETED]"),
    "no such turn": (["attach", SOURCE, "k9"], 1, "--from FILE [TURN_NOT_COMPLETED]"),
    "no such ordinal": (["attach", SOURCE, "9"], 1, "[TURN_NOT_COMPLETED]"),
    "a companion": (["attach", CHILD], 1, "[NOT_ATTACHABLE]"),
    "a companion's turn": (["thumbs-up", CHILD, "k1"], 1, "[NOT_ATTACHABLE]"),
    "to pause a companion": (["pause", CHILD], 1, "[NOT_ATTACHABLE]"),
    "to resume a companion": (["resume", CHILD], 1, "[NOT_ATTACHABLE]"),
    "too many words": (["attach", SOURCE, "k1", "k2"], 2, "unrecognized arguments: k2"),
    "no such mode": (["attach", "--delivery", "pigeon"], 2, "[BAD_TOOL_ARGS]"),
    "no time to live": (["attach", "--ttl", "0"], 2, "[BAD_TOOL_ARGS]"),
    "a time that is none": (["attach", "--ttl", "nan"], 2, "[BAD_TOOL_ARGS]"),
    "a time in words": (["attach", "--ttl", "soon"], 2, "invalid float value"),
    "no such reviewer": (["attach", "--reviewer", "claude"], 1, "there is: embedded"),
    "a model of two lines": (["attach", "--model", "a\nb"], 1, "[BAD_TOOL_ARGS]"),
    "a file that is not there": (["attach", "--from", "@nowhere"], 2, "no such file"),
    "a folder": (["attach", "--from", "@folder"], 2, "is a folder"),
    "a binary file": (["attach", "--from", "@binary"], 3, "is a binary file"),
    "an empty file": (["attach", "--from", "@empty"], 3, "is empty"),
    "a file of something else": (["attach", "--from", "@foreign.json"], 3, "no transcript"),
    "a link to itself": (["attach", "--from", "@loop"], 2, "no such file"),
    "a file of two sessions": (["attach", "--from", "@two.json"], 2, "name one of them"),
    "a session that the file has not": (["attach", "other", "k1", "--from", "@two.json"], 2, "[WRONG_SESSION]"),
    "a turn that the file has not": (["attach", "k9", "--from", "@t1.json"], 2, "has no turn k9"),
    "no opinion": (["feedback", SOURCE, "k1"], 2, "required: VALUE"),
    "no such opinion": (["feedback", SOURCE, "k1", "great"], 2, "up, neutral, down"),
    "to detach nothing": (["detach", "nobody"], 2, "no session is called"),
    "no such event file": (["dispatch", "@nowhere"], 2, "no such file"),
    "an event that is a folder": (["dispatch", "@folder"], 2, "is a folder"),
    "an event that is a loop": (["dispatch", "@loop"], 3, "cannot be read"),
    "a binary event": (["dispatch", "@binary"], 1, "[BAD_TOOL_ARGS]"),
    "a huge event": (["dispatch", "@huge"], 1, "[TOO_LARGE]"),
    "a deep event": (["dispatch", "@deep"], 1, "[TOO_DEEP]"),
    "an empty event": (["dispatch", "@empty"], 1, "[BAD_TOOL_ARGS]"),
    "a turn for an event": (["dispatch", "@t2.json"], 1, "[BAD_TOOL_ARGS]"),
    "an event without its turn": (["dispatch", "@e2.json"], 1, "--from FILE [TURN_NOT_COMPLETED]"),
    "another turn": (["dispatch", "@e2.json", "--from", "@t1.json"], 2, "has no turn k2"),
    "an event for a turn": (["dispatch", "@e2.json", "--from", "@e2.json"], 3, "no transcript"),
    "no such road": (["dispatch", "@e2.json", "--road", "mail"], 2, "[BAD_TOOL_ARGS]"),
    "another road": (["dispatch", "@e2.json", "--road", "queue-input"], 1, "[FORBIDDEN_ORIGIN]"),
    "a signature without a webhook": (["dispatch", "@e2.json", "--signature", "x"], 2, "--road webhook"),
    "standard input twice": (["dispatch", "-", "--from", "-"], 2, "either the event or the turn"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_line_and_changes_nothing(files: Path, ferrule: Ferrule, name: str) -> None:
    """R89, CASE-K12: on standard error, with its exit code, and never a traceback."""
    words, code, says = MISTAKES[name]
    home = files / "home"
    before = held(home)
    given = [str(files / word[1:]) if word.startswith("@") else word for word in words]
    told = ferrule(*given, "--home", str(home))
    assert (told.code, told.out) == (code, "")
    assert told.err.startswith("ferrule: ")
    assert told.err.count("\n") == 1
    assert says in told.err
    assert held(home) == before


@pytest.mark.parametrize("words", [["attach"], ["detach"], ["pause"], ["resume"], ["thumbs-up", "last", "1"]])
def test_without_a_home_nothing_is_made(home: Path, ferrule: Ferrule, words: list[str]) -> None:
    """Exit 2 with the next step; no folder is left behind."""
    told = ferrule(*words)
    assert told.code == 2
    assert "no Ferrule home" in told.err
    assert not home.exists()


def typed(monkeypatch: pytest.MonkeyPatch, raw: bytes) -> None:
    """Put bytes on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))


def test_events_turns_and_parameters_may_come_by_standard_input(
    files: Path, ferrule: Ferrule, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Design section 8: an event by default, a turn for --from -, parameters for call."""
    assert ferrule("attach", "--from", str(files / "t1.json")).code == 0
    typed(monkeypatch, (files / "t2.json").read_bytes())
    assert "queued: turn 2" in ferrule("dispatch", str(files / "e2.json"), "--from", "-").out
    typed(monkeypatch, (files / "e2.json").read_bytes())
    assert "delivered before" in ferrule("dispatch").out
    typed(monkeypatch, json.dumps({"sourceSessionKey": SOURCE}).encode())
    assert ferrule("call", "list-session-event-subscriptions", "-").rows()[0]["Count"] == 1


CALLS: dict[str, tuple[list[str], str]] = {
    "no such action": (["nonsense"], "UNKNOWN_TOOL"),
    "no JSON": (["list-session-event-subscriptions", "{"], "BAD_TOOL_ARGS"),
    "a key twice": (
        ["list-session-event-subscriptions", '{"sourceSessionKey": "a", "sourceSessionKey": "b"}'],
        "BAD_TOOL_ARGS",
    ),
    "deep JSON": (["list-session-event-subscriptions", "[" * 100_000], "BAD_TOOL_ARGS"),
    "no calling session": (["ToAttachConfiguredOnlineSessionMemoryCritic", '{"turnKey": "k1"}'], "BAD_TOOL_ARGS"),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_refused_call_is_json_with_exit_one(files: Path, ferrule: Ferrule, name: str) -> None:
    """R89: a program reads the same refusal that a person does."""
    words, code = CALLS[name]
    told = ferrule("call", *words, "--home", str(files / "home"))
    assert (told.code, told.err) == (1, "")
    assert told.rows()[0]["code"] == code


def test_actions_are_listed_and_called_by_their_names(files: Path, ferrule: Ferrule) -> None:
    """R73: the platform's names from the command line."""
    page = ferrule("call").out
    rows = ferrule("call", "--json").rows()
    assert all(f"{row['action']}(" in page for row in rows)
    words = ["call", "ToAttachConfiguredOnlineSessionMemoryCritic", '{"turnKey": "k1"}', "--session", SOURCE]
    answer = ferrule(*words, "--home", str(files / "home")).rows()[0]
    assert (answer["answer"], answer["already"]) == ("attached", True)

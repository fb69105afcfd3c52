"""`ferrule sessions list|show|archive|unarchive`: companions stay hidden, archived sources rest (R1, R98)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from follow_cases import CHILD, SOURCE, event, held, put, turn

Ferrule = Callable[..., Any]


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A transcript of four turns."""
    return put(tmp_path / "desk.jsonl", *(turn(number, ordinal=number) for number in range(1, 5)))


def keys(told: Any) -> list[str]:  # noqa: ANN401 - what a command said
    """The sessions that a command listed."""
    return [found["session"] for found in told.rows()]


def test_a_companion_is_listed_only_when_asked_for(ferrule: Ferrule, path: str) -> None:
    """R1: not by default, not by a beginning of its key; with --hidden and by its whole key."""
    ferrule("review", path)
    assert keys(ferrule("sessions", "list", "--json")) == [SOURCE]
    assert keys(ferrule("sessions", "list", "--hidden", "--json")) == [SOURCE, CHILD]
    assert CHILD not in ferrule("sessions", "list").out
    assert "hidden" in ferrule("sessions", "list", "--hidden").out
    assert CHILD not in ferrule("sessions", "show", SOURCE).out
    assert CHILD in ferrule("sessions", "show", SOURCE, "--hidden").out
    assert ferrule("sessions", "show", SOURCE, "--json").rows()[0]["companion"] is None
    assert ferrule("sessions", "show", SOURCE, "--hidden", "--json").rows()[0]["companion"] == CHILD
    (child,) = ferrule("sessions", "show", CHILD, "--json").rows()
    assert (child["profile"], child["parent"], child["hidden"]) == ("online-session-memory-critic", SOURCE, True)
    assert ferrule("sessions", "show", CHILD[:-2]).code == 2


def test_show_tells_what_became_of_each_turn(ferrule: Ferrule, path: str) -> None:
    """Newest last and bounded: written, nothing to remember, waiting, not queued."""
    ferrule("catch-up", "--from", path, "--next")
    lines = ferrule("sessions", "show", "last").out.splitlines()
    assert lines[0] == SOURCE
    assert [line.split('"')[0].split() for line in lines[-4:]] == [
        ["1", "wrote"],
        ["2", "waiting"],
        ["3", "waiting"],
        ["4", "waiting"],
    ]
    assert "Please create the file notes/plan4.md." in lines[-1]
    ferrule("catch-up", "--reset")
    (found,) = ferrule("sessions", "show", "last", "--limit", "2", "--json").rows()
    assert [(row["ordinal"], row["state"]) for row in found["shown"]] == [(3, "withdrawn"), (4, "withdrawn")]
    assert found["turns"] == 4
    assert "the newest 2 of 4 turns; more: --limit N" in ferrule("sessions", "show", "last", "--limit", "2").out
    assert ferrule("sessions", "show", "last", "--limit", "0").code == 2
    assert ferrule("sessions", "show").code == 2


def test_an_archived_source_rests_and_comes_back_as_it_was(tmp_path: Path, ferrule: Ferrule, path: str) -> None:
    """R98: no event, no attach, no batch while archived; what waited waits again; memory stays; twice is once."""
    ferrule("catch-up", "--from", path, "--next")
    ferrule("attach", "2", "--from", path)
    told = ferrule("sessions", "archive", "last")
    assert told.out == (
        f"Archived: {SOURCE}. Nothing of it is reviewed until `ferrule sessions unarchive '{SOURCE}'`; "
        "3 waiting turns will rest as long. Its memory stays.\n"
    )
    assert ferrule("sessions", "archive", SOURCE).out == f"{SOURCE} is archived already.\n"
    assert len(ferrule("memory", "list", "--json").rows()) == 1
    new = put(tmp_path / "new.jsonl", turn(5, ordinal=5))
    declined = ferrule("dispatch", put(tmp_path / "e.json", event(5)), "--from", new, "--json").rows()
    assert declined[0]["answer"] in {"declined", "ignored"}
    assert ferrule("catch-up").code == 1
    assert len(ferrule("log", "--json").rows()) == 1
    (row,) = ferrule("sessions", "list", "--json").rows()
    assert row["archived"] is True
    assert "archived" in ferrule("sessions", "list").out
    told = ferrule("sessions", "unarchive", "last", "--json")
    assert told.rows() == [{"session": SOURCE, "archived": False, "changed": True, "waiting": 3}]
    assert ferrule("sessions", "unarchive", "last").out == f"{SOURCE} is not archived.\n"
    assert "Caught up" in ferrule("catch-up").out


def test_a_companion_cannot_be_archived(home: Path, ferrule: Ferrule, path: str) -> None:
    """R98: it rests with its source; refused with a reason, nothing changes."""
    ferrule("review", path)
    before = held(home)
    for word in ("archive", "unarchive"):
        told = ferrule("sessions", word, CHILD)
        assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
        assert f"is the companion of {SOURCE}" in told.err
    assert held(home) == before


@pytest.mark.parametrize("word", ["show", "archive", "unarchive"])
def test_an_unknown_session_is_one_clear_line(ferrule: Ferrule, path: str, word: str) -> None:
    """Exit 2."""
    ferrule("review", path)
    told = ferrule("sessions", word, "nobody")
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert "ferrule sessions list" in told.err

"""A person corrects what is remembered: superseding and undoing are shown first, asked about, and never overwrite."""

import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import ferrule as package

SAMPLES = Path(package.__file__).parent / "samples"
HOST = 'prototype StagingHost : Host\n{\n\tHostName = "staging.example.org";\n}\n'
NOTE = 'partial prototype StagingHost\n{\n\tNotes = "kept for the release";\n}\n'


class Terminal(StringIO):
    """A stream that a person sits at."""

    def isatty(self) -> bool:
        """There is one."""
        return True


@pytest.fixture
def reviewed(ferrule: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A home with one reviewed session and a person's own memory."""
    monkeypatch.setenv("FERRULE_WORKER", "off")
    assert ferrule("review", str(SAMPLES / "codex-pull-request-and-worktree.jsonl")).code == 0
    for number, text in enumerate((HOST, NOTE)):
        (tmp_path / f"{number}.pts").write_text(text, encoding="utf-8")
        assert ferrule("memory", "write", str(tmp_path / f"{number}.pts")).code == 0
    return ferrule


def at_terminal(
    monkeypatch: pytest.MonkeyPatch, command: Callable[..., Any], answer: str, *words: str
) -> tuple[Any, str]:
    """Run a command where a person answers; its end and the screen."""
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    screen = Terminal()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", screen)
        code = command(*words).code
    return code, screen.getvalue()


def host_of(command: Callable[..., Any]) -> tuple[str, list[str]]:
    """The host's name now, and what it was."""
    shown = command("memory", "show", "StagingHost", "--json").rows()[0]
    (prop,) = (one for one in shown["properties"] if one["name"].startswith("HostName"))
    return prop["value"], prop["was"]


def test_a_superseded_value_stays_visible_as_what_it_was(reviewed: Callable[..., Any]) -> None:
    """DEC-D8, INV-I3: shown without --yes and done with it; a receipt is given; the old value is not lost."""
    words = ("memory", "supersede", "StagingHost", "HostName", "blue.example.org")
    shown = reviewed(*words)
    assert shown.code == 1
    assert "staging.example.org" in shown.out
    assert "do it with --yes" in shown.out
    (row,) = reviewed(*words, "--json").rows()
    assert (row["was"], row["value"], row["done"]) == ("staging.example.org", "blue.example.org", False)
    assert host_of(reviewed) == ("staging.example.org", [])
    assert reviewed(*words, "--yes").code == 0
    assert host_of(reviewed) == ("blue.example.org", ["staging.example.org"])
    assert reviewed("memory", "search", "blue.example.org", "--json").rows()[0]["name"] == "StagingHost"
    same = reviewed(*words, "--yes", "--json")
    assert (same.code, same.rows()[0]["unchanged"]) == (0, True)
    again = reviewed("memory", "supersede", "StagingHost", "HostName", "green.example.org", "--yes", "--json")
    assert again.code == 1
    assert [one["code"] for one in again.rows()[0]["refusals"]] == ["ALREADY_VALUED"]
    assert reviewed("memory", "undo", "StagingHost", "--yes").code == 0
    assert host_of(reviewed) == ("staging.example.org", [])
    assert reviewed("memory", "verify").code == 0


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("Nobody", "HostName", "x.example.org"), 2),
        (("StagingHost", "Colour", "red"), 2),
        (("StagingHost", "HostName", "https://bot:hunter2pass@x.example.org/"), 1),
        (("StagingHost", "HostName", "sta\u202eging.example.org"), 1),
    ],
)
def test_what_cannot_supersede_is_refused(reviewed: Callable[..., Any], *, words: tuple[str, ...], code: int) -> None:
    """DEC-D5, R59: the rules bind here too, and nothing is written or echoed."""
    before = reviewed("memory", "export").out
    told = reviewed("memory", "supersede", *words, "--yes", "--json")
    assert told.code == code
    assert "hunter2pass" not in "".join(row["definition"] for row in told.rows() if row["refusals"] == [])
    assert reviewed("memory", "export").out == before


def test_a_write_is_undone_by_number_or_name(reviewed: Callable[..., Any]) -> None:
    """DEC-D8, DEC-D14: listed, shown, refused where later ones stand on it, done with --yes; verify is content."""
    listed = reviewed("memory", "undo", "--json").rows()
    mine = [row for row in listed if row["prototype"] == "StagingHost"]
    assert [(row["action"], row["held"], row["turn"]) for row in mine] == [
        ("augmented", False, None),
        ("created", True, None),
    ]
    assert "StagingHost" in reviewed("memory", "undo").out
    held = reviewed("memory", "undo", str(mine[1]["write"]), "--yes")
    assert (held.code, str(mine[0]["write"]) in held.err) == (2, True)
    shown = reviewed("memory", "undo", "StagingHost")
    assert (shown.code, "Notes" in shown.out) == (1, True)
    (row,) = reviewed("memory", "undo", "StagingHost", "--yes", "--json").rows()
    assert (row["done"], row["write"], row["properties"]) == (True, mine[0]["write"], ["Notes"])
    assert "kept for the release" not in reviewed("memory", "show", "StagingHost").out
    assert reviewed("memory", "undo", str(mine[1]["write"]), "--yes").code == 0
    assert reviewed("memory", "show", "StagingHost").code == 2
    assert reviewed("memory", "unforget", "StagingHost", "--yes").code == 0
    assert reviewed("memory", "undo", str(mine[1]["write"]), "--yes").code == 2
    assert reviewed("memory", "undo", "--yes").code == 2
    assert reviewed("memory", "verify").code == 0


def test_a_reviews_write_can_be_undone_and_is_not_learned_again(reviewed: Callable[..., Any]) -> None:
    """DEC-D14, INV-I4: the memory goes, its turn stays reviewed, its handle keeps a tombstone."""
    row = next(one for one in reviewed("memory", "undo", "--json").rows() if one["turn"] and one["whole"])
    assert reviewed("memory", "undo", str(row["write"]), "--yes").code == 0
    reviewed("review", str(SAMPLES / "codex-pull-request-and-worktree.jsonl"))
    assert row["prototype"] not in [one["name"] for one in reviewed("memory", "list", "--json").rows()]
    assert reviewed("memory", "unforget", row["prototype"]).code == 1


@pytest.mark.parametrize(
    ("words", "gone"),
    [
        (("supersede", "StagingHost", "HostName", "blue.example.org"), "staging.example.org\n"),
        (("undo", "StagingHost"), "kept for the release"),
        (("forget", "StagingHost"), "StagingHost"),
    ],
)
def test_a_person_at_a_terminal_is_asked_and_no_is_no(
    reviewed: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, *, words: tuple[str, ...], gone: str
) -> None:
    """DEC-D8: the change is shown, then the question; nothing is done without a yes."""
    before = reviewed("memory", "export").out
    for answer in ("", "n\n"):
        code, screen = at_terminal(monkeypatch, reviewed, answer, "memory", *words)
        assert (code, "[y/N]" in screen) == (1, True)
        assert reviewed("memory", "export").out == before
    code, _ = at_terminal(monkeypatch, reviewed, "y\n", "memory", *words)
    assert code == 0
    if words[0] == "forget":
        for answer, wanted in (("n\n", 1), ("y\n", 0)):
            code, screen = at_terminal(monkeypatch, reviewed, answer, "memory", "unforget", words[1])
            assert (code, "host:staging.example.org" in screen) == (wanted, True)
        assert reviewed("memory", "unforget", words[1], "--yes").code == 2
    assert reviewed("memory", "export").out != before
    assert gone not in reviewed("memory", "list").out

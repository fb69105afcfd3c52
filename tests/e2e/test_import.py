"""Definitions of a file come in through the rules, each whole or not at all, and memory goes out to be read."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ferrule as package
from ferrule.bridge.values import Details, PropertyDetail
from ferrule.interfaces.cli.exporting import as_markdown
from ferrule.memory.artifact import artifact_path, edited_files

SAMPLES = Path(package.__file__).parent / "samples"
GOOD = 'prototype StagingHost : Host\n{\n\tHostName = "staging.example.org";\n}\n'
PLAIN = 'prototype NotesPage : Document\n{\n\tFilePath = "docs/notes.md";\n}\n'
SECRET = 'prototype BotPage : Document\n{\n\tDocumentUrl = "https://bot:hunter2pass@x.example.org/";\n}\n'
UNKNOWN = 'prototype Strange : Nothing\n{\n\tHostName = "strange.example.org";\n}\n'


@pytest.fixture
def reviewed(ferrule: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A home with one reviewed session."""
    monkeypatch.setenv("FERRULE_WORKER", "off")
    assert ferrule("review", str(SAMPLES / "codex-pull-request-and-worktree.jsonl")).code == 0
    return ferrule


def put(folder: Path, text: str) -> str:
    """A file of definitions."""
    path = folder / "mine.pts"
    path.write_text(text, encoding="utf-8")
    return str(path)


def verdicts(rows: list[dict[str, Any]]) -> dict[str, str]:
    """What became of each definition."""
    return {row["prototype"]: row["verdict"] for row in rows}


def names(command: Callable[..., Any]) -> set[str]:
    """What is remembered."""
    return {row["name"] for row in command("memory", "list", "--json").rows()}


def test_a_file_comes_in_once_it_was_shown(reviewed: Callable[..., Any], home: Path, tmp_path: Path) -> None:
    """DEC-D12, DEC-D5, DEC-D8: shown, done with --yes, unchanged the next time; a receipt each; nothing left behind."""
    file = put(tmp_path, f"{GOOD}\n{PLAIN}")
    before = reviewed("memory", "export").out
    for words, code in ((("--dry-run",), 0), ((), 1), (("--dry-run", "--yes"), 0)):
        told = reviewed("memory", "import", file, *words)
        assert (told.code, "2 new" in told.out) == (code, True)
        assert reviewed("memory", "export").out == before
    told = reviewed("memory", "import", file, "--yes", "--json")
    assert told.code == 0
    assert verdicts(told.rows()) == {"StagingHost": "new", "NotesPage": "new"}
    assert all(row["done"] for row in told.rows())
    assert {"StagingHost", "NotesPage"} <= names(reviewed)
    again = reviewed("memory", "import", file, "--yes", "--json")
    assert (again.code, set(verdicts(again.rows()).values())) == (0, {"unchanged"})
    assert reviewed("memory", "verify").code == 0
    assert not list(home.glob(".re*"))


def test_each_definition_comes_in_whole_or_not_at_all(reviewed: Callable[..., Any], tmp_path: Path) -> None:
    """DEC-D5, R59: what is refused stays out with its reason, who refers to it too, the others come in; exit code 1."""
    linked = 'prototype LinkedPage : Document\n{\n\tFilePath = "docs/linked.md";\n\tDocument Sees = BotPage;\n}\n'
    broken = "prototype Broken : Host\n{\n\tHostName = ;\n}\n"
    told = reviewed(
        "memory", "import", put(tmp_path, f"{GOOD}{SECRET}{linked}{UNKNOWN}{broken}{PLAIN}"), "--yes", "--json"
    )
    assert told.code == 1
    assert verdicts(told.rows()) == {
        "StagingHost": "new",
        "NotesPage": "new",
        "BotPage": "refused",
        "LinkedPage": "refused",
        "Strange": "unreadable",
        "Broken": "unreadable",
    }
    assert "hunter2pass" not in told.out
    assert names(reviewed) & {"BotPage", "LinkedPage", "Strange", "Broken"} == set()
    assert {"StagingHost", "NotesPage"} <= names(reviewed)
    shown = reviewed("memory", "import", put(tmp_path, SECRET + broken))
    assert shown.code == 1
    assert "SECRET_VALUE" in shown.out
    assert "Nothing was written" in shown.out


def test_definitions_that_refer_to_each_other_come_in_together(reviewed: Callable[..., Any], tmp_path: Path) -> None:
    """DEC-D12: in whatever order they stand, links that close a cycle too."""
    one = 'prototype OnePage : Document\n{\n\tFilePath = "docs/one.md";\n\tDocument Next = TwoPage;\n}\n'
    two = 'prototype TwoPage : Document\n{\n\tFilePath = "docs/two.md";\n\tDocument Next = OnePage;\n}\n'
    assert reviewed("memory", "import", put(tmp_path, one + two), "--yes").code == 0
    for name, other in (("OnePage", "TwoPage"), ("TwoPage", "OnePage")):
        shown = reviewed("memory", "show", name, "--json").rows()[0]
        assert other in [prop["value"] for prop in shown["properties"]]


def test_a_file_that_was_edited_by_hand_is_kept_and_can_be_taken_in(
    reviewed: Callable[..., Any], home: Path, tmp_path: Path
) -> None:
    """CASE-N08, DEC-D12, INV-I3: what was added comes in; a value that was changed there is refused, and stays."""
    key = reviewed("sessions", "list", "--json").rows()[0]["session"]
    assert reviewed("memory", "write", put(tmp_path, GOOD)).code == 0
    path = artifact_path(home, key)
    text = path.read_text(encoding="utf-8").replace("staging.example.org", "other.example.org")
    path.write_text(text + PLAIN, encoding="utf-8")
    reviewed("memory", "write", put(tmp_path, GOOD.replace("taging", "pare")))
    (kept,) = edited_files(home, key)
    assert "other.example.org" in kept.read_text(encoding="utf-8")
    assert "other.example.org" not in path.read_text(encoding="utf-8")
    told = reviewed("memory", "import", str(kept), "--yes", "--json")
    assert told.code == 1
    found = verdicts(told.rows())
    assert (found.pop("StagingHost"), found.pop("NotesPage"), set(found.values())) == ("refused", "new", {"unchanged"})
    assert (
        reviewed("memory", "show", "StagingHost", "--json").rows()[0]["properties"][0]["value"] == "staging.example.org"
    )
    assert kept.exists()
    assert str(kept) in reviewed("doctor").out


def test_an_export_can_be_read_by_people_and_programs(reviewed: Callable[..., Any], tmp_path: Path) -> None:
    """R89: json has one object per memory as `memory show` gives it; md is a page; pts comes in elsewhere again."""
    objects = [json.loads(line) for line in reviewed("memory", "export", "--format", "json").out.splitlines()]
    assert {one["name"] for one in objects} == names(reviewed)
    assert all(one == reviewed("memory", "show", one["name"], "--json").rows()[0] for one in objects)
    page = reviewed("memory", "export", "--format", "md").out
    assert all(f"## `{one['name']}`" in page for one in objects)
    out = str(tmp_path / "out.pts")
    assert reviewed("memory", "export", "--out", out).code == 0
    forgotten = reviewed("memory", "forget", "--all", "--yes", "--json").rows()[0]["forgotten"]
    assert all(reviewed("memory", "unforget", name, "--yes").code == 0 for name in forgotten)
    assert reviewed("memory", "import", out, "--yes").code == 0
    assert names(reviewed) == set(forgotten)


def test_a_value_cannot_leave_its_span() -> None:
    """CASE-C12, INV-I5: a memory is data: no markup, line or escape of a value becomes one of the page."""
    value = "a``b\n# no heading <img src=x> \x1b[31m"
    memory = Details(
        "", "Name", known=True, properties=(PropertyDetail("Notes", "String", value, assigned=True, declared_by="X"),)
    )
    page = as_markdown("desk:alpha", [memory])
    (line,) = (one for one in page.splitlines() if one.startswith("- Notes"))
    assert line.startswith("- Notes: ```a``b\\n# no heading <img src=x>")
    assert line.endswith("```")
    assert "\x1b" not in page

"""`memory search --type` and `memory list --type`: everything that is a Document, in every layer, a page at a time."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ferrule as package

SAMPLES = Path(package.__file__).parent / "samples"
PERMANENT = """
prototype Manual : Document { String Edition; }
prototype HandBook : Manual { EntityName = "Hand book"; FilePath = "/srv/handbook/index.md"; }
prototype CookBook : Manual { EntityName = "Cook book"; FilePath = "/srv/cook/index.md"; }
prototype StagingHost : Host { HostName = "staging.example.org"; }
"""
DRAFTS = (
    'prototype StyleGuide : Document { FilePath = "/srv/style.md"; EntityName = "Style guide"; }',
    'partial prototype HandBook { String PrintedPath = "/srv/print/hb.md"; }',
)


@pytest.fixture
def ferrule_with(tmp_path: Path, ferrule: Callable[..., Any], home: Path) -> Callable[..., Any]:
    """A home with one session, two memories of a person's own, and an ontology of the house."""
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / "books.pts").write_text(PERMANENT, encoding="utf-8")
    home.mkdir(mode=0o700)
    (home / "settings.toml").write_text(f'ontology = ["{folder}"]\n', encoding="utf-8")
    assert ferrule("review", str(SAMPLES / "claude-code-moved-repository.jsonl")).code == 0
    for number, text in enumerate(DRAFTS):
        draft = tmp_path / f"{number}.pts"
        draft.write_text(text, encoding="utf-8")
        assert ferrule("memory", "write", str(draft)).code == 0, text
    return ferrule


def names(told: Any) -> list[str]:  # noqa: ANN401 - what a command told
    """The names of JSON rows."""
    return [row["name"] for row in told.rows()]


def test_everything_of_a_type_is_listed_by_name(ferrule_with: Callable[..., Any]) -> None:
    """R86, DEC-D7: subtypes' things too, permanent and the session's own, an entity that both know once; no types."""
    listed = ferrule_with("memory", "list", "--type", "Document", "--json")
    assert names(listed) == ["CookBook", "HandBook", "StyleGuide"]
    (book,) = [row for row in listed.rows() if row["name"] == "HandBook"]
    assert {handle["value"] for handle in book["handles"]} == {"/srv/handbook/index.md", "/srv/print/hb.md"}
    assert names(ferrule_with("memory", "list", "--type", "Manual", "--json")) == ["CookBook", "HandBook"]
    assert "CookBook" in ferrule_with("memory", "search", "--type", "Manual").out


def test_pages_lead_to_each_other(ferrule_with: Callable[..., Any]) -> None:
    """R35: bounded; the note says how to go on."""
    first = ferrule_with("memory", "list", "--type", "Document", "--limit", "2", "--json")
    assert names(first) == ["CookBook", "HandBook"]
    assert "--after HandBook" in first.err
    rest = ferrule_with("memory", "list", "--type", "Document", "--limit", "2", "--after", "HandBook", "--json")
    assert names(rest) == ["StyleGuide"]
    assert rest.err == ""


def test_words_are_looked_for_among_the_things_of_a_type(ferrule_with: Callable[..., Any]) -> None:
    """R35: a handle, a name or words; what is of another type is none, whatever it says."""
    assert names(ferrule_with("memory", "search", "book", "--type", "Manual", "--json")) == ["HandBook", "CookBook"]
    assert names(ferrule_with("memory", "search", "/srv/style.md", "--type", "Document", "--json")) == ["StyleGuide"]
    assert "StyleGuide" not in names(ferrule_with("memory", "search", "/srv/style.md", "--type", "Manual", "--json"))
    assert names(ferrule_with("memory", "search", "staging.example.org", "--type", "Document", "--json")) == []
    assert names(ferrule_with("memory", "search", "staging.example.org", "--type", "Host", "--json")) == ["StagingHost"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("list", "--type", "Nope"), "nothing is called Nope"),
        (("search", "x", "--type", "Nope"), "nothing is called Nope"),
        (("search",), "say what to look for"),
        (("search", " "), "say what to look for"),
        (("list", "--after", "A"), "--after goes with --type"),
        (("list", "--limit", "2"), "--limit goes with --type"),
        (("list", "--type", ""), "--type names a type"),
        (("search", "x", "--type", " "), "--type names a type"),
        (("list", "--type", "Document", "--limit", "0"), "--limit is a number from 1"),
    ],
)
def test_a_mistake_is_one_clear_line(ferrule_with: Callable[..., Any], words: tuple[str, ...], said: str) -> None:
    """What is missing or unknown is said, with exit code 2."""
    told = ferrule_with("memory", *words)
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert said in told.err

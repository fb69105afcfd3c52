"""In a project where a person switched it on, a session is also told what its neighbours remember."""

import io
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from mcp_asked import call
from project_cases import REMOTE, checkout, worktree

from ferrule.adapters.spool.starts import Start, note_start
from ferrule.interfaces.mcp.server import build_server
from ferrule.wiring.home import open_home
from ferrule.wiring.wider import wide_reader_of

KEY = "claude-code:5f1c0b7e-0000-4000-8000-00000000000{}"
HOST = 'prototype {0} : Host {{ HostName = "{1}"; }}'


class Shop:
    """Sessions in checkouts of one repository, each with a memory of its own."""

    def __init__(self, ferrule: Callable[..., Any], transcript: Callable[..., Any], folder: Path) -> None:
        self.ferrule, self.transcript, self.folder = ferrule, transcript, folder
        self.root = checkout(folder / "shop")

    def session(self, number: int, cwd: Path, *hosts: str) -> str:
        """A session that works in `cwd` and remembers these hosts."""
        told = self.transcript(KEY.format(number).partition(":")[2], str(cwd)).user("Hello").says("Hello.")
        assert self.ferrule("review", str(told.written(self.folder / "transcripts"))).code == 0
        for host in hosts:
            draft = self.folder / "draft.pts"
            draft.write_text(HOST.format(f"Host{host.partition('.')[0].title()}", host), encoding="utf-8")
            assert self.ferrule("memory", "write", str(draft), "--session", KEY.format(number)).code == 0
        return KEY.format(number)

    def told(self, number: int) -> list[str]:
        """The entries of a session's context text."""
        text = self.ferrule("context", "--session", KEY.format(number)).out
        return [line for line in text.splitlines() if line.startswith("- ")]


@pytest.fixture
def shop(ferrule: Callable[..., Any], transcript: Callable[..., Any], tmp_path: Path) -> Shop:
    """Two sessions of one repository, one of them in a worktree, and one of another repository."""
    made = Shop(ferrule, transcript, tmp_path)
    made.session(1, made.root, "alpha.example.org")
    made.session(2, worktree(made.root, tmp_path / "shop-retry"), "beta.example.org")
    made.session(3, checkout(tmp_path / "farm", REMOTE.replace("shop", "farm")), "gamma.example.org")
    return made


def test_it_is_off_unless_switched_on_and_off_again_after(shop: Shop) -> None:
    """R87, INV-I7: nothing of another session is told without a person's word."""
    (own,) = shop.told(1)
    assert "alpha.example.org" in own
    assert "recall is on" in shop.ferrule("recall", "on", str(shop.root)).out
    assert ", as it was" in shop.ferrule("recall", "on", str(shop.root)).out
    assert len(shop.told(1)) == 2
    assert shop.ferrule("recall", "off", str(shop.root), "--json").rows()[0]["recall"] is False
    assert shop.told(1) == [own]


def test_others_come_last_with_origin_and_age_and_never_from_another_repository(shop: Shop) -> None:
    """R87: worktrees belong to their checkout; another repository is never told, whichever side is switched on."""
    shop.ferrule("recall", "on", str(shop.root))
    own, other = shop.told(1)
    assert "another session" not in own
    assert other.endswith("beta.example.org [another session, claude-code:5f1c0b7e-0000, just now]")
    assert [line.split()[1] for line in shop.told(2)] == ["HostBeta", "HostAlpha"]
    shop.ferrule("recall", "on", str(shop.folder / "farm"))
    assert [line.split()[1] for line in shop.told(3)] == ["HostGamma"]


def test_all_of_it_stays_within_twelve_entries(shop: Shop) -> None:
    """R87: the session's own memories first, the rest only as far as there is room."""
    shop.session(4, shop.root, *(f"h{number}.example.org" for number in range(11)))
    shop.ferrule("recall", "on", str(shop.root))
    entries = shop.told(4)
    assert len(entries) <= 12
    assert sum("another session" in line for line in entries) == 1
    assert "another session" in entries[-1]


def test_what_was_forgotten_anywhere_among_them_is_not_told(shop: Shop) -> None:
    """DEC-D14, R97: neither gone there, nor forgotten here and remembered there."""
    shop.session(4, shop.root, "beta.example.org")
    shop.ferrule("recall", "on", str(shop.root))
    assert sum("beta.example.org" in line for line in shop.told(1)) == 1
    shop.ferrule("memory", "forget", "HostBeta", "--session", KEY.format(4), "--yes")
    assert [line.split()[1] for line in shop.told(1)] == ["HostAlpha"]


def test_a_session_that_just_started_is_told_too(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """R87: by the client's own payload; one that starts in another repository is told nothing."""
    shop.ferrule("recall", "on", str(shop.root))

    def started(cwd: Path) -> str:
        payload = {"session_id": "fresh", "hook_event_name": "SessionStart", "source": "startup", "cwd": str(cwd)}
        read, write = io.BytesIO(json.dumps(payload).encode()), io.StringIO()
        monkeypatch.setattr("ferrule.interfaces.cli.context._payload", read.read)
        monkeypatch.setattr(sys, "stdin", write)
        out: str = shop.ferrule("context", "--client", "claude-code").out
        return out

    assert "alpha.example.org" in started(shop.root)
    assert "gamma.example.org" not in started(shop.root)
    assert started(shop.folder / "farm") == ""


def test_an_agent_that_asks_finds_them_marked_and_after_its_own(shop: Shop, home: Path) -> None:
    """R35, R87, INV-I7: search, show and list; a handle finds its thing first; elsewhere none of them."""
    shop.ferrule("recall", "on", str(shop.root))
    with open_home(home) as opened:
        server = build_server(partial(wide_reader_of, opened))

        def ask(tool: str, number: int, **words: object) -> Any:  # noqa: ANN401 - what the server said
            return call(server, tool, {"session": KEY.format(number), **words})

        row, own = ask("search", 1, query="beta.example.org").content["result"]  # the thing itself, then a lead
        assert (own["name"], own["layer"], "from_session" in own) == ("HostAlpha", "session", False)
        assert (row["name"], row["layer"], row["from_session"]) == ("HostBeta", "other-session", KEY.format(2))
        assert row["remembered_at"]
        assert [one["name"] for one in ask("search", 1, query="example org").content["result"]] == [
            "HostAlpha",
            "HostBeta",
        ]
        shown = ask("show", 1, name="HostBeta").content
        assert shown["from_session"] == KEY.format(2)
        assert 'HostName = @"beta.example.org"' in shown["definition"]
        assert [row["name"] for row in ask("list", 1).content["result"]] == ["HostAlpha", "HostBeta"]
        assert ask("schema", 1, name="HostBeta").content["result"]
        found = ask("search", 3, query="beta.example.org").content["result"]
        assert [one["name"] for one in found] == ["HostGamma"]
        assert ask("show", 3, name="HostBeta").is_error


def test_a_session_of_which_nothing_is_stored_yet_may_ask_too(shop: Shop, home: Path) -> None:
    """R87, CASE-O12: where its client told that it started; an invented key stays a refusal."""
    shop.ferrule("recall", "on", str(shop.root))
    for number, cwd in enumerate((shop.root, shop.folder / "farm")):
        start = Start("claude-code", f"fresh-{number}", "startup", str(cwd))
        note_start(home, start, f"process-{number}", 1_900_000_000.0 + number)
    with open_home(home) as opened:
        server = build_server(partial(wide_reader_of, opened))

        def names(session: str) -> list[str] | None:
            answer = call(server, "list", {"session": session})
            return None if answer.is_error else [row["name"] for row in answer.content["result"]]

        assert names("claude-code:fresh-0") == ["HostBeta", "HostAlpha"]
        assert (names("claude-code:fresh-1"), names("claude-code:fresh-2")) == (None, None)


def test_what_is_recalled_is_not_learned_and_not_known(shop: Shop) -> None:
    """R87, INV-I7: admission never sees another session's memories: its name and handle are free here."""
    shop.ferrule("recall", "on", str(shop.root))
    draft = shop.folder / "draft.pts"
    draft.write_text(HOST.format("HostBeta", "beta.example.org"), encoding="utf-8")
    told = shop.ferrule("memory", "check", str(draft), "--session", KEY.format(1))
    assert "would be accepted" in told.out


@pytest.mark.parametrize("words", [("on", "/nowhere"), ("maybe", "."), ("on",)])
def test_a_mistake_is_told(ferrule: Callable[..., Any], words: tuple[str, ...]) -> None:
    """R89: exit 2."""
    assert ferrule("recall", *words).code == 2

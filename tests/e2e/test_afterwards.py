"""What comes after a review: retention, places that are gone, the newest session, a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from slice_cases import CREATED, work


@pytest.mark.parametrize(("days", "kept"), [("0", False), ("14", True)])
def test_turn_text_is_kept_as_long_as_the_user_wants(
    tmp_path: Path, home: Path, *, ferrule: Callable[..., Any], transcript: Callable[..., Any], days: str, kept: bool
) -> None:
    """DEC-D13: with a retention of 0 no text of a reviewed turn stays, but what was remembered does."""
    home.mkdir()
    (home / "settings.toml").write_text(f"retention_days = {days}\n", encoding="utf-8")
    chatter = "The weather in Tromsoe was xylophonic. " * 20
    script = (
        transcript()
        .user(f"{chatter} Write docs/plan.md. {chatter}")
        .call("Write", CREATED.format("/w/shop/docs/plan.md"), file_path="/w/shop/docs/plan.md", content="x")
    )
    path = script.says(f"I wrote `docs/plan.md`. {chatter}").written(tmp_path)
    assert ferrule("review", str(path)).code == 0
    stored = b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())
    assert stored.count(b"xylophonic") > 40 if kept else stored.count(b"xylophonic") < 10
    assert ferrule("memory", "search", "docs/plan.md", "--json").rows()
    assert ferrule("review", str(path), "--json").rows()[0]["reviews"][0]["already"] is True


def test_what_is_gone_since_is_marked_in_the_context(
    tmp_path: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """Design section 7: paths are looked up where the session worked; one that was deleted since is marked."""
    shop = tmp_path / "shop"
    (shop / "docs").mkdir(parents=True)
    script = transcript(cwd=str(shop)).user("Hello!").says("Hello, what shall we do?")
    assert ferrule("review", str(script.written(tmp_path))).code == 0
    for name in ("Plan", "Notes"):
        draft = tmp_path / f"{name}.pts"
        draft.write_text(f'prototype {name} : Document\n{{\n\tFilePath = "docs/{name}.md";\n}}\n', encoding="utf-8")
        assert ferrule("memory", "write", str(draft)).code == 0
    (shop / "docs" / "Plan.md").write_text("x", encoding="utf-8")
    told = ferrule("context").out
    assert "FilePath docs/Plan.md\n" in told
    assert "FilePath docs/Notes.md (gone)\n" in told


def test_last_is_the_session_that_had_the_newest_turn(
    tmp_path: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """An older session that goes on is the last one again; the next steps after a review name the session they mean."""
    first = work(transcript)
    second = transcript("5f1c0b7e-0000-4000-8000-000000000002").user("Hello!").says("Hello!")
    ferrule("review", str(first.written(tmp_path, lines=2)))
    ferrule("review", str(second.written(tmp_path)))
    assert ferrule("log", "--json").rows()[0]["session"].endswith("2")
    assert "ferrule explain claude-code:" in ferrule("review", str(first.written(tmp_path, lines=2))).out
    told = ferrule("review", str(first.written(tmp_path))).out
    assert "ferrule explain last" in told
    assert ferrule("log", "--json").rows()[0]["session"].endswith("1")


def test_the_real_command_in_a_process_of_its_own(tmp_path: Path, transcript: Callable[..., Any]) -> None:
    """`python -m ferrule`, an ASCII locale and a pipe: what a user's shell gets (PEER-D19)."""
    script = (
        transcript()
        .user("Write docs/Übersicht.md")
        .call("Write", CREATED.format("/w/shop/docs/Übersicht.md"), file_path="/w/shop/docs/Übersicht.md", content="x")
    )
    path = script.says("Wrote docs/Übersicht.md.").written(tmp_path)
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "PYTHONIOENCODING": "ascii",
        "FERRULE_HOME": str(tmp_path / "h"),
    }
    for words in (["review", str(path)], ["memory", "list"], ["explain"], ["context"], ["memory", "export"]):
        command = [sys.executable, "-W", "error", "-m", "ferrule", *words]
        told = subprocess.run(command, check=False, capture_output=True, env=env)  # noqa: S603 - our own interpreter
        assert told.returncode == 0, told.stderr
        assert told.stderr == b""
        assert b"bersicht.md" in told.stdout
        assert told.stdout.isascii()

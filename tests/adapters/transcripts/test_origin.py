"""A fork's own file says where it comes from, on its first lines, or nobody is told."""

import json
import os
from pathlib import Path

import pytest

from ferrule.adapters.transcripts.origin import origin_of


def line(session: str, **more: object) -> dict[str, object]:
    """One user line of Claude Code."""
    message = {"role": "user", "content": "hello"}
    return {"type": "user", "uuid": "u1", "parentUuid": None, "sessionId": session, "message": message, **more}


def meta(**more: object) -> dict[str, object]:
    """The first line of a Codex rollout."""
    return {"type": "session_meta", "payload": {"id": "own", "cwd": "/w", **more}}


def written(folder: Path, *lines: object) -> str:
    """A file of these lines."""
    path = folder / "own.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("client", "lines", "origin"),
    [
        ("codex", [meta(forked_from_id="elder")], "elder"),
        ("codex", [meta(base_instructions="x" * 100_000, forked_from_id="elder")], "elder"),
        ("codex", [meta()], ""),
        ("codex", [meta(forked_from_id="own")], ""),
        ("codex", [meta(forked_from_id=7)], ""),
        ("claude-code", [line("own", forkedFrom={"sessionId": "elder", "messageUuid": "u1"})], "elder"),
        ("claude-code", [{"type": "summary", "summary": "x"}, line("elder"), line("own")], "elder"),
        ("claude-code", [line("own"), line("own")], ""),
        ("claude-code", [line("elder", isSidechain=True), line("own")], ""),
        ("claude-code", [line("own", forkedFrom="elder")], ""),
        ("claude-code", ["text", None, 7, []], ""),
        ("codex", [], ""),
    ],
)
def test_a_file_names_its_origin(tmp_path: Path, client: str, lines: list[object], origin: str) -> None:
    """R87: what the client itself wrote down, and never the session itself."""
    assert origin_of(client, written(tmp_path, *lines), "own") == origin


def test_only_the_beginning_of_a_file_is_looked_at(tmp_path: Path) -> None:
    """INV-I8: a client waits."""
    lines = [line("own")] * 60
    assert origin_of("claude-code", written(tmp_path, *lines, line("elder")), "own") == ""
    huge = line("own", extra="x" * 400_000)
    assert origin_of("claude-code", written(tmp_path, huge, line("elder")), "own") == ""


def test_what_is_no_plain_file_is_not_opened(tmp_path: Path) -> None:
    """CASE-E07: no link is followed, no pipe waited for, no path guessed."""
    real = written(tmp_path, meta(forked_from_id="elder"))
    link, pipe = tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(real)
    os.mkfifo(pipe)
    places = (str(link), str(pipe), str(tmp_path), "own.jsonl", "", "/nowhere/x", "/a\x00b")
    assert {origin_of("codex", place, "own") for place in places} == {""}
    assert origin_of("codex", real, "own") == "elder"

"""Where `try` looks, and what a folder holds."""

import os
from pathlib import Path

from ferrule.wiring.discovery import local_sessions, transcripts_below
from ferrule.wiring.settings import surroundings


def put(path: Path, age: int) -> Path:
    """A file that was changed `age` seconds after the epoch."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}\n", encoding="utf-8")
    os.utime(path, (age, age))
    return path


def test_the_newest_session_of_any_client_comes_first(tmp_path: Path) -> None:
    """`ferrule try` takes the newest; files of subagents are not sessions."""
    around = surroundings({"HOME": str(tmp_path)})
    old = put(tmp_path / ".claude/projects/-w-shop/a.jsonl", 10)
    new = put(tmp_path / ".codex/sessions/2026/01/02/rollout-2.jsonl", 20)
    put(tmp_path / ".claude/projects/-w-shop/agent-1.jsonl", 90)
    put(tmp_path / ".claude/projects/-w-shop/a/subagents/agent-2.jsonl", 91)
    assert local_sessions(around) == (new, old)
    assert local_sessions(around, "claude-code") == (old,)


def test_a_machine_without_clients_has_no_sessions(tmp_path: Path) -> None:
    """Absent folders are no error."""
    assert local_sessions(surroundings({"HOME": str(tmp_path)})) == ()


def test_a_folder_gives_its_transcripts_in_order(tmp_path: Path) -> None:
    """Other files in the folder are left alone, and a loop of links ends."""
    second, first = put(tmp_path / "b" / "2.jsonl", 1), put(tmp_path / "a.jsonl", 2)
    put(tmp_path / "notes.txt", 3)
    (tmp_path / "b" / "loop").symlink_to(tmp_path, target_is_directory=True)
    chat = put(tmp_path / "chat.md", 4)  # the history of some clients is a text
    assert transcripts_below(tmp_path) == (first, second, chat)

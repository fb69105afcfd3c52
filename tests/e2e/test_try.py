"""`ferrule try`: the newest local session, reviewed without writing anything."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ferrule as package

SAMPLES = Path(package.__file__).parent / "samples"


def put(user: Path, place: str, sample: str, age: int) -> Path:
    """A sample where the client keeps its sessions, changed at that time."""
    path = user / place
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(SAMPLES / sample, path)
    os.utime(path, (age, age))
    return path


def test_a_machine_without_sessions_is_told_honestly(home: Path, ferrule: Callable[..., Any]) -> None:
    """No session: says where it looked and what to do instead; exit 0, nothing written."""
    told = ferrule("try")
    assert told.code == 0
    assert "There is no session" in told.out
    assert ".claude/projects" in told.out
    assert "ferrule review FILE" in told.out
    assert not home.exists()
    assert ferrule("try", "--json").rows() == [{"file": "", "review": None}]


def test_the_newest_session_is_reviewed_and_nothing_is_written(
    tmp_path: Path, home: Path, ferrule: Callable[..., Any]
) -> None:
    """Memories with their handles and reasons, then how to keep them."""
    user = tmp_path / "user"
    put(user, ".claude/projects/-x/old.jsonl", "claude-code-planned-then-created.jsonl", 1000)
    new = put(user, ".codex/sessions/2026/03/10/rollout-a.jsonl", "codex-pull-request-and-worktree.jsonl", 2000)
    told = ferrule("try")
    assert told.code == 0
    assert "https://github.com/larkspur-labs/harvest/pull/57" in told.out
    assert "why" in told.out
    assert f"ferrule review {new}" in told.out
    assert not home.exists()
    assert "export_loans" in ferrule("try", "--client", "claude-code").out


def test_sessions_that_say_nothing_are_passed_over(tmp_path: Path, ferrule: Callable[..., Any]) -> None:
    """An unreadable file, or one without a completed turn, is not what the user wants to see."""
    user = tmp_path / "user"
    put(user, ".codex/sessions/2026/03/10/rollout-a.jsonl", "codex-huge-tool-dump.jsonl", 1000)
    broken = put(user, ".codex/sessions/2026/03/11/rollout-b.jsonl", "codex-huge-tool-dump.jsonl", 2000)
    broken.write_text("{not json", encoding="utf-8")
    assert "rollout-a.jsonl" in ferrule("try").out


def test_json_gives_the_whole_review(tmp_path: Path, ferrule: Callable[..., Any]) -> None:
    """The same object as `review --json`, with the file that was taken."""
    path = put(tmp_path / "user", ".claude/projects/-x/a.jsonl", "claude-code-small-talk.jsonl", 1000)
    (row,) = ferrule("try", "--json").rows()
    assert row["file"] == str(path)
    assert len(row["review"]["reviews"]) == 2

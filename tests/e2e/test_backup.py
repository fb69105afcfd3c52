"""`ferrule memory backup` and `restore`: shown first, asked about, and what was there is kept."""

import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import ferrule as package
from ferrule.memory.artifact import artifact_path

SAMPLES = Path(package.__file__).parent / "samples"


class Terminal(StringIO):
    """A stream that a person sits at."""

    def isatty(self) -> bool:
        """There is one."""
        return True


@pytest.fixture
def reviewed(ferrule: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A home with one reviewed session, and no worker."""
    monkeypatch.setenv("FERRULE_WORKER", "off")
    assert ferrule("review", str(SAMPLES / "codex-pull-request-and-worktree.jsonl")).code == 0
    return ferrule


def listed(command: Callable[..., Any], *words: str) -> list[str]:
    """The names that are remembered."""
    return [row["name"] for row in command("memory", "list", "--json", *words).rows()]


def test_a_backup_goes_out_and_comes_back(reviewed: Callable[..., Any], home: Path, tmp_path: Path) -> None:
    """DEC-D8, CASE-N14: shown with --yes or not at all; the readable file follows; it can be restored elsewhere too."""
    before = listed(reviewed)
    assert before
    (told,) = reviewed("memory", "backup", f"{tmp_path}/", "--json").rows()
    file = told["file"]
    assert Path(file).is_file()
    assert "checked" in reviewed("memory", "backup", str(tmp_path / "second.sqlite3")).out
    again = reviewed("memory", "backup", str(tmp_path / "second.sqlite3"))
    assert (again.code, "overwrites nothing" in again.err) == (2, True)
    assert reviewed("memory", "forget", before[0], "--yes").code == 0
    shown = reviewed("memory", "restore", file)
    assert shown.code == 1
    assert "were forgotten since" in shown.out
    assert before[0] in shown.out
    assert "do it with --yes" in shown.out
    (row,) = reviewed("memory", "restore", file, "--json").rows()
    assert (row["done"], row["no_longer_forgotten"]["count"], row["same_history"]) == (False, 1, True)
    assert before[0] not in listed(reviewed)
    done = reviewed("memory", "restore", file, "--yes")
    assert done.code == 0
    assert listed(reviewed) == before
    key = reviewed("sessions", "list", "--json").rows()[0]["session"]
    assert before[0] in artifact_path(home, key).read_text(encoding="utf-8")
    assert reviewed("memory", "verify").code == 0
    other = str(tmp_path / "other")
    assert reviewed("memory", "restore", file, "--home", other).code == 1
    assert not Path(other).exists()
    assert reviewed("memory", "restore", file, "--home", other, "--yes").code == 0
    assert listed(reviewed, "--home", other) == before


def test_a_person_at_a_terminal_is_asked(
    reviewed: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DEC-D8: no is no, and so is silence; yes does it."""
    file = reviewed("memory", "backup", f"{tmp_path}/", "--json").rows()[0]["file"]
    before = listed(reviewed)
    reviewed("memory", "forget", before[0], "--yes")
    for answer, done in (("", False), ("n\n", False), ("y\n", True)):
        monkeypatch.setattr(sys, "stdin", Terminal(answer))
        screen = Terminal()
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", screen)
            code = reviewed("memory", "restore", file).code
        assert code == (0 if done else 1)
        assert "Restore it? [y/N]" in screen.getvalue()
        assert (listed(reviewed) == before) == done


def test_what_cannot_be_backed_up_or_restored_says_why(
    ferrule: Callable[..., Any], reviewed: Callable[..., Any], home: Path, tmp_path: Path
) -> None:
    """R59, CASE-N01: no home, no folder, a place inside the home, no backup: one line and nothing made."""
    assert ferrule("memory", "backup", str(tmp_path / "x"), "--home", str(tmp_path / "none")).code == 2
    assert ferrule("memory", "backup", str(tmp_path / "no" / "x")).code == 2
    assert ferrule("memory", "backup", str(home / "x")).code == 2
    assert ferrule("memory", "restore", str(tmp_path / "x"), "--yes").code == 4
    (tmp_path / "y").write_text("no backup", encoding="utf-8")
    assert ferrule("memory", "restore", str(tmp_path / "y"), "--yes").code == 4
    assert not (tmp_path / "none").exists()
    assert listed(reviewed)

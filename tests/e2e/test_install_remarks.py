"""What installing says beside what it does: options, texts of commands, and what a person should know."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from client_homes import User, a_user

from ferrule.wiring import installing

from .conftest import Ferrule


@pytest.fixture
def user(home: Path) -> User:
    """A person who has used both clients; HOME leads there."""
    assert home is not None
    return a_user(Path(os.environ["HOME"]))


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The texts of commands that this Ferrule ships."""
    folder = tmp_path / "texts"
    for client in ("claude-code", "codex"):
        (folder / client).mkdir(parents=True)
        (folder / client / "show.md").write_text("run {{ferrule}} memory list --home {{home}}\n")
    monkeypatch.setattr(installing, "TEXTS", folder)
    return folder


@pytest.mark.parametrize("where", [("claude-code", ".claude/commands/ferrule"), ("codex", ".codex/skills/ferrule")])
def test_commands_are_written_with_what_they_run(
    ferrule: Ferrule, user: User, texts: Path, where: tuple[str, str]
) -> None:
    """`{{ferrule}}` and `{{home}}` become what a shell runs; after an upgrade the text is the new one."""
    client, place = where
    home = texts.parent / "a home"
    assert ferrule("install", client, "--yes", "--home", str(home)).code == 0
    file = user.home / place / "show.md"
    assert file.read_text() == f"run {sys.executable} -P -m ferrule memory list --home '{home}'\n"
    (texts / client / "show.md").rename(texts / client / "list.md")
    assert ferrule("install", client, "--yes", "--home", str(home)).code == 0
    assert [path.name for path in file.parent.iterdir()] == ["list.md"]
    assert ferrule("uninstall", client, "--yes", "--home", str(home)).code == 0
    assert not file.parent.exists()


def test_the_status_line_comes_when_asked_for_and_stays(ferrule: Ferrule, user: User) -> None:
    """Installing again, as after an upgrade, keeps it; uninstalling takes it."""
    before = user.files()
    ferrule("install", "claude-code", "--yes")
    assert "statusLine" not in json.loads(user.settings.read_text())
    ferrule("install", "claude-code", "--status-line", "--yes")
    assert "already installed" in ferrule("install", "claude-code", "--yes").out
    line = json.loads(user.settings.read_text())["statusLine"]
    assert line["type"] == "command"
    assert " -I -S " in line["command"]
    assert "/interfaces/hook/status_line.py --home " in line["command"]
    ferrule("uninstall", "claude-code", "--yes")
    assert user.files() == before


def test_a_status_line_of_the_person_s_own_stays(ferrule: Ferrule, user: User) -> None:
    """Said with what to call in it; nothing is written."""
    user.settings.write_text('{"statusLine": {"type": "command", "command": "mine"}}')
    before = user.files()
    told = ferrule("install", "claude-code", "--status-line", "--yes")
    assert told.code == 2
    assert "/interfaces/hook/status_line.py --home " in told.err
    assert user.files() == before
    assert ferrule("install", "claude-code", "--yes").code == 0


def test_a_server_of_the_same_name_stays(ferrule: Ferrule, user: User) -> None:
    """Another's entry under our name is a conflict, and `--no-mcp` a way round it."""
    user.config.write_text('[mcp_servers.ferrule]\ncommand = "theirs"\n')
    told = ferrule("install", "codex", "--yes")
    assert told.code == 2
    assert f"{user.config}: it has an MCP server named ferrule that is not ours" in told.err
    assert ferrule("install", "codex", "--no-mcp", "--yes").code == 0
    ferrule("uninstall", "codex", "--yes")
    assert user.config.read_text() == '[mcp_servers.ferrule]\ncommand = "theirs"\n'


def test_what_a_person_should_know_is_said(
    ferrule: Ferrule, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interpreter that may vanish, hooks in two files, a status line that there is not."""
    python = tmp_path / ".cache" / "uv" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    monkeypatch.setattr(sys, "executable", str(python))
    user.config.write_text('[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "x"\n')
    told = ferrule("install", "codex", "--status-line", "--yes")
    for words in ("is in a cache and may vanish", "Codex reads both files", "--status-line changes nothing"):
        assert words in told.out


def test_a_client_that_is_not_here_is_remarked_on(
    ferrule: Ferrule, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Perhaps the other client was meant; it is done all the same."""
    monkeypatch.setenv("PATH", str(home))
    assert shutil.which("codex") is None
    told = ferrule("install", "codex", "--yes")
    assert told.code == 0
    assert "Codex has not been used here" in told.out


def test_hooks_that_move_up_are_remarked_on(ferrule: Ferrule, user: User) -> None:
    """Codex knows a hook by its number: it will ask again for those behind ours."""
    ferrule("install", "codex", "--yes")
    value = json.loads(user.hooks.read_text())
    value["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "theirs"}]})
    user.hooks.write_text(json.dumps(value))
    assert "hooks of yours stand behind" in ferrule("uninstall", "codex", "--yes").out
    assert json.loads(user.hooks.read_text())["hooks"]["Stop"] == value["hooks"]["Stop"][1:]


def test_who_reads_only_the_beginning_gets_it_all_the_same(user: User, home: Path) -> None:
    """`ferrule install codex --yes | head -1` installs."""
    environment = {"HOME": str(user.home), "FERRULE_HOME": str(home), "FERRULE_WORKER": "off", "PATH": os.defpath}
    command = [sys.executable, "-P", "-m", "ferrule", "install", "codex", "--yes"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)  # noqa: S603
    assert process.stdout is not None
    process.stdout.close()
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (0, b"")
    assert "hook.py" in user.hooks.read_text()


def test_a_text_of_ours_is_known_without_a_record(
    ferrule: Ferrule, user: User, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The home was thrown away and the interpreter moved: texts are renewed and go, but not one that was changed."""
    before = user.files()
    ferrule("install", "claude-code", "--yes")
    shutil.rmtree(home)
    monkeypatch.setattr(sys, "executable", "/other/python")
    assert ferrule("install", "claude-code", "--yes").code == 0
    show = user.home / ".claude" / "commands" / "ferrule" / "show.md"
    assert "/other/python -P -m ferrule" in show.read_text()
    shutil.rmtree(home)
    monkeypatch.setattr(sys, "executable", "/third/python")
    show.write_text(show.read_text() + "mine")
    assert "show.md stays" in ferrule("uninstall", "claude-code", "--yes").out
    assert set(user.files()) == {*before, ".claude/commands/ferrule/show.md"}


@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_no_folder_by_our_name_is_left_without_a_record(ferrule: Ferrule, user: User, home: Path, client: str) -> None:
    """The home was thrown away: who made the folders is not known, but nobody else calls one so."""
    assert ferrule("install", client, "--yes").code == 0
    shutil.rmtree(home)
    assert ferrule("uninstall", client, "--yes").code == 0
    assert not [name for name in user.folders() if "ferrule" in name]


def test_texts_are_named_and_a_dry_run_shows_every_line(ferrule: Ferrule, user: User, texts: Path) -> None:
    """Seven commands are a long page; who wants to read them can."""
    assert user.home.exists()
    assert texts.is_dir()
    short, long = ferrule("install", "claude-code").out, ferrule("install", "claude-code", "--dry-run").out
    assert "show.md  the command /ferrule:show" in short
    assert "memory list" not in short
    assert "memory list" in long

"""Installing and uninstalling as a person does it, through the real command line, with stand-in client folders."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from client_homes import User, a_user

from ferrule.wiring.settings import read_settings

from .conftest import Ferrule

CLIENTS = ["claude-code", "codex"]


@pytest.fixture
def user(home: Path) -> User:
    """A person who has used both clients; HOME leads there."""
    assert home is not None
    return a_user(Path(os.environ["HOME"]))


@pytest.mark.parametrize("client", CLIENTS)
def test_install_and_uninstall_leave_every_byte(ferrule: Ferrule, user: User, home: Path, client: str) -> None:
    """Issue 4: the client's files are as they were; what was made is gone, the home too as nothing is in it."""
    before, folders = user.files(), user.folders()
    assert ferrule("install", client, "--yes").code == 0
    assert user.files() != before
    told = ferrule("uninstall", client, "--yes")
    assert told.code == 0
    assert "No trace is left" in told.out
    assert (user.files(), user.folders(), home.exists()) == (before, folders, False)


def test_before_the_first_turn_nobody_is_sent_away_to_begin(ferrule: Ferrule, user: User) -> None:
    """Who installed has begun: what is missing is a turn, and what could keep it away is the doctor's to say."""
    assert user.home.is_dir()
    assert ferrule("install", "codex", "--yes").code == 0
    for words in (("status",), ("log",), ("memory", "list"), ("worker", "--once")):
        told = ferrule(*words)
        assert told.code == 2
        assert "no turn was reported to" in told.err
        assert "ferrule doctor" in told.err


def test_what_was_remembered_stays(ferrule: Ferrule, user: User, home: Path) -> None:
    """Uninstalling is no forgetting, and says so."""
    assert user is not None
    ferrule("install", "codex", "--yes")
    (home / "ferrule.sqlite3").write_bytes(b"memory")
    assert f"What was remembered stays in {home}" in ferrule("uninstall", "codex", "--yes").out
    assert [path.name for path in home.iterdir()] == ["ferrule.sqlite3"]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_second_install_changes_nothing(ferrule: Ferrule, user: User, home: Path, client: str) -> None:
    """Idempotent: the same files, the same record, and it says so."""
    ferrule("install", client, "--yes")
    files, record = user.files(), (home / "clients" / f"{client}.json").read_bytes()
    told = ferrule("install", client, "--yes")
    assert (told.code, told.out.count("\n")) == (0, 1)
    assert "already installed" in told.out
    assert (user.files(), (home / "clients" / f"{client}.json").read_bytes()) == (files, record)


@pytest.mark.parametrize("client", CLIENTS)
def test_without_a_yes_it_is_only_shown(ferrule: Ferrule, user: User, home: Path, client: str) -> None:
    """The change is shown first, with what it means; nothing is written, and in a pipe nobody is asked."""
    before = user.files()
    assert ferrule("install", client, "--dry-run", "--yes").code == 0
    told = ferrule("install", client)
    assert told.code == 1
    assert "the agent can search its memory" in told.out
    assert "the first completed main turn of a session is attached" in told.out
    assert "Nothing was written" in told.out
    assert (user.files(), home.exists()) == (before, False)


def test_both_clients_come_and_go_apart(ferrule: Ferrule, user: User) -> None:
    """In any order, neither touches the other's files."""
    before = user.files()
    ferrule("install", "claude-code", "--yes")
    ferrule("install", "codex", "--yes")
    ferrule("uninstall", "claude-code", "--yes")
    assert user.settings.read_bytes() == before[".claude/settings.json"]
    assert tomllib.loads(user.config.read_text())["mcp_servers"]["ferrule"]["command"] == sys.executable
    ferrule("uninstall", "codex", "--yes")
    assert user.files() == before


def test_a_person_without_any_configuration_gets_one_and_loses_it_again(ferrule: Ferrule, home: Path) -> None:
    """Files and folders that install made go with uninstall, the home too when nothing is in it."""
    user = User(Path(os.environ["HOME"]))
    for client in CLIENTS:
        assert ferrule("install", client, "--yes").code == 0
    assert ferrule("doctor", "--json").out
    for client in CLIENTS:
        assert ferrule("uninstall", client, "--yes").code == 0
    assert (user.files(), list(Path(os.environ["HOME"]).rglob("*")), home.exists()) == ({}, [], False)


@pytest.mark.parametrize("client", CLIENTS)
def test_the_attach_mode_is_the_home_s_setting(ferrule: Ferrule, user: User, home: Path, client: str) -> None:
    """`--attach manual` is written beside what else is set, and stays when the next install does not say."""
    assert user is not None
    home.mkdir()
    (home / "settings.toml").write_text("# mine\nretention_days = 3 # short\n")
    told = ferrule("install", client, "--attach", "manual", "--yes")
    assert "until you give a turn a thumbs-up" in told.out
    assert (home / "settings.toml").read_text() == 'attach = "manual"\n# mine\nretention_days = 3 # short\n'
    ferrule("install", "codex", "--yes")
    assert read_settings(home).attach == "manual"
    ferrule("install", "codex", "--attach", "auto", "--yes")
    assert read_settings(home).attach == "auto"


def test_the_hook_s_entry_runs_as_the_client_runs_it(ferrule: Ferrule, user: User, tmp_path: Path) -> None:
    """The command out of the file, through a shell, elsewhere, with an empty environment, for a home of odd letters."""
    home = tmp_path / 'a home\'s "$name"'
    for client, file in (("claude-code", user.settings), ("codex", user.hooks)):
        assert ferrule("install", client, "--yes", "--home", str(home)).code == 0
        payload = {
            "session_id": f"s-{client}",
            "transcript_path": str(tmp_path / "t.jsonl"),
            "hook_event_name": "Stop",
            "prompt_id": "p1",
            "turn_id": "p1",
            "last_assistant_message": "done",
        }
        ended = subprocess.run(  # noqa: S602 - as the client runs it
            str(user.hook(file)["command"]),
            shell=True,
            input=json.dumps(payload).encode(),
            capture_output=True,
            timeout=60,
            check=False,
            cwd="/",
            env={"FERRULE_WORKER": "off"},
        )
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
        spooled = [json.loads(path.read_bytes()) for path in (home / "spool").glob("*.json")]
        assert ("turn", client, f"s-{client}", "p1") in [
            (one["kind"], one["client"], one["session"], one["turn"]) for one in spooled
        ]


def test_the_server_s_entry_starts_this_ferrule_from_any_folder(ferrule: Ferrule, user: User, tmp_path: Path) -> None:
    """A project with a module of our name, or of one of ours, does not come before our own (-P)."""
    ferrule("install", "claude-code", "--yes")
    (tmp_path / "ferrule.py").write_text("raise SystemExit(9)")
    (tmp_path / "json.py").write_text("raise SystemExit(9)")
    server = json.loads(user.servers.read_text())["mcpServers"]["ferrule"]
    ended = subprocess.run(  # noqa: S603 - the entry's own words
        [server["command"], *server["args"], "--help"],
        capture_output=True,
        timeout=60,
        check=False,
        cwd=tmp_path,
        env={},
    )
    assert ended.returncode == 0, ended.stderr
    assert b"ferrule mcp" in ended.stdout


def test_an_upgrade_with_a_moved_interpreter_mends_its_own_entries(
    ferrule: Ferrule, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only ours change; uninstall still gives back every byte."""
    before = user.files()
    ferrule("install", "claude-code", "--yes")
    ferrule("install", "codex", "--yes")
    monkeypatch.setattr(sys, "executable", "/somewhere/else/python")
    for client in CLIENTS:
        told = ferrule("install", client, "--yes")
        assert "mends or completes" in told.out
    for text in (user.settings, user.servers, user.hooks, user.config):
        assert "/somewhere/else/python" in text.read_text()
    for client in CLIENTS:
        ferrule("uninstall", client, "--yes")
    assert user.files() == before


def test_another_folder_is_written_to_when_it_is_named(ferrule: Ferrule, user: User, tmp_path: Path) -> None:
    """`--config-dir`, and the client's own variable: the servers are inside it then."""
    before = user.files()
    folder = tmp_path / "other"
    ferrule("install", "claude-code", "--config-dir", str(folder), "--yes")
    assert {path.name for path in folder.rglob("*.json")} == {"settings.json", ".claude.json"}
    assert ferrule("uninstall", "claude-code", "--yes").code == 0
    assert (user.files(), folder.exists()) == (before, False)


@pytest.mark.parametrize("order", ["first", "last"])
def test_two_folders_of_one_client_come_and_go_apart(ferrule: Ferrule, home: Path, tmp_path: Path, order: str) -> None:
    """Two accounts with one memory: each folder is given back as it was, in whichever order."""
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    (one / "settings.json").write_text("{ }")
    for folder in (one, two):
        assert ferrule("install", "claude-code", "--config-dir", str(folder), "--yes").code == 0
    again = ferrule("install", "claude-code", "--config-dir", str(one), "--yes")
    assert "already installed" in again.out
    for folder in (one, two) if order == "first" else (two, one):
        assert ferrule("uninstall", "claude-code", "--config-dir", str(folder), "--yes").code == 0
    assert {path.name: path.read_text() for path in one.rglob("*")} == {"settings.json": "{ }"}
    assert (two.exists(), home.exists()) == (False, False)


def test_the_client_s_own_variable_is_heard(ferrule: Ferrule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CLAUDE_CONFIG_DIR and CODEX_HOME name the folder, as for the clients."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "c"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "x"))
    for client in CLIENTS:
        ferrule("install", client, "--yes")
    assert {path.name for path in (tmp_path / "c").iterdir() if path.is_file()} == {"settings.json", ".claude.json"}
    assert {path.name for path in (tmp_path / "x").iterdir() if path.is_file()} == {"hooks.json", "config.toml"}


def test_secrets_beside_the_change_are_not_shown(ferrule: Ferrule, user: User) -> None:
    """A preview is copied into an issue sooner than one thinks."""
    token = "sk-ant-api03-" + "Zx9" * 20
    user.servers.write_text(json.dumps({"token": token}, indent=2))
    told = ferrule("install", "claude-code")
    assert '"mcpServers"' in told.out
    assert token not in told.out


@pytest.mark.parametrize("client", CLIENTS)
def test_json_says_the_same(ferrule: Ferrule, user: User, client: str) -> None:
    """One object: what changes, what to do next, and whether it was done."""
    before = user.files()
    (shown,) = ferrule("install", client, "--json").rows()
    assert (shown["done"], shown["client"], shown["attach"]) == (False, client, "auto")
    assert user.files() == before
    (done,) = ferrule("install", client, "--json", "--yes").rows()
    assert [one["path"] for one in done["files"]] == [one["path"] for one in shown["files"]]
    assert done["done"]
    (again,) = ferrule("install", client, "--json").rows()
    assert (again["files"], again["done"]) == ([], True)
    (gone,) = ferrule("uninstall", client, "--json", "--yes").rows()
    assert gone["done"]
    assert user.files() == before


MISTAKES = [
    (("install", "emacs"), 2, "no client 'emacs'; there are: claude-code, codex"),
    (("install", "codex", "--attach", "later"), 2, "--attach is auto or manual"),
    (("install", "codex", "--home", "/a\nb"), 2, "cannot be written into a configuration"),
]


@pytest.mark.parametrize(("words", "code", "line"), MISTAKES)
def test_a_mistake_is_one_line(ferrule: Ferrule, words: tuple[str, ...], code: int, line: str) -> None:
    """CASE-K12: no traceback for a user's mistake."""
    told = ferrule(*words, "--yes")
    assert (told.code, told.err.count("\n")) == (code, 1)
    assert line in told.err


def test_a_file_that_is_no_json_is_named_and_nothing_is_written(ferrule: Ferrule, user: User, home: Path) -> None:
    """CASE-K12: a remark in it, say; the other files stay as they are too."""
    user.settings.write_text('{\n  // my remark\n  "model": "x"\n}')
    before = user.files()
    told = ferrule("install", "claude-code", "--yes")
    assert (told.code, told.err.count("\n")) == (3, 1)
    assert f"{user.settings}: it is not JSON: line 2, column 3" in told.err
    assert (user.files(), home.exists()) == (before, False)


def test_a_read_only_file_is_told_and_nothing_is_written(ferrule: Ferrule, user: User) -> None:
    """As where a system generates its dotfiles."""
    user.config.chmod(0o444)
    before = user.files()
    told = ferrule("install", "codex", "--yes")
    assert told.code == 2
    assert "is read-only" in told.err
    assert user.files() == before

"""A person says where there is quiet, and nothing of it is captured: by hooks, by commands, by nobody."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from follow_cases import event, put, turn
from hook_cases import Claude, Codex, run_hook

from .conftest import Ferrule

WORDS = "kingfisher"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository of the person's."""
    project = tmp_path / "user" / "shop"
    (project / "src").mkdir(parents=True)
    (project / ".git").mkdir()
    return project


def reported(ferrule: Ferrule, home: Path, client: Claude | Codex) -> None:
    """The client's turn ends, and a worker looks."""
    name = "claude-code" if isinstance(client, Claude) else "codex"
    assert run_hook(name, client.stop(), home).returncode == 0
    assert ferrule("worker", "--once").code == 0


def claude(tmp_path: Path, cwd: Path) -> Claude:
    """A session of Claude Code there, with a turn that would be remembered."""
    pull = f"https://git.example/harbor/{WORDS}/pull/41"
    client = Claude(tmp_path / "client", cwd=str(cwd)).asks(f"Open a pull request for {WORDS}.")
    client.calls("Bash", pull, command="gh pr create --fill")
    return client.says(f"I opened {pull}.").written()


def everything(home: Path) -> bytes:
    """All that the home holds."""
    return b"".join(path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file())


def by_command(ferrule: Ferrule, home: Path, project: Path) -> None:
    """`ferrule off`, from a folder inside."""
    assert ferrule("off", str(project / "src")).code == 0
    assert home.is_dir()


def by_file(_: Ferrule, home: Path, project: Path) -> None:
    """A file in the repository."""
    (project / ".ferrule").mkdir()
    (project / ".ferrule" / "off").touch()
    assert not home.exists()


def by_pattern(_: Ferrule, home: Path, project: Path) -> None:
    """A pattern of the settings."""
    home.mkdir()
    (home / "settings.toml").write_text('ignore = ["~/sh?p"]\n')
    assert project.is_dir()


WAYS = (by_command, by_file, by_pattern)


@pytest.mark.parametrize("way", WAYS)
def test_nothing_of_a_turn_in_a_project_that_is_off_is_kept(
    ferrule: Ferrule, home: Path, project: Path, tmp_path: Path, *, way: Callable[..., None]
) -> None:
    """DEC-D13: the report is dropped, and neither a word nor a name of the turn or session is anywhere in the home."""
    way(ferrule, home, project)
    client = claude(tmp_path, project / "src")
    reported(ferrule, home, client)
    assert not list((home / "spool").glob("*.json"))
    assert json.loads(ferrule("sessions", "list", "--json").out or "{}") == {}
    held = everything(home)
    assert WORDS.encode() not in held
    assert client.session.encode() not in held


def test_a_turn_that_steps_into_a_project_that_is_off_is_not_kept(
    ferrule: Ferrule, home: Path, project: Path, tmp_path: Path
) -> None:
    """Though its session began elsewhere and went back there; the next one, which stays away, is."""
    assert ferrule("off", str(project)).code == 0
    elsewhere = str(tmp_path / "elsewhere")
    client = Claude(tmp_path / "client", cwd=elsewhere).asks(f"Look at {WORDS}.")
    client.cwd = str(project / "src")
    client.calls("Bash", WORDS, command="cat notes")
    client.cwd = elsewhere
    reported(ferrule, home, client.says(f"It says {WORDS}.").written())
    assert WORDS.encode() not in everything(home)
    reported(ferrule, home, client.asks("Thanks.").says("You are welcome.").written())
    (row,) = ferrule("log", "--all", "--json").rows()
    assert row["ordinal"] == 2


@pytest.mark.parametrize("way", WAYS)
def test_a_command_on_such_a_project_is_declined_until_it_is_meant_anyway(
    ferrule: Ferrule, home: Path, project: Path, tmp_path: Path, *, way: Callable[..., None]
) -> None:
    """R73: each says why, keeps nothing, and does it with --anyway."""
    way(ferrule, home, project)
    handed = put(tmp_path / "turn.json", turn(1, cwd=str(project), user={"text": f"Write {WORDS}.md"}))
    envelope = put(tmp_path / "event.json", event(1))
    attach = ("attach", "--from", handed)
    for words in (
        attach,
        ("dispatch", envelope, "--from", handed),
        ("thumbs-up", "desk 1", "k1", "--from", handed),
        ("feedback", "desk 1", "k1", "down", "--from", handed),
        ("catch-up", "--from", handed),
    ):
        told = ferrule(*words)
        assert told.code == 1, words
        assert "nothing of it is captured" in told.out + told.err
        assert "--anyway" in told.out + told.err
    (report,) = ferrule("review", handed, "--json").rows()
    assert (report["reviews"], report["skipped"]) == ([], [{"turn": "k1", "reason": "project-off"}])
    assert "skipped (project-off)" in ferrule("review", handed).out
    assert WORDS.encode() not in everything(home)
    assert ferrule("sessions", "list", "--json").out == ""
    assert ferrule(*attach, "--anyway").code == 0
    assert len(ferrule("sessions", "list", "--json").rows()) == 1


def test_what_waits_is_withdrawn_and_what_is_remembered_stays(
    ferrule: Ferrule, home: Path, project: Path, tmp_path: Path
) -> None:
    """R96: off and on again; later turns are followed as before, the withdrawn one is not reviewed by itself."""
    client = claude(tmp_path, project)
    reported(ferrule, home, client)
    key = f"claude-code:{client.session}"
    assert ferrule("pause").code == 0
    client.asks("And notes/heron.md?").says("I read `notes/heron.md`.").written()
    reported(ferrule, home, client)
    told = ferrule("off", str(project))
    assert "1 turn that waited withdrawn" in told.out
    assert "stays: 1 memory of 1 session" in told.out
    assert "capture" in ferrule("status").out
    (row, _) = ferrule("status", "--json").rows()
    assert row["off"] == f"{project} is off"
    assert ferrule("resume").code == 0
    client.asks("And notes/egret.md?").says("I read `notes/egret.md`.").written()
    reported(ferrule, home, client)
    assert len(ferrule("log", key, "--json").rows()) == 1
    assert len(ferrule("memory", "list", "--session", key, "--json").rows()) == 1
    assert ferrule("on", str(project)).code == 0
    client.asks("And notes/crane.md?").says("I read `notes/crane.md`.").written()
    reported(ferrule, home, client)
    assert [row["ordinal"] for row in ferrule("log", key, "--json").rows()] == [1, 4]


def test_on_says_what_still_keeps_a_project_off(ferrule: Ferrule, home: Path, project: Path) -> None:
    """A file, a pattern, a folder around it: each by its name, with exit code 1."""
    by_file(ferrule, home, project)
    assert ferrule("off", str(project)).code == 0
    told = ferrule("on", str(project))
    assert (told.code, str(project / ".ferrule" / "off") in told.out) == (1, True)
    (project / ".ferrule" / "off").unlink()
    assert ferrule("off", str(project.parent)).code == 0
    told = ferrule("on", str(project))
    assert (told.code, f"ferrule on {project.parent}" in told.out) == (1, True)
    assert ferrule("on", str(project.parent)).code == 0
    assert "was not off" in ferrule("on", str(project)).out


def test_the_settings_keep_every_other_byte(ferrule: Ferrule, home: Path, project: Path) -> None:
    """A person's own lines, their comments and their order stay."""
    home.mkdir()
    before = '# mine\nattach = "manual"  # so\nignore = [ "~/other" ]\n\n[profiles.codex]\nmain = "buffaly-agent"\n'
    (home / "settings.toml").write_text(before)
    assert ferrule("off", str(project)).code == 0
    after = (home / "settings.toml").read_text()
    assert after == f'off = ["{project}"]\n{before}'
    assert ferrule("on", str(project)).code == 0
    assert (home / "settings.toml").read_text() == f"off = []\n{before}"


def test_a_paused_project_pauses_its_sessions_and_those_that_come(
    ferrule: Ferrule, home: Path, project: Path, tmp_path: Path
) -> None:
    """Turns queue, nothing is reviewed, and all of it goes on afterwards."""
    client = claude(tmp_path, project)
    reported(ferrule, home, client)
    assert ferrule("pause", "--project", str(project / "src")).code == 0
    client.asks("And notes/heron.md?").says("I read `notes/heron.md`.").written()
    reported(ferrule, home, client)
    codex = Codex(tmp_path / "codex", cwd=str(project)).asks("Open a pull request.")
    codex.calls("gh pr create --fill", "https://git.example/harbor/kestrel/pull/41")
    codex.says("I opened https://git.example/harbor/kestrel/pull/41.").completes().written()
    reported(ferrule, home, codex)
    assert [row["outcome"] for row in ferrule("log", "--all", "--json").rows()] == ["wrote", "waiting", "waiting"]
    told = ferrule("resume", "--project", str(project))
    assert (told.code, "2 turns waiting" in told.out) == (0, True)
    assert ferrule("worker", "--once").code == 0
    assert "waiting" not in {row["outcome"] for row in ferrule("log", "--all", "--json").rows()}


@pytest.mark.parametrize("settings", ['ignore = ["private"]', 'off = "x"', "ignore = [1]"])
def test_a_wrong_setting_is_one_clear_line(ferrule: Ferrule, home: Path, settings: str) -> None:
    """Nothing is done until it is right: whether something is off cannot be told."""
    home.mkdir()
    (home / "settings.toml").write_text(settings)
    told = ferrule("off", ".")
    assert told.code == 2
    assert "settings.toml" in told.err
    assert told.err.count("\n") == 1

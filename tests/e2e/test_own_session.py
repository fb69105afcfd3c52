"""A client's commands act on the session in which they were typed, or on none; and the texts of those commands hold."""

import json
import re
from argparse import ArgumentParser
from pathlib import Path

import pytest
from hook_cases import Claude, Codex, run_hook

from ferrule.interfaces.cli.table import command_named

from .conftest import Ferrule

TEXTS = Path(__file__).parents[2] / "src" / "ferrule" / "interfaces" / "commands"
OTHER = "7d3f9b52-0000-4000-8000-0000000000ff"
LINE = re.compile(r"\{\{ferrule\}\} ((?:[^`\n]|\\`)+)")
HERE = ("--client", "claude-code", "--here")
ACTS = (["memory", "list"], ["thumbs-up"], ["pause"], ["memory", "forget", "--all", "--yes"])


@pytest.fixture(autouse=True)
def _no_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """No client runs these tests, whoever does."""
    for name in ("CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"):
        monkeypatch.delenv(name, raising=False)


def session(ferrule: Ferrule, home: Path, client: Claude, number: int) -> str:
    """A session with one reviewed turn that opened a pull request; its key."""
    pull = f"https://git.example/harbor/kestrel/pull/{number}"
    client.asks("Open a pull request.").calls("Bash", pull, command="gh pr create --fill")
    client.says(f"I opened {pull}.").written()
    assert run_hook("claude-code", client.stop(), home).returncode == 0
    assert ferrule("worker", "--once").code == 0
    return f"claude-code:{client.session}"


@pytest.fixture
def two(ferrule: Ferrule, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Claude, Claude]:
    """Two sessions in this folder; the second is the newest."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    first = Claude(tmp_path / "client", cwd=str(tmp_path / "work"))
    second = Claude(tmp_path / "client", session=OTHER, cwd=str(tmp_path / "work"))
    for number, client in enumerate((first, second), 41):
        session(ferrule, home, client, number)
    return first, second


def test_the_session_is_the_one_that_the_client_tells(
    ferrule: Ferrule, two: tuple[Claude, Claude], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the id in the words, else by the client's own variable; the newest one has no say."""
    for number, client in enumerate(two, 41):
        (row,) = ferrule("memory", "list", *HERE, "--id", client.session, "--json").rows()
        assert f"pull/{number}" in json.dumps(row)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", two[0].session)
    (row,) = ferrule("memory", "list", *HERE, "--id", "", "--json").rows()
    assert "pull/41" in json.dumps(row)
    assert ferrule("pause", *HERE).code == 0
    paused = {row["session"]: row["paused"] for row in ferrule("status", "--all", "--json").rows() if "session" in row}
    assert paused == {f"claude-code:{two[0].session}": True, f"claude-code:{two[1].session}": False}


@pytest.mark.parametrize(
    "words", [["memory", "list"], ["thumbs-up"], ["pause"], ["memory", "forget", "--all", "--yes"]]
)
def test_nothing_is_done_where_it_is_not_clear(ferrule: Ferrule, two: tuple[Claude, Claude], words: list[str]) -> None:
    """Two sessions in one folder and no word of the client; or an id that nobody knows: both are said."""
    told = ferrule(*words, *HERE)
    assert (told.code, told.out) == (2, "")
    assert all(client.session in told.err for client in two)
    told = ferrule(*words, *HERE, "--id", "nobody")
    assert (told.code, told.out) == (2, "")
    assert "not known yet" in told.err
    assert len(ferrule("memory", "list", "--session", f"claude-code:{OTHER}", "--json").rows()) == 1


def test_the_only_session_of_a_folder_needs_no_word(ferrule: Ferrule, home: Path, tmp_path: Path) -> None:
    """Not one of another client, or of another folder."""
    told = ferrule("status", *HERE)
    assert told.code == 2
    cwd = str(Path.cwd())
    session(ferrule, home, Claude(tmp_path / "client", cwd=cwd), 41)
    session(ferrule, home, Claude(tmp_path / "client", session=OTHER, cwd=str(tmp_path)), 42)
    assert ferrule("status", *HERE).code == 0
    assert ferrule("status", "--client", "codex", "--here").code == 2
    assert "--here needs --client" in ferrule("status", "--here").err


def test_a_thumbs_up_takes_the_turn_that_was_completed_last(ferrule: Ferrule, home: Path, tmp_path: Path) -> None:
    """R73, R75: in manual mode it attaches by exactly that turn; one that is still being read is waited for."""
    home.mkdir()
    (home / "settings.toml").write_text('attach = "manual"\n')
    client = Claude(tmp_path / "client")
    for text in ("Open a pull request.", "And another."):
        client.asks(text).says("I opened https://git.example/harbor/kestrel/pull/41.").written()
        assert run_hook("claude-code", client.stop(), home).returncode == 0
        told = ferrule("thumbs-up", *HERE, "--id", client.session)
        assert (told.code, told.out) == (2, "")
        assert ferrule("worker", "--once").code == 0
    assert ferrule("log", "last", "--json").rows() == []
    assert [row["outcome"] for row in ferrule("log", "--all", "--json").rows()] == ["not reviewed"] * 2
    told = ferrule("thumbs-up", *HERE, "--id", client.session)
    assert (told.code, '2  "And another."' in told.out) == (0, True)
    assert ferrule("worker", "--once").code == 0
    assert [row["ordinal"] for row in ferrule("log", "last", "--json").rows()] == [2]
    assert ferrule("thumbs-up", "last").code == 2


def test_ferrule_s_own_commands_are_no_turns(ferrule: Ferrule, home: Path, tmp_path: Path) -> None:
    """PEER-D02: what Ferrule printed there is nothing to learn from, and nobody is told of it each time."""
    client = Claude(tmp_path / "client")
    key = session(ferrule, home, client, 41)
    client.asks("<command-message>ferrule:show</command-message>\n<command-name>/ferrule:show</command-name>")
    client.says("PullRequest42  https://git.example/harbor/kestrel/pull/42").written()
    assert run_hook("claude-code", client.stop(), home).returncode == 0
    assert ferrule("worker", "--once").code == 0
    assert [row["turn"] for row in ferrule("log", "--all", "--json").rows()] == [client.lines[0]["uuid"]]
    assert len(ferrule("memory", "list", "--session", key, "--json").rows()) == 1


def test_the_log_of_all_sessions_tells_what_became_of_each_turn(ferrule: Ferrule, home: Path, tmp_path: Path) -> None:
    """R95: sessions beside each other, newest last, bounded; a turn that was reported and not kept has its reason."""
    first = session(ferrule, home, Claude(tmp_path / "client"), 41)
    codex = Codex(tmp_path / "codex", source={"subagent": {"thread_spawn": {"parent_thread_id": "x", "depth": 1}}})
    codex.asks("Go.").says("I went.").completes().written()
    assert run_hook("codex", codex.stop(), home).returncode == 0
    assert ferrule("worker", "--once").code == 0
    told = ferrule("log", "--all")
    rows = ferrule("log", "--all", "--json").rows()
    assert [row["outcome"] for row in rows] == ["wrote", "skipped"]
    assert rows[0]["session"] == first
    assert "subagent" in rows[1]["reason"]
    assert "PullRequest41" in told.out.splitlines()[0]
    assert len(ferrule("log", "--all", "--limit", "1", "--json").rows()) == 1
    assert ferrule("log", "--all", "--limit", "0").code == 2


FOUND = [
    (path, line.replace("\\`", "`"))
    for path in sorted(TEXTS.glob("*/*.md"))
    for line in LINE.findall(path.read_text(encoding="utf-8").partition("\n---\n")[2])
]


@pytest.mark.parametrize(("path", "line"), FOUND, ids=lambda one: one.stem if isinstance(one, Path) else "")
def test_every_command_in_a_text_is_one_that_ferrule_takes(path: Path, line: str) -> None:
    """With its options, and always for the client's own session and the installed home."""
    words = line.partition(" 2>&1")[0].replace('"', "").replace("'", "").split()
    found = command_named(words)
    assert found is not None, line
    parser = ArgumentParser(exit_on_error=False)
    parser.add_argument("--home")
    for option in found[0].options:
        parser.add_argument(*option.flags, **option.settings)  # type: ignore[arg-type]
    asked = parser.parse_intermixed_args(found[1])
    assert (asked.here, asked.client, asked.home) == (True, path.parent.name, "{{home}}")
    assert (asked.id is None) == (path.parent.name == "codex")


@pytest.mark.parametrize("path", sorted(TEXTS.glob("*/*.md")), ids=lambda path: path.stem)
def test_no_text_lets_an_agent_act_by_itself(path: Path) -> None:
    """Each says what it is for; an agent calls none of its own accord; forgetting asks first."""
    text = path.read_text(encoding="utf-8")
    head = text.split("---\n")[1]
    assert "description: " in head
    assert "disable-model-invocation: true" in head or "never by yourself" in text
    assert ("memory forget" in text) == ("Only after a clear yes" in text)


def test_there_is_a_text_for_each_thing() -> None:
    """What a person may want while a session runs."""
    found = {path.stem for path in (TEXTS / "claude-code").glob("*.md")}
    assert found == {"forget", "pause", "resume", "show", "status", "thumbs-up", "why"}
    skill = TEXTS / "codex"
    assert sorted(path.name for path in skill.iterdir()) == ["SKILL.md", "agents"]
    assert "allow_implicit_invocation: false" in (skill / "agents" / "openai.yaml").read_text(encoding="utf-8")
    assert len(FOUND) >= len(found)

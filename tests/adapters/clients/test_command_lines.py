"""What clients are told to run runs in a shell, whatever is in a path, and is known again."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ferrule
from ferrule.adapters.clients.command_lines import (
    Runtime,
    context_words,
    hook_line,
    hook_words,
    is_own,
    mcp_words,
    shell,
    spoken,
    status_words,
)

HOOK = Path(ferrule.__file__).parent / "interfaces" / "hook" / "hook.py"
PATHS = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=20).map(lambda text: f"/{text}")
PAYLOAD = {
    "session_id": "s1",
    "turn_id": "t1",
    "transcript_path": "/nowhere",
    "hook_event_name": "Stop",
    "last_assistant_message": "done",
}


@pytest.mark.parametrize("program", ["/bin/sh", "bash", "zsh", "fish"])
def test_the_hook_s_line_runs_whatever_is_in_its_paths(tmp_path: Path, program: str) -> None:
    """Issue 4: spaces, quotes and dollars in every path, another folder, next to no environment."""
    if shutil.which(program) is None:
        pytest.skip(f"no {program} here")
    odd = tmp_path / "my 'own' \"$HOME\" `py` \\ é"
    odd.mkdir()
    (odd / "python").symlink_to(Path(sys.executable).resolve())
    (odd / "ferrule").symlink_to(HOOK.parents[2], target_is_directory=True)
    line = hook_line(
        hook_words(
            Runtime(str(odd / "python"), str(odd / "ferrule" / "interfaces" / "hook" / "hook.py"), str(odd / "home")),
            "codex",
        )
    )
    ended = subprocess.run(  # noqa: S603 - a shell, as the client has it
        [shutil.which(program) or program, "-c", line],
        input=json.dumps(PAYLOAD).encode(),
        capture_output=True,
        timeout=30,
        check=False,
        cwd="/",
        env={"FERRULE_WORKER": "off"},
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
    spooled = [json.loads(path.read_bytes()) for path in (odd / "home" / "spool").glob("*.json")]
    assert [(one["session"], one["turn"]) for one in spooled] == [("s1", "t1")]


@pytest.mark.parametrize("python", [sys.executable, "/nowhere/python"])
def test_a_hook_s_line_succeeds_where_ferrule_is_gone(tmp_path: Path, python: str) -> None:
    """INV-I8: exit 2, as Python has it for a file that is not there, would make a client repeat the turn."""
    gone = Runtime(python, str(tmp_path / "ferrule" / "interfaces" / "hook" / "hook.py"), str(tmp_path / "home"))
    for words in (hook_words(gone, "codex"), [python, "-I", "-S", "-m", "ferrule_that_is_gone", "context"]):
        ended = subprocess.run(  # noqa: S603 - a shell, as the client has it
            ["/bin/sh", "-c", hook_line(words)], input=b"{}", capture_output=True, timeout=30, check=False
        )
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


@given(PATHS, PATHS, PATHS)
def test_our_lines_are_known_again_with_what_they_say(python: str, folder: str, home: str) -> None:
    """By what they run: interpreter, hook, home and client come back out of the line."""
    hook = f"{folder}/ferrule/interfaces/hook/hook.py"
    runtime = Runtime(python, hook, home)
    said = spoken(hook_line(hook_words(runtime, "codex")))
    assert said is not None
    assert (said.purpose, said.python, said.hook, said.home, said.client) == ("hook", python, hook, home, "codex")
    for words, purpose in (
        (context_words(runtime, "codex"), "context"),
        (mcp_words(runtime), "mcp"),
        (status_words(runtime), "status-line"),
    ):
        for line in (words, shell(words)):
            said = spoken(line)
            assert said is not None
            assert (said.purpose, said.python, said.home) == (purpose, python, home)


@pytest.mark.parametrize(
    "line",
    [
        None,
        3,
        "",
        "say done",
        "ferrule",
        "echo 'unfinished",
        "python -m ferrule review x",
        "my-ferrule/interfaces/hook/hook.py.bak",
        ["-m", "ferrule"],
        [None, 1],
        "x" * 100_000,
        {"command": "x"},
    ],
)
def test_what_is_not_ours_is_not_taken_for_it(line: object) -> None:
    """Another's command that only mentions us, or is no command at all."""
    assert not is_own(line)


def test_an_older_line_is_ours_too() -> None:
    """Another interpreter, another home, written by hand without what came later."""
    assert is_own("/old/bin/python3 '/old lib/ferrule/interfaces/hook/hook.py' claude-code")
    assert is_own(["/usr/bin/python3", "-m", "ferrule", "mcp"])

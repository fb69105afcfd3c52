"""A client's session is told what it remembers when it starts, in the client's own form, and is never held up."""

import contextlib
import fcntl
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hook_cases import Claude, Codex, run_hook
from start_cases import CLIENTS, LONG, SOURCES, Payload, start_of, starts, told

from ferrule.adapters.laptop.bell import FifoBell
from ferrule.bridge.marks import RECALL_CLOSE, recall_open
from ferrule.interfaces.cli.entry import run
from ferrule.recall.budget import Budget, estimated_tokens
from ferrule.wiring.greeting import greeting

SHARED = Path(__file__).parents[3] / "shared" / "clients"
PULL = "https://git.example/harbor/kestrel/pull/41"
TEST = "make soak N=50"


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Claude | Codex]:
    """One session of each client that worked in a repository which is there, in a worktree and on a pull request."""
    root = tmp_path_factory.mktemp("work")
    repository, tree = root / "kestrel", root / "kestrel-retry"
    repository.mkdir()
    tree.mkdir()
    made: dict[str, Claude | Codex] = {}
    add, create = f"git worktree add {tree} -b feat/retry", "gh pr create --fill"
    ask = "Open a pull request for the retry policy, from a worktree beside this one."
    end = f"Opened pull request {PULL} from the worktree {tree}. To check it again run `{TEST}`."
    claude = Claude(root / "claude", cwd=str(repository)).asks(ask)
    claude.calls("Bash", "Preparing worktree (new branch 'feat/retry')", command=add)
    claude.calls("Bash", PULL, command=create).says(end).written()
    codex = Codex(root / "codex", cwd=str(repository)).asks(ask)
    codex.calls(add, "Preparing worktree (new branch 'feat/retry')").calls(create, PULL).says(end).completes().written()
    made["claude-code"], made["codex"] = claude, codex
    return made


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory, clients: dict[str, Claude | Codex]) -> Path:
    """A home that remembers both sessions."""
    folder = tmp_path_factory.mktemp("homes")
    home = folder / "home"
    for name, client in clients.items():
        assert quietly("review", str(client.path), "--home", str(home)) == 0
        own = folder / f"{name}.pts"
        own.write_text(f'prototype RetryTree : Worktree {{ WorktreeRoot = "{client.cwd}-retry"; }}', encoding="utf-8")
        key = f"{name}:{session_of(client)}"
        assert quietly("memory", "write", str(own), "--session", key, "--home", str(home)) == 0
        own.write_text(f'prototype SoakRun : Command {{ CommandLine = "{TEST}"; }}', encoding="utf-8")
        assert quietly("memory", "write", str(own), "--session", key, "--home", str(home)) == 0
    return home


def quietly(*words: str) -> int:
    """Run one command line in this process, whatever it prints."""
    with contextlib.redirect_stdout(io.StringIO()):
        return run(list(words))


@pytest.fixture
def home(reviewed: Path, tmp_path: Path) -> Path:
    """A copy of that home that a test may break."""
    place = tmp_path / "home"
    shutil.copytree(reviewed, place)
    return place


def session_of(client: Claude | Codex) -> str:
    """The client's id of its session."""
    return client.session if isinstance(client, Claude) else client.thread


def payload_of(name: str, client: Claude | Codex, source: str = "compact") -> Payload:
    """What the client says when it starts or goes on with that session."""
    return start_of(name, session_of(client), source, cwd=client.cwd, transcript_path=str(client.path))


@pytest.mark.parametrize("name", CLIENTS)
def test_after_compaction_the_agent_has_what_it_worked_with(
    name: str, home: Path, clients: dict[str, Claude | Codex]
) -> None:
    """R94, design section 7: worktree, pull request and test command come back, fenced, under the session's own key."""
    client = clients[name]
    text = told(starts(name, payload_of(name, client), home))
    key = f"{name}:{session_of(client)}"
    assert text.startswith(recall_open(key) + "\n")
    assert text.endswith(f"{RECALL_CLOSE}\n")
    assert f"session is {key}" in text
    assert PULL in text
    assert f"{client.cwd}-retry" in text
    assert TEST in text
    assert estimated_tokens(text) <= Budget().tokens


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("source", SOURCES)
def test_whatever_starts_a_known_session_it_is_told(
    name: str, source: str, home: Path, clients: dict[str, Claude | Codex]
) -> None:
    """R65 R88: a resumed session is told as one that was compacted, and the first look at a cold home finds it."""
    payload = payload_of(name, clients[name], source)
    assert PULL in greeting(name, json.dumps(payload).encode(), str(home))


@pytest.mark.parametrize("name", CLIENTS)
def test_a_client_is_told_what_a_person_would_be(
    name: str, home: Path, clients: dict[str, Claude | Codex], capsys: pytest.CaptureFixture[str]
) -> None:
    """The quick road and `ferrule context` give the same text, to the letter."""
    key = f"{name}:{session_of(clients[name])}"
    assert run(["context", "--session", key, "--home", str(home)]) == 0
    assert greeting(name, json.dumps(payload_of(name, clients[name])).encode(), str(home)) == capsys.readouterr().out


def test_the_key_that_is_told_is_the_key_of_the_next_turn(home: Path, clients: dict[str, Claude | Codex]) -> None:
    """R87: the hook and the context speak of one session, by the importers' rule."""
    for name, client in clients.items():
        text = greeting(name, json.dumps(payload_of(name, client)).encode(), str(home))
        run_hook(name, client.stop(), home)
        reported = json.loads(max((home / "spool").glob("*.json")).read_text(encoding="ascii"))
        assert recall_open(f"{name}:{reported['session']}") in text


def test_where_a_person_said_no_nothing_is_told_or_noted(
    home: Path, clients: dict[str, Claude | Codex], tmp_path: Path
) -> None:
    """R97: by a file in the repository, or by the settings; heard at once."""
    client = clients["codex"]
    payload = json.dumps(payload_of("codex", client)).encode()
    off = Path(client.cwd) / ".ferrule" / "off"
    off.parent.mkdir()
    off.touch()
    try:
        assert greeting("codex", payload, str(home)) == ""
    finally:
        shutil.rmtree(off.parent)
    settings = home / "settings.toml"
    settings.write_text(f'off = ["{client.cwd}"]\n', encoding="utf-8")
    assert greeting("codex", payload, str(home)) == ""
    assert not (home / "spool").exists()
    settings.write_text(f'off = ["{tmp_path}"]\n', encoding="utf-8")
    assert PULL in greeting("codex", payload, str(home))


def test_turns_that_nobody_took_up_are_called_out_for(home: Path, clients: dict[str, Claude | Codex]) -> None:
    """R77: reported before a crash, they are worked off while the session begins, which waits for nothing."""
    client = clients["codex"]
    payload = json.dumps(payload_of("codex", client, "resume")).encode()
    bell = FifoBell(home)
    try:
        bell.listen()
        assert PULL in greeting("codex", payload, str(home))
        assert bell.wait(0) is False
        run_hook("codex", client.stop(), home)
        assert bell.wait(LONG) is True
        assert PULL in greeting("codex", payload, str(home))
        assert bell.wait(LONG) is True
    finally:
        bell.close()


def test_the_critics_own_sessions_are_told_nothing(home: Path, clients: dict[str, Claude | Codex]) -> None:
    """INV-I8 R9: what a critic's model starts is no source."""
    payload = payload_of("codex", clients["codex"])
    assert told(starts("codex", payload, home, environment={"FERRULE_CRITIC": "1"})) == ""


@pytest.mark.parametrize("name", CLIENTS)
def test_a_session_that_remembers_nothing_is_told_nothing(name: str, home: Path) -> None:
    """Quiet: a new session, and another client's id, get no answer at all."""
    assert told(starts(name, start_of(name, "another"), home)) == ""


def test_one_clients_id_is_not_another_clients(home: Path, clients: dict[str, Claude | Codex]) -> None:
    """R87 INV-I7: the key begins with the client."""
    payload = start_of("codex", session_of(clients["claude-code"]), "resume", cwd=clients["codex"].cwd)
    assert greeting("codex", json.dumps(payload).encode(), str(home)) == ""


@pytest.mark.parametrize(
    "payload", [b"", b"{", b"[]", b"\x00\xff", b'{"hook_event_name": "SessionStart"}', b"x" * 1_000_000]
)
def test_what_is_no_start_is_answered_by_silence(payload: bytes, home: Path) -> None:
    """INV-I8 CASE-A05: exit 0, and not a word on either stream."""
    assert told(starts("claude-code", payload, home)) == ""


def _gone(home: Path) -> None:
    shutil.rmtree(home)


def _a_file(home: Path) -> None:
    shutil.rmtree(home)
    home.write_bytes(b"no folder")


def _torn(home: Path) -> None:
    (home / "ferrule.sqlite3").write_bytes(b"SQLite format 3\x00" + b"\xff" * 9000)


def _of_tomorrow(home: Path) -> None:
    with contextlib.closing(sqlite3.connect(home / "ferrule.sqlite3")) as connection:
        connection.execute("PRAGMA user_version = 99")


def _a_link(home: Path) -> None:
    (home / "ferrule.sqlite3").rename(home / "elsewhere")
    (home / "ferrule.sqlite3").symlink_to(home / "elsewhere")


def _a_pipe(home: Path) -> None:
    (home / "ferrule.sqlite3").unlink()
    os.mkfifo(home / "ferrule.sqlite3")


@pytest.mark.parametrize("break_it", [_gone, _a_file, _torn, _of_tomorrow, _a_link, _a_pipe])
def test_a_home_that_cannot_be_read_is_answered_by_silence(
    break_it: object, home: Path, clients: dict[str, Claude | Codex]
) -> None:
    """INV-I8 CASE-N10: whatever is wrong is Ferrule's own affair; `ferrule doctor` says it."""
    assert callable(break_it)
    break_it(home)
    assert told(starts("claude-code", payload_of("claude-code", clients["claude-code"]), home)) == ""


@contextlib.contextmanager
def _home_locked(home: Path) -> Iterator[None]:
    """As a process that opens, checks or migrates the store holds it."""
    folder = os.open(home, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


@contextlib.contextmanager
def _being_written(home: Path) -> Iterator[None]:
    with contextlib.closing(sqlite3.connect(home / "ferrule.sqlite3", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("DELETE FROM memories")
        yield
        connection.execute("ROLLBACK")


@pytest.mark.parametrize("hold", [_home_locked, _being_written])
def test_who_opens_or_writes_the_store_does_not_hold_a_client_up(
    hold: object, home: Path, clients: dict[str, Claude | Codex]
) -> None:
    """INV-I8 CASE-M08: it reads what was committed, beside whoever has a lock."""
    assert callable(hold)
    with hold(home):
        assert PULL in greeting("codex", json.dumps(payload_of("codex", clients["codex"])).encode(), str(home))


def test_a_store_that_nobody_may_read_now_is_answered_by_silence(
    home: Path, clients: dict[str, Claude | Codex]
) -> None:
    """INV-I8: an exclusive lock is not waited for, but for a moment."""
    with contextlib.closing(sqlite3.connect(home / "ferrule.sqlite3", isolation_level=None)) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("DELETE FROM feedback")
        assert told(starts("codex", payload_of("codex", clients["codex"]), home)) == ""
        connection.execute("ROLLBACK")


def test_a_git_that_hangs_costs_a_moment_and_its_answers(tmp_path: Path) -> None:
    """Design section 7: what cannot be told in time is not called gone."""
    work = tmp_path / "work"
    work.mkdir()
    talk = Claude(tmp_path / "claude", cwd=str(work)).asks("Start the branch feat/retry for the retry work.")
    talk.calls("Bash", "Switched to a new branch 'feat/retry'", command="git switch -c feat/retry")
    talk.says("The retry work is on the branch feat/retry now.").written()
    home = tmp_path / "home"
    assert quietly("review", str(talk.path), "--home", str(home)) == 0
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 300\n", encoding="ascii")
    slow.chmod(0o755)
    path = f"{slow.parent}:{os.environ['PATH']}"
    began = time.monotonic()
    text = told(starts("claude-code", payload_of("claude-code", talk), home, environment={"PATH": path}))
    assert "feat/retry" in text
    assert "(gone)" not in text
    assert time.monotonic() - began < 60


def test_a_client_that_keeps_its_pipe_open_is_answered(home: Path, clients: dict[str, Claude | Codex]) -> None:
    """INV-I8: the payload is whole; its end need not come."""
    payload = json.dumps(payload_of("codex", clients["codex"])).encode()
    command = [sys.executable, "-P", "-m", "ferrule", "context", "--client", "codex", "--home", str(home)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as running:  # type: ignore[call-overload]  # noqa: S603 - our own
        running.stdin.write(payload)
        running.stdin.flush()
        said, troubled = running.stdout.read(), running.stderr.read()
        assert running.wait(60) == 0
    assert (PULL.encode() in said, troubled) == (True, b"")


def test_places_that_are_gone_are_marked(home: Path, clients: dict[str, Claude | Codex]) -> None:
    """Design section 7: looked up on this machine before they are told."""
    client = clients["codex"]
    tree = Path(f"{client.cwd}-retry")
    payload = json.dumps(payload_of("codex", client)).encode()
    assert "(gone)" not in _line_with(str(tree), greeting("codex", payload, str(home)))
    tree.rmdir()
    try:
        assert f"{tree} (gone)" in greeting("codex", payload, str(home))
    finally:
        tree.mkdir()


def _line_with(word: str, text: str) -> str:
    return next(line for line in text.splitlines() if word in line)


@pytest.mark.shared
@pytest.mark.parametrize("name", CLIENTS)
def test_real_payloads_are_understood(name: str, tmp_path: Path) -> None:
    """What each client really says when a session starts; its session is told once its turns were reviewed."""
    calls = json.loads((SHARED / name / "payload.SessionStart.json").read_text(encoding="utf-8"))
    transcript = tmp_path / "transcript.jsonl"
    shutil.copy(SHARED / name / "transcript.jsonl", transcript)
    home = tmp_path / "home"
    assert quietly("review", str(transcript), "--home", str(home)) == 0
    for call in calls if isinstance(calls, list) else [calls]:
        payload = call["payload"]
        key = f"{name}:{payload['session_id']}"
        definition = tmp_path / "own.pts"
        definition.write_text('prototype Kestrel : Repository { RepositoryRoot = "/w/kestrel"; }', encoding="utf-8")
        assert quietly("memory", "write", str(definition), "--session", key, "--home", str(home)) == 0
        assert recall_open(key) in told(starts(name, payload, home))

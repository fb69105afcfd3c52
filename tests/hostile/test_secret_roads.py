"""Secrets come in by every other road there is, and no byte of one is found at its end.

By a client's hook, an event, an attachment, a thumbs-up, a definition of a person's own, the settings, a question of an
agent over MCP, the label page, a copy of the store, a dump of a crash. A core file that the kernel writes of a killed
process is outside of this: it is the machine's to forbid (docs/reliability.md).
"""

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from agent_chats import AIDER
from canary_cases import CANARIES, KEY, NEEDLES, SESSION, endless, leaks, turn
from hook_cases import Claude, run_hook, spooled
from label_cases import NOTHING, serving
from mcp_asked import request
from real_processes import wait_for

from ferrule.adapters.transcripts.reader import read_text
from ferrule.evaluation.labelling import Subject
from ferrule.interfaces.cli.entry import run
from ferrule.interfaces.mcp.server import build_server
from ferrule.referents.secrets.detect import scrub
from ferrule.wiring.home import open_home
from ferrule.wiring.labelling import desk_of
from ferrule.wiring.wider import wide_reader_of

SECRETS = list(CANARIES[::6])
SAID = "\n".join(case.text for case in SECRETS)
ONE = next(case.needles[0] for case in CANARIES if len(case.needles[0]) > 20 and case.needles[0].isascii())


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, away from the machine's own clients."""
    place = tmp_path / "home"
    monkeypatch.setenv("FERRULE_HOME", str(place))
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setenv("FERRULE_WORKER", "off")
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return place


@pytest.fixture
def turns(tmp_path: Path) -> Path:
    """Two neutral turns that hold secrets in each of their texts."""
    path = tmp_path / "turns.jsonl"
    rows = [turn(1, SECRETS), turn(2, SECRETS[::-1])]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Any:  # noqa: ANN401 - a function of words
    """Runs a command line and gives its exit code and all that it said."""

    def ran(*words: str | Path) -> tuple[int, str]:
        capsys.readouterr()
        code = run([str(word) for word in words])
        heard = capsys.readouterr()
        return code, heard.out + heard.err

    return ran


def test_a_hook_and_the_worker_behind_it(home: Path, tmp_path: Path, said: Any) -> None:  # noqa: ANN401 - see there
    """R28, INV-I6, DEC-D13: the spool holds a pointer; what the worker reads, logs and keeps is scrubbed."""
    salt = endless()
    client = Claude(tmp_path / "client")
    client.folder.mkdir()
    client.asks(f"Please write docs/plan.md.\n{SAID}").calls("Write", SAID, file_path="docs/plan.md", content=SAID)
    client.says(f"I wrote `docs/plan.md`.\n{SAID}").written()
    more = {"model": next(salt).text, "background_tasks": [SAID], "note": SAID}
    answered = run_hook("claude-code", client.stop(**more), home)
    assert len(spooled(home)) == 1
    assert leaks(home / "spool", said=(answered.stdout + answered.stderr).decode()) == []
    code, heard = said("worker", "--once")
    assert code == 0, heard
    heard += said("log", "--all", "--json")[1] + said("status", "--all", "--json")[1]
    assert "plan.md" in said("memory", "export", "--session", client_key(heard))[1]
    assert leaks(home, said=heard) == []


def client_key(heard: str) -> str:
    """The key of the one session."""
    return next(word.strip('",') for word in heard.split() if word.strip('",').startswith("claude-code:"))


def test_an_event_an_attachment_and_a_thumb(home: Path, tmp_path: Path, turns: Path, said: Any) -> None:  # noqa: ANN401 - see there
    """R28, INV-I6: whatever hands a turn in, and whatever else stands in the envelope."""
    event = {
        "EventId": "e1",
        "EventType": "turn.completed",
        "SourceSessionKey": SESSION,
        "OccurredUtc": "2033-05-18T03:33:20Z",
        "Data": {"TurnKey": "b3", "Note": SAID},
        "More": SAID,
    }
    later = tmp_path / "later.jsonl"
    later.write_text(turns.read_text(encoding="utf-8") + json.dumps(turn(3, SECRETS)) + "\n", encoding="utf-8")
    envelope = tmp_path / "event.json"
    envelope.write_text(json.dumps(event), encoding="utf-8")
    call = {"SourceSessionKey": SESSION, "TurnKey": "b1", "Note": SAID}
    steps = [
        ("attach", SESSION, "b1", "--from", turns),
        ("dispatch", envelope, "--from", later),
        ("feedback", SESSION, "b1", "up", "--from", turns),
        ("feedback", SESSION, "b2", "down", "--from", turns),
        ("worker", "--once"),
        ("catch-up", SESSION),
        ("explain", SESSION, "b1"),
        ("call", "ToAttachOnlineSessionMemoryCriticToSession", json.dumps(call)),
    ]
    answers = [said(*words) for words in steps]
    assert [code for code, _ in answers[:7]] == [0] * 7, answers
    exported = said("memory", "export")[1]
    assert "plan1.md" in exported
    assert "plan3.md" in exported
    assert leaks(home, said="".join(heard for _, heard in answers)) == []


def test_a_definition_of_a_persons_own(home: Path, tmp_path: Path, turns: Path, said: Any) -> None:  # noqa: ANN401 - see there
    """R28, INV-I6, CASE-D13: refused wherever the secret stands, told without it, and nothing of it kept."""
    said("review", turns)
    heard = ""
    for number, case in enumerate(SECRETS):
        text = case.text.replace('"', '""')
        path = tmp_path / f"own{number}.pts"
        path.write_text(
            f'prototype Own{number} : SourceFile {{ FilePath = @"src/own{number}.py"; Notes = @"{text}"; }}'
        )
        for words in (("memory", "write", path, "--json"), ("memory", "check", path), ("memory", "import", path)):
            code, words_said = said(*words, "--session", SESSION)
            assert code == 1, (case, words_said)
            heard += words_said
    assert "SECRET_VALUE" in heard
    assert leaks(home, said=heard.replace(str(tmp_path), "")) == []


def test_the_settings(home: Path, turns: Path, said: Any) -> None:  # noqa: ANN401 - see there
    """INV-I6: a value that is wrong is not told."""
    said("review", turns)
    file = home / "settings.toml"
    for line in (f'threshold = "{ONE}"', f"attach = '{ONE}'", f"ontology = ['{ONE}'", f'profiles = "{ONE}"'):
        file.write_text(line + "\n", encoding="utf-8")
        heard = said("status", "--all")[1] + said("doctor")[1] + said("review", turns)[1]
        file.unlink()
        assert leaks(home, said=heard) == []


def test_an_agent_that_asks(home: Path, turns: Path, said: Any) -> None:  # noqa: ANN401 - see there
    """R28, INV-I6: what it is given holds none, and a question that holds one leaves nothing behind."""
    said("review", turns)
    heard = ""
    with open_home(home) as opened:
        server = build_server(partial(wide_reader_of, opened), SESSION)
        tools = [tool["name"] for tool in request(server, "tools/list")["tools"]]
        for tool in tools:
            for query in ("plan", "plan1.md", ""):
                given = {"query": query, "name": query, "kind": "SourceFile", "session": SESSION}
                heard += json.dumps(request(server, "tools/call", {"name": tool, "arguments": given}))
            request(server, "tools/call", {"name": tool, "arguments": {"query": SAID, "name": ONE}})
    assert "plan1" in heard
    assert leaks(home, said=heard) == []


def test_the_label_page(tmp_path: Path) -> None:
    """R28, INV-I6: what the page is given and what it saves."""
    rows = "".join(json.dumps(turn(number, SECRETS)) + "\n" for number in (1, 2))
    (session,) = read_text(rows, scrub=partial(scrub, key=KEY))
    desk = desk_of(tuple(Subject(session.session, one, "neutral") for one in session.turns), tmp_path / "out")
    with serving(desk) as asking:
        heard = json.dumps(asking.get("api/overview"))
        for number in range(len(session.turns)):
            heard += json.dumps(asking.get(f"api/turn?n={number}"))
            status, answer = asking.post("api/save", {"n": number, "revision": "", "draft": NOTHING})
            assert status == 200, answer
            heard += json.dumps(answer)
    assert leaks(tmp_path / "out", said=heard) == []


def test_copies_of_the_store(home: Path, tmp_path: Path, turns: Path, said: Any) -> None:  # noqa: ANN401 - see there
    """R28, INV-I6: backup, restore, what is written into a project, every form of export."""
    said("review", turns)
    out = tmp_path / "out"
    out.mkdir()
    steps = [
        ("memory", "backup", out / "copy.sqlite3"),
        ("memory", "export", "--json"),
        ("memory", "verify", "--json"),
        ("sessions", "archive", SESSION),
        ("memory", "restore", out / "copy.sqlite3", "--yes"),
        ("explain", SESSION, "b1"),
    ]
    answers = [said(*words) for words in steps]
    assert [code for code, _ in answers] == [0] * len(steps), answers
    heard = "".join(heard for _, heard in answers)
    assert (out / "copy.sqlite3").is_file()
    assert leaks(home, out, said=heard) == []


def test_a_file_that_is_not_what_it_says(home: Path, tmp_path: Path, said: Any) -> None:  # noqa: ANN401 - see there
    """INV-I6: half a transcript, one in the wrong letters, one that no format is: the diagnostic quotes none of it."""
    path = tmp_path / "odd.jsonl"
    heard = ""
    for raw in (SAID.encode(), json.dumps(SAID).encode(), SAID.encode("utf-16"), AIDER[:40].encode() + SAID.encode()):
        path.write_bytes(raw)
        heard += (
            said("review", path)[1]
            + said("check", path)[1]
            + said("bench", "--turns", path, "--labels", path, "--out", home / "b")[1]
        )
    assert leaks(home, said=heard.replace(str(path), "")) == []


def test_a_dump_of_a_crash(home: Path, tmp_path: Path, turns: Path) -> None:
    """INV-I6, CASE-D13: Python's own dump of a process that is made to crash names places in code, no text."""
    many = tmp_path / "many.jsonl"
    many.write_text("".join(json.dumps(turn(number, SECRETS)) + "\n" for number in range(1, 9)), encoding="utf-8")
    environment = os.environ | {"FERRULE_HOME": str(home), "PYTHONFAULTHANDLER": "1"}
    shell = 'ulimit -c 0; exec "$@"'
    command = ["sh", "-c", shell, "sh", sys.executable, "-m", "ferrule", "review", str(many)]
    process = subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # noqa: S603 - our own interpreter
    try:
        wait_for(lambda: (home / "ferrule.sqlite3-wal").exists() or process.poll() is not None, "the store")
    finally:
        process.send_signal(signal.SIGABRT)
        heard = process.communicate(timeout=60)[0].decode("utf-8", "replace")
    assert turns.exists()
    assert process.returncode == 0 or "Fatal Python error: Aborted" in heard
    assert leaks(home, said=heard) == []


def test_the_canaries_of_these_roads_are_many() -> None:
    """INV-I6: the scan means something."""
    assert len(SECRETS) >= 25
    assert ONE in NEEDLES

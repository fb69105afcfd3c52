"""Secrets of every kind are planted in what clients write, every command is run on it, and no byte of one is found.

A canary is any generated secret that the scrubber takes out of a text by itself (how many it takes is measured
elsewhere): whatever road the text goes, through which importer and into which file, page, answer or crash, it must have
gone by then.
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from agent_runs import texts
from benchmarks.secret_cases.making import Half, Planted, planted
from real_processes import wait_for
from reject_oracle import forms

from ferrule.interfaces.cli.entry import run
from ferrule.referents.secrets.detect import scrub

KEY = b"a key of this test"
SHORTEST = 10
ALONE = {
    "alone",
    "shell",
    "fence",
    "json",
    "comment",
    "quoted mail",
    "base64",
    "hex",
    "percent-encoded",
    "concatenated",
}
SESSION = "canary-session"


def _canaries() -> tuple[Planted, ...]:
    """One of each kind, of all that the scrubber sees in their text."""
    taken: dict[str, Planted] = {}
    for half in Half:
        for case in planted(7, half, contexts=2):
            if case.context in ALONE and not case.left_in(scrub(f"a\n{case.text}\nb", KEY)):
                taken.setdefault(case.kind, case)
    return tuple(taken.values())


CANARIES = _canaries()
NEEDLES = tuple({needle for case in CANARIES for needle in case.needles if len(needle) >= SHORTEST})


def turn(number: int, secrets: list[Planted]) -> dict[str, Any]:
    """A neutral turn with secrets in the user's words, in a call's arguments and result, and in the answer."""
    said = "\n".join(case.text for case in secrets)
    path = f"/w/shop/docs/plan{number}.md"
    return {
        "id": f"b{number}",
        "session_key": SESSION,
        "profile": "buffaly-agent",
        "turn_key": f"b{number}",
        "cwd": "/w/shop",
        "user": {"text": f"Please write docs/plan{number}.md with the plan.\n{said}\nThank you."},
        "outcome": {"text": f"I wrote `docs/plan{number}.md`.\n{said}\n"},
        "tool_results": [
            {
                "call_id": "c1",
                "tool": "Write",
                "arguments": {"file_path": path, "content": said},
                "result": f"File created successfully at: {path}\n{said}\n",
                "ok": True,
            }
        ],
    }


def label(number: int) -> dict[str, Any]:
    """Wants the file, and a host that nobody named: a case that the report shows."""
    handles = [{"kind": "host", "value": "db9.shop.example"}]
    entity = {"label": "database", "type": "Host", "grade": "required", "handles": handles, "modality": "existing"}
    return {"id": f"b{number}", "file": f"shop/{number}", "entities": [entity], "forbidden": []}


def salted(value: object, salt: Iterator[Planted]) -> object:
    """A JSON value with a secret on a line of its own after every text of several words."""
    if isinstance(value, str):
        return f"{value}\n{next(salt).text}\n" if value.count(" ") > 2 else value
    if isinstance(value, list):
        return [salted(item, salt) for item in value]
    if isinstance(value, dict):
        return {key: salted(item, salt) for key, item in value.items()}
    return value


def rewritten(text: str) -> str:
    """A transcript with secrets after all that is said in it: a JSON document, JSON lines, or plain text."""
    salt = endless()
    if text[0] not in "{[":
        return "".join(
            f"{row}\n{next(salt).text}\n" if row[:1].isalnum() and row.count(" ") > 2 else f"{row}\n"
            for row in text.splitlines()
        )
    try:
        return json.dumps(salted(json.loads(text), salt))
    except json.JSONDecodeError:
        return "".join(json.dumps(salted(json.loads(row), salt)) + "\n" for row in text.splitlines() if row)


def endless() -> Iterator[Planted]:
    """The canaries over and over."""
    while True:
        yield from CANARIES


def values(database: Path) -> bytes:
    """Every value of every table, the packed ones unpacked, which a scan of the bytes alone would not see into."""
    found: list[bytes] = []
    with closing(sqlite3.connect(database)) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for row in connection.execute(f'SELECT * FROM "{table}"'):  # noqa: S608 - names from the database itself
                found += [unpacked(value) for value in row if isinstance(value, bytes | str)]
    return b"\n".join(found)


def unpacked(value: bytes | str) -> bytes:
    """A stored value as text."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    try:
        return zlib.decompress(value)
    except zlib.error:
        return value


def leaks(*places: Path, said: str = "") -> list[tuple[str, str]]:
    """(file, canary) for every canary in some form in some byte, names of files included."""
    wanted = {form: needle for needle in NEEDLES for form in forms(needle)}
    files = [path for place in places for path in sorted(place.rglob("*")) if path.is_file()]
    texts_by_name = {"said": said.encode("utf-8", "surrogatepass"), "names": "\n".join(map(str, files)).encode()}
    texts_by_name |= {str(path): path.read_bytes() for path in files}
    texts_by_name |= {f"values of {path}": values(path) for path in files if path.suffix == ".sqlite3"}
    return [(name, needle) for name, text in texts_by_name.items() for form, needle in wanted.items() if form in text]


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
def transcript(tmp_path: Path) -> Path:
    """Turns that hold all canaries, a handful each."""
    rows = [turn(at // 8 + 1, list(CANARIES[at : at + 8])) for at in range(0, len(CANARIES), 8)]
    path = tmp_path / "turns.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """A command line's end and all that it said."""
    capsys.readouterr()
    code = run(list(words))
    said = capsys.readouterr()
    return code, said.out + said.err


def test_there_is_a_canary_of_every_kind() -> None:
    """INV-I6: the scan means something."""
    assert len({case.kind for case in CANARIES}) >= 170
    assert len(NEEDLES) >= 170
    assert leaks(said=f"x {NEEDLES[0]} y") == [("said", NEEDLES[0])]


def test_no_command_keeps_or_says_a_secret(
    home: Path, tmp_path: Path, transcript: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """R28, INV-I6, CASE-D13: review, all that is read of it, a benchmark with its page."""
    code, said = told(capsys, "review", str(transcript), "--json")
    assert code == 0, said[:500]
    words = [
        ("memory", "list", "--json"),
        ("memory", "export"),
        ("log", "--all"),
        ("log", "last", "--json"),
        ("sessions", "list", "--json"),
        ("sessions", "show", SESSION),
        ("context", "--session", SESSION),
        ("explain", "docs/plan1.md"),
        ("memory", "verify"),
        ("status", SESSION),
    ]
    answers = [said, *(told(capsys, *line)[1] for line in words)]
    assert "plan1.md" in answers[1]
    labels, out = tmp_path / "labels.jsonl", tmp_path / "out"
    count = len(transcript.read_text(encoding="utf-8").splitlines())
    labels.write_text("".join(json.dumps(label(number + 1)) + "\n" for number in range(count)), encoding="utf-8")
    code, said = told(capsys, "bench", "--turns", str(transcript), "--labels", str(labels), "--out", str(out))
    assert code == 0, said[:500]
    assert (out / "report.html").is_file()
    assert leaks(home, out, said="\n".join([*answers, said])) == []


@pytest.mark.parametrize("name", sorted(texts()))
def test_no_importer_lets_a_secret_through(
    name: str, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """R28, INV-I6, DEC-D13: whatever program wrote the transcript, whichever of its members holds the secret."""
    path = tmp_path / "client" / "transcript.json"
    path.parent.mkdir()
    path.write_text(rewritten(texts()[name]), encoding="utf-8")
    code, said = told(capsys, "review", str(path), "--json")
    assert code == 0, said[:300]
    said += told(capsys, "memory", "export")[1]
    assert b"[secret:" in values(home / "ferrule.sqlite3")
    assert leaks(home, said=said) == []


def test_a_broken_transcript_says_nothing_of_its_secrets(
    home: Path, transcript: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """INV-I6: a diagnostic quotes no secret, whatever is wrong with the file."""
    text = transcript.read_text(encoding="utf-8")
    path = transcript.with_name("broken.jsonl")
    path.write_text(text[: len(text) // 3] + '"}{[\n' + NEEDLES[0], encoding="utf-8")
    said = told(capsys, "review", str(path))[1] + told(capsys, "check", str(path))[1]
    said += told(capsys, "memory", "check", str(path))[1]
    assert leaks(home, said=said.replace(str(path), "")) == []


def test_a_killed_review_leaves_no_secret(home: Path, tmp_path: Path, transcript: Path) -> None:
    """INV-I6: neither log nor journal nor a file half written, and no core is dumped into the home."""
    environment = os.environ | {"FERRULE_HOME": str(home), "HOME": str(tmp_path / "user")}
    command = [sys.executable, "-m", "ferrule", "review", str(transcript)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # noqa: S603 - our own interpreter
    try:
        wait_for(lambda: (home / "ferrule.sqlite3-wal").exists() or process.poll() is not None, "the store")
    finally:
        process.send_signal(signal.SIGKILL)
        said = process.communicate(timeout=60)[0]
    assert home.exists()
    assert leaks(home, said=said) == []

"""Secrets of every kind are planted in what clients write, every command is run on it, and no byte of one is found.

A canary is any generated secret that the scrubber takes out of a text by itself (how many it takes is measured
elsewhere): whatever road the text goes, through which importer and into which file, page, answer or crash, it must have
gone by then.
"""

import io
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from canary_cases import CANARIES, NEEDLES, SESSION, leaks, rewritten, samples, turn, values, ways
from real_processes import wait_for

from ferrule.adapters.transcripts.formats import formats
from ferrule.adapters.transcripts.sampling import sampled
from ferrule.interfaces.cli.entry import run

SAMPLES = samples()


def label(number: int) -> dict[str, Any]:
    """Wants the file, and a host that nobody named: a case that the report shows."""
    handles = [{"kind": "host", "value": "db9.shop.example"}]
    entity = {"label": "database", "type": "Host", "grade": "required", "handles": handles, "modality": "existing"}
    return {"id": f"b{number}", "file": f"shop/{number}", "entities": [entity], "forbidden": []}


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


def test_every_format_has_a_sample_with_canaries() -> None:
    """INV-I6, DEC-D13: whoever adds a format plants canaries in it, or this fails."""
    assert {name.partition(" ")[0] for name in SAMPLES} == {one.name for one in formats()}
    planted = Counter[str]()
    for name, text in SAMPLES.items():
        raw = rewritten(text).encode()
        sample = sampled(io.BytesIO(raw)).sample
        assert name.partition(" ")[0] in [one.name for one in formats() if one.looks(sample)], name
        planted[name.partition(" ")[0]] += sum(form in raw for needle in NEEDLES for form in ways(needle))
    assert min(planted.values()) >= 2, planted


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_no_importer_lets_a_secret_through(
    name: str, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """R28, INV-I6, DEC-D13: whatever program wrote the transcript, whichever of its members holds the secret."""
    path = tmp_path / "client" / "transcript.json"
    path.parent.mkdir()
    path.write_text(rewritten(SAMPLES[name]), encoding="utf-8")
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

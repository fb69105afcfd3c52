"""`ferrule bench label` as a person runs it: an address, labels that `ferrule bench` reads, an end without a loss."""

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from label_cases import DRAFT, NOTHING, line, written

from ferrule.interfaces.cli.entry import run

SECONDS = 60


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    """A transcript with three turns."""
    path = tmp_path / "a transcript.jsonl"
    path.write_text(written(), encoding="utf-8")
    return path


@contextmanager
def labelling(transcript: Path, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command at work, and the address that it told."""
    command = [sys.executable, "-m", "ferrule", "bench", "label", str(transcript), "--out", str(tmp_path / "out")]
    home = ["--home", str(tmp_path / "home"), "--json"]
    process = subprocess.Popen([*command, *home], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # noqa: S603
    try:
        assert process.stdout is not None
        told = process.stdout.readline()
        assert told, process.communicate(timeout=SECONDS)[1]
        yield process, str(json.loads(told)["url"])
    finally:
        process.kill()
        process.communicate(timeout=SECONDS)


def save(url: str, number: int, draft: object) -> int:
    """Save as the page does."""
    body = json.dumps({"n": number, "revision": "", "draft": draft}).encode()
    headers = {"Content-Type": "application/json", "Origin": "/".join(url.split("/")[:3])}
    with urlopen(Request(f"{url}api/save", body, headers), timeout=SECONDS) as answer:  # noqa: S310 - our own address
        return int(answer.status)


def test_labels_made_on_the_page_are_a_benchmark(
    transcript: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """R89: Ctrl-C ends it with code 0; a second process stays out meanwhile; then `bench` reads both files."""
    with labelling(transcript, tmp_path) as (process, url):
        assert url.startswith("http://127.0.0.1:")
        assert save(url, 0, DRAFT) == 200
        assert save(url, 1, NOTHING) == 200
        second = run(
            ["bench", "label", str(transcript), "--out", str(tmp_path / "out"), "--home", str(tmp_path / "home")]
        )
        assert (second, "another" in capsys.readouterr().err) == (2, True)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=SECONDS)
        assert process.returncode == 0
        assert json.loads(out)["labelled"] == 2
    files = [f"--{name}={tmp_path / 'out' / name}.jsonl" for name in ("turns", "labels")]
    assert run(["bench", *files, "--home", str(tmp_path / "home"), "--json", "--draws", "0"]) == 0
    assert '"turns": 2' in capsys.readouterr().out


def test_what_nobody_uses_ends_by_itself_and_its_address_never_comes_again(
    transcript: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """R89: the token cannot be guessed from an earlier one."""
    tokens = set()
    for _ in range(2):
        words = ["--out", str(tmp_path / "out"), "--home", str(tmp_path / "home"), "--idle", "0.001", "--json"]
        assert run(["bench", "label", str(transcript), *words]) == 0
        began, ended = (json.loads(told) for told in capsys.readouterr().out.splitlines())
        assert ended["idle"] is True
        tokens.add(began["url"].rstrip("/").rsplit("/", 1)[1])
    assert len(tokens) == 2
    assert min(map(len, tokens)) >= 32


def test_what_cannot_be_is_one_line_and_a_code(
    transcript: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """R89: wrong words, nothing to label, a port that is taken."""
    (tmp_path / "empty.jsonl").write_text(line("t", "hello", ""), encoding="utf-8")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        cases = [
            ([str(transcript), "--port", "70000"], 2, "--port"),
            ([str(transcript), "--idle", "-1"], 2, "--idle"),
            ([str(tmp_path / "none.jsonl")], 2, "no such file"),
            ([str(tmp_path / "empty.jsonl")], 2, "no completed turn"),
            ([str(transcript), "--port", port], 4, f"port {port}"),
        ]
        for words, code, said in cases:
            out = ["--out", str(tmp_path / "out"), "--home", str(tmp_path / "home")]
            assert run(["bench", "label", *words, *out]) == code
            told = capsys.readouterr().err
            assert said in told
            assert told.count("\n") == 1

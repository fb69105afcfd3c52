"""Bad input: one clear line, the documented exit code, nothing half-written (issue 2, CASE-K01, CASE-K12, CASE-E12)."""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

NOBODY = 65_534
GOOD_TURN = {
    "session_key": "neutral:one",
    "profile": "buffaly-agent",
    "turn_key": "k1",
    "user": {"text": "create the file notes/plan.md please"},
    "outcome": {"text": "Created notes/plan.md."},
    "tool_results": [
        {
            "call_id": "c1",
            "tool": "Write",
            "arguments": {"file_path": "/w/shop/notes/plan.md", "content": "x"},
            "result": "File created successfully at: /w/shop/notes/plan.md",
            "ok": True,
        }
    ],
}


def put(path: Path, content: bytes) -> Path:
    """A file with that content."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def good(folder: Path) -> Path:
    """A transcript that can be reviewed."""
    return put(folder / "good.jsonl", json.dumps(GOOD_TURN).encode() + b"\n")


def loop(folder: Path) -> Path:
    """A link that leads to itself."""
    (folder / "loop.jsonl").symlink_to(folder / "loop.jsonl")
    return folder / "loop.jsonl"


BAD: dict[str, tuple[Callable[[Path], Path], int]] = {
    "missing": (lambda folder: folder / "nowhere.jsonl", 2),
    "a link to itself": (loop, 2),
    "empty": (lambda folder: put(folder / "x.jsonl", b""), 3),
    "blank": (lambda folder: put(folder / "x.jsonl", b"\n\n  \n"), 3),
    "binary": (lambda folder: put(folder / "x.jsonl", bytes(range(256)) * 40), 3),
    "prose": (lambda folder: put(folder / "x.jsonl", b"# Notes\n\nno transcript\n"), 3),
    "foreign JSON": (lambda folder: put(folder / "x.jsonl", b'{"hello": "world"}\n{"a": [1]}\n'), 3),
    "truncated at once": (lambda folder: put(folder / "x.jsonl", b'{"type":"user","uuid":"1","mess'), 3),
    "nested too deep": (lambda folder: put(folder / "x.jsonl", b"[" * 200_000), 3),
    "one gigantic line": (lambda folder: put(folder / "x.jsonl", b'"' + b"x" * 70_000_000), 3),
    "a key that is a path": (
        lambda folder: put(folder / "x.jsonl", json.dumps(GOOD_TURN | {"session_key": "../x"}).encode()),
        2,
    ),
    "a folder without transcripts": (lambda folder: put(folder / "in" / "notes.md", b"x").parent, 3),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_and_writes_nothing(
    tmp_path: Path, home: Path, ferrule: Callable[..., Any], name: str
) -> None:
    """Missing 2, unreadable 3; one line on standard error; no session was made for it."""
    make, code = BAD[name]
    told = ferrule("review", str(make(tmp_path)), "--json")
    assert (told.code, told.out) == (code, "")
    assert told.err.startswith("ferrule: ")
    assert told.err.count("\n") == 1
    assert len(told.err) < 600
    if home.exists():
        assert ferrule("sessions", "list", "--json").out == ""


def test_one_bad_file_does_not_spoil_a_folder(tmp_path: Path, ferrule: Callable[..., Any]) -> None:
    """What cannot be read is told by name, the rest is reviewed, exit 0."""
    good(tmp_path / "in")
    put(tmp_path / "in" / "bad.jsonl", b"\x00\x01")
    told = ferrule("review", str(tmp_path / "in"), "--json")
    assert told.code == 0
    assert [row["session"] for row in told.rows()] == ["neutral:one"]
    assert "bad.jsonl" in told.err


def test_a_folder_of_nothing_but_bad_files_is_unreadable(tmp_path: Path, ferrule: Callable[..., Any]) -> None:
    """Exit 3 when not one file could be read."""
    put(tmp_path / "in" / "bad.jsonl", b"\x00\x01")
    told = ferrule("review", str(tmp_path / "in"))
    assert told.code == 3
    assert "bad.jsonl" in told.err
    assert told.out == "Not one of 1 file could be read as a transcript.\n"


@pytest.mark.parametrize("turn", ["9", "nosuchturn", ""])
def test_a_turn_that_is_not_there_is_a_usage_error(tmp_path: Path, ferrule: Callable[..., Any], turn: str) -> None:
    """Exit 2, and the turn is named."""
    told = ferrule("review", str(good(tmp_path)), "--turn", turn)
    assert told.code == 2
    assert "no completed turn" in told.err


def test_a_turn_without_an_outcome_is_skipped_with_its_reason(tmp_path: Path, ferrule: Callable[..., Any]) -> None:
    """R76: not completed, so not reviewed; that is no failure."""
    told = ferrule(
        "review", str(put(tmp_path / "x.jsonl", json.dumps(GOOD_TURN | {"outcome": {"text": " "}}).encode())), "--json"
    )
    assert told.code == 0
    (row,) = told.rows()
    assert (row["reviews"], row["skipped"]) == ([], [{"turn": "k1", "reason": "no-outcome"}])


def test_a_file_in_the_place_of_the_home_is_said(tmp_path: Path, ferrule: Callable[..., Any]) -> None:
    """Exit 4: the home cannot be used; the file is left as it is."""
    file = put(tmp_path / "file", b"mine")
    for words in (["review", str(good(tmp_path))], ["memory", "list"], ["log"]):
        told = ferrule(*words, "--home", str(file))
        assert told.code == 4
        assert "not a folder" in told.err
        assert told.err.count("\n") == 1
    assert file.read_bytes() == b"mine"


@pytest.mark.parametrize("words", [["log"], ["memory", "list"], ["context"], ["explain"], ["sessions", "list"]])
def test_reading_makes_no_home(home: Path, ferrule: Callable[..., Any], words: list[str]) -> None:
    """A command that only reads says that there is nothing yet, exit 2, and leaves no folder behind."""
    told = ferrule(*words)
    assert told.code == 2
    assert "no Ferrule home" in told.err
    assert not home.exists()


def in_process_of_its_own(
    words: list[str], home: Path, *, file_size: int | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the real command in a process of its own, with little room on the disk if asked for."""

    def limit() -> None:
        if file_size is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))

    return subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-m", "ferrule", *words, "--home", str(home)],
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        preexec_fn=limit,
        # A file size limit also cuts the bytecode that a first import writes, and every later process would read that.
        env={"PATH": os.environ["PATH"], "HOME": str(home.parent), "PYTHONDONTWRITEBYTECODE": "1"},
    )


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="only root can become another user")
def test_a_home_without_permission_is_refused_in_clear_text(open_folder: Path) -> None:
    """CASE-K12: as a user who may not write there (root ignores mode bits): exit 4, one line, nothing made."""
    transcript = good(open_folder)
    transcript.chmod(0o644)
    owned, ours = open_folder / "owned", open_folder / "ours"
    for place in (owned, ours):
        place.mkdir()
    ours.chmod(0o555)
    os.chown(ours, NOBODY, NOBODY)
    # Everything is imported by a first run as root: the interpreter itself may live where others cannot read.
    code = (
        "import os, sys; from ferrule.interfaces.cli.entry import run\n"
        f"run(['review', {str(transcript)!r}, '--home', {str(open_folder / 'first')!r}])\n"
        f"os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})\n"
        f"print([run(['review', {str(transcript)!r}, '--home', home]) for home in {[str(owned), str(ours)]!r}])"
    )
    command = [sys.executable, "-c", code]
    told = subprocess.run(command, check=False, capture_output=True, text=True, encoding="utf-8")  # noqa: S603
    assert told.stdout.splitlines()[-1] == "[4, 4]", told.stderr
    assert len(told.stderr.splitlines()) == 2
    assert "belongs to another user" in told.stderr
    assert "permission denied" in told.stderr
    assert [*owned.iterdir(), *ours.iterdir()] == []


@pytest.mark.parametrize("room", [0, 32_768, 120_000])
def test_a_full_disk_is_one_line_and_half_writes_nothing(
    tmp_path: Path, ferrule: Callable[..., Any], room: int
) -> None:
    """CASE-K01, CASE-K08: no room for the store: exit 4; once there is room again the same command finishes."""
    home, transcript = tmp_path / "cramped", good(tmp_path)
    told = in_process_of_its_own(["review", str(transcript)], home, file_size=room)
    assert told.returncode == 4, told.stdout + told.stderr
    assert "Traceback" not in told.stderr
    again = ferrule("review", str(transcript), "--json", "--home", str(home))
    fresh = ferrule("review", str(transcript), "--json")
    assert again.code == 0
    assert written(again.out) == written(fresh.out) != [[]]


def written(output: str) -> list[Any]:
    """What the reviews of a JSON output wrote."""
    return [review["written"] for line in output.splitlines() for review in json.loads(line)["reviews"]]


def test_a_store_that_is_gone_is_never_made_anew_over_its_receipts(
    tmp_path: Path, home: Path, ferrule: Callable[..., Any]
) -> None:
    """CASE-N04: the file is missing although receipts were given: every command says so, exit 4, and makes nothing."""
    assert ferrule("review", str(good(tmp_path))).code == 0
    for file in home.glob("ferrule.sqlite3*"):
        file.unlink()
    for words in (["memory", "list"], ["context"], ["review", str(tmp_path / "good.jsonl")]):
        told = ferrule(*words)
        assert (told.code, told.err.count("\n")) == (4, 1)
        assert "missing although" in told.err
    assert not (home / "ferrule.sqlite3").exists()


def test_a_lost_head_is_told_beside_the_output(tmp_path: Path, home: Path, ferrule: Callable[..., Any]) -> None:
    """CASE-N09: what was reconciled at start is reported, and the command goes on."""
    assert ferrule("review", str(good(tmp_path))).code == 0
    (home / "receipts.head").unlink()
    told = ferrule("memory", "list", "--json")
    assert told.code == 0
    assert told.err.startswith("ferrule: note: ")
    assert len(told.rows()) == 1
    assert ferrule("memory", "list").err == ""


def test_a_damaged_store_is_said_and_left_alone(tmp_path: Path, home: Path, ferrule: Callable[..., Any]) -> None:
    """Exit 4, one line, and not a byte is changed."""
    assert ferrule("review", str(good(tmp_path))).code == 0
    put(home / "ferrule.sqlite3", b"this is no database" * 1000)
    for file in (home / "ferrule.sqlite3-wal", home / "ferrule.sqlite3-shm"):
        file.unlink(missing_ok=True)
    told = ferrule("memory", "list")
    assert (told.code, told.err.count("\n")) == (4, 1)
    assert (home / "ferrule.sqlite3").read_bytes() == b"this is no database" * 1000

"""`ferrule bench --sequence` and `--amnesia`, as a person runs them over sessions of her own."""

import json
from pathlib import Path

import pytest

from .conftest import Ferrule

PLACE = "/w/shop"


def _session(path: Path, name: str, talk: list[tuple[str, str, str]]) -> None:
    """Neutral turns; the third member of a row is a file that the agent edits."""
    lines = []
    for number, (user, outcome, edited) in enumerate(talk, start=1):
        call = {"tool": "edit_file", "arguments": {"path": edited}, "result": "edited", "ok": True}
        turn = {
            "session_key": f"desk:{name}",
            "turn_key": f"t{number}",
            "profile": "buffaly-agent",
            "ordinal": number,
            "cwd": PLACE,
            "user": user,
            "outcome": outcome,
            "tool_results": [call] if edited else [],
        }
        lines.append(json.dumps(turn))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


TALK = [
    ("Mend the rounding in src/pay/refund.py", "src/pay/refund.py rounds once now.", "src/pay/refund.py"),
    ("How are you?", "Fine, thanks.", ""),
    ("And what is a monad?", "A monoid in the category of endofunctors.", ""),
    ("Back to src/pay/refund.py please", "Looked at it again.", ""),
]


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    """A folder with two sessions."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    _session(folder / "one.jsonl", "one", TALK)
    _session(folder / "two.jsonl", "two", TALK)
    return folder


def test_whole_sessions_in_order_have_no_fault(ferrule: Ferrule, sessions: Path, tmp_path: Path, home: Path) -> None:
    """INV-I3, INV-I6, R24: the figures are shown and kept; nothing is written to the person's own home."""
    out = tmp_path / "out"
    told = ferrule("bench", "--sequence", "--sessions", str(sessions), "--out", str(out))
    kept = json.loads((out / "sequence.json").read_text(encoding="utf-8"))
    assert told.code == 0
    assert (kept["figures"]["sessions"], kept["figures"]["turns"]) == (2, 8)
    assert kept["figures"]["writes"] >= 2
    assert kept["faults"] == []
    assert "duplicate share" in told.out
    assert not home.exists()


def test_a_cut_session_is_told_what_it_will_use_again(ferrule: Ferrule, sessions: Path) -> None:
    """R87: the file is used again after two turns about something else; so short a session any rival holds whole."""
    told = ferrule("bench", "--amnesia", "--sessions", str(sessions), "--json")
    found = json.loads(told.out)
    assert (told.code, found["needed"]) == (0, 2)
    assert {row["share"] for row in found["contenders"].values()} == {1.0}
    assert [row["shares"]["ferrule"] for row in found["by_budget"]] == [1.0, 1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--sequence", "--sessions", "/nowhere"], "no such file: /nowhere"),
        (["--amnesia", "--tokens", "3"], "--tokens is 50 to 100000"),
        (["--amnesia", "--window", "-1"], "--window 0 to 1000"),
        (["--amnesia", "--threshold", "2"], "--threshold is a number above 0 and below 1"),
    ],
)
def test_a_mistake_is_one_line(ferrule: Ferrule, options: list[str], said: str, tmp_path: Path) -> None:
    """R89: and nothing is created."""
    told = ferrule("bench", *options, "--out", str(tmp_path / "out"))
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert said in told.err
    assert not (tmp_path / "out").exists()


def test_sessions_too_short_to_lose_anything_say_so(ferrule: Ferrule, tmp_path: Path) -> None:
    """R87: no figure out of nothing."""
    _session(tmp_path / "short.jsonl", "short", TALK[:2])
    assert "nothing to measure" in ferrule("bench", "--amnesia", "--sessions", str(tmp_path / "short.jsonl")).out

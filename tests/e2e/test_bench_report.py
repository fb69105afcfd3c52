"""`report.html`: beside every kept run, made anew from its folder, and honest about what it lacks."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from html_parts import parts_of

Ferrule = Callable[..., Any]
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def turn(number: int, **more: object) -> dict[str, object]:
    """A neutral turn in which a file was written; the first lane misses what its label wants."""
    call = {
        "call_id": "c1",
        "tool": "Write",
        "arguments": {"file_path": f"/w/shop/docs/plan{number}.md", "content": "x"},
        "result": f"File created successfully at: /w/shop/docs/plan{number}.md",
        "ok": True,
    }
    return {
        "id": f"b{number}",
        "session_key": "bench-one",
        "profile": "buffaly-agent",
        "turn_key": f"b{number}",
        "cwd": "/w/shop",
        "user": {"text": f"Please write docs/plan{number}.md with the plan; the token is {SECRET}."},
        "outcome": {"text": f"I wrote `docs/plan{number}.md`."},
        "tool_results": [call],
    } | more


def label(number: int) -> dict[str, object]:
    """Wants a host that nobody named."""
    handle = {"kind": "host", "value": "db9.shop.example"}
    entity = {"label": "database", "type": "Host", "grade": "required", "handles": [handle], "modality": "existing"}
    return {"id": f"b{number}", "file": f"shop/{number}", "entities": [entity], "forbidden": []}


@pytest.fixture
def turns(tmp_path: Path) -> Path:
    """Two turns, and a third without an outcome."""
    path = tmp_path / "turns.jsonl"
    rows = [turn(1), turn(2), turn(3, outcome={})]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def out(tmp_path: Path, turns: Path, ferrule: Ferrule) -> Path:
    """A run of them."""
    labels = tmp_path / "labels.jsonl"
    labels.write_text("".join(json.dumps(label(number)) + "\n" for number in (1, 2, 3)), encoding="utf-8")
    told = ferrule("bench", "--turns", str(turns), "--labels", str(labels), "--out", str(tmp_path / "out"))
    assert told.code == 0, told.err
    assert "report.html" in told.out
    assert "Without text, since their file holds no such turn that can be read: b3." in told.err
    return tmp_path / "out"


def words(out: Path) -> str:
    """What the page says."""
    page = (out / "report.html").read_text(encoding="utf-8")
    return next(element.text for element in parts_of(page) if element.tag == "main")


def test_a_kept_run_has_a_page_with_the_text_of_what_went_wrong(out: Path) -> None:
    """DEC-D13: scrubbed as it was read, without the digest of a mark."""
    said = words(out)
    assert "Please write docs/plan1.md with the plan; the token is [secret:" in said
    assert "Host: database" in said
    assert "db9.shop.example" in said
    assert "no-outcome" in said
    assert SECRET not in (out / "report.html").read_text(encoding="utf-8")


def test_it_is_made_anew_from_the_folder_alone(out: Path, home: Path, ferrule: Ferrule) -> None:
    """The same bytes; nothing of it reaches a home."""
    before = (out / "report.html").read_bytes()
    (out / "report.html").unlink()
    told = ferrule("bench", "--report", str(out), "--json")
    assert told.code == 0, told.err
    (row,) = told.rows()
    assert (row["bytes"], row["cases"], row["cases_shown"]) == (len(before), 3, 3)
    assert (out / "report.html").read_bytes() == before
    assert not home.exists()
    assert "2 of 3 cases" in ferrule("bench", "--report", str(out), "--cases", "2").out
    assert "1 case more" in words(out)


def test_turns_that_are_gone_or_others_now_are_said_and_the_rest_is_shown(
    out: Path, turns: Path, ferrule: Ferrule
) -> None:
    """A text of another turn beside a verdict would be worse than none."""
    turns.write_text(json.dumps(turn(1, user={"text": "another"})) + "\n", encoding="utf-8")
    told = ferrule("bench", "--report", str(out))
    assert told.code == 0
    assert "its digest differs" in told.err
    assert "another" not in words(out)
    assert "has changed since the run (its digest differs)" in words(out)
    turns.unlink()
    assert ferrule("bench", "--report", str(out)).code == 0
    assert "is not there any more" in words(out)
    assert "Host: database" in words(out)


def test_what_whole_sessions_gave_stands_on_the_same_page(out: Path, ferrule: Ferrule) -> None:
    """Both ways of working write it anew."""
    (out / "amnesia.json").write_text(json.dumps({"needed": 0, "sessions": 4}), encoding="utf-8")
    assert ferrule("bench", "--report", str(out)).code == 0
    assert "4 sessions cut at 0 places" in words(out)


@pytest.mark.parametrize(
    "damage",
    [
        ("metrics.json", "{", "is not JSON"),
        ("metrics.json", '{"format": 9, "lanes": {}}', "not a metrics.json of this form"),
        ("sequence.json", "[]", "is not an object"),
        ("amnesia.json", "[" * 9000, "is not JSON"),
    ],
)
def test_damaged_figures_are_one_clear_line(out: Path, ferrule: Ferrule, damage: tuple[str, str, str]) -> None:
    """R89: and the page that was there stays."""
    name, text, said = damage
    before = (out / "report.html").read_bytes()
    (out / name).write_text(text, encoding="utf-8")
    told = ferrule("bench", "--report", str(out))
    assert told.code == 3
    assert said in told.err
    assert "Traceback" not in told.err
    assert (out / "report.html").read_bytes() == before


def test_a_folder_without_a_run_is_refused_and_not_made(tmp_path: Path, ferrule: Ferrule) -> None:
    """R89: also a number of cases that is none."""
    told = ferrule("bench", "--report", str(tmp_path / "nowhere"))
    assert told.code == 2
    assert "holds no finished run" in told.err
    assert not (tmp_path / "nowhere").exists()
    assert "--cases is a number from 1" in ferrule("bench", "--report", str(tmp_path), "--cases", "0").err

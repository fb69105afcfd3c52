"""`ferrule format` gives ProtoScript files one layout, and never half a file."""

import io
import json
import os
import sys
from pathlib import Path

import pytest

from ferrule.errors import StoreError
from ferrule.interfaces.cli.entry import run
from ferrule.wiring.layouts import difference, lay_out, put

UNTIDY = 'prototype  Loaf{ String Label="rye" ;// said\n}'
TIDY = 'prototype Loaf\n{\n\tString Label = "rye"; // said\n}\n'
WRONG = 'prototype Loaf\n{\n\tString Label = "rye"\n}\n'


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A folder with an untidy, a tidy and a wrong file, one of them below, and one that is no ProtoScript."""
    (tmp_path / "below").mkdir()
    (tmp_path / "a.pts").write_text(UNTIDY, encoding="utf-8")
    (tmp_path / "b.pts").write_text(TIDY, encoding="utf-8")
    (tmp_path / "below" / "c.pts").write_text(WRONG, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("prototype  X ;", encoding="utf-8")
    return tmp_path


def test_a_folder_is_formatted_in_place(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What can be read is formatted; what is wrong stays, is shown with its place, and the exit code is 1."""
    os.chmod(shelf / "a.pts", 0o640)  # noqa: PTH101 - as a person would
    assert run(["format", str(shelf)]) == 1
    assert (shelf / "a.pts").read_text(encoding="utf-8") == TIDY
    assert (shelf / "a.pts").stat().st_mode & 0o777 == 0o640
    assert (shelf / "below" / "c.pts").read_text(encoding="utf-8") == WRONG
    assert (shelf / "notes.txt").read_text(encoding="utf-8") == "prototype  X ;"
    told = capsys.readouterr()
    assert told.out == f"{shelf}/a.pts: formatted\n"
    assert "c.pts:3:" in told.err
    assert told.err.endswith("3 files: 1 formatted, 1 as they were, 1 wrong\n")
    assert sorted(path.name for path in shelf.iterdir()) == ["a.pts", "b.pts", "below", "notes.txt"]


def test_checking_writes_nothing(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--check` names what would change and exits with 1; `--diff` shows it, and finds nothing wrong in it."""
    assert run(["format", "--check", str(shelf / "a.pts"), str(shelf / "b.pts")]) == 1
    assert capsys.readouterr().out == f"{shelf}/a.pts: would change\n"
    assert run(["format", "--check", str(shelf / "b.pts")]) == 0
    assert run(["format", "--diff", str(shelf / "a.pts")]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert '+\tString Label = "rye"; // said' in shown
    assert "\\ no line end here" in shown
    assert (shelf / "a.pts").read_text(encoding="utf-8") == UNTIDY


def test_standard_input_goes_to_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the text; a wrong one gives none, so that nobody's file is emptied by it."""
    for text, told, code in ((UNTIDY, TIDY, 0), (WRONG, "", 1)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert run(["format", "-"]) == code
        assert capsys.readouterr().out == told


def test_json_is_one_object_per_file(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was changed, and what is wrong."""
    assert run(["format", "--check", "--json", str(shelf)]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(Path(row["file"]).name, row["ok"], row["changed"]) for row in rows] == [
        ("a.pts", True, True),
        ("b.pts", True, False),
        ("c.pts", False, False),
    ]
    assert rows[2]["diagnostics"][0]["code"] == "missing-semicolon"


def test_a_file_that_changed_meanwhile_is_left_alone(shelf: Path) -> None:
    """What somebody else wrote is not overwritten."""
    laid = lay_out(str(shelf / "a.pts"), io.BytesIO())
    (shelf / "a.pts").write_text("prototype Mine;\n", encoding="utf-8")
    with pytest.raises(StoreError, match="changed meanwhile"):
        put(laid)
    assert (shelf / "a.pts").read_text(encoding="utf-8") == "prototype Mine;\n"


def test_a_link_is_followed_and_stays_a_link(shelf: Path) -> None:
    """The file that it names is formatted."""
    (shelf / "link.pts").symlink_to("a.pts")
    put(lay_out(str(shelf / "link.pts"), io.BytesIO()))
    assert (shelf / "link.pts").is_symlink()
    assert (shelf / "a.pts").read_text(encoding="utf-8") == TIDY


def test_a_failing_write_leaves_the_file_whole(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One clear line; nothing is left beside it."""

    def broken(*_: object) -> None:
        raise OSError(28, "No space left on device")

    laid = lay_out(str(shelf / "a.pts"), io.BytesIO())
    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(StoreError, match=r"a\.pts cannot be written: No space left on device"):
        put(laid)
    assert (shelf / "a.pts").read_text(encoding="utf-8") == UNTIDY
    assert len(list(shelf.iterdir())) == 4


def test_no_change_no_difference(shelf: Path) -> None:
    """A formatted file has no diff."""
    assert difference(lay_out(str(shelf / "b.pts"), io.BytesIO())) == ""


def test_a_folder_is_checked_with_a_sum(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`ferrule check FOLDER` shows what is wrong, and counts the rest."""
    (shelf / "d.pts").write_text("function Bake() : Int { return 1; }\nprototype Bun;\n", encoding="utf-8")
    assert run(["check", str(shelf)]) == 1
    told = capsys.readouterr()
    assert "c.pts:3:" in told.out
    assert "a.pts" not in told.out
    assert told.err == "4 files, 4 prototypes, 1 error, 1 part kept unread, for running would tell\n"
    assert run(["check", str(shelf / "d.pts")]) == 0
    assert "1 kept unread: it would have to be run" in capsys.readouterr().out
    assert run(["check", "--json", str(shelf / "d.pts")]) == 0
    assert json.loads(capsys.readouterr().out)["opaque"] == [{"what": "function `Bake`", "line": 1}]

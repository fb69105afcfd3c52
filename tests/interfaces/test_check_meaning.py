"""`ferrule check --meaning` says what files mean together, and `-v` what of them is never run."""

import json
from pathlib import Path

import pytest

from ferrule.interfaces.cli.entry import run

WRONG = """include "none.pts";
prototype Quay : Repositori
{
	string Colour = "grey";
	Depth = 4;
}
prototype Pier : Repository
{
	DefaultBranch = main;
	Int Length = "4";
}
prototype Pier : Repository;
"""
EXPECTED = [
    (1, 1, "IO_FAILED", "seen from the file"),
    (2, 18, "UNKNOWN_TYPE", "Did you mean Repository?"),
    (4, 2, "UNKNOWN_TYPE", "Did you mean String?"),
    (5, 2, "UNKNOWN_PROPERTY", "String Depth = "),
    (9, 18, "UNKNOWN_REFERENCE", "in quotes"),
    (10, 15, "TYPE_MISMATCH", "It is a text"),
    (12, 11, "ALREADY_EXISTS", "partial prototype"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one file in which everything is wrong, and one that is right."""
    (tmp_path / "wrong.pts").write_text(WRONG, encoding="utf-8")
    (tmp_path / "good.pts").write_text("partial prototype Pier { String Owner = Ask(1); }\n", encoding="utf-8")
    return tmp_path


def test_what_files_mean_together_is_told_at_its_place_with_what_mends_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """R89, R94: seven mistakes of a beginner, each at its place; by itself the file is read without a word."""
    assert run(["check", str(folder)]) == 0
    capsys.readouterr()
    assert run(["check", "--meaning", "--json", str(folder)]) == 1
    good, wrong = map(json.loads, capsys.readouterr().out.splitlines())
    assert (good["ok"], wrong["ok"]) == (True, False)
    found = [(row["line"], row["column"], row["code"]) for row in wrong["diagnostics"]]
    assert found == [expected[:3] for expected in EXPECTED]
    for row, expected in zip(wrong["diagnostics"], EXPECTED, strict=True):
        assert expected[3] in row["hint"]
        assert WRONG[: row["offset"]].count("\n") == row["line"] - 1


def test_a_person_sees_the_line_and_the_caret(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """R94: as of a finding in the text itself; the sum counts all of them."""
    assert run(["check", "--meaning", str(folder)]) == 1
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    at = next(number for number, line in enumerate(lines) if "wrong.pts:2:18: " in line)
    assert lines[at + 1][lines[at + 2].index("^") :] == "Repositori"
    assert "2 files, 4 prototypes, 7 errors" in shown.err + shown.out


def test_what_is_never_run_is_listed_on_demand(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """INV-I5: with its line; without the option only its number is told."""
    assert run(["check", "-v", str(folder)]) == 0
    assert "good.pts:1: not run: value of `Owner` (call)" in capsys.readouterr().out
    assert run(["check", str(folder)]) == 0
    assert "not run:" not in capsys.readouterr().out


def test_a_file_that_is_included_is_checked_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """R89: what is wrong in it is told under its own name."""
    (tmp_path / "main.pts").write_text('include "other.pts"; prototype A : B;', encoding="utf-8")
    (tmp_path / "other.pts").write_text("prototype B { X = 1; }", encoding="utf-8")
    assert run(["check", "--meaning", str(tmp_path / "main.pts")]) == 1
    shown = capsys.readouterr().out
    assert f"{tmp_path / 'main.pts'}: ok" in shown
    assert f"{tmp_path / 'other.pts'}:1:15: UNKNOWN_PROPERTY" in shown


def test_the_shipped_types_are_there_unless_the_files_stand_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """R89: as `--ontology` reads them, which takes the place of the shipped ones."""
    (tmp_path / "a.pts").write_text("prototype Quay : Repository;", encoding="utf-8")
    assert run(["check", "--meaning", str(tmp_path)]) == 0
    assert run(["check", "--meaning", "--alone", str(tmp_path)]) == 1
    assert "The base Repository is not known." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--alone", "."], "--alone goes with --meaning"),
        (["--meaning", "-"], "not standard input"),
        (["--meaning", "no-such-folder"], "no such file"),
    ],
)
def test_what_does_not_go_together_is_one_line(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """R94: exit code 2, no traceback."""
    assert run(["check", *words]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert told.count("\n") == 1


def test_no_line_of_a_file_with_a_secret_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """INV-I6: the place is told, the text is not."""
    key = "AKIA" + "Q7R3ZP5LXW2NVB4M"
    (tmp_path / "a.pts").write_text(f'prototype Quay : Repository {{ Nope = "{key}"; }}', encoding="utf-8")
    assert run(["check", "--meaning", str(tmp_path)]) == 1
    shown = capsys.readouterr().out
    assert "UNKNOWN_PROPERTY" in shown
    assert key not in shown

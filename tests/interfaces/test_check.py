"""`ferrule check` says what is wrong with a ProtoScript file, where, and what would mend it."""

import io
import json
import sys
from pathlib import Path

import pytest

from ferrule.interfaces.cli.entry import run

GOOD = 'prototype Shop : WebSite\n{\n\tString SiteUrl = @"https://shop.example.org";\n}\n'
BAD = 'prototype Shop : WebSite\n{\n\tString SiteUrl = "https://shop.example.org"\n}\n'


def put(folder: Path, name: str, content: str | bytes) -> str:
    """A file with that content."""
    path = folder / name
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return str(path)


def test_a_clean_file_is_ok(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 0, and what is in it."""
    assert run(["check", put(tmp_path, "a.pts", GOOD)]) == 0
    assert "ok, 1 prototype (Shop)" in capsys.readouterr().out


def test_a_finding_has_place_caret_and_hint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 1: findings. The caret stands below the character it means."""
    assert run(["check", put(tmp_path, "a.pts", BAD)]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert "a.pts:3:" in shown[0]
    assert shown[1].index('"https') < shown[2].index("^")
    assert len(shown) == 4


def test_json_is_one_object_per_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Design section 8: file, ok, diagnostics, summary (null when not ok)."""
    files = [put(tmp_path, "a.pts", GOOD), put(tmp_path, "b.pts", BAD)]
    assert run(["check", "--json", *files]) == 1
    good, bad = map(json.loads, capsys.readouterr().out.splitlines())
    assert (good["file"], good["ok"], good["diagnostics"]) == (files[0], True, [])
    assert good["summary"]["prototypes"][0]["name"] == "Shop"
    assert (bad["ok"], bad["summary"]) == (False, None)
    assert set(bad["diagnostics"][0]) == {"code", "message", "line", "column", "offset", "hint"}
    assert bad["diagnostics"][0]["line"] == 3


def test_standard_input_is_a_file_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`-` reads standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert run(["check", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["file"] == "-"


@pytest.mark.parametrize(
    ("content", "code", "says"),
    [
        (None, 2, "no such file"),
        (b"\xff\xfe\x00", 3, "is not UTF-8 text"),
        (b"x" * (4 * 1024 * 1024 + 1), 3, "is larger than 4 MB"),
    ],
)
def test_what_cannot_be_read_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, content: bytes | None, code: int, says: str
) -> None:
    """Usage 2, unreadable 3; no traceback."""
    name = str(tmp_path / "none.pts") if content is None else put(tmp_path, "a.pts", content)
    assert run(["check", name]) == code
    told = capsys.readouterr().err
    assert says in told
    assert told.count("\n") == 1


def test_hostile_text_ends_with_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """CASE-C12, CASE-I04: nothing in the text reaches the terminal as a command, and nesting is bounded."""
    assert run(["check", put(tmp_path, "a.pts", "prototype \x1b[2J" + "[" * 50_000)]) == 1
    assert "\x1b" not in capsys.readouterr().out

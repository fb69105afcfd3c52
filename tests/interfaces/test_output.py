"""What stands beside the output proper: progress that never shares a line with it."""

import io
import json

import pytest

from ferrule.interfaces.cli.output import Progress, print_json


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_json_is_ascii_whatever_is_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    """PEER-D19, CASE-C12: control characters, emoji and lone surrogates survive a pipe and come back equal."""
    value = {"text": "\x1b[31m \x9b \u202e 模块✅ \ud800"}
    print_json(value, {})
    line, rest = capsys.readouterr().out.split("\n", 1)
    assert line.isascii()
    assert "\x1b" not in line
    assert json.loads(line) == value
    assert rest == "{}\n"


def test_a_quick_command_shows_no_progress() -> None:
    """Nothing is said in the first second, and nothing is left behind."""
    for stream in (io.StringIO(), Terminal()):
        with Progress(stream) as progress:
            progress("reading a.jsonl")
        assert stream.getvalue() == ""


def test_the_line_is_cleared_before_anything_is_printed() -> None:
    """On a terminal output never continues behind a progress text, and the line is gone at the end."""
    stream = Terminal()
    with Progress(stream) as progress:
        progress("reading \x1b[2J a.jsonl")
        progress.show()
        assert stream.getvalue() == "\r\x1b[Kreading \\x1b[2J a.jsonl"
        with progress.paused():
            stream.write("output\n")
        progress("reviewed 1 of 2")
        progress.show()
        progress.show()
    written = stream.getvalue()
    assert "a.jsonl\r\x1b[Koutput\n" in written
    assert written.count("reviewed 1 of 2") == 1
    assert written.endswith("reviewed 1 of 2\r\x1b[K")

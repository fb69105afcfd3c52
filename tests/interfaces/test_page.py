"""Untrusted text is shown, never obeyed; lines fit the terminal, and stay whole in a pipe."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ferrule.interfaces.cli.page import Page
from ferrule.interfaces.cli.visible import excerpt, visible


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x1b]8;;http://x\x07y", "\\x1b]8;;http://x\\x07y"),
        ("a\bb", "a\\x08b"),
        ("a\r\nb\tc", "a\\r\\nb\\tc"),
        ("\x9b31m", "\\x9b31m"),
        ("\u202eevil", "\\u202eevil"),
        ("z\u200bw", "z\\u200bw"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("Ünïcode 路径", "Ünïcode 路径"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\u200d\U0001f469"),
        ("a\u200db", "a\\u200db"),
        ("\u0645\u200c\u0647", "\u0645\u200c\u0647"),
        ("\u0645\u200d\u200d\u0647", "\u0645\\u200d\\u200d\u0647"),
    ],
)
def test_what_a_terminal_acts_on_is_written_as_an_escape(text: str, shown: str) -> None:
    """CASE-C12: ANSI, OSC 8, backspace, bidi and invisible characters."""
    assert visible(text) == shown


@given(st.text(max_size=400), st.integers(min_value=12, max_value=120))
def test_an_excerpt_is_one_short_visible_line(text: str, limit: int) -> None:
    """Whatever the text: within the limit, nothing unprintable."""
    cut = excerpt(text, limit)
    assert len(cut) <= limit
    assert cut == visible(cut)


def test_markup_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory text is no markup, no emoji code and no link of rich."""
    monkeypatch.delenv("COLUMNS", raising=False)
    stream = io.StringIO()
    Page(stream).line("[red]x[/red] :smile: [link=http://evil]y[/link] http://z")
    assert stream.getvalue() == "[red]x[/red] :smile: [link=http://evil]y[/link] http://z\n"


def test_a_pipe_gets_whole_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """`ferrule … | grep` finds a value however long it is; tables too."""
    monkeypatch.delenv("COLUMNS", raising=False)
    stream = io.StringIO()
    page = Page(stream)
    value = "/very/long" * 40
    page.line("  handle ", value)
    page.table(("Name", "Handle"), [("a", value)])
    assert stream.getvalue().count(value) == 2


@given(st.lists(st.text(alphabet="ab/路", min_size=1, max_size=60), min_size=1, max_size=30), st.integers(30, 100))
def test_wrapping_never_breaks_a_word(words: list[str], width: int) -> None:
    """A long path is never cut, so that it can be copied; every word comes out once and in order."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        patch.setenv("NO_COLOR", "1")
        stream = Terminal()
        Page(stream).line(" ".join(words), indent=2, hang=6)
    assert stream.getvalue().split() == words


def test_a_table_folds_nothing_and_has_no_empty_column(monkeypatch: pytest.MonkeyPatch) -> None:
    """Session keys and handles can be copied from a terminal of any width."""
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "dumb")
    stream = Terminal()
    key = "codex:019ed50c-2fb3-7002-a384-360bea6e7f04"
    Page(stream).table(("Session", "Title", "Folder"), [(key, "", "/w" * 30), (("b", "bold"), "", "")])
    assert stream.getvalue().splitlines() == [f"{'Session':<42}  Folder", f"{key}  {'/w' * 30}", "b"]


@pytest.mark.parametrize("width", [40, 80, 120])
def test_lines_fit_the_terminal_and_hang(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not fit goes on further in."""
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    stream = Terminal()
    Page(stream).line("why  " + "because of this and that " * 12, indent=4, hang=9)
    rows = stream.getvalue().splitlines()
    assert all(len(row) <= width for row in rows)
    assert rows[0].startswith("    why")
    assert all(row.startswith(" " * 9) and row[9] != " " for row in rows[1:])

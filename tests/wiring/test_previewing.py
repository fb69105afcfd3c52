"""A change as a person sees it before it is done."""

from pathlib import Path

from ferrule.adapters.clients.changes import Change
from ferrule.wiring.previewing import MOST_LINES, preview

FILE = Path("/u/settings.json")


def rows(before: bytes | None, after: bytes | None) -> tuple[str, ...]:
    """What is shown of one file."""
    (shown,) = preview([Change(FILE, before, after, FILE)])
    return shown.rows


def test_lines_are_counted_from_the_beginning_of_the_file() -> None:
    """What lies between is passed over, and the numbers are still the file's."""
    before = "".join(f"line {number}\n" for number in range(1, 101)).encode()
    after = before.replace(b"line 50\n", b"line 50\nnew\n")
    assert rows(before, after) == ("@@ -49,4 +49,5 @@", " line 49", " line 50", "+new", " line 51", " line 52")


def test_a_file_of_one_long_line_shows_where_it_changes() -> None:
    """As a client writes its own files."""
    before = b'{"a":"' + b"x" * 5000 + b'","z":1}'
    after = before[:-1] + b',"new":2}'
    old, new = rows(before, after)
    assert new.endswith('","z":1,"new":2}')
    assert old.endswith('","z":1}')
    assert (old[:2], new[:2], len(new) < 100) == ("-…", "+…", True)


def test_line_ends_and_a_missing_last_one_are_no_change() -> None:
    """Only what was put in is shown as such."""
    assert rows(b"a\r\nb", b"a\r\nb\r\nc\r\n") == ("@@ -1,2 +1,3 @@", " a", " b", "+c")
    assert rows(None, b"a\n") == ("@@ -0,0 +1 @@", "+a")
    assert rows(b"a\n", None) == ("@@ -1 +0,0 @@", "-a")


def test_a_change_all_over_a_long_file_is_only_counted() -> None:
    """Nobody reads it, and comparing it would take long."""
    before = "".join(f"{number}\n" for number in range(MOST_LINES + 1)).encode()
    after = before.replace(b"0", b"o")
    (row,) = rows(before, after)
    assert row.startswith("@@ 2")
    assert "lines become" in row


def test_secrets_and_bytes_that_are_no_text_are_not_shown() -> None:
    """D13: neither in lines beside the change nor in those that change; and nothing fails."""
    token = "sk-ant-api03-" + "Zx9" * 20
    shown = "\n".join(
        rows(f"token {token}\n".encode() + b"\xff\n", f"token {token}\nnew {token}\n".encode() + b"\xff\n")
    )
    assert token not in shown
    assert "+new" in shown

"""Rule 8 by itself: what can be pointed at."""
# ruff: noqa: E501 - tables of cases keep one case a line

import pytest
from rule_rows import Row, rows_of

from ferrule.memory.rules.handle import handle_rule

# A definition and each finding: code, property, the text at the place, message, how the remedy begins.
ROWS: list[tuple[str, list[Row]]] = [
    ('prototype Q : Host { HostName = @"b"; }', []),
    ('prototype Q : Host { Notes = @"b"; }', [("NO_HANDLE", "", "Q", "Nothing in it can be pointed at: no path, URL, id, command or link to an entity that has one.", "Put the handle in a property")]),
    ("prototype Q : Host { Host C = Buoy; }", []),
    ("prototype Q : Host { Host C = Bell; }", [("NO_HANDLE", "", "Q", "Nothing in it can be pointed at: no path, URL, id, command or link to an entity that has one.", "Put the handle in a property")]),
    ("prototype Q : Host { String A; }", [("NO_HANDLE", "", "Q", "Nothing in it can be pointed at: no path, URL, id, command or link to an entity that has one.", "Put the handle in a property")]),
    ('partial prototype Buoy { Notes = @"a"; }', []),
    ('partial prototype Bell { Notes = @"a"; }', [("NO_HANDLE", "", "Bell", "Nothing in it can be pointed at: no path, URL, id, command or link to an entity that has one.", "Put the handle in a property")]),
    ('prototype Q : Host { Notes = @"/srv/a.md"; }', [("NO_HANDLE", "", "Q", "Nothing in it can be pointed at: no path, URL, id, command or link to an entity that has one.", "Put the handle in a property")]),
    ('prototype Q : Host { String Where = @"/srv/a.md"; }', []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_what_can_be_pointed_at(text: str, expected: list[Row]) -> None:
    """R24, R25, DEC-D3: a handle of its own or a link to one."""
    assert rows_of(handle_rule, text) == expected

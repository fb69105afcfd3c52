"""Whole-token matching."""
# ruff: noqa: E501 - tables of cases keep one case a line

import pytest

from ferrule.referents.tokens import has_whole_token, whole_token_spans

STANDS = [
    ("in /a/b.", "/a/b"), ("(/a/b)", "/a/b"), ("/a/b:12", "/a/b"), ("--out=/a/b", "/a/b"), ("PR #12, then", "#12"), ("`x`", "x"), ("docs/ and", "docs"),
    ("host:80", "host"), ("3ff9b78.", "3ff9b78"), ("a b", "a b"), ("größe.md", "größe.md"), ('"x"', "x"),
]  # fmt: skip
IS_PART = [
    ("/a/bc", "/a/b"), ("x/a/b", "/a/b"), ("/a/b/c", "/a/b"), ("a.py.bak", "a.py"), ("src/a.py", "a.py"), ("#123", "#12"), ("3.11", "3.1"), ("./a/b", "a/b"),
    ("naïve", "na"), ("v1.2", "1.2"), ("ann@x", "ann"), ("a-b", "a"), ("x.y", "x"), ("", "x"), ("x", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), STANDS)
def test_a_value_between_marks_is_a_token(text: str, value: str) -> None:
    """DEC-D9, INV-I3."""
    (span,) = whole_token_spans(text, value)
    assert text[span[0] : span[1]] == value


@pytest.mark.parametrize(("text", "value"), IS_PART)
def test_a_part_of_something_longer_is_no_token(text: str, value: str) -> None:
    """DEC-D9, CASE-E14."""
    assert not has_whole_token(text, value)


def test_matches_are_found_left_to_right() -> None:
    """DEC-D9."""
    assert whole_token_spans("ab, abc, ab", "ab") == ((0, 2), (9, 11))

"""Whole-token matching."""
# ruff: noqa: E501 - tables of cases keep one case a line

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ferrule.referents.tokens import token_spans

STANDS = [
    ("in /a/b.", "/a/b"), ("(/a/b)", "/a/b"), ("/a/b:12", "/a/b"), ("--out=/a/b", "/a/b"), ("PR #12, then", "#12"), ("`x`", "x"), ("docs/ and", "docs"),
    ("host:80", "host"), ("3ff9b78.", "3ff9b78"), ("a b", "a b"), ("größe.md", "größe.md"), ('"x"', "x"), ("./a/b", "a/b"), ("src/a.py", "a.py"),
    ("使用src/a.py文件", "src/a.py"), ("NAME=value", "NAME"), ("pkg@1.2.3", "pkg"), ("aaaa 使a", "a"), ("xa a", "a"),
]  # fmt: skip
IS_PART = [
    ("/a/bc", "/a/b"), ("x/a/b", "/a/b"), ("/a/b/c", "/a/b"), ("a.py.bak", "a.py"), ("#123", "#12"), ("3.11", "3.1"), ("../a/b", "a/b"),
    ("naïve", "na"), ("v1.2", "1.2"), ("a-b", "a"), ("x.y", "x"), ("", "x"), ("x", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), STANDS)
def test_a_value_between_marks_is_a_token(text: str, value: str) -> None:
    """DEC-D9, INV-I3."""
    (span,) = token_spans(text, value)
    assert text[span[0] : span[1]] == value


@pytest.mark.parametrize(("text", "value"), IS_PART)
def test_a_part_of_something_longer_is_no_token(text: str, value: str) -> None:
    """DEC-D9, CASE-E14."""
    assert not list(token_spans(text, value))


def test_matches_are_found_left_to_right() -> None:
    """DEC-D9."""
    assert list(token_spans("ab, abc, ab", "ab")) == [(0, 2), (9, 11)]


def test_a_word_is_passed_over_at_once() -> None:
    """CASE-I09: one letter a hundred thousand times hides no token behind it."""
    assert list(token_spans("a" * 100_000 + " aaa", "aaa")) == [(100_001, 100_004)]


@given(st.text(alphabet="ab_/. -使", max_size=40), st.text(alphabet="ab_/.使", min_size=1, max_size=3))
def test_what_is_passed_over_holds_no_token(text: str, value: str) -> None:
    """DEC-D9: the same as looking at every place by itself, with no more of the text than three letters around it."""
    alone = []
    for at in range(len(text)):
        first, end = max(0, at - 3), at + len(value)
        if (at - first, end - first) in set(token_spans(text[first : end + 3], value)):
            alone.append((at, end))
    assert list(token_spans(text, value)) == alone

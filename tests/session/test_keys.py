"""Keys of sessions, turns, companions and result tokens."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ferrule.errors import Code, UsageError
from ferrule.session.keys import (
    MAX_SESSION_KEY,
    child_key,
    parse_result_token,
    result_token,
    session_key,
    turn_key,
    validate_session_key,
    validate_turn_key,
)

BAD_SESSION_KEYS = [
    *("", " ", ".", "..", "../x", "a/../../b", "/etc/x", "a\\b", "a\x00b", "a\nb", "a\u202eb", "\ud800"),
    *("CON", "nul", "nul.txt", "COM1", "aux", "lpt9.log", "x" * (MAX_SESSION_KEY + 1)),
]
GOOD_SESSION_KEYS = [
    *("Alpha Desk 6-1", "claude-code:9d2f", "codex:01-ab", "é", "console", "com10", "a.b", "x" * MAX_SESSION_KEY),
]
BAD_TURN_KEYS = ["", "a:b", "a b", "a\tb", "a\x00", "a\u2028b", "x" * 201]


@pytest.mark.parametrize("key", BAD_SESSION_KEYS)
def test_a_key_that_is_no_safe_name_is_refused(key: str) -> None:
    """CASE-E01, CASE-E03, CASE-C06: paths, devices and control characters are BAD_KEY, whoever sends them."""
    with pytest.raises(UsageError) as raised:
        validate_session_key(key)
    assert raised.value.code is Code.BAD_KEY


@pytest.mark.parametrize("key", GOOD_SESSION_KEYS)
def test_a_session_key_may_hold_spaces_and_any_letters(key: str) -> None:
    """R8: published keys carry spaces; a key of 224 characters still leaves room for the suffix."""
    assert validate_session_key(key) == key


@pytest.mark.parametrize("key", BAD_TURN_KEYS)
def test_a_turn_key_has_no_colon_and_no_space(key: str) -> None:
    """R90: else a result token could not be parsed from the right."""
    with pytest.raises(UsageError) as raised:
        validate_turn_key(key)
    assert raised.value.code is Code.BAD_KEY


def test_the_companions_key_is_the_sources_with_the_suffix() -> None:
    """R8, R74: "Alpha Desk 6-1" has exactly one companion key."""
    assert child_key("Alpha Desk 6-1") == "Alpha Desk 6-1-online-memory-critic"


def test_a_session_is_named_by_its_clients_id() -> None:
    """Design section 2: `<client>:<native id>`."""
    assert session_key("codex", "01-ab", head=b"ignored") == "codex:01-ab"


def test_a_file_without_an_id_is_named_by_its_first_four_kilobytes() -> None:
    """Design section 2: the first 16 hex digits of the SHA-256 of the first 4 KiB, whatever follows."""
    head = b"x" * 4096
    expected = "codex:" + hashlib.sha256(head).hexdigest()[:16]
    assert session_key("codex", None, head=head) == expected
    assert session_key("codex", "  ", head=head + b"more") == expected


def test_a_turn_without_a_usable_native_id_is_named_by_ordinal_and_text() -> None:
    """Design section 2: `t<ordinal>-<12 hex of the user text's SHA-256>`; a native id with a colon is not usable."""
    digest = hashlib.sha256(b"hello").hexdigest()[:12]
    assert turn_key("9d-1", 3, "hello") == "9d-1"
    assert turn_key(None, 3, "hello") == turn_key("a:b", 3, "hello") == f"t3-{digest}"


@given(st.sampled_from(GOOD_SESSION_KEYS), st.from_regex(r"[a-z0-9-]{1,40}", fullmatch=True))
def test_a_result_token_reads_back(source: str, turn: str) -> None:
    """R90: parsed from the right, so a source may hold colons."""
    assert parse_result_token(result_token(source, turn)) == (source, turn)


@pytest.mark.parametrize("token", ["", "online-memory-critic:", "online-memory-critic:a", "other:a:b"])
def test_what_is_no_result_token_is_refused(token: str) -> None:
    """R90: a broken token is a typed refusal."""
    with pytest.raises(UsageError):
        parse_result_token(token)

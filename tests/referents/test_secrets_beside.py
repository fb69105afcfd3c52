"""What a detector from elsewhere finds is taken out of a text beside what the floor found."""

import pytest

from ferrule.referents.secrets.beside import Found, scrubbed_beside
from ferrule.referents.secrets.mark import placeholder

KEY = b"a key of this test"
MARK = placeholder("token", "abcdef", KEY)


@pytest.mark.parametrize(
    ("text", "found", "clean"),
    [
        ("say abcdef twice: abcdef", [Found("Token", "abcdef")], f"say {MARK} twice: {MARK}"),
        ("say abcdef", [Found("TOKEN!", "abcdef")], f"say {MARK}"),
        ("say abcdef", [Found("--", "abcdef")], f"say {placeholder('secret', 'abcdef', KEY)}"),
        ("say abcdef", [], "say abcdef"),
        ("say abc", [Found("token", "abc")], "say abc"),
        ("say abcd", [Found("token", "abcd")], f"say {placeholder('token', 'abcd', KEY)}"),
        (f"{MARK} token", [Found("word", "token")], f"{MARK} {placeholder('word', 'token', KEY)}"),
        ("abcdefgh", [Found("short", "cdef"), Found("token", "abcdefgh")], placeholder("token", "abcdefgh", KEY)),
        ("say abcdef", [Found("a" * 60, "abcdef")], f"say {placeholder('a' * 40, 'abcdef', KEY)}"),
    ],
)
def test_a_value_goes_wherever_it_stands_and_marks_stay(text: str, found: list[Found], clean: str) -> None:
    """DEC-D13: the longest first, whole marks untouched, nothing short; the kind in plain letters."""
    assert scrubbed_beside(text, KEY, found) == clean

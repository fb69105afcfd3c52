"""Where literals and comments stand, and which characters may stand in them."""

import pytest

from ferrule.memory.rules.characters import (
    comment_spans,
    forbidden_in_text,
    forbidden_in_value,
    is_word,
    literal_spans,
    lone_hashes,
)

# A text, its literals, its comments, where a lone hash stands.
REGIONS = [
    ('a "b" c', ['"b"'], [], []),
    ('"a" "b"', ['"a"', '"b"'], [], []),
    ('""', ['""'], [], []),
    ('"', ['"'], [], []),
    ('"" a "b"', ['""', '"b"'], [], []),
    ('@"" a "b"', ['@""', '"b"'], [], []),
    ('@"""" a "b"', ['@""""', '"b"'], [], []),
    ('/**/ "b"', ['"b"'], ["/**/"], []),
    ('//\n"b"', ['"b"'], ["//\n"], []),
    ('"a', ['"a'], [], []),
    (r'"a\"b" c', [r'"a\"b"'], [], []),
    (r'"a\\" "c"', [r'"a\\"', '"c"'], [], []),
    ('"a\\', ['"a\\'], [], []),
    ('@"a" b', ['@"a"'], [], []),
    ('@"a""b" c', ['@"a""b"'], [], []),
    ('@"a\\" b', ['@"a\\"'], [], []),
    ('@"a"""', ['@"a"""'], [], []),
    ('@"a', ['@"a'], [], []),
    ('@"', ['@"'], [], []),
    ("@ a", [], [], []),
    ('@ "a"', ['"a"'], [], []),
    ('@@"a"', ['@"a"'], [], []),
    ("a // b\nc", [], ["// b\n"], []),
    ("a // b", [], ["// b"], []),
    ("// a\n// b\n", [], ["// a\n", "// b\n"], []),
    ("a /* b */ c", [], ["/* b */"], []),
    ("/* a\nb */", [], ["/* a\nb */"], []),
    ("/* a", [], ["/* a"], []),
    ("/*/ a */ b", [], ["/*/ a */"], []),
    ("/**/ a", [], ["/**/"], []),
    ("a / b / c", [], [], []),
    ("a/", [], [], []),
    ('/ "a"', ['"a"'], [], []),
    ('//"a"\n"b"', ['"b"'], ['//"a"\n'], []),
    ('"// a" b', ['"// a"'], [], []),
    ('/* "a */ "b"', ['"b"'], ['/* "a */'], []),
    ('@"// a" // b', ['@"// a"'], ["// b"], []),
    ("# a", [], [], [0]),
    ("a #b", [], [], [2]),
    ("a#b", [], [], []),
    ("a# b", [], [], []),
    ("a##b", [], [], []),
    ("_#b", [], [], []),
    ("1#b", [], [], []),
    (")#b", [], [], [1]),
    ('"#" # "#"', ['"#"', '"#"'], [], [4]),
    ('#"a"#', ['"a"'], [], [0, 4]),
    ("/* # */#", [], ["/* # */"], [7]),
    ("a // #\n#", [], ["// #\n"], [7]),
]


@pytest.mark.parametrize(("text", "literals", "comments", "hashes"), REGIONS)
def test_literals_comments_and_hashes_are_told_apart(
    text: str, literals: list[str], comments: list[str], hashes: list[int]
) -> None:
    """CASE-C01, INV-I5: what stands in a literal opens no comment, and the other way round."""
    assert [text[start:end] for start, end in literal_spans(text)] == literals
    assert [text[start:end] for start, end in comment_spans(text)] == comments
    assert list(lone_hashes(text)) == hashes


DIRECTION = "a direction mark"
ALONE = "a zero-width joiner that joins nothing"
CONTROL = "a control character"
HIDDEN = "an invisible character"
# A value and what of it may not stand there.
VALUES = [
    ("plain text ~ !", []),
    ("tab\tand\nline", []),
    ("a\r\nb", []),
    ("a\rb", [(1, CONTROL)]),
    ("a\r", [(1, CONTROL)]),
    ("\x00\x1f\x7f\x85", [(0, CONTROL), (1, CONTROL), (2, CONTROL), (3, CONTROL)]),
    ("\u200e\u200f\u061c", [(0, DIRECTION), (1, DIRECTION), (2, DIRECTION)]),
    ("\u202a\u202b\u202c\u202d\u202e", [(at, DIRECTION) for at in range(5)]),
    ("\u2066\u2067\u2068\u2069", [(at, DIRECTION) for at in range(4)]),
    ("a\u200db", []),
    ("a\u200cb", []),
    ("A\u200dB", []),
    ("\u200db", [(0, ALONE)]),
    ("a\u200d", [(1, ALONE)]),
    ("1\u200db", [(1, ALONE)]),
    ("a\u200d1", [(1, ALONE)]),
    ("a \u200db", [(2, ALONE)]),
    ("\U0001f468\u200d\U0001f469", []),
    ("\u0915\u094d\u200d\u0937", []),
    ("\u0903\u200da", []),
    ("\u01c5\u200d\u02b0", []),
    ("\U0001f3fb\u200da", []),
    ("\u200b\u2060\u00ad\ufeff", [(at, HIDDEN) for at in range(4)]),
    ("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd", []),
    ("\U000e0041", [(0, HIDDEN)]),
    ("\u0378\uffff", [(0, "an unassigned character"), (1, "an unassigned character")]),
    ("\ud800", [(0, "half of a surrogate pair")]),
    ("\ue000 \u00e9 \u4e2d \u2028", []),
]


@pytest.mark.parametrize(("value", "expected"), VALUES)
def test_each_forbidden_character_of_a_value_is_told_with_its_place(
    value: str, expected: list[tuple[int, str]]
) -> None:
    """CASE-C01, C06, C12: by its kind; what a script needs stays."""
    assert list(forbidden_in_value(value)) == expected


# A text of a definition, and what of it may not stand there.
TEXTS = [
    ("plain\ttext\n", []),
    ("é\u4e2d", []),
    ('"a\u200db"', []),
    ('a\u200db "a\u200db"', [(1, "a zero-width joiner outside of a value")]),
    ('"a\u200db" a\u200db', [(7, "a zero-width joiner outside of a value")]),
    ("// a\u200db", [(4, "a zero-width joiner outside of a value")]),
    ('"a\u200d"', [(2, ALONE)]),
    ("a\u200bb\u202e", [(1, HIDDEN), (3, DIRECTION)]),
    ('"a\u200bb"', [(2, HIDDEN)]),
    ("a\x01", [(1, CONTROL)]),
    ("a\r\nb\r", [(4, CONTROL)]),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_each_forbidden_character_of_a_text_is_told_with_its_place(text: str, expected: list[tuple[int, str]]) -> None:
    """CASE-C01, C02, I03: a joiner may stand inside of a literal and nowhere else."""
    assert list(forbidden_in_text(text)) == expected


def test_a_name_is_made_of_letters_digits_underscores_and_hashes() -> None:
    """CASE-C02: of any script; nothing is no character."""
    assert [char for char in ("a", "Z", "é", "7", "_", "#", " ", "-", "", "$", ".") if is_word(char)] == list("aZé7_#")

"""A word that is cut short or spelled nearly so still leads to what it means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ferrule.ontology.likeness import NEAR_ENOUGH, asked_words, is_asked_short, likeness, nearest, nearest_first, pieces

WORDS = st.text(alphabet="abcd", min_size=4, max_size=12)
SLIPS = st.lists(st.tuples(st.sampled_from(("drop", "add", "change", "swap")), st.integers(0, 11)), max_size=2)


def slipped(word: str, slips: list[tuple[str, int]]) -> str:
    """A word after some slips of the hand."""
    for what, where in slips:
        at = where % len(word) if word else 0
        if what == "drop" and len(word) > 1:
            word = word[:at] + word[at + 1 :]
        elif what == "add":
            word = f"{word[:at]}x{word[at:]}"
        elif what == "change":
            word = f"{word[:at]}x{word[at + 1 :]}"
        elif what == "swap" and at + 1 < len(word):
            word = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word


def distance(word: str, token: str) -> int:
    """The fewest slips between a word and any beginning of a token, by the plain table."""
    table = [[row if column == 0 else column for column in range(len(word) + 1)] for row in range(len(token) + 1)]
    for row in range(1, len(token) + 1):
        for column in range(1, len(word) + 1):
            same = token[row - 1] == word[column - 1]
            cost = min(table[row - 1][column] + 1, table[row][column - 1] + 1, table[row - 1][column - 1] + (not same))
            if row > 1 and column > 1 and token[row - 1] == word[column - 2] and token[row - 2] == word[column - 1]:
                cost = min(cost, table[row - 2][column - 2] + 1)
            table[row][column] = cost
    return min(line[-1] for line in table)


@given(WORDS, SLIPS, st.text(alphabet="abcd", max_size=4))
def test_near_is_what_the_plain_table_says(word: str, slips: list[tuple[str, int]], more: str) -> None:
    """R35: no word is called near that is not, and how near is by the number of slips."""
    token = slipped(word, slips) + more
    score, said = nearest(word, (token,))
    allowed = 2 if len(word) >= 9 else 1
    assert (score > 0) == bool(said)
    if score and word not in token:
        assert distance(word, token) <= allowed
        assert score == {1: 0.7, 2: 0.6}[distance(word, token)]
    if token == word:
        assert score == 1


@given(WORDS.filter(lambda word: len(word) >= 6), SLIPS.map(lambda slips: slips[:1]))
def test_a_piece_of_a_word_survives_one_slip(word: str, slips: list[tuple[str, int]]) -> None:
    """R35: so the index is asked for what must be there, from six characters on."""
    assert any(piece in slipped(word, slips) for piece in pieces(word))


@pytest.mark.parametrize(
    ("word", "text", "near"),
    [
        ("grammar", "The Grammar page", True),
        ("gramar", "grammar", True),
        ("garmmar", "grammar", True),
        ("graammar", "grammar", True),
        ("gram", "programme", True),
        ("ram", "grammar", False),
        ("plan2", "plan1", False),
        ("v12", "v13", False),
        ("page", "pear", False),
        ("reconcilation", "reconciliation", True),
        ("recnciliaton", "reconciliation", True),
        ("shopweb", "ShopWebModule", True),
        ("京都", "東京都庁", True),
        ("設定表", "東京タワー設定表", True),
    ],
)
def test_what_is_near(word: str, text: str, near: bool) -> None:  # noqa: FBT001 - one column of the table
    """R35: letters exchanged, missing, too many; three letters inside a word are chance; a digit is never a slip."""
    assert bool(nearest(word, (text,))[0]) == near


def test_of_equal_ones_what_says_nothing_else_is_nearer() -> None:
    """R35: a name whose every word was asked for stands before a longer one; the rest keeps its order."""
    texts = {1: ("InvoiceTemplateDraft",), 2: ("InvoiceTemplate",), 3: ("InvoiceTemplatePage",), 4: ("Other",)}
    assert nearest_first(("invoice", "templat"), texts, 9) == [2, 1, 3]
    assert nearest_first(("invoice", "templat"), texts, 1) == [2]
    assert likeness(("unheard",), ("InvoiceTemplate",)) == 0
    assert likeness((), ("InvoiceTemplate",)) == 0
    assert NEAR_ENOUGH <= likeness(("invoice", "unheard"), ("InvoiceTemplate",)) < 1


def test_what_is_asked_is_bounded() -> None:
    """CASE-I03: sixteen words, each of them once and of bounded length."""
    assert asked_words(("b b", "a")) == ("b", "a")
    assert len(asked_words((" ".join(f"w{number}" for number in range(99)),))) == 16
    assert max(map(len, asked_words(("x" * 999,)))) == 128
    assert [is_asked_short(word) for word in ("東京", "東", "ab", "東京都", "ก", "é")] == [
        True,
        True,
        False,
        False,
        True,
        False,
    ]

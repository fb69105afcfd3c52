"""Folding decides sameness of names; subwords feed the word index."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ferrule.ontology.words import fold_phrase, subwords

SAME = [
    ("Shop web module", "ShopWebModule"),
    ("web-shop_module", "Web Shop Module"),
    ("HTTP server", "HTTPServer"),
    ("Caf\u00e9 bot", "cafe\u0301 BOT"),
    ("\uff26ull width", "full WIDTH"),
    ("Gateway#Staging", "gateway staging"),
]
DIFFERENT = [("C", "C++"), ("module 1", "module 2"), ("?", "!"), ("api", "apis")]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_phrase_fold_together(one: str, other: str) -> None:
    """R33, CASE-L15: spelling does not make a second thing."""
    assert fold_phrase(one) == fold_phrase(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_phrases_stay_different(one: str, other: str) -> None:
    """R34: folding never merges two names that people tell apart."""
    assert fold_phrase(one) != fold_phrase(other)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("HTTPServer of 2 Hosts", ("http", "server", "of", "2", "hosts")),
        ("GoDaddyWebModule", ("go", "daddy", "web", "module")),
        ("http2Proxy v2", ("http2", "proxy", "v2")),
        ("src/app_main.py", ("src", "app", "main", "py")),
        ("4be1c09", ("4be1c09",)),
        ("", ()),
    ],
)
def test_subwords_split_camel_case_and_punctuation(text: str, words: tuple[str, ...]) -> None:
    """OBS-M7: search finds a name by any of its words."""
    assert subwords(text) == words


@given(st.text(alphabet=st.characters(codec="latin-1"), max_size=60))
def test_folding_is_stable_and_blind_to_word_boundaries(text: str) -> None:
    """R33: folding twice is folding once, and joining the subwords is the fold."""
    folded = fold_phrase(text)
    assert fold_phrase(folded) == folded
    words = subwords(text)
    assert not words or "".join(words) == folded

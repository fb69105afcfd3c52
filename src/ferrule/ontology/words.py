"""Two phrases that differ only in case, spaces or CamelCase are one phrase (R33).

Owns folding, which decides whether two names are the same, and subword splitting, which feeds every word index. Knows
nothing of prototypes or stores, so that the in-memory layer and the database index agree by sharing it.
"""

import re
import unicodedata
from functools import lru_cache

__all__ = ["fold_phrase", "subwords"]

# Kept in words although they are symbols: without them "C", "C++" and "C#" would be one name.
_LETTER_LIKE = frozenset("+")
_ASCII_RUN = re.compile(r"[A-Za-z0-9+]+")
_ASCII_CAMEL = re.compile(r"(?<=[^A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@lru_cache(maxsize=4096)
def fold_phrase(text: str) -> str:
    """The form by which phrases are compared: "Shop web-module", "ShopWebModule" and "shop_web_module" are equal.

    Compatibility forms, case, spaces, punctuation and CamelCase are folded away; a text without any letter or digit
    folds to its trimmed lower-case self, so that two different such texts stay different.
    """
    folded = unicodedata.normalize("NFKC", "".join(_runs(text)).casefold())
    return folded or " ".join(text.casefold().split())


def subwords(text: str) -> tuple[str, ...]:
    """The lower-case words of a text, CamelCase split: "HTTPServer of 2 Hosts" gives http, server, of, 2, hosts.

    Letters and digits stay together (`http2`, `v2`, `4be1c09`), words keep their order and may repeat.
    """
    words: list[str] = []
    for run in _runs(text):
        words += _words_of(run)
    return tuple(words)


@lru_cache(maxsize=16_384)
def _words_of(run: str) -> tuple[str, ...]:
    """The lower-case words of one run; the same few thousand come again and again."""
    return tuple(word.casefold() for word in _camel(run))


def _runs(text: str) -> list[str]:
    if text.isascii():
        return _ASCII_RUN.findall(text)
    runs: list[str] = []
    current: list[str] = []
    for char in unicodedata.normalize("NFKC", text):
        if _is_word(char) or (current and unicodedata.category(char).startswith("M")):
            current.append(char)
        elif current:
            runs.append("".join(current))
            current = []
    if current:
        runs.append("".join(current))
    return runs


def _is_word(char: str) -> bool:
    return char.isalnum() or char in _LETTER_LIKE


def _camel(run: str) -> list[str]:
    """Split before an upper-case letter that follows a lower one or a digit, and before the last of several upper."""
    if run.islower() or run.isupper():
        return [run]
    if run.isascii():
        return _ASCII_CAMEL.split(run)
    words: list[str] = []
    start = 0
    for index in range(1, len(run)):
        if _starts_word(run, index):
            words.append(run[start:index])
            start = index
    words.append(run[start:])
    return words


def _starts_word(run: str, index: int) -> bool:
    if not run[index].isupper():
        return False
    before = run[index - 1]
    after = run[index + 1] if index + 1 < len(run) else ""
    return not before.isupper() or (before.isupper() and after.islower())

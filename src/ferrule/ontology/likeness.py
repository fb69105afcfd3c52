"""A word that is cut short or spelled nearly so still leads to what it means (R35).

Owns what of a word survives a slip, so that an index can be asked for it, and how near the words of a query come to
some texts. Every layer that answers `resembling` shares it, so that all of them agree. Knows nothing of indexes.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from ferrule.ontology.words import fold_phrase, subwords

__all__ = [
    "LEAST",
    "MOST_WORDS",
    "NEAR_ENOUGH",
    "asked_words",
    "is_asked_short",
    "likeness",
    "nearest",
    "nearest_first",
    "pieces",
]

_Key = TypeVar("_Key", bound=Hashable)

MOST_WORDS = 16
LEAST = 3  # a trigram index holds nothing shorter
NEAR_ENOUGH = 0.5
_LONGEST, _LONGEST_NEAR = 128, 40
_LONG, _LONGER = 6, 9
_WHOLE, _BEGUN, _INSIDE = 1.0, 0.9, 0.8
_SLIPS = (0.0, 0.7, 0.6)
_JOINED = 200
_COVERED = 0.1
_WEIGHED = 24
_SPACED = "\u2e80"  # from here on, and in South-East Asia, words are written without spaces between them
_UNSPACED = (("\u0e00", "\u0eff"), ("\u1000", "\u109f"), ("\u1780", "\u17ff"))


def asked_words(words: Iterable[str]) -> tuple[str, ...]:
    """The distinct words that a search looks for: at most sixteen, each of at most 128 characters."""
    return tuple(dict.fromkeys(part[:_LONGEST] for word in words for part in subwords(word)))[:MOST_WORDS]


def is_asked_short(word: str) -> bool:
    """Whether a word of one or two characters is looked for inside texts: only where words have no spaces between."""
    return len(word) < LEAST and all(
        char >= _SPACED or any(low <= char <= high for low, high in _UNSPACED) for char in word
    )


@lru_cache(maxsize=256)
def pieces(word: str) -> tuple[str, ...]:
    """What must stand in a text that says this word with at most one slip; two slips from nine characters on.

    A slip is one character missing, added, changed, or exchanged with the next. Empty for a word that is too short.
    """
    size = len(word)
    if size < LEAST:
        return ()
    if size >= _LONGER:
        third = size // 3
        return (word[:third], word[third : 2 * third], word[2 * third :])
    if size >= _LONG:
        half = size // 2
        return (word[:half], word[half:], _exchanged(word, half - 1))
    if size == LEAST:
        return (word,)
    return tuple(dict.fromkeys((word[:LEAST], word[-LEAST:], *(_exchanged(word, at) for at in range(size - 1)))))


def likeness(words: Sequence[str], texts: Sequence[str]) -> float:
    """How near some words come to some texts: 0 for no likeness, else from `NEAR_ENOUGH` to 1 and a little more.

    The mean over the words, 1 when each stands in the texts whole; the more of one text they say, the more is added,
    up to a tenth: of two that have the same words, the one that has no others is nearer.
    """
    tokens = _tokens(texts)
    best = [_best(word, tokens) for word in words]
    mean = sum(score for score, _ in best) / len(words) if words else 0.0
    if mean < NEAR_ENOUGH:
        return 0.0
    said = {token for _, token in best}
    own = [subwords(text) for text in texts]
    return mean + _COVERED * max((sum(word in said for word in some) / len(some) for some in own if some), default=0.0)


def nearest_first(words: Sequence[str], texts: Mapping[_Key, Sequence[str]], limit: int) -> list[_Key]:
    """Of some texts by key, the keys of those that come near, the nearest first, of equal ones in the order given.

    Only those that say most of the words by their letters are weighed: at most two dozen.
    """
    promising = sorted(texts, key=lambda key: -_promise(words, "\n".join(texts[key]).casefold()))[:_WEIGHED]
    order = {key: at for at, key in enumerate(texts)}
    near = {key: likeness(words, texts[key]) for key in promising}
    return sorted((key for key in near if near[key]), key=lambda key: (-near[key], order[key]))[:limit]


def _promise(words: Sequence[str], text: str) -> int:
    """What a glance tells: two for each word that the text has by its letters, one for each of which it has a piece."""
    return sum(2 if word in text else any(piece in text for piece in pieces(word)) for word in words)


def nearest(word: str, texts: Iterable[str]) -> tuple[float, str]:
    """The word of the texts that comes nearest to a word and how near, 1 at most; 0 and empty when none does."""
    return _best(word, _tokens(texts))


def _tokens(texts: Iterable[str]) -> tuple[str, ...]:
    """The words of some texts, and each text without what stands between its words."""
    found = [token for text in texts for token in (*subwords(text), fold_phrase(text)[:_JOINED])]
    return tuple(dict.fromkeys(found))


def _best(word: str, tokens: Sequence[str]) -> tuple[float, str]:
    if word in tokens:
        return _WHOLE, word
    best, said = 0.0, ""
    parts = pieces(word) or (word,)
    for token in tokens:
        if any(part in token for part in parts):
            found = _nearness(word, token)
            if found > best:
                best, said = found, token
    return best, said


def _nearness(word: str, token: str) -> float:
    """How near a token comes that has a piece of the word and is not the word."""
    if len(word) >= LEAST or is_asked_short(word):
        if token.startswith(word):
            return _BEGUN
        if word in token and (len(word) > LEAST or word[0] >= _SPACED):
            return _INSIDE  # three letters inside a word are chance
    allowed = _allowed(word)
    if not allowed or not _same_digits(word, token):
        return 0.0
    slips = _slips(word, token, allowed)
    return _SLIPS[slips] if slips <= allowed else 0.0


def _allowed(word: str) -> int:
    if not LEAST < len(word) <= _LONGEST_NEAR or word.isdigit():
        return 0
    return 2 if len(word) >= _LONGER else 1


def _same_digits(word: str, token: str) -> bool:
    """Another number is another thing: no slip changes a digit."""
    digits = [char for char in word if char.isdigit()]
    return not digits or digits == [char for char in token if char.isdigit()]


def _exchanged(word: str, at: int) -> str:
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _slips(word: str, token: str, allowed: int) -> int:
    """The fewest slips between a word and the token, or its beginning: for a word that is cut short, too."""
    if len(token) < len(word) - allowed:
        return allowed + 1
    size, said, far = len(word), token[: len(word) + allowed], allowed + 1
    before: list[int] = []
    last = [column if column <= allowed else far for column in range(size + 1)]
    best = far
    for row, char in enumerate(said, start=1):
        now = [far] * (size + 1)
        now[0] = min(row, far)
        for column in range(max(1, row - allowed), min(size, row + allowed) + 1):
            own = word[column - 1]
            cost = min(last[column] + 1, now[column - 1] + 1, last[column - 1] + (own != char))
            if row > 1 and column > 1 and own == said[row - 2] and char == word[column - 2]:
                cost = min(cost, before[column - 2] + 1)
            now[column] = min(cost, far)
        if min(now) > allowed:
            break
        before, last = last, now
        best = min(best, now[-1])
    return best

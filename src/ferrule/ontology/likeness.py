"""A word that is cut short or spelled nearly so still leads to what it means (R35).

Owns what of a word survives a slip, so that an index can be asked for it, and how near the words of a query come to
some texts. Every layer that answers `resembling` shares it, so that all of them agree. Knows nothing of indexes.
"""

from collections.abc import Iterable, Sequence

from ferrule.ontology.words import fold_phrase, subwords

__all__ = ["LEAST", "MOST_WORDS", "NEAR_ENOUGH", "asked_words", "is_asked_short", "likeness", "nearest", "pieces"]

MOST_WORDS = 16
LEAST = 3  # a trigram index holds nothing shorter
NEAR_ENOUGH = 0.5
_LONGEST, _LONGEST_NEAR = 128, 40
_LONG, _LONGER = 6, 9
_WHOLE, _BEGUN, _INSIDE = 1.0, 0.9, 0.8
_SLIPS = (0.0, 0.7, 0.6)
_JOINED = 200
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


def likeness(words: Sequence[str], texts: Iterable[str]) -> float:
    """How near some words come to some texts, 0 to 1: 1 when each word stands in them whole.

    The mean over the words; anything below `NEAR_ENOUGH` is no likeness.
    """
    tokens = _tokens(texts)
    return sum(_best(word, tokens)[0] for word in words) / len(words) if words else 0.0


def nearest(word: str, texts: Iterable[str]) -> tuple[float, str]:
    """The word of the texts that comes nearest to a word and how near, 1 at most; 0 and empty when none does."""
    return _best(word, _tokens(texts))


def _tokens(texts: Iterable[str]) -> tuple[str, ...]:
    """The words of some texts, and each text without what stands between its words."""
    found = [token for text in texts for token in (*subwords(text), fold_phrase(text)[:_JOINED])]
    return tuple(dict.fromkeys(found))


def _best(word: str, tokens: Sequence[str]) -> tuple[float, str]:
    best, said = 0.0, ""
    parts = pieces(word)
    for token in tokens:
        found = _nearness(word, token, parts)
        if found > best:
            best, said = found, token
            if best == _WHOLE:
                break
    return best, said


def _nearness(word: str, token: str, parts: Sequence[str]) -> float:
    if word == token:
        return _WHOLE
    if len(word) >= LEAST or is_asked_short(word):
        if token.startswith(word):
            return _BEGUN
        if word in token and (len(word) > LEAST or word[0] >= _SPACED):
            return _INSIDE  # three letters inside a word are chance
    allowed = _allowed(word)
    if not allowed or not any(part in token for part in parts) or not _same_digits(word, token):
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
    said = token[: len(word) + allowed]
    before: list[int] = []
    last = list(range(len(word) + 1))
    best = last[-1]
    for row, char in enumerate(said, start=1):
        now = [row]
        for column, own in enumerate(word, start=1):
            cost = min(last[column] + 1, now[column - 1] + 1, last[column - 1] + (own != char))
            exchanged = row > 1 and column > 1 and own == said[row - 2] and char == word[column - 2]
            now.append(min(cost, before[column - 2] + 1) if exchanged else cost)
        before, last = last, now
        best = min(best, now[-1])
    return best

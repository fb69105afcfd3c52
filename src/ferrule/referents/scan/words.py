"""The vocabularies of the recognisers as sets, read once.

Owns nothing but access. Knows nothing of grammar.
"""

from functools import cache

from ferrule.referents.tables.reader import table

__all__ = ["context_before", "vocabulary"]


@cache
def vocabulary(name: str) -> frozenset[str]:
    """One list of `tables/words.toml`."""
    words = table("words")[name]
    return frozenset(str(word) for word in words) if isinstance(words, list) else frozenset()


def context_before(text: str, at: int, reach: int = 48) -> str:
    """The end of the line before a position, in lower case: what decides between kinds."""
    start = max(0, at - reach)
    return text[max(start, text.rfind("\n", start, at) + 1) : at].lower()

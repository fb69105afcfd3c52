"""A pattern is tried only where its announcing word stands: that is what keeps a pass over a text cheap.

Owns anchored matching. Knows nothing of what is looked for.
"""

import re
from collections.abc import Iterator

__all__ = ["after", "before", "places", "with_lead"]

_REACH = 170


def places(text: str, needle: str) -> Iterator[int]:
    """Every start of the needle, left to right."""
    at = text.find(needle)
    while at >= 0:
        yield at
        at = text.find(needle, at + len(needle))


def after(text: str, needles: tuple[str, ...], pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Matches that begin right behind a needle."""
    for needle in filter(text.__contains__, needles):
        for at in places(text, needle):
            match = pattern.match(text, at + len(needle))
            if match:
                yield match


def before(text: str, needles: tuple[str, ...], pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    r"""Matches that end right before a needle which ends a word; `pattern` must end in `\\Z`."""
    for needle in filter(text.__contains__, needles):
        for at in places(text, needle):
            end = at + len(needle)
            if text[end : end + 1].isalpha() and text[end : end + 1] not in {"s", "i", "o"}:
                continue
            match = pattern.search(text, max(0, at - _REACH), at)
            if match:
                yield match


def with_lead(text: str, needles: tuple[str, ...], pattern: re.Pattern[str], lead: int) -> Iterator[re.Match[str]]:
    """Matches that begin `lead` letters before a needle."""
    for needle in filter(text.__contains__, needles):
        for at in places(text, needle):
            match = pattern.match(text, at - lead) if at >= lead else None
            if match:
                yield match

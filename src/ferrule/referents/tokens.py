"""A value stands in a text only as a whole token: `/a/b` is neither in `/a/bc` nor in `x/a/b`.

Owns whole-token matching (rule 9, D9). Linear in the text. Knows nothing of kinds.
"""
# ruff: noqa: PLR2004 - patterns, thresholds and word lists are the data here

import re

__all__ = ["has_whole_token", "whole_token_spans"]

_BREAK = re.compile(r"[^\w/\-@#~$%+&]")
_JOINERS = frozenset("/\\_-@#~$%+=&")
_DOTS = frozenset(".:")


def whole_token_spans(text: str, value: str) -> tuple[tuple[int, int], ...]:
    """Where the value stands as a whole token, left to right, non-overlapping; none for an empty value.

    A letter, digit, slash, or joining mark beside the value makes it a part of something longer. A dot or colon does so
    only when the token goes on behind it, so that sentence punctuation, `path:12` and `host:` end a token.
    """
    spans: list[tuple[int, int]] = []
    if not value:
        return ()
    at = text.find(value)
    while at >= 0:
        end = at + len(value)
        if _starts(text, at, value) and _ends(text, end, value):
            spans.append((at, end))
            at = text.find(value, end)
        else:
            at = _next(text, at, value)
    return tuple(spans)


def has_whole_token(text: str, value: str) -> bool:
    """Whether the value stands in the text as a whole token."""
    return bool(whole_token_spans(text, value))


def _next(text: str, at: int, value: str) -> int:
    """The next place to look at: a token that starts with a joining letter can only start behind a break."""
    if not _joins(value[0]):
        return text.find(value, at + 1)
    gap = _BREAK.search(text, at + 1)
    return text.find(value, gap.start()) if gap else -1


def _starts(text: str, at: int, value: str) -> bool:
    if at == 0 or not _joins(value[0]):
        return True
    before = text[at - 1]
    if before in _DOTS:
        return value[0] not in "/\\" and (at < 2 or not _joins(text[at - 2]))
    return (
        not _joins(before)
        or (before == "=" and value[0] != "=")
        or (before == "\\" and text[at - 2 : at - 1] != "\\" and value[0] in "/~")
    )


def _ends(text: str, end: int, value: str) -> bool:
    if end >= len(text) or not _joins(value[-1]):
        return True
    after = text[end]
    if after in _DOTS:
        behind = text[end + 1 : end + 2]
        return not behind or not _joins(behind) or (after == ":" and behind.isdigit())
    if after in "/\\":
        # One end slash belongs to a folder's own spelling.
        behind = text[end + 1 : end + 2]
        return not behind or behind in {" ", "\n", "\t", "`", "'", '"', ")", ",", ".", ";", "]"}
    return not _joins(after)


def _joins(letter: str) -> bool:
    return letter.isalnum() or letter in _JOINERS

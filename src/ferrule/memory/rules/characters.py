"""A text that people cannot see through is refused: controls, direction marks, invisible and unassigned characters.

Owns which characters may stand in a definition and in a value (rule 1, CASE-C01, C02, C06, C12). Knows nothing of
grammar beyond where literals and comments begin and end.
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from ferrule.referents.expressions import expression

__all__ = ["comment_spans", "forbidden_in_text", "forbidden_in_value", "is_word", "literal_spans", "lone_hashes"]

_DIRECTION = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_JOINERS = frozenset("\u200c\u200d")
# Format characters that Arabic and related scripts need in ordinary text.
_SCRIPT_FORMATS = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
_JOINABLE = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "So", "Sk"})
_OPENS = expression(r"[\"@/]")
_ODD = expression(r"[^\x20-\x7e\t\n]")  # everything but plain ASCII is looked at, letter by letter


def forbidden_in_value(text: str) -> Iterator[tuple[int, str]]:
    """Index and kind of every character that no value may hold."""
    for found in _ODD.finditer(text):
        what = _what(text, found.start())
        if what:
            yield found.start(), what


def _what(text: str, index: int) -> str:
    char = text[index]
    if char in _DIRECTION:
        return "a direction mark"
    if char in _JOINERS:
        return "" if _joins(text, index) else "a zero-width joiner that joins nothing"
    category = unicodedata.category(char)
    if category == "Cc":
        return "" if char in "\t\n" or text[index : index + 2] == "\r\n" else "a control character"
    if category == "Cf":
        return "" if char in _SCRIPT_FORMATS else "an invisible character"
    return {"Cs": "half of a surrogate pair", "Cn": "an unassigned character"}.get(category, "")


def _joins(text: str, index: int) -> bool:
    """Whether both neighbours are letters, marks or emoji."""
    if index == 0 or index + 1 >= len(text):
        return False
    return all(unicodedata.category(text[at]) in _JOINABLE for at in (index - 1, index + 1))


def forbidden_in_text(text: str) -> Iterator[tuple[int, str]]:
    """Index and kind of every character that may not stand where it does; joiners may stand in literals only."""
    if text.isascii() and text.isprintable():
        return
    spans: tuple[tuple[int, int], ...] | None = None
    for index, what in _suspects(text):
        if what or text[index] not in _JOINERS:
            yield index, what
            continue
        spans = literal_spans(text) if spans is None else spans
        if not any(start <= index < end for start, end in spans):
            yield index, "a zero-width joiner outside of a value"


def _suspects(text: str) -> Iterator[tuple[int, str]]:
    for found in _ODD.finditer(text):
        what = _what(text, found.start())
        if what or found.group() in _JOINERS:
            yield found.start(), what


def is_word(char: str) -> bool:
    """Whether a character may be part of a name."""
    return char.isalnum() or char in ("_", "#")


def literal_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where string literals stand, quotes included; an unclosed literal runs to the end of the text."""
    return tuple((start, end) for start, end, literal in _regions(text) if literal)


def comment_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where comments stand, their marks included."""
    return tuple((start, end) for start, end, literal in _regions(text) if not literal)


def lone_hashes(text: str) -> Iterator[int]:
    """Where a `#` stands outside of literals and comments without a name before it."""
    if "#" not in text:
        return
    at = 0
    for start, end, _ in (*_regions(text), (len(text), len(text), False)):
        for index in range(at, start):
            if text[index] == "#" and not (index and is_word(text[index - 1])):
                yield index
        at = end


@lru_cache(maxsize=2)
def _regions(text: str) -> tuple[tuple[int, int, bool], ...]:
    """Literals and comments in order: start, end, and whether it is a literal; several rules ask one text for them."""
    return tuple(_read_regions(text))


def _read_regions(text: str) -> Iterator[tuple[int, int, bool]]:
    at = 0
    while (found := _OPENS.search(text, at)) is not None:
        at = end = found.start()
        if text.startswith(("//", "/*"), at):
            end = _end(text, "\n" if text[at + 1] == "/" else "*/", at + 2)
        elif text.startswith('@"', at):
            end = _end_of_verbatim(text, at + 2)
        elif text[at] == '"':
            end = _end_of_string(text, at + 1)
        if end > at:
            yield at, end, text[at] != "/"
        at = max(end, at + 1)


def _end(text: str, mark: str, start: int) -> int:
    found = text.find(mark, start)
    return len(text) if found < 0 else found + len(mark)


def _end_of_verbatim(text: str, at: int) -> int:
    while (at := text.find('"', at)) >= 0:
        if not text.startswith('""', at):
            return at + 1
        at += 2
    return len(text)


def _end_of_string(text: str, at: int) -> int:
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == '"':
            return at + 1
        at += 1
    return len(text)

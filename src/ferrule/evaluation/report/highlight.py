"""Where a text mentions what the labels or the critic name: marked in the text, by the value of its handle.

Owns finding values in a text and marking them. Knows nothing of turns or verdicts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ferrule.evaluation.report.markup import Html, joined, tag

__all__ = ["Term", "highlighted"]

_MOST_MARKS = 120
_MOST_TERMS = 80
_SHORTEST = 2
_SHORTEST_NAME = 5


@dataclass(frozen=True, slots=True)
class Term:
    """A handle's value, the class of its mark and what hovering over it says; earlier terms go before later ones."""

    value: str
    kind: str
    says: str


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    term: Term


def highlighted(text: str, terms: Sequence[Term]) -> Html:
    """The text escaped, with every mention in a `mark`; one that is part of a longer word is none."""
    parts: list[Html | str] = []
    at = 0
    for span in _spans(text, terms[:_MOST_TERMS]):
        parts += [
            text[at : span.start],
            tag("mark", text[span.start : span.end], class_=span.term.kind, title=span.term.says),
        ]
        at = span.end
    return joined([*parts, text[at:]])


def _spans(text: str, terms: Sequence[Term]) -> list[_Span]:
    """Spans in order that do not overlap: whole values before mere names, longer ones first."""
    wanted = [(0, term.value, term) for term in terms]
    wanted += [(1, name, term) for term in terms if (name := _name(term.value))]
    wanted.sort(key=lambda item: (item[0], -len(item[1])))
    taken = bytearray(len(text))
    found: list[_Span] = []
    for _, value, term in wanted:
        if len(value) < _SHORTEST:
            continue
        start = text.find(value)
        while start >= 0 and len(found) < _MOST_MARKS:
            end = start + len(value)
            if _stands(text, start, end) and not any(taken[start:end]):
                found.append(_Span(start, end, term))
                taken[start:end] = b"\x01" * (end - start)
            start = text.find(value, end)
    return sorted(found, key=lambda span: span.start)


def _name(path: str) -> str:
    """The last part of a path: how people name a file."""
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2] if "/" in path or "\\" in path else ""
    return name if len(name) >= _SHORTEST_NAME and "." in name and "://" not in path else ""


def _stands(text: str, start: int, end: int) -> bool:
    """Whether letters do not go on at either side; what ends with another sign stands anyway."""
    before = start > 0 and text[start].isalnum() and _goes_on(text[start - 1])
    after = end < len(text) and text[end - 1].isalnum() and (_goes_on(text[end]) or _is_ending(text[end : end + 2]))
    return not before and not after


def _is_ending(two: str) -> bool:
    """Whether a name goes on with `.x`: `a.cs` is not mentioned by `a.cs.meta`."""
    return len(two) > 1 and two[0] == "." and _goes_on(two[1])


def _goes_on(letter: str) -> bool:
    # Where words are written without spaces, a letter beyond ASCII beside a handle is no part of it.
    return letter == "_" or (letter.isascii() and letter.isalnum())

"""A secret that is written in pieces, or with escapes, is one secret.

Owns literals joined by an operator (`literals` knows those that code puts together), lines continued by a backslash,
letters and entities (`&quot;`) spelt out, and the way back from the text so read to where its letters stand. Linear:
places near each other share one window, and windows do not overlap. Standard library only.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

from ferrule.referents.expressions import expression
from ferrule.referents.secrets.literals import meetings

__all__ = ["Window", "windows"]

_OPERATOR = r"(?:\+|\.\.?|&|\|\||<>)"
_GAP = (
    rf"[ \t]{{0,8}}(?:{_OPERATOR}[ \t]{{0,8}}(?:\\?\r?\n[ \t]{{0,60}})?"
    rf"|\\?\r?\n[ \t]{{0,60}}(?:{_OPERATOR}[ \t]{{0,8}})?|[ \t]{{1,8}})[fbruFBRU]?"
)
_TOKEN = r"[A-Za-z0-9_+/=.~!*@:?&%$#^-]"  # noqa: S105 - letters of a token
_JOINTS = tuple(expression(rf"{mark}(?<={_TOKEN}{mark}){_GAP}{mark}(?={_TOKEN})") for mark in "\"'`")
_CONTINUED = expression(rf"\\\r?\n[ \t]{{0,60}}(?={_TOKEN})")
_HEX = "[0-9a-fA-F]"
_ESCAPE = expression(
    rf"\\{{1,4}}(?:u(?:00[2-7a-fA-F]{_HEX}|0[1-9a-fA-F]{_HEX}{{2}}|[1-9a-fA-F]{_HEX}{{3}})|x[2-7]{_HEX})"
)
_ENTITY = expression(r"&(?:quot|amp|apos|lt|gt|#[0-9]{1,5}|#x[0-9a-fA-F]{1,4});")
_MARKS = expression(r"[\"'`\\&]")
_REACH = 200
_FAR = 1 << 60


@dataclass(frozen=True, slots=True)
class _Place:
    """Letters of the text that are read as others, or as none."""

    start: int
    end: int
    read: str


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a text as it reads: it begins at `at`; `cuts` are (position after a place, letters lost so far)."""

    text: str
    at: int
    cuts: tuple[tuple[int, int], ...]
    spelt: bool

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Where a span of the window stands in the text; None when no place changed what it reads as."""
        nearest = self.cuts[bisect_right(self.cuts, (start, _FAR)) :][:1]
        if not self.spelt and not any(start < cut < end for cut, _ in nearest):
            return None
        return self._back(start), self._back(end - 1) + 1

    def _back(self, position: int) -> int:
        count = bisect_right(self.cuts, (position, _FAR))
        return self.at + position + (self.cuts[count - 1][1] if count else 0)


def windows(text: str) -> Iterator[Window]:
    """Each stretch of the text that reads otherwise than it is written."""
    if not _MARKS.search(text):
        return
    places = _places(text)
    first = 0
    for number in range(1, len(places) + 1):
        if number == len(places) or places[number].start - places[number - 1].end > 2 * _REACH:
            yield _window(text, places[first:number])
            first = number


def _places(text: str) -> list[_Place]:
    found = [
        _Place(*match.span(), "")
        for mark, pattern in zip("\"'`", _JOINTS, strict=True)
        if mark in text
        for match in pattern.finditer(text)
    ]
    if "\\\n" in text or "\\\r" in text:
        found += [_Place(*match.span(), "") for match in _CONTINUED.finditer(text)]
    if "\\u" in text or "\\x" in text:
        found += [_Place(*match.span(), _spelt(match.group())) for match in _ESCAPE.finditer(text)]
    if "&" in text:
        found += [_Place(*match.span(), unescape(match.group())) for match in _ENTITY.finditer(text)]
    found += [_Place(start, end, "") for start, end in meetings(text)]
    found.sort(key=lambda place: place.start)
    apart: list[_Place] = []
    for place in found:
        if not apart or place.start >= apart[-1].end:
            apart.append(place)
    return apart


def _spelt(escape: str) -> str:
    return chr(int(escape.lstrip("\\")[1:], 16))


def _window(text: str, places: list[_Place]) -> Window:
    begin = _edge(text, max(0, places[0].start - _REACH))
    end = min(len(text), places[-1].end + _REACH)
    pieces: list[str] = []
    cuts: list[tuple[int, int]] = []
    at, size, lost = begin, 0, 0
    for place in places:
        pieces += (text[at : place.start], place.read)
        size += place.start - at + len(place.read)
        lost += place.end - place.start - len(place.read)
        cuts.append((size, lost))
        at = place.end
    pieces.append(text[at:end])
    return Window("".join(pieces), begin, tuple(cuts), any(place.read for place in places))


def _edge(text: str, at: int) -> int:
    """The start of the line before a position, or of the stretch within reach: a cut word could look like another."""
    return text.rfind("\n", max(0, at - _REACH), at) + 1 or at

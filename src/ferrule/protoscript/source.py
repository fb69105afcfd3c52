"""A source text knows where everything is: line and column from 1, offset from 0, all in code points.

Owns the line index and the excerpt shown to people, which never spans more than one line and is never longer than
`EXCERPT_WIDTH`. Knows nothing of tokens or grammar.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field

__all__ = ["EXCERPT_WIDTH", "Excerpt", "Source"]

EXCERPT_WIDTH = 80
_BYTE_ORDER_MARK = "\ufeff"
_LINE_END = re.compile(r"\r\n|\n|\r")
_CUT = "…"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Part of one line, and how many characters of it stand before the caret."""

    text: str
    caret: int


@dataclass(frozen=True, slots=True)
class Source:
    """A text without its leading byte-order mark; all positions are positions in this text."""

    text: str
    _starts: list[int] = field(default_factory=list, init=False, repr=False, compare=False)

    @classmethod
    def of(cls, text: str) -> "Source":
        """The source of a text as it was read: one leading byte-order mark is dropped."""
        return cls(text.removeprefix(_BYTE_ORDER_MARK))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1; an offset past the end counts as the end."""
        starts = self._line_starts()
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def indentation(self, offset: int) -> int:
        """How many spaces and tabs begin the line of an offset."""
        line, column = self.position(offset)
        start = self._line_starts()[line - 1]
        shown = self.text[start : start + column]
        return len(shown) - len(shown.lstrip(" \t"))

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column, the end of the text where there is none such."""
        starts = self._line_starts()
        return min(starts[line - 1] + column - 1, len(self.text)) if line <= len(starts) else len(self.text)

    def excerpt(self, offset: int) -> Excerpt:
        """The line around an offset, cut to `EXCERPT_WIDTH`, with everything unprintable replaced (CASE-C12)."""
        line, column = self.position(offset)
        starts = self._line_starts()
        end = starts[line] if line < len(starts) else len(self.text)
        first = starts[line - 1]
        # Only the neighbourhood of the caret is copied: a line may be a megabyte long.
        left = max(first, offset - EXCERPT_WIDTH // 2)
        right = min(end, left + EXCERPT_WIDTH - 2)
        shown = _printable(self.text[left:right].rstrip("\r\n"))
        more = right < end and self.text[right:end].strip("\r\n") != ""
        prefix = _CUT if left > first else ""
        return Excerpt(prefix + shown + (_CUT if more else ""), len(prefix) + column - 1 - (left - first))

    def _line_starts(self) -> list[int]:
        if not self._starts:
            self._starts.append(0)
            self._starts.extend(match.end() for match in _LINE_END.finditer(self.text))
        return self._starts


def _printable(text: str) -> str:
    return "".join(ch if ch.isprintable() else " " if ch.isspace() else "\ufffd" for ch in text)

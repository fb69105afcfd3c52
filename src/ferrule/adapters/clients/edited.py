"""A text with a few pieces put into it remembers which pieces those are, so that taking them out again is exact.

Owns the bookkeeping of insertions. Knows nothing of what the text means.
"""

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Edited", "without_pieces"]

Piece = tuple[int, int]
"""Where a piece that was put in begins and ends, in characters of the text as it is now."""


@dataclass(frozen=True, slots=True)
class Edited:
    """A text, and which of its pieces were not in it before; sorted, apart from each other."""

    text: str
    pieces: tuple[Piece, ...] = ()

    def insert(self, at: int, words: str) -> "Edited":
        """Put words into the text at a place."""
        moved: list[Piece] = []
        grown = False
        for start, end in self.pieces:
            if start <= at <= end:  # into a piece, or at its edge: one piece
                moved.append((start, end + len(words)))
                grown = True
            elif start > at:
                moved.append((start + len(words), end + len(words)))
            else:
                moved.append((start, end))
        if not grown:
            moved.append((at, at + len(words)))
        return Edited(f"{self.text[:at]}{words}{self.text[at:]}", tuple(sorted(moved)))

    def before(self) -> str:
        """The text without the pieces: as it was."""
        return without_pieces(self.text, self.pieces)


def without_pieces(text: str, pieces: Iterable[Piece]) -> str:
    """The text without these pieces, which are sorted and apart."""
    kept: list[str] = []
    at = 0
    for start, end in pieces:
        kept.append(text[at:start])
        at = end
    return "".join((*kept, text[at:]))

"""A token stream is four columns beside the text, and gives the text back byte for byte.

Columns instead of one object a token keep reading fast; `token(i)` and iteration show them as values with the trivia
(white space and comments) that stands before each. The last token is always the end of input, whose trivia is what
follows the last real token. Knows nothing of how the text was cut.
"""

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["END", "Token", "Tokens"]

END = "end"
"""Kind of the end of input."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token. `kind` is a word class (`name`, `number`, `string`, …) or, for symbols, the symbol itself."""

    kind: str
    text: str
    start: int
    end: int
    trivia: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """The columns. Each ends with sentinels of kind `END`, so that a parser may look a few tokens ahead unchecked."""

    text: str
    kinds: list[str]
    texts: list[str]
    starts: list[int]
    ends: list[int]

    def token(self, index: int) -> Token:
        """The token at an index, with its trivia."""
        before = self.ends[index - 1] if index else 0
        start = self.starts[index]
        return Token(self.kinds[index], self.texts[index], start, self.ends[index], self.text[before:start])

    def moved(self, offset: int) -> "Tokens":
        """The same tokens as part of a larger text, where the first character has this offset."""
        starts = [start + offset for start in self.starts]
        return Tokens(self.text, self.kinds, self.texts, starts, [end + offset for end in self.ends])

    def __iter__(self) -> Iterator[Token]:
        """Every token up to and including the first end of input."""
        yield from map(self.token, range(self.kinds.index(END) + 1))

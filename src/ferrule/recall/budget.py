"""How many tokens a text may cost, estimated on the safe side.

Owns the estimate: no tokenizer is shipped, so it counts what common ones count apart, and rounds up. Knows nothing of
what the text says.
"""

import re

__all__ = ["Budget", "estimated_tokens"]

from dataclasses import dataclass

_PIECES = re.compile(r"[A-Za-z]+|[0-9]+|[ \t]+|\s|[\x21-\x7e]|[^\x00-\x7f]+|.", re.DOTALL)
_LETTERS_A_TOKEN = 5
_DIGITS_A_TOKEN = 2
_BYTES_A_TOKEN = 2


@dataclass(frozen=True, slots=True)
class Budget:
    """The bounds of a context text (design.md section 7)."""

    entries: int = 12
    tokens: int = 600


def estimated_tokens(text: str) -> int:
    """An upper estimate of the tokens of a text: paths, ids and hexadecimal cost more than prose."""
    return sum(_cost(piece.group()) for piece in _PIECES.finditer(text))


def _cost(piece: str) -> int:
    if piece.isascii():
        if piece.isalpha():
            return -(-len(piece) // _LETTERS_A_TOKEN)
        if piece.isdigit():
            return -(-len(piece) // _DIGITS_A_TOKEN)
        return 0 if piece == " " else 1  # a single space is part of the following word
    return -(-len(piece.encode("utf-8", "surrogatepass")) // _BYTES_A_TOKEN)

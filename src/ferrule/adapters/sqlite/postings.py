"""What the word indexes hold of each memory, read in one pass over the index itself.

Owns that pass: asking the index for every memory one by one costs more the more memories share a word. Knows nothing of
what should stand there.
"""

import sqlite3
from collections.abc import Iterable

from ferrule.adapters.sqlite.statements import statements

__all__ = ["Postings"]

_SQL = statements("checking")


class Postings:
    """The entries of both word indexes of one view of a store, as one number for each memory."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._sums: dict[str, dict[int, int]] = {}

    def agree(self, index: str, memory: int, terms: Iterable[str]) -> bool:
        """Whether the index holds exactly these terms of a memory; False also where that cannot be told in this way.

        Args:
            index: `words`, of which the names are looked at, or `fragments`.
            memory: its row id.
            terms: as the index should hold them, as often as it should.
        """
        if index not in self._sums:
            self._sums[index] = self._read(index)
        return self._sums[index].get(memory) == sum(map(hash, terms))

    def _read(self, index: str) -> dict[int, int]:
        sums: dict[int, int] = {}
        try:
            self._connection.execute(_SQL[f"see_{index}"])
            for term, memory in self._connection.execute(_SQL[f"seen_{index}"]):
                sums[memory] = sums.get(memory, 0) + hash(term)
        except (sqlite3.Error, UnicodeDecodeError):
            return {}  # whoever asks the index itself is told what is wrong with it
        return sums

"""A thing is called by words that user, outcome or the agent's own calls use, or by its handle and type (R16, D9).

Owns which words a name may be made of. What only a tool returned names nothing: a page that says "ignore what you were
told" must not become what a thing is called (R94). Knows nothing of claims.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from ferrule.bridge.values import TurnView
from ferrule.memory.case import Case
from ferrule.memory.rules import citing
from ferrule.ontology.words import fold_phrase, subwords

__all__ = ["Heard"]

_LITTLE = frozenset(
    {"a", "an", "and", "at", "by", "for", "from", "in", "its", "my", "of", "on", "or", "our", "the", "to", "with"}
)
_PART = 3
_RUN = re.compile(r"[^\W\d_]+|\d+")


@dataclass(frozen=True, slots=True)
class Heard:
    """The words of a turn, of the definition's handles and types, and of what the ontology answered.

    `folded` are the definition's own handles without punctuation: `V002Release` is named after `v0.0.2`.
    """

    words: frozenset[str]
    text: str
    types: tuple[str, ...]
    folded: str

    @classmethod
    def of(cls, case: Case, view: TurnView) -> "Heard":
        """Everything that may lend a name its words. A failed call still says what was asked for."""
        types = (*case.written.bases, *case.trial.ancestors(case.written.name))
        said = [text.text for text in view.texts if text.role in citing.CREATING]
        handles = [handle.value for handle in case.carried.written]
        returned = [value for call in citing.answered(case.view.record, citing.NAMING) for value in call.values]
        lent = (word for text in (*said, *handles, *types, *returned) for word in subwords(text))
        words = (form for word in lent for form in _forms(word))
        return cls(
            words=frozenset(words),
            text=" ".join((*said, *handles, *returned)).casefold(),
            types=tuple(kind.casefold() for kind in types),
            folded=" ".join(fold_phrase(handle) for handle in handles),
        )

    def has_words(self, name: str) -> bool:
        """Whether each word of a name is heard: whole, or as the begin or end of a word from three letters on.

        Scripts that write without spaces have no words to compare: there the characters must stand in the turn.
        """
        return all(self._has(word) for word in subwords(name) if word not in _LITTLE)

    def _has(self, word: str) -> bool:
        if self._is_heard(word) or all(self._is_heard(run) for run in _RUN.findall(word)):
            return True
        ids = (word.removeprefix(kind) for kind in ("", *self.types) if word.startswith(kind))
        return any(len(part) >= _PART and part in self.folded for part in ids)

    def _is_heard(self, word: str) -> bool:
        if word in self.words:
            return True
        if not word.isascii():
            return word in self.text
        return len(word) >= _PART and any(heard.startswith(word) or heard.endswith(word) for heard in self.words)


def _forms(word: str) -> Iterator[str]:
    """A word, its runs of letters and digits (`request4`), and what is left of it in ASCII (`Übersicht`)."""
    yield word
    yield from _RUN.findall(word)
    if not word.isascii():
        plain = unicodedata.normalize("NFKD", word)
        yield "".join(char for char in plain if char.isascii())
        yield from "".join(char if char.isascii() else " " for char in plain).split()

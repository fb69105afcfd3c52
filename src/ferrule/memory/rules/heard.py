"""A thing is called by words that user, outcome or the agent's own calls use, or by its handle and type (R16, D9).

Owns which words a name may be made of. What only a tool returned names nothing: a page that says "ignore what you were
told" must not become what a thing is called (R94). Knows nothing of claims.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ferrule.bridge.values import TurnView
from ferrule.memory.case import Case
from ferrule.memory.rules import citing
from ferrule.ontology.words import fold_phrase, subwords
from ferrule.referents.expressions import expression

__all__ = ["Heard"]

_LITTLE = frozenset(
    {"a", "an", "and", "at", "by", "for", "from", "in", "its", "my", "of", "on", "or", "our", "the", "to", "with"}
)
_PART = 3
_MOST = 256
_RUN = expression(r"[^\W\d_]+|\d+")


@dataclass(frozen=True, slots=True)
class Heard:
    """What may lend a name its words: the turn's own texts, the definition's handles and types, names already known.

    `texts` is all of it, and the same without marks on letters, each with its case folded; `folded` are the
    definition's own handles without punctuation: `V002Release` is named after `v0.0.2`.
    """

    texts: tuple[tuple[str, str], ...]
    types: tuple[str, ...]
    folded: str

    @classmethod
    def of(cls, case: Case, view: TurnView) -> "Heard":
        """Everything that may lend a name its words. A failed call still says what was asked for."""
        types = (*case.written.bases, *case.trial.ancestors(case.written.name))
        said = (text.text for text in view.texts if text.role in citing.CREATING)
        handles = [handle.value for handle in case.carried.written]
        returned = (value for call in citing.answered(case.view.record, citing.NAMING) for value in call.values)
        text = "\n".join((*said, *handles, *types, *returned))
        forms: tuple[str, ...] = (text,)
        if not text.isascii():
            text = unicodedata.normalize("NFKC", text)
            forms = (text, unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii"))
        return cls(
            texts=tuple((form, form.casefold()) for form in forms),
            types=tuple(kind.lower() for kind in types),
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
        if not word.isascii():
            return any(word in low for _, low in self.texts)
        return any(
            _is_word(text, start, end)
            for text, low in self.texts
            if word in low
            for start, end in islice(_places(text, low, word), _MOST)
        )


def _places(text: str, low: str, word: str) -> Iterator[tuple[int, int]]:
    """Where an ASCII word in lower case stands in a text, in whatever case."""
    if not text.isascii():  # a letter may have another length in lower case, or be one of the word's only by folding
        yield from (found.span() for found in re.finditer(re.escape(word), text, re.IGNORECASE))
        return
    at = low.find(word)
    while at >= 0:
        yield at, at + len(word)
        at = low.find(word, at + len(word))


def _is_word(text: str, start: int, end: int) -> bool:
    """Whether a word stands there: bounded on both sides, from three letters on at least on one."""
    left = start == 0 or _breaks(text[start - 1], text[start])
    right = end == len(text) or _breaks(text[end - 1], text[end])
    return (left and right) or (end - start >= _PART and (left or right))


def _breaks(before: str, after: str) -> bool:
    """Whether a word may end between two characters: `a-b`, `aB`, `a1`."""
    if not (before.isalnum() and after.isalnum()):
        return True
    return before.isdigit() != after.isdigit() or (after.isupper() and not before.isupper())

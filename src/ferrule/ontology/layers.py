"""A layer held in memory answers every lookup from an index, like the stored one.

Owns `InMemoryLayer` and what a prototype is called. The permanent ontology lives in one, and so do the prototypes that
a review has staged. Knows nothing of identity keys' making: they are handed in.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from ferrule.ontology.values import Prototype, Value
from ferrule.ontology.words import fold_phrase, subwords
from ferrule.referents.properties import Suffixes

__all__ = ["InMemoryLayer", "names_of", "phrases_of", "texts_of"]

_NAMING = re.compile(r"(?:EntityName|Aliases|Alias)(?:AtTurn[0-9]{1,12})?")
_SEPARATOR = re.compile(r"[;\n]")
_NAME_WEIGHT = 4
_PHRASE_WEIGHT = 3
_VALUE_WEIGHT = 1


def texts_of(value: Value) -> tuple[str, ...]:
    """Every text in a value, lists opened."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, tuple):
        return tuple(text for element in value for text in texts_of(element))
    return ()


def names_of(prototype: Prototype) -> tuple[str, ...]:
    """What a prototype is called, as written: EntityName and aliases, later ones too, without the prototype name."""
    found = [
        part.strip()
        for prop in prototype.properties
        if _NAMING.fullmatch(prop.name)
        for text in texts_of(prop.value)
        for part in _SEPARATOR.split(text)
    ]
    return tuple(dict.fromkeys(name for name in found if name))


def phrases_of(prototype: Prototype) -> tuple[str, ...]:
    """The folded phrases under which a prototype is found by name: its own name, EntityName, aliases."""
    folded = (fold_phrase(name) for name in (prototype.name, *names_of(prototype)))
    return tuple(dict.fromkeys(phrase for phrase in folded if phrase))


class InMemoryLayer:
    """Prototypes of one layer with their indexes; implements `PrototypeLayer`.

    `suffixes` is the table of handle names that a user's folder extends (`handles.toml`), None for the shipped one.
    """

    def __init__(
        self,
        prototypes: Iterable[Prototype] = (),
        keys: Mapping[str, Sequence[str]] | None = None,
        suffixes: Suffixes | None = None,
    ) -> None:
        self.suffixes = suffixes
        self._prototypes: dict[str, Prototype] = {}
        self._age: dict[str, int] = {}
        self._spelled: dict[str, list[str]] = {}
        self._keys: dict[str, list[str]] = {}
        self._phrases: dict[str, list[str]] = {}
        self._words: dict[str, dict[str, int]] = {}
        self._unread: list[Prototype] = []
        for prototype in prototypes:
            self.add(prototype, (keys or {}).get(prototype.name, ()))

    def add(self, prototype: Prototype, keys: Sequence[str] = ()) -> None:
        """Add a prototype, or a fuller form of a known one; names, keys and words only ever grow."""
        name = prototype.name
        self._prototypes[name] = prototype
        self._age.setdefault(name, len(self._age))
        _put(self._spelled, name.casefold(), name)
        for key in keys:
            _put(self._keys, key, name)
        for phrase in phrases_of(prototype):
            _put(self._phrases, phrase, name)
        self._unread.append(prototype)

    def get(self, name: str) -> Prototype | None:
        """The prototype of exactly that name, or None."""
        return self._prototypes.get(name)

    def spelled(self, name: str) -> tuple[str, ...]:
        """Names that equal `name` when case is ignored."""
        return tuple(self._spelled.get(name.casefold(), ()))

    def holding(self, key: str) -> tuple[str, ...]:
        """Names of prototypes that carry a handle with this identity key."""
        return tuple(self._keys.get(key, ()))

    def called(self, phrase: str) -> tuple[str, ...]:
        """Names whose prototype name, EntityName or alias equals the phrase, folded."""
        return tuple(self._phrases.get(fold_phrase(phrase), ()))

    def matching(self, words: Sequence[str], limit: int) -> tuple[str, ...]:
        """Names that match all words, else any, ranked by where they match, then by age."""
        self._read()
        wanted = tuple(dict.fromkeys(part for word in words for part in subwords(word)))
        postings = [self._words.get(word, {}) for word in wanted]
        if not postings or limit <= 0:
            return ()
        rarest = min(postings, key=len)
        found = {name for name in rarest if all(name in posting for posting in postings)}
        found = found or {name for posting in postings for name in posting}
        score = {name: sum(posting.get(name, 0) for posting in postings) for name in found}
        return tuple(sorted(found, key=lambda name: (-score[name], self._age[name]))[:limit])

    def _read(self) -> None:
        """Index the words of what was added since: many a layer is never asked by words."""
        for prototype in self._unread:
            for word, weight in _weighed(prototype):
                names = self._words.setdefault(word, {})
                names[prototype.name] = max(weight, names.get(prototype.name, 0))
        self._unread.clear()

    def names(self) -> tuple[str, ...]:
        """All names, oldest first."""
        return tuple(self._prototypes)

    def __len__(self) -> int:
        return len(self._prototypes)


def _put(index: dict[str, list[str]], key: str, name: str) -> None:
    names = index.setdefault(key, [])
    if name not in names:
        names.append(name)


def _weighed(prototype: Prototype) -> Iterable[tuple[str, int]]:
    for word in subwords(prototype.name):
        yield word, _NAME_WEIGHT
    for name in names_of(prototype):
        for word in subwords(name):
            yield word, _PHRASE_WEIGHT
    for prop in prototype.properties:
        for text in texts_of(prop.value):
            for word in subwords(text):
                yield word, _VALUE_WEIGHT

"""A layer held in memory answers every lookup from an index, like the stored one.

Owns `InMemoryLayer` and what a prototype is called. The permanent ontology lives in one, and so do the prototypes that
a review has staged. Knows nothing of identity keys' making: they are handed in.
"""

from collections.abc import Iterable, Mapping, Sequence

from ferrule.ontology.fragments import Fragments, names_of, texts_of
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.likeness import asked_words, is_asked_short, nearest_first, pieces
from ferrule.ontology.values import LayerName, Prototype, is_permanent_type
from ferrule.ontology.words import fold_phrase, subwords
from ferrule.referents.properties import Suffixes

__all__ = ["InMemoryLayer", "names_of", "phrases_of", "texts_of"]

_NAME_WEIGHT = 4
_PHRASE_WEIGHT = 3
_VALUE_WEIGHT = 1


def phrases_of(prototype: Prototype) -> tuple[str, ...]:
    """The folded phrases under which a prototype is found by name: its own name, EntityName, aliases."""
    folded = (fold_phrase(name) for name in (prototype.name, *names_of(prototype)))
    return tuple(dict.fromkeys(phrase for phrase in folded if phrase))


class InMemoryLayer(PrototypeLayer):
    """Prototypes of one layer with their indexes.

    `suffixes` is the table of handle names that a user's folder extends (`handles.toml`), None for the shipped one.
    """

    suffixes: Suffixes | None = None

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
        self._children: dict[str, dict[str, None]] = {}
        self._words: dict[str, dict[str, int]] = {}
        self._fragments = Fragments()
        self._unread: list[Prototype] = []
        self._unfolded: list[Prototype] = []
        for prototype in prototypes:
            self.add(prototype, (keys or {}).get(prototype.name, ()))

    def add(self, prototype: Prototype, keys: Sequence[str] = ()) -> None:
        """Add a prototype, or a fuller form of a known one; names, keys and words only ever grow."""
        name = prototype.name
        self._prototypes[name] = prototype
        self._age.setdefault(name, len(self._age))
        for key in keys:
            _put(self._keys, key, name)
        self._unfolded.append(prototype)
        self._unread.append(prototype)

    def get(self, name: str) -> Prototype | None:
        """The prototype of exactly that name, or None."""
        return self._prototypes.get(name)

    def spelled(self, name: str) -> tuple[str, ...]:
        """Names that equal `name` when case is ignored."""
        self._fold()
        return tuple(self._spelled.get(name.casefold(), ()))

    def holding(self, key: str) -> tuple[str, ...]:
        """Names of prototypes that carry a handle with this identity key."""
        return tuple(self._keys.get(key, ()))

    def called(self, phrase: str) -> tuple[str, ...]:
        """Names whose prototype name, EntityName or alias equals the phrase, folded."""
        self._fold()
        return tuple(self._phrases.get(fold_phrase(phrase), ()))

    def matching(self, words: Sequence[str], limit: int) -> tuple[str, ...]:
        """Names that match all words, else most of them, ranked by where they match, then by age."""
        self._read()
        postings = [self._words.get(word, {}) for word in asked_words(words)]
        if not postings or limit <= 0:
            return ()
        rarest = min(postings, key=len)
        found = {name for name in rarest if all(name in posting for posting in postings)}
        found = found or {name for posting in postings for name in posting}
        held = {name: [posting[name] for posting in postings if name in posting] for name in found}
        return tuple(sorted(found, key=lambda name: (-len(held[name]), -sum(held[name]), self._age[name]))[:limit])

    def resembling(self, words: Sequence[str], limit: int) -> tuple[str, ...]:
        """Names of which a name, alias or handle has the words as fragments, or spelled nearly so; nearest first."""
        self._read()
        asked = asked_words(words)
        alike = [self._fragments.having(word) for word in asked if pieces(word) or is_asked_short(word)]
        if not alike or limit <= 0:
            return ()
        found = set.intersection(*alike) or set.union(*alike)
        texts = {name: self._fragments.texts[name] for name in sorted(found, key=lambda name: self._age[name])}
        return tuple(nearest_first(asked, texts, limit))

    def _fold(self) -> None:
        """Index the names of what was added since: a layer that is only made to look things up by name is not asked."""
        for prototype in self._unfolded:
            _put(self._spelled, prototype.name.casefold(), prototype.name)
            for base in prototype.bases:
                self._children.setdefault(base, {})[prototype.name] = None
            for phrase in phrases_of(prototype):
                _put(self._phrases, phrase, prototype.name)
        self._unfolded.clear()

    def _read(self) -> None:
        """Index the words of what was added since: many a layer is never asked by words."""
        for prototype in self._unread:
            for word, weight in _weighed(prototype):
                names = self._words.setdefault(word, {})
                names[prototype.name] = max(weight, names.get(prototype.name, 0))
            self._fragments.add(prototype, self.suffixes)
        self._unread.clear()

    def bases(self) -> tuple[str, ...]:
        """Every name that is a direct base of something here."""
        self._fold()
        return tuple(self._children)

    def under(self, kinds: Sequence[str], limit: int, after: str = "") -> tuple[str, ...]:
        """Names of what is one of these kinds, by name, the first ones behind `after`; permanent types left out."""
        self._fold()
        found: dict[str, None] = {}
        waiting = list(kinds)
        while waiting:
            fresh = [name for name in self._children.get(waiting.pop(), ()) if name not in found]
            found.update(dict.fromkeys(fresh))
            waiting += fresh
        things = sorted(name for name in found if name > after and not self._is_type(name))
        return tuple(things[: max(0, limit)])

    def _is_type(self, name: str) -> bool:
        prototype = self._prototypes[name]
        return prototype.layer is LayerName.PERMANENT and is_permanent_type(prototype)

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

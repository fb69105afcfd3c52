"""What a prototype is called, and which prototypes of a layer say some letters in a name, alias or handle.

Owns the reading of names from a prototype and an index of three letters each. Knows nothing of ranking.
"""

import re
from collections.abc import Sequence

from ferrule.ontology.likeness import LEAST, pieces
from ferrule.ontology.values import Prototype, Value
from ferrule.referents.properties import Suffixes, is_free_text

__all__ = ["Fragments", "is_naming", "names_of", "phrases_said", "texts_of"]

_NAMING = re.compile(r"(?:EntityName|Aliases|Alias)(?:AtTurn[0-9]{1,12})?")
_BEGIN = ("EntityName", "Alias")
# The annotations that give a thing a phrase of natural language, whatever stands before the last dot.
_PHRASING = frozenset({"SemanticEntity", "InfinitivePhrase"})
_SEPARATOR = re.compile(r"[;\n]")


def texts_of(value: Value) -> tuple[str, ...]:
    """Every text in a value, lists opened."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, tuple):
        return tuple(text for element in value for text in texts_of(element))
    return ()


def is_naming(prop: str) -> bool:
    """Whether a property of that name says what a prototype is called."""
    return prop.startswith(_BEGIN) and _NAMING.fullmatch(prop) is not None


def names_of(prototype: Prototype) -> tuple[str, ...]:
    """What a prototype is called, as written: EntityName and aliases, later ones too, without the prototype name.

    And the phrase of an annotation that gives one, as `[SemanticEntity("the north quay")]`.
    """
    found = [
        part.strip()
        for prop in prototype.properties
        if is_naming(prop.name)
        for text in texts_of(prop.value)
        for part in _SEPARATOR.split(text)
    ]
    if prototype.annotations:
        found += phrases_said(prototype)
    return tuple(dict.fromkeys(name for name in found if name))


def phrases_said(prototype: Prototype) -> list[str]:
    """The phrases of natural language that annotations give it."""
    said = (one for one in prototype.annotations if one.name.rpartition(".")[2] in _PHRASING)
    return [text.strip() for one in said for text in texts_of(one.arguments)]


class Fragments:
    """The names, aliases and handles of the prototypes of one layer, by the three letters that stand in them."""

    def __init__(self) -> None:
        self.texts: dict[str, tuple[str, ...]] = {}
        self._by_letters: dict[str, set[str]] = {}
        self._unread: list[tuple[Prototype, Suffixes | None]] = []

    def add(self, prototype: Prototype, suffixes: Suffixes | None) -> None:
        """Add a prototype, or a fuller form of a known one; read when somebody asks: hardly any layer is."""
        self._unread.append((prototype, suffixes))

    def _read(self, prototype: Prototype, suffixes: Suffixes | None) -> None:
        carrying = (prop for prop in prototype.properties if not is_free_text(prop.name, suffixes))
        handles = (text for prop in carrying for text in texts_of(prop.value))
        texts = tuple(dict.fromkeys((prototype.name, *names_of(prototype), *handles)))
        self.texts[prototype.name] = texts
        for text in texts:
            for letters in _letters(text.casefold()):
                self._by_letters.setdefault(letters, set()).add(prototype.name)

    def having(self, word: str) -> set[str]:
        """Names of which a text has what is left of the word after a slip; the word itself where it is shorter."""
        for prototype, suffixes in self._unread:
            self._read(prototype, suffixes)
        self._unread.clear()
        if len(word) < LEAST:
            return {name for name, texts in self.texts.items() if any(word in text for text in texts)}
        return {name for piece in pieces(word) for name in self._with(piece)}

    def _with(self, piece: str) -> list[str]:
        sets: Sequence[set[str]] = [self._by_letters.get(letters, set()) for letters in _letters(piece)]
        narrow = set.intersection(*sets) if sets else set()
        return [name for name in narrow if any(piece in text.casefold() for text in self.texts[name])]


def _letters(text: str) -> set[str]:
    return {text[at : at + LEAST] for at in range(len(text) - LEAST + 1)}

"""One layer of the ontology, as a port: what a store of prototypes must answer.

Owns the protocol; `InMemoryLayer` in this package and `adapters.sqlite` implement it and pass one contract suite
(`tests/contracts`). Every lookup is by an index: its cost does not grow with the number of prototypes.
"""

from collections.abc import Sequence
from typing import Protocol

from ferrule.ontology.values import Prototype
from ferrule.referents.properties import Suffixes

__all__ = ["PrototypeLayer"]


class PrototypeLayer(Protocol):
    """Read access to the prototypes of one layer."""

    @property
    def suffixes(self) -> Suffixes | None:
        """The table of handle names that the layer's own folders extend (`handles.toml`), None for the shipped one."""
        ...

    def get(self, name: str) -> Prototype | None:
        """The prototype of exactly that name, merged over its parts, or None."""
        ...

    def spelled(self, name: str) -> tuple[str, ...]:
        """Names that equal `name` when case is ignored, `name` itself included if known."""
        ...

    def holding(self, key: str) -> tuple[str, ...]:
        """Names of prototypes that carry a handle with this identity key."""
        ...

    def called(self, phrase: str) -> tuple[str, ...]:
        """Names whose prototype name, EntityName or alias equals the phrase; case, spaces and CamelCase are folded."""
        ...

    def matching(self, words: Sequence[str], limit: int) -> tuple[str, ...]:
        """Names that match all words as subwords, else, when none does, those that match most of them, best first.

        Of those that match as many, the ones that match in a name before the ones that match in a value. Looks for the
        first sixteen words.
        """
        ...

    def resembling(self, words: Sequence[str], limit: int) -> tuple[str, ...]:
        """Names of which a name, alias or handle has the words as fragments, or spelled nearly so; nearest first.

        How near is what `ontology.likeness` says. Where any has something of each word, only those are looked at.
        """
        ...

    def bases(self) -> tuple[str, ...]:
        """Every name that is a direct base of something in this layer, each once."""
        ...

    def under(self, kinds: Sequence[str], limit: int, after: str = "") -> tuple[str, ...]:
        """Names of what is one of these kinds, in the order of names, the first ones behind `after`.

        As far as this layer knows who descends from whom. Permanent types are left out: they are what things are of.
        """
        ...

    def names(self) -> tuple[str, ...]:
        """All names, oldest first."""
        ...

    def __len__(self) -> int: ...

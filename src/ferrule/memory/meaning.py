"""What a memory means to a model may add to a search, and decides nothing (R35, R48).

Owns the port of such a model, and that every memory has a vector of the model that is in use now, made of the memory as
it stands. Off unless a person points at a model; knows nothing of any library.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from ferrule.errors import StoreError
from ferrule.memory.ports import MemoryStore
from ferrule.ontology.fragments import names_of, texts_of
from ferrule.ontology.values import Prototype
from ferrule.ontology.words import subwords

__all__ = ["Meaning", "MeaningModel", "Meant", "text_of"]

LEAST_LIKE = 0.35
_AT_ONCE = 256
_MOST_TEXT = 2000


class MeaningModel(Protocol):
    """Turns texts into vectors, on this machine and without a network."""

    @property
    def digest(self) -> str:
        """Names exactly this model: another digest means other vectors."""
        ...

    def vectors(self, texts: Sequence[str]) -> Sequence[bytes]:
        """The vector of each text, in the model's own bytes."""
        ...

    def likeness(self, query: bytes, vectors: Sequence[bytes]) -> Sequence[float]:
        """How near each vector is to the query's, 1 at most."""
        ...


@dataclass(frozen=True, slots=True)
class Meaning:
    """The search by meaning of one store."""

    store: MemoryStore
    model: MeaningModel

    def catch_up(self, session: str) -> None:
        """Make the vectors that are missing or of another model; outside `looking`, for it writes.

        A store that cannot be written now keeps what it has: the answers then lack what has no vector yet.
        """
        while names := self.store.without_vector(session, self.model.digest, _AT_ONCE):
            layer = self.store.layer(session)
            known = [(name, found) for name in names if (found := layer.get(name)) is not None]
            made = self.model.vectors([text_of(prototype) for _, prototype in known])
            kept = {
                name: (self.store.definition(session, name), vector)
                for (name, _), vector in zip(known, made, strict=True)
            }
            done = False
            with suppress(StoreError):
                self.store.put_vectors(session, self.model.digest, kept)
                done = True
            if not done or len(names) < _AT_ONCE:
                return

    def asked(self, session: str, query: str) -> "Meant":
        """A question of a session whose memories all have their vectors then; outside `looking`, for it takes long."""
        self.catch_up(session)
        return Meant(self, session, self.model.vectors([query])[0])


@dataclass(frozen=True, slots=True)
class Meant:
    """What a question means to the model; what comes near is then told quickly."""

    meaning: Meaning
    session: str
    vector: bytes

    def nearest(self, limit: int) -> Iterator[tuple[str, float]]:
        """The session's memories that come nearest in meaning with their scores, best first."""
        model = self.meaning.model
        held = self.meaning.store.vectors(self.session, model.digest)
        if not held:
            return
        scores = model.likeness(self.vector, [vector for _, vector in held])
        ranked = sorted(zip(scores, range(len(held)), strict=True), key=lambda one: (-one[0], one[1]))
        for score, at in ranked[:limit]:
            if score >= LEAST_LIKE:
                yield held[at][0], min(1.0, score)


def text_of(prototype: Prototype) -> str:
    """What a model reads of a memory: its names as words, then its values."""
    values = (text for prop in prototype.properties for text in texts_of(prop.value))
    told = (" ".join(subwords(prototype.name)), *names_of(prototype), *values)
    return ". ".join(dict.fromkeys(told))[:_MOST_TEXT]

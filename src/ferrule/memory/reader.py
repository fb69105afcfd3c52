"""Readers see one session in the current view: for recall, MCP and the command line, without a record (R87).

Owns reading for whoever is not the critic. Bound to one session and what it inherits; another session's memories are
out of reach (INV-I7). Knows nothing of how an answer is shown.
"""

from ferrule.bridge.door import SourceReader
from ferrule.bridge.values import Details, SchemaRow
from ferrule.memory.finding import handle_keys, holders
from ferrule.memory.ports import MemoryStore
from ferrule.memory.showing import Sight, details_of, schema_rows
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.words import subwords
from ferrule.referents.kinds import NOWHERE, Place

__all__ = ["MemoryReader"]

MAX_RESULTS = 100


class MemoryReader(SourceReader):
    """Reads one source session and the permanent ontology below it."""

    def __init__(self, store: MemoryStore, permanent: PrototypeLayer, source: str, *, place: Place = NOWHERE) -> None:
        self._store = store
        self._permanent = permanent
        self._source = source
        self._place = place

    @property
    def source(self) -> str:
        """The session key it is bound to."""
        return self._source

    def search(self, query: str, *, limit: int = 10) -> tuple[Details, ...]:
        """Best matches by handle, name, alias, words or fragment, best first, in the current view.

        A permanent type is an answer only when it is asked for by its own name: everything is of some type.
        """
        bounded = max(0, min(limit, MAX_RESULTS))
        with self._store.looking():
            sight = self._sight()
            wanted = [
                name
                for name in _found(sight, query.strip(), bounded)
                if name == query.strip() or not sight.ontology.is_type(name)
            ]
            return tuple(details_of(sight, name, current=True) for name in wanted[:bounded])

    def details(self, name: str) -> Details:
        """Current values of one prototype."""
        with self._store.looking():
            return details_of(self._sight(), name, current=True)

    def schema(self, name: str) -> tuple[SchemaRow, ...]:
        """All resolved declarations of a prototype."""
        with self._store.looking():
            return schema_rows(self._sight().ontology, name)

    def list(self, *, limit: int = 1000) -> tuple[Details, ...]:
        """The session-local memories in the current view, newest revision first."""
        sight = self._sight()
        return tuple(details_of(sight, name, current=True) for name in self._store.recent(self._source, max(0, limit)))

    def review_of(self, turn: str) -> dict[str, object] | None:
        """The stored review of one turn in its JSON form, or None."""
        return self._store.review(self._source, turn)

    def _sight(self) -> Sight:
        layers = self._store.lineage(self._source)
        ontology = Ontology(self._permanent, self._store.layer(self._source), layers)
        return Sight(self._store, self._source, ontology, self._place)


def _found(sight: Sight, query: str, limit: int) -> tuple[str, ...]:
    """Names by handle; else by name, then words; by fragment when nothing else matches."""
    if not query:
        return ()
    ontology = sight.ontology
    carriers = dict.fromkeys(name for key in handle_keys(query, sight.place) for name in holders(ontology, key))
    if carriers:
        return tuple(carriers)
    found = [query] if ontology.get(query) is not None else []
    found += ontology.names(lambda layer: layer.called(query))
    words = subwords(query)
    found += ontology.names(lambda layer: layer.matching(words, limit + 1))
    return tuple(dict.fromkeys(found)) or ontology.names(lambda layer: layer.resembling(words, limit))

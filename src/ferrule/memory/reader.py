"""Readers see one session in the current view: for recall, MCP and the command line, without a record (R87).

Owns reading for whoever is not the critic. Bound to one session and what it inherits; another session's memories are
out of reach (INV-I7). Knows nothing of how an answer is shown.
"""

from collections.abc import Hashable, Sequence

from ferrule.bridge.door import SourceReader
from ferrule.bridge.values import Details, Found, SchemaRow
from ferrule.memory.finding import handle_keys
from ferrule.memory.meaning import Meaning
from ferrule.memory.of_kind import leads_of_kind
from ferrule.memory.ports import MemoryStore
from ferrule.memory.ranking import Asked, leads
from ferrule.memory.showing import Sight, details_of, schema_rows
from ferrule.memory.speakable import said
from ferrule.ontology.categories import under
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.likeness import asked_words
from ferrule.ontology.resolve import Ontology
from ferrule.referents.kinds import NOWHERE, Place

__all__ = ["MemoryReader"]

MAX_RESULTS = 100
_AT_ONCE = 100


class MemoryReader(SourceReader):
    """Reads one source session and the permanent ontology below it."""

    def __init__(
        self,
        store: MemoryStore,
        permanent: PrototypeLayer,
        source: str,
        *,
        place: Place = NOWHERE,
        meaning: Meaning | None = None,
    ) -> None:
        self._store = store
        self._permanent = permanent
        self._source = source
        self._place = place
        self._meaning = meaning
        self._known: tuple[Hashable, Ontology] | None = None

    @property
    def source(self) -> str:
        """The session key it is bound to."""
        return self._source

    def find(self, query: str, *, limit: int = 10) -> Found:
        """Best matches by handle, name, alias, words or fragment, best first, in the current view.

        A permanent type is an answer only when it is asked for by its own name: everything is of some type.

        Raises:
            StoreError: the memory cannot be read; that is not the same as finding nothing (CASE-L14).
        """
        return self._found(query, limit)

    def under(self, kind: str, *, query: str = "", limit: int = 10, after: str = "") -> Found:
        """Everything of a kind in the session, its lineage and the permanent layer; with a query only what it finds.

        Raises:
            StoreError: as `find`.
        """
        if query.strip():
            return self._found(query, limit, kind)
        bounded = max(0, min(limit, MAX_RESULTS))
        with self._store.looking() as at:
            sight, revision = self._sight(at), self._store.revision(self._source)
            names = under(sight.ontology, kind, bounded, after)
            self._store.prepare(self._source, names)
            return Found(
                self._source,
                "",
                revision,
                tuple(details_of(sight, name, current=True, revision=revision) for name in names),
            )

    def _found(self, query: str, limit: int, kind: str = "") -> Found:
        """The answers to a query, of one kind alone where one is named."""
        text = said(query.strip())
        bounded = max(0, min(limit, MAX_RESULTS))
        # Asked of the model before the store is looked at: that takes long, and others would wait.
        meant = self._meaning.asked(self._source, text) if self._meaning is not None and text and bounded else None
        with self._store.looking() as at:
            sight = self._sight(at)
            ontology = sight.ontology

            def fits(name: str) -> bool:
                return (name == text or not ontology.is_type(name)) and (not kind or ontology.is_a(name, kind))

            keys = handle_keys(text, self._place) if text else ()
            found = leads(sight, Asked(text, keys, bounded, accept=fits, meaning=meant))
            if kind and len(found) < bounded:
                found = leads_of_kind(ontology, kind, asked_words((text,)), found)[:bounded]
            revision = self._store.revision(self._source)
            answers = tuple(
                details_of(sight, lead.name, current=True, matches=lead.matches, revision=revision) for lead in found
            )
            return Found(self._source, text, revision, answers)

    def details(self, name: str) -> Details:
        """Current values of one prototype."""
        with self._store.looking() as at:
            return details_of(self._sight(at), name, current=True)

    def schema(self, name: str) -> tuple[SchemaRow, ...]:
        """All resolved declarations of a prototype."""
        with self._store.looking() as at:
            return schema_rows(self._sight(at).ontology, name)

    def list(self, *, limit: int = 1000) -> tuple[Details, ...]:
        """The session-local memories in the current view, newest revision first."""
        with self._store.looking() as mark:
            sight, names = self._sight(mark), self._store.recent(self._source, max(0, limit))
            return tuple(found for at in range(0, len(names), _AT_ONCE) for found in self._several(sight, names[at:]))

    def review_of(self, turn: str) -> dict[str, object] | None:
        """The stored review of one turn in its JSON form, or None."""
        return self._store.review(self._source, turn)

    def _several(self, sight: Sight, names: Sequence[str]) -> tuple[Details, ...]:
        """The first of these names, read together."""
        some = names[:_AT_ONCE]
        self._store.prepare(self._source, some)
        return tuple(details_of(sight, name, current=True) for name in some)

    def _sight(self, at: Hashable) -> Sight:
        """What is known; what was worked out of it serves until the store changes."""
        if self._known is None or self._known[0] != at:
            layers = self._store.lineage(self._source)
            self._known = (at, Ontology(self._permanent, self._store.layer(self._source), layers))
        return Sight(self._store, self._source, self._known[1], self._place)

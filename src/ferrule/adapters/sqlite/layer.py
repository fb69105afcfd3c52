"""A session's memories as a layer of the ontology: each lookup is one indexed read.

Owns reading prototypes by name, spelling, identity key, phrase, subword and fragment. Reads committed rows only: staged
ones live with the door. Knows nothing of writing.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.statements import statements
from ferrule.adapters.sqlite.stored import stored_prototype
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.values import LayerName, Prototype
from ferrule.ontology.words import fold_phrase, subwords

__all__ = ["SqliteLayer", "fold_name", "scoped", "word_list"]

_SQL = statements("memories")
_FRAGMENT = 3  # the trigram index holds nothing shorter
_CANDIDATES = 64
_WEIGHTS = (("named", 4), ("called", 3), ("valued", 1))


class SqliteLayer(PrototypeLayer):
    """The memories of one session as a layer, its own or one of its lineage; empty while the session is unknown."""

    def __init__(self, database: Database, session: int, layer: LayerName = LayerName.SESSION) -> None:
        self._database = database
        self._session = session
        self._layer = layer

    def get(self, name: str) -> Prototype | None:
        """The merged prototype of exactly that name, or None."""
        if _is_empty(self._database, self._session):
            return None
        found = self._database.kept(
            ("prototype", self._session, name), lambda: stored_prototype(self._database, self._session, name)
        )
        return found if found is None or found.layer is self._layer else replace(found, layer=self._layer)

    def spelled(self, name: str) -> tuple[str, ...]:
        """Names that differ from `name` at most in case."""
        return self._names("spelled", {"folded": fold_name(name)})

    def holding(self, key: str) -> tuple[str, ...]:
        """Names of prototypes that carry a handle with this identity key."""
        return self._names("holding", {"key": key})

    def called(self, phrase: str) -> tuple[str, ...]:
        """Names whose prototype name, EntityName or alias equals the phrase when folded."""
        return self._names("called", {"phrase": fold_phrase(phrase)})

    def matching(self, words: Sequence[str], limit: int) -> tuple[str, ...]:
        """Names that match all words, else any word, best first."""
        terms = scoped(self._session, word_list(*words))
        if not terms or limit < 1 or _is_empty(self._database, self._session):
            return ()
        quoted = [f'"{term}"' for term in terms]
        found = self._matching(" AND ".join(quoted), limit) or self._matching(" OR ".join(quoted), _CANDIDATES)
        ranked = sorted(found.values(), key=lambda row: (-_score(row, terms), row["id"]))
        return tuple(str(row["name"]) for row in ranked[:limit])

    def _matching(self, query: str, enough: int) -> dict[int, sqlite3.Row]:
        """Candidates, the best columns first: ranking every match of a common word would cost more than it tells."""
        found: dict[int, sqlite3.Row] = {}
        for columns in ("named", "named called", "named called valued"):
            asked = {"query": f"{{{columns}}} : ({query})", "session": self._session, "limit": _CANDIDATES}
            found |= {row["id"]: row for row in self._database.rows(_SQL["matching"], asked)}
            if len(found) >= enough:
                break
        return found

    def containing(self, fragment: str, limit: int) -> tuple[str, ...]:
        """Names of which a name, alias or handle contains the fragment, case ignored; oldest first."""
        if len(fragment) < _FRAGMENT:
            return ()
        query = '"' + fragment.replace('"', '""') + '"'
        return self._names("containing", {"query": query, "limit": limit})

    def recent(self, limit: int) -> tuple[str, ...]:
        """Names, the newest revision first."""
        return self._names("recent", {"limit": limit})

    def names(self) -> tuple[str, ...]:
        """All names, oldest first."""
        return self._names("names", {})

    def __len__(self) -> int:
        return self._database.number(_SQL["count"], {"session": self._session})

    def _names(self, statement: str, parameters: dict[str, str | int]) -> tuple[str, ...]:
        if _is_empty(self._database, self._session):
            return ()

        def read() -> tuple[str, ...]:
            rows = self._database.rows(_SQL[statement], {"session": self._session, **parameters})
            return tuple(str(row["name"]) for row in rows)

        return self._database.kept((statement, self._session, *parameters.values()), read)


def _is_empty(database: Database, session: int) -> bool:
    """Whether the session remembers nothing yet: then nothing needs to be looked up."""

    def read() -> bool:
        return session < 1 or database.row(_SQL["any_memory"], {"session": session}) is None

    return database.kept(("empty", session), read)


def fold_name(name: str) -> str:
    """How spellings are compared (rule 3: no case-only difference)."""
    return name.casefold()


def scoped(session: int, words: Sequence[str]) -> tuple[str, ...]:
    """Words as the index holds them: no other session's word is the same token."""
    return tuple(f"{session}_{word}" for word in words)


def _score(row: sqlite3.Row, terms: Sequence[str]) -> int:
    """For each word the weight of the best column that holds it, summed."""
    columns = [(frozenset(str(row[column]).split()), weight) for column, weight in _WEIGHTS]
    return sum(max((weight for words, weight in columns if term in words), default=0) for term in terms)


def word_list(*texts: str) -> tuple[str, ...]:
    """The distinct subwords of some texts, in order."""
    return tuple(dict.fromkeys(word for text in texts for word in subwords(text)))

"""A session's memories as a layer of the ontology: each lookup is one indexed read.

Owns reading prototypes by name, spelling, identity key, phrase, subword and fragment. Reads committed rows only: staged
ones live with the door. Knows nothing of writing.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.kinds import bases_in, under
from ferrule.adapters.sqlite.statements import statements
from ferrule.adapters.sqlite.stored import stored_prototype
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.likeness import asked_words, is_asked_short, nearest_first, pieces
from ferrule.ontology.values import LayerName, Prototype
from ferrule.ontology.words import fold_phrase, subwords
from ferrule.referents.properties import Suffixes

__all__ = ["SqliteLayer", "fold_name", "scoped", "word_list"]

_SQL = statements("memories")
_SEARCHING = statements("searching")
_CANDIDATES = 64
_COMMON = 1000  # beyond it, how common a word is makes no difference
_LIKE = 256
_WEIGHTS = (("named", 4), ("called", 3), ("valued", 1))


class SqliteLayer(PrototypeLayer):
    """The memories of one session as a layer, its own or one of its lineage; empty while the session is unknown."""

    suffixes: Suffixes | None = None

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
        """Names that match all words, else most of them, best first."""
        terms = scoped(self._session, asked_words(words))
        if not terms or limit < 1 or _is_empty(self._database, self._session):
            return ()
        named = self._holding_all(terms, "named", limit)
        if len(named) >= limit:  # nothing matches better, and these are the oldest ones
            return tuple(str(row["name"]) for row in named)
        found = {row["id"]: row for row in named} | self._elsewhere(terms, limit)
        found = found or self._holding_most(terms)
        ranked = sorted(found.values(), key=lambda row: (*_score(row, terms), row["id"]))
        return tuple(str(row["name"]) for row in ranked[:limit])

    def _elsewhere(self, terms: Sequence[str], limit: int) -> dict[int, sqlite3.Row]:
        """What has all words, the better columns first: ranking every match of a common word would cost too much."""
        found: dict[int, sqlite3.Row] = {}
        for columns in ("named called", "named called valued"):
            found |= {row["id"]: row for row in self._holding_all(terms, columns, _CANDIDATES)}
            if len(found) >= limit:
                break
        return found

    def _holding_most(self, terms: Sequence[str]) -> dict[int, sqlite3.Row]:
        """What has the rarest word, and of what has it that which has the next one too, as long as anything does."""
        everywhere = "named called valued"
        counted = {term: self._common(term) for term in terms}
        rarest = sorted((term for term in terms if counted[term]), key=lambda term: counted[term])
        found: dict[int, sqlite3.Row] = {}
        held: list[str] = []
        for term in rarest:
            rows = self._holding_all((*held, term), everywhere, _CANDIDATES)
            held += [term] if rows else []
            found |= {row["id"]: row for row in rows}
        for term in rarest[1:]:
            if len(found) >= _CANDIDATES:
                break
            found |= {row["id"]: row for row in self._holding_all((term,), everywhere, _CANDIDATES)}
        return found

    def _common(self, term: str) -> int:
        return self._database.number(_SEARCHING["common"], {"query": _quoted(term), "limit": _COMMON})

    def _holding_all(self, terms: Sequence[str], columns: str, limit: int) -> list[sqlite3.Row]:
        """The oldest memories that have all these words in these columns."""
        query = f"{{{columns}}} : ({' AND '.join(map(_quoted, terms))})"
        return self._database.rows(_SEARCHING["matching"], {"query": query, "session": self._session, "limit": limit})

    def resembling(self, words: Sequence[str], limit: int) -> tuple[str, ...]:
        """Names of which a name, alias or handle has the words as fragments, or spelled nearly so; nearest first."""
        asked = asked_words(words)
        if limit < 1 or _is_empty(self._database, self._session):
            return ()
        rows = sorted(self._alike(asked).values(), key=lambda row: int(row["id"]))
        texts = {str(row["name"]): tuple(str(row["text"]).split("\n")) for row in rows}
        return tuple(nearest_first(asked, texts, limit))

    def _alike(self, words: Sequence[str]) -> dict[int, sqlite3.Row]:
        """What has each word's letters, and something of each word that can be looked for, else of any."""
        whole = [_quoted(word) for word in words if pieces(word)]
        parts = [f"({' OR '.join(map(_quoted, some))})" for word in words if (some := pieces(word))]
        if not parts:
            short = next((word for word in words if is_asked_short(word)), None)
            asked = {"session": self._session, "word": short, "limit": _LIKE}
            return {} if short is None else _by_id(self._database.rows(_SEARCHING["saying"], asked))
        found = self._lettered(" AND ".join(whole), _CANDIDATES) | self._lettered(" AND ".join(parts), _LIKE)
        return found or self._lettered(" OR ".join(parts), _LIKE)

    def _lettered(self, letters: str, limit: int) -> dict[int, sqlite3.Row]:
        query = f'scope : "~{self._session}~" AND text : ({letters})'
        asked = {"query": query, "session": self._session, "limit": limit}
        return _by_id(self._database.rows(_SEARCHING["resembling"], asked))

    def bases(self) -> tuple[str, ...]:
        """Every name that is a direct base of a memory of the session."""
        return bases_in(self._database, self._session)

    def under(self, kinds: Sequence[str], limit: int, after: str = "") -> tuple[str, ...]:
        """Names of what is one of these kinds, by name, the first ones behind `after`."""
        return under(self._database, self._session, kinds, self.get, limit=limit, after=after)

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


def _by_id(rows: Sequence[sqlite3.Row]) -> dict[int, sqlite3.Row]:
    return {row["id"]: row for row in rows}


def _quoted(piece: str) -> str:
    """A text as FTS5 takes it for nothing but text."""
    return '"' + piece.replace('"', '""') + '"'


def _score(row: sqlite3.Row, terms: Sequence[str]) -> tuple[int, int]:
    """How many words are missing, then for each word the weight of the best column that holds it; less is better."""
    columns = [(frozenset(str(row[column]).split()), weight) for column, weight in _WEIGHTS]
    best = [max((weight for words, weight in columns if term in words), default=0) for term in terms]
    return best.count(0), -sum(best)


def word_list(*texts: str) -> tuple[str, ...]:
    """The distinct subwords of some texts, in order."""
    words: list[str] = []
    for text in texts:
        words += subwords(text)
    return tuple(dict.fromkeys(words))

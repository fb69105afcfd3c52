"""What was read of an ontology becomes an index: the tables that a session's memories have too, and who descends whom.

Owns filling a new file; whoever asks for it puts the file in its place. The tables are those of the store, so that both
are searched by the same code. Knows nothing of files that were read, or of where indexes stand.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from ferrule.adapters.sqlite.coding import compact, properties_json
from ferrule.adapters.sqlite.layer import fold_name, word_list
from ferrule.adapters.sqlite.sealing import seal
from ferrule.adapters.sqlite.statements import SCHEMA_VERSION, migration
from ferrule.bridge.values import Modality
from ferrule.ontology.fragments import is_naming, names_of, texts_of
from ferrule.ontology.layers import InMemoryLayer, phrases_of
from ferrule.ontology.reading import Progress, ReadOntology
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import LayerName, Prototype, is_permanent_type
from ferrule.referents.properties import is_free_text

__all__ = ["PERMANENT", "fill"]

PERMANENT = 1  # the number that stands where a store has its session's
_SETTINGS = ("journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE", "cache_size = -65536")
_AT_ONCE = 2000
# Nobody asks an index for what only a store that changes needs.
_IDLE = ("keys_of_memory", "phrases_of_memory", "memories_recent", "memories_of_base")
_MEMORY = """
    INSERT INTO memories (id, session, folded, seal, name, partial, bases, properties, handles, merged, turn, ordinal,
        modality, revision)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_WORDS = "INSERT INTO words (rowid, named, called, valued) VALUES (?, ?, ?, ?)"
_FRAGMENTS = "INSERT INTO fragments (rowid, scope, text) VALUES (?, ?, ?)"
_SCOPE = f"~{PERMANENT}~"
_BEFORE = f"{PERMANENT}_"
_ROOMY = 32 * 1024 * 1024  # of words are kept in memory before they are written: less to bring together afterwards
_KEY = "INSERT INTO memory_keys (session, key, memory) VALUES (1, ?, ?)"
_PHRASE = "INSERT INTO phrases (session, phrase, memory) VALUES (1, ?, ?)"
_DESCENT = "INSERT INTO descends (type, name) VALUES (?, ?)"
_DESCENDS = (
    "CREATE TABLE descends (type TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (type, name)) STRICT, WITHOUT ROWID"
)


def fill(path: Path, read: ReadOntology, progress: Progress) -> None:
    """Fill an empty file with an index of these prototypes, oldest first.

    Raises:
        sqlite3.Error: the disk is full or fails.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        for setting in _SETTINGS:
            connection.execute(f"PRAGMA {setting}")
        for number in range(1, SCHEMA_VERSION + 1):
            for statement in migration(number):
                connection.execute(statement)
        for name in _IDLE:
            connection.execute(f"DROP INDEX IF EXISTS {name}")
        connection.execute(_DESCENDS)
        for words in ("words", "fragments"):
            connection.execute(f"INSERT INTO {words} ({words}, rank) VALUES ('hashsize', ?)", (_ROOMY,))  # noqa: S608 - ours
        connection.execute("BEGIN")
        _Filling(connection, read, progress).run()
        connection.execute("COMMIT")
    finally:
        connection.close()


class _Filling:
    def __init__(self, connection: sqlite3.Connection, read: ReadOntology, progress: Progress) -> None:
        self._connection = connection
        self._read = read
        self._progress = progress
        self._known = Ontology(InMemoryLayer(read.prototypes))
        self._names: dict[str, tuple[bool, bool]] = {}
        self._bases: dict[tuple[str, ...], str] = {}

    def run(self) -> None:
        """All tables, some thousand prototypes at a time; what is sorted by a key is written in its order."""
        numbered = enumerate(self._read.prototypes, start=1)
        while some := list(islice(numbered, _AT_ONCE)):
            self._progress("writing the index: prototypes", some[0][0], len(self._read.prototypes))
            self._put(some)
        keys = self._read.keys
        self._connection.executemany(_KEY, self._marks(lambda prototype: keys[prototype.name]))
        self._connection.executemany(_PHRASE, self._marks(phrases_of))
        self._connection.executemany(_DESCENT, sorted(self._descents()))

    def _put(self, some: Sequence[tuple[int, Prototype]]) -> None:
        self._connection.executemany(_MEMORY, [self._row(number, prototype) for number, prototype in some])
        said = [(number, self._said(prototype)) for number, prototype in some]
        self._connection.executemany(_WORDS, ((number, *words) for number, (words, _) in said))
        self._connection.executemany(_FRAGMENTS, ((number, _SCOPE, text) for number, (_, text) in said))

    def _said(self, prototype: Prototype) -> tuple[tuple[str, str, str], str]:
        """The words of its name, of its other names and of the rest, and what the search by letters looks at.

        That is every text but prose: what may be a handle, as a layer in memory takes it.
        """
        names = names_of(prototype)
        texts: list[str] = []
        carried = [prototype.name, *names]
        for prop in prototype.properties:
            own = texts_of(prop.value)
            if not own:
                continue
            prose, naming = self._of_name(prop.name)
            if not prose:
                carried += own
            if not naming:  # else its words are among those of the names
                texts += own
        return (_scoped((prototype.name,)), _scoped(names), _scoped(texts)), "\n".join(dict.fromkeys(carried))

    def _row(self, number: int, prototype: Prototype) -> tuple[str | int, ...]:
        row: dict[str, str | int] = {
            "name": prototype.name,
            "partial": int(prototype.partial),
            "bases": self._bases.get(prototype.bases) or self._based(prototype.bases),
            "properties": properties_json(prototype.properties, prototype.annotations),
            "handles": "[]",
            "merged": "",
            "turn": "",
            "ordinal": 0,
            "modality": Modality.EXISTING.value,
            "revision": 0,
        }
        return (number, PERMANENT, fold_name(prototype.name), seal(row), *row.values())

    def _based(self, bases: tuple[str, ...]) -> str:
        """The stored form of these bases, which thousands of prototypes share."""
        return self._bases.setdefault(bases, compact(list(bases)))

    def _of_name(self, name: str) -> tuple[bool, bool]:
        """Whether a property of that name holds prose, and whether it says what a prototype is called."""
        found = self._names.get(name)
        if found is None:
            found = self._names[name] = is_free_text(name, self._read.suffixes), is_naming(name)
        return found

    def _descents(self) -> Iterator[tuple[str, str]]:
        """Each entity under everything that it is; a type is what others are, and is no answer itself."""
        for prototype in self._read.prototypes:
            if prototype.layer is not LayerName.PERMANENT or not is_permanent_type(prototype):
                for above in self._known.ancestors(prototype.name):
                    yield above, prototype.name

    def _marks(self, marks: Callable[[Prototype], Sequence[str]]) -> list[tuple[str, int]]:
        """What leads to which prototype, in the order in which it is kept."""
        numbered = enumerate(self._read.prototypes, start=1)
        return sorted((mark, number) for number, one in numbered for mark in dict.fromkeys(marks(one)))


def _scoped(texts: Sequence[str]) -> str:
    """The words of some texts as the index holds them."""
    words = word_list(*texts)
    return f"{_BEFORE}{f' {_BEFORE}'.join(words)}" if words else ""

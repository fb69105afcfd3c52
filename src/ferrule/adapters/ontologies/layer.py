"""The permanent layer of a large ontology, answered from its index: each question reads a few rows.

Owns reading an index as a layer. Answers are those of the store's own layer; what an entity is, is read from a table of
its own. An index that turns out to be damaged is given up: the next start makes it anew. Knows nothing of how an index
came to be.
"""

import sqlite3
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ferrule.adapters.ontologies.filling import PERMANENT
from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.failures import from_sqlite
from ferrule.adapters.sqlite.layer import SqliteLayer
from ferrule.errors import FerruleError, StoreCorrupt
from ferrule.ontology.values import LayerName, Prototype
from ferrule.referents.properties import Suffixes

__all__ = ["IndexedLayer"]

_UNDER = "SELECT name FROM descends WHERE type = :type AND name > :after ORDER BY name LIMIT :limit"
_SETTINGS = ("trusted_schema = OFF", "query_only = ON", "cache_size = -8192")


class IndexedLayer(SqliteLayer):
    """The permanent prototypes of one index file, which never changes while it stands.

    Args:
        path: the index.
        manifest: what says that the index holds; removed when it does not.
        suffixes: the table of handle names of the ontology's own folders.

    Raises:
        StoreError: the file cannot be opened.
    """

    def __init__(self, path: Path, manifest: Path, suffixes: Suffixes | None) -> None:
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        try:
            connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise from_sqlite(error, path) from error
        self._index = _Index(connection, path, manifest)
        super().__init__(self._index, PERMANENT, LayerName.PERMANENT)
        self.suffixes = suffixes
        self.close = weakref.finalize(self, self._index.close)
        for setting in _SETTINGS:
            self._index.rows(f"PRAGMA {setting}")

    def get(self, name: str) -> Prototype | None:
        """The prototype of exactly that name, or None.

        Raises:
            StoreCorrupt: the index is damaged; it is made anew at the next start.
        """
        try:
            return super().get(name)
        except StoreCorrupt as error:
            raise self._index.given_up() from error

    def under(self, kinds: Sequence[str], limit: int, after: str = "") -> tuple[str, ...]:
        """Names of entities that are one of these, by name, the first ones behind `after`."""
        found: set[str] = set()
        for kind in dict.fromkeys(kinds):
            asked = {"type": kind, "after": after, "limit": max(0, limit)}
            found |= {str(row["name"]) for row in self._index.rows(_UNDER, asked)}
        return tuple(sorted(found)[: max(0, limit)])


class _Index(Database):
    """The file of one index."""

    def __init__(self, connection: sqlite3.Connection, path: Path, manifest: Path) -> None:
        super().__init__(connection, path)
        self._manifest = manifest

    def given_up(self) -> StoreCorrupt:
        """Take away what says that the index holds, so that nobody believes it again."""
        with suppress(OSError):
            self._manifest.unlink(missing_ok=True)
        return StoreCorrupt(f"{self.path}: this index of the ontology is damaged; run it again, and it is made anew")

    def _failed(self, error: sqlite3.Error | UnicodeDecodeError) -> FerruleError:
        found = super()._failed(error)
        return self.given_up() if isinstance(found, StoreCorrupt) else found

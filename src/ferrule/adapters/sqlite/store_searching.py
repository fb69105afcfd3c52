"""The part of the store that serves a search: many answers are read at once, and what they mean to a model is kept.

Owns no more than that; finding is the layers' part. Knows nothing of ranking or of models.
"""

import json
import sqlite3
from collections.abc import Hashable, Mapping, Sequence

from ferrule.adapters.sqlite.database import Database
from ferrule.adapters.sqlite.kin import kin_of, session_id
from ferrule.adapters.sqlite.memories import provenance_of, told_write
from ferrule.adapters.sqlite.sealing import seal
from ferrule.adapters.sqlite.statements import statements
from ferrule.memory.ports import Provenance

__all__ = ["SqliteSearching"]

_SQL = statements("searching")


class SqliteSearching:
    """What the search of one home asks of its file beside the layers."""

    _database: Database

    def prepare(self, session: str, names: Sequence[str]) -> None:
        """Read in a few queries what answers about these names will ask for, of the session and its lineage.

        Inside `looking` alone; the answers are the same without it. A damaged memory is left to whoever asks for it.
        """
        own = session_id(self._database, session)
        if own is None or not names:
            return
        asked = json.dumps(list(dict.fromkeys(names)))
        kin = self._database.kept(("kin_numbers", session), lambda: [one for one, _ in kin_of(self._database, session)])
        for number in (own, *kin):
            rows = self._database.rows(_SQL["several"], {"session": number, "names": asked})
            found: dict[Hashable, object] = {("memory", number, name): None for name in names}
            for row in rows:
                found.pop(("memory", number, row["name"]))
                if seal(dict(row)) == row["seal"]:
                    found["memory", number, row["name"]] = row
            self._database.keep(found | (self._origins(number, names, rows) if number == own else {}))

    def _origins(self, session: int, names: Sequence[str], rows: Sequence[sqlite3.Row]) -> dict[Hashable, object]:
        """Provenance and last write of each name; none of one that is no memory of the session."""
        found: dict[Hashable, object] = {("provenance", session, name): () for name in names}
        found |= {("last_write", session, name): told_write(None) for name in names}
        named = {int(row["id"]): str(row["name"]) for row in rows}
        asked = {"memories": json.dumps(list(named))}
        origins: dict[int, list[Provenance]] = {memory: [] for memory in named}
        for row in self._database.rows(_SQL["origins"], asked):
            origins[row["memory"]].append(provenance_of(row))
        found |= {("provenance", session, named[memory]): tuple(told) for memory, told in origins.items()}
        for row in self._database.rows(_SQL["last_writes"], asked):
            found["last_write", session, named[row["memory"]]] = told_write(row)
        return found

    def vectors(self, session: str, digest: str) -> tuple[tuple[str, bytes], ...]:
        """(name, vector) of the session's memories that have one by the model of this digest, oldest first."""
        asked = {"session": session_id(self._database, session) or 0, "digest": digest}
        return tuple((str(row["name"]), bytes(row["vector"])) for row in self._database.rows(_SQL["vectors"], asked))

    def without_vector(self, session: str, digest: str, limit: int) -> tuple[str, ...]:
        """Names of memories that the model of this digest has not seen as they stand, oldest first."""
        asked = {"session": session_id(self._database, session) or 0, "digest": digest, "limit": limit}
        return tuple(str(row["name"]) for row in self._database.rows(_SQL["without_vector"], asked))

    def put_vectors(self, session: str, digest: str, vectors: Mapping[str, tuple[str, bytes]]) -> None:
        """Keep the vector of each name, unless its definition is no longer the one that the vector was made of.

        Not synced at once: they can be made again.
        """
        own = session_id(self._database, session) or 0
        rows = [
            {"session": own, "digest": digest, "name": name, "merged": merged, "vector": vector}
            for name, (merged, vector) in vectors.items()
        ]
        with self._database.transaction(durable=False):
            self._database.many(_SQL["put_vector"], rows)

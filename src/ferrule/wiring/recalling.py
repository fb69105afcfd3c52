"""The context text of a session, with its places looked up on this machine.

Owns bringing recall, readers and local check together. A session that resumed or forked another is also told what the
other members of its lineage remember, after its own (design.md section 7). Knows nothing of what is worth telling.
"""

from dataclasses import dataclass

from ferrule.bridge.door import SourceReader
from ferrule.bridge.values import Details, SchemaRow
from ferrule.recall.context import context_text
from ferrule.session.source import SourceSession
from ferrule.wiring.home import Home
from ferrule.wiring.looking import place_check
from ferrule.wiring.sessions import reader, resolved

__all__ = ["recall"]


def recall(home: Home, name: str) -> tuple[str, str]:
    """The key of the session of that name, and what it should be told; empty when there is nothing to tell.

    Raises:
        UsageError: no such session.
    """
    session = resolved(home, name)
    own = reader(home, session.key)
    others = tuple(reader(home, key) for key in _kin(home, session))
    return session.key, context_text(_Lineage(own, others), place_check(session.cwd))


def _kin(home: Home, session: SourceSession) -> tuple[str, ...]:
    """The other members of the session's lineage, newest first."""
    if session.lineage is None:
        return ()
    known = home.store.sessions()
    return tuple(other.key for other in known if other.lineage == session.lineage and other.key != session.key)


@dataclass(frozen=True, slots=True)
class _Lineage(SourceReader):
    """One session's reader that lists, after its own memories, what its lineage remembers of other things."""

    own: SourceReader
    others: tuple[SourceReader, ...]

    @property
    def source(self) -> str:
        return self.own.source

    def search(self, query: str, *, limit: int = 10) -> tuple[Details, ...]:
        return self.own.search(query, limit=limit)

    def details(self, name: str) -> Details:
        return self.own.details(name)

    def schema(self, name: str) -> tuple[SchemaRow, ...]:
        return self.own.schema(name)

    def list(self, *, limit: int = 1000) -> tuple[Details, ...]:
        listed = list(self.own.list(limit=limit))
        seen = {key for memory in listed for key in _keys(memory)}
        for other in self.others:
            for memory in other.list(limit=limit):
                keys = _keys(memory)
                if not keys <= seen:
                    listed.append(memory)
                    seen |= keys
        return tuple(listed[:limit])

    def review_of(self, turn: str) -> dict[str, object] | None:
        return self.own.review_of(turn)


def _keys(memory: Details) -> set[str]:
    return {handle.key or handle.value for handle in memory.handles}

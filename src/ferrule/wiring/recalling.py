"""The context text of a session, with its places looked up on this machine.

Owns bringing recall, readers and local check together. A session that resumed or forked another is also told what the
other members of its lineage remember, after its own (design.md section 7). Knows nothing of what is worth telling.
"""

from dataclasses import dataclass

from ferrule.bridge.door import SourceReader
from ferrule.bridge.values import Details, SchemaRow
from ferrule.recall.context import context_text
from ferrule.recall.lineage import with_lineage
from ferrule.wiring.home import Home
from ferrule.wiring.looking import looking
from ferrule.wiring.sessions import reader, resolved

__all__ = ["recall"]


def recall(home: Home, name: str) -> tuple[str, str]:
    """The key of the session of that name, and what it should be told; empty when there is nothing to tell.

    Raises:
        UsageError: no such session.
    """
    session = resolved(home, name)
    own = reader(home, session.key)
    others = tuple(reader(home, other.key) for other in home.store.kin(session.key))
    with looking(session.cwd) as check:
        return session.key, context_text(_Lineage(own, others), check)


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
        return with_lineage(self.own.list(limit=limit), (other.list(limit=limit) for other in self.others))[:limit]

    def review_of(self, turn: str) -> dict[str, object] | None:
        return self.own.review_of(turn)

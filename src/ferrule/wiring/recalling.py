"""What an agent may read of its session: its own memory, and that of the conversation it goes on with.

Owns bringing recall, readers and local check together (design.md section 7, R87). A session that resumed, forked or
cleared another reads what the other members of its lineage remember, after its own; so does one that its client has
started and of which nothing is stored yet. Knows nothing of what is worth telling.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ferrule.adapters.spool.starts import elders
from ferrule.adapters.sqlite.remembered import Remembered, reading
from ferrule.bridge.door import SourceReader
from ferrule.bridge.values import Details, Found, SchemaRow
from ferrule.memory.reader import MemoryReader
from ferrule.ontology.values import LayerName
from ferrule.recall.context import PlaceCheck, context_text
from ferrule.recall.lately import lately_entries
from ferrule.recall.lineage import with_lineage
from ferrule.recall.wider import wider_entries
from ferrule.session.keys import is_text, session_key
from ferrule.wiring.home import Home
from ferrule.wiring.looking import looking
from ferrule.wiring.neighbourhood import is_wide, others_told
from ferrule.wiring.sessions import reader, resolved

__all__ = ["lately_of", "reader_of", "recall"]


def recall(home: Home, name: str) -> tuple[str, str]:
    """The key of the session of that name, and what it should be told; empty when there is nothing to tell.

    Raises:
        UsageError: no such session.
    """
    session = resolved(home, name)
    own = reader_of(home, session.key)
    others: tuple[Details, ...] = ()
    members = tuple(one.key for one in home.store.kin(session.key))
    with reading(home.path) as remembered, looking(session.cwd) as check:
        if remembered is None:
            return session.key, context_text(own, check)
        told = own.list()
        if is_wide(home.path, session.cwd):
            others = others_told(home.path, remembered, session, told=told, members=members)
        lately = lately_of(remembered, (session.key, *members), told, check=check, cwd=session.cwd)
        return session.key, context_text(own, check, lately=lately, more=wider_entries(others, check, time.time()))


def lately_of(
    remembered: Remembered, members: Sequence[str], told: Sequence[Details], *, check: PlaceCheck, cwd: str | None
) -> tuple[str, ...]:
    """What a conversation worked on lately and did not remember, as lines; of the session itself first."""
    forgotten = {mark for key in members for mark in remembered.forgotten(key)}
    turns = remembered.looked_at(members)
    return tuple(lately_entries(turns, told, forgotten=forgotten, check=check, cwd=cwd))


def reader_of(home: Home, key: str | None) -> SourceReader:
    """The memory of one session and its lineage, exactly named; without a key only the permanent layer.

    A session that its client has started, but of which no turn is stored yet, reads what it goes on from.

    Raises:
        UsageError: there is no such session, or it is no source.
    """
    if key is None or not is_text(key) or home.store.session(key) is not None:
        own = reader(home, key)
        kin = () if key is None else home.store.kin(key)
        return _Lineage(own, tuple(reader(home, one.key) for one in kin)) if kin else own
    elder = _elder(home, key)
    if elder is None:
        return reader(home, key)  # says that there is none
    members = (elder, *(one.key for one in home.store.kin(elder)))
    own = MemoryReader(home.store, home.permanent_of(elder), key)
    return _Lineage(own, tuple(reader(home, one) for one in members))


def _elder(home: Home, key: str) -> str | None:
    """The nearest stored session that an unknown one goes on from, as its client's start told."""
    client, _, native = key.partition(":")
    keys = (session_key(client, one) for one in elders(home.path, client, native))
    return next((one for one in keys if home.store.session(one) is not None), None)


@dataclass(frozen=True, slots=True)
class _Lineage(SourceReader):
    """One session's reader that also reads, after its own memories, what its lineage remembers of other things."""

    own: SourceReader
    others: tuple[SourceReader, ...]

    @property
    def source(self) -> str:
        return self.own.source

    def find(self, query: str, *, limit: int = 10) -> Found:
        own = self.own.find(query, limit=limit)
        found = {memory.name: _found_by(self._whole(memory), memory) for memory in own.answers}
        more: dict[str, Details] = {}
        for other in self.others:
            for memory in other.find(query, limit=limit).answers:
                if memory.name not in found:
                    more.setdefault(memory.name, _inherited(memory))
        return replace(own, answers=tuple(found.values())).with_others(more.values(), limit)

    def under(self, kind: str, *, query: str = "", limit: int = 10, after: str = "") -> Found:
        found = self.own.under(kind, query=query, limit=limit, after=after)
        return replace(found, answers=tuple(_found_by(self._whole(memory), memory) for memory in found.answers))

    def details(self, name: str) -> Details:
        return self._whole(self.own.details(name))

    def schema(self, name: str) -> tuple[SchemaRow, ...]:
        return next((rows for one in (self.own, *self.others) if (rows := one.schema(name))), ())

    def list(self, *, limit: int = 1000) -> tuple[Details, ...]:
        others = (map(_inherited, other.list(limit=limit)) for other in self.others)
        return with_lineage(self.own.list(limit=limit), others)[:limit]

    def review_of(self, turn: str) -> dict[str, object] | None:
        return next((review for one in (self.own, *self.others) if (review := one.review_of(turn)) is not None), None)

    def _whole(self, memory: Details) -> Details:
        """What only the lineage knows is read where it was written, with its origin and definition."""
        if memory.known and memory.layer != LayerName.LINEAGE.value:
            return memory
        return next(self._elsewhere(memory.name), memory)

    def _elsewhere(self, name: str) -> Iterator[Details]:
        for other in self.others:
            memory = other.details(name)
            if memory.known and memory.layer == LayerName.SESSION.value:
                yield _inherited(memory)


def _found_by(whole: Details, memory: Details) -> Details:
    return replace(whole, matches=memory.matches, revision=memory.revision)


def _inherited(memory: Details) -> Details:
    return replace(memory, layer=LayerName.LINEAGE.value) if memory.layer == LayerName.SESSION.value else memory

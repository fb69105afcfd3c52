"""An agent's questions reach other sessions of its repository too, in a project where a person switched that on.

Owns the switch, and the reader that answers from a session first and from its neighbours after it, marked with their
origin; only what was asked for by its very handle or name stands before a session's own leads. Knows nothing of which
sessions are neighbours.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ferrule.adapters.projects.places import main_root
from ferrule.adapters.projects.records import put_recall
from ferrule.adapters.spool.starts import started_in
from ferrule.adapters.sqlite.remembered import reading
from ferrule.bridge.details import Details, Found
from ferrule.bridge.door import SourceReader
from ferrule.bridge.matches import is_certain
from ferrule.bridge.values import SchemaRow
from ferrule.errors import UsageError
from ferrule.memory.reader import MemoryReader
from ferrule.session.keys import is_text
from ferrule.session.source import SourceSession
from ferrule.wiring.home import Home
from ferrule.wiring.locating import located
from ferrule.wiring.neighbourhood import is_wide, others_told
from ferrule.wiring.recalling import reader_of
from ferrule.wiring.sessions import reader
from ferrule.wiring.trusting import project_root

__all__ = ["switched", "wide_reader_of"]


def switched(home: Path | str | None, path: Path | str, *, on: bool) -> tuple[Path, bool]:
    """Switch recall of other sessions on or off for a project; returns its folder and whether that changed anything.

    Worktrees go with the checkout that they are made from.

    Raises:
        UsageError: there is no such project.
        StoreError: the home cannot be written.
    """
    root = main_root(project_root(path))
    return root, put_recall(located(home), root, on=on)


def wide_reader_of(home: Home, key: str | None) -> SourceReader:
    """As `reader_of`, and where a person opted in also what other sessions of the repository remember, after its own.

    Raises:
        UsageError: there is no such session, or it is no source.
    """
    stored = home.store.session(key) if key is not None and is_text(key) else None
    session = stored or _fresh(home, key)
    if session is None or not is_wide(home.path, session.cwd):
        return reader_of(home, key)
    return _Wide(_own(home, session, known=stored is not None), home, session)


def _fresh(home: Home, key: str | None) -> SourceSession | None:
    """A session that its client has started and of which nothing is stored yet."""
    if key is None or not is_text(key):
        return None
    client, _, native = key.partition(":")
    cwd = started_in(home.path, client, native)
    return SourceSession(key, "", client=client, cwd=cwd) if cwd else None


def _own(home: Home, session: SourceSession, *, known: bool) -> SourceReader:
    try:
        return reader_of(home, session.key)
    except UsageError:
        if known:
            raise
        return MemoryReader(home.store, home.projects.layer(session.cwd), session.key)


@dataclass(frozen=True, slots=True)
class _Wide(SourceReader):
    """A session's reader that also reads other sessions, after it and marked with their origin."""

    own: SourceReader
    home: Home
    session: SourceSession

    @property
    def source(self) -> str:
        return self.own.source

    def find(self, query: str, *, limit: int = 10) -> Found:
        found = self.own.find(query, limit=limit)
        if len(found.answers) >= limit and is_certain(found.answers[0].matches):
            return found
        others = {(memory.origin, memory.name): memory for memory in self._others()}
        more: list[Details] = []
        for origin in dict.fromkeys(origin for origin, _ in others):
            for memory in reader(self.home, origin).find(query, limit=limit).answers:
                marked = others.get((origin, memory.name))
                if marked is not None:
                    more.append(replace(marked, matches=memory.matches, revision=memory.revision))
        return found.with_others(more, limit)

    def under(self, kind: str, *, query: str = "", limit: int = 10, after: str = "") -> Found:
        found = self.own.under(kind, query=query, limit=limit, after=after)
        others = {(memory.origin, memory.name): memory for memory in self._others()}
        more: list[Details] = []
        for origin in dict.fromkeys(origin for origin, _ in others):
            answers = reader(self.home, origin).under(kind, query=query, limit=limit, after=after).answers
            known = ((memory, others.get((origin, memory.name))) for memory in answers)
            more += (replace(marked, matches=one.matches, revision=one.revision) for one, marked in known if marked)
        if query.strip():
            return found.with_others(more, limit)
        page = sorted((*found.answers, *more), key=lambda memory: memory.name)
        return replace(found, answers=tuple(page[:limit]))

    def details(self, name: str) -> Details:
        memory = self.own.details(name)
        return memory if memory.known else next(self._elsewhere(name), memory)

    def schema(self, name: str) -> tuple[SchemaRow, ...]:
        rows = self.own.schema(name)
        found = None if rows else next(self._elsewhere(name), None)
        return reader(self.home, found.origin).schema(name) if found is not None else rows

    def list(self, *, limit: int = 1000) -> tuple[Details, ...]:
        return (*self.own.list(limit=limit), *self._others())[:limit]

    def review_of(self, turn: str) -> dict[str, object] | None:
        review = self.own.review_of(turn)
        if review is not None:
            return review
        origins = dict.fromkeys(memory.origin for memory in self._others() if memory.turn == turn)
        return next((found for key in origins if (found := reader(self.home, key).review_of(turn))), None)

    def _elsewhere(self, name: str) -> Iterator[Details]:
        for marked in self._others():
            if marked.name == name:
                whole = reader(self.home, marked.origin).details(name)
                yield replace(whole, layer=marked.layer, origin=marked.origin, at=marked.at)

    def _others(self) -> tuple[Details, ...]:
        members = tuple(one.key for one in self.home.store.kin(self.session.key))
        with reading(self.home.path) as remembered:
            if remembered is None:
                return ()
            return others_told(self.home.path, remembered, self.session, told=self.own.list(), members=members)

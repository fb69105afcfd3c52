"""Homes with a little in them, backed up and restored."""

import time
from pathlib import Path

from store_cases import IMPORT, LEASE, Entity, a_child, a_commit, a_session, a_turn, a_write, claimed

from ferrule.adapters.sqlite.backing_up import back_up
from ferrule.adapters.sqlite.restoring import put_back, staged
from ferrule.adapters.sqlite.store import SqliteStore

SOURCE = a_session()
NOTES = Entity("ParserNotes", "docs/parser.md", aliases="the grammar page")
GUIDE = Entity("StyleGuide", "docs/style.md")
LATER = Entity("ReleaseNotes", "docs/release.md")


def opened(home: Path) -> SqliteStore:
    """The store of a home."""
    return SqliteStore(home, time.time)


def reviewed(store: SqliteStore, ordinal: int, *entities: Entity) -> None:
    """Review one turn that writes these."""
    turn = a_turn(ordinal)
    store.put_session(SOURCE)
    store.put_turns([turn])
    store.enqueue(SOURCE, a_child(SOURCE), [(ordinal, turn.key)], IMPORT)
    store.commit(a_commit(turn, *map(a_write, entities)), claimed(store.claim(SOURCE.key, lease_seconds=LEASE)))


def filled(home: Path, *later: Entity) -> Path:
    """A home with one turn that wrote two memories, and another one for what came later."""
    store = opened(home)
    reviewed(store, 1, NOTES, GUIDE)
    for ordinal, entity in enumerate(later, 2):
        reviewed(store, ordinal, entity)
    store.close()
    return home


def names(home: Path) -> tuple[str, ...]:
    """What a home remembers; it opens, and its chain and head agree."""
    store = opened(home)
    try:
        assert not any(store.all_tombstones(SOURCE.key))
        return store.layer(SOURCE.key).names()
    finally:
        store.close()


def backup(home: Path, target: Path) -> Path:
    """A backup of a home."""
    back_up(home, target, made_at="2026-01-01T00:00:00+00:00", ferrule="test")
    return target


def restore(home: Path, file: Path) -> Path | None:
    """Put it back."""
    with staged(home, file) as ready:
        return put_back(ready, "now")


OLD, NEW = ("ParserNotes", "StyleGuide"), ("ParserNotes", "StyleGuide", "ReleaseNotes")

"""One source with its child, and the steps that bring turns of it into a store: for the store contract."""

from store_cases import IMPORT, LEASE, Entity, a_child, a_commit, a_session, a_turn, a_write, claimed

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.session.source import LaneClaim
from ferrule.session.turn import Turn

SOURCE = a_session()
CHILD = a_child(SOURCE)
NOTES = Entity("ParserNotes", "docs/parser.md", aliases="the grammar page")


def queue(store: SqliteStore, *turns: Turn) -> None:
    """Store and enqueue turns."""
    store.put_session(SOURCE)
    store.put_turns(turns)
    store.enqueue(SOURCE, CHILD, [(turn.ordinal, turn.key) for turn in turns], IMPORT)


def claim(store: SqliteStore) -> LaneClaim:
    """The next claim, which must be there."""
    return claimed(store.claim(SOURCE.key, lease_seconds=LEASE))


def write(store: SqliteStore, ordinal: int, *entities: Entity) -> None:
    """Review one turn that writes these entities."""
    turn = a_turn(ordinal)
    queue(store, turn)
    store.commit(a_commit(turn, *(a_write(entity) for entity in entities)), claim(store))

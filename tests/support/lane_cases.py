"""Sources with their children, and the steps that bring turns of them into a store: for the store contract."""

from typing import Protocol

from store_cases import IMPORT, LEASE, Entity, a_child, a_commit, a_session, a_turn, a_write, claimed

from ferrule.companion.ports import CompanionStore
from ferrule.memory.ports import MemoryStore
from ferrule.session.source import Instruction, LaneClaim, LaneStanding, Origin, SourceSession
from ferrule.session.turn import Turn

SOURCE = a_session()
CHILD = a_child(SOURCE)
NOTES = Entity("ParserNotes", "docs/parser.md", aliases="the grammar page")


class Store(MemoryStore, CompanionStore, Protocol):
    """What every store must be; nothing of how it stores."""

    def close(self) -> None:
        """Close it."""
        ...


def queue(store: Store, *turns: Turn) -> None:
    """Store and enqueue turns."""
    store.put_session(SOURCE)
    store.put_turns(turns)
    store.enqueue(SOURCE, CHILD, [(turn.ordinal, turn.key) for turn in turns], IMPORT)


def wait_in(store: Store, key: str, *ordinals: int, origin: Origin = IMPORT) -> SourceSession:
    """Queue turns of any source, without their texts."""
    source = a_session(key)
    store.enqueue(source, a_child(source), [(ordinal, f"t{ordinal}") for ordinal in ordinals], origin)
    return source


def claim(store: Store) -> LaneClaim:
    """The next claim, which must be there."""
    return claimed(store.claim(SOURCE.key, lease_seconds=LEASE))


def claim_next(store: Store) -> LaneClaim:
    """The claim of whichever lane is due, which must be there."""
    return claimed(store.claim_next(lease_seconds=LEASE))


def nothing_due(store: Store) -> bool:
    """Whether no lane can be claimed."""
    return store.claim_next(lease_seconds=LEASE) is None


def review(store: Store, held: LaneClaim) -> None:
    """Commit an empty review of the claimed turn."""
    turn = held.instruction
    store.commit(a_commit(a_turn(turn.ordinal, held.source, key=turn.turn)), held)


def write(store: Store, ordinal: int, *entities: Entity) -> None:
    """Review one turn that writes these entities."""
    turn = a_turn(ordinal)
    queue(store, turn)
    store.commit(a_commit(turn, *(a_write(entity) for entity in entities)), claim(store))


def standing(store: Store, key: str = SOURCE.key) -> LaneStanding:
    """How a lane stands, which must be there."""
    found = store.lane(key)
    assert found is not None
    return found


def instruction(store: Store, turn: str = "t1", key: str = SOURCE.key) -> Instruction:
    """The instruction for a turn, which must be there."""
    found = store.instruction(key, turn)
    assert found is not None
    return found

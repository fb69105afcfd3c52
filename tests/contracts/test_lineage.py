"""One conversation is one lineage, in whatever order its sessions come to be stored."""

import itertools

import pytest
from store_cases import a_session, a_turn

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.session.source import SourceSession

ELDEST = a_session("desk:eldest", lineage="desk:eldest", cwd="/w/shop")
MIDDLE = a_session("desk:middle", lineage="desk:eldest", cwd="/w/shop")
YOUNGEST = a_session("desk:youngest", lineage="desk:middle", cwd="/w/shop")


def kin(store: SqliteStore, key: str) -> set[str]:
    """The other members of a session's lineage."""
    return {session.key for session in store.kin(key)}


@pytest.mark.parametrize("order", list(itertools.permutations((ELDEST, MIDDLE, YOUNGEST))))
def test_whoever_continues_a_session_is_of_its_lineage(store: SqliteStore, order: tuple[SourceSession, ...]) -> None:
    """R87: each names the one before it, and all read each other, whoever was stored first."""
    for session in order:
        store.put_session(session)
    keys = {session.key for session in order}
    assert [kin(store, key) for key in sorted(keys)] == [keys - {key} for key in sorted(keys)]


def test_a_lineage_once_told_is_not_untold_by_an_import(store: SqliteStore) -> None:
    """R87: a client's start told that the session goes on from another; its transcript alone does not show that."""
    store.put_session(ELDEST)
    store.put_session(MIDDLE)
    store.put_session(a_session("desk:middle", lineage="desk:middle", title="later"))
    store.put_session(a_session("desk:middle"))
    assert kin(store, "desk:middle") == {"desk:eldest"}


def test_a_session_that_was_alone_joins_when_more_is_known(store: SqliteStore) -> None:
    """R87: those who continued it come along."""
    store.put_session(a_session("desk:middle", lineage="desk:middle", cwd="/w/shop"))
    store.put_session(YOUNGEST)
    store.put_session(ELDEST)
    assert kin(store, "desk:youngest") == {"desk:middle"}
    store.put_session(MIDDLE)
    assert kin(store, "desk:youngest") == {"desk:middle", "desk:eldest"}


def test_a_lineage_ends_at_its_repository(store: SqliteStore) -> None:
    """Design section 7: of one conversation in one repository; what it did elsewhere is not read there."""
    store.put_session(ELDEST)
    store.put_session(a_session("desk:away", lineage="desk:eldest", cwd="/w/docs"))
    assert kin(store, "desk:away") == set()
    assert store.lineage("desk:away") == ()


def test_companions_and_strangers_are_no_kin(store: SqliteStore) -> None:
    """INV-I7: nothing else belongs to it; an unknown session has none."""
    store.put_session(ELDEST)
    store.put_session(SourceSession("desk:eldest-x", "other", hidden=True, lineage="desk:eldest", cwd="/w/shop"))
    store.put_session(a_session("desk:stranger", lineage="desk:stranger", cwd="/w/shop"))
    assert [kin(store, key) for key in ("desk:eldest", "desk:stranger", "desk:nobody")] == [set(), set(), set()]


def test_a_session_that_shows_a_turn_of_another_one_is_found(store: SqliteStore) -> None:
    """R87: of the same client, in the same folder, and by a whole key; a companion or itself is nobody."""
    store.put_session(ELDEST)
    store.put_turns([a_turn(1, session=ELDEST.key, key="0123456789abcdef")])
    fork = a_session("desk:fork", lineage="desk:fork", cwd="/w/shop")
    assert store.sharing(fork, ["other", "0123456789abcdef"]) == ELDEST.key
    assert store.sharing(fork, []) is None
    assert store.sharing(fork, ["0123456789abcde", "%", "0123456789ABCDEF"]) is None
    assert store.sharing(ELDEST, ["0123456789abcdef"]) is None
    assert store.sharing(a_session("desk:fork", cwd="/w/docs"), ["0123456789abcdef"]) is None
    assert store.sharing(a_session("desk:fork"), ["0123456789abcdef"]) is None

"""One suite for every store: what a person writes at once, takes back, and reads again."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from lane_cases import NOTES, SOURCE, Store, claim, queue, write
from store_cases import Entity, a_commit, a_property, a_turn, a_write

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import Code, StoreError
from ferrule.memory.ports import StagedWrite
from ferrule.memory.receipts import broken_at, unmatched

GUIDE = Entity("StyleGuide", "docs/style.md")
OTHER = Entity("Other", "/o")


def added(name: str, value: str, *before: tuple[str, str]) -> StagedWrite:
    """An augmentation of the notes by one property, after others."""
    entity = replace(NOTES, more=tuple(a_property(*one) for one in (*before, (name, value))))
    return replace(a_write(entity, "augmented"), definition=f"partial prototype ParserNotes {{ {name} }}")


STATUS, OWNER = ("Status", "walrus"), ("Owner", "quillwort")


def sound(store: SqliteStore) -> bool:
    """Whether chain, receipts and writes agree."""
    return broken_at(store.receipts()) is None and not unmatched(store.receipts(SOURCE.key), store.writes(SOURCE.key))


# -- many at once


def test_what_is_committed_together_is_one_revision_with_a_receipt_each(store: SqliteStore) -> None:
    """DEC-D5, DEC-D12: in their order, as a person's own; the second builds on the first."""
    store.put_session(SOURCE)
    receipts = store.commit_people(SOURCE.key, [a_write(NOTES), a_write(GUIDE), added(*STATUS)], 0)
    assert [(one.verdict, one.prototype, one.turn) for one in receipts] == [
        ("accepted", "ParserNotes", ""),
        ("accepted", "StyleGuide", ""),
        ("accepted", "ParserNotes", ""),
    ]
    assert {(one.revision_before, one.revision_after) for one in receipts} == {(0, 1)}
    assert store.revision(SOURCE.key) == 1
    assert store.layer(SOURCE.key).names() == ("ParserNotes", "StyleGuide")
    assert all(row.by_user for row in store.provenance(SOURCE.key, "ParserNotes"))
    assert [(one.number, one.properties) for one in store.standing_writes(SOURCE.key)] == [
        (1, ("EntityName", "Aliases", "DocumentPath")),
        (2, ("EntityName", "DocumentPath")),
        (3, ("Status",)),
    ]
    assert sound(store)


def test_one_that_cannot_stand_takes_the_whole_batch_with_it(store: SqliteStore) -> None:
    """INV-I1, INV-I3: all or nothing, and nothing that is valued changes."""
    store.put_session(SOURCE)
    store.commit_person(SOURCE.key, a_write(NOTES))
    with pytest.raises(StoreError) as caught:
        store.commit_people(SOURCE.key, [a_write(GUIDE), a_write(replace(NOTES, path="/elsewhere"))], 1)
    assert caught.value.code is Code.STALE_REVISION
    assert store.layer(SOURCE.key).names() == ("ParserNotes",)
    assert (store.revision(SOURCE.key), len(store.receipts())) == (1, 1)


def test_a_batch_judged_on_an_older_state_is_refused(store: SqliteStore, another: Callable[[], Store]) -> None:
    """INV-I3: somebody else wrote in between, in whatever process."""
    store.put_session(SOURCE)
    another().commit_person(SOURCE.key, a_write(OTHER))
    with pytest.raises(StoreError) as caught:
        store.commit_people(SOURCE.key, [a_write(NOTES)], 0)
    assert caught.value.code is Code.STALE_REVISION
    assert store.layer(SOURCE.key).names() == ("Other",)
    store.commit_people(SOURCE.key, [a_write(NOTES)], 1)
    assert store.layer(SOURCE.key).names() == ("Other", "ParserNotes")


# -- taking back


def filled(store: SqliteStore) -> None:
    """Two memories of one turn, two additions to the first of later turns."""
    write(store, 1, NOTES, GUIDE)
    for ordinal, one in ((2, added(*STATUS)), (3, added(*OWNER, STATUS))):
        turn = a_turn(ordinal)
        queue(store, turn)
        store.commit(a_commit(turn, one), claim(store))


def test_the_writes_that_stand_are_told_with_what_stands_on_them(store: SqliteStore) -> None:
    """DEC-D8: by the numbers of their receipts; none of an unknown session."""
    filled(store)
    assert [(one.number, one.turn, one.whole, one.held) for one in store.standing_writes(SOURCE.key)] == [
        (1, "t1", False, True),
        (2, "t1", True, False),
        (3, "t2", False, False),
        (4, "t3", False, False),
    ]
    assert store.standing_writes("desk:nobody") == ()


def test_an_undone_write_is_as_if_it_had_not_been(store: SqliteStore) -> None:
    """DEC-D8, DEC-D14, INV-I3: what others valued stays; a receipt says so; it can be written again."""
    filled(store)
    receipt = store.undo(SOURCE.key, 3)
    assert (receipt.seq, receipt.verdict, receipt.prototype) == (5, "undone", "ParserNotes")
    held = store.layer(SOURCE.key).get("ParserNotes")
    assert held is not None
    assert (held.own("Status"), held.own("Owner")) == (None, a_property(*OWNER))
    assert [one.number for one in store.standing_writes(SOURCE.key)] == [1, 2, 4]
    assert store.layer(SOURCE.key).matching(["walrus"], 9) == ()
    assert store.touched_after(SOURCE.key, 3, ["parsernotes"])
    assert sound(store)
    store.commit_person(SOURCE.key, added(*STATUS, OWNER))
    assert store.layer(SOURCE.key).matching(["walrus"], 9) == ("ParserNotes",)
    assert sound(store)


def test_undoing_the_only_write_forgets_the_memory(store: SqliteStore) -> None:
    """DEC-D14: with the tombstone that forgetting leaves; unforgetting lifts it."""
    filled(store)
    store.undo(SOURCE.key, 2)
    assert store.layer(SOURCE.key).names() == ("ParserNotes",)
    assert [stone.name for stone in store.tombstones(SOURCE.key, [GUIDE.key])] == ["StyleGuide"]
    assert store.unforget(SOURCE.key, "StyleGuide") == 1
    assert [(one.verdict, one.prototype) for one in store.receipts()][-2:] == [
        ("undone", "StyleGuide"),
        ("unforgotten", "StyleGuide"),
    ]
    assert store.unforget(SOURCE.key, "StyleGuide") == 0
    assert sound(store)


@pytest.mark.parametrize("number", [0, 1, 99])
def test_what_does_not_stand_or_is_stood_on_cannot_be_undone(store: SqliteStore, number: int) -> None:
    """R59: nothing is changed, no receipt is given."""
    filled(store)
    before = (store.receipts(), store.definitions(SOURCE.key), store.revision(SOURCE.key))
    with pytest.raises(StoreError) as caught:
        store.undo(SOURCE.key, number)
    assert caught.value.code is Code.STALE_REVISION
    assert (store.receipts(), store.definitions(SOURCE.key), store.revision(SOURCE.key)) == before


def test_a_receipt_can_attest_what_went_elsewhere(store: SqliteStore) -> None:
    """DEC-D8: promotion changes no memory and no revision, and leaves receipts in the chain."""
    filled(store)
    before = store.revision(SOURCE.key)
    given = store.attest(SOURCE.key, "promoted", [("ParserNotes", "prototype ParserNotes;")])
    assert [(one.verdict, one.prototype, one.payload_length) for one in given] == [("promoted", "ParserNotes", 22)]
    assert store.revision(SOURCE.key) == before
    assert sound(store)


# -- reading


def test_a_memory_is_read_whole_in_every_form(store: SqliteStore) -> None:
    """R56, R88, R95: prototypes, definitions, handles and writes say the same; recent ones newest first."""
    filled(store)
    assert [one.name for one in store.prototypes(SOURCE.key)] == ["ParserNotes", "StyleGuide"]
    assert store.prototypes(SOURCE.key)[1] == GUIDE.prototype
    assert store.definitions(SOURCE.key)[1] == ("StyleGuide", store.definition(SOURCE.key, "StyleGuide"))
    assert store.definition(SOURCE.key, "Nobody") == ""
    assert [(one.value, one.key) for one in store.handles(SOURCE.key, "StyleGuide")] == [(GUIDE.path, GUIDE.key)]
    assert store.handles(SOURCE.key, "Nobody") == ()
    assert [name for name, _ in store.writes(SOURCE.key)] == ["ParserNotes", "StyleGuide", "ParserNotes", "ParserNotes"]
    assert store.recent(SOURCE.key, 9) == ("ParserNotes", "StyleGuide")
    assert store.recent(SOURCE.key, 1) == ("ParserNotes",)


def test_one_look_sees_one_state(store: SqliteStore, another: Callable[[], Store]) -> None:
    """INV-I1: what another process commits meanwhile is not half seen; equal marks mean that nothing changed."""
    filled(store)
    with store.looking() as first:
        before = store.layer(SOURCE.key).names()
        store.prepare(SOURCE.key, before)
        another().commit_person(SOURCE.key, a_write(OTHER))
        assert store.layer(SOURCE.key).names() == before
        assert store.layer(SOURCE.key).get("Other") is None
    with store.looking() as second:
        assert "Other" in store.layer(SOURCE.key).names()
    with store.looking() as third:
        assert (first != second, second == third) == (True, True)


def test_a_vector_stands_for_a_memory_as_it_was_when_it_was_made(store: SqliteStore) -> None:
    """R97: one of an older definition is not kept, one of a forgotten memory goes with it."""
    filled(store)
    assert store.without_vector(SOURCE.key, "m", 9) == ("ParserNotes", "StyleGuide")
    made = {name: (text, b"\x01\x02") for name, text in store.definitions(SOURCE.key)}
    store.put_vectors(SOURCE.key, "m", made | {"ParserNotes": ("of another text", b"\x03")})
    assert store.vectors(SOURCE.key, "m") == (("StyleGuide", b"\x01\x02"),)
    assert store.without_vector(SOURCE.key, "m", 9) == ("ParserNotes",)
    assert store.vectors(SOURCE.key, "other model") == ()
    store.forget(SOURCE.key, ["StyleGuide"])
    assert store.vectors(SOURCE.key, "m") == ()


def test_an_entry_of_the_readable_file_is_the_memory_as_it_stands(store: SqliteStore) -> None:
    """DEC-D12: kept entries are good for what they were made of, and for nothing else."""
    filled(store)
    assert [one.name for one in store.entries(SOURCE.key)] == ["ParserNotes", "StyleGuide"]
    assert [one.text for one in store.entries(SOURCE.key)] == [text for _, text in store.definitions(SOURCE.key)]
    store.undo(SOURCE.key, 4)
    assert [one.text for one in store.entries(SOURCE.key)] == [text for _, text in store.definitions(SOURCE.key)]
    store.forget(SOURCE.key, ["ParserNotes"])
    assert [one.name for one in store.entries(SOURCE.key)] == ["StyleGuide"]
    assert store.entries("desk:nobody") == ()

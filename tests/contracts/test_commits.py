"""One suite for every store: commits, receipts, forgetting, and who sees what."""

from dataclasses import replace

import pytest
from lane_cases import NOTES, SOURCE, claim, queue, write
from store_cases import (
    Clock,
    Entity,
    a_commit,
    a_property,
    a_refusal,
    a_session,
    a_turn,
    a_write,
)

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Modality
from ferrule.errors import Code, StoreError
from ferrule.session.source import InstructionState

# -- commits


def test_a_commit_makes_everything_visible_together(store: SqliteStore) -> None:
    """R55, R90, R95: memory, provenance, review, receipt, revision and the instruction's end."""
    write(store, 1, NOTES)
    layer = store.layer(SOURCE.key)
    assert layer.get("ParserNotes") == NOTES.prototype
    assert [row.property for row in store.provenance(SOURCE.key, "ParserNotes")] == [
        "EntityName",
        "Aliases",
        "DocumentPath",
    ]
    assert {(row.turn, row.ordinal, row.by_action) for row in store.provenance(SOURCE.key, "ParserNotes")} == {
        ("t1", 1, True)
    }
    assert store.turn_of(SOURCE.key, "ParserNotes") == ("t1", "created")
    assert store.revision(SOURCE.key) == 1
    (receipt,) = store.receipts()
    assert (receipt.verdict, receipt.prototype, receipt.revision_before, receipt.revision_after) == (
        "accepted",
        "ParserNotes",
        0,
        1,
    )
    review = store.review(SOURCE.key, "t1")
    assert review is not None
    assert review["outcome"] == "wrote"
    done = store.instruction(SOURCE.key, "t1")
    assert done is not None
    assert done.state is InstructionState.DONE


def test_a_second_commit_of_a_turn_gives_the_first_receipts(store: SqliteStore) -> None:
    """INV-I4, CASE-H01: any number of commits has the effect of one."""
    turn = a_turn()
    queue(store, turn)
    held = claim(store)
    first = store.commit(a_commit(turn, a_write(NOTES)), held)
    second = store.commit(a_commit(turn, a_write(Entity("Other", "/o"))), held)
    assert first == second
    assert store.definitions(SOURCE.key) == (("ParserNotes", a_write(NOTES).merged),)
    assert len(store.receipts()) == 1


def test_a_claim_commits_only_its_own_turn(store: SqliteStore) -> None:
    """INV-I7: a claim is a capability for one turn of one source."""
    queue(store, a_turn(1), a_turn(2))
    held = claim(store)
    with pytest.raises(StoreError):
        store.commit(a_commit(a_turn(2), a_write(NOTES)), held)
    assert store.definitions(SOURCE.key) == ()


def test_a_refusal_leaves_code_hash_and_length_only(store: SqliteStore) -> None:
    """R59: one rejection receipt with none of the text; memory and revision stay."""
    turn = a_turn()
    queue(store, turn)
    store.commit(a_commit(turn, refused=[a_refusal()]), claim(store))
    (receipt,) = store.receipts()
    assert (receipt.verdict, receipt.code, receipt.prototype) == ("refused", "UNKNOWN_TYPE", "")
    assert (receipt.payload_length, receipt.payload_sha256) == (len("prototype X : Nothing { }"), "ab" * 32)
    assert store.revision(SOURCE.key) == 0


def test_a_review_that_wrote_nothing_has_a_receipt_too(store: SqliteStore) -> None:
    """R14, R84: reviewed, nothing qualified: one receipt, no memory."""
    turn = a_turn()
    queue(store, turn)
    (receipt,) = store.commit(a_commit(turn), claim(store))
    assert receipt.verdict == "nothing"
    assert store.definitions(SOURCE.key) == ()
    assert store.revision(SOURCE.key) == 0


def test_an_augmentation_keeps_where_earlier_values_came_from(store: SqliteStore) -> None:
    """R38, R60, R95: the first turn stays the origin of what it wrote."""
    write(store, 1, NOTES)
    later = replace(NOTES, more=(a_property("LifecycleStateAtTurn2", "deleted"),), modality=Modality.DELETED)
    write(store, 2, later)
    origins = {row.property: row.turn for row in store.provenance(SOURCE.key, "ParserNotes")}
    assert origins == {"EntityName": "t1", "Aliases": "t1", "DocumentPath": "t1", "LifecycleStateAtTurn2": "t2"}
    assert store.turn_of(SOURCE.key, "ParserNotes") == ("t2", "deleted")
    assert store.layer(SOURCE.key).names() == ("ParserNotes",)


def test_a_search_knows_whether_its_keys_were_touched_since(store: SqliteStore) -> None:
    """R49: only a later commit on the same key or phrase makes a search stale."""
    write(store, 1, NOTES)
    assert store.touched_after(SOURCE.key, 0, [NOTES.key])
    assert store.touched_after(SOURCE.key, 0, ["elsewhere", "thegrammarpage"])
    assert not store.touched_after(SOURCE.key, 1, [NOTES.key])
    assert not store.touched_after(SOURCE.key, 0, ["path:other"])


def test_a_memory_changed_since_it_was_judged_is_not_overwritten(store: SqliteStore) -> None:
    """INV-I3, R44: a person's write between judgement and commit is never lost; nothing of the review is kept."""
    write(store, 1, NOTES)
    person = replace(NOTES, more=(a_property("Owner", "quillwort"),))
    critic = replace(NOTES, more=(a_property("Status", "done"),))
    queue(store, a_turn(2))
    held = claim(store)
    store.commit_person(SOURCE.key, a_write(person))
    with pytest.raises(StoreError) as caught:
        store.commit(a_commit(a_turn(2), a_write(Entity("Other", "/o")), a_write(critic)), held)
    assert caught.value.code is Code.STALE_REVISION
    assert store.layer(SOURCE.key).get("ParserNotes") == person.prototype
    assert store.layer(SOURCE.key).names() == ("ParserNotes",)
    with pytest.raises(StoreError):
        store.commit_person(SOURCE.key, a_write(replace(person, path="/elsewhere")))


def test_a_persons_memory_belongs_to_no_turn(store: SqliteStore) -> None:
    """DEC-D5: written with a receipt, as the person's own word."""
    store.put_session(SOURCE)
    receipt = store.commit_person(SOURCE.key, a_write(NOTES))
    assert (receipt.verdict, receipt.turn) == ("accepted", "")
    assert store.turn_of(SOURCE.key, "ParserNotes") == ("", "")
    assert all(row.by_user for row in store.provenance(SOURCE.key, "ParserNotes"))


# -- forgetting


def test_forgetting_removes_the_memory_and_leaves_a_tombstone(store: SqliteStore) -> None:
    """R97, DEC-D8, DEC-D14: gone from every index, known as forgotten by its identity key; others untouched."""
    write(store, 1, NOTES, Entity("Other", "/o"))
    receipts = store.forget(SOURCE.key, ["ParserNotes"])
    layer = store.layer(SOURCE.key)
    assert [receipt.verdict for receipt in receipts] == ["forgotten"]
    assert layer.names() == ("Other",)
    assert (layer.holding(NOTES.key), layer.called("ParserNotes"), layer.matching(("grammar",), 9)) == ((), (), ())
    assert layer.resembling(("parser",), 9) == ()
    assert store.provenance(SOURCE.key, "ParserNotes") == ()
    assert [stone.name for stone in store.tombstones(SOURCE.key, [NOTES.key, "path:/o"])] == ["ParserNotes"]
    assert store.touched_after(SOURCE.key, 1, [NOTES.key])


def test_forgetting_takes_the_text_out_of_the_review(store: SqliteStore) -> None:
    """R97: what a person forgot is not kept in another place."""
    write(store, 1, NOTES, Entity("Other", "/o"))
    store.forget(SOURCE.key, ["ParserNotes"])
    review = store.review(SOURCE.key, "t1")
    assert review is not None
    written = {item["prototype"]: item["definition"] for item in review["written"]}  # type: ignore[attr-defined]
    assert written == {"ParserNotes": "(forgotten)", "Other": a_write(Entity("Other", "/o")).definition}


def test_what_was_forgotten_is_in_no_file(store: SqliteStore) -> None:
    """R97: names, aliases and values leave index, log and database; only the identity key stays, in the tombstone."""
    values = (a_property("Description", "a heliotrope page"), a_property("Owner", "quillwort"))
    write(store, 1, Entity("ZebrafishNotes", "/z", aliases="the marzipan page", more=values), NOTES)
    store.forget(SOURCE.key, ["ZebrafishNotes"])
    content = b"".join(path.read_bytes() for path in store.home.iterdir() if path.is_file()).lower()
    assert [word for word in (b"heliotrope", b"quillwort", b"marzipan") if word in content] == []
    assert b"grammar" in content


def test_a_memory_without_key_is_forgotten_by_its_phrases(store: SqliteStore) -> None:
    """DEC-D14: a typed link alone has no identity key."""
    write(store, 1, Entity("StagingSite"))
    store.forget(SOURCE.key, ["StagingSite"])
    assert [stone.name for stone in store.tombstones(SOURCE.key, ["stagingsite"])] == ["StagingSite"]


def test_unforgetting_lifts_the_tombstone(store: SqliteStore) -> None:
    """DEC-D14: by key or by name; the count tells whether there was one."""
    write(store, 1, NOTES)
    store.forget(SOURCE.key, ["ParserNotes"])
    assert store.unforget(SOURCE.key, "nothing") == 0
    assert store.unforget(SOURCE.key, "ParserNotes") == 1
    assert store.tombstones(SOURCE.key, [NOTES.key]) == ()


def test_forgetting_the_unknown_changes_nothing(store: SqliteStore) -> None:
    """R97: no receipt, no revision."""
    write(store, 1, NOTES)
    assert store.forget(SOURCE.key, ["Nobody"]) == ()
    assert store.revision(SOURCE.key) == 1


# -- two sessions


def test_sessions_never_see_each_other(store: SqliteStore) -> None:
    """INV-I7, R87, CASE-F08: name, key, phrase, word, fragment, tombstone, review: all by session."""
    write(store, 1, NOTES)
    store.forget(SOURCE.key, ["ParserNotes"])
    write(store, 2, Entity("Canary", "/canary"))
    other = a_session("desk:beta")
    store.put_session(other)
    layer = store.layer(other.key)
    assert (layer.get("Canary"), layer.names(), layer.spelled("canary"), layer.called("Canary")) == (None, (), (), ())
    assert (layer.holding("path:/canary"), layer.matching(("canary",), 9), layer.resembling(("canary",), 9)) == (
        (),
        (),
        (),
    )
    assert store.tombstones(other.key, [NOTES.key]) == ()
    assert store.review(other.key, "t1") is None
    assert store.receipts(other.key) == ()
    assert store.definitions(other.key) == ()
    assert not store.touched_after(other.key, 0, [NOTES.key])


def test_a_key_is_never_a_prefix_match(store: SqliteStore) -> None:
    """CASE-E14: `user` and `user1` are two sessions."""
    write(store, 1, NOTES)
    near = a_session("desk:alph")
    store.put_session(near)
    assert store.definitions(near.key) == ()
    assert store.forget(near.key, ["ParserNotes"]) == ()
    assert store.layer(SOURCE.key).names() == ("ParserNotes",)


def test_a_lineage_is_read_as_layers_of_its_other_members(store: SqliteStore) -> None:
    """R87: members of one lineage read each other; strangers do not."""
    write(store, 1, NOTES)
    for key in ("desk:alpha", "desk:beta"):
        store.put_session(a_session(key, lineage="one"))
    store.put_session(a_session("desk:gamma", lineage="two"))
    (seen,) = store.lineage("desk:beta")
    assert seen.names() == ("ParserNotes",)
    assert store.lineage("desk:gamma") == ()


def test_forgetting_sticks_in_the_whole_lineage(store: SqliteStore) -> None:
    """DEC-D14: a resumed or forked conversation does not learn again what was forgotten; lifting holds for all."""
    write(store, 1, NOTES)
    for key in (SOURCE.key, "desk:fork"):
        store.put_session(a_session(key, lineage="one"))
    store.put_session(a_session("desk:stranger", lineage="two"))
    store.forget(SOURCE.key, ["ParserNotes"])
    assert [stone.session for stone in store.tombstones("desk:fork", [NOTES.key])] == [SOURCE.key]
    assert [stone.name for stone in store.all_tombstones("desk:fork")] == ["ParserNotes"]
    assert store.tombstones("desk:stranger", [NOTES.key]) == ()
    assert store.unforget("desk:fork", "ParserNotes") == 1
    assert store.tombstones(SOURCE.key, [NOTES.key]) == ()


# -- restart


def test_everything_is_there_after_a_restart(store: SqliteStore, clock: Clock) -> None:
    """R56, R88, R100: a cold start reads the same."""
    write(store, 1, NOTES)
    queue(store, a_turn(2))
    before = (store.definitions(SOURCE.key), store.receipts(), store.review(SOURCE.key, "t1"))
    home = store.home
    store.close()
    again = SqliteStore(home, clock)
    assert (again.definitions(SOURCE.key), again.receipts(), again.review(SOURCE.key, "t1")) == before
    assert again.layer(SOURCE.key).called("the grammar page") == ("ParserNotes",)
    assert claim(again).instruction.turn == "t2"
    again.close()

"""The door of one critic turn: what it records, bounds, refuses and stages."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from door_cases import GUIDE, NOTES, SOURCE, looked_up, opened, proposal_of, reopened, the_turn, written

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Accepted, Answer, Refused, SearchKind, Stage, TurnReview, Unchanged
from ferrule.errors import Code, StoreError
from ferrule.memory.desk import MemoryDesk
from ferrule.memory.door import DoorLimits, NLMemoryDoor
from ferrule.session.source import LaneClaim


@dataclass
class Room:
    """A door with what stands behind it."""

    store: SqliteStore
    door: NLMemoryDoor
    claim: LaneClaim


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A fresh door."""
    store, _, door, claim = opened(tmp_path / "home")
    yield Room(store, door, claim)
    store.close()


def codes(answer: Answer) -> list[Code]:
    """The codes of a refusal, empty for anything else."""
    return [refusal.code for refusal in answer.refusals] if isinstance(answer, Refused) else []


# -- the record


def test_every_call_is_recorded_by_the_door(room: Room) -> None:
    """R48: id, pass, tool, candidate, arguments, what came back: the trace that counts."""
    room.door.read_turn()
    room.door.search("Parser Notes", SearchKind.NAME, candidate="Parser Notes")
    room.door.enter(Stage.PROPERTIES)
    room.door.details("Document")
    record = room.door.record()
    assert [(call.id, call.tool, call.stage.value, call.ok) for call in record] == [
        ("c1", "read_turn", "identity", True),
        ("c2", "search", "identity", True),
        ("c3", "enter", "properties", True),
        ("c4", "details", "properties", True),
    ]
    assert record[1].candidate == "Parser Notes"
    assert ("query", "Parser Notes") in record[1].arguments


def test_a_search_returns_its_own_call_id(room: Room) -> None:
    """R35: a claim of "found nothing" can be checked against the record."""
    receipt = room.door.search("Unheard", SearchKind.NAME)
    assert (receipt.call, receipt.hits, receipt.complete) == ("c1", (), True)


def test_the_pass_of_properties_is_not_left_again(room: Room) -> None:
    """R31: identity comes before properties; going back is recorded as not ok."""
    room.door.enter(Stage.PROPERTIES)
    room.door.enter(Stage.IDENTITY)
    room.door.details("Document")
    assert [(call.tool, call.ok) for call in room.door.record()] == [
        ("enter", True),
        ("enter", False),
        ("details", True),
    ]
    assert room.door.record()[-1].stage is Stage.PROPERTIES


def test_a_source_without_plan_answers_empty(room: Room) -> None:
    """R93: readers are bound to the observed source; none of our formats has a plan yet."""
    assert (room.door.plan(), room.door.scratch(), room.door.tasks()) == ("", "", ())
    assert [call.tool for call in room.door.record()] == ["plan", "scratch", "tasks"]


# -- budgets


def test_the_same_call_is_answered_three_times(room: Room) -> None:
    """CASE-L07: after that a search is incomplete, which is not the same as empty."""
    receipts = [room.door.search("x", SearchKind.NAME) for _ in range(5)]
    assert [receipt.complete for receipt in receipts] == [True, True, True, False, False]
    assert [call.ok for call in room.door.record()] == [True, True, True, False, False]


def test_a_turn_has_twenty_four_calls(room: Room) -> None:
    """CASE-L07: A-B-A-B alternation ends too; what is over the budget answers nothing."""
    for n in range(24):
        assert room.door.search(f"thing {n}", SearchKind.NAME).complete
    assert not room.door.search("one more", SearchKind.NAME).complete
    assert not room.door.details("Document").known
    assert room.door.schema("Document") == ()
    assert room.door.list() == ()


def test_five_writes_are_taken_the_rest_is_budget(tmp_path: Path) -> None:
    """CASE-L17: stated, and never a part of one."""
    store, _, door, _ = opened(tmp_path / "home", limits=DoorLimits(writes=1))
    assert isinstance(written(door), Accepted)
    assert codes(written(door, "StyleGuide", "Style Guide", GUIDE)) == [Code.BUDGET]
    assert [write.prototype.name for write in door.staged()] == ["ParserNotes"]
    store.close()


def test_endless_repairs_end(tmp_path: Path) -> None:
    """CASE-L07: refused definitions and checks are bounded as well."""
    store, _, door, _ = opened(tmp_path / "home", limits=DoorLimits(verdicts=3))
    looked_up(door, "ParserNotes", "Parser Notes", NOTES)
    bad = replace(proposal_of(door, "ParserNotes", "Parser Notes", NOTES), definition="prototype { }")
    answers = [codes(door.check(bad)) for _ in range(4)]
    assert answers == [[Code.PARSE], [Code.PARSE], [Code.PARSE], [Code.BUDGET]]
    store.close()


# -- what is refused before any rule


def test_nothing_is_written_before_identity_is_settled(room: Room) -> None:
    """R31: a write in the identity pass is refused, however good it is."""
    answer = room.door.write(proposal_of(room.door, "ParserNotes", "Parser Notes", NOTES))
    assert codes(answer) == [Code.NOT_INSPECTED]
    assert room.door.staged() == ()


def test_a_proposal_for_another_session_is_refused(room: Room) -> None:
    """R93, CASE-F06, INV-I7: the target is fixed by the door, not by an argument."""
    looked_up(room.door, "ParserNotes", "Parser Notes", NOTES)
    other = replace(proposal_of(room.door, "ParserNotes", "Parser Notes", NOTES), source="desk:beta")
    assert codes(room.door.write(other)) == [Code.WRONG_SESSION]
    assert codes(room.door.check(other)) == [Code.WRONG_SESSION]
    assert room.door.staged() == ()


# -- check and write


def test_check_and_write_give_the_same_verdict(room: Room) -> None:
    """DEC-D5, OBS-M8: the same rules with the same values."""
    looked_up(room.door, "ParserNotes", "Parser Notes", NOTES)
    good = proposal_of(room.door, "ParserNotes", "Parser Notes", NOTES)
    bad = replace(good, claims=())
    assert isinstance(room.door.check(good), Accepted)
    assert codes(room.door.check(bad)) == codes(room.door.write(bad)) != []
    assert isinstance(room.door.write(good), Accepted)


def test_check_stages_nothing(room: Room) -> None:
    """R59: a check leaves no trace but its call."""
    looked_up(room.door, "ParserNotes", "Parser Notes", NOTES)
    room.door.check(proposal_of(room.door, "ParserNotes", "Parser Notes", NOTES))
    assert room.door.staged() == ()
    assert not room.door.details("ParserNotes").known


def test_the_name_of_an_accepted_write_is_its_first_value(room: Room) -> None:
    """R90: the marker counts accepted writes from the record."""
    answer = written(room.door)
    assert isinstance(answer, Accepted)
    call = next(call for call in room.door.record() if call.id == answer.call)
    assert (call.tool, call.ok, call.values) == ("write", True, ("ParserNotes",))


def test_a_refused_write_is_recorded_with_its_codes_and_kept_for_the_receipt(room: Room) -> None:
    """R59: hash, codes, length."""
    looked_up(room.door, "ParserNotes", "Parser Notes", NOTES)
    bad = replace(proposal_of(room.door, "ParserNotes", "Parser Notes", NOTES), definition="prototype { }")
    room.door.write(bad)
    (refused,) = room.door.refused()
    assert (refused.codes, refused.length) == (("PARSE",), len("prototype { }"))
    assert ("code", "PARSE") in room.door.record()[-1].arguments


def test_an_unsearched_thing_is_refused(room: Room) -> None:
    """R48, R49, CASE-L10: the record decides, not what the critic says."""
    room.door.enter(Stage.PROPERTIES)
    room.door.details("Document")
    room.door.schema("Document")
    answer = room.door.write(proposal_of(room.door, "ParserNotes", "Parser Notes", NOTES))
    assert set(codes(answer)) == {Code.NO_SEARCH_PROOF}


def test_a_failed_search_proves_nothing(room: Room) -> None:
    """R41, CASE-L14: incomplete, recorded as not ok, and no proof."""
    room.store.close()
    receipt = room.door.search("Parser Notes", SearchKind.NAME)
    assert (receipt.complete, receipt.hits) == (False, ())
    assert [call.ok for call in room.door.record()] == [False]


# -- staging


def test_later_calls_of_the_review_see_what_is_staged(room: Room) -> None:
    """R35: search, details and list answer with the staged form; the store has nothing yet."""
    written(room.door)
    by_name = room.door.search("Parser Notes", SearchKind.NAME)
    by_handle = room.door.search(NOTES, SearchKind.HANDLE)
    assert [hit.name for hit in by_name.hits][:1] == ["ParserNotes"]
    assert [(hit.name, hit.layer) for hit in by_handle.hits] == [("ParserNotes", "staged")]
    assert room.door.details("ParserNotes").known
    assert room.door.list() == ("ParserNotes",)
    assert room.store.layer(SOURCE.key).names() == ()


def test_a_second_thing_may_link_to_a_staged_one(room: Room) -> None:
    """DEC-D9: a reference is proved by its target being staged earlier in this review."""
    written(room.door)
    looked_up(room.door, "StyleGuide", "Style Guide", GUIDE)
    assert isinstance(room.door.write(proposal_of(room.door, "StyleGuide", "Style Guide", GUIDE)), Accepted)
    assert [write.prototype.name for write in room.door.staged()] == ["ParserNotes", "StyleGuide"]


def test_writing_the_same_again_changes_nothing(room: Room) -> None:
    """DEC-D1: unchanged, not counted, staged once."""
    written(room.door)
    again = room.door.write(replace(proposal_of(room.door, "ParserNotes", "Parser Notes", NOTES), target="ParserNotes"))
    assert isinstance(again, Unchanged)
    assert len(room.door.staged()) == 1


def test_a_valued_property_stays(room: Room) -> None:
    """R44, R58, INV-I3: also when it is only staged so far."""
    written(room.door)
    other = proposal_of(room.door, "ParserNotes", "Parser Notes", GUIDE)
    text = f'partial prototype ParserNotes\n{{\n\tDocumentPath = @"{GUIDE}";\n}}\n'
    room.door.details("ParserNotes")
    room.door.schema("ParserNotes")
    room.door.search(GUIDE, SearchKind.HANDLE)
    answer = room.door.write(replace(other, definition=text, target="ParserNotes", claims=other.claims[1:]))
    assert codes(answer) == [Code.ALREADY_VALUED]
    (staged,) = room.door.staged()
    assert staged.prototype.own("DocumentPath") is not None
    assert NOTES in staged.merged


# -- searching


def test_a_handle_finds_permanent_entities_too(room: Room) -> None:
    """R65: the whole ontology of the source, permanent layer included."""
    receipt = room.door.search("path:/srv/handbook/index.md", SearchKind.HANDLE)
    assert [(hit.name, hit.layer) for hit in receipt.hits] == [("HandBook", "permanent")]


def test_what_was_forgotten_is_found_as_forgotten(tmp_path: Path) -> None:
    """DEC-D14: a later turn finds it, told that a person rejected it, with its key to recognise it by."""
    store, desk, door, claim = opened(tmp_path / "home")
    written(door)
    desk.commit(door, empty_review(claim), claim)
    store.forget(SOURCE.key, ["ParserNotes"])
    _, later, second = reopened(store, the_turn(2))
    (hit,) = later.search(NOTES, SearchKind.HANDLE).hits
    assert (hit.name, hit.forgotten) == ("ParserNotes", True)
    assert [handle.key for handle in hit.handles] == ["path:git.example/owner/kestrel:docs/parser-notes.md"]
    assert Code.NOT_DURABLE in codes(written(later))
    store.unforget(SOURCE.key, "ParserNotes")
    _, lifted, _ = reopened_again(store, second)
    assert isinstance(written(lifted), Accepted)
    store.close()


def test_the_lineage_is_known_and_strangers_are_not(tmp_path: Path) -> None:
    """R87, INV-I7: a fork of the conversation finds what its origin learned; another conversation does not."""
    origin, fork, stranger = (
        replace(SOURCE, key=f"desk:{name}", lineage=lineage)
        for name, lineage in (("origin", "one"), ("fork", "one"), ("stranger", "two"))
    )
    store, _, _, _ = opened(tmp_path / "home")
    desk, door, claim = reopened(store, the_turn(1, origin.key), source=origin)
    written(door)
    desk.commit(door, empty_review(claim), claim)
    _, forked, _ = reopened(store, the_turn(1, fork.key), source=fork)
    _, strange, _ = reopened(store, the_turn(1, stranger.key), source=stranger)
    assert [(hit.name, hit.layer) for hit in forked.search(NOTES, SearchKind.HANDLE).hits] == [
        ("ParserNotes", "lineage")
    ]
    assert isinstance(written(forked), Unchanged)
    assert strange.search(NOTES, SearchKind.HANDLE).hits == ()
    assert isinstance(written(strange), Accepted)
    assert store.layer(fork.key).names() == ()
    store.close()


def test_an_inherited_schema_row_is_shown(room: Room) -> None:
    """R43: inherited and unassigned declarations included; nothing for an unknown name."""
    rows = {row.property: row.declared_by for row in room.door.schema("Document")}
    assert rows["DocumentPath"] == "Document"
    assert rows["EntityName"] == "SemanticEntityBase"
    assert room.door.schema("Nobody") == ()
    assert not room.door.record()[-1].ok


def test_the_store_failing_while_judging_is_an_error_not_a_verdict(room: Room) -> None:
    """R59: fail closed: no verdict is invented when the source cannot be read."""
    looked_up(room.door, "ParserNotes", "Parser Notes", NOTES)
    proposal = proposal_of(room.door, "ParserNotes", "Parser Notes", NOTES)
    room.store.close()
    with pytest.raises(StoreError):
        room.door.write(proposal)
    assert room.door.staged() == ()


def empty_review(claim: LaneClaim) -> TurnReview:
    """A review without candidates, as the companion hands it in."""
    return TurnReview(claim.source, claim.instruction.turn, claim.instruction.ordinal, "scripted-1", (), (), "done")


def reopened_again(store: SqliteStore, claim: LaneClaim) -> tuple[MemoryDesk, NLMemoryDoor, LaneClaim]:
    """The door of the turn that still waits, once its first claim has lapsed."""
    store.release(claim)
    return reopened(store, the_turn(2))

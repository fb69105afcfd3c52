"""What the door keeps of a long review, and how two writes of one thing become one."""

from pathlib import Path

from door_cases import GUIDE, NOTES, claim_of, looked_up, opened, proposal_of, written

from ferrule.bridge.values import Accepted, Proposal, Proves, Refused, SearchKind, Stage
from ferrule.memory.receipts import unmatched


def test_the_record_has_an_end_and_what_rests_on_it_stays(tmp_path: Path) -> None:
    """R48: stages and failed calls beyond the bound are not kept; a search that answered is."""
    store, _, door, _ = opened(tmp_path / "home")
    for _ in range(70):
        door.enter(Stage.IDENTITY)
        door.enter(Stage.PROPERTIES)
    kept = len(door.record())
    assert kept == 128
    door.enter(Stage.PROPERTIES)
    assert len(door.record()) == kept
    refused = door.check(proposal_of(door, "ParserNotes", "Parser Notes", GUIDE + "x"))
    assert isinstance(refused, Refused)
    assert [call.tool for call in door.record()][kept:] == ["read_turn"]
    door.search("Parser Notes", SearchKind.NAME, candidate="x")
    assert [call.tool for call in door.record()][kept:] == ["read_turn", "search"]
    store.close()


def test_two_writes_of_one_thing_are_one_write(tmp_path: Path) -> None:
    """INV-I1, R38: created and added to in one review: one memory, both definitions, claims and excerpts of both."""
    store, _, door, _ = opened(tmp_path / "home")
    assert isinstance(written(door), Accepted)
    (first,) = door.staged()
    looked_up(door, "ParserNotes", "Parser Notes", NOTES)
    door.details("ParserNotes", candidate="Parser Notes")
    door.schema("ParserNotes", candidate="Parser Notes")
    door.search("the Parser Notes", SearchKind.NAME, candidate="Parser Notes")
    text = 'partial prototype ParserNotes\n{\n\tAliases = @"the Parser Notes";\n}\n'
    claims = (claim_of(door, "Aliases", "the Parser Notes", proves=Proves.ALIAS),)
    answer = door.write(Proposal(door.read_turn().source, "Parser Notes", "ParserNotes", text, claims))
    assert isinstance(answer, Accepted), answer
    (both,) = door.staged()
    assert (both.action, both.prototype.name) == ("created", "ParserNotes")
    assert both.definition == f"{first.definition}\n{text}"
    assert both.claims == (*first.claims, *claims)
    assert both.excerpts[: len(first.excerpts)] == first.excerpts
    assert len(both.excerpts) > len(first.excerpts)
    store.close()


def test_nothing_given_and_nothing_written_match() -> None:
    """CASE-N09: and a write without any receipt is named."""
    assert unmatched((), ()) == ()
    assert unmatched((), [("Buoy", "prototype Buoy")]) == ("Buoy",)

"""A claimed instruction gets a door, and a finished review is one unit of work."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from door_cases import GUIDE, NOTES, SOURCE, looked_up, opened, proposal_of, reopened, the_turn, written

from ferrule.bridge.evidence import occurs
from ferrule.bridge.values import Call, Claim, Evidence, Modality, Proves, Role, SearchKind, Stage, TurnReview
from ferrule.errors import Code, StoreError, UsageError
from ferrule.session.source import InstructionState, LaneClaim

MARKER = "ONLINE_MEMORY_CRITIC_RESULT online-memory-critic:desk:alpha:t1"


def a_review(claim: LaneClaim) -> TurnReview:
    """A review as the companion hands it in, with a record of its own invention."""
    lie = Call("c1", Stage.IDENTITY, "search", "x", (("query", "x"),), ok=True)
    instruction = claim.instruction
    return TurnReview(
        claim.source, instruction.turn, instruction.ordinal, "scripted-1", (), (), "done", calls=(lie,), marker=MARKER
    )


def items(review: Mapping[str, Any], member: str) -> list[dict[str, Any]]:
    """A list of a review's JSON form."""
    return list(review[member])


def test_a_review_becomes_memory_at_commit_and_not_before(tmp_path: Path) -> None:
    """R55, INV-I1: staged writes are invisible until the commit, then visible everywhere at once."""
    store, desk, door, claim = opened(tmp_path / "home")
    written(door)
    assert store.definitions(SOURCE.key) == ()
    (receipt,) = desk.commit(door, a_review(claim), claim)
    assert (receipt.verdict, receipt.prototype, receipt.turn) == ("accepted", "ParserNotes", "t1")
    assert [name for name, _ in store.definitions(SOURCE.key)] == ["ParserNotes"]
    assert store.layer(SOURCE.key).holding("path:git.example/owner/kestrel:docs/parser-notes.md") == ("ParserNotes",)
    store.close()


def test_the_stored_review_has_the_public_form(tmp_path: Path) -> None:
    """R89, R95: turn, outcome, what was written with handles and modality, calls, usage."""
    store, desk, door, claim = opened(tmp_path / "home")
    written(door)
    desk.commit(door, a_review(claim), claim)
    review = store.review(SOURCE.key, "t1")
    assert review is not None
    assert (review["turn"], review["outcome"]) == ({"key": "t1", "ordinal": 1}, "wrote")
    (wrote,) = items(review, "written")
    assert (wrote["prototype"], wrote["action"], wrote["bases"], wrote["modality"]) == (
        "ParserNotes",
        "created",
        ["Document"],
        "created",
    )
    assert wrote["properties"] == {"EntityName": "Parser Notes", "DocumentPath": NOTES}
    assert wrote["handles"] == [{"kind": "filesystem-path", "value": NOTES, "property": "DocumentPath"}]
    store.close()


def test_the_record_is_the_doors_whatever_the_review_says(tmp_path: Path) -> None:
    """R48: a critic's own account of its calls is dropped."""
    store, desk, door, claim = opened(tmp_path / "home")
    door.read_turn()
    desk.commit(door, a_review(claim), claim)
    review = store.review(SOURCE.key, "t1")
    assert review is not None
    assert [call["tool"] for call in review["calls"]] == ["read_turn"]  # type: ignore[attr-defined]
    store.close()


def test_an_augmentation_reports_only_what_it_added(tmp_path: Path) -> None:
    """R38: what was valued before is not this turn's doing."""
    store, desk, door, claim = opened(tmp_path / "home")
    written(door)
    desk.commit(door, a_review(claim), claim)
    later = replace(the_turn(2), user=f"The Parser Notes in {NOTES} are also called Grammar Page.")
    desk, door, claim = reopened(store, later)
    looked_up(door, "ParserNotes", "Parser Notes", NOTES)
    door.details("ParserNotes")
    door.schema("ParserNotes")
    door.search("Grammar Page", SearchKind.ALIAS)
    cited = tuple(Evidence(span, Proves.ALIAS) for span in occurs(door.read_turn(), "Grammar Page", [Role.INTENT]))
    text = 'partial prototype ParserNotes\n{\n\tAliases = @"Grammar Page";\n}\n'
    proposal = replace(
        proposal_of(door, "ParserNotes", "Parser Notes", NOTES),
        target="ParserNotes",
        definition=text,
        claims=(Claim("Aliases", "Grammar Page", cited, Modality.EXISTING),),
    )
    answer = door.write(proposal)
    desk.commit(door, a_review(claim), claim)
    review = store.review(SOURCE.key, "t2")
    assert review is not None, answer
    (wrote,) = items(review, "written")
    assert (wrote["action"], wrote["properties"], wrote["handles"]) == ("augmented", {"Aliases": "Grammar Page"}, [])
    assert store.layer(SOURCE.key).called("grammar page") == ("ParserNotes",)
    store.close()


def test_a_refused_secret_is_nowhere_in_the_home(tmp_path: Path) -> None:
    """R28, INV-I6: neither receipt nor review nor any file holds the text of a definition refused for a secret."""
    store, desk, door, claim = opened(tmp_path / "home")
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    looked_up(door, "ParserNotes", "Parser Notes", NOTES)
    good = proposal_of(door, "ParserNotes", "Parser Notes", NOTES)
    text = good.definition.replace("}\n", f'\tNotes = @"{secret}";\n}}\n')
    answer = door.write(replace(good, definition=text))
    desk.commit(door, a_review(claim), claim)
    store.close()
    assert "SECRET_VALUE" in str(answer)
    found = [
        path.name for path in (tmp_path / "home").rglob("*") if path.is_file() and secret.encode() in path.read_bytes()
    ]
    assert found == []


def test_a_refused_definition_is_told_with_its_reasons(tmp_path: Path) -> None:
    """R59, R89: `explain` can say why not; the receipt has code, hash and length."""
    store, desk, door, claim = opened(tmp_path / "home")
    looked_up(door, "ParserNotes", "Parser Notes", NOTES)
    bad = replace(proposal_of(door, "ParserNotes", "Parser Notes", NOTES), definition="prototype X : Nowhere\n{\n}\n")
    door.write(bad)
    (receipt,) = desk.commit(door, a_review(claim), claim)
    review = store.review(SOURCE.key, "t1")
    assert review is not None
    (refused,) = items(review, "refused")
    assert refused["candidate"] == "Parser Notes"
    assert {"code", "rule", "message", "remedy"} <= set(refused["refusals"][0])
    assert (receipt.verdict, receipt.payload_length) == ("refused", len(bad.definition))
    assert review["outcome"] == "nothing"
    store.close()


def test_handing_in_twice_is_one_review(tmp_path: Path) -> None:
    """INV-I4: the second hand-in gives the first receipts."""
    store, desk, door, claim = opened(tmp_path / "home")
    written(door)
    first = desk.commit(door, a_review(claim), claim)
    assert desk.commit(door, a_review(claim), claim) == first
    store.close()


def test_a_door_cannot_be_handed_in_for_another_turn(tmp_path: Path) -> None:
    """INV-I7: a claim, a door and a review belong together."""
    store, desk, door, claim = opened(tmp_path / "home")
    other = replace(claim, instruction=replace(claim.instruction, turn="t9"))
    with pytest.raises(UsageError) as caught:
        desk.commit(door, a_review(claim), other)
    assert caught.value.code is Code.WRONG_SESSION
    store.close()


def test_a_turn_past_its_retention_cannot_be_opened(tmp_path: Path) -> None:
    """R76, DEC-D13: said with the code, not guessed around."""
    store, desk, _, claim = opened(tmp_path / "home")
    gone = replace(claim, instruction=replace(claim.instruction, turn="t9"))
    with pytest.raises(UsageError) as caught:
        desk.open(gone)
    assert caught.value.code is Code.TURN_NOT_COMPLETED
    store.close()


def test_a_stale_claim_commits_nothing(tmp_path: Path) -> None:
    """INV-I1: nothing of a fenced-out review is kept, its instruction stays with the other worker."""
    store, desk, door, claim = opened(tmp_path / "home")
    written(door, "StyleGuide", "Style Guide", GUIDE)
    with pytest.raises(StoreError) as caught:
        desk.commit(door, a_review(claim), replace(claim, epoch=claim.epoch - 1))
    assert caught.value.code is Code.STALE_REVISION
    assert store.definitions(SOURCE.key) == ()
    standing = store.instruction(SOURCE.key, "t1")
    assert standing is not None
    assert standing.state is InstructionState.CLAIMED
    store.close()

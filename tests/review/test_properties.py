"""Pass 2: one sparse, handle-complete definition per entity, with evidence for every value."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from critic_cases import bash, edit, said_view
from fake_door import FakeDoor, property_of

from ferrule.bridge.values import (
    Claim,
    Decision,
    Details,
    Disposition,
    HandleView,
    Hit,
    Modality,
    Proposal,
    Refusal,
    Refused,
    Stage,
    TurnView,
)
from ferrule.errors import Code
from ferrule.referents.kinds import HandleKind
from ferrule.review.budget import CallBudget
from ferrule.review.embedded.facts import prospect_of
from ferrule.review.embedded.judging import judge, scene
from ferrule.review.embedded.ranker import shipped_weights
from ferrule.review.gate import complaint
from ferrule.review.identity import settle
from ferrule.review.port import Limits
from ferrule.review.properties import write_all

GAUGE = "/srv/quay/src/tide/gauge.py"
BASE = [("EntityName", "String"), ("Aliases", "String"), ("LifecycleState", "String")]
SCHEMA = {
    "SourceFile": [*BASE, ("FilePath", "String")],
    "Issue": [*BASE, ("IssueNumber", "String"), ("IssueUrl", "String")],
    "GaugePy": [*BASE, ("FilePath", "String")],
}


def a_view() -> TurnView:
    """One file edited and named."""
    return said_view("fix src/tide/gauge.py", "Fixed `src/tide/gauge.py`.", edit(GAUGE))


def written(door: FakeDoor, *, count: int = 1, repairs: int = 3) -> tuple[Decision, ...]:
    """Both passes over the worthiest things of the door's turn."""
    found = scene(door.view)
    prospects = [prospect_of(found, item) for item in judge(found, shipped_weights())[:count]]
    budget = CallBudget(door, Limits())
    return write_all(settle(prospects, budget, writes=5), door, budget, ordinal=7, repairs=repairs)


def refused(code: Code, *names: str) -> Refused:
    """A refusal of these properties."""
    return Refused(tuple(Refusal(code, 9, "no", "drop it", property=name) for name in names or ("",)))


def test_a_new_file_carries_its_name_and_handle_and_nothing_else() -> None:
    """R24, R39, R46, R51: sparse, handle-complete, one raw prototype."""
    door = FakeDoor(a_view(), schema=SCHEMA)
    (decision,) = written(door)
    assert decision.disposition is Disposition.NEW_CREATE
    (proposal,) = door.written
    assert proposal.definition == (
        f'prototype GaugePy : SourceFile\n{{\n\tEntityName = @"gauge.py";\n\tFilePath = @"{GAUGE}";\n}}\n'
    )
    assert proposal.target is None
    assert all(claim.evidence and claim.modality is Modality.CHANGED for claim in proposal.claims)


def test_base_and_schema_are_inspected_before_the_write() -> None:
    """R31, R42, R43: details, schema, then write, all in the properties pass."""
    door = FakeDoor(a_view(), schema=SCHEMA)
    written(door)
    late = [call.tool for call in door.calls if call.stage is Stage.PROPERTIES]
    assert late == ["details", "schema", "write"]


def test_where_the_schema_has_no_place_a_typed_field_is_declared() -> None:
    """R46, R86: a base without handle properties, or none at all."""
    door = FakeDoor(a_view(), schema={})
    written(door)
    assert f'\tString FilePath = @"{GAUGE}";\n' in door.written[0].definition
    assert door.written[0].definition.startswith("prototype GaugePy : SemanticEntityBase\n")


def test_every_evidenced_handle_of_an_issue_is_there() -> None:
    """R46: its address and its number as spoken."""
    url = "https://git.example/harbor/quay/issues/31"
    view = said_view(f"Investigate {url}", "The cause of issue #31 is the cache.", bash("gh issue view 31", "title: x"))
    door = FakeDoor(view, schema=SCHEMA)
    written(door)
    assert f'IssueUrl = @"{url}"' in door.written[0].definition
    assert 'IssueNumber = @"#31"' in door.written[0].definition


def test_an_augmentation_adds_only_what_is_new() -> None:
    """R38, R45: the old state stays, the new one is declared for this turn."""
    handle = HandleView(HandleKind.FILESYSTEM_PATH, GAUGE, "FilePath")
    known = Details(
        "c0",
        "GaugePy",
        known=True,
        bases=("SourceFile",),
        properties=(
            property_of("EntityName", "gauge.py"),
            property_of("FilePath", GAUGE),
            property_of("LifecycleState", "planned"),
        ),
        handles=(handle,),
    )
    hit = Hit("GaugePy", ("SourceFile",), "session", "gauge.py", (handle,), "carries it")
    door = FakeDoor(a_view(), schema=SCHEMA, hits={GAUGE: [hit]}, known={"GaugePy": known})
    (decision,) = written(door)
    assert decision.disposition is Disposition.EXISTING_AUGMENT
    (proposal,) = door.written
    assert proposal.target == "GaugePy"
    assert proposal.definition == ('partial prototype GaugePy\n{\n\tString LifecycleStateAtTurn7 = @"changed";\n}\n')


def test_a_refused_property_is_dropped_and_the_rest_written() -> None:
    """R46, R59: the alias goes, the memory stays."""
    view = said_view(
        "fix the tide gauge", "Fixed the tide gauge in `src/TideGauge.py`.", edit("/srv/quay/src/TideGauge.py")
    )
    door = FakeDoor(view, schema=SCHEMA, refusals=[refused(Code.NO_EVIDENCE, "Aliases")])
    (decision,) = written(door)
    assert decision.disposition is Disposition.NEW_CREATE
    assert "Aliases" not in door.written[0].definition


def test_a_modality_that_is_too_strong_is_lowered() -> None:
    """R47, DEC-D10: a write claims no more than the source finds proved."""
    door = FakeDoor(a_view(), schema=SCHEMA, refusals=[refused(Code.MODALITY, "FilePath")])
    written(door)
    assert {claim.modality for claim in door.written[0].claims} == {Modality.EXISTING}


@pytest.mark.parametrize("code", [Code.SECRET_VALUE, Code.NO_HANDLE, Code.ALREADY_EXISTS, Code.NOT_INSPECTED])
def test_what_cannot_be_repaired_ends_as_deferred(code: Code) -> None:
    """R41, R59: fail closed."""
    door = FakeDoor(a_view(), schema=SCHEMA, refusals=[refused(code, "FilePath")])
    (decision,) = written(door)
    assert decision.disposition is Disposition.DEFERRED_UNCERTAIN
    assert code.value in decision.reason
    assert door.written == []


def test_repairs_are_bounded() -> None:
    """CASE-L07: at most so many attempts, then it is over."""
    door = FakeDoor(a_view(), schema=SCHEMA, refusals=[refused(Code.MODALITY, "FilePath")] * 9)
    (decision,) = written(door, repairs=2)
    assert decision.disposition is Disposition.DEFERRED_UNCERTAIN
    assert len([call for call in door.calls if call.tool == "write"]) == 3


def proposals() -> Sequence[tuple[str, Proposal]]:
    """Proposals that the gate sends back by itself."""
    view = a_view()
    door = FakeDoor(view, schema=SCHEMA)
    written(door)
    good = door.written[0]
    bare = tuple(replace(claim, evidence=()) for claim in good.claims)
    long = (Claim("FilePath", "x" * 2_001, good.claims[0].evidence, Modality.EXISTING),)
    return [
        ("TOO_LARGE", replace(good, definition="x" * 20_000)),
        ("NO_EVIDENCE", replace(good, claims=bare)),
        ("TOO_LARGE", replace(good, claims=long)),
        ("NO_HANDLE", replace(good, claims=good.claims[:1])),
    ]


@pytest.mark.parametrize(("code", "proposal"), proposals())
def test_the_gate_sees_what_is_plainly_wrong(code: str, proposal: Proposal) -> None:
    """R24, R29, R48: size, missing evidence, missing handle."""
    found = complaint(proposal)
    assert found is not None
    assert found.code.value == code


def test_the_gate_lets_a_good_proposal_pass() -> None:
    """R54: it decides nothing, the source does."""
    door = FakeDoor(a_view(), schema=SCHEMA)
    written(door)
    assert complaint(door.written[0]) is None

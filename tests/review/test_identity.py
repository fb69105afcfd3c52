"""Pass 1: what a search's answer means, with a door that answers what the test wants."""

from dataclasses import replace

import pytest
from critic_cases import edit, said_view
from fake_door import FakeDoor, property_of

from ferrule.bridge.values import (
    Confidence,
    Details,
    Disposition,
    HandleView,
    Hit,
    Modality,
    SearchKind,
    TurnView,
)
from ferrule.referents.kinds import HandleKind
from ferrule.review.budget import CallBudget
from ferrule.review.embedded.facts import prospect_of
from ferrule.review.embedded.judging import judge, scene
from ferrule.review.embedded.ranker import shipped_weights
from ferrule.review.identity import Settled, settle
from ferrule.review.port import Limits
from ferrule.review.prospect import Prospect, demoted, folded

GAUGE = "/srv/quay/src/tide/gauge.py"


def a_view() -> TurnView:
    """One file edited and named."""
    return said_view("fix src/tide/gauge.py", "Fixed `src/tide/gauge.py`.", edit(GAUGE))


def a_prospect(view: TurnView) -> Prospect:
    """The first thing of that turn."""
    found = scene(view)
    return prospect_of(found, judge(found, shipped_weights())[0])


def settled(door: FakeDoor, *prospects: Prospect, calls: int = 24, writes: int = 5) -> tuple[Settled, ...]:
    """Pass 1 over these prospects."""
    return settle(prospects, CallBudget(door, Limits(calls=calls)), writes=writes)


def a_hit(name: str = "GaugePy", *, key: str = "", entity: str = "gauge.py", path: str = GAUGE) -> Hit:
    """A memory that a search returns."""
    view = HandleView(HandleKind.FILESYSTEM_PATH, path, "FilePath", key)
    return Hit(name, ("SourceFile",), "session", entity, (view,), "is called so")


def a_detail(name: str = "GaugePy", *, state: str = "", path: str = GAUGE) -> Details:
    """Its current values."""
    properties = [property_of("EntityName", "gauge.py"), property_of("FilePath", path)]
    if state:
        properties.append(property_of("LifecycleState", state))
    handles = (HandleView(HandleKind.FILESYSTEM_PATH, path, "FilePath"),)
    return Details("c0", name, known=True, bases=("SourceFile",), properties=tuple(properties), handles=handles)


def test_nothing_found_means_new_and_all_searches_are_named() -> None:
    """R35, R36, R39, R48: by name and by handle, each with its call id."""
    door = FakeDoor(a_view())
    (result,) = settled(door, a_prospect(door.view))
    assert result.decision.disposition is Disposition.NEW_CREATE
    assert result.name == "GaugePy"
    kinds = [dict(call.arguments)["kind"] for call in door.calls]
    assert {"name", "handle"} <= set(kinds)
    assert result.decision.searches == tuple(call.id for call in door.calls)


def test_a_failed_search_defers() -> None:
    """R41: failed is not empty (CASE-L14)."""
    door = FakeDoor(a_view(), broken_search=True)
    (result,) = settled(door, a_prospect(door.view))
    assert result.decision.disposition is Disposition.DEFERRED_UNCERTAIN
    assert result.prospect.candidate.confidence is Confidence.LOW


@pytest.mark.parametrize("calls", [0, 1, 3])
def test_too_few_calls_defer_instead_of_guessing(calls: int) -> None:
    """R49: it cannot say "not found" without having looked."""
    door = FakeDoor(a_view())
    (result,) = settled(door, a_prospect(door.view), calls=calls)
    assert result.decision.disposition is Disposition.DEFERRED_UNCERTAIN
    assert len(door.calls) <= calls


def test_a_known_handle_with_nothing_new_is_sufficient() -> None:
    """R37, R65, R66: same handle, same values."""
    door = FakeDoor(a_view(), hits={GAUGE: [a_hit()]}, known={"GaugePy": a_detail()})
    (result,) = settled(door, a_prospect(door.view))
    assert (result.decision.disposition, result.decision.target) == (Disposition.EXISTING_SUFFICIENT, "GaugePy")


def test_a_known_handle_in_another_state_is_augmented() -> None:
    """R38, R45: planned before, changed now."""
    door = FakeDoor(a_view(), hits={GAUGE: [a_hit()]}, known={"GaugePy": a_detail(state="planned")})
    (result,) = settled(door, a_prospect(door.view))
    assert (result.decision.disposition, result.name) == (Disposition.EXISTING_AUGMENT, "GaugePy")


def test_a_later_plan_never_undoes_what_was_created() -> None:
    """R47: a planned or reported turn adds no state to a thing that has a stronger one."""
    door = FakeDoor(a_view(), hits={GAUGE: [a_hit()]}, known={"GaugePy": a_detail(state="created")})
    prospect = a_prospect(door.view)
    weaker = replace(prospect, candidate=replace(prospect.candidate, modality=Modality.PLANNED))
    (result,) = settled(door, weaker)
    assert result.decision.disposition is Disposition.EXISTING_SUFFICIENT


def test_what_a_person_forgot_stays_forgotten() -> None:
    """DEC-D14: a tombstone answers as rejected by the user."""
    stone = Hit("GaugePy", (), "forgotten", "", (), "a person has told Ferrule to forget it", forgotten=True)
    door = FakeDoor(a_view(), hits={GAUGE: [stone]})
    (result,) = settled(door, a_prospect(door.view))
    assert result.decision.disposition is Disposition.EXISTING_SUFFICIENT
    assert "rejected by the user" in result.decision.reason


def test_another_thing_of_that_name_gets_a_longer_name_that_is_searched_too() -> None:
    """R34, R35: same name, another handle of the same kind."""
    other = a_hit(path="/srv/quay/src/wind/gauge.py")
    door = FakeDoor(a_view(), hits={"gauge.py": [other]})
    (result,) = settled(door, a_prospect(door.view))
    assert result.decision.disposition is Disposition.NEW_CREATE
    assert result.name == "TideGaugePy"
    assert result.prospect.name.value == "tide/gauge.py"
    assert any(dict(call.arguments)["query"] == "tide/gauge.py" for call in door.calls)


def test_two_memories_that_carry_its_handles_are_a_contradiction() -> None:
    """R36, R41: which one it is cannot be told."""
    door = FakeDoor(a_view(), hits={GAUGE: [a_hit("One"), a_hit("Two")]})
    (result,) = settled(door, a_prospect(door.view))
    assert result.decision.disposition is Disposition.DEFERRED_UNCERTAIN


def test_a_single_word_alone_does_not_settle_identity() -> None:
    """R34: identity by a bare name is medium, and only high is written."""
    named = Hit("Gauge", ("SourceFile",), "session", "gauge", (), "is called so")
    door = FakeDoor(a_view(), hits={"gauge": [named]})
    prospect = a_prospect(door.view)
    bare = replace(prospect, name=replace(prospect.name, value="gauge"))
    forms = (replace(prospect.forms[0], identifier="Gauge", text="gauge"),)
    (result,) = settled(door, replace(bare, forms=forms))
    assert result.decision.disposition is Disposition.DEFERRED_UNCERTAIN
    assert result.prospect.candidate.confidence is Confidence.MEDIUM


def test_at_most_so_many_are_written_and_the_rest_is_deferred() -> None:
    """R71: the write budget."""
    door = FakeDoor(a_view())
    (result,) = settled(door, a_prospect(door.view), writes=0)
    assert result.decision.disposition is Disposition.DEFERRED_UNCERTAIN


def test_a_reference_is_searched_once_and_never_written() -> None:
    """R35, R40."""
    door = FakeDoor(a_view())
    (result,) = settled(door, demoted(a_prospect(door.view), "only read"))
    assert result.decision.disposition is Disposition.REFERENCE_ONLY
    assert [dict(call.arguments)["kind"] for call in door.calls] == [SearchKind.HANDLE.value]


@pytest.mark.parametrize(
    ("one", "other"), [("Web shop module", "WebShopModule"), ("release.yml", "ReleaseYml"), ("PR #7", "pr7")]
)
def test_names_are_compared_by_letters_and_digits(one: str, other: str) -> None:
    """R33: spelling does not make a second thing."""
    assert folded(one) == folded(other)

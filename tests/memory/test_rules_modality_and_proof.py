"""Rules 10 and 11: nothing above its evidence, nothing without having looked."""

from dataclasses import replace

import pytest
from rule_cases import FILE, Critic, a_turn, code, refusals

from ferrule.bridge.values import (
    Call,
    Modality,
    SearchKind,
    Stage,
)
from ferrule.session.turn import ToolCall

GAUGE = f'prototype TideGauge : SourceFile {{ EntityName = @"Tide gauge"; FilePath = @"{FILE}"; }}'


def told(user: str, outcome: str, call: ToolCall | None = None) -> Critic:
    """A critic of one short turn."""
    calls = (call,) if call else (ToolCall("c9", "Think", {"topic": "tides"}, "nothing", ok=True),)
    return Critic(view=a_turn(user, outcome, calls=calls))


WISH = f"We need a new module, create it as {FILE} please."
WROTE = ToolCall("c1", "Edit", {"file_path": FILE}, f"Updated {FILE}", ok=True)
FAILED = ToolCall("c1", "Edit", {"file_path": FILE}, "error: read-only", ok=False)
MISSING = ToolCall("c1", "Edit", {"file_path": FILE}, None, ok=None)
CLAIMED = f"I have created {FILE}."

LADDER = {
    "a wish is planned": (WISH, "I will do it tomorrow.", None, Modality.PLANNED, "accepted"),
    "a wish is not existing": (WISH, "I will do it tomorrow.", None, Modality.EXISTING, "MODALITY"),
    "a wish is not created": (WISH, "I will do it tomorrow.", None, Modality.CREATED, "MODALITY"),
    "a claim is reported": (WISH, CLAIMED, None, Modality.REPORTED, "accepted"),
    "a claim is not created": (WISH, CLAIMED, None, Modality.CREATED, "MODALITY"),
    "a failed call leaves a claim": (WISH, CLAIMED, FAILED, Modality.CREATED, "MODALITY"),
    "a missing result leaves a claim": (WISH, CLAIMED, MISSING, Modality.CREATED, "MODALITY"),
    "planned beside a failed call": (WISH, CLAIMED, FAILED, Modality.PLANNED, "accepted"),
    "a result shows the change": (WISH, CLAIMED, WROTE, Modality.CHANGED, "accepted"),
    "but not a deletion": (WISH, CLAIMED, WROTE, Modality.DELETED, "MODALITY"),
    "the user names it as present": (f"The gauge is in {FILE}.", "Fine.", None, Modality.EXISTING, "accepted"),
}


@pytest.mark.parametrize(("user", "outcome", "call", "modality", "expected"), LADDER.values(), ids=LADDER)
def test_a_claim_is_not_above_its_evidence(  # noqa: PLR0917 - columns of a table
    user: str, outcome: str, call: ToolCall | None, modality: Modality, expected: str
) -> None:
    """R20, R21, R22, R23, R47, DEC-D10, CASE-A10: planned < reported < what a result shows."""
    critic = told(user, outcome, call)
    critic.modality = modality
    assert code(critic.judge(f'prototype TideGauge : SourceFile {{ FilePath = @"{FILE}"; }}')) == expected


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ('LifecycleState = @"planned";', "accepted"),
        ('LifecycleState = @"created";', "MODALITY"),
        ('LifecycleState = @"existing";', "MODALITY"),
        ('String Status = @"Created";', "MODALITY"),
        ('String DeploymentState = @"live";', "MODALITY"),
        ('Description = @"The module exists and is finished";', "MODALITY"),
        ('Notes = @"The module was created";', "MODALITY"),
        ('Notes = @"A module that is to be created";', "accepted"),
        ('Notes = @"The module has not been built, please";', "accepted"),
        ('Description = @"The new module";', "accepted"),
    ],
)
def test_a_plan_does_not_speak_of_itself_as_done(extra: str, expected: str) -> None:
    """R47, CASE-A09: neither in a state property, whatever it is called, nor in free text."""
    critic = told(WISH, "I will do it tomorrow.")
    critic.modality = Modality.PLANNED
    verdict = critic.judge(f'prototype TideGauge : SourceFile {{ FilePath = @"{FILE}"; {extra} }}')
    assert code(verdict) == expected, refusals(verdict)


def test_what_was_planned_may_become_created_beside_the_plan() -> None:
    """R45, R47, CASE-G05: the next turn's result carries a later state."""
    planned = told(WISH, "I will do it tomorrow.")
    planned.modality = Modality.PLANNED
    planned.write(f'prototype TideGauge : SourceFile {{ FilePath = @"{FILE}"; LifecycleState = @"planned"; }}')
    done = Critic(session=planned.session, modality=Modality.CHANGED)
    written = done.write('partial prototype TideGauge { LifecycleStateAtTurn4 = @"changed"; }', "TideGauge").write
    assert written.modality is Modality.CHANGED
    assert 'LifecycleState = @"planned";' in written.merged


def without(critic: Critic, text: str, target: str | None, *tools: str) -> str:
    """The verdict when the record lacks calls of these tools."""
    critic.record = tuple(call for call in critic.searched(text, target) if call.tool not in tools)
    return code(critic.judge(text, target))


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        ((), "accepted"),
        (("search",), "NO_SEARCH_PROOF"),
        (("details",), "NOT_INSPECTED"),
        (("schema",), "NOT_INSPECTED"),
        (("search", "details", "schema"), "NO_SEARCH_PROOF"),
    ],
)
def test_a_critic_has_searched_and_inspected_before_it_writes(missing: tuple[str, ...], expected: str) -> None:
    """R35, R42, R43, R48, R49, CASE-L10: by the door's record, for a new thing and for a known one."""
    critic = Critic()
    assert without(critic, GAUGE, None, *missing) == expected
    known = Critic()
    known.write(GAUGE)
    text = 'partial prototype TideGauge { Aliases = @"water clock"; String HomeUrl = @"https://docs.example/tide"; }'
    assert without(known, text, "TideGauge", *missing) == expected


def test_a_failed_search_is_not_an_empty_one() -> None:
    """R49, CASE-L14: the call is in the record, but it failed."""
    critic = Critic()
    critic.record = tuple(replace(call, ok=call.tool != "search") for call in critic.searched(GAUGE))
    assert code(critic.judge(GAUGE)) == "NO_SEARCH_PROOF"


FULL = GAUGE.replace("FilePath", 'Aliases = @"water clock"; FilePath')


@pytest.mark.parametrize(
    ("left_out", "said"),
    [(("TideGauge", "Tide gauge"), "its name"), (("water clock",), "a name or alias"), ((FILE,), "a handle")],
)
def test_name_aliases_and_handles_are_each_searched(left_out: tuple[str, ...], said: str) -> None:
    """R35: the refusal says which search is missing; one search of the name in either spelling is enough."""
    critic = Critic()
    critic.record = tuple(call for call in critic.searched(FULL) if dict(call.arguments).get("query") not in left_out)
    verdict = critic.judge(FULL)
    assert code(verdict) == "NO_SEARCH_PROOF"
    assert said in refusals(verdict)[0].message
    critic.record = tuple(call for call in critic.searched(FULL) if dict(call.arguments).get("query") != "TideGauge")
    assert code(critic.judge(FULL)) == "accepted"


def test_a_name_that_is_added_later_is_searched_too() -> None:
    """R35: an augmentation that gives a name has looked whether something else has it."""
    critic = Critic()
    critic.write(f'prototype Gauge : SourceFile {{ FilePath = @"{FILE}"; }}')
    text = 'partial prototype Gauge { EntityName = @"Tide gauge"; }'
    assert code(critic.judge(text, "Gauge")) == "accepted"
    critic.record = tuple(call for call in critic.searched(text, "Gauge") if call.tool != "search")
    assert code(critic.judge(text, "Gauge")) == "NO_SEARCH_PROOF"


def test_a_handle_is_searched_as_a_handle_by_value_or_by_key() -> None:
    """R35: a search by name for a path is no proof; one by identity key is."""
    critic = Critic()
    key = next(mention.key for mention in critic.view.mentions if mention.value == FILE)

    def judged(arguments: tuple[tuple[str, str], ...]) -> str:
        search = Call("h", Stage.IDENTITY, "search", "c", arguments, ok=True)
        rest = [call for call in critic.searched(GAUGE) if dict(call.arguments).get("query") != FILE]
        critic.record = (*rest, search)
        return code(critic.judge(GAUGE))

    assert judged((("query", FILE), ("kind", SearchKind.NAME.value))) == "NO_SEARCH_PROOF"
    assert judged((("query", key), ("kind", SearchKind.HANDLE.value))) == "accepted"
    assert judged((("query", "tide/gauge.py"), ("kind", SearchKind.HANDLE.value), ("key", key))) == "accepted"


def test_a_search_is_stale_only_when_its_key_was_touched_later() -> None:
    """R48, CASE-M01: another write does not spoil the proof, one that touched the key does, a new search mends it."""
    key = next(mention.key for mention in a_turn().mentions if mention.value == FILE)

    def touched(revision: int, marks: tuple[str, ...]) -> bool:
        return revision < 7 and key in marks

    critic = Critic(extra={"touched_after": touched})
    verdict = critic.judge(GAUGE)
    assert code(verdict) == "STALE_REVISION"
    assert refusals(verdict)[0].property == "FilePath"
    again = Call("n", Stage.IDENTITY, "search", "c", (("query", FILE), ("kind", "handle")), ok=True, revision=7)
    critic.record = (*critic.searched(GAUGE), again)
    assert code(critic.judge(GAUGE)) == "accepted"


def test_each_base_of_a_new_thing_is_inspected() -> None:
    """R43: the schema that it will have is the one that was looked at."""
    critic = Critic()
    text = f'prototype TideGauge : SourceFile, ConfigFile {{ FilePath = @"{FILE}"; }}'
    critic.record = tuple(call for call in critic.searched(text) if ("name", "ConfigFile") not in call.arguments)
    verdict = critic.judge(text)
    assert code(verdict) == "NOT_INSPECTED"
    assert "ConfigFile" in refusals(verdict)[0].message


def test_a_critic_without_a_turn_has_no_evidence() -> None:
    """DEC-D9: no turn, no claim, no write."""
    critic = Critic(extra={"turn": None})
    assert code(critic.judge(GAUGE)) == "NO_EVIDENCE"

"""Whatever is wrong with a definition is told in one answer; following all of its remedies at once is enough."""

from collections.abc import Sequence

import pytest
from faulty_drafts import FAULTS, PATH, STANDING, Draft, Fault, a_critic, an_addition, overwriting, properties, shipped
from hypothesis import given
from hypothesis import strategies as st
from rule_cases import Person, refusals

from ferrule.bridge.values import Refusal
from ferrule.memory.submission import Unaltered, Written

Told = list[tuple[int, str, str]]


def told(found: Sequence[Refusal]) -> Told:
    """Rule, code and property of each."""
    return [(refusal.rule, refusal.code.value, refusal.property) for refusal in found]


def apart(faults: Sequence[Fault]) -> list[Fault]:
    """Those that spoil different parts: of two that spoil one part, the first."""
    kept: list[Fault] = []
    spoiled: set[str] = set()
    for fault in faults:
        if spoiled.isdisjoint(fault.spoils):
            kept.append(fault)
            spoiled.update(fault.spoils)
    return kept


def expected(faults: Sequence[Fault], draft: Draft) -> Told:
    """What must be told of them, in the canonical order as far as rules go."""
    rows = [row for fault in faults for row in fault.told]
    if any(fault.id == "claimed too high" for fault in faults):
        rows += [(10, "MODALITY", name) for name in properties(draft)]
    hidden = {rule for fault in faults for rule in fault.hides}
    return sorted(row for row in rows if row[0] not in hidden)


def shown(found: Sequence[Refusal], faults: Sequence[Fault], draft: Draft) -> None:
    """Nothing is missing, nothing is told besides, each has its place and they stand in order."""
    rows = told(found)
    wanted = expected(faults, draft)
    if any(fault.id == "claimed too high" for fault in faults):
        wanted = [row for row in wanted if row in rows or row[0] != 10]
        assert any(row[0] == 10 for row in rows) or any(10 in fault.hides for fault in faults)
    assert sorted(rows) == wanted, draft.text
    assert [(one.rule, one.offset) for one in found] == sorted((one.rule, one.offset) for one in found)
    for one in found:
        assert draft.text[: one.offset].count("\n") + 1 == one.line
        assert one.column == one.offset - draft.text.rfind("\n", 0, one.offset)


def mended(faults: Sequence[Fault], found: Sequence[Refusal], draft: Draft) -> None:
    """Follow every remedy that was given."""
    for fault in faults:
        own = [one for one in found if (one.rule, one.code.value, one.property) in fault.told]
        own = own or [one for one in found if one.code.value == "MODALITY" and not fault.told]
        for refusal in own[:1]:
            assert fault.remedy in refusal.remedy, refusal
            fault.mend(draft, refusal)


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.id for fault in FAULTS])
def test_each_fault_alone_is_told_as_itself_and_its_remedy_helps(fault: Fault) -> None:
    """R54, R89: rule, property and place; what the remedy says is enough."""
    draft = Draft()
    fault.plant(draft)
    found = refusals(draft.judge(a_critic(standing=False)))
    shown(found, [fault], draft)
    mended([fault], found, draft)
    verdict = draft.judge(a_critic(standing=False))
    assert isinstance(verdict, Written), refusals(verdict)


@given(st.permutations(FAULTS), st.integers(2, 9))
def test_any_faults_together_are_told_in_one_answer_and_mended_in_one_go(faults: list[Fault], most: int) -> None:
    """R54, R59, R89: none hides another but where it cannot be judged yet, and none is only another's echo.

    Where a handle is missing or from nowhere, how real the thing is cannot be said before it has one: that, and nothing
    else, is left for a second answer.
    """
    planted = apart(faults)[:most]
    draft = Draft()
    for fault in planted:
        fault.plant(draft)
    found = refusals(draft.judge(a_critic(standing=False)))
    shown(found, planted, draft)
    mended(planted, found, draft)
    left = refusals(draft.judge(a_critic(standing=False)))
    hidden = {rule for fault in planted for rule in fault.hides}
    assert {refusal.rule for refusal in left} <= hidden & {rule for fault in planted for rule, _, _ in rules_of(fault)}
    mended(planted, left, draft)
    assert isinstance(draft.judge(a_critic(standing=False)), Written), draft.text


def rules_of(fault: Fault) -> Told:
    """What it makes told, a claim that is too high included."""
    return list(fault.told) or [(10, "MODALITY", "")]


@given(st.permutations([fault for fault in FAULTS if not {"base", "path", "name", "search"} & set(fault.spoils)]))
def test_a_line_that_goes_takes_everything_with_it_that_is_wrong_with_it(faults: list[Fault]) -> None:
    """R44, R58: of a valued property only that is told, not that its new value has no evidence or no search."""
    planted = apart(faults)[:4]
    draft = overwriting(an_addition())
    draft.unsearched = {"/srv/quay/other.py"}
    for fault in planted:
        fault.plant(draft)
    critic = a_critic(standing=True)
    found = refusals(draft.judge(critic))
    assert [row for row in told(found) if row[2] == PATH] == [(6, "ALREADY_VALUED", PATH)]
    assert "Drop this line" in next(one.remedy for one in found if one.property == PATH)


def test_where_only_valued_lines_are_sent_nothing_else_is_asked_for() -> None:
    """R58, DEC-D1: once the line is gone nothing is left to have been searched for or looked at."""
    draft = overwriting(Draft(target="TideGauge", lines={}))
    critic = a_critic(standing=True)
    critic.record = ()
    assert told(refusals(critic.judge(draft.text, "TideGauge"))) == [(6, "ALREADY_VALUED", PATH)]
    assert isinstance(critic.judge(STANDING), Unaltered)


def test_what_must_not_be_written_at_all_is_told_alone_but_for_a_secret() -> None:
    """DEC-D14, R39, INV-I6: no list of repairs for what no repair helps; a secret is told, whoever keeps the text."""
    draft = Draft()
    for fault in FAULTS:
        if fault.id in ("a value from nowhere", "handle not searched", "secret"):
            fault.plant(draft)
    critic = a_critic(standing=False)
    critic.extra = {"forgotten": lambda marks: tuple(marks)[:1]}
    assert told(refusals(draft.judge(critic))) == [(7, "SECRET_VALUE", "DoorPassword"), (12, "NOT_DURABLE", "")]
    critic = a_critic(standing=True)
    draft.name = "OtherGauge"
    assert [row[1] for row in told(refusals(draft.judge(critic)))][-1] == "SECRET_VALUE"
    assert {row[0] for row in told(refusals(draft.judge(critic)))} == {3, 7}


@given(st.permutations([fault for fault in FAULTS if fault.told and fault.told[0][0] <= 7]))
def test_a_person_hears_the_same_of_the_rules_that_bind_everybody(faults: list[Fault]) -> None:
    """DEC-D5: rules 3 to 7 in one answer; what only binds a critic is no reason to refuse a person."""
    planted = apart(faults)
    draft = Draft()
    for fault in planted:
        fault.plant(draft)
    found = refusals(Person(permanent=shipped()).judge(draft.text))
    shown(found, planted, draft)
    mended(planted, found, draft)
    assert isinstance(Person(permanent=shipped()).judge(draft.text), Written)

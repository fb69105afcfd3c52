"""Rules 3, 5, 6 and 8 where a critic is told otherwise than a person, and what a layer of one's own may hold."""

from dataclasses import replace

import pytest
from rule_cases import FILE, Critic, Person

from ferrule.bridge.values import Proposal
from ferrule.memory.case import Case
from ferrule.memory.rules.names import names_rule
from ferrule.memory.rules.overwrite import overwrite_rule, standing, unaltered
from ferrule.memory.rules.properties import properties_rule
from ferrule.memory.submission import AdmissionView, Scope, Submission
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.values import LayerName, Property, Prototype

GAUGE = f'prototype TideGauge : SourceFile {{ FilePath = @"{FILE}"; String Status = @"new"; }}'


def case_of(text: str, target: str | None = None, *, scope: Scope = Scope.CRITIC) -> Case:
    """A definition beside a known gauge."""
    critic = Critic()
    critic.session = InMemoryLayer([Person().write(GAUGE).write.prototype])
    proposal = Proposal("quay:1", "c", target, text, ())
    return Case(Submission(text, scope, proposal), critic.admission_view(text, target))


UNKNOWN = ("UNKNOWN_REFERENCE", "The prototype to augment is not known.", "Search again, or propose it as new.")
OTHER = (
    "BAD_IDENTIFIER",
    "The proposal augments TideGauge, but the definition has another name.",
    "Write partial prototype TideGauge { … }.",
)


@pytest.mark.parametrize(
    ("text", "target", "expected"),
    [
        ("partial prototype TideGauge;", None, []),
        ("partial prototype TideGauge;", "TideGauge", []),
        ("partial prototype TideGauge;", "Nobody", [UNKNOWN]),
        ("partial prototype TideGauge;", "Tide\ud800", [UNKNOWN]),
        ("partial prototype TideGauge;", "\n", [UNKNOWN]),
        ("partial prototype Other;", "TideGauge", [OTHER]),
        ("partial prototype Other;", "", [UNKNOWN]),
    ],
)
def test_a_critic_augments_what_it_names(text: str, target: str | None, expected: list[tuple[str, str, str]]) -> None:
    """R39, DEC-D7: a known thing, and the one that the definition is of; a person names none."""
    found = names_rule(case_of(text, target))
    assert [(one.code.value, one.message, one.remedy) for one in found] == expected
    assert all(text[one.span.start : one.span.end] == text.split()[2].rstrip(";") for one in found)
    assert names_rule(case_of(text, target, scope=Scope.PERSON)) == []


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("MoodAtTurn4", ""),
        ("MoodAtTurn5", "MoodAtTurn4"),
        ("MoodAtTurn04", "MoodAtTurn4"),
        ("MoodAtTurn44", "MoodAtTurn4"),
        ("MoodAtTurn5b", ""),
        ("MoodAtTurn", ""),
        ("MoodAtTurn" + "5" * 60, "MoodAtTurn4"),
    ],
)
def test_a_critic_dates_by_its_own_turn(name: str, right: str) -> None:
    """R45, CASE-H04: any other number is another turn; a person may date as they like."""
    for text in (f'prototype Q : Host {{ String {name} = @"a"; }}', f"prototype Q : Host {{ {name} = 4; }}"):
        found = [one for one in properties_rule(case_of(text)) if "another turn" in one.message]
        assert [(one.code.value, one.property, one.message, one.remedy) for one in found] == (
            [("UNKNOWN_PROPERTY", name, f"{name[:60]} names another turn than the reviewed one.", f"Call it {right}.")]
            if right
            else []
        )
        assert all(text[one.span.start : one.span.end] == name for one in found)
        person = properties_rule(case_of(text, scope=Scope.PERSON))
        assert not [one for one in person if "another turn" in one.message]


def test_a_later_state_is_dated_for_a_critic_and_left_open_for_a_person() -> None:
    """INV-I3, R44, R45: and the same value is only dropped."""
    later = "Drop this line; for a later state declare StatusAtTurn"
    for value, scope, remedy in (
        ("old", Scope.CRITIC, f"{later}4."),
        ("old", Scope.PERSON, f"{later}<n>."),
        ("new", Scope.CRITIC, "Drop this line."),
        ("new", Scope.PERSON, "Drop this line."),
    ):
        (found,) = overwrite_rule(case_of(f'partial prototype TideGauge {{ Status = @"{value}"; }}', scope=scope))
        assert (found.property, found.message, found.remedy) == ("Status", "Status has a value already.", remedy)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("partial prototype TideGauge;", True),
        ("prototype TideGauge;", False),
        ("prototype TideGauge : SourceFile;", True),
        ("prototype TideGauge : Host;", False),
        ("prototype TideGauge : SourceFile, Host;", False),
        ("partial prototype Other;", False),
        ('partial prototype TideGauge { Status = @"new"; }', True),
        ('partial prototype TideGauge { Status = @"old"; }', False),
        ('partial prototype TideGauge { String Status = @"new"; }', True),
        ("partial prototype TideGauge { String Status; }", True),
        ("partial prototype TideGauge { Int Status; }", False),
        ("partial prototype TideGauge { String Mood; }", False),
        ("partial prototype TideGauge { String FilePath; }", False),
        ('partial prototype TideGauge { Notes = @""; }', True),
        ('partial prototype TideGauge { Notes = @"a"; }', False),
        ('partial prototype TideGauge { Notes = @"a"; Status = @"new"; }', False),
    ],
)
def test_what_changes_nothing_is_told_apart(text: str, *, same: bool) -> None:
    """DEC-D1, R66: known, same bases, same declarations, each value as it stands."""
    assert unaltered(case_of(text)) is same


def test_what_stands_comes_from_the_thing_itself_or_from_the_first_base_that_has_it() -> None:
    """INV-I3, DEC-D2: for a new thing each base is asked in its order."""
    case = case_of("prototype Q : Host, TideGauge;")
    assert (standing(case, "Status").value, standing(case, "Status").by) == ("new", "TideGauge")
    assert not standing(case, "Mood").valued
    assert standing(case_of("partial prototype TideGauge;"), "FilePath").value == FILE


def test_what_starts_itself_is_no_base_and_neither_is_what_derives_from_it() -> None:
    """R5, CASE-B25, OBS-M10: declared anywhere above; one that only assigns the word is none."""
    declared = Property("AutoInitialize", "Bool", None, declares=True, assigned=False)
    given = Property("AutoInitialize", "", value=True, declares=False, assigned=True)
    layer = InMemoryLayer(
        [
            Prototype("Starter", (), (declared,), LayerName.PERMANENT),
            Prototype("Below", ("Starter",), (), LayerName.PERMANENT),
            Prototype("Plain", (), (given,), LayerName.PERMANENT),
            Prototype("CoreAction", (), (), LayerName.PERMANENT),
            Prototype("Act", ("CoreAction",), (), LayerName.PERMANENT),
        ]
    )
    view = AdmissionView(permanent=layer, session=InMemoryLayer())
    for base, runs in (("Starter", True), ("Below", True), ("Plain", False), ("Act", True), ("CoreAction", True)):
        text = f"prototype Q : Plain, {base};"
        found = names_rule(Case(Submission(text, Scope.PERSON), view))
        assert [text[one.span.start : one.span.end] for one in found] == ([base] if runs else []), base
        assert all(one.message.startswith(f"{base} is an action or starts itself") for one in found)


def test_a_known_name_may_be_spelt_as_another_one_is() -> None:
    """DEC-D7: only a new name is held against those that differ in case."""
    known = [Prototype(name, ("Host",), (), LayerName.SESSION) for name in ("Buoy", "BUOY")]
    view = replace(Critic().admission_view(""), session=InMemoryLayer(known), turn=None)
    for text, expected in (("partial prototype BUOY;", []), ("prototype buoy : Host;", ["ALREADY_EXISTS"])):
        assert [one.code.value for one in names_rule(Case(Submission(text, Scope.PERSON), view))] == expected


class _Strict(InMemoryLayer):
    """A layer that, like a store, cannot be asked for half a surrogate pair."""

    def get(self, name: str) -> Prototype | None:
        """The prototype of that name."""
        name.encode()
        return super().get(name)


def test_a_target_that_cannot_be_written_is_asked_of_no_store() -> None:
    """CASE-C06: it is told as unknown, and nothing breaks."""
    text = "partial prototype TideGauge;"
    proposal = Proposal("quay:1", "c", "Tide\ud800", text, ())
    view = replace(Critic().admission_view(text), session=_Strict())
    (found,) = names_rule(Case(Submission(text, Scope.CRITIC, proposal), view))
    assert found.message == "The prototype to augment is not known."

"""How values and findings are told: in plain words, in order, and without what looks like a secret."""

from dataclasses import replace

import pytest
from rule_cases import Person, refusals

from ferrule.errors import Code
from ferrule.memory.case import Case, Finding
from ferrule.memory.intake import _Standing
from ferrule.memory.showing import value_text
from ferrule.memory.speakable import speakable
from ferrule.memory.submission import AdmissionView, Limits, Scope, Submission
from ferrule.memory.telling import told
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.loading import load_shipped
from ferrule.ontology.values import LayerName, Prototype, Ref, Value
from ferrule.protoscript.syntax import Span

# Made for these tests; never issued.
TOKEN = "ghp_" + "Zk3vQ8mT1xR7bN5cW2yL9dF4hJ6gS0aPqE1u"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (False, "false"),
        (Ref("Buoy"), "Buoy"),
        ((1, "a", (Ref("Buoy"), None)), "[1, a, [Buoy, ]]"),
        ((), "[]"),
        (7, "7"),
        (2.5, "2.5"),
        ("a b", "a b"),
    ],
)
def test_a_value_is_told_without_quotes(value: Value, text: str) -> None:
    """R59, R60: a link by its name, a list in brackets, nothing as nothing."""
    assert value_text(value) == text


def a_case(text: str, limits: Limits | None = None) -> Case:
    """A person's definition."""
    view = AdmissionView(permanent=load_shipped().layer, session=InMemoryLayer(), limits=limits or Limits())
    return Case(Submission(text, Scope.PERSON), view)


def test_no_word_of_an_answer_is_a_secret() -> None:
    """R28, INV-I6: not the text's own, and none that a rule might have put together."""
    text = f'prototype Buoy : Host {{\n Notes = @"{TOKEN}"; }}'
    finding = Finding(Code.BAD_TEXT, f"It says {TOKEN}, twice {TOKEN}.", f"Drop {TOKEN}.", TOKEN, Span(27, 28))
    (one,) = told(a_case(text), [(finding, 7)])
    assert (one.message, one.remedy, one.property) == (
        "It says [left out], twice [left out].",
        "Drop [left out].",
        "[left out]",
    )
    assert (one.rule, one.line, one.column, one.offset) == (7, 2, 4, 27)
    (other,) = told(a_case("prototype Buoy : Host { }"), [(finding, 7)])
    assert TOKEN not in other.message + other.remedy + other.property
    assert told(a_case(text), []) == ()


def test_an_answer_is_in_the_order_of_rules_and_places() -> None:
    """R89: the same definition is always answered in the same words, each once."""
    text = "prototype Buoy : Host { }"
    first = Finding(Code.NO_HANDLE, "a.", "b.", span=Span(10, 11))
    second = Finding(Code.NO_HANDLE, "c.", "d.", span=Span(3, 4))
    named = replace(second, rule=3)
    found = told(a_case(text), [(first, 8), (second, 8), (first, 8), (first, 5), (named, 8)])
    assert [(one.rule, one.offset) for one in found] == [(3, 3), (5, 10), (8, 3), (8, 10)]


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ({"a": ["x", 7, None, {"b": "y"}]}, {"a": ["x", 7, None, {"b": "y"}]}),
        (
            {"a": [TOKEN, 7, None, {"b": f"see {TOKEN} there"}]},
            {"a": ["[left out]", 7, None, {"b": "see [left out] there"}]},
        ),
        (["\ud800", 2.5, True], ["?", 2.5, True]),
        (("a", (TOKEN,)), ["a", ["[left out]"]]),
        ([["", []], 0], [["", []], 0]),
    ],
)
def test_what_is_said_beside_a_definition_is_kept_without_secrets(value: object, kept: object) -> None:
    """INV-I6, PEER-D23: at any depth; what is no text stays as it is."""
    assert speakable(value) == kept


def known(name: str, *bases: str) -> Prototype:
    """A prototype without properties."""
    return Prototype(name, bases, (), LayerName.SESSION)


def test_what_an_intake_has_judged_stands_beside_what_was_there() -> None:
    """INV-I3: definitions of one file see each other as they see the session, own ones first."""
    below = InMemoryLayer()
    below.add(known("TideGauge", "Host"), ("id:1", "id:2"))
    below.add(known("Pier", "Host"), ("id:3",))
    standing = _Standing(below)
    assert (standing.names(), len(standing), standing.suffixes) == (("TideGauge", "Pier"), 2, None)
    person = Person()
    write = person.write(
        'prototype TideClock : Host { HostName = @"clock.example.org"; Aliases = @"tide gauge"; }'
    ).write
    standing.add(write)
    assert standing.names() == ("TideGauge", "Pier", "TideClock")
    assert len(standing) == 3
    assert standing.get("TideClock") == write.prototype
    assert standing.get("Pier") == known("Pier", "Host")
    assert standing.get("Nobody") is None
    assert set(standing.called("tide gauge")) == {"TideGauge", "TideClock"}
    assert standing.spelled("tidegauge") == ("TideGauge",)
    assert standing.spelled("TIDECLOCK") == ("TideClock",)
    assert standing.holding("id:3") == ("Pier",)
    assert standing.holding(write.keys[0]) == ("TideClock",)
    assert set(standing.matching(("tide",), 10)) == {"TideGauge", "TideClock"}
    assert len(standing.matching(("tide",), 1)) == 1
    assert len(standing.resembling(("tide",), 1)) <= 1


def test_a_secret_over_several_values_is_told_once_for_the_whole() -> None:
    """INV-I6, CASE-D07: pieces that are far apart are no single property's."""
    parts = f'String A = @"{TOKEN[:13]}"; String B = @"{TOKEN[13:26]}"; String C = @"{TOKEN[26:]}";'
    text = f'prototype Buoy : Host {{ HostName = @"b"; {parts} }}'
    (found,) = refusals(Person().judge(text))
    assert found.code is Code.SECRET_VALUE
    assert found.message.startswith("Several values together hold")
    assert found.property == ""
    assert text[found.offset :].startswith("Buoy")

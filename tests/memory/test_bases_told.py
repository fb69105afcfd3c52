"""Rule 4 by itself: what is said of each base, what to take instead, and which bases nothing can be asked about."""
# ruff: noqa: E501 - tables of cases keep one case a line

from dataclasses import replace

import pytest
from rule_cases import FILE, Critic, Person

from ferrule.memory.case import Case
from ferrule.memory.rules.bases import bases_rule, odd_bases
from ferrule.memory.submission import AdmissionView, Scope, Submission
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.values import LayerName, Prototype

LOOK = ", and look at its details and schema"


def layer(*prototypes: tuple[str, ...]) -> InMemoryLayer:
    """Prototypes without properties: name, then bases."""
    return InMemoryLayer([Prototype(name, bases, (), LayerName.PERMANENT) for name, *bases in map(list, prototypes)])  # type: ignore[arg-type]


def told(case: Case, text: str) -> list[tuple[str, str, str, str]]:
    """Code, message, remedy and the text at the place."""
    found = bases_rule(case)
    return [(one.code.value, one.message, one.remedy, text[one.span.start : one.span.end]) for one in found]


def person(text: str, known: InMemoryLayer) -> Case:
    """A person's definition."""
    return Case(Submission(text, Scope.PERSON), AdmissionView(permanent=known, session=InMemoryLayer()))


KNOWN = layer(("Host",), ("Lamp", "Host"), ("Buoy", "Lamp"))
UNKNOWN, VALUE = "A base is not known in this session's ontology.", "Int is the type of a value, not a base."
CYCLE, OTHERS = "The prototype would become its own ancestor.", "exists with other bases."
TEXTS = [
    ("prototype Q : Host;", []),
    ("prototype Q;", [("UNKNOWN_TYPE", "The prototype names no base.", "Write prototype Q : SemanticEntityBase { … } or a closer base%s.", "Q")]),
    ("partial prototype Q;", [("UNKNOWN_TYPE", "The prototype names no base.", "Write prototype Q : SemanticEntityBase { … } or a closer base%s.", "Q")]),
    ("partial prototype Lamp;", []),
    ("prototype Lamp;", [("UNKNOWN_TYPE", "The prototype names no base.", "Write partial prototype Lamp { … } to add to it.", "Lamp")]),
    ("prototype Q : Int;", [("UNKNOWN_TYPE", VALUE, "Use SemanticEntityBase or a closer base%s.", "Int")]),
    ("prototype Lamp : Int;", [("UNKNOWN_TYPE", VALUE, "Use SemanticEntityBase or a closer base.", "Int")]),
    ("prototype Q : Hots;", [("UNKNOWN_TYPE", UNKNOWN, "Did you mean Host? Else use SemanticEntityBase or a base that exists%s.", "Hots")]),
    ("prototype Q : Wxyz;", [("UNKNOWN_TYPE", UNKNOWN, "Use SemanticEntityBase or a base that exists%s.", "Wxyz")]),
    ("prototype Q : Q;", [("TYPE_MISMATCH", CYCLE, "Name a base that does not derive from it%s.", "Q")]),
    ("prototype Q : Q, Wxyz;", [("TYPE_MISMATCH", CYCLE, "Name a base that does not derive from it%s.", "Q"), ("UNKNOWN_TYPE", UNKNOWN, "Use SemanticEntityBase or a base that exists%s.", "Wxyz")]),
    ("prototype Lamp : Buoy;", [("TYPE_MISMATCH", CYCLE, "Name a base that does not derive from it.", "Buoy")]),
    ("prototype Host : Host, Buoy;", [("TYPE_MISMATCH", CYCLE, "Name a base that does not derive from it.", "Host"), ("TYPE_MISMATCH", CYCLE, "Name a base that does not derive from it.", "Buoy")]),
    ("prototype Lamp : Host;", []),
    ("prototype Buoy : Host;", [("TYPE_MISMATCH", f"Buoy {OTHERS}", "Keep its bases: Lamp.", "Host")]),
    ("prototype Buoy : Host, Lamp;", [("TYPE_MISMATCH", f"Buoy {OTHERS}", "Keep its bases: Lamp.", "Host")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_each_base_is_told_with_what_to_take_instead(text: str, expected: list[tuple[str, str, str, str]]) -> None:
    """R86, CASE-G06, CASE-G08, OBS-M11: a critic that takes a new base is told to look at it, nobody else is."""
    view = replace(Critic().admission_view(""), permanent=KNOWN)
    critic = Case(Submission(text, Scope.CRITIC, Critic().proposal(text)), view)
    for case, look in ((person(text, KNOWN), ""), (critic, LOOK)):
        rows = [(code, message, remedy.replace("%s", look), at) for code, message, remedy, at in expected]
        assert told(case, text) == rows


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        ("prototype Q : Host;", set()),
        ("prototype Lamp : Lamp, Host;", {"Lamp"}),
        ("prototype Q : Int, Host;", {"Int"}),
        ("prototype Q : Host, Wxyz;", {"Wxyz"}),
    ],
)
def test_nothing_is_asked_of_an_odd_base(text: str, odd: set[str]) -> None:
    """R43, R86: itself, the type of a value although something is called so, and what is not known."""
    known = layer(("Host",), ("Lamp", "Host"), ("Int",))
    assert odd_bases(person(text, known)) == odd


def near(base: str, *names: str) -> str:
    """What a base is taken for."""
    text = f"prototype Q : {base};"
    (found,) = told(person(text, layer(*((name,) for name in names))), text)
    return found[2].removeprefix("Did you mean ").partition("?")[0] if "Did you mean" in found[2] else ""


def test_a_base_is_taken_for_one_that_is_spelt_nearly_so() -> None:
    """R59: three quarters alike in the first sixty letters, and only in an ontology of at most two thousand names."""
    name = "A" * 45 + "x" * 15
    assert near("A" * 45 + "y" * 40, name) == name
    assert near("A" * 44 + "y" * 40, name) == ""
    many = [f"N{number:04d}" for number in range(2_001)]
    assert near("Zzzzzzzzzzzzz", "Zzzzzzzzzzzz", *many[:1_999]) == "Zzzzzzzzzzzz"
    assert near("Zzzzzzzzzzzzz", "Zzzzzzzzzzzz", *many[:2_000]) == ""


def test_a_known_thing_keeps_its_bases_in_any_order() -> None:
    """DEC-D1: the order of bases is no change."""
    known = Person()
    known.write(f'prototype Gauge : SourceFile, ConfigFile {{ FilePath = @"{FILE}"; }}')
    view = AdmissionView(permanent=known.permanent, session=known.session)
    case = Case(Submission("prototype Gauge : ConfigFile, SourceFile;", Scope.PERSON), view)
    assert bases_rule(case) == []

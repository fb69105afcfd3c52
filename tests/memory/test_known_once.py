"""Rule 3, second half, by itself: each name and each handle is told once, and only where it points at something."""

from dataclasses import replace

from rule_cases import FILE, Critic

from ferrule.memory.case import Case
from ferrule.memory.rules.known import known_rule
from ferrule.memory.submission import Scope, Submission
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.values import LayerName, Property, Prototype


def called(name: str, entity: str) -> Prototype:
    """Something known under a second name."""
    prop = Property("EntityName", "", value=entity, declares=False, assigned=True)
    return Prototype(name, ("SourceFile",), (prop,), LayerName.SESSION)


def told(text: str, session: InMemoryLayer, target: str | None = None) -> list[tuple[str, str, str, bool]]:
    """Property, message, the text at the place, and whether nothing else matters."""
    critic = Critic(session=session)
    case = Case(Submission(text, Scope.CRITIC, critic.proposal(text, target)), critic.admission_view(text, target))
    return [(one.property, one.message, text[one.span.start : one.span.end], one.final) for one in known_rule(case)]


TWO = (called("Buoy", "water rod"), called("Lamp", "water rod"))


def test_a_name_that_two_things_have_is_told_of_the_first() -> None:
    """R39, R59: one finding for a name, at the name or at the property that says it."""
    known = InMemoryLayer(TWO)
    assert told("prototype WaterRod : SourceFile;", known) == [
        ("", "Buoy is known and has this name or alias already.", "WaterRod", True)
    ]
    text = 'prototype TideGauge : SourceFile { Aliases = @"rod; Water-Rod; lamp"; }'
    said = '@"rod; Water-Rod; lamp"'
    assert told(text, known) == [
        ("Aliases", "Buoy is known and has this name or alias already.", said, True),
        ("Aliases", "Lamp is known and has this name or alias already.", said, True),
    ]
    assert told('prototype TideGauge : SourceFile { Aliases = @"Host"; }', known) == []


def test_a_number_by_itself_is_nobodys_handle() -> None:
    """DEC-D9: an older store may have kept it as a key; it points at none of the things that carry it."""
    known = InMemoryLayer(TWO, {"Buoy": ("id:77",), "Lamp": ("path:git.example/harbor/quay:tide/gauge.py",)})
    text = f'prototype TideGauge : SourceFile {{ String NodeId = @"77"; FilePath = @"{FILE}"; }}'
    assert told(text, known) == [("FilePath", "Lamp is known and has this handle already.", f'@"{FILE}"', True)]


def test_eight_are_told() -> None:
    """R59: of a new thing; its addition tells every line that goes."""
    known = InMemoryLayer([called(f"Buoy{letter}", f"rod {letter}") for letter in "abcdefghij"])
    names = "; ".join(f"rod {letter}" for letter in "abcdefghij")
    text = f'prototype TideGauge : SourceFile {{ Aliases = @"{names}"; }}'
    assert len(told(text, known)) == 8


def test_an_addition_drops_the_line() -> None:
    """R39, PEER-D08: nothing is final about it, and its own handle is its own."""
    lamp = replace(TWO[1], properties=())
    keys = {"Buoy": ("path:git.example/harbor/quay:tide/gauge.py",)}
    text = f'partial prototype %s {{ FilePath = @"{FILE}"; }}'
    known = InMemoryLayer([TWO[0], lamp], keys)
    expected = [("FilePath", "Buoy is known and has this handle already.", f'@"{FILE}"', False)]
    assert told(text.replace("%s", "Lamp"), known, "Lamp") == expected
    assert told(text.replace("%s", "Buoy"), known, "Buoy") == []

"""What a file of a project declares, what else stands in it, and when it is not read at all."""

import base64

import pytest

from ferrule.memory.project import declared_in, oddities_in, unreadable
from ferrule.ontology.build import prototype_of
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.loading import load_shipped
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import LayerName
from ferrule.protoscript.reading import parse

BUOY = 'prototype Buoy : Host { HostName = @"buoy.example.org"; }'
# Made for this test; never issued.
TOKEN = "ghp_" + "Zk3vQ8mT1xR7bN5cW2yL9dF4hJ6gS0aPqE1u"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BUOY, ""),
        ("\ufeff" + BUOY, ""),
        (BUOY + "\n// a\u202eb", "a direction mark in line 2"),
        (f'prototype Buoy : Host {{ Notes = @"{TOKEN}"; }}', "what looks like a secret"),
        (f'prototype Buoy : Host {{ Notes = @"{base64.b64encode(TOKEN.encode("utf-16-be")).decode()}"; }}', "secret"),
        ('prototype Buoy : Host { Notes = "pass\\u0077ord=hunter2-Harbor9x"; }', "what looks like a secret"),
        (f'prototype Buoy : Host {{ Collection C = [1]; Bool B = true; Notes = @"a"; }} {BUOY}', ""),
        ("prototype Buoy : Host { HostName = ; }", "no ProtoScript: line 1: "),
        (f"{BUOY}\nprototype {{", "no ProtoScript: line 2: "),
    ],
)
def test_a_file_is_not_read_for_one_reason(text: str, said: str) -> None:
    """CASE-C01, INV-I6: hidden characters, secrets in any spelling, no ProtoScript; the line, never the value."""
    found = unreadable(text)
    assert (said in found) if said else found == ""
    assert TOKEN not in found


FILE = """
prototype Buoy : Host { HostName = @"buoy.example.org"; Host Beside; Beside = Lamp; }
prototype Lamp : Host { HostName = @"lamp.example.org"; }
prototype Light : Lamp { }
prototype Beam { }
prototype Pier : SemanticEntityBase { EntityName = @"pier"; Host Stands; Stands = Buoy; }
partial prototype Host { String Colour; }
"""


def test_what_a_file_declares_is_told_in_its_order() -> None:
    """R86: entity, type or addition, with the handles of its own; links only where there is nothing else."""
    layer = InMemoryLayer()
    for tree in parse(FILE).tree.prototypes:
        layer.add(prototype_of(tree, LayerName.PERMANENT), ())
    known = Ontology(load_shipped().layer, layer)
    told = [(one.name, one.bases, one.what, one.handles) for one in declared_in(FILE, known)]
    assert [row[:3] for row in told] == [
        ("Buoy", ("Host",), "entity"),
        ("Lamp", ("Host",), "entity"),
        ("Light", ("Lamp",), "entity"),
        ("Beam", (), "entity"),
        ("Pier", ("SemanticEntityBase",), "entity"),
        ("Host", (), "addition"),
    ]
    assert told[0][3] == (("HostName", "buoy.example.org"),)
    assert told[2][3] == ()
    assert told[4][3] == (("Stands", "Buoy"),)
    assert declared_in("prototype Nobody : Host { }", Ontology(InMemoryLayer()))[0].handles == ()


ODD = [
    (BUOY, []),
    ('[SemanticEntity("the buoy")]\n' + BUOY, []),
    ('[Other("the buoy")]\n' + BUOY, ["line 1: an annotation, never made: "]),
    ('include "a.pts";\n' + BUOY, ['line 1: a directive, not followed: include "a.pts";']),
    (f"namespace Pier {{ {BUOY} }}", ["line 1: the namespace Pier, not looked into"]),
    ("function F(int a) : Int { return 1; }", ["line 1: a function, never run: function F(int a) : Int"]),
    ("x = 1;", ["line 1: a statement, never run: x = 1;"]),
    (
        "prototype A : Host {\n function F() : Int { return 1; }\n}",
        ["line 2: a function, never run: function F() : Int"],
    ),
    ("prototype A : Host {\n init { }\n}", ["line 2: an init block, never run"]),
    ("prototype A : Host {\n Int N = F(1);\n}", ["line 2: the value of N would need running, and is not read"]),
    ("prototype A : Host {\n HostName = F(1);\n}", ["line 2: the value of HostName would need running"]),
    ("prototype A : Host { String C; prototype B : Host { } }", []),
    ("[Other]", ["line 1: an annotation, never made: [Other]"]),
    ("x = ;\n" + BUOY, ["line 1: a part that could not be read: x = ;"]),
    ("prototype A : Host {\n 1 }", ["line 2: a part that could not be read: 1"]),
]


@pytest.mark.parametrize(("text", "expected"), ODD)
def test_what_is_no_definition_is_told_with_its_line_and_never_run(text: str, expected: list[str]) -> None:
    """R5, R51, DEC-D11: before a person trusts a file."""
    found = oddities_in(text)
    assert len(found) == len(expected), found
    assert all(one.startswith(begin) for one, begin in zip(found, expected, strict=True)), found


def test_what_is_odd_is_told_shortly_and_not_without_end() -> None:
    """R59: a line of a terminal each, and a number for the rest."""
    text = "\n".join(f"x{number} = 1;" for number in range(40))
    found = oddities_in(text)
    assert found[0] == "line 1: a statement, never run: x0 = 1;"
    assert found[-1] == f"and {40 - len(found) + 1} more"
    assert oddities_in("\n".join(f"x{number} = 1;" for number in range(len(found) - 1)))[-1].endswith("= 1;")
    (long,) = oddities_in("x = " + "1 + " * 60 + "1;")
    assert long.endswith("…")
    assert len(long) == len("line 1: a statement, never run: ") + 80

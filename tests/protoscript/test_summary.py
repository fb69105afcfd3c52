"""The canonical summary has the form that the conformance data has; what is opaque says so."""

import pytest

from ferrule.protoscript.reading import parse
from ferrule.protoscript.summary import Json, is_opaque, summarise

PROTOTYPES: list[tuple[str, dict[str, Json]]] = [
    ("prototype A;", {"name": "A"}),
    ("prototype A { }", {"name": "A"}),
    ("prototype A : B, C<D,E> { }", {"name": "A", "bases": ["B", "C<D, E>"]}),
    ("extern public partial prototype A;", {"name": "A", "modifiers": ["public", "partial", "extern"]}),
    (
        '[T] [N.U("x", -1)] prototype A;',
        {
            "name": "A",
            "annotations": [
                {"name": "T", "bare": True},
                {"name": "N.U", "args": [{"string": '"x"'}, {"unary": "-", "x": {"int": "1"}}]},
            ],
        },
    ),
    (
        "prototype A { B X; static B[] Y = null; Z = [true, 1.5, C]; prototype D; }",
        {
            "name": "A",
            "members": [
                {"kind": "field", "name": "X", "type": "B"},
                {"kind": "field", "name": "Y", "type": "B[]", "modifiers": ["static"], "value": {"null": True}},
                {
                    "kind": "assignment",
                    "name": "Z",
                    "value": {"list": [{"bool": "true"}, {"double": "1.5"}, {"name": "C"}]},
                },
                {"kind": "prototype", "name": "D"},
            ],
        },
    ),
    (
        'prototype A { X = new Collection(); Y = @"a"; Z = $"{b} {c + d}"; W = \'e\'; }',
        {
            "name": "A",
            "members": [
                {"kind": "assignment", "name": "X", "value": {"new": "Collection", "args": []}},
                {"kind": "assignment", "name": "Y", "value": {"verbatim": '@"a"'}},
                {"kind": "assignment", "name": "Z", "value": {"interpolated": '$"{0} {1}"'}},
                {"kind": "assignment", "name": "W", "value": {"char": "'e'"}},
            ],
        },
    ),
]

FIELD_MODIFIERS = [
    ("public private", ["private"]),
    ("protected internal", ["protectedinternal"]),
    ("abstract virtual async volatile", None),
    ("const readonly", ["const", "readonly"]),
]

DIRECTIVES: list[tuple[str, dict[str, Json]]] = [
    ('include "a.pts";', {"kind": "include", "path": "a.pts"}),
    ("include recursive ../a-b/c.pts;", {"kind": "include", "path": "../a-b/c.pts", "recursive": True}),
    ("include lazy C:\\x\\a.pts;", {"kind": "include", "path": "C:\\x\\a.pts", "lazy": True}),
    ('reference "lib/a.b.dll";', {"kind": "reference", "assembly": "lib/a.b.dll", "alias": "a.b", "file": True}),
    ("reference A.B C;", {"kind": "reference", "assembly": "A.B", "alias": "C"}),
    ("import A B.C;", {"kind": "import", "reference": "A", "type": "B.C", "alias": "C"}),
    ("import A B.C D;", {"kind": "import", "reference": "A", "type": "B.C", "alias": "D"}),
    ("using static A.B;", {"kind": "using", "name": "A.B", "static": True}),
]


@pytest.mark.parametrize(("text", "expected"), PROTOTYPES)
def test_a_prototype_is_summarised(text: str, expected: dict[str, Json]) -> None:
    """Empty lists and false flags are left out, literals keep their raw text."""
    summary = summarise(parse(text).tree)
    assert summary == {"prototypes": [expected]}
    assert not is_opaque(summary)


@pytest.mark.parametrize(("text", "expected"), DIRECTIVES)
def test_a_directive_is_summarised(text: str, expected: dict[str, Json]) -> None:
    """Paths without their quotes, aliases filled in, flags only when set."""
    assert summarise(parse(text).tree) == {"directives": [expected]}


@pytest.mark.parametrize(("words", "kept"), FIELD_MODIFIERS)
def test_the_modifiers_that_the_reference_keeps_are_kept(words: str, kept: list[str] | None) -> None:
    """One visibility, and those that change what a field is."""
    field: dict[str, Json] = {"kind": "field", "name": "X", "type": "B"}
    if kept:
        field["modifiers"] = list(kept)
    assert summarise(parse(f"prototype A {{ {words} B X; }}").tree) == {
        "prototypes": [{"name": "A", "members": [field]}]
    }


def test_a_namespace_is_summarised_with_what_it_holds() -> None:
    """The reference lists the statements of a namespace at the top as well."""
    summary = summarise(parse("namespace N.M { prototype A; x = 1; }").tree)
    statement = {"opaque": "statement"}
    assert summary == {
        "namespaces": [{"name": "N.M", "prototypes": [{"name": "A"}], "statements": [statement]}],
        "statements": [statement],
    }


@pytest.mark.parametrize(
    "text",
    [
        "x = 1;",
        "function F() : Int;",
        "prototype A { X = a + b; }",
        "prototype A { init { } }",
        "prototype A { B.C = 1; }",
    ],
)
def test_what_has_no_tree_yet_says_so(text: str) -> None:
    """Nothing is passed over in silence."""
    assert is_opaque(summarise(parse(text).tree))


def test_an_empty_file_has_an_empty_summary() -> None:
    """`{}`, as in the data."""
    assert summarise(parse("// nothing").tree) == {}

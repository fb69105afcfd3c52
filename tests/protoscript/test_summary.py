"""The canonical summary has the form that the conformance data has."""

import json

import pytest

from ferrule.protoscript.reading import parse
from ferrule.protoscript.summary import Json, summarise

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
    assert summarise(parse(text).tree) == {"prototypes": [expected]}


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
    statement = {"s": "expr", "e": {"op": "=", "l": {"name": "x"}, "r": {"int": "1"}}}
    assert summary == {
        "namespaces": [{"name": "N.M", "prototypes": [{"name": "A"}], "statements": [statement]}],
        "statements": [statement],
    }


CODE: list[tuple[str, Json]] = [
    (
        "a.b(1)[2]++;",
        {
            "s": "expr",
            "e": {
                "unary": "++",
                "x": {
                    "index": {"op": ".", "l": {"name": "a"}, "r": {"call": "b", "args": [{"int": "1"}]}},
                    "at": {"int": "2"},
                },
                "postfix": True,
            },
        },
    ),
    (
        "a - b - c * d;",
        {
            "s": "expr",
            "e": {
                "op": "-",
                "l": {"op": "-", "l": {"name": "a"}, "r": {"name": "b"}},
                "r": {"op": "*", "l": {"name": "c"}, "r": {"name": "d"}},
            },
        },
    ),
    (
        "a ?? b ?? c;",
        {"s": "expr", "e": {"op": "??", "l": {"name": "a"}, "r": {"op": "??", "l": {"name": "b"}, "r": {"name": "c"}}}},
    ),
    (
        "(a + b) * c;",
        {
            "s": "expr",
            "e": {
                "op": "*",
                "l": {"op": "+", "l": {"name": "a"}, "r": {"name": "b"}, "paren": True},
                "r": {"name": "c"},
            },
        },
    ),
    (
        "a !is B ? (c) : -(d);",
        {
            "s": "expr",
            "e": {
                "op": "?",
                "l": {"unary": "!", "x": {"op": "is", "l": {"name": "a"}, "r": {"name": "B"}}},
                "r": {"op": ":", "l": {"name": "c"}, "r": {"unary": "-", "x": {"exprs": [{"name": "d"}]}}},
            },
        },
    ),
    ("a -> B { c };", {"s": "expr", "e": {"categorize": {"name": "a"}, "as": {"name": "B"}, "where": [{"name": "c"}]}}),
    ("initialized(a);", {"s": "expr", "e": {"unary": "initialized", "x": {"name": "a"}}}),
    ("x => { return; };", {"s": "expr", "e": {"op": "=>", "l": {"name": "x"}, "r": {"block": [{"s": "return"}]}}}),
    (
        "new A(1) { B.C = 2, { 3 } };",
        {
            "s": "expr",
            "e": {
                "new": "A",
                "args": [{"int": "1"}],
                "init": [{"name": "B.C", "value": {"int": "2"}}, {"value": {"exprs": [{"int": "3"}]}}],
            },
        },
    ),
    ("new A[1, b + c];", {"s": "expr", "e": {"new": "A[1][*]", "args": []}}),
    (
        "const A b = 1, c;",
        {
            "s": "var",
            "type": "A",
            "name": "b",
            "const": True,
            "value": {"int": "1"},
            "more": [{"s": "var", "type": "A", "name": "c", "const": True}],
        },
    ),
    (
        "if (a) b(); else if (c) { } else d();",
        {
            "s": "if",
            "cond": {"name": "a"},
            "then": [{"s": "expr", "e": {"call": "b", "args": []}}],
            "elif": [{"cond": {"name": "c"}, "then": []}],
            "else": [{"s": "expr", "e": {"call": "d", "args": []}}],
        },
    ),
    ("for (;;) { break; }", {"s": "for", "body": [{"s": "break"}]}),
    (
        "foreach (A b in c) continue;",
        {"s": "foreach", "type": "A", "name": "b", "in": {"name": "c"}, "body": [{"s": "continue"}]},
    ),
    ("do { } while (a);", {"s": "do", "cond": {"name": "a"}}),
    ("while (a) throw;", {"s": "while", "cond": {"name": "a"}, "body": [{"s": "throw"}]}),
    (
        "switch (a) { case 1: default: yield return 2; }",
        {
            "s": "switch",
            "on": {"name": "a"},
            "body": [{"s": "case", "e": {"int": "1"}}, {"s": "default"}, {"s": "yield", "e": {"int": "2"}}],
        },
    ),
    (
        "try { a(); } catch (B c) { } catch { d(); } finally { e(); }",
        {
            "s": "try",
            "body": [{"s": "expr", "e": {"call": "a", "args": []}}],
            "catch": [{"type": "B", "name": "c"}, {"body": [{"s": "expr", "e": {"call": "d", "args": []}}]}],
            "finally": [{"s": "expr", "e": {"call": "e", "args": []}}],
        },
    ),
    ("{ { } }", {"s": "block", "body": [{"s": "block", "body": []}]}),
    (
        "[T] function static sealed F(this A b, ref C d = 1) : E { }",
        {
            "kind": "function",
            "name": "F",
            "type": "E",
            "modifiers": ["static"],
            "annotations": [{"name": "T", "bare": True}],
            "params": [
                {"name": "b", "type": "A", "this": True},
                {"name": "d", "type": "C", "ref": True, "default": {"int": "1"}},
            ],
        },
    ),
]


@pytest.mark.parametrize(("text", "expected"), CODE)
def test_code_is_summarised(text: str, expected: Json) -> None:
    """Operators in the usual order, bodies as lists, nothing passed over in silence."""
    assert summarise(parse(text).tree) == {"statements": [expected]}


def test_a_long_run_is_summarised_flat() -> None:
    """Nested, it would be too deep for a reader of JSON."""
    for text in ("a" + " + a" * 5_000 + ";", "a" + ".a" * 5_000 + ";"):
        (statement,) = json.loads(json.dumps(summarise(parse(text).tree)))["statements"]
        assert len(statement["e"]["list"]) == 5_001


def test_what_could_not_be_read_says_so() -> None:
    """Between what could."""
    members: list[Json] = [
        {"kind": "error", "code": "expected-value"},
        {"kind": "assignment", "name": "Y", "value": {"int": "1"}},
    ]
    assert summarise(parse("prototype A { X = ; Y = 1; } ) ; prototype B;").tree) == {
        "prototypes": [{"name": "A", "members": members}, {"name": "B"}],
        "statements": [{"s": "error", "code": "expected-value"}],
    }


def test_an_empty_file_has_an_empty_summary() -> None:
    """`{}`, as in the data."""
    assert summarise(parse("// nothing").tree) == {}

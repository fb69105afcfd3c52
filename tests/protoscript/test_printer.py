"""One form for one meaning: the canonical text reads back as what was printed, and prints the same again."""

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ferrule.protoscript.printer import print_expression, print_file, print_prototype, verbatim
from ferrule.protoscript.reading import parse
from ferrule.protoscript.summary import summarise
from ferrule.protoscript.syntax import (
    Annotation,
    Assignment,
    Directive,
    Expression,
    Field,
    File,
    Function,
    Init,
    Item,
    ListExpression,
    Member,
    Name,
    Namespace,
    New,
    Null,
    Number,
    Opaque,
    OpaqueExpression,
    Prototype,
    Span,
    Text,
    Truth,
)

NOWHERE = Span(0, 0)


def _prototype(name: str, members: tuple[Member, ...] = (), *, short: bool = False) -> Prototype:
    return Prototype(name, (), (), (), members, "", short, NOWHERE, NOWHERE, ())


# One example of every node: the reflected test below fails for a new node that is not listed.
EXPRESSIONS: tuple[tuple[Expression, str], ...] = (
    (Text("string", r'"a\"b\\"', 'a"b\\', NOWHERE), '@"a""b\\"'),
    (Number("double", "1.50", -1.5, negative=True, span=NOWHERE), "-1.50"),
    (Truth(value=True, span=NOWHERE), "true"),
    (Null(NOWHERE), "null"),
    (Name("Quay#1", NOWHERE), "Quay#1"),
    (ListExpression((Null(NOWHERE), Name("A", NOWHERE)), NOWHERE), "[null, A]"),
    (New("Collection", NOWHERE), "new Collection()"),
    (OpaqueExpression("call", "a( 1 )", NOWHERE), "a( 1 )"),
)
MEMBERS: tuple[tuple[Member, str], ...] = (
    (Field("String", "Name", None, ("static",), (), NOWHERE, NOWHERE), "static String Name;"),
    (Assignment("Name", Null(NOWHERE), plain=True, span=NOWHERE, name_span=NOWHERE), "Name = null;"),
    (Function("F", "function F() : Int", "{ a(); }", (), NOWHERE), "function F() : Int { a(); }"),
    (Init("{ a = 1; }", NOWHERE), "init { a = 1; }"),
    (_prototype("Inner", short=True), "prototype Inner;"),
    (Opaque("statement", "a();", NOWHERE), "a();"),
)
ITEMS: tuple[tuple[Item, str], ...] = (
    (Directive("include", 'include "a.pts";', ("a.pts",), NOWHERE), 'include "a.pts";\n'),
    (Namespace("Town", (_prototype("A", short=True),), NOWHERE), "namespace Town\n{\n\tprototype A;\n}\n"),
    (_prototype("A"), "prototype A\n{\n}\n"),
    (Function("F", "function F() : Int", ";", (), NOWHERE), "function F() : Int;\n"),
    (Annotation("[Loud]", "Loud", (), NOWHERE, bare=True), "[Loud]\n"),
    (Opaque("statement", "a();", NOWHERE), "a();\n"),
)


def test_every_node_has_an_example_and_so_a_printed_form() -> None:
    """The printer is total: a node type without a form fails here."""
    for union, examples in ((Expression, EXPRESSIONS), (Member, MEMBERS), (Item, ITEMS)):
        assert {type(node) for node, _ in examples} == set(get_args(union))


@pytest.mark.parametrize(("node", "expected"), EXPRESSIONS)
def test_an_expression_is_printed(node: Expression, expected: str) -> None:
    """DEC-D11."""
    assert print_expression(node) == expected


@pytest.mark.parametrize(("node", "expected"), MEMBERS)
def test_a_member_is_printed(node: Member, expected: str) -> None:
    """DEC-D11."""
    assert print_prototype(_prototype("A", (node,))) == f"prototype A\n{{\n\t{expected}\n}}\n"


@pytest.mark.parametrize(("node", "expected"), ITEMS)
def test_an_item_is_printed(node: Item, expected: str) -> None:
    """DEC-D11."""
    assert print_file(File((node,), NOWHERE)) == expected


def test_the_canonical_text_of_a_definition() -> None:
    """DEC-D11: tabs, braces on their own line, fields first, verbatim strings, bases joined by comma and space."""
    text = (
        '// head\n[Marked( "x" )]  partial  prototype Quay:Place ,Spot { Name="a\\"b"; Berths=[1,[two],] ; '
        "String Path = \"C:\\\\x\"; [Deep] Int Depth ; Kind = 'c'; Width = - 2.50; } // tail"
    )
    assert print_file(parse(text).tree) == (
        '[Marked( "x" )]\npartial prototype Quay : Place, Spot\n{\n\tString Path = @"C:\\x";\n\t[Deep]\n\tInt Depth;\n'
        '\tName = @"a""b";\n\tBerths = [1, [two]];\n\tKind = \'c\';\n\tWidth = -2.50;\n}\n'
    )


@pytest.mark.parametrize(
    "words", ["extern abstract", "partial new", "extern partial public abstract", "partial partial"]
)
def test_modifiers_are_printed_once_and_so_that_they_are_read_again(words: str) -> None:
    """The word that opens the declaration comes first."""
    printed = print_file(parse(f"{words} prototype A;").tree)
    again = parse(printed)
    assert again.ok
    assert set(again.tree.prototypes[0].modifiers) == set(words.split())
    assert print_file(again.tree) == printed


def test_the_canonical_text_of_a_file() -> None:
    """An empty line between declarations, none between directives, one line end at the end."""
    text = 'include "a.pts"; include "b.pts"; prototype A; namespace N { prototype B { X = 1; } x = 2; } y();'
    printed = print_file(parse(text).tree)
    assert printed == (
        'include "a.pts";\ninclude "b.pts";\n\nprototype A;\n\n'
        "namespace N\n{\n\tprototype B\n\t{\n\t\tX = 1;\n\t}\n\n\tx = 2;\n}\n\ny();\n"
    )
    assert print_file(parse("").tree) == ""


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_text_survives_as_a_value(value: str) -> None:
    """CASE-B31: printed and read again, a value is the same and the text still declares one prototype."""
    member = Assignment("X", Text("verbatim", verbatim(value), value, NOWHERE), True, NOWHERE, NOWHERE)  # noqa: FBT003 - a node
    parsed = parse(print_prototype(_prototype("A", (member,))))
    assert parsed.clean
    (found,) = parsed.tree.prototypes
    (read,) = found.members
    assert isinstance(read, Assignment)
    assert isinstance(read.value, Text)
    assert read.value.value == value


NAMES = st.sampled_from(["Quay", "Pier#1", "日本", "_a", "List<Int>"])
SIMPLE = st.one_of(
    st.builds(verbatim, st.text(max_size=20).filter(lambda text: "\ud800" not in text)),
    st.sampled_from(["1", "-2.5", "true", "null", "new Collection()", r'"a\n\"b\""', "a + b", "'c'", '$"{a}"']),
    NAMES,
)
VALUES = st.recursive(SIMPLE, lambda inner: st.lists(inner, max_size=3).map(lambda found: f"[{', '.join(found)}]"))
BODY = st.one_of(
    st.builds("{} P{} = {};".format, NAMES, st.integers(0, 9), VALUES),
    st.builds("P{} = {};".format, st.integers(0, 9), VALUES),
    st.sampled_from(
        ["[Deep] String X;", "function F(Int a) : Int { return a; }", "init { x = 1; }", "prototype In { }"]
    ),
)
DEFINITIONS = st.builds(
    "{}prototype {}{} {{ {} }}".format,
    st.sampled_from(["", "partial ", '[Marked("x")] ', "extern "]),
    st.sampled_from(["Quay", "Pier#1"]),
    st.sampled_from(["", " : A", " extends A, B<C>", " where T : A"]),
    st.lists(BODY, max_size=5).map(" ".join),
)
FILES = st.lists(
    st.one_of(DEFINITIONS, st.sampled_from(["prototype A;", 'include "a.pts";', "x = 1;", "namespace N { y(); }"])),
    max_size=4,
).map("\n".join)


def _in_canonical_order(tree: File) -> File:
    """The same tree with fields before the rest: the one thing that printing rearranges."""
    items: list[Item] = []
    for item in tree.items:
        if isinstance(item, Prototype):
            fields = tuple(member for member in item.members if isinstance(member, Field))
            others = tuple(member for member in item.members if not isinstance(member, Field))
            items.append(replace(item, members=(*fields, *others)))
        else:
            items.append(item)
    return replace(tree, items=tuple(items))


@given(FILES)
def test_printing_keeps_the_meaning_and_is_idempotent(text: str) -> None:
    """DEC-D11: print after parse is a fixed point, and summaries agree but for the spelling of strings."""
    first = parse(text)
    assert first.ok, [d.render() for d in first.diagnostics]
    printed = print_file(first.tree)
    second = parse(printed)
    assert second.ok, printed
    assert print_file(second.tree) == printed
    assert len(second.tree.items) == len(first.tree.items)
    spelled = summarise(parse(print_file(_in_canonical_order(first.tree))).tree)
    assert summarise(second.tree) == spelled

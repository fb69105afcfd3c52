"""One form for one meaning: the canonical text reads back as what was printed, and prints the same again."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ferrule.protoscript import syntax
from ferrule.protoscript.printer import print_expression, print_file, print_prototype, verbatim
from ferrule.protoscript.printing_code import PRINTED
from ferrule.protoscript.reading import parse
from ferrule.protoscript.summary import summarise
from ferrule.protoscript.syntax import (
    Assignment,
    Field,
    File,
    Item,
    Member,
    Name,
    Node,
    Null,
    Prototype,
    Span,
    Text,
)
from ferrule.protoscript.walking import walk

NOWHERE = Span(0, 0)


def _prototype(name: str, members: tuple[Member, ...] = (), *, short: bool = False) -> Prototype:
    return Prototype(name, (), (), (), members, "", short, NOWHERE, NOWHERE, ())


# How it may be written, and how it is printed.
EXPRESSIONS = [
    (r'"a\"b\\"', '@"a""b\\"'),
    ("- 1.50", "-1.50"),
    ("true", "true"),
    ("null", "null"),
    ("Quay#1", "Quay#1"),
    ("[null,A,]", "[null, A]"),
    ("new Collection( )", "new Collection()"),
    ("a( 1,2 )", "a(1, 2)"),
    ("new A{B=1,{2}}", "new A { B = 1, { 2 } }"),
    ("new A [ 3 ]", "new A[3]"),
    ("new A(){ }", "new A() { }"),
    ("a . b(1)?.c[0] ++", "a.b(1)?.c[0]++"),
    ("1 .x", "1 .x"),
    ("! a", "!a"),
    ("await  a", "await a"),
    ("a+b-c*d", "a + b - c * d"),
    ("a ! is B", "a !is B"),
    ("a>>b", "a >> b"),
    ("a=b", "a = b"),
    ("a?b:c?d:e", "a ? b : c ? d : e"),
    ("a->B{c,d}", "a -> B { c, d }"),
    ("a->B{}", "a -> B { }"),
    ("(a)=>b", "(a) => b"),
    ("x => { return 1; }", "x => {\n\t\treturn 1;\n\t}"),
    ('$"{a+b}"', '$"{a+b}"'),
    ('$$ "N[x]"', '$$ "N[x]"'),
]
CODE = [
    ("extern A a;", "extern A a;"),
    ("const A a=1,b;", "const A a = 1, b;"),
    ("a();", "a();"),
    ("{a();{}}", "{\n\ta();\n\t{\n\t}\n}"),
    ("if(a)b();else if(c){}else d();", "if (a)\n{\n\tb();\n}\nelse if (c)\n{\n}\nelse\n{\n\td();\n}"),
    ("for(Int i=0;i<3;i++,j++)a();", "for (Int i = 0; i < 3; i++, j++)\n{\n\ta();\n}"),
    ("for(;;){}", "for (;;)\n{\n}"),
    ("foreach(A b in c)d();", "foreach (A b in c)\n{\n\td();\n}"),
    ("while(a){}", "while (a)\n{\n}"),
    ("do{}while(a);", "do\n{\n}\nwhile (a);"),
    (
        "switch(a){case 1:break;default:continue;}",
        "switch (a)\n{\n\tcase 1:\n\tbreak;\n\tdefault:\n\tcontinue;\n}",
    ),
    (
        "try{}catch(A b){}catch{}finally{}",
        "try\n{\n}\ncatch (A b)\n{\n}\ncatch\n{\n}\nfinally\n{\n}",
    ),
    ("return;", "return;"),
    ("return a;", "return a;"),
    ("throw a;", "throw a;"),
    ("yield return a;", "yield return a;"),
    ("yield break;", "yield break;"),
    ("function F(this A b,ref C d=1):E;", "function F(this A b, ref C d = 1) : E;"),
    ("function static F():E{a();}", "function static F() : E\n{\n\ta();\n}"),
]
MEMBERS = [
    ("static String Name;", "static String Name;"),
    ("Name=null;", "Name = null;"),
    ("A.B=1;", "A.B = 1;"),
    ("function F():Int{a();}", "function F() : Int\n\t{\n\t\ta();\n\t}"),
    ("public Int F(){a();}", "public Int F()\n\t{\n\t\ta();\n\t}"),
    ("init a=1;", "init\n\t{\n\t\ta = 1;\n\t}"),
    ("prototype Inner;", "prototype Inner;"),
]
ITEMS = [
    ('include "a.pts";', 'include "a.pts";\n'),
    ("namespace Town{prototype A;}", "namespace Town\n{\n\tprototype A;\n}\n"),
    ("prototype A{}", "prototype A\n{\n}\n"),
    ("function F():Int;", "function F() : Int;\n"),
    ('[Loud( "a" )]\nprototype A;', '[Loud(@"a")]\nprototype A;\n'),
    ("[Loud]prototype A;", "[Loud]\nprototype A;\n"),
]


def test_every_node_has_a_printed_form() -> None:
    """The printer is total: a node type without a form fails here, and so does one that no example shows."""
    abstract = {Node, syntax.Computed, syntax.Statement}
    declarations = {File, syntax.Directive, syntax.Namespace, Prototype, Field, Assignment}
    kinds = {kind for kind in vars(syntax).values() if isinstance(kind, type) and issubclass(kind, Node)}
    assert kinds - abstract - declarations == set(PRINTED)
    texts = [f"x = {text};" for text, _ in EXPRESSIONS] + [text for text, _ in (*CODE, *ITEMS)]
    texts += [f"prototype A {{ {text} }}" for text, _ in MEMBERS]
    shown = {type(node) for text in texts for node in walk(parse(text).tree)}
    assert shown >= set(PRINTED) - {syntax.ErrorNode}


@pytest.mark.parametrize(("text", "expected"), EXPRESSIONS)
def test_an_expression_is_printed(text: str, expected: str) -> None:
    """DEC-D11: as a value in a body, one tab deep."""
    printed = print_prototype(parse(f"prototype A {{ X = {text}; }}").tree.prototypes[0])
    assert printed == f"prototype A\n{{\n\tX = {expected};\n}}\n"
    assert print_file(parse(printed).tree) == printed


@pytest.mark.parametrize(("text", "expected"), CODE)
def test_code_is_printed(text: str, expected: str) -> None:
    """DEC-D11: every body in braces, on lines of their own."""
    printed = print_file(parse(text).tree)
    assert printed == expected + "\n"
    assert print_file(parse(printed).tree) == printed


def test_a_value_is_printed_by_itself() -> None:
    """What the merge writes: no source text is needed."""
    value = syntax.ListExpression((Null(NOWHERE), Name("A", NOWHERE)), NOWHERE)
    assert print_expression(value) == "[null, A]"


def test_a_text_of_several_lines_is_not_indented() -> None:
    """Its lines are part of the value, however deep the code around it stands."""
    text = 'prototype A { function F() : B { if (a) { c(@"1\n2"); } } }'
    assert '\n\t\t\tc(@"1\n2");\n' in print_file(parse(text).tree)


@pytest.mark.parametrize(("text", "expected"), MEMBERS)
def test_a_member_is_printed(text: str, expected: str) -> None:
    """DEC-D11."""
    printed = print_file(parse(f"prototype A {{ {text} }}").tree)
    assert printed == f"prototype A\n{{\n\t{expected}\n}}\n"


@pytest.mark.parametrize(("text", "expected"), ITEMS)
def test_an_item_is_printed(text: str, expected: str) -> None:
    """DEC-D11."""
    assert print_file(parse(text).tree) == expected


def test_the_canonical_text_of_a_definition() -> None:
    """DEC-D11: tabs, braces on their own line, fields first, verbatim strings, bases joined by comma and space."""
    text = (
        '// head\n[Marked( "x" )]  partial  prototype Quay:Place ,Spot { Name="a\\"b"; Berths=[1,[two],] ; '
        "String Path = \"C:\\\\x\"; [Deep] Int Depth ; Kind = 'c'; Width = - 2.50; } // tail"
    )
    assert print_file(parse(text).tree) == (
        '[Marked(@"x")]\npartial prototype Quay : Place, Spot\n{\n\tString Path = @"C:\\x";\n\t[Deep]\n\tInt Depth;\n'
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

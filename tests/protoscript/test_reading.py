"""A text becomes the tree of what it says; what a memory may not say is recognised as what it is."""

import gc
from dataclasses import replace

import pytest

from ferrule.protoscript.reading import Parsed, parse
from ferrule.protoscript.syntax import (
    Annotation,
    Assignment,
    Block,
    Computed,
    Directive,
    Expression,
    ExpressionStatement,
    Field,
    ForEach,
    Function,
    If,
    Init,
    ListExpression,
    Name,
    Namespace,
    New,
    Null,
    Number,
    Prototype,
    Span,
    Switch,
    Text,
    Truth,
    Try,
    VariableDeclaration,
)


def _read(text: str) -> Parsed:
    parsed = parse(text)
    assert parsed.ok, [d.render() for d in parsed.diagnostics]
    return parsed


def _prototype(text: str) -> Prototype:
    (found,) = _read(text).tree.prototypes
    return found


def _value(text: str) -> Expression:
    (member,) = _prototype(f"prototype Quay : Place {{ X = {text}; }}").members
    assert isinstance(member, Assignment)
    return member.value


def test_a_memory_is_read_wholly_into_nodes() -> None:
    """R51 R57: header, typed fields, assignments, spans."""
    text = '\ufeffpartial prototype Quay#North : Place, Spot\r\n{ String Name = @"n"; Int Depth; Owner = Ada; }\r\n'
    found = _prototype(text)
    body = text[1:]
    assert (found.name, found.bases, found.partial, found.short) == ("Quay#North", ("Place", "Spot"), True, False)
    name, depth, owner = found.members
    assert isinstance(name, Field)
    assert (name.type, name.name, name.modifiers, name.annotations) == ("String", "Name", (), ())
    assert isinstance(name.value, Text)
    assert isinstance(depth, Field)
    assert depth.value is None
    assert isinstance(owner, Assignment)
    assert owner.plain
    for node, shown in (
        (found.name_span, "Quay#North"),
        (found.base_spans[1], "Spot"),
        (name.span, 'String Name = @"n";'),
        (name.name_span, "Name"),
        (name.value.span, '@"n"'),
        (owner.span, "Owner = Ada;"),
        (found.span, body.strip()),
    ):
        assert body[node.start : node.end] == shown


VALUES = [
    ('"a"', Text("string", '"a"', "a", Span(0, 3))),
    ("true", Truth(value=True, span=Span(0, 4))),
    ("false", Truth(value=False, span=Span(0, 5))),
    ("null", Null(Span(0, 4))),
    ("Ada#1", Name("Ada#1", Span(0, 5))),
    ("List<Int, Map<A, B>>", Name("List<Int, Map<A, B>>", Span(0, 20))),
    ("7", Number("int", "7", 7, negative=False, span=Span(0, 1))),
    ("- 7", Number("int", "7", -7, negative=True, span=Span(0, 3))),
    ("-2147483648", Number("int", "2147483648", -2147483648, negative=True, span=Span(0, 11))),
    ("2.50", Number("double", "2.50", 2.5, negative=False, span=Span(0, 4))),
    ("1m", Number("decimal", "1m", 1, negative=False, span=Span(0, 2))),
    ("1L", Number("long", "1L", 1, negative=False, span=Span(0, 2))),
    ("1UL", Number("ulong", "1UL", 1, negative=False, span=Span(0, 3))),
    ("1.5f", Number("float", "1.5f", 1.5, negative=False, span=Span(0, 4))),
    ("new Collection()", New("Collection", Span(0, 16))),
    ("new Map<A, B>()", New("Map<A, B>", Span(0, 15))),
    ("[]", ListExpression((), Span(0, 2))),
    ("[A,]", ListExpression((Name("A", Span(1, 2)),), Span(0, 4))),
]


def _moved(node: Expression) -> Expression:
    """The same value as if it stood at offset 0."""
    offset = len("prototype Quay : Place { X = ")
    span = Span(node.span.start - offset, node.span.end - offset)
    if isinstance(node, ListExpression):
        return ListExpression(tuple(map(_moved, node.elements)), span)
    return replace(node, span=span)


@pytest.mark.parametrize(("text", "expected"), VALUES)
def test_a_value_is_read_with_its_raw_text_and_its_span(text: str, expected: Expression) -> None:
    """Every literal of the memory profile."""
    assert _moved(_value(text)) == expected


TEXTS = [
    (r'"\" \\ \/ \b\f\n\r\t"', '" \\ / \b\f\n\r\t'),
    (r'"\u00e9\u0041"', "éA"),
    (r'"\ud83d\udef6"', "🛶"),
    ('"a\nb"', "a\nb"),
    (r'@"C:\new\"', "C:\\new\\"),
    ('@"say ""hi"""', 'say "hi"'),
    ('@"a\r\nb"', "a\r\nb"),
    ("'a'", "a"),
    (r"'\''", "'"),
    (r"'\0'", "\0"),
    (r'$"{Name} x"', "{Name} x"),
    ('$$"N[x]"', "N[x]"),
]


@pytest.mark.parametrize(("text", "value"), TEXTS)
def test_a_text_is_decoded(text: str, value: str) -> None:
    """OBS-M2: always decoded, in assignments, in fields and in lists alike."""
    found = _prototype(f"prototype Q : P {{ A = {text}; String B = {text}; C = [{text}]; }}").members
    values = [member.value for member in found if isinstance(member, Field | Assignment)]
    read = [value.elements[0] if isinstance(value, ListExpression) else value for value in values]
    assert [node.value for node in read if isinstance(node, Text)] == [value] * 3


ESCAPES = [r"\q", r"\0", r"\v", r"\u12", r"\uZZZZ", r"\U0001F600", r"\'", r"\ "]


@pytest.mark.parametrize("escape", ESCAPES)
def test_an_unknown_escape_keeps_its_characters_and_is_reported(escape: str) -> None:
    """OBS-M2: the text stays readable, no definition may say it."""
    parsed = _read(f'prototype Q : P {{ A = "{escape}"; }}')
    (member,) = parsed.tree.prototypes[0].members
    assert isinstance(member, Assignment)
    assert isinstance(member.value, Text)
    assert member.value.value == escape
    assert [d.code for d in parsed.diagnostics] == ["bad-escape"]
    assert not parsed.clean


@pytest.mark.parametrize("text", ["007", "00", "1e5", "1.5e3", "0x1F", "0b1", "1_000", "1U", "1d", "1.5abc", "٣"])
def test_a_number_of_odd_shape_is_refused(text: str) -> None:
    """Reference section 10: reject odd shapes."""
    assert not parse(f"prototype Q : P {{ A = {text}; }}").ok


def test_a_number_of_any_length_is_read_in_bounded_time() -> None:
    """CASE-G09: what is out of every range stays a number, so that admission can say so."""
    value = _value("9" * 100_000)
    assert isinstance(value, Number)
    assert value.value == 10**400
    assert [d.code for d in parse(f"prototype Q : P {{ A = {'9' * 400}.5; }}").diagnostics] == ["bad-number"]


WHOLE = [
    ('include "town.pts";', Directive, "include"),
    ("include recursive ../town/quay.pts;", Directive, "include"),
    ('reference "lib/town.dll" Town;', Directive, "reference"),
    ("import Town Town.Quay Quay;", Directive, "import"),
    ("using static Town.Quays;", Directive, "using"),
    ("namespace Town.North { prototype Quay; x = 1; }", Namespace, "Town.North"),
    ("function Dig(Int depth = 1, ref String why) : List<Int> { return 1; }", Function, "Dig"),
    ("extern String host;", VariableDeclaration, "extern variable"),
    ("const Int depth = 1;", VariableDeclaration, "variable"),
    ("Quay.Depth = 1;", ExpressionStatement, "statement"),
    ("if (a) { b(); } else c();", If, "if statement"),
    ("foreach (Quay q in Quays) { q.Dig(); }", ForEach, "foreach statement"),
    ("switch (a) { case 1: break; default: b(); }", Switch, "switch statement"),
    ("try { a(); } catch (E e) { } finally { }", Try, "try statement"),
    ("{ a(); }", Block, "block"),
    ("new Quay() { Depth = 1 };", ExpressionStatement, "statement"),
]


@pytest.mark.parametrize(("text", "kind", "what"), WHOLE)
def test_what_is_no_prototype_is_recognised_at_the_top(text: str, kind: type, what: str) -> None:
    """CASE-B03 CASE-B04 CASE-B06 CASE-B18: admission can name the construct instead of failing to parse."""
    (item,) = _read(text).tree.items
    assert type(item) is kind
    assert what in {getattr(item, name, "") for name in ("what", "name", "kind")}
    assert text[item.span.start : item.span.end] == text


MEMBERS = [
    ("function Run() : String { return a; }", Function),
    ("string Run() { }", Function),
    ("public override Int Run(Int a) { while (a) { break; } }", Function),
    ("init { X = 1; if (a) { b(); } }", Init),
    ("init X = 1;", Init),
    ("prototype Inner : Place { X = 1; }", Prototype),
    ("prototype Inner;", Prototype),
    ("static readonly String X = 1;", Field),
    ("List<Int>[] X;", Field),
    ("Town::Quay? X = null;", Field),
    ("String init;", Field),
    ("String = 1;", Assignment),
]


@pytest.mark.parametrize(("text", "kind"), MEMBERS)
def test_what_is_no_plain_property_is_recognised_in_a_body(text: str, kind: type) -> None:
    """CASE-B08 CASE-B09 CASE-B10 CASE-B14."""
    found = _prototype(f"prototype Quay {{ {text} }}").members
    assert [type(member) for member in found] == [kind]


@pytest.mark.parametrize("target", ["Other.Path", "Town::Quay", "A[0]", "A.B.C"])
def test_an_assignment_to_something_else_than_a_property_is_marked(target: str) -> None:
    """CASE-B28."""
    (member,) = _prototype(f"prototype Quay {{ {target} = 1; }}").members
    assert isinstance(member, Assignment)
    assert (member.plain, member.name) == (False, target)


EXPRESSIONS = [
    ("a + b", "operator `+`"),
    ("a >> b", "operator `>>`"),
    ("a >>= b", "operator `>>=`"),
    ("!a", "operator `!`"),
    ("-a", "operator `-`"),
    ("--1", "operator `--`"),
    ("a++", "operator `++`"),
    ("a ? b : c", "operator `? :`"),
    ("a typeof B", "operator `typeof`"),
    ("a !is B", "operator `!is`"),
    ("a -> B { c, d == e }", "operator `->`"),
    ("a => b", "lambda"),
    ("a => { return b; }", "lambda"),
    ("a(1, 2)", "call"),
    ("a<B>(1)", "call"),
    ("a.b", "member access"),
    ("a?.b(1)[2].c", "member access"),
    ("a[0].b", "index"),
    ("(a)", "parentheses"),
    ("new A(1)", "new A"),
    ("new A { B = 1, { 2, 3 } }", "new A"),
    ("new A[3]", "new array"),
    ("new A", "new A"),
]


@pytest.mark.parametrize(("text", "what"), EXPRESSIONS)
def test_an_expression_beyond_a_value_says_what_it_is(text: str, what: str) -> None:
    """INV-I5: read, never evaluated; refused by admission as a construct, not as unreadable."""
    value = _value(text)
    assert isinstance(value, Computed)
    assert value.what == what
    offset = len("prototype Quay : Place { X = ")
    assert (value.span.start - offset, value.span.end - offset) == (0, len(text))


def test_annotations_belong_to_the_next_declaration() -> None:
    """CASE-B12: kept as data, with arguments, never called."""
    quay, run = _read(
        '[Marked("x", -1)] [Plain] include "a.pts"; prototype Quay { [Deep] String Name; } [Loud()] function F() : Int;'
    ).tree.items[1:]
    assert isinstance(quay, Prototype)
    assert isinstance(run, Function)
    marked, plain = quay.annotations
    assert (marked.name, len(marked.arguments), marked.bare, plain.bare) == ("Marked", 2, False, True)
    assert marked.text == '[Marked("x", -1)]'
    (field,) = quay.members
    assert isinstance(field, Field)
    assert [found.name for found in field.annotations] == ["Deep"]
    assert [found.name for found in run.annotations] == ["Loud"]


def test_an_annotation_that_belongs_to_nothing_stays_in_the_tree() -> None:
    """The reference drops it; we show it and report it."""
    parsed = parse("prototype Quay; [Marked]")
    assert not parsed.ok
    assert isinstance(parsed.tree.items[-1], Annotation)


def test_a_tree_of_what_could_be_read_is_given_beside_the_findings() -> None:
    """R94: one wrong member costs that member only."""
    parsed = parse("prototype A { X = ; Y = 2; function F( : Int { a = 1; } Z = 3; } prototype B;")
    assert not parsed.ok
    first, second = parsed.tree.prototypes
    assert [member.name for member in first.members if isinstance(member, Assignment)] == ["Y", "Z"]
    assert second.name == "B"


@pytest.mark.parametrize("enabled", [True, False])
def test_reading_a_large_text_leaves_the_collector_as_it_was(enabled: bool) -> None:  # noqa: FBT001 - the case
    """A large text is read with the collector paused; nothing else may notice."""
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        assert len(_read("prototype Quay { Depth = 4; }\n" * 3_000).tree.prototypes) == 3_000
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_an_empty_text_is_an_empty_file() -> None:
    """Blank text, comments and a byte-order mark alone declare nothing."""
    for text in ("", " \r\n", "// a", "/* a */ # b", "\ufeff"):
        assert _read(text).tree.items == ()

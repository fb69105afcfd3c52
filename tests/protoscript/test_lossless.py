"""The tree holds every byte, whatever the text is; and what stands around a mistake comes out all the same."""

import gc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ferrule.protoscript import syntax
from ferrule.protoscript.lexer import lex
from ferrule.protoscript.lossless import leaves, pieces, text, tokens_of
from ferrule.protoscript.reading import Parsed, parse
from ferrule.protoscript.summary import summarise
from ferrule.protoscript.syntax import ErrorNode, File, Function, Name, Node, Prototype, Text
from ferrule.protoscript.tokens import END, Token
from ferrule.protoscript.walking import children, height, walk

REACH = 3
"""How many lines before a change its first finding may stand: where the construct begins that it breaks."""

PROGRAM = (Path(__file__).parent / "cases" / "program.pts").read_text(encoding="utf-8")

TOKENS = r"""
    prototype partial extern namespace function init include if else for foreach while do switch case try catch new
    return yield typeof is true null A B#1 Name Int 1 2.5 007 "a"
    @"b" $"{c}" $$"d" 'e' { } ( ) [ ] < > ; : , . = == => ->
    -> ?. ?? ! - ++ + * / % & | ^ ~ ? # @ $ ' " @" /* */ // \\ ½ 😀
""".split()  # noqa: SIM905 - a page of words reads better
SOUP = st.lists(st.sampled_from([*TOKENS, "\n", "\r\n", "\r", "\ufeff", "\x00", "\u3000"]), max_size=60).map(" ".join)
RAW = st.text() | st.text(alphabet="aA1_#\"'@$/*\\ \n\r\t{}[]()<>!=&|+-.,:;?^~%`é\ufeff\ud800\u2028")


def _check(parsed: Parsed) -> None:
    """Every token is reached once, and every node lies inside of the one around it, behind the one before it."""
    reached = list(leaves(parsed, parsed.tree))
    assert reached == list(parsed.tokens)
    for node in walk(parsed.tree):
        assert 0 <= node.span.start <= node.span.end <= len(parsed.source.text)
        at = node.span.start
        for child in children(node):
            assert at <= child.span.start
            assert child.span.end <= node.span.end
            at = child.span.end


@given(RAW | SOUP)
@example("\ufeff\ufeffprototype A;")
@example("/*")
@example('x = @"')
@example("prototype A { function F() : Int {\nprototype B { } }")
def test_every_text_comes_back_from_its_tree(source: str) -> None:
    """R57: byte for byte, marks and line ends of every kind included; and it is read the same way again."""
    parsed = parse(source)
    assert text(parsed) == source
    _check(parsed)
    assert parse(source) == parsed
    assert parsed.ok == all(found.severity == "warning" for found in parsed.diagnostics)


def test_a_program_with_every_construct_is_read_without_a_finding() -> None:
    """Every kind of node but the error node is in it, so that the properties below speak of all of them."""
    parsed = parse(PROGRAM)
    assert parsed.clean, [found.render() for found in parsed.diagnostics]
    _check(parsed)
    abstract = {Node, syntax.Computed, syntax.Statement, ErrorNode}
    kinds = {kind for kind in vars(syntax).values() if isinstance(kind, type) and issubclass(kind, Node)}
    assert {type(node) for node in walk(parsed.tree)} == kinds - abstract


def _words(source: str) -> list[str]:
    """The tokens, each with the trivia before it."""
    return [token.trivia + token.text for token in lex(source)]


WORDS = _words(PROGRAM)


@given(st.integers(0, len(WORDS) - 2), st.sampled_from(["drop", "double", "swap"]))
def test_a_token_too_few_or_too_many_is_reported_where_it_is_or_does_no_harm(at: int, change: str) -> None:
    """R94: a finding with a place in the text, not before the change (but for the declaration that it breaks)."""
    words = list(WORDS)
    if change == "drop":
        del words[at]
    elif change == "double":
        words.insert(at, " " + words[at])
    else:
        words[at : at + 2] = [" " + words[at + 1], " " + words[at]]
    source = "".join(words)
    parsed = parse(source)
    assert text(parsed) == source
    _check(parsed)
    for found in parsed.diagnostics:
        assert found.render()
        assert parsed.source.position(found.span.start) == (found.line, found.column)
        assert found.severity == "warning" or found.hint
    if not parsed.ok:
        changed = len("".join(WORDS[:at]))
        first = parsed.diagnostics[0]
        assert first.line >= parsed.source.position(changed)[0] - REACH


@pytest.mark.parametrize("at", [index for index, word in enumerate(WORDS) if word.strip() == ";"])
def test_a_missing_semicolon_is_reported_in_the_gap(at: int) -> None:
    """R94: right behind the token before it, whatever follows, with the hint that mends it."""
    source = "".join([*WORDS[:at], *WORDS[at + 1 :]])
    parsed = parse(source)
    if parsed.ok:
        # A function without a body takes the statement behind it for one.
        assert "Main() : Int" in source[: len("".join(WORDS[:at]))]
        return
    first, *_ = parsed.diagnostics
    assert first.span.start == len("".join(WORDS[:at]))
    if first.code == "missing-semicolon":
        assert first.hint == "put `;` here"
        mended = source[: first.span.start] + ";" + source[first.span.start :]
        assert parse(mended).clean


def _names(parsed: Parsed) -> list[str]:
    return [node.name for node in walk(parsed.tree) if isinstance(node, Prototype)]


GARBAGE = SOUP.filter(lambda found: not {"/*", '@"', "namespace"} & set(found.split(" ")))


@settings(max_examples=400)
@given(GARBAGE)
def test_the_declarations_around_a_mistake_come_out(garbage: str) -> None:
    """Whatever stands between them: open braces, open texts, anything that ends."""
    source = f"prototype First : A\n{{\n\tX = 1;\n}}\n{garbage}\nprototype Last : B\n{{\n\tY = 2;\n}}\n"
    names = _names(parse(source))
    assert names[0] == "First"
    assert "Last" in names


INSIDE = [
    ("a missing brace of a function", "\tfunction F() : Int {\n\t\tx = 1;\n\n\tfunction G() : Int { }\n"),
    ("a missing quote", '\tName = "north;\n\tDepth = 4;\n'),
    ("a missing parenthesis", "\tfunction F() : Int { return f(a; }\n\tfunction G() : Int { }\n"),
    ("a missing bracket", "\tX = [1, 2;\n"),
    ("a brace too many", "\tX = { 1 };\n"),
    ("a broken statement", "\tfunction F() : Int { x = ; y = 1; if (; z(); }\n"),
    ("no name", "\tprototype { }\n"),
    ("no base", "\tprototype In : { Z = 1; }\n"),
    ("a sentence", "\tthe quay is deep.\n"),
]


@pytest.mark.parametrize(("body", "mended"), [(body, title) for title, body in INSIDE])
def test_members_and_declarations_around_a_broken_member_come_out(body: str, mended: str) -> None:
    """One prototype before, one around, one after; members before and after."""
    source = f"prototype A;\n\nprototype B\n{{\n\tFirst = 1;\n{body}\tLast = 2;\n}}\n\nprototype C\n{{\n}}\n"
    parsed = parse(source)
    assert not parsed.ok, mended
    names = [node.name for node in parsed.tree.prototypes]
    assert [name for name in names if name] == ["A", "B", "C"]
    (around,) = (node for node in parsed.tree.prototypes if node.name == "B")
    members = {getattr(member, "name", "") for member in around.members}
    assert {"First", "Last"} <= members


def test_several_independent_mistakes_are_each_reported_at_their_place() -> None:
    """R94: header, field, statement, text and bracket of one file."""
    source = (
        "prototype A : { }\n"
        "prototype B { Int = ; X = 1; }\n"
        "function F() : Int { return 1 }\n"
        'prototype C { Name = "x\n}\n'
        "prototype D { L = [1, 2; }\n"
        "prototype E { Y = 007; }\n"
    )
    found = [(one.line, one.column, str(one.code)) for one in parse(source).diagnostics]
    assert found == [
        (1, 14, "expected-name"),
        (2, 21, "expected-value"),
        (3, 30, "missing-semicolon"),
        (4, 22, "unterminated-string"),
        (6, 24, "unexpected-token"),
        (7, 19, "bad-number"),
    ]


def test_what_could_not_be_read_is_a_node_of_its_own() -> None:
    """With the code that says why, from its first token to its last."""
    source = "[T] prototype A B; x = ; prototype C { D E F; }"
    parsed = parse(source)
    nodes = [node for node in walk(parsed.tree) if isinstance(node, ErrorNode)]
    assert [(str(node.code), text(parsed, node)) for node in nodes] == [
        ("unexpected-token", "[T] prototype A B;"),
        ("expected-value", "x = ;"),
        ("missing-semicolon", "D E F;"),
    ]


def test_pieces_are_own_tokens_and_children_in_order() -> None:
    """What a formatter walks over."""
    parsed = parse("f(a /* c */, b);")
    (statement,) = parsed.tree.items
    shown = [found.text if isinstance(found, Token) else text(parsed, found) for found in pieces(parsed, statement)]
    assert shown == ["f(a /* c */, b)", ";"]
    (call,) = children(statement)
    found = [one.text if isinstance(one, Token) else type(one).__name__ for one in pieces(parsed, call)]
    assert found == ["f", "(", "Name", ",", "Name", ")"]
    assert [token.trivia for token in tokens_of(parsed, call)] == ["", "", "", " /* c */", " ", ""]
    assert next(iter(tokens_of(parse(""), parse("").tree))).kind == END


def test_the_expressions_of_an_interpolated_text_have_their_true_places() -> None:
    """They lie inside of one token, so the token is not split, but they are in the tree."""
    source = 'x = $"a{b.c} {1 + 2}";'
    parsed = parse(source)
    (found,) = (node for node in walk(parsed.tree) if isinstance(node, Text))
    assert [text(parsed, hole) for hole in found.holes] == ["b.c", "1 + 2"]
    assert children(found) == found.holes
    assert [token.text for token in leaves(parsed, found)] == ['$"a{b.c} {1 + 2}"']


NESTS: list[tuple[str, str, str, str, str]] = [
    ("x = ", "[", "1", "]", ";"),
    ("x = ", "(", "1", ")", ";"),
    ("x = ", "f(", "1", ")", ";"),
    ("x = ", "a || b && c | d ^ e & f == g < h << i + j * (", "1", ")", ";"),
    ("x = ", "(", "1", ") * j + i << h < g == f & e ^ d | c && b || a", ";"),
    ("x = ", "new A(", "1", ")", ";"),
    ("x = ", "a.b(", "1", ")", ";"),
    ("x = ", "a[", "1", "]", ";"),
    ("x = ", "a -> B { ", "1", " }", ";"),
    ("x = ", "a ? b : ", "1", "", ";"),
    ("x = ", "a ? ", "1", " : b", ";"),
    ("x = ", "a => ", "1", "", ";"),
    ("", "{ ", "", "}", ""),
    ("", "if (a) ", "b();", "", ""),
    ("", "if (a) b(); else { ", "b();", "}", ""),
    ("", "for (;;) ", "b();", "", ""),
    ("", "foreach (A b in c) ", "b();", "", ""),
    ("", "do { ", "b();", "} while (a);", ""),
    ("", "switch (a) { case 1: ", "b();", "}", ""),
    ("", "try { } catch (A b) { ", "b();", "}", ""),
    ("", "function F() : A { ", "b();", "}", ""),
    ("", "prototype A { ", "B = 1;", "}", ""),
]


def _deeper(frames: int, work: Callable[[], Parsed]) -> Parsed:
    return work() if frames == 0 else _deeper(frames - 1, work)


@pytest.mark.parametrize("parts", NESTS, ids=lambda parts: parts[1])
def test_what_nests_is_read_to_the_limit_and_never_further(parts: tuple[str, str, str, str, str]) -> None:
    """CASE-I04: 250 levels, from a stack that is in use already; beyond the limit one finding and no RecursionError."""
    head, opening, middle, closing, tail = parts
    for levels in (250, 300, 5_000):
        source = head + opening * levels + middle + closing * levels + tail
        parsed = _deeper(100, lambda: parse(source))  # noqa: B023 - called at once
        assert [str(found.code) for found in parsed.diagnostics] == ([] if levels == 250 else ["too-deep"])
        assert text(parsed) == source
        assert summarise(parsed.tree)
        assert height(parsed.tree) < 4_000


def test_nodes_are_values_that_nothing_can_change() -> None:
    """They compare by content, and a field once set stays."""
    first, second = parse("x;").tree, parse("x;").tree
    assert first == second
    assert hash(first) == hash(second)
    assert isinstance(first, File)
    (name,) = (node for node in walk(first) if isinstance(node, Name))
    with pytest.raises(AttributeError):
        name.name = "y"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del name.name
    with pytest.raises(TypeError):
        Name("x")  # type: ignore[call-arg]


def test_a_large_text_is_not_walked_by_the_collector_afterwards() -> None:
    """What was read is old at once: the young generation is empty behind it."""
    source = "function F() : Int { a = b + c; }\n" * 3_000
    parsed = parse(source)
    assert len(parsed.tree.items) == 3_000
    assert isinstance(parsed.tree.items[0], Function)
    assert gc.get_count()[0] < 2_000

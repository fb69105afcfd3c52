"""Code that few people write: how it is formatted, summarised and bounded, and what is done with an unsound result."""

import gc

import pytest

from ferrule.protoscript import formatting
from ferrule.protoscript.diagnostics import Diagnostic, DiagnosticCode
from ferrule.protoscript.formatting import format_source
from ferrule.protoscript.layout import Layout
from ferrule.protoscript.reading import Limits, parse
from ferrule.protoscript.summary import Json, summarise
from ferrule.protoscript.syntax import Span


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = new A{B=1} .c ;", "x = new A { B = 1 }.c;\n"),
        ("x = new A { } ?.c() ;", "x = new A { }?.c();\n"),
        ("each  =>turn(each)+1 ;", "each => turn(each) + 1;\n"),
        ("x = ! a+b  + - c;", "x = !a + b + -c;\n"),
        ("await  go ( ) ;", "await go();\n"),
        ("x = a ! is  B;", "x = a ! is B;\n"),
        ("x = a !is B>> c;", "x = a !is B >> c;\n"),
        ("x;\n\n\n// last", "x;\n\n// last\n"),
        ("x; # last", "x; # last\n"),
        ("prototype A\n{ // in\n}", "prototype A\n{ // in\n}\n"),
    ],
)
def test_small_texts(text: str, told: str) -> None:
    """Links behind braces, short lambdas, prefixes, operators of two tokens, comments at the end without a line end."""
    done = format_source(text)
    assert (done.text, done.ok, done.kept) == (told, True, False)
    assert format_source(told).text == told


def test_a_result_that_is_not_the_same_text_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the formatter changes no one's file: told as kept, with nothing said against the text."""
    text = "x = a  >> b;"
    assert format_source(text).text == "x = a >> b;\n"
    monkeypatch.setattr(formatting, "layout", lambda _: Layout(spaced={7, 8}))  # the two `>` are no operator any more
    done = format_source(text)
    assert (done.text, done.kept, done.diagnostics) == (text, True, ())


def test_a_finding_without_a_line_or_a_hint_is_one_line() -> None:
    """R94: no empty line with a lone caret below it, and no empty hint."""
    found = Diagnostic(DiagnosticCode.BAD_NUMBER, "no number", Span(0, 0), 3, 7)
    assert found.render() == "3:7: bad-number: no number"


def test_reading_leaves_alone_what_somebody_froze() -> None:
    """Who has frozen objects for the collector finds them frozen afterwards, and the collector as it was."""
    text = "prototype Quay;\n" * 5_000
    gc.freeze()
    try:
        assert parse(text).ok
        assert gc.get_freeze_count() > 0
        assert gc.isenabled()
    finally:
        gc.unfreeze()
    gc.disable()
    try:
        assert parse(text).ok
        assert not gc.isenabled()
    finally:
        gc.enable()


CALLED: Json = {"op": ".", "l": {"name": "B"}, "r": {"call": "C", "args": []}}
CODE: list[tuple[str, Json]] = [
    ("new A { B = 1 };", [{"name": "B", "value": {"int": "1"}}]),
    ("new A { B.C = 1 };", [{"name": "B.C", "value": {"int": "1"}}]),
    ("new A { B.C() = 1 };", [{"value": {"op": "=", "l": CALLED, "r": {"int": "1"}}}]),
    ("new A { f() = 1 };", [{"value": {"op": "=", "l": {"call": "f", "args": []}, "r": {"int": "1"}}}]),
    ("new A { 1 };", [{"value": {"int": "1"}}]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "filled"), CODE)
def test_what_an_initializer_fills_is_named_where_it_is_a_name(text: str, filled: Json) -> None:
    """DEC-D11: names joined by points are one name; a call is no place to put a value, and is kept as it stands."""
    expected: Json = {"s": "expr", "e": {"new": "A", "args": [], "init": filled}}
    assert summarise(parse(text).tree) == {"statements": [expected]}


def test_an_annotation_of_nothing_is_in_no_summary() -> None:
    """DEC-D11: it is told as a finding, and the reference drops it."""
    parsed = parse("prototype A; [Marked]")
    assert [str(found.code) for found in parsed.diagnostics] == ["dangling-annotation"]
    assert summarise(parsed.tree) == {"prototypes": [{"name": "A"}]}


@pytest.mark.parametrize(
    ("text", "limits", "found"),
    [
        ("prototype A { ; ; X = 1; }", Limits(problems=1), [("not-a-member", 15), ("too-many-problems", 17)]),
        ('x = $"' + "{a}" * 256 + '";', Limits(), []),
        ('x = $"' + "{a}" * 257 + '";', Limits(), [("too-deep", 5)]),
        ('x = $"{' + "(" * 300 + "a" + ")" * 300 + '}";', Limits(), [("too-deep", 611)]),
        ("a[" + "1 + " * 700 + "1] = 2;", Limits(), []),
        ("x = a + await;", Limits(), [("expected-value", 9)]),
    ],
    ids=["problems", "holes", "holes-too-many", "hole-too-deep", "long-index", "prefix-without-operand"],
)
def test_what_is_beyond_a_bound_is_told_once(text: str, limits: Limits, found: list[tuple[str, int]]) -> None:
    """CASE-I04: one finding at its place, and what is only long is no more than that."""
    assert [(str(one.code), one.column) for one in parse(text, limits).diagnostics] == found

"""Short texts with one odd place each: what is told, where, and that reading and printing lose nothing."""
# ruff: noqa: E501 - tables of cases keep one case a line

import pytest

from ferrule.protoscript import lossless
from ferrule.protoscript.printer import print_file
from ferrule.protoscript.reading import parse
from ferrule.protoscript.summary import summarise
from ferrule.protoscript.walking import children, height, walk

# A text, and each finding: its code, the text that it is about, line and column.
ODD: list[tuple[str, list[tuple[str, str, int, int]]]] = [
    ("prototype A { X = new B() { C = 1, }; }", [("STRAY_COMMA", ",", 1, 34)]),
    ("prototype A { X = new B[] { 1 }; }", [("UNEXPECTED_TOKEN", "{", 1, 27)]),
    ("prototype A { X = new B(1, 2) { C = 1, { 2 } }; }", []),
    ("prototype A { X = new B[1, 2]; }", []),
    ('reference "lib/a.dll";', []),
    ('reference "lib/a.dll" Lib;', []),
    ('reference A.B "c";', []),
    ("include ;", [("BAD_INCLUDE", ";", 1, 9)]),
    ('include "a.pts', [("UNTERMINATED_STRING", '"', 1, 9)]),
    ('include $"a";', []),
    ("include a/b c;", [("BAD_INCLUDE", "c", 1, 13)]),
    ("include a/b.pts;", []),
    ('include @"a";', []),
    ("import A B;", []),
    ("import A B.C;", []),
    ("import A B.C D;", []),
    ('import "A" "B" C;', []),
    ("import A;", [("BAD_IMPORT", ";", 1, 9)]),
    ("import A / B;", [("BAD_IMPORT", "/", 1, 10)]),
    ("using static A.B;", []),
    ("using A;", []),
    ('using "A";', []),
    ("namespace N { prototype A { }", [("UNCLOSED", "", 1, 30)]),
    ("namespace N { [X] }", [("DANGLING_ANNOTATION", "[X]", 1, 15)]),
    ("partial A;", [("UNEXPECTED_TOKEN", "A", 1, 9)]),
    ("extern int x;", []),
    ("extern prototype A;", []),
    ("prototype A { int F(", [("EXPECTED_NAME", "", 1, 21), ("UNCLOSED", "", 1, 21)]),
    ("prototype A { B F<C>() { } }", [("MISSING_SEMICOLON", "", 1, 18)]),
    ('prototype A { X = $"a{b}c{}"; }', [("EXPECTED_VALUE", '$"a{b}c{}"', 1, 19)]),
    ('prototype A { X = $"{a b}"; }', [("EXPECTED_VALUE", '$"{a b}"', 1, 19)]),
    ('prototype A { X = $"a{b"; }', [("EXPECTED_VALUE", '$"a{b"', 1, 19)]),
    ('prototype A { X = $"{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}{a}"; }', []),
    ('prototype A { X = $"{((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((a))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))}"; }', []),
    ("prototype A { B this; }", []),
    ("prototype A { B C { get } }", [("UNEXPECTED_TOKEN", "", 1, 18)]),
    ("prototype A { B C = { 1 }; }", [("EXPECTED_VALUE", "{", 1, 21)]),
    ("prototype A { [X] init { } }", [("DANGLING_ANNOTATION", "[X]", 1, 15)]),
    ("prototype A { init = 1; }", [("RESERVED_WORD", "=", 1, 20)]),
    ("prototype A { this.B = 1; }", []),
    ("prototype A { if.B = 1; }", [("RESERVED_WORD", "if", 1, 15)]),
    ("x = await;", [("EXPECTED_VALUE", "await", 1, 5)]),
    ("x = await y;", []),
    ("x = - 1;", []),
    ("x = -1;", []),
    ("x = a.b<C>(1);", []),
    ("x = a.b<C;", []),
    ("x = a\n[b]\nprototype A { }", [("MISSING_SEMICOLON", "", 1, 6)]),
    ("x = a\n[b] c = 1;", [("MISSING_SEMICOLON", "", 1, 6), ("ANNOTATION_DETACHED", "[b]", 2, 1), ("DANGLING_ANNOTATION", "[b]", 2, 1)]),
    ("prototype A : ;", [("EXPECTED_NAME", "", 1, 14)]),
    ("prototype A : B, { }", [("EXPECTED_NAME", "", 1, 17)]),
    ("prototype A extends B { }", []),
    ("prototype A : B", [("UNCLOSED", "", 1, 16)]),
    ("prototype A { prototype B { }", [("UNCLOSED", "", 1, 30)]),
    ("function F(int a) : Int { do { a = 1; } while (a); }", []),
    ("do x;", [("UNEXPECTED_TOKEN", "", 1, 3)]),
    ("do { } x;", [("UNEXPECTED_TOKEN", "", 1, 7)]),
    ("foreach (A b of c) { }", [("UNEXPECTED_TOKEN", "", 1, 13)]),
    ("foreach (A b in c) { }", []),
    ("try { } catch (A b) { } catch { } finally { }", []),
    ("switch (a) { case 1: break; default: continue; }", []),
    ("function F() : Int { yield break; }", []),
    ("function F() : Int { yield return 1; }", []),
    ("function F() : Int { yield return; }", [("UNEXPECTED_TOKEN", "", 1, 27)]),
    ("yield x;", [("UNEXPECTED_TOKEN", "", 1, 6)]),
    ("x = nameof(A);", []),
    ("x = nameof(a.b);", []),
    ("x = nameof();", []),
    ("x = initialized(a);", []),
    ("x = initialized();", [("EXPECTED_VALUE", "", 1, 18)]),
    ("x = a -> B { c, d };", []),
    ("x = a -> B { };", []),
    ("function = 1;", [("EXPECTED_NAME", "=", 1, 10)]),
    ("x = [1, 2", [("UNCLOSED", "", 1, 10)]),
    ("x = (1", [("UNCLOSED", "", 1, 7)]),
    ("int x[](", [("MISSING_SEMICOLON", "", 1, 6)]),
    ("a[;", [("EXPECTED_VALUE", ";", 1, 3)]),
    ("{ { }", [("UNCLOSED", "", 1, 6)]),
    ("} }", [("UNEXPECTED_TOKEN", "}", 1, 1), ("UNEXPECTED_TOKEN", "}", 1, 3)]),
    ("x = 1 2;", [("MISSING_SEMICOLON", "", 1, 6)]),
    ("prototype A { 1 }", [("NOT_A_MEMBER", "1", 1, 15)]),
    ("[[[[[", [("ANNOTATION_NOT_A_CALL", "[", 1, 1)]),
    ("prototype A { [X] }", [("DANGLING_ANNOTATION", "[X]", 1, 15)]),
    ("x = a.b[1]++;", []),
    ("x = a.;", [("EXPECTED_NAME", ";", 1, 7)]),
    ("x = a as B;", []),
    ("x = out;", [("EXPECTED_VALUE", "out", 1, 5)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ODD)
def test_each_finding_is_told_at_its_place(text: str, expected: list[tuple[str, str, int, int]]) -> None:
    """R57, R82: what cannot be read is told once, where it stands; the rest is read."""
    found = parse(text).diagnostics
    told = [(one.code.name, text[one.span.start : one.span.end][:12], one.line, one.column) for one in found]
    assert told == expected
    assert all(one.message and not one.message.endswith(".") for one in found)


@pytest.mark.parametrize("text", [text for text, _ in ODD])
def test_no_token_is_lost(text: str) -> None:
    """R51: the tree holds the text, each token once, whatever could not be read."""
    parsed = parse(text)
    assert lossless.text(parsed) == text
    assert [token.text for token in lossless.leaves(parsed, parsed.tree)] == [token.text for token in parsed.tokens]
    nodes = list(walk(parsed.tree))
    assert height(parsed.tree) == 1 + max((height(one) for one in children(parsed.tree)), default=0)
    assert len(nodes) == 1 + sum(len(list(walk(one))) for one in children(parsed.tree))


@pytest.mark.parametrize("text", [text for text, expected in ODD if not expected])
def test_what_is_printed_reads_the_same(text: str) -> None:
    """R51, DEC-D11: the canonical text means what was written, and is its own canonical text."""
    parsed = parse(text)
    printed = print_file(parsed.tree)
    again = parse(printed)
    assert again.diagnostics == ()
    assert summarise(again.tree) == summarise(parsed.tree)
    assert print_file(again.tree) == printed

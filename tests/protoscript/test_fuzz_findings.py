"""What the fuzz campaign and the second grammar have found, each as short as it can be, and mended."""

import pytest
from proofs.reading import costly, wrong

from ferrule.protoscript.reading import parse

FOUND = [
    ("an index that begins its line was taken for an annotation", "x = a\n[0][1];", ()),
    ("the same, on lines of its own", "x = a\n[0]\n[1]\n[2] is B;", ()),
    ("an annotation behind a forgotten `;` still is one", "x = a\n[A]\n[B]\nprototype C;", ("missing-semicolon",)),
    ("an open text in a where clause was read as part of it", 'prototype y where"\n,{}', ("unterminated-string",)),
    ("two signs in the brackets of a type were written as one", "x[a- -c]d;", ()),
    ("a lone quote there likewise", "prototype y<T>where'\t '{}", ("bad-character",)),
    ("an open comment there likewise", "prototype y where T /* {}", ("unterminated-comment",)),
]


@pytest.mark.parametrize(("text", "codes"), [case[1:] for case in FOUND], ids=[case[0] for case in FOUND])
def test_what_was_found_stays_mended(text: str, codes: tuple[str, ...]) -> None:
    """R57, R94: the findings of the text, and everything that the campaign asks of any text."""
    assert tuple(str(found.code) for found in parse(text).diagnostics) == codes
    assert not wrong(text)
    assert not costly(text)


def test_a_long_run_of_brackets_is_looked_at_once() -> None:
    """Every line might begin an annotation; telling costs a bounded number of calls each."""
    assert not costly("x = a" + "\n[0]" * 2_000 + ";")


def test_two_deep_trees_are_compared() -> None:
    """CASE-I04: by content, however deep they nest; what differs far down, or in one place, is told apart."""
    deep = "if(a)" * 250
    assert parse(deep + "b();") == parse(deep + "b();")
    assert hash(parse(deep + "b();").tree) == hash(parse(deep + "b();").tree)
    assert parse(deep + "b();").tree != parse(deep + "c();").tree
    assert parse(deep + "b();").tree != parse(deep + "5 ;").tree
    assert parse("f(1);").tree != parse("f( );").tree
    assert parse("f(1);").tree != "f(1);"

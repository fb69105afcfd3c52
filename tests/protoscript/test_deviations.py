"""Where we read otherwise than the reference on purpose (reference/protoscript.md section 10), one line each.

The rows of `quirks.QUIRKS` are pinned first: one for each tag of the conformance data. Then further cases; their second
column says what the reference does. A change here is a decision, not an accident.
"""

import json
from collections import defaultdict
from pathlib import Path

import pytest

from ferrule.protoscript.quirks import QUIRKS, Quirk
from ferrule.protoscript.reading import parse

ORACLE = Path(__file__).parents[3] / "shared" / "oracle" / "parse.jsonl"

REFUSED = [
    ("prototype 1A;", "any run of characters is a name", "bad-identifier"),
    ("prototype A\u200bB;", "zero-width characters are part of a name", "bad-identifier"),
    ('prototype "A";', "quotes are part of a name", "expected-name"),
    ("prototype 😀;", "emoji are part of a name", "bad-identifier"),
    ("prototype #A;", "a word may start with #", "bad-identifier"),
    ("prototype A\\B;", "a backslash is part of a name", "bad-identifier"),
    ("prototype null;", "keywords are names", "reserved-word"),
    ("prototype A : partial;", "keywords are bases", "reserved-word"),
    ("prototype A { true X; }", "keywords are types", "reserved-word"),
    ("prototype A { X = extern; }", "keywords are values", "expected-value"),
    ("prototype A { X = 007; }", "007 is an integer", "bad-number"),
    ("prototype A { X = 1e5; }", "1e5 is an integer", "bad-number"),
    ("prototype A { X = 0x1F; }", "0x1F is a name", "bad-number"),
    ("prototype A { X = 1_000; }", "1_000 is a name", "bad-number"),
    ("prototype A { X = 1.5d; }", "1.5d is a name", "bad-number"),
    ("prototype A { X = @; }", "@ alone is a string", "bad-character"),
    ('prototype A { X = @ "x"; }', "@ and a string may stand apart", "bad-character"),
    ("prototype A { X = [1 2]; }", "commas in lists are optional", "missing-comma"),
    ("prototype A { X = [1,,2]; }", "empty elements are skipped", "stray-comma"),
    ("prototype A { String[,] X; }", "stray commas in brackets are skipped", "stray-comma"),
    ("prototype A { X = B!; }", "a postfix ! is dropped", "missing-semicolon"),
    ("prototype A; /* open", "a comment may stay open", "unterminated-comment"),
    ("prototype A; [Marked]", "an annotation at the end is dropped", "dangling-annotation"),
    ("[5] prototype A;", "an annotation is any expression", "annotation-not-a-call"),
    ('[A("x").B()] prototype A;', "an annotation is any expression", "annotation-not-a-call"),
    ("prototype A { return 1; }", "keywords are types", "reserved-word"),
    ("prototype A { abstract X = 1; }", "a modifier is a type", "not-a-member"),
]

FOLLOWED_OR_BETTER = [
    ("prototype A { X = B[0].C; }", "ends in an internal error"),
    ("\ufeffprototype A;", "a byte-order mark in a text is an error"),
    ("prototype A { String init; }", "follows: property names may be words"),
    ("prototype A { B.C = 1; }", "follows; admission refuses it"),
    ("prototype A<T> where T : B { }", "follows; admission refuses it"),
    ("partial partial prototype A;", "follows: repeated modifiers are ignored"),
    ("#!/usr/bin/env run\nprototype A;", "follows: # without a letter opens a comment"),
    ("prototype A { X = [1, 2,]; }", "follows: a trailing comma in a list"),
]


@pytest.mark.parametrize(("text", "reference", "code"), REFUSED)
def test_what_the_reference_accepts_by_accident_is_refused(text: str, reference: str, code: str) -> None:
    """OBS-M6 OBS-M14: each deviation is pinned."""
    found = [str(d.code) for d in parse(text).diagnostics if d.severity == "error"]
    assert found[:1] == [code], reference


@pytest.mark.parametrize(("text", "reference"), FOLLOWED_OR_BETTER)
def test_what_the_reference_accepts_or_should_accept_is_read(text: str, reference: str) -> None:
    """Reading stays as wide as the reference where nothing is lost by it."""
    assert parse(text).ok, reference


@pytest.mark.parametrize("quirk", QUIRKS, ids=lambda quirk: quirk.tag)
def test_what_is_done_about_a_quirk_is_pinned(quirk: Quirk) -> None:
    """R57: the codes of its example, in order; none means that it is read."""
    assert tuple(str(found.code) for found in parse(quirk.example).diagnostics) == quirk.codes


def test_each_quirk_has_one_row() -> None:
    """With a sentence about each side."""
    assert len({quirk.tag for quirk in QUIRKS}) == len(QUIRKS)
    assert all(quirk.what.endswith(".") and quirk.why.endswith(".") for quirk in QUIRKS)


@pytest.mark.shared
def test_every_tag_of_the_data_has_a_row_and_what_we_follow_has_the_same_verdict() -> None:
    """A line is told apart by the tags that we deviate on: without one, the verdict is the reference's."""
    rows = {quirk.tag: quirk for quirk in QUIRKS}
    apart = defaultdict(list)
    with ORACLE.open(encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            tags = line.get("quirks", [])
            assert set(tags) <= set(rows)
            if line.get("quirk") and parse(line["source"]).ok != line["ok"]:
                decisions = {rows[tag].decision for tag in tags}
                apart["deviate" if "deviate" in decisions else "follow"].append((line["id"], tags))
    assert {tag for _, tags in apart["deviate"] for tag in tags} >= {q.tag for q in QUIRKS if q.decision == "deviate"}
    # `where` as the name of a prototype and of a base; a number, a text and a bad name as the target of an assignment.
    assert {tag for _, tags in apart["follow"] for tag in tags} == {
        "where-clause-ignored",
        "assignment-target-not-a-name",
    }
    assert len(apart["follow"]) == 4

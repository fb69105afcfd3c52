"""A second grammar, written from the reference and sharing nothing with our parser, accepts what ours accepts.

`tests/support/second_grammar.lark` is that grammar. It knows no order of guesses: a text is a program when any reading
is. Each difference that is wanted is a row of `WANTED`; any other is a fault of one of the two.
"""

import json
import random
import re
from pathlib import Path

import pytest
from programs import program
from second_reading import is_program

from ferrule.protoscript.lexer import lex
from ferrule.protoscript.reading import Parsed, parse

ORACLE = Path(__file__).parents[3] / "shared" / "oracle" / "parse.jsonl"
SHORT = 450
"""Longer programs take an Earley parser too long to try a hundred of them."""

WANTED = [
    (
        "short-form-with-body",
        "The reference has a finding of its own for braces behind `prototype X;`; to a grammar they are a block.",
        "prototype A; { x(); }",
        r"short-form-with-body",
    ),
    (
        "this-is-no-type",
        "`this` before a parameter is always the modifier, so it cannot be its type; the reference guesses likewise.",
        "function F(this a) : Int;",
        r"expected the parameter's name",
    ),
    (
        "type-arguments-where-a-name-ends",
        "`a<b>` is a name with type arguments only before `( ; , ) ] } .`; elsewhere the signs compare.",
        "x = a<b<c>> > d;",
        r"expected a value, not `>`|`;` is missing",
    ),
    (
        "a-sentence",
        "Four words in a row at the head of a statement get the message that they are a sentence.",
        "a is B as C;",
        r"this reads like a sentence",
    ),
    (
        "a-declaration-begins-the-line",
        "A word that opens declarations is no name at the head of its line: a forgotten name must not take it.",
        "prototype A { List<Int>\nfunction; }",
        r"not the next declaration",
    ),
    (
        "json-and-fences",
        "What begins as JSON is called JSON; a lone text would be a statement without its `;` anyway.",
        '{ "a": 1 }',
        r"json-text|fenced-text",
    ),
]


def changes(text: str, chance: random.Random, count: int) -> list[str]:
    """The text with one token dropped, doubled, exchanged with the next, or put elsewhere."""
    words = [token.trivia + token.text for token in lex(text)]
    found = []
    for _ in range(count):
        changed = list(words)
        at = chance.randrange(len(changed))
        changed[at : at + 1] = chance.choice(
            (
                [],
                [words[at], " " + words[at]],
                [" " + word for word in reversed(words[at : at + 2])],
                [words[at], " " + chance.choice(words)],
            )
        )
        found.append("".join(changed))
    return found


def told(parsed: Parsed) -> str:
    """Every finding in one text."""
    return "\n".join(found.render() for found in parsed.diagnostics)


def agree(text: str) -> bool:
    """Whether both say the same of a text, or differ in a way that is wanted."""
    parsed = parse(text)
    if parsed.ok == is_program(text):
        return True
    return not parsed.ok and any(re.search(pattern, told(parsed)) for _, _, _, pattern in WANTED)


@pytest.mark.parametrize("first", range(0, 80, 20))
def test_both_accept_the_same_programs_and_refuse_the_same_changes(first: int) -> None:
    """R57, R94: whole programs, and each of them with one token wrong."""
    accepted = refused = 0
    for seed in range(first, first + 20):
        text = program(seed)
        if len(text) > SHORT:
            continue
        assert is_program(text), (seed, text)
        for changed in changes(text, random.Random(seed), 4):  # noqa: S311 - chance under a seed is the point
            assert agree(changed), (seed, changed, told(parse(changed)))
            accepted += parse(changed).ok
            refused += not parse(changed).ok
    assert accepted
    assert refused


@pytest.mark.parametrize(("name", "text", "pattern"), [(row[0], row[2], row[3]) for row in WANTED])
def test_what_differs_differs_for_its_reason(name: str, text: str, pattern: str) -> None:
    """The second grammar accepts it (or it is no program to either), and ours names what it is."""
    assert re.search(pattern, told(parse(text)))
    assert is_program(text) or name == "json-and-fences"


@pytest.mark.shared
def test_the_second_grammar_has_the_verdicts_of_the_reference() -> None:
    """So it is no copy of our mistakes: on each short line that has no quirk."""
    tried = 0
    with ORACLE.open(encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            if not line.get("quirk") and len(line["source"]) <= 60:
                tried += 1
                assert is_program(line["source"]) == line["ok"], line["id"]
    assert tried > 500

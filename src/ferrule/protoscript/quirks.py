"""Where the reference does something odd, and what is done here: each row is a decision, pinned by a test.

The tags are those of the conformance data (`oracle/README.md`, parser). "follow" means that the verdict is the
reference's; "deviate" that it is not, on purpose. Owns the rows, for the page (`docs/grammar.md`) and the tests. Knows
nothing of how any of it is done.
"""

from dataclasses import dataclass
from typing import Literal

__all__ = ["QUIRKS", "Quirk"]


@dataclass(frozen=True, slots=True)
class Quirk:
    """One oddity: what the reference does, what is done here, why, and a text with the codes found in it."""

    tag: str
    what: str
    decision: Literal["follow", "deviate"]
    why: str
    example: str
    codes: tuple[str, ...] = ()


def _follow(tag: str, what: str, why: str, example: str, *codes: str) -> Quirk:
    return Quirk(tag, what, "follow", why, example, codes)


def _deviate(tag: str, what: str, why: str, example: str, *codes: str) -> Quirk:
    return Quirk(tag, what, "deviate", why, example, codes)


QUIRKS: tuple[Quirk, ...] = (
    _deviate(
        "odd-identifier",
        "Any run of characters that are no symbols is a name, invisible ones included.",
        "Two names that look the same must be the same; a typing mistake must not make a new thing.",
        "prototype 1Quay;",
        "bad-identifier",
    ),
    _deviate(
        "odd-type-name",
        "Numbers, texts and runs of other characters are types.",
        "No such type can be declared, so the property could never be read.",
        "prototype Quay { 5 Depth; }",
        "not-a-member",
    ),
    _deviate(
        "keyword-as-name",
        "Words of the language name definitions, bases and types.",
        "A definition called `null` hides the value. As names of properties they are read, as in the reference.",
        "prototype null { String init; }",
        "reserved-word",
    ),
    _deviate(
        "odd-number",
        "`007` and `1e5` are integers, `0x1F`, `1_000` and `1.5d` are names.",
        "A number that means something else than it shows is worse than an error. Ranges are admission's matter.",
        "prototype Quay { Depth = 007; }",
        "bad-number",
    ),
    _follow(
        "precedence",
        "The right side is read first: `a - b - c` is `a - (b - c)`, comparison binds tightest.",
        "What is accepted is the same. The tree has the usual order, since nothing is run here and people read it so.",
        "x = a - b - c * d;",
    ),
    _deviate(
        "bare-at-sign",
        "`@` alone is a text; `@` and its text may stand apart.",
        "It is a slip: the text was forgotten.",
        "prototype Quay { Name = @; }",
        "bad-character",
    ),
    _deviate(
        "list-without-commas",
        "Commas between the elements of a list are optional.",
        "A forgotten comma and a forgotten operator look the same.",
        "prototype Quay { Berths = [1 2]; }",
        "missing-comma",
    ),
    _deviate(
        "stray-comma",
        "Empty elements are skipped, in lists and in brackets of types.",
        "An element is missing; one comma at the end of a list is read, as in the reference.",
        "prototype Quay { Berths = [1,, 2]; }",
        "stray-comma",
    ),
    _deviate(
        "trailing-bang-dropped",
        "A `!` behind an operand is dropped.",
        "What is written must not vanish.",
        "prototype Quay { Owner = Ada!; }",
        "missing-semicolon",
    ),
    _deviate(
        "unterminated-comment",
        "A block comment may stay open to the end.",
        "All that follows would be lost in silence.",
        "prototype Quay; /* open",
        "unterminated-comment",
    ),
    _follow(
        "hash-at-token-start",
        "`#` opens a comment where no letter follows it.",
        "Scripts start so. A word that starts with `#` is no name, in any place (see odd-identifier).",
        "#! run\nprototype Quay; # done",
    ),
    _follow(
        "hash-word-is-not-a-comment",
        "`#x` is a word and no comment.",
        "It is refused as the name that it is not.",
        "#region quays\nprototype Quay;",
        "bad-identifier",
        "missing-semicolon",
    ),
    _deviate(
        "bom-in-text",
        "A byte-order mark is skipped in a file and refused in a text.",
        "A text comes from a file sooner or later; the mark is kept in the tree and given back.",
        "\ufeffprototype Quay;",
    ),
    _deviate(
        "annotation-dropped",
        "An annotation that nothing follows is dropped in silence.",
        "Something was meant to follow. One that stands before an assignment is a warning.",
        "prototype Quay; [Marked]",
        "dangling-annotation",
    ),
    _deviate(
        "annotation-not-a-call",
        "Any expression in brackets is an annotation.",
        "Only a call or a name can be one; the reference fails later, when it is compiled.",
        '["marked"] prototype Quay;',
        "annotation-not-a-call",
    ),
    _follow(
        "assignment-target-not-a-name",
        "A body assigns to a member of something else.",
        "It is read so that it can be named; admission refuses it. A number or a text as target is not read.",
        "prototype Quay { Town.Name = 1; }",
    ),
    _deviate(
        "non-assignment-in-body",
        "A modifier before a property is its type, and a variable is declared in the body.",
        "The property would silently not be assigned.",
        'prototype Quay { abstract Name = "x"; }',
        "not-a-member",
    ),
    _follow(
        "try-without-handler",
        "`try` needs neither `catch` nor `finally`.",
        "Nothing is run, so nothing is lost by reading it.",
        "try { } ",
    ),
    _follow(
        "extern-with-initializer",
        "An external variable may have a value.",
        "It is read and never given that value.",
        'extern String host = "quay";',
    ),
    _follow(
        "repeated-modifier",
        "Modifiers may be repeated.",
        "Nothing is lost; printing writes them once.",
        "partial partial prototype Quay;",
    ),
    _follow(
        "where-clause-ignored",
        "Whatever stands between `where` and the body is ignored.",
        "It is kept as text and read no further; `where` as a name is a reserved word here (see keyword-as-name).",
        "prototype Quay<T> where T : Place { }",
    ),
    _follow(
        "yield-form",
        "`yield break;` and `yield return value;` are read.",
        "Both have a node of their own.",
        "yield break;",
    ),
    _follow(
        "error-without-position",
        "An error at the end of the text has no place.",
        "The verdict is the same; here it stands in the gap behind the last token.",
        "x = ",
        "expected-value",
    ),
    _deviate(
        "internal-error",
        "`Other[0].Part` ends in an error of the reference itself.",
        "It is an ordinary expression.",
        "prototype Quay { Owner = Crew[0].Name; }",
    ),
)  # fmt: skip
"""One row for each tag of the data; more examples stand in `tests/protoscript/test_deviations.py`."""

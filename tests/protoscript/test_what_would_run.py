"""What would have to be run is listed: each part once, by name, in the order of the source."""

import pytest

from ferrule.protoscript.opaque import opaque_parts
from ferrule.protoscript.reading import parse

NOTHING_TO_RUN = """include "x.pts";
using Harbour;
namespace Sea
{
	[Seen("here")]
	prototype Quay : Place
	{
		String Label;
		Depth = -2;
		Berths = [1, [2, North]];
		Owner = new Crew();
		Town = null;
		prototype Bollard;
	}
}
"""

# A text, and what is listed of it: what it is called, and where it stands in the text.
PARTS: list[tuple[str, list[tuple[str, str]]]] = [
    (NOTHING_TO_RUN, []),
    ("prototype A { B C = f(); }", [("value of `C` (call)", "B C = f();")]),
    ("prototype A { C = [1, [g, h + 1]]; }", [("value of `C` (operator `+`)", "C = [1, [g, h + 1]];")]),
    ("prototype A { C = B.D; }", [("value of `C` (member access)", "C = B.D;")]),
    ("prototype A { C = B[0]; }", [("value of `C` (index)", "C = B[0];")]),
    ("prototype A { C = B++; }", [("value of `C` (operator `++`)", "C = B++;")]),
    ("prototype A { C = new D(1); }", [("value of `C` (new D)", "C = new D(1);")]),
    ("prototype A { init { go(); } }", [("init block", "init { go(); }")]),
    (
        "namespace N { prototype A { prototype B { function F() : C { } } x = f(); } y(); }",
        [
            ("function `F`", "function F() : C { }"),
            ("value of `x` (call)", "x = f();"),
            ("statement", "y();"),
        ],
    ),
    (
        "if (a) { b(); } function F() : C { }",
        [("if statement", "if (a) { b(); }"), ("function `F`", "function F() : C { }")],
    ),
]


@pytest.mark.parametrize(("text", "listed"), PARTS)
def test_every_part_that_would_have_to_be_run_is_listed_once(text: str, listed: list[tuple[str, str]]) -> None:
    """INV-I5: literals, names, lists of them and empty objects are none; nothing inside of a part is another."""
    parsed = parse(text)
    assert parsed.ok, [found.render() for found in parsed.diagnostics]
    parts = opaque_parts(parsed.tree)
    assert [(part.what, text[part.span.start : part.span.end]) for part in parts] == listed

"""Short texts of a kind that is written rarely: what is told of them, and what their tree says."""

import pytest

from ferrule.protoscript.lossless import text as text_of
from ferrule.protoscript.printer import print_file
from ferrule.protoscript.reading import parse
from ferrule.protoscript.source import Source
from ferrule.protoscript.syntax import Catch, Categorisation
from ferrule.protoscript.walking import walk

# A text, and each finding: its code, its column, and its hint.
TOLD: list[tuple[str, list[tuple[str, int, str]]]] = [
    ("import ;", [("bad-import", 8, "write `import Assembly Namespace.Type Alias;`")]),
    ("import A;", [("bad-import", 9, 'to read another file, write `include "file.pts";`')]),
    ("import A [;", [("bad-import", 10, "write `import Assembly Namespace.Type Alias;`")]),
    ("prototype A { B C(); }", [("empty-statement", 20, "write the body in `{ }`")]),
    ("prototype A { B C() { } }", []),
    ("prototype A { [X]", [("unclosed", 18, "put `}` here")]),
    ("prototype A { [X] }", [("dangling-annotation", 15, "remove it")]),
]


@pytest.mark.parametrize(("text", "told"), TOLD)
def test_what_is_told_of_a_rare_text(text: str, told: list[tuple[str, int, str]]) -> None:
    """R94: the code, the place and what would mend it; nothing is said of what is left open besides that it is open."""
    parsed = parse(text)
    assert [(str(found.code), found.column, found.hint) for found in parsed.diagnostics] == told
    assert text_of(parsed) == text


@pytest.mark.parametrize(
    ("text", "kind", "conditions"),
    [
        ("x = a -> B { };", "B", []),
        ("x = a -> B.C { d, e + 1 };", "B.C", ["d", "e + 1"]),
        ("x = a -> B.C.D { d };", "B.C.D", ["d"]),
    ],
)
def test_a_condition_on_a_type_of_another_one(text: str, kind: str, conditions: list[str]) -> None:
    """R57: the type is read with its points, and each condition for itself."""
    parsed = parse(text)
    assert parsed.clean
    (found,) = (node for node in walk(parsed.tree) if isinstance(node, Categorisation))
    assert text_of(parsed, found.type) == kind
    assert [text_of(parsed, one) for one in found.conditions] == conditions
    assert print_file(parsed.tree).strip() == text


@pytest.mark.parametrize(
    ("text", "caught"),
    [
        ("try { } catch { }", ("", "")),
        ("try { } catch (Blunt) { }", ("Blunt", "")),
        ("try { } catch (Blunt knife) { }", ("Blunt", "knife")),
    ],
)
def test_what_is_caught_may_have_neither_type_nor_name(text: str, caught: tuple[str, str]) -> None:
    """R57: and printing gives the same back."""
    parsed = parse(text)
    assert parsed.clean
    (found,) = (node for node in walk(parsed.tree) if isinstance(node, Catch))
    assert (found.type, found.name) == caught
    again = parse(print_file(parsed.tree))
    (found,) = (node for node in walk(again.tree) if isinstance(node, Catch))
    assert (found.type, found.name) == caught


@pytest.mark.parametrize(
    ("line", "column", "offset"), [(1, 1, 0), (1, 3, 2), (2, 1, 3), (2, 99, 7), (3, 1, 6), (4, 1, 7), (99, 5, 7)]
)
def test_a_line_and_column_is_a_place_in_the_text(line: int, column: int, offset: int) -> None:
    """R94: the end of the text where there is no such line; back and forth it is the same place."""
    source = Source.of("ab\ncd\ne")
    assert source.offset(line, column) == offset
    if offset < len(source.text):
        assert source.position(offset) == (line, column)

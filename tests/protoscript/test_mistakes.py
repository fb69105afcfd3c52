"""Every mistake is found where it is, under its stable code, with a hint where one helps.

The cases are chunks of `cases/mistakes.txt`, with what is expected in place.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ferrule.errors import Code
from ferrule.protoscript.diagnostics import DiagnosticCode, refusal_code
from ferrule.protoscript.reading import Limits, parse
from ferrule.protoscript.source import EXCERPT_WIDTH
from ferrule.protoscript.syntax import ErrorNode, Prototype

CASES = Path(__file__).parent / "cases" / "mistakes.txt"
_EXPECTED = re.compile(r"--> (\d+):(\d+) ([a-z-]+) (error|warning)(?: \| (.+))?")

# Findings whose text would not fit a readable chunk are shown by tests of their own, below.
BUILT = {DiagnosticCode.TOO_DEEP, DiagnosticCode.TOO_MANY_PROBLEMS, DiagnosticCode.TOO_MUCH_SKIPPED}


@dataclass(frozen=True)
class Chunk:
    title: str
    text: str
    expected: tuple[tuple[str, ...], ...]


def _chunks() -> list[Chunk]:
    chunks = []
    for part in CASES.read_text(encoding="utf-8").split("\n=== ")[1:]:
        title, _, rest = part.partition("\n")
        body, found = [], []
        for line in rest.rstrip("\n").split("\n"):
            match = _EXPECTED.fullmatch(line)
            if match:
                found.append(tuple(group or "" for group in match.groups()))
            else:
                assert not line.startswith("-->"), line
                body.append(line)
        chunks.append(Chunk(title, "\n".join(body), tuple(found)))
    return chunks


CHUNKS = _chunks()


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk.title)
def test_a_mistake_is_found_at_its_place_under_its_code(chunk: Chunk) -> None:
    """R57 R94 CASE-B22 CASE-B24 CASE-B30."""
    parsed = parse(chunk.text)
    seen = [(str(d.line), str(d.column), str(d.code), d.severity) for d in parsed.diagnostics]
    assert seen == [expected[:4] for expected in chunk.expected]
    for diagnostic, expected in zip(parsed.diagnostics, chunk.expected, strict=True):
        assert expected[4] in diagnostic.hint
    assert parsed.ok == all(expected[3] == "warning" for expected in chunk.expected)
    assert parsed.clean == (not chunk.expected)


def test_every_code_has_a_case() -> None:
    """Nothing can be reported that no case shows."""
    shown = {expected[2] for chunk in CHUNKS for expected in chunk.expected}
    assert shown | BUILT == set(DiagnosticCode)


def test_every_code_maps_to_a_refusal() -> None:
    """Rules 2 and 3: names and depth have codes of their own, all other findings are PARSE or a forbidden construct."""
    allowed = {
        Code.PARSE,
        Code.BAD_IDENTIFIER,
        Code.RESERVED_NAME,
        Code.TOO_DEEP,
        Code.FORBIDDEN_CONSTRUCT,
    }
    assert {refusal_code(code) for code in DiagnosticCode} == allowed
    assert refusal_code(DiagnosticCode.BAD_ESCAPE) is Code.PARSE
    assert refusal_code(DiagnosticCode.TOO_DEEP) is Code.TOO_DEEP


def test_offsets_count_code_points_behind_the_byte_order_mark() -> None:
    """Line and column from 1, offset from 0, in code points, an emoji being one."""
    (found,) = parse('\ufeffprototype Quay : Place\r\n{ Name = "🛶"; Depth = 007; }').diagnostics
    assert (found.line, found.column, found.span.start, found.span.end) == (2, 23, 46, 49)


def test_a_rendered_finding_points_a_caret_at_the_place() -> None:
    """R94: position, code, sentence, one line with a caret, hint."""
    (found,) = parse("prototype Quay : Place { Depth = 4 }").diagnostics
    assert found.render() == (
        "1:35: missing-semicolon: `;` is missing after the value\n"
        "    prototype Quay : Place { Depth = 4 }\n"
        "                                      ^\n"
        "hint: put `;` here"
    )


def test_a_rendered_finding_shows_no_more_than_a_part_of_one_line() -> None:
    """A finding never echoes the text around it at length, nor the content of a string in its sentence."""
    text = "prototype Quay : Place {\n" + f'A = "{"s" * 500}"; ' + "B = 007; " + f'C = "{"s" * 500}";\n}}'
    (found,) = parse(text).diagnostics
    lines = found.render().split("\n")
    excerpt = lines[1].strip()
    assert len(excerpt) <= EXCERPT_WIDTH
    assert excerpt.startswith("…")
    assert excerpt.endswith("…")
    assert lines[1][lines[2].index("^") :].startswith("007")
    (odd,) = parse('prototype Quay : Place { Depth "topsecret" = 4; }').diagnostics
    assert "topsecret" not in odd.message + odd.hint


def test_control_characters_are_not_shown() -> None:
    """CASE-C12: no escape sequence of the text reaches a terminal."""
    diagnostics = parse("prototype Quay : Place { Name = \x1b[31m; }").diagnostics
    assert diagnostics
    assert "\x1b" not in "".join(found.render() for found in diagnostics)


HEADS = ["", "x = ", "prototype Quay : Place { Berths = ", "function F() : Int { x = "]
OPENINGS = ["(", "{", "A<", "new A(", "a -> A {", "if (a) ", "prototype A {", "[A("]


@pytest.mark.parametrize(
    ("head", "opening", "count"),
    [*((head, "[", 100_000) for head in HEADS), *((head, opening, 2_000) for head in HEADS for opening in OPENINGS)],
)
def test_a_hundred_thousand_brackets_end_in_a_finding(head: str, opening: str, count: int) -> None:
    """CASE-I04: nesting is bounded before Python's stack is."""
    parsed = parse(head + opening * count)
    assert not parsed.ok
    assert len(parsed.diagnostics) <= Limits().problems + 1


def test_nesting_is_read_to_the_limit_and_refused_beyond_it() -> None:
    """CASE-I04: 255 lists in a body fit, one more does not; the limit is a setting."""
    nested = "prototype Quay : Place {{ Berths = {}1{}; }}".format
    assert parse(nested("[" * 255, "]" * 255)).clean
    assert [d.code for d in parse(nested("[" * 256, "]" * 256)).diagnostics] == [DiagnosticCode.TOO_DEEP]
    assert [d.code for d in parse(nested("[[", "]]"), Limits(nesting=2)).diagnostics] == [DiagnosticCode.TOO_DEEP]


def test_nested_prototypes_and_blocks_count_as_nesting() -> None:
    """CASE-I04: depth is one sum over all constructs."""
    prototypes = "prototype A { " * 300 + "}" * 300
    blocks = "function F() : Int " + "{" * 300 + "}" * 300
    for text in (prototypes, blocks):
        assert [d.code for d in parse(text).diagnostics] == [DiagnosticCode.TOO_DEEP]


def test_long_chains_cost_no_depth() -> None:
    """Length is not depth: operators, members, `else if` and bases may go on; what nests to the right may not."""
    for text in (
        "x = " + "a + " * 5_000 + "a;",
        "x = " + "a." * 5_000 + "a;",
        "x = " + "a + b * " * 5_000 + "c;",
        "x = " + "a.b(1)[2]." * 5_000 + "c;",
        "if (a) x(); " + "else if (b) y(); " * 2_000,
        "prototype A : " + "B, " * 5_000 + "B;",
    ):
        assert parse(text).ok
    for text in ("x = " + "a ? b : " * 5_000 + "c;", "x = " + "a => " * 5_000 + "a;", "a = " * 5_000 + "b;"):
        assert [found.code for found in parse(text).diagnostics] == [DiagnosticCode.TOO_DEEP]


def test_findings_are_bounded() -> None:
    """After two hundred problems one more says that there are others; warnings are cut without a word."""
    many = parse("prototype A { " + "x y z; " * 500 + "}").diagnostics
    assert len(many) == 201
    assert many[-1].code == DiagnosticCode.TOO_MANY_PROBLEMS
    assert [d.code for d in parse("; ; ; ;", Limits(problems=2)).diagnostics][-1] == DiagnosticCode.TOO_MANY_PROBLEMS
    escapes = parse('prototype A { X = "' + "\\q" * 500 + '"; }')
    assert escapes.ok
    assert len(escapes.diagnostics) == 200


def test_what_is_passed_over_is_bounded() -> None:
    """After so many tokens that could not be read, the rest is one error node; what was read before it stays."""
    assert Limits() == Limits(nesting=256, problems=200, skipped=300_000)
    parsed = parse("prototype A; " + "; ) " * 400 + "prototype B;", Limits(problems=1_000, skipped=300))
    assert [found.code for found in parsed.diagnostics][-1] == DiagnosticCode.TOO_MUCH_SKIPPED
    first, *_, rest = parsed.tree.items
    assert isinstance(first, Prototype)
    assert isinstance(rest, ErrorNode)
    assert rest.code == DiagnosticCode.TOO_MUCH_SKIPPED
    assert rest.span.end == len(parsed.source.text)


def _words(text: str) -> list[str]:
    return re.findall(r'"[^"]*"|\w+|\s+|[^\w\s]', text)


VALID = (
    '[Marked("x")]\npartial prototype Quay : Place, Spot\n{\n\tString Name = @"north ""quay""";\n\tDepth = -4.5;\n'
    "\tBerths = [1, [two, null], new Berth()];\n"
    "\tfunction Dig(Int depth) : String { if (depth > 2) { return a.b(1); } }\n"
    '\tinit { x = y => z; }\n}\nnamespace Town { prototype Pier; }\ninclude "town.pts";\n'
)


@given(st.data())
def test_a_text_without_some_of_its_words_is_read_or_refused_but_never_raises(data: st.DataObject) -> None:
    """R57: deletions, doublings and swaps of a valid text end in a tree and findings."""
    words = _words(VALID)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(words) - 1))
        change = data.draw(st.sampled_from(["drop", "double", "swap"]))
        if change == "drop" and len(words) > 1:
            del words[at]
        elif change == "double":
            words.insert(at, words[at])
        else:
            words[at - 1], words[at] = words[at], words[at - 1]
    parsed = parse("".join(words))
    assert parsed.ok == all(d.severity == "warning" for d in parsed.diagnostics)
    for found in parsed.diagnostics:
        assert 0 <= found.span.start <= len(parsed.source.text)
        assert found.render()


@given(st.binary(max_size=400))
def test_bytes_of_any_kind_are_read_or_refused_but_never_raise(garbage: bytes) -> None:
    """R57."""
    for text in (garbage.decode("latin-1"), garbage.decode("utf-8", "surrogateescape")):
        parsed = parse(text)
        assert parsed.tree.span.end == len(parsed.source.text)
        assert all(found.render() for found in parsed.diagnostics)


@given(st.text(alphabet="prototye{}[]()<>;:=,.\"'@$#/*\\-+?! \n1a", max_size=120))
def test_symbols_in_any_order_never_raise(text: str) -> None:
    """R57."""
    parsed = parse(text)
    assert parsed.ok == all(d.severity == "warning" for d in parsed.diagnostics)

"""Hostile text, syntax and sizes are refused as what they are, and nothing in them runs."""

from pathlib import Path

import pytest
from hostile_cases import PARSER, Attack, named, refuted

HERE = f'FilePath = @"{PARSER}";'
GOOD = f"prototype HarbourParser : SourceFile {{ {HERE} }}"


def new(body: str) -> str:
    """A definition that would pass without this body."""
    return f"prototype HarbourParser : SourceFile {{ {HERE} {body} }}"


TEXT = [
    Attack("bidi override", new('Notes = @"a\u202eb";'), "BAD_TEXT"),
    Attack("bidi isolate", new('Notes = @"a\u2066b\u2069";'), "BAD_TEXT"),
    Attack("escaped bidi override", new('Notes = "a\\u202eb";'), "BAD_TEXT"),
    Attack("zero-width space in a value", new('Notes = @"a\u200bb";'), "BAD_TEXT"),
    Attack("byte-order mark in a value", new('Notes = @"a\ufeffb";'), "BAD_TEXT"),
    Attack("tag characters", new('Notes = @"a\U000e0041\U000e0042";'), "BAD_TEXT"),
    Attack("soft hyphen", new('Notes = @"a\u00adb";'), "BAD_TEXT"),
    Attack("NUL", new('Notes = @"a\x00b";'), "BAD_TEXT"),
    Attack("escaped NUL", new('Notes = "a\\u0000b";'), "BAD_TEXT"),
    Attack("terminal escape", new('Notes = @"a\x1b[31mb";'), "BAD_TEXT"),
    Attack("hyperlink escape", new('Notes = @"\x1b]8;;https://evil.example\x07x";'), "BAD_TEXT"),
    Attack("backspaces", new('Notes = @"safe\x08\x08\x08\x08evil";'), "BAD_TEXT"),
    Attack("lone surrogate", new('Notes = @"a\ud800b";'), "BAD_TEXT"),
    Attack("escaped surrogate", new('Notes = "a\\ud800b";'), "BAD_TEXT"),
    Attack("unassigned character", new('Notes = @"a\U000effffb";'), "BAD_TEXT"),
    Attack("joiner that joins nothing", new('Notes = @"a \u200d b";'), "BAD_TEXT"),
    Attack("zero width in a name", GOOD.replace("HarbourParser", "Harbour\u200bParser"), "BAD_IDENTIFIER"),
    Attack("joiner in a name", GOOD.replace("HarbourParser", "Harbour\u200dParser"), "BAD_IDENTIFIER"),
    Attack("homoglyph of a known name", GOOD.replace("HarbourParser", "Tid\u0435Gauge"), "BAD_IDENTIFIER"),
    Attack("decomposed letter in a name", GOOD.replace("HarbourParser", "Harboure\u0301"), "BAD_IDENTIFIER"),
    Attack("wide letters in a name", GOOD.replace("HarbourParser", "\uff28arbour"), "BAD_IDENTIFIER"),
    Attack("homoglyph in a property", new('String F\u0456lePath = @"x";'), "BAD_IDENTIFIER"),
]
SHAPE = [
    Attack("nothing", "", "PARSE"),
    Attack("only a comment", "// nothing here", "NOT_ONE_PROTOTYPE"),
    Attack("prose", f"Here is the definition: {GOOD}", "PARSE"),
    Attack("a fence", f"```\n{GOOD}\n```", "PARSE"),
    Attack("JSON", '{"prototype": "HarbourParser"}', "PARSE"),
    Attack("a JSON list", "[1, 2]", "PARSE"),
    Attack("markup", f"<tool_call>{GOOD}</tool_call>", "PARSE"),
    Attack("two prototypes", f"{GOOD} prototype Second : SourceFile {{ }}", "NOT_ONE_PROTOTYPE"),
    Attack("a second one in a comment's tail", f"{GOOD} /* */ prototype Second;", "NOT_ONE_PROTOTYPE"),
    Attack("a trailing statement", f"{GOOD} HarbourParser.FilePath = 1;", "FORBIDDEN_CONSTRUCT"),
    Attack("an include", f'include "../../secrets.pts"; {GOOD}', "FORBIDDEN_CONSTRUCT"),
    Attack("a reference", f'reference "x.dll"; {GOOD}', "FORBIDDEN_CONSTRUCT"),
    Attack("an import", f"import x System.IO.File F; {GOOD}", "FORBIDDEN_CONSTRUCT"),
    Attack("a namespace", f"namespace Evil {{ {GOOD} }}", "NOT_ONE_PROTOTYPE"),
    Attack("a function", new("function Run() : string { return 1; }"), "FORBIDDEN_CONSTRUCT"),
    Attack("a method", new("string Run() { }"), "FORBIDDEN_CONSTRUCT"),
    Attack("an init block", new("init { }"), "FORBIDDEN_CONSTRUCT"),
    Attack("an annotation", f'[Lexeme.SingularPlural("a", "b")] {GOOD}', "FORBIDDEN_CONSTRUCT"),
    Attack("a semantic entity annotation", f'[SemanticEntity("x")] {GOOD}', "FORBIDDEN_CONSTRUCT"),
    Attack("a nested prototype", new("prototype Inner : SourceFile { }"), "FORBIDDEN_CONSTRUCT"),
    Attack("an extern prototype", f"extern {GOOD}", "FORBIDDEN_CONSTRUCT"),
    Attack("an extern field", new("extern String Host;"), "FORBIDDEN_CONSTRUCT"),
    Attack("an interpolated text", new('Notes = $"{System.Environment.X}";'), "FORBIDDEN_CONSTRUCT"),
    Attack("a call", new('Notes = System.IO.File.ReadAllText("/etc/passwd");'), "FORBIDDEN_CONSTRUCT"),
    Attack("a sum", new('Notes = "a" + "b";'), "FORBIDDEN_CONSTRUCT"),
    Attack("a new instance", new("SourceFile Other = new SourceFile();"), "FORBIDDEN_CONSTRUCT"),
    Attack("another's property", new('TideGauge.FilePath = "x";'), "FORBIDDEN_CONSTRUCT"),
    Attack("its own property from outside", new('this.FilePath = "x";'), "FORBIDDEN_CONSTRUCT"),
    Attack("a value that closes itself", new('Notes = "a"; Evil = "b";'), "UNKNOWN_PROPERTY"),
    Attack("an unclosed text", f'prototype HarbourParser : SourceFile {{ FilePath = @"{PARSER}; }}', "PARSE"),
    Attack("an unclosed comment", f"{GOOD} /* and on", "PARSE"),
    Attack("an unclosed brace", GOOD.removesuffix("}"), "PARSE"),
    Attack("a lone hash", new("\n# x\n"), "FORBIDDEN_CONSTRUCT"),
    Attack("a name that is a number", GOOD.replace("HarbourParser", "123"), "BAD_IDENTIFIER"),
]
SIZE = [
    Attack("a huge definition", new(f'Notes = @"{"x " * 9_000}";'), "TOO_LARGE"),
    Attack("a huge comment", f"{GOOD} // {'x' * 17_000}", "TOO_LARGE"),
    Attack("a huge value", new(f'Notes = @"{"x " * 1_100}";'), "TOO_LARGE"),
    Attack("a huge value by escapes", new(f'Notes = "{chr(92)}u0041{chr(92)}u0041{"B" * 2_000}";'), "TOO_LARGE"),
    Attack("many properties", new("".join(f"Int P{n} = 1;" for n in range(80))), "TOO_LARGE"),
    Attack("deep lists", new(f"Collection C = {'[' * 70}{']' * 70};"), "TOO_DEEP"),
    Attack("very deep lists", new(f"Collection C = {'[' * 7_000}{']' * 7_000};"), "TOO_DEEP"),
    Attack("very deep parentheses", new(f"Int C = {'(' * 7_000}1{')' * 7_000};"), "TOO_DEEP"),
    Attack("a long name", GOOD.replace("HarbourParser", "H" * 200), "BAD_IDENTIFIER"),
    Attack("a name of hashes", GOOD.replace("HarbourParser", "A" + "#B" * 100), "BAD_IDENTIFIER"),
    Attack("a number out of range", new("Int Lines = 99999999999;"), "TYPE_MISMATCH"),
    Attack("a number without end", new(f"Int Lines = {'9' * 5_000};"), "TYPE_MISMATCH"),
    Attack("not a number", new("Double Ratio = NaN;"), "TYPE_MISMATCH"),
    Attack("a number beyond all", new("Double Ratio = 1e400;"), "TYPE_MISMATCH"),
]


@pytest.mark.parametrize("attack", named(TEXT))
def test_text_that_people_cannot_see_through_is_refused(attack: Attack, tmp_path: Path) -> None:
    """CASE-C01, CASE-C02, CASE-C04, CASE-C06, CASE-C12, PEER-D23: raw or escaped, in names or in values."""
    refuted(attack, tmp_path / "home")


@pytest.mark.parametrize("attack", named(SHAPE))
def test_anything_but_one_plain_prototype_is_refused(attack: Attack, tmp_path: Path) -> None:
    """CASE-B01 to B30, INV-I5, R5, R51, R57, R85, PEER-D06: nothing is taken out of it, nothing in it runs."""
    refuted(attack, tmp_path / "home")


@pytest.mark.parametrize("attack", named(SIZE))
def test_sizes_have_an_end(attack: Attack, tmp_path: Path) -> None:
    """CASE-G09, CASE-I03, CASE-I04, R61: bounded before anything is made of it."""
    refuted(attack, tmp_path / "home")

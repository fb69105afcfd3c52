"""Rules 1 and 2: bounded readable text, exactly one prototype, nothing that runs."""

import pytest
from rule_cases import Person, code, refusals

from ferrule.memory.admission import admit
from ferrule.memory.submission import AdmissionView, Limits, Scope, Submission
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.loading import load_shipped


def body(member: str, head: str = "prototype Buoy : Host") -> str:
    """A definition around one member."""
    return f"{head} {{ {member} }}"


BAD_VALUES = {
    "right-to-left override": "a\u202eb",
    "isolate": "a\u2066b\u2069",
    "right-to-left mark": "a\u200fb",
    "zero-width space": "a\u200bb",
    "word joiner": "a\u2060b",
    "soft hyphen": "a\u00adb",
    "byte-order mark inside": "a\ufeffb",
    "NUL": "a\x00b",
    "terminal escape": "\x1b]8;;https://x.example\x07link",
    "backspace": "a\x08b",
    "unassigned": "a\u0378b",
    "noncharacter": "a\uffffb",
    "tag characters": "a\U000e0041b",
    "joiner without neighbours": "\u200da",
    "joiner between digits": "1\u200d2",
    "lone carriage return": "a\rb",
}
GOOD_VALUES = {
    "tab and new line": "a\tb\nc",
    "Windows line end": "a\r\nb",
    "Chinese path": "/港口/浮标.txt",
    "Arabic note": "ملاحظة عن الميناء",
    "Persian non-joiner": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "emoji family": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "rainbow flag": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "composed and decomposed": "é e\u0301",
    "backslashes": r"C:\repo\x",
}


@pytest.mark.parametrize("value", BAD_VALUES.values(), ids=BAD_VALUES)
def test_unreadable_characters_in_a_value_are_refused(value: str) -> None:
    """CASE-C01, CASE-C06, CASE-C12: what people cannot see does not get in."""
    assert code(Person().judge(body(f'Notes = @"{value}";'))) == "BAD_TEXT"


@pytest.mark.parametrize("escape", ["\\u202e", "\\u0000", "\\u200b", "\\b", "\\ud800"])
def test_an_escape_is_no_way_around_the_character_policy(escape: str) -> None:
    """CASE-C01, CASE-C06: the decoded value is judged, not its spelling."""
    verdict = Person().judge(body(f'Notes = "a{escape}b";'))
    assert code(verdict) == "BAD_TEXT"
    assert refusals(verdict)[0].property == "Notes"


@pytest.mark.parametrize("value", GOOD_VALUES.values(), ids=GOOD_VALUES)
def test_ordinary_text_of_every_script_is_kept_as_it_is(value: str) -> None:
    """CASE-C08, CASE-B20, R57: values are written and read back equal."""
    written = Person().write(body(f'Notes = @"{value}"; HostName = @"buoy";'))
    held = written.write.prototype.own("Notes")
    assert held is not None
    assert held.value == value


@pytest.mark.parametrize("char", ["\u200b", "\u200d", "\u2060", "\u00ad", "\ufeff", "\u200e", "\u202e"])
def test_an_invisible_character_in_a_name_is_a_bad_identifier(char: str) -> None:
    """CASE-C02: two names that look alike are never two names."""
    assert code(Person().judge(f'prototype Bu{char}oy : Host {{ HostName = @"b"; }}')) == "BAD_IDENTIFIER"


def test_a_leading_byte_order_mark_is_dropped() -> None:
    """DEC-D11: what is stored is the canonical text."""
    written = Person().write("\ufeff" + body('HostName = @"buoy";'))
    assert written.write.merged.startswith("prototype Buoy")


def test_half_a_surrogate_pair_is_refused_without_an_exception() -> None:
    """CASE-C06: never a ValueError."""
    assert code(Person().judge(body('Notes = @"\udc00";'))) == "BAD_TEXT"


@pytest.mark.parametrize(
    "text",
    [
        body(f'Notes = @"{"x" * 17_000}";'),
        body(f'Notes = @"{"x" * 2_001}";'),
        body(" ".join(f'String P{number} = @"x";' for number in range(65))),
        body(f'Notes = @"{"é" * 8_200}";'),
    ],
    ids=["definition", "value", "properties", "bytes, not characters"],
)
def test_too_large_is_refused(text: str) -> None:
    """CASE-I03: limits of design section 4, the definition's before it is parsed."""
    assert code(Person().judge(text)) == "TOO_LARGE"


def test_limits_are_settings() -> None:
    """CASE-I03: a smaller limit holds."""
    view = AdmissionView(load_shipped().layer, InMemoryLayer(), limits=Limits(value_characters=3))
    assert code(admit(Submission(body('HostName = @"four";'), Scope.PERSON), view)) == "TOO_LARGE"
    assert code(admit(Submission(body('HostName = @"abc";'), Scope.PERSON), view)) == "accepted"


ONE = 'prototype Buoy : Host { HostName = @"b"; }'
SHAPES = {
    "empty": ("", "PARSE"),
    "blank": (" \n\t", "PARSE"),
    "JSON object": ('{"prototype": "Buoy"}', "PARSE"),
    "JSON list": ('["a", 1]', "PARSE"),
    "fenced": (f"```protoscript\n{ONE}\n```", "PARSE"),
    "fence at the end": (f"{ONE}\n```", "PARSE"),
    "prose before": (f"Here you are: {ONE}", "PARSE"),
    "sentence": ("Buoy is a host.", "PARSE"),
    "YAML": ("prototype: Buoy\nbase: Host", "PARSE"),
    "unterminated string": ('prototype Buoy : Host { HostName = @"b; }', "PARSE"),
    "unterminated comment": ("prototype Buoy : Host { /* never ends }", "PARSE"),
    "unterminated body": ('prototype Buoy : Host { HostName = @"b";', "PARSE"),
    "missing semicolon": ('prototype Buoy : Host { HostName = @"b" }', "PARSE"),
    "unknown escape": (body(r'HostName = "C:\work";'), "PARSE"),
    "odd number": (body("Int Size = 1e3;"), "PARSE"),
    "nothing declared": ("Buoy;", "NOT_ONE_PROTOTYPE"),
    "only a comment": ("// nothing here", "NOT_ONE_PROTOTYPE"),
    "two prototypes": (f"{ONE} prototype Pier : Host {{ }}", "NOT_ONE_PROTOTYPE"),
    "trailing statement": (f"{ONE} Buoy.HostName = 1;", "FORBIDDEN_CONSTRUCT"),
    "include": (f'include "../../secrets.pts"; {ONE}', "FORBIDDEN_CONSTRUCT"),
    "reference and import": (f'reference "x.dll"; import x System.IO.File F; {ONE}', "FORBIDDEN_CONSTRUCT"),
    "namespace": (f"namespace N {{ }} {ONE}", "FORBIDDEN_CONSTRUCT"),
    "extern variable": (f"extern String Place; {ONE}", "FORBIDDEN_CONSTRUCT"),
    "function beside": (f"function F() : Int {{ return 1; }} {ONE}", "FORBIDDEN_CONSTRUCT"),
    "function": (body("function Run() : String { return 1; }"), "FORBIDDEN_CONSTRUCT"),
    "method": (body("String Run() { return 1; }"), "FORBIDDEN_CONSTRUCT"),
    "init block": (body('init { HostName = "b"; }'), "FORBIDDEN_CONSTRUCT"),
    "init statement": (body('init HostName = "b";'), "FORBIDDEN_CONSTRUCT"),
    "annotation": (f'[Lexeme.SingularPlural("a", "b")] {ONE}', "FORBIDDEN_CONSTRUCT"),
    "semantic entity": (f'[SemanticEntity("buoy")] {ONE}', "FORBIDDEN_CONSTRUCT"),
    "phrase": (f'[SemanticProgram.InfinitivePhrase("to moor")] {ONE}', "FORBIDDEN_CONSTRUCT"),
    "field annotation": (body('[Tag("x")] String Extra = @"1";'), "FORBIDDEN_CONSTRUCT"),
    "trailing annotation": (body('HostName = @"b"; [Tag("x")]'), "FORBIDDEN_CONSTRUCT"),
    "nested prototype": (body("prototype Inner : Host { }"), "FORBIDDEN_CONSTRUCT"),
    "extern prototype": (f"extern {ONE}", "FORBIDDEN_CONSTRUCT"),
    "where clause": ('prototype Buoy : Host where X { HostName = @"b"; }', "FORBIDDEN_CONSTRUCT"),
    "interpolated": (body('HostName = $"{System.Environment.X}";'), "FORBIDDEN_CONSTRUCT"),
    "prototype string": (body('HostName = $$"Host";'), "FORBIDDEN_CONSTRUCT"),
    "other target": (body('Other.HostName = @"b";'), "FORBIDDEN_CONSTRUCT"),
    "this": (body('this.HostName = @"b";'), "FORBIDDEN_CONSTRUCT"),
    "sum": (body('HostName = "a" + "b";'), "FORBIDDEN_CONSTRUCT"),
    "call": (body("HostName = Read();"), "FORBIDDEN_CONSTRUCT"),
    "new instance": (body("Host Twin = new Host();"), "FORBIDDEN_CONSTRUCT"),
    "instance in a list": (body("Collection Twins = [new Host()];"), "FORBIDDEN_CONSTRUCT"),
    "statement in the body": (body("return 1;"), "FORBIDDEN_CONSTRUCT"),
    "const": (body('const String Extra = @"x";'), "FORBIDDEN_CONSTRUCT"),
    "lone hash": (body('HostName = @"b"; # not a comment\n'), "FORBIDDEN_CONSTRUCT"),
    "nested lists": (body(f"Collection Deep = {'[' * 65}1{']' * 65};"), "TOO_DEEP"),
}


@pytest.mark.parametrize(("text", "expected"), SHAPES.values(), ids=SHAPES)
def test_anything_but_one_plain_prototype_is_refused(text: str, expected: str) -> None:
    """R51, R57, R85, R5, CASE-B02, CASE-B03, CASE-B04, CASE-B06, CASE-B08, CASE-B09, CASE-B10, CASE-B12, CASE-B14.

    Also CASE-B18, CASE-B19, CASE-B22, CASE-B24, CASE-B28, CASE-B30, CASE-I04, INV-I5.
    """
    assert code(Person().judge(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        ONE,
        f"/* a note */ {ONE} // end",
        ONE.replace(" ", "\r\n"),
        'prototype Buoy : Host { Collection Twins = new Collection(); HostName = @"b"; }',
        body('HostName = "b"; Collection Marks = [1, -2.5, true, null, [Host], "x",];'),
        'prototype Gateway#Staging : Host { HostName = @"b"; }',
    ],
)
def test_plain_definitions_pass(text: str) -> None:
    """R51, CASE-B20: comments, line ends, lists and hash names are fine."""
    assert code(Person().judge(text)) == "accepted"


def test_a_quote_that_closes_early_is_not_another_assignment() -> None:
    """CASE-B01: the unescaped text names an unknown property; the escaped one is a value like any other."""
    assert code(Person().judge(body('Notes = "a"; Evil = "b";'))) == "UNKNOWN_PROPERTY"
    written = Person().write(body('Notes = "a\\"; Evil = \\"b"; HostName = @"b";'))
    held = written.write.prototype.own("Notes")
    assert held is not None
    assert held.value == 'a"; Evil = "b'


def test_a_refusal_says_where() -> None:
    """CASE-B22: line and column from 1, offset from 0."""
    (refusal,) = refusals(Person().judge("prototype Buoy : Host\n{\n\tHostName = 1 + 1;\n}"))
    assert (refusal.rule, refusal.line, refusal.column, refusal.offset) == (2, 3, 13, 36)
    assert refusal.message
    assert refusal.remedy


def test_rules_one_and_two_never_repeat_the_text() -> None:
    """R89: a refusal says what is wrong without echoing what was sent."""
    long_word = "q" * 300
    for text in (long_word, body(f"{long_word}();"), body(f'Notes = @"{long_word}\x00";'), f"```{long_word}```"):
        for refusal in refusals(Person().judge(text)):
            assert long_word not in refusal.message + refusal.remedy

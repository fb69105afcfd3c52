"""The cases of groups B, C and G, by their ids: each goes through the real door into a real store.

`RJ` rows end in the standard reject oracle, `OK1` rows in exactly one write that reads back equal. The rows and the
list of ids in `tests/cases.toml` are compared, so that no id is shown by a docstring alone.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from critic_cases import edit, said_turn, write
from hostile_cases import ALMANAC, GAUGE, PARSER, Arena, honest, hostile_turn, seeded
from reject_oracle import standard_accept, standard_reject

from ferrule.bridge.door import Door, ReviewDesk
from ferrule.bridge.values import Accepted, Refused, Unchanged
from ferrule.memory.door import NLMemoryDoor
from ferrule.session.turn import Turn

HERE = f'FilePath = @"{PARSER}";'
GOOD = f"prototype HarbourParser : SourceFile {{ {HERE} }}"
KEPT = f'partial prototype TideGauge {{ FilePath = @"{PARSER}"; }}'
BOTH = said_turn(
    f"The tide gauge {GAUGE} and the almanac {ALMANAC} go with the harbour parser {PARSER}.",
    "Yes.",
    edit(PARSER),
    ordinal=4,
)


@dataclass(frozen=True)
class Case:
    """One input of the reference with the code that refuses it."""

    id: str
    what: str
    text: str
    code: str
    target: str | None = None
    turn: Turn | None = None


def new(body: str, *, name: str = "HarbourParser", base: str = "SourceFile") -> str:
    """A definition of the turn's file with something more in it."""
    return f"prototype {name} : {base} {{ {HERE} {body} }}"


def onto(case: str, what: str, body: str, code: str, *, head: str = "partial prototype TideGauge") -> Case:
    """An addition to the known tide gauge."""
    return Case(case, what, f"{head} {{ {body} }}", code, "TideGauge", BOTH)


REJECTED = [
    Case("B01", "undeclared", new('Notes = "a"; Evil = "b";'), "UNKNOWN_PROPERTY"),
    Case("B01", "declared", new('Notes = "a"; Aliases = "b";'), "NO_EVIDENCE"),
    Case("B02", "two", f"{GOOD} {GOOD.replace('HarbourParser', 'Second')}", "NOT_ONE_PROTOTYPE"),
    Case("B03", "statement", f"{GOOD} HarbourParser.FilePath = 1;", "FORBIDDEN_CONSTRUCT"),
    Case("B04", "include", f'include "../../secrets.pts"; {GOOD}', "FORBIDDEN_CONSTRUCT"),
    Case("B06", "import", f'reference "x.dll"; import x System.IO.File F; {GOOD}', "FORBIDDEN_CONSTRUCT"),
    Case("B08", "function", new("function Run() : string { return 1; }"), "FORBIDDEN_CONSTRUCT"),
    Case("B09", "method", new("string Run() { }"), "FORBIDDEN_CONSTRUCT"),
    Case("B10", "block", new('init { Notes = "a"; }'), "FORBIDDEN_CONSTRUCT"),
    Case("B10", "statement", new("init Notes = 1;"), "FORBIDDEN_CONSTRUCT"),
    Case("B12", "annotation", f'[Lexeme.SingularPlural("a","b")]\n{GOOD}', "FORBIDDEN_CONSTRUCT"),
    Case("B14", "nested", new("prototype Inner : SourceFile { }"), "FORBIDDEN_CONSTRUCT"),
    onto("B16", "valued", f'FilePath = @"{PARSER}"; Notes = @"harbour parser";', "ALREADY_VALUED"),
    Case("B18", "extern", new("extern String Host;"), "FORBIDDEN_CONSTRUCT"),
    Case("B19", "interpolated", new('Notes = $"{System.Environment.X}";'), "FORBIDDEN_CONSTRUCT"),
    Case("B19", "prototype text", new('Notes = $$"SourceFile";'), "FORBIDDEN_CONSTRUCT"),
    Case("B22", "string", new('Notes = "never ends;'), "PARSE"),
    Case("B22", "comment", f"{GOOD} /* never ends", "PARSE"),
    Case("B22", "brace", GOOD.removesuffix("}"), "PARSE"),
    Case("B24", "alone", new("\n # and on\n"), "FORBIDDEN_CONSTRUCT"),
    Case("B24", "in front", GOOD.replace("HarbourParser", "#HarbourParser"), "BAD_IDENTIFIER"),
    Case("B25", "word", new("", name="partial"), "RESERVED_NAME"),
    Case("B25", "built-in", new("", name="Collection"), "RESERVED_NAME"),
    Case("B25", "dotted", new("", name="System.String"), "RESERVED_NAME"),
    Case("B25", "type", new("", name="Document"), "RESERVED_NAME"),
    Case("B28", "itself", new('this.Notes = "x";'), "FORBIDDEN_CONSTRUCT"),
    Case("B28", "another", new('TideGauge.FilePath = "x";'), "FORBIDDEN_CONSTRUCT"),
    Case("B30", "fence", f"```protoscript\n{GOOD}\n```", "PARSE"),
    Case("B30", "prose", f"Sure, here it is:\n{GOOD}", "PARSE"),
    *(
        Case("C01", f"U+{ord(char):04X}", new(f'Notes = @"a{char}b";'), "BAD_TEXT")
        for char in "\u202e\u2066\u2067\u2068\u2069"
    ),
    *(
        Case("C02", f"U+{ord(char):04X}", new("", name=f"Harbour{char}Parser"), "BAD_IDENTIFIER")
        for char in "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad"
    ),
    Case("C04", "look-alike", new("", name="TideG\u0430uge"), "BAD_IDENTIFIER"),
    Case("C06", "in a string", new('Notes = @"a\x00b";'), "BAD_TEXT"),
    Case("C06", "in a path", GOOD.replace(PARSER, PARSER + "\x00.txt"), "BAD_TEXT"),
    Case("C12", "colour", new('Notes = @"\x1b[31mred";'), "BAD_TEXT"),
    Case("C12", "link", new('Notes = @"\x1b]8;;https://evil.example\x07here";'), "BAD_TEXT"),
    Case("C12", "backspace", new('Notes = @"safe\x08\x08\x08\x08evil";'), "BAD_TEXT"),
    onto("G02", "another value", f'FilePath = @"{PARSER}";', "ALREADY_VALUED"),
    Case(
        "G03",
        "inherited",
        f'prototype NextGauge : TideGauge {{ FilePath = @"{PARSER}"; }}',
        "ALREADY_VALUED",
        None,
        BOTH,
    ),
    onto("G03", "null over a value", "FilePath = null;", "ALREADY_VALUED"),
    onto("G03", "nothing over a value", 'FilePath = "";', "ALREADY_VALUED"),
    onto("G03", "an empty collection over a value", "FilePath = new Collection();", "TYPE_MISMATCH"),
    Case("G06", "base", new("", base="Unheard"), "UNKNOWN_TYPE"),
    Case("G06", "field", new("Unheard Other;"), "UNKNOWN_TYPE"),
    Case("G06", "reference", new("Repository = Unheard;"), "UNKNOWN_REFERENCE"),
    onto("G08", "cycle", HERE, "TYPE_MISMATCH", head="prototype TideGauge : TideGauge"),
    onto("G08", "another base", HERE, "TYPE_MISMATCH", head="prototype TideGauge : Document"),
    Case("G09", "text", new('Int Lines = "5";'), "TYPE_MISMATCH"),
    Case("G09", "too large", new("Double Ratio = 1e400;"), "TYPE_MISMATCH"),
    Case("G09", "no number", new("Double Ratio = NaN;"), "TYPE_MISMATCH"),
    Case("G09", "no end", new(f"Int Lines = {'9' * 5_000};"), "TYPE_MISMATCH"),
    onto("G11", "by nothing", "FilePath;", "PARSE"),
    onto("G11", "by a call", "TideGauge.Remove();", "PARSE"),
    onto("G11", "by a word", "delete FilePath;", "UNKNOWN_TYPE"),
]


@pytest.mark.parametrize("case", REJECTED, ids=[f"{case.id} {case.what}" for case in REJECTED])
def test_a_case_is_refused_as_the_reference_says(case: Case, tmp_path: Path) -> None:
    """CASE-B01, CASE-B02, CASE-B03, CASE-B04, CASE-B06, CASE-B08, CASE-B09, CASE-B10, CASE-B12, CASE-B14, CASE-B16.

    CASE-B18, CASE-B19, CASE-B22, CASE-B24, CASE-B25, CASE-B28, CASE-B30, CASE-C01, CASE-C02, CASE-C04, CASE-C06,
    CASE-C12, CASE-G02, CASE-G03, CASE-G06, CASE-G08, CASE-G09, CASE-G11, INV-I1, R59: the standard reject oracle.
    """
    arena = seeded(tmp_path / "home")
    try:
        door = arena.open(case.turn or hostile_turn())
        standard_reject(arena, door, arena.proposal(door, case.text, case.target), case.code)
    finally:
        arena.store.close()


@dataclass(frozen=True)
class Kept:
    """One input that is to be written, with the values that read back."""

    id: str
    what: str
    path: str
    note: str
    literal: str
    said: str = ""


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
ACCEPTED = [
    Kept("B01", "escaped", PARSER, 'a"; Evil = "b', '"a\\"; Evil = \\"b"'),
    Kept("B20", "verbatim", r"C:\repo\x", r"see \n and \t", '@"see \\n and \\t"'),
    Kept("B31", "quotes", PARSER, 'say ""hi"" {it} $x', '@"say """"hi"""" {it} $x"'),
    Kept("C08", "Chinese path", "/srv/港口/浮标.txt", "港口的浮标", '@"港口的浮标"'),
    Kept("C08", "Arabic note", PARSER, "ملاحظة عن الميناء", '@"ملاحظة عن الميناء"'),
    Kept("C08", "joined emoji", PARSER, f"a family {FAMILY}", f'@"a family {FAMILY}"'),
]


@pytest.mark.parametrize("case", ACCEPTED, ids=[f"{case.id} {case.what}" for case in ACCEPTED])
def test_a_case_is_written_once_and_reads_back(case: Kept, tmp_path: Path) -> None:
    """CASE-B01, CASE-B20, CASE-B31, CASE-C08, R57, DEC-D11: one write, one receipt, the same text; parsed again too."""
    turn = said_turn(f"Write the harbour parser into {case.path} .", "Done.", write(case.path), ordinal=4)
    text = f'prototype HarbourParser : SourceFile {{ FilePath = @"{case.path}"; Notes = {case.literal}; }}'
    arena = seeded(tmp_path / "home")
    try:
        door = arena.open(turn)
        standard_accept(arena, door, arena.proposal(door, text), {"FilePath": case.path, "Notes": case.note})
        merged = arena.store.definition(turn.session, "HarbourParser")
        again = arena.open(said_turn("Again.", "Yes.", ordinal=5))
        assert isinstance(arena.attempt(again, honest(again.read_turn(), merged)), Unchanged)
    finally:
        arena.store.close()


def test_a_value_that_stands_is_no_second_write(tmp_path: Path) -> None:
    """CASE-G01, DEC-D1: the same again is unchanged, without a write and without a second receipt for it."""
    arena = seeded(tmp_path / "home")
    try:
        before = arena.state()
        door = arena.open(BOTH)
        text = f'partial prototype TideGauge {{ FilePath = @"{GAUGE}"; }}'
        assert isinstance(arena.attempt(door, arena.proposal(door, text, "TideGauge")), Unchanged)
        assert [receipt.verdict for receipt in arena.commit(door)] == ["nothing"]
        assert arena.state() == before
    finally:
        arena.store.close()


def test_a_default_is_no_value_and_a_later_state_stands_beside_the_old_one(tmp_path: Path) -> None:
    """CASE-G03, CASE-G05, R45: what a type declares may be filled; what changes is a property of its turn."""
    arena = seeded(tmp_path / "home")
    try:
        door = arena.open(BOTH)
        text = f'partial prototype TideGauge {{ Aliases = @"harbour parser"; String FilePathAtTurn4 = @"{PARSER}"; }}'
        answer = arena.attempt(door, arena.proposal(door, text, "TideGauge"))
        assert isinstance(answer, Accepted), answer
        arena.commit(door)
        held = {
            prop.name: prop.value
            for one in arena.store.prototypes(BOTH.session)
            for prop in one.properties
            if one.name == "TideGauge"
        }
        assert (held["FilePath"], held["FilePathAtTurn4"], held["Aliases"]) == (GAUGE, PARSER, "harbour parser")
    finally:
        arena.store.close()


def test_the_bridge_has_no_verb_that_takes_away(tmp_path: Path) -> None:
    """CASE-G11, R50, DEC-D8: the door reads, checks and writes; nothing that it offers lessens what is known."""
    offered = {
        "read_turn",
        "enter",
        "search",
        "details",
        "schema",
        "list",
        "plan",
        "scratch",
        "tasks",
        "check",
        "write",
        "record",
    }
    assert {name for name in vars(Door) if not name.startswith("_")} == offered
    assert {name for name in dir(NLMemoryDoor) if not name.startswith("_")} == offered | {"view", "staged", "refused"}
    assert {name for name in vars(ReviewDesk) if not name.startswith("_")} == {"open", "commit"}
    arena = Arena(tmp_path / "empty")
    try:
        door = arena.open(hostile_turn())
        answer = arena.attempt(door, arena.proposal(door, KEPT, "TideGauge"))
        assert isinstance(answer, Refused)
    finally:
        arena.store.close()


LISTED = Path(__file__).parents[1] / "cases.toml"
ELSEWHERE = {
    "C11": "a stored file, not a definition: tests/adapters/sqlite/test_damage.py",
    "G12": "histories, not one definition: tests/proofs and tests/memory/test_histories.py",
}
ALONE = {"G01", "G03", "G05", "G11"}


@pytest.mark.parametrize("group", ["B", "C", "G"])
def test_every_case_of_a_group_is_a_row(group: str) -> None:
    """Both ways: an id of `tests/cases.toml` without a row here fails, and so does a row that is no id."""
    listed = {f"{group}{number}" for number in tomllib.loads(LISTED.read_text(encoding="utf-8"))[group]["ids"].split()}
    rows = {case.id for case in REJECTED} | {case.id for case in ACCEPTED} | ALONE
    assert {case for case in rows if case[0] == group} == listed - set(ELSEWHERE)

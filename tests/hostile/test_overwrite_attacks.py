"""What is known keeps its values, names, types and handles, whatever a definition calls itself."""

from pathlib import Path

import pytest
from critic_cases import edit, said_turn
from hostile_cases import ALMANAC, GAUGE, PARSER, Attack, named, refuted, seeded

from ferrule.bridge.values import Accepted, Unchanged
from ferrule.errors import Code
from ferrule.session.turn import Turn

HERE = f'FilePath = @"{PARSER}";'
BOTH = said_turn(
    f"The tide gauge {GAUGE} and the almanac {ALMANAC} go with the harbour parser {PARSER}.",
    "Yes.",
    edit(PARSER),
    ordinal=4,
)


def adds(body: str, *, name: str = "TideGauge", bases: str = "") -> str:
    """An addition to something known."""
    return f"partial prototype {name} {bases} {{ {body} }}"


def new(body: str = "", *, name: str = "HarbourParser", base: str = "SourceFile") -> str:
    """A new file of the turn."""
    return f"prototype {name} : {base} {{ {HERE} {body} }}"


def onto(name: str, text: str, code: str, *, target: str = "TideGauge", turn: Turn = BOTH) -> Attack:
    """An augmentation of something known."""
    return Attack(name, text, code, target=target, turn=turn)


VALUES = [
    onto("another path", adds(f'FilePath = @"{PARSER}";'), "ALREADY_VALUED"),
    onto("another name", adds('EntityName = @"harbour parser";'), "ALREADY_VALUED"),
    onto("the same value and a new one", adds(f'FilePath = @"{GAUGE}"; Notes = @"harbour";'), "ALREADY_VALUED"),
    onto("null", adds("FilePath = null;"), "ALREADY_VALUED"),
    onto("an empty text", adds('FilePath = "";'), "ALREADY_VALUED"),
    onto("with its bases", f'prototype TideGauge : SourceFile {{ FilePath = @"{PARSER}"; }}', "ALREADY_VALUED"),
    onto("declared again", adds(f'String FilePath = @"{PARSER}";'), "TYPE_MISMATCH"),
    onto("declared with another type", adds("Int FilePath = 4;"), "TYPE_MISMATCH"),
    onto("declared as a link", adds("Document FilePath = Almanac;"), "TYPE_MISMATCH"),
    onto("spelt small", adds(f'String filepath = @"{PARSER}";'), "ALREADY_EXISTS"),
    onto("spelt large", adds(f'String FILEPATH = @"{PARSER}";'), "ALREADY_EXISTS"),
    onto("dated by an earlier turn", adds(f'FilePathAtTurn1 = @"{PARSER}";'), "UNKNOWN_PROPERTY"),
    onto("dated by a later turn", adds(f'FilePathAtTurn99 = @"{PARSER}";'), "UNKNOWN_PROPERTY"),
    onto("a state of another turn", adds('LifecycleStateAtTurn3 = @"existing";'), "UNKNOWN_PROPERTY"),
    onto("a date nobody declared", adds('String MoodAtTurn99 = @"harbour";'), "UNKNOWN_PROPERTY"),
    onto("a date with a nought", adds(f'String FilePathAtTurn04 = @"{PARSER}";'), "UNKNOWN_PROPERTY"),
    onto("a date with many digits", adds(f'String FilePathAtTurn0000000004 = @"{PARSER}";'), "UNKNOWN_PROPERTY"),
    onto("a dated value of another type", adds("Int FilePathAtTurn4 = 4;"), "TYPE_MISMATCH"),
    onto("one property twice", adds('String Mood = @"harbour"; Mood = @"parser";'), "TYPE_MISMATCH"),
    onto("one property in two spellings", adds('String Mood = @"harbour"; String mood = @"parser";'), "ALREADY_EXISTS"),
    onto("a member of every prototype", adds('String PrototypeName = @"harbour";'), "RESERVED_NAME"),
    onto("a text for a link", adds('Repository = @"harbour";'), "TYPE_MISMATCH"),
    onto("a link of another type", adds("Repository = Almanac;"), "TYPE_MISMATCH"),
    onto("a link to nothing", adds("Repository = Nowhere;"), "UNKNOWN_REFERENCE"),
    onto("an undeclared property", adds('Mood = @"harbour";'), "UNKNOWN_PROPERTY"),
]
IDENTITY = [
    onto("the handle of a third thing", adds(f'String NotesPath = @"{ALMANAC}";'), "ALREADY_EXISTS"),
    onto("the handle of a third thing, relative", adds('String NotesPath = @"docs/almanac.md";'), "ALREADY_EXISTS",
         turn=said_turn("The tide gauge goes with docs/almanac.md.", "Yes.", ordinal=4)),
    onto("the handle of a third thing, in a list", adds(f'Collection Files = [@"{PARSER}", @"{ALMANAC}"];'),
         "ALREADY_EXISTS"),
    onto("the handle of a third thing, dated", adds(f'FilePathAtTurn4 = @"{ALMANAC}";'), "ALREADY_EXISTS"),
    Attack("a known name as new", new(name="TideGauge"), "ALREADY_EXISTS", turn=BOTH),
    Attack("a known handle as new", f'prototype Gauge : SourceFile {{ FilePath = @"{GAUGE}"; }}', "ALREADY_EXISTS"),
    Attack("a known handle beside a new one", new(f'String NextPath = @"{GAUGE}";'), "ALREADY_EXISTS"),
    Attack("a known name as alias", new('Aliases = @"tide gauge";'), "ALREADY_EXISTS"),
    Attack("a known name as name", new('EntityName = @"Tide-Gauge";'), "ALREADY_EXISTS"),
    Attack("a known name in another case", new(name="tidegauge"), "ALREADY_EXISTS"),
    Attack("a known name with an underscore", new(name="Tide_Gauge"), "ALREADY_EXISTS"),
    Attack("a partial of what is not there", adds(HERE, name="HarbourParser"), "UNKNOWN_REFERENCE",
           target="HarbourParser"),
    onto("a target of another name", new(), "BAD_IDENTIFIER"),
    onto("a partial of a type", "partial prototype SourceFile { String Mood; }", "RESERVED_NAME", target="SourceFile"),
    Attack("a type again", f"prototype SourceFile : ProjectFile {{ {HERE} }}", "RESERVED_NAME"),
    Attack("the root", f"partial prototype SemanticEntityBase {{ {HERE} }}", "RESERVED_NAME"),
    Attack("a built-in name", new(name="Collection"), "RESERVED_NAME"),
    Attack("a word of the language", new(name="prototype"), "RESERVED_NAME"),
    Attack("a dotted name", new(name="System.IO"), "RESERVED_NAME"),
    Attack("an unknown base", new(base="Unheard"), "UNKNOWN_TYPE"),
    Attack("a text as base", new(base="String"), "UNKNOWN_TYPE"),
    Attack("everything as base", new(base="Prototype"), "UNKNOWN_TYPE"),
    Attack("no base", f"prototype HarbourParser {{ {HERE} }}", "UNKNOWN_TYPE"),
    Attack("itself as base", new(base="HarbourParser"), "TYPE_MISMATCH"),
    Attack("an action as base", new(base="ProtoScriptAction"), "RESERVED_NAME"),
    Attack("a second base that acts", new(base="SourceFile, OpsAction"), "RESERVED_NAME"),
    Attack("a known thing as base", new(base="TideGauge"), "ALREADY_VALUED"),
    onto("another base", f"prototype TideGauge : Document {{ {HERE} }}", "TYPE_MISMATCH"),
    onto("one base more", f"partial prototype TideGauge : SourceFile, Document {{ {HERE} }}", "TYPE_MISMATCH"),
    onto("below what derives from nothing", f"prototype TideGauge : TideGauge {{ {HERE} }}", "TYPE_MISMATCH"),
]  # fmt: skip


@pytest.mark.parametrize("attack", named(VALUES))
def test_no_spelling_of_a_write_changes_a_value(attack: Attack, tmp_path: Path) -> None:
    """INV-I3, R44, R45, R58, DEC-D1, DEC-D2, CASE-G02, CASE-G06, CASE-G09, CASE-B16, PEER-D04."""
    refuted(attack, tmp_path / "home")


@pytest.mark.parametrize("attack", named(IDENTITY))
def test_no_definition_takes_what_belongs_to_another(attack: Attack, tmp_path: Path) -> None:
    """R5, R39, R65, R86, DEC-D7, CASE-B25, CASE-C04, CASE-G08, CASE-L15, PEER-D08, PEER-D16, PEER-D22."""
    refuted(attack, tmp_path / "home")


def test_a_base_that_is_staged_in_this_review_makes_no_cycle(tmp_path: Path) -> None:
    """CASE-G08: neither under itself nor under another base, staged or not."""
    arena = seeded(tmp_path / "home")
    door = arena.open(BOTH)
    assert isinstance(arena.attempt(door, arena.proposal(door, new())), Accepted)
    before = door.staged()
    for text in ("prototype HarbourParser : HarbourParser { }", "prototype HarbourParser : Document { }"):
        answer = door.write(arena.proposal(door, text, "HarbourParser"))
        assert answer.refusals[0].code is Code.TYPE_MISMATCH  # type: ignore[union-attr]
    assert door.staged() == before
    arena.store.close()


def test_the_same_definition_again_changes_nothing(tmp_path: Path) -> None:
    """DEC-D1, R66, CASE-G01, PEER-D05: unchanged, no write, no second receipt."""
    arena = seeded(tmp_path / "home")
    before = arena.state()
    door = arena.open(BOTH)
    text = f'prototype TideGauge : SourceFile {{ FilePath = @"{GAUGE}"; EntityName = @"tide gauge"; }}'
    assert isinstance(arena.attempt(door, arena.proposal(door, text)), Unchanged)
    assert [receipt.verdict for receipt in arena.commit(door)] == ["nothing"]
    assert arena.state() == before
    arena.store.close()


def test_a_later_value_goes_into_a_property_of_its_turn(tmp_path: Path) -> None:
    """R45, CASE-G05: what is refused as overwriting has a road, and the old value stays."""
    arena = seeded(tmp_path / "home")
    door = arena.open(BOTH)
    answer = arena.attempt(door, arena.proposal(door, adds(f'FilePathAtTurn4 = @"{PARSER}";'), "TideGauge"))
    assert isinstance(answer, Accepted), answer
    arena.commit(door)
    text = dict(arena.store.definitions("desk:alpha"))["TideGauge"]
    assert f'FilePath = @"{GAUGE}";' in text
    assert f'FilePathAtTurn4 = @"{PARSER}";' in text
    arena.store.close()

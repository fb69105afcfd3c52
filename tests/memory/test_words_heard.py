"""Which words a name may have, what a state word claims, and what a citation says: each by itself."""
# ruff: noqa: E501 - tables of cases keep one case a line

import pytest

from ferrule.bridge.values import (
    Call,
    CallRef,
    Claim,
    Evidence,
    Mention,
    MentionRef,
    Modality,
    Proves,
    Role,
    SpanRef,
    Stage,
    TurnText,
    TurnView,
)
from ferrule.memory.rules import citing
from ferrule.memory.rules.heard import Heard
from ferrule.memory.rules.states import stated
from ferrule.referents.kinds import NOWHERE, HandleKind


def heard(text: str, *, types: tuple[str, ...] = (), folded: str = "") -> Heard:
    """Everything said is one text."""
    return Heard(texts=((text, text.casefold()),), types=types, folded=folded)


WORDS = [
    ("the tide gauge", "tide gauge", True), ("the tide gauge", "Tide", True), ("the tide gauge", "gauges", False),
    ("the tide gauge", "ide", True), ("the tide gauge", "tid", True), ("the tide gauge", "id", False), ("the tide gauge", "de", False),
    ("the tide gauge", "aug", False), ("the tide gauge", "auge", True), ("tide", "tide", True), ("x tide", "tide", True), ("tide x", "tide", True),
    ("tidex", "tide", True), ("xtide", "tide", True), ("xtidex", "tide", False), ("go go", "go", True), ("gone", "go", False), ("ago", "go", False),
    ("tideGauge", "gauge", True), ("tideGauge", "tide", True), ("TIDEGAUGE", "gauge", True), ("tide2gauge", "gauge", True), ("tide2", "tide2", True),
    ("xtidex tide", "tide", True), ("xtidexx tidex", "tide", True), ("aBc", "b", False), ("a1b", "1", True), ("a-b", "b", True), ("a_b", "b", True),
    ("pier", "the pier of a quay", False), ("pier quay", "the pier of a quay", True), ("x", "a", True), ("x", "its my our on or to with for from by at an and in", True),
    ("", "", True), ("", "tide", False), ("潮位计在这里", "潮位计", True), ("潮位计在这里", "风向", False), ("Größe", "größe", True), ("Grösse", "größe", True),
    ("v2", "v2", True), ("v2", "v 2", True), ("version 2", "v2", False), ("V AND 2", "v2", True), ("naïve tide", "tide", True), ("naïvetide", "ide", True), ("naïve xidex", "ide", False),
    ("zab1", "ab1", True), ("zab1", "ab2", False), ("K", "\u212a", True), ("ABc", "bc", False), ("aBC", "bc", True), ("ABCd", "abc", True), ("tide's", "tide", True),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name", "expected"), WORDS)
def test_a_name_is_made_of_words_that_are_heard(text: str, name: str, *, expected: bool) -> None:
    """R16, DEC-D9: whole words; from three letters on also a word's begin or end; little words are free."""
    assert heard(text).has_words(name) is expected


@pytest.mark.parametrize(
    ("folded", "types", "word", "expected"),
    [
        ("v002", (), "v002", True),
        ("v002 other", (), "oth", True),
        ("v002", (), "v00", True),
        ("v002", (), "v0", False),
        ("v002", ("release",), "releasev002", True),
        ("v002", ("release",), "releasev0", False),
        ("v002", ("branch",), "releasev002", False),
        ("v002", ("release",), "v002release", False),
    ],
)
def test_a_handle_lends_its_parts_with_or_without_the_type(
    folded: str, types: tuple[str, ...], word: str, *, expected: bool
) -> None:
    """DEC-D9: `ReleaseV002` is named after `v0.0.2`, from three characters on."""
    assert heard("", types=types, folded=folded).has_words(word) is expected


STATES = {
    Modality.PLANNED: ("planned", "proposed", "intended", "wanted"),
    Modality.REPORTED: ("reported", "claimed"),
    Modality.CREATED: ("created", "built", "implemented", "generated", "written"),
    Modality.CHANGED: ("changed", "updated", "modified", "edited"),
    Modality.DELETED: ("deleted", "removed"),
    Modality.EXISTING: ("existing", "exists", "done", "completed", "finished", "deployed", "live"),
}


@pytest.mark.parametrize(
    ("modality", "word"), [(modality, word) for modality, words in STATES.items() for word in words]
)
def test_a_state_word_claims_how_real_a_thing_is(modality: Modality, word: str) -> None:
    """DEC-D10, CASE-A09: in every property that states something, whatever the case and the blanks."""
    for name in ("LifecycleState", "DeploymentStatus", "BuildStage", "Phase", "StatusAtTurn3"):
        assert stated(name, f" {word.title()} ") is modality
    assert stated("Statement", word) is None
    assert stated("Notes", word) is None


@pytest.mark.parametrize("value", ["open", "draft", "", None, 3, True, ("created",)])
def test_any_other_value_states_nothing(value: str | float | tuple[str, ...] | None) -> None:
    """DEC-D10: a word of the project's own is an ordinary value, and so is what is no text."""
    assert stated("LifecycleState", value) is None


USER = "The tide gauge lives in lib/x.py, see [12]."
TEXTS = (
    TurnText("user", Role.INTENT, USER),
    TurnText("outcome", Role.OUTCOME, "I mended the WaterClock."),
    TurnText("call.c1.arguments", Role.ACTION, "remove pier-light", "c1", ok=False),
    TurnText("call.c2.arguments", Role.ACTION, "paint the buoy", "c2", ok=True),
    TurnText("call.c2.result", Role.OBSERVATION, "the harbour master says hello", "c2", ok=True),
)
PATH = Mention("m1", HandleKind.FILESYSTEM_PATH, "lib/x.py", "path:lib/x.py", Role.INTENT, "user", 24, 32)
SEEN = Mention(
    "m2", HandleKind.OTHER_ID, "hello", "id:hello", Role.OBSERVATION, "call.c2.result", 24, 29, "c2", ok=True
)
VIEW = TurnView("s", "t", 1, TEXTS, (), (PATH, SEEN), NOWHERE)
ASKED = Call("s1", Stage.IDENTITY, "search", "c", (), ok=True, values=("Tide gauge 7",))
RECORD = (ASKED,)


def claimed(*cites: MentionRef | SpanRef | CallRef) -> list[Claim]:
    """One claim that cites these."""
    return [Claim("P", "v", tuple(Evidence(cited, Proves.PROPERTY) for cited in cites), Modality.EXISTING)]


CITED = [
    ("tide gauge", SpanRef("user", 4, 14), True), ("tide", SpanRef("user", 4, 14), True), ("tid", SpanRef("user", 4, 14), False),
    ("tide", SpanRef("user", 4, 8), True), ("tide", SpanRef("user", 5, 14), False), ("tide", SpanRef("user", 4, 7), False), ("gauge", SpanRef("user", 4, 13), False),
    ("gauge lives", SpanRef("user", 9, 20), True), ("ide", SpanRef("user", 5, 8), False), ("lib/x.py", MentionRef("m1"), True), ("x.py", MentionRef("m1"), True),
    ("lib/x", MentionRef("m1"), False), ("12", SpanRef("user", 39, 41), True), ("12", SpanRef("user", 40, 41), False), ("7", CallRef("s1", "Tide gauge 7"), True),
    ("Tide gauge", CallRef("s1", "Tide gauge 7"), True), ("Tide gauge 7", CallRef("s1", "Tide gauge"), False), ("auge", CallRef("s1", "Tide gauge 7"), False), ("7", CallRef("s2", "Tide gauge 7"), False),
    ("hello", MentionRef("m2"), True), ("hello", MentionRef("m3"), False), ("tide", SpanRef("lost", 4, 8), False), ("The", SpanRef("user", 0, 3), True),
]  # fmt: skip


@pytest.mark.parametrize(("value", "cites", "expected"), CITED)
def test_a_value_stands_whole_in_what_is_cited(
    value: str, cites: MentionRef | SpanRef | CallRef, *, expected: bool
) -> None:
    """DEC-D9: whole tokens, inside of the citation, judged in the whole text."""
    assert citing.stands_cited(VIEW, RECORD, claimed(cites), value) is expected
    assert citing.stands_cited(VIEW, RECORD, [*claimed(), *claimed(SpanRef("user", 33, 36), cites)], value) is expected


def test_a_citation_counts_in_its_own_role() -> None:
    """DEC-D9, R94: a result speaks in no role that creates."""
    assert not citing.stands_cited(VIEW, (), claimed(MentionRef("m2")), "hello", roles=citing.CREATING)
    assert citing.stands_cited(VIEW, (), claimed(MentionRef("m1")), "lib/x.py", roles=citing.CREATING)
    assert [piece.role for piece in citing.spans_cited(VIEW, claimed(MentionRef("m2"), SpanRef("user", 0, 3)))] == [
        Role.OBSERVATION,
        Role.INTENT,
    ]


SAID = [
    ("tide gauge", True), ("TideGauge", True), ("tide-gauge", True), ("tide_gauge", True), ("tidegauge", False), ("gauge tide", False), ("tide gaug", False), ("ide gauge", False),
    ("water clock", True), ("waterclock", True), ("WATER CLOCK", True), ("pier light", False), ("the buoy", True), ("harbour master", False), ("...", False), ("", False),
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "expected"), SAID)
def test_a_phrase_is_said_in_any_of_its_spellings(phrase: str, *, expected: bool) -> None:
    """DEC-D9: by user, outcome or a call that did not fail; whole words only."""
    assert citing.says(VIEW, phrase) is expected


def test_roles_that_create_are_intent_outcome_and_a_call_that_did_not_fail() -> None:
    """R16, R17, R18, R23."""
    made = {
        (role, ok): citing.creates(Mention("m", HandleKind.URL, "v", "k", role, "t", 0, 1, ok=ok))
        for role in Role
        for ok in (True, False, None)
    }
    assert {key for key, creates in made.items() if creates} == {
        *((Role.INTENT, ok) for ok in (True, False, None)),
        *((Role.OUTCOME, ok) for ok in (True, False, None)),
        (Role.ACTION, True),
        (Role.ACTION, None),
    }


def test_only_reading_calls_that_succeeded_have_answered() -> None:
    """DEC-D9: schema and verdicts repeat the critic's own words; details repeat prose, which names nothing."""
    calls = [
        Call(f"{tool}-{ok}", Stage.IDENTITY, tool, "c", (), ok=ok, values=("x",))
        for tool in ("search", "details", "list", "schema", "check", "write")
        for ok in (True, False)
    ]
    assert [call.id for call in citing.answered(calls)] == ["search-True", "details-True", "list-True"]
    assert [call.id for call in citing.answered(calls, citing.NAMING)] == ["search-True", "list-True"]
    for call in calls:
        told = call.ok and call.tool in ("search", "details", "list")
        assert citing.returned_anywhere([call], "x") is told
        assert citing.call_returned([call], CallRef(call.id, "x")) is told
        assert not citing.returned_anywhere([call], "y")

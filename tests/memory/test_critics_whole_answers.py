"""What a critic's definition is answered, whole: every finding with its property, its place, what is said and what to do."""
# ruff: noqa: E501 - tables of cases keep one case a line

import pytest
from rule_cases import FILE, Critic, a_turn, refusals

from ferrule.bridge.values import Modality
from ferrule.memory.submission import Written

USER = (
    f"The tide gauge lives in {FILE}; we also call it the water clock or the water wheel. Fix its rounding failure, "
    "40 cm is wrong, -3 or 2.5 too. Its branch is fix/tide, pull request #12."
)
KNOWN = (
    f'prototype WaterWheel : SourceFile {{ EntityName = @"Water wheel"; FilePath = @"{FILE}"; '
    'String Status = @"changed"; }'
)
# Code, property, the text at the place, how message and remedy begin.
Told = tuple[str, str, str, str, str]

# Whether the wheel is known, what is augmented, the definition (%s is the path's line), the answer.
ANSWERS: list[tuple[str, str | None, str, str | list[Told]]] = [
    ("new", None, "prototype TideGauge : SourceFile { %s }", "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s EntityName = @"Tide gauge"; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s EntityName = @"Zephyr"; }', [("NO_EVIDENCE", "EntityName", '@"Zephyr"; }', "EntityName has a word that neither user nor ", "Name it as the user or the o")]),
    ("new", None, 'prototype TideGauge : SourceFile { %s Aliases = @"water clock;; sundial"; }', [("NO_EVIDENCE", "Aliases", '@"water cloc', "An alias does not stand in what it cites, or", "Cite where user or outcome c")]),
    ("new", None, 'prototype TideGauge : SourceFile { %s Aliases = @"The"; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s Alias = @"water clock"; }', [("UNKNOWN_PROPERTY", "Alias", 'Alias = @"wa', "Alias is not declared.", "Did you mean Aliases? Else g")]),
    ("new", None, 'prototype TideGauge : SourceFile { %s Notes = @"at 40 cm"; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s Notes = @"at 41 cm"; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s Notes = @"2.5 or 40"; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s Notes = @"2.6"; }', [("NO_EVIDENCE", "Notes", '@"2.6"; }', "Notes holds a path, URL, id or number that i", "Leave it out.")]),
    ("new", None, 'prototype TideGauge : SourceFile { %s Notes = @"v40"; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s Notes = @"see docs.example"; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s Notes = @"see evil.example"; }', [("NO_EVIDENCE", "Notes", '@"see evil.e', "Notes holds a path, URL, id or number that i", "Leave it out.")]),
    ("new", None, 'prototype TideGauge : SourceFile { %s Notes = @"on #12"; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s Notes = @"on #13"; }', [("NO_EVIDENCE", "Notes", '@"on #13"; }', "Notes holds a path, URL, id or number that i", "Leave it out.")]),
    ("new", None, 'prototype TideGauge : SourceFile { %s Notes = @"`git status` twice"; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s Notes = @"40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40"; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s Description = @"see /srv/quay/tide/gauge.py and /srv/other.py"; }', [("NO_EVIDENCE", "Description", '@"see /srv/q', "Description holds a path, URL, id or number ", "Leave it out.")]),
    ("new", None, "prototype TideGauge : SourceFile { %s Int Wrong = 40; Int Low = -3; Double Half = 2.5; }", "written"),
    ("new", None, "prototype TideGauge : SourceFile { %s Int Wrong = 3; }", "written"),
    ("new", None, "prototype TideGauge : SourceFile { %s Int Low = -40; }", [("NO_EVIDENCE", "Low", "-40; }", "The value of Low does not stand in what it c", "Cite the words that say it, ")]),
    ("new", None, "prototype TideGauge : SourceFile { %s Double Half = 2.50; }", [("NO_EVIDENCE", "Half", "2.50; }", "The value of Half does not stand in what it ", "Cite the words that say it, ")]),
    ("new", None, 'prototype TideGauge : SourceFile { %s Collection L = [@"rounding", 40, -3]; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s Collection L = [@"rounding", 41]; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s String Fix = @"rounding failure"; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s String Fix = @"ounding"; }', [("NO_EVIDENCE", "Fix", '@"ounding"; ', "The value of Fix does not stand in what it c", "Cite the words that say it, ")]),
    ("new", None, "prototype TideGauge : SourceFile { %s String Fix; }", [("NO_EVIDENCE", "Fix", "Fix; }", "Fix is declared without a value.", "Leave it out until the turn ")]),
    ("new", None, 'prototype TideGauge : SourceFile { %s String Fix = @""; }', [("NO_EVIDENCE", "Fix", '@""; }', "Fix is declared without a value.", "Leave it out until the turn ")]),
    ("new", None, "prototype TideGauge : SourceFile { %s Collection C = []; }", [("NO_EVIDENCE", "C", "[]; }", "C is declared without a value.", "Leave it out until the turn ")]),
    ("new", None, "prototype TideGauge : SourceFile { %s Bool Rounds = false; }", "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s String MoodAtTurn4 = @"wrong"; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s String MoodAtTurn5 = @"wrong"; }', [("UNKNOWN_PROPERTY", "MoodAtTurn5", "MoodAtTurn5 ", "MoodAtTurn5 names another turn than the revi", "Call it MoodAtTurn4.")]),
    ("new", None, 'prototype TideGauge : SourceFile { %s String MoodAtTurn04 = @"wrong"; }', [("UNKNOWN_PROPERTY", "MoodAtTurn04", "MoodAtTurn04", "MoodAtTurn04 names another turn than the rev", "Call it MoodAtTurn4.")]),
    ("new", None, 'prototype TideGauge : SourceFile { %s LifecycleState = @"changed"; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s LifecycleState = @"created"; }', [("MODALITY", "LifecycleState", '@"created"; ', "LifecycleState says created, but the turn pr", "Claim changed, or write noth")]),
    ("new", None, 'prototype TideGauge : SourceFile { %s LifecycleState = @"finished"; }', [("NO_EVIDENCE", "LifecycleState", '@"finished";', "The value of LifecycleState does not stand i", "Cite the words that say it, ")]),
    ("new", None, 'prototype TideGauge : SourceFile { %s String Status = @"changed"; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s String Status = @"live"; }', [("NO_EVIDENCE", "Status", '@"live"; }', "The value of Status does not stand in what i", "Cite the words that say it, ")]),
    ("new", None, 'prototype TideGauge : SourceFile { %s String Status = @"rounding"; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s BranchName = @"fix/tide"; }', [("UNKNOWN_PROPERTY", "BranchName", "BranchName =", "BranchName is not declared.", "Give it a type, as in String")]),
    ("new", None, 'prototype TideGauge : SourceFile { %s String BranchName = @"fix/tide"; }', "written"),
    ("new", None, 'prototype TideGauge : SourceFile { %s String BranchName = @"fix/ebb"; }', [("NO_EVIDENCE", "BranchName", '@"fix/ebb"; ', "BranchName names no mention of this turn.", "Take the value from a number")]),
    ("new", None, 'prototype TideGauge : SourceFile { %s String FileUrl = @"https://mirror.example/tide"; }', "written"),
    ("new", None, "prototype TideGauge : SourceFile { %s SourceFile Next = TideGauge; }", "written"),
    ("new", None, "prototype TideGauge : SourceFile { %s SourceFile Next = Nowhere; }", [("UNKNOWN_REFERENCE", "Next", "Nowhere; }", "Next refers to something that is not a known", "Name a known prototype that ")]),
    ("new", None, "prototype Q : SourceFile { %s }", [("NO_EVIDENCE", "", "Q : SourceFi", "The prototype's name has a word that neither", "Name it after the words or t")]),
    ("new", None, 'prototype Q : SourceFile { EntityName = @"Tide gauge"; }', [("NO_HANDLE", "", "Q : SourceFi", "Nothing in it can be pointed at: no path, UR", "Put the handle in a property"), ("NO_EVIDENCE", "", "Q : SourceFi", "The prototype's name has a word that neither", "Name it after the words or t")]),
    ("new", None, 'prototype Q : SourceFile { FilePath = @"/srv/quay/tide/other.py"; }', [("NO_EVIDENCE", "", "Q : SourceFi", "The prototype's name has a word that neither", "Name it after the words or t"), ("NO_EVIDENCE", "FilePath", '@"/srv/quay/', "FilePath names no mention of this turn.", "Take the value from a number")]),
    ("new", None, 'prototype Q : SourceFile { RemoteUrl = @"https://mirror.example/tide"; }', [("UNKNOWN_PROPERTY", "RemoteUrl", "RemoteUrl = ", "RemoteUrl is not declared.", "Give it a type, as in String"), ("NO_EVIDENCE", "", "Q : SourceFi", "The prototype's name has a word that neither", "Name it after the words or t"), ("NO_EVIDENCE", "", "Q : SourceFi", "Neither the user, the outcome nor a successf", "Write nothing about it.")]),
    ("known", "WaterWheel", 'partial prototype WaterWheel { Aliases = @"water clock"; }', "written"),
    ("known", "Nobody", 'partial prototype WaterWheel { Aliases = @"water clock"; }', [("UNKNOWN_REFERENCE", "", "WaterWheel {", "The prototype to augment is not known.", "Search again, or propose it ")]),
    ("known", None, 'partial prototype WaterWheel { Aliases = @"water clock"; }', [("ALREADY_EXISTS", "", "WaterWheel {", "WaterWheel is known and has this name alread", "Augment WaterWheel with what")]),
    ("known", "WaterWheel", 'partial prototype WaterWheel { Aliases = @"sundial"; Notes = @"41"; }', [("NO_EVIDENCE", "Aliases", '@"sundial"; ', "An alias does not stand in what it cites, or", "Cite where user or outcome c")]),
    ("known", "WaterWheel", 'partial prototype Wheel { Aliases = @"water clock"; }', [("BAD_IDENTIFIER", "", "Wheel { Alia", "The proposal augments WaterWheel, but the de", "Write partial prototype Wate")]),
    ("known", "WaterWheel", 'partial prototype WaterWheel { String Status = @"live"; }', [("ALREADY_VALUED", "Status", '@"live"; }', "Status has a value already.", "Drop this line; for a later ")]),
    ("known", "WaterWheel", 'partial prototype WaterWheel { String StatusAtTurn4 = @"wrong"; }', "written"),
    ("known", "WaterWheel", 'partial prototype WaterWheel { StatusAtTurn4 = @"wrong"; }', "written"),
    ("known", "WaterWheel", 'partial prototype WaterWheel { StatusAtTurn3 = @"wrong"; }', [("UNKNOWN_PROPERTY", "StatusAtTurn3", "StatusAtTurn", "StatusAtTurn3 names another turn than the re", "Call it StatusAtTurn4.")]),
    ("known", "WaterWheel", 'partial prototype WaterWheel { Status = @"wrong"; }', [("ALREADY_VALUED", "Status", '@"wrong"; }', "Status has a value already.", "Drop this line; for a later ")]),
    ("known", "WaterWheel", 'partial prototype WaterWheel { Status = @"changed"; }', "unaltered"),
    ("known", "WaterWheel", 'partial prototype WaterWheel { Status = @"wrong"; Aliases = @"water clock"; }', [("ALREADY_VALUED", "Status", '@"wrong"; Al', "Status has a value already.", "Drop this line; for a later ")]),
    ("known", "WaterWheel", 'partial prototype WaterWheel { Status = @"wrong"; Aliases = @"sundial"; }', [("ALREADY_VALUED", "Status", '@"wrong"; Al', "Status has a value already.", "Drop this line; for a later "), ("NO_EVIDENCE", "Aliases", '@"sundial"; ', "An alias does not stand in what it cites, or", "Cite where user or outcome c")]),
    ("known", None, "prototype TideGauge : SourceFile { %s }", [("ALREADY_EXISTS", "FilePath", '@"/srv/quay/', "WaterWheel is known and has this handle alre", "Augment WaterWheel with what")]),
    ("known", None, 'prototype TideGauge : SourceFile { EntityName = @"water wheel"; FilePath = @"/srv/quay/tide/other.py"; }', [("ALREADY_EXISTS", "EntityName", '@"water whee', "WaterWheel is known and has this name or ali", "Augment WaterWheel with what")]),
    ("known", None, 'prototype TideGauge : SourceFile { Aliases = @"gauge; water WHEEL"; %s }', [("ALREADY_EXISTS", "Aliases", '@"gauge; wat', "WaterWheel is known and has this name or ali", "Augment WaterWheel with what"), ("ALREADY_EXISTS", "FilePath", '@"/srv/quay/', "WaterWheel is known and has this handle alre", "Augment WaterWheel with what")]),
    ("known", None, "prototype waterwheel : SourceFile { %s }", [("ALREADY_EXISTS", "", "waterwheel :", "The name differs only in case from WaterWhee", "Augment WaterWheel or choose")]),
    ("known", None, "prototype WaterWheel : SourceFile { %s }", "unaltered"),
    ("known", None, 'prototype TideProject : SemanticEntityBase { EntityName = @"Tide gauge"; SourceFile Uses = WaterWheel; }', [("NO_EVIDENCE", "", "TideProject ", "The prototype's name has a word that neither", "Name it after the words or t"), ("NO_EVIDENCE", "Uses", "WaterWheel; ", "Uses links to something that this review did", "Search the target and use th")]),
    ("known", "WaterWheel", "partial prototype WaterWheel { %s }", "unaltered"),
    ("known", "WaterWheel", 'partial prototype WaterWheel { String BranchName = @"fix/tide"; String Password = @"hunter2-Harbor9x"; }', [("SECRET_VALUE", "Password", '@"hunter2-Ha', "Password holds what looks like a secret (pas", "Leave the value out; write t")]),
]  # fmt: skip


@pytest.mark.parametrize(("known", "target", "text", "expected"), ANSWERS)
def test_an_answer_to_a_critic_tells_each_thing_at_its_place(
    known: str, target: str | None, text: str, expected: str | list[Told]
) -> None:
    """R46, R54, R59, DEC-D9, INV-I1: with honest citations of one turn; rules 3 to 12 answer."""
    text = text.replace("%s", f'FilePath = @"{FILE}";')
    critic = Critic(view=a_turn(USER), modality=Modality.CHANGED)
    if known == "known":
        critic.write(KNOWN)
    verdict = critic.judge(text, target)
    if isinstance(expected, str):
        assert type(verdict).__name__.lower() == expected
        return
    found = refusals(verdict)
    seen = [(one.code.value, one.property, text[one.offset : one.offset + 12].split("\n")[0]) for one in found]
    assert seen == [row[:3] for row in expected]
    for one, (*_, message, remedy) in zip(found, expected, strict=True):
        assert one.message.startswith(message)
        assert one.remedy.startswith(remedy)


def test_what_is_admitted_is_staged_as_what_it_is() -> None:
    """INV-I3, DEC-D9: action, texts, handles, keys and what the evidence says, as they will stand."""
    critic = Critic(view=a_turn(USER), modality=Modality.CHANGED)
    made = critic.judge(KNOWN)
    assert isinstance(made, Written)
    write = made.write
    assert (write.action, write.candidate, write.person, write.modality) == (
        "created",
        "candidate",
        False,
        Modality.CHANGED,
    )
    assert write.definition == write.merged
    assert write.definition.startswith("prototype WaterWheel : SourceFile\n")
    key = "path:git.example/harbor/quay:tide/gauge.py"
    assert [(one.value, one.property, one.key) for one in write.handles] == [(FILE, "FilePath", key)]
    assert write.keys == (key,)
    assert write.phrases == ("waterwheel",)
    assert ("FilePath", "intent") in {(prop, role) for prop, role, _ in write.excerpts}
    assert all(len(words) <= 200 for *_, words in write.excerpts)
    assert len(set(write.excerpts)) == len(write.excerpts)
    critic.write(KNOWN)
    more = critic.write('partial prototype WaterWheel { Aliases = @"water clock"; }', "WaterWheel").write
    assert more.action == "augmented"
    assert more.definition == 'partial prototype WaterWheel\n{\n\tAliases = @"water clock";\n}\n'
    assert FILE in more.merged
    assert more.keys == (key,)
    assert set(more.phrases) == {"waterwheel", "waterclock"}

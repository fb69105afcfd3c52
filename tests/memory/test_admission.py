"""Admission as a whole: order, scope, what a verdict holds, and that nothing else changes."""

import dataclasses
import re
from collections.abc import Callable

import pytest
from admission_codes import CODES, GAUGE, KEY
from rule_cases import FILE, Critic, Person, code, refusals

from ferrule.bridge.values import Modality
from ferrule.errors import Code
from ferrule.memory.admission import RULES, admit
from ferrule.memory.submission import AdmissionView, Refusals, Scope, Submission, Unaltered, Written
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.loading import base_folder, load_permanent, load_shipped
from ferrule.ontology.values import LayerName
from ferrule.protoscript.reading import parse


@pytest.mark.parametrize(("rule", "expected", "make"), CODES, ids=[f"{rule}-{name}" for rule, name, _ in CODES])
def test_every_code_of_the_table_is_produced_by_its_rule(
    rule: int, expected: str, make: Callable[[Critic], str]
) -> None:
    """R89, R59, DEC-D5: the first rule that finds something refuses; state is as before, a good write follows."""
    critic = Critic()
    text = make(critic)
    before = critic.session.names()
    target = "TideGauge" if text.startswith("partial") else None
    verdict = critic.judge(text, target)
    assert isinstance(verdict, Refusals)
    assert (verdict.refusals[0].code.value, verdict.refusals[0].rule) == (expected, rule)
    assert critic.session.names() == before
    for refusal in verdict.refusals:
        assert refusal.message.endswith(".")
        assert refusal.remedy
        assert KEY not in refusal.message + refusal.remedy
        assert len(refusal.message) < 200
        assert (refusal.line, refusal.column) >= (1, 1)
    assert code(Critic().judge(GAUGE)) == "accepted"


def test_the_table_of_codes_is_whole() -> None:
    """R89: no admission code is left without a case, and no case names a code that is not of admission."""
    outside = {
        *("WRONG_SESSION", "NOT_ATTACHABLE", "BAD_KEY", "UNSAFE_PATH", "DUPLICATE_TURN", "TURN_NOT_COMPLETED"),
        *("EVENT_TAMPERED", "UNKNOWN_TOOL", "BAD_TOOL_ARGS", "BUDGET", "MODEL_UNAVAILABLE", "IO_FAILED"),
        *("STORE_CORRUPT", "STORE_VERSION", "LEDGER_BROKEN", "UNAUTHENTICATED", "FORBIDDEN_ORIGIN", "INTERNAL"),
    }
    assert {name for _, name, _ in CODES} == {found.value for found in Code} - outside


def test_rules_stand_in_the_order_of_the_design() -> None:
    """DEC-D5: one ordered list; 1-7 bind everybody, 8 and 12 warn a person, 9-11 do not apply to one."""
    assert [rule.number for rule in RULES] == [1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    assert {rule.number for rule in RULES if rule.warns_person} == {8, 12}
    assert {rule.number for rule in RULES if not rule.for_person} == {3, 9, 10, 11}


@pytest.mark.parametrize(
    ("rule", "expected", "make"), [row for row in CODES if row[0] <= 7 and row[1] != "ALREADY_EXISTS"]
)
def test_the_first_seven_rules_bind_a_person_too(rule: int, expected: str, make: Callable[[Critic], str]) -> None:
    """DEC-D5: the same definition, the same code."""
    critic = Critic()
    text = make(critic)
    verdict = Person(session=critic.session).judge(text)
    assert (code(verdict), refusals(verdict)[0].rule) == (expected, rule)


def test_all_findings_of_a_rule_are_told_at_once() -> None:
    """R89: a person or a critic can repair everything in one go."""
    text = 'prototype A : Host { One = @"x"; Two = @"y"; Host Three = Missing; }'
    found = [(refusal.code.value, refusal.property) for refusal in refusals(Person().judge(text))]
    assert found == [("UNKNOWN_PROPERTY", "One"), ("UNKNOWN_PROPERTY", "Two"), ("UNKNOWN_REFERENCE", "Three")]


def test_unchanged_is_answered_before_what_is_known_is_refused() -> None:
    """DEC-D1, R39, R66, CASE-G01: the same create again is no error, and it needs no search."""
    critic = Critic()
    critic.write(GAUGE)
    critic.record = ()
    verdict = critic.judge(GAUGE)
    assert verdict == Unaltered("TideGauge")


def test_what_is_stored_is_the_canonical_text_of_the_merge() -> None:
    """DEC-D11, R38, R56: parsed again it is the same; comments, spelling and order of the caller are gone."""
    hand = Person()
    first = hand.write(
        f'prototype TideGauge:SourceFile{{Notes="say \\"hi\\"";/* x */ String Colour = "red"; FilePath=@"{FILE}";}}'
    )
    assert first.write.definition == first.write.merged
    assert first.write.merged == (
        "prototype TideGauge : SourceFile\n{\n"
        '\tString Colour = @"red";\n\tNotes = @"say ""hi""";\n'
        f'\tFilePath = @"{FILE}";\n}}\n'
    )
    assert parse(first.write.merged).clean
    second = hand.write('partial prototype TideGauge { Aliases = @"clock"; Int Depth = -3; Double Drift = 0.0000001; }')
    assert second.write.definition == (
        'partial prototype TideGauge\n{\n\tInt Depth = -3;\n\tDouble Drift = 0.0000001;\n\tAliases = @"clock";\n}\n'
    )
    assert second.write.action == "augmented"
    again = Person()
    restored = again.write(second.write.merged)
    assert restored.write.merged == second.write.merged
    assert set(restored.write.prototype.properties) == set(second.write.prototype.properties)


def test_a_staged_write_carries_what_a_store_needs() -> None:
    """R95, R35: keys, phrases, handles, modality, claims, short excerpts with their roles."""
    critic = Critic(modality=Modality.CHANGED)
    write = critic.write(GAUGE.replace("FilePath", 'Aliases = @"water clock"; FilePath')).write
    assert write.prototype.layer is LayerName.SESSION
    assert (write.action, write.modality, write.candidate, write.person) == (
        "created",
        Modality.CHANGED,
        "candidate",
        False,
    )
    assert write.keys == ("path:git.example/harbor/quay:tide/gauge.py",)
    assert set(write.phrases) == {"tidegauge", "waterclock"}
    assert [(handle.kind.value, handle.value, handle.property) for handle in write.handles] == [
        ("filesystem-path", FILE, "FilePath")
    ]
    assert write.handles[0].key == write.keys[0]
    assert {claim.property for claim in write.claims} == {"EntityName", "Aliases", "FilePath"}
    assert {"intent", "outcome", "action"} <= {role for _, role, _ in write.excerpts}
    assert all(len(excerpt) <= 200 for _, _, excerpt in write.excerpts)


def test_a_person_is_believed_and_warned() -> None:
    """DEC-D5: no turn, no claims, no search; the warning names what a critic would have been refused for."""
    verdict = Person().judge('prototype RoundingDecision : SemanticEntityBase { Notes = @"41 cm it is"; }')
    assert isinstance(verdict, Written)
    assert [warning.rule for warning in verdict.warnings] == [8, 12]
    assert verdict.write.person
    assert verdict.write.modality is Modality.EXISTING


def test_a_verdict_depends_on_nothing_but_its_values() -> None:
    """DEC-D5, R54: check and write ask the same function and get the same answer, and layers are not touched."""
    critic = Critic()
    permanent = load_shipped().layer
    names = permanent.names()
    assert critic.judge(GAUGE) == critic.judge(GAUGE)
    assert permanent.names() == names
    assert len(critic.session) == 0


def test_an_augmentation_keeps_only_keys_that_are_its_own() -> None:
    """DEC-D9: a relative path written in another place keeps the key of that place."""
    session = InMemoryLayer()
    first = Person().write(
        'prototype OldGauge : SourceFile { EntityName = @"Tide gauge"; FilePath = @"tide/gauge.py"; }'
    )
    session.add(first.write.prototype, ("path:git.example/harbor/other:tide/gauge.py",))
    critic = Critic(session=session)
    write = critic.write(
        'partial prototype OldGauge { String HomeUrl = @"https://docs.example/tide"; }', "OldGauge"
    ).write
    assert write.keys == ("url:https://docs.example/tide",)
    assert [handle.value for handle in write.handles] == ["tide/gauge.py", "https://docs.example/tide"]


def test_a_permanent_entity_is_known_by_its_absolute_path_inside_a_repository() -> None:
    """R65: the permanent layer knows no place, the turn does; the handle is the same."""
    permanent = load_permanent((base_folder(),)).layer
    permanent.add(Person().write(GAUGE).write.prototype, (f"path:{FILE}",))
    other = GAUGE.replace("TideGauge", "Another").replace("Tide gauge", "Gauge")
    assert code(Critic(permanent=permanent).judge(other)) == "ALREADY_EXISTS"


SCRIPTS = [
    'include "x";', "import a b;", "function F() : Int { while (true) { } }", "[A(Read())]", "init { Run(); }",
    'String A = Read("/etc/passwd");', "A = new System.IO.File();", "extern String A;",
]  # fmt: skip


@pytest.mark.parametrize("script", SCRIPTS)
def test_no_text_makes_admission_do_anything(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """INV-I5, R94: the rules read and compare; opening a file or a socket would fail this test."""

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("admission touched the outside")

    load_shipped()
    monkeypatch.setattr("builtins.open", forbidden)
    monkeypatch.setattr("socket.socket", forbidden)
    view = AdmissionView(load_shipped().layer, InMemoryLayer())
    for text in (script, f'prototype A : Host {{ {script} HostName = @"a"; }}', f"{script} prototype A : Host {{ }}"):
        assert isinstance(admit(Submission(text, Scope.PERSON), view), Refusals)


def test_rules_are_small_pure_functions() -> None:
    """DEC-D5: each rule asks the case and nothing else, so that check and write agree."""
    for rule in RULES:
        assert re.fullmatch(r"[a-z]+_rule", getattr(rule.judge, "__name__", ""))
        assert dataclasses.is_dataclass(rule)

"""Verdicts observed from the reference: followed where a rule does not say otherwise, each deviation by name.

The data lies in `../shared/oracle` and is not copied; a deviation is an id with our code and the rule that decides.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from deviations import DEVIATIONS, STEPS
from rule_cases import Person, code, refusals

from ferrule.memory.submission import Written
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.loading import load_permanent
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import Ref, Value

ORACLE = Path(__file__).parents[3] / "shared" / "oracle"

# The oracle's words and ours (design section 4). Words that it does not map mean a refusal of any code.
WORDS = {
    **dict.fromkeys(("empty", "fenced", "not-raw-json", "syntax-error", "bad-escape", "bad-number"), "PARSE"),
    **dict.fromkeys(("no-definition", "multiple-definitions"), "NOT_ONE_PROTOTYPE"),
    **dict.fromkeys(("extra-statements", "member-not-allowed", "annotation-not-allowed"), "FORBIDDEN_CONSTRUCT"),
    **dict.fromkeys(("missing-base", "unresolved-base"), "UNKNOWN_TYPE"),
    "undeclared-property": "UNKNOWN_PROPERTY",
    **dict.fromkeys(("unresolved-reference", "name-not-a-prototype"), "UNKNOWN_REFERENCE"),
    **dict.fromkeys(("type-mismatch", "value-out-of-range", "base-changed", "cyclic-base"), "TYPE_MISMATCH"),
    **dict.fromkeys(("self-base", "shadows-inherited"), "TYPE_MISMATCH"),
    "case-collision": "ALREADY_EXISTS",
    "not-an-entity": "RESERVED_NAME",
    "already-valued": "ALREADY_VALUED",
}


def rows(name: str) -> Iterator[dict[str, object]]:
    """The lines of one oracle file."""
    for line in (ORACLE / name).read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def permanent() -> InMemoryLayer:
    """The oracle's own base ontology."""
    loaded = load_permanent([ORACLE / "base-ontology.pts"])
    assert loaded.problems == ()
    return loaded.layer


def deviations() -> dict[str, str]:
    """Our code by id."""
    return {line: row.code for row in DEVIATIONS for line in row.lines.split()}


def step_deviations() -> dict[tuple[str, int], str]:
    """Our answer by sequence and step."""
    return {step: row.code for row in DEVIATIONS for step in row.steps} | {at: told for at, (told, _) in STEPS.items()}


def plain(value: Value) -> object:
    """A value in the oracle's notation."""
    if value is None:
        return {"null": True}
    if isinstance(value, Ref):
        return {"ref": value.name}
    if isinstance(value, tuple):
        return {"list": [plain(element) for element in value]}
    for kind, word in ((bool, "bool"), (int, "int"), (float, "double"), (str, "string")):
        if isinstance(value, kind):
            return {word: value}
    raise AssertionError(value)


@pytest.mark.shared
def test_single_definitions_are_judged_like_the_reference_but_for_the_table() -> None:
    """DEC-D5, DEC-D7, R51, R57, R86: what disagrees is in the table, and nothing else is."""
    layer, expected_deviations, wrong = permanent(), deviations(), []
    for row in rows("memory-validate.jsonl"):
        write = row["write"]
        assert isinstance(write, dict)
        theirs = "accepted" if write["ok"] else WORDS.get(str(write["code"]), "refused")
        ours = code(Person(permanent=layer).judge(str(row["source"])))
        name = str(row["id"])
        agrees = ours == theirs or (theirs == "refused" and ours not in {"accepted", "unchanged"})
        if agrees == (name in expected_deviations) or (not agrees and ours != expected_deviations[name]):
            wrong.append((name, theirs, ours))
    assert wrong == []


@pytest.mark.shared
def test_sequences_are_judged_as_the_oracle_proposes_for_us() -> None:
    """DEC-D1, DEC-D2, R44, R45, R58, CASE-G01, CASE-G02, CASE-G08: `ours` of every step, two apart."""
    layer, wrong, apart = permanent(), [], step_deviations()
    for row in rows("memory-sequences.jsonl"):
        hand = Person(permanent=layer)
        steps = row["steps"]
        assert isinstance(steps, list)
        for number, step in enumerate(steps):
            theirs = {"accept": "accepted", "accept:no-op": "unchanged"}.get(step["ours"])
            theirs = theirs or WORDS[step["ours"].partition(":")[2]]
            verdict = hand.judge(step["source"])
            if isinstance(verdict, Written):
                hand.session.add(verdict.write.prototype, verdict.write.keys)
            ours = code(verdict)
            if ours != apart.get((str(row["id"]), number), theirs):
                wrong.append((row["id"], number, theirs, ours))
    assert wrong == []


@pytest.mark.shared
def test_accepted_definitions_read_as_in_the_reference() -> None:
    """R43, DEC-D2: effective values and the schema of every sound line, decoded and inherited as we decide."""
    layer, checked = permanent(), 0
    for row in rows("memory-validate.jsonl"):
        hand = Person(permanent=layer)
        verdict = hand.judge(str(row["source"]))
        if row.get("quirk") or not isinstance(verdict, Written) or not isinstance(row.get("effective"), dict):
            continue
        hand.session.add(verdict.write.prototype)
        known, name = Ontology(layer, hand.session), verdict.write.prototype.name
        if any(not known.is_type(base) for base in known.ancestors(name)):
            continue  # OBS-M12, M13: the reference loses texts that an entity passes on, and names it as declaring
        effective = row["effective"]
        assert isinstance(effective, dict)
        for prop, value in effective.items():
            assert plain(known.effective(name, prop).value) == value, (row["id"], prop)
        ours = {(entry.property, {"Integer": "Int", "Boolean": "Bool"}.get(entry.type, entry.type), entry.declared_by)
                for entry in known.schema(name)}  # fmt: skip
        schema = row["schema"]
        assert isinstance(schema, list)
        assert ours == {(entry["property"], entry["type"], entry["declared_by"]) for entry in schema}, row["id"]
        checked += 1
    assert checked > 60


@pytest.mark.shared
def test_every_deviation_is_a_line_of_the_oracle_and_rests_on_a_rule_that_binds_everybody() -> None:
    """DEC-D5, R51: none is left over, and where the reference sees no quirk of its own we differ only by refusing."""
    lines = {str(row["id"]): row for row in rows("memory-validate.jsonl")}
    steps = {(str(row["id"]), at) for row in rows("memory-sequences.jsonl") for at in range(len(row["steps"]))}  # type: ignore[arg-type]
    named = deviations()
    assert set(named) <= set(lines)
    assert set(step_deviations()) <= steps
    assert sum(len(row.lines.split()) for row in DEVIATIONS) == len(named), "a line deviates in one way"
    assert {row for _, row in STEPS.values()} <= {row.id for row in DEVIATIONS}
    assert all(ours != "accepted" for name, ours in named.items() if not lines[name].get("quirk"))
    assert (len(lines), len(steps)) == (295, 184), "the oracle has grown: judge the new lines"


@pytest.mark.shared
def test_every_refusal_of_the_oracle_tells_what_where_and_what_to_do() -> None:
    """R54, R28: rule, place and remedy of every refusal over all its lines; a property only where the line has it."""
    layer = permanent()
    for row in rows("memory-validate.jsonl"):
        text = str(row["source"])
        for refusal in refusals(Person(permanent=layer).judge(text)):
            assert 1 <= refusal.rule <= 7, row["id"]
            assert refusal.message.endswith((".", "!", "?")), row["id"]
            assert refusal.remedy.endswith((".", "!", "?", ";")), row["id"]
            assert 0 <= refusal.offset <= len(text), row["id"]
            assert not refusal.property or refusal.property in text, row["id"]

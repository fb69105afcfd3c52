"""A draft becomes a line of gold only when everything in it stands in the turn, and its faults are told in words."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from label_cases import DRAFT, NOTHING, line, subject, subjects

import ferrule
from ferrule.adapters.transcripts.reader import read_text
from ferrule.evaluation.candidates import candidates_in
from ferrule.evaluation.labelling import label_row, said_in, spots_of, turn_id, turn_row
from ferrule.evaluation.records import read_labels


def changed(**members: object) -> dict[str, Any]:
    """The good draft with other members."""
    return {**copy.deepcopy(DRAFT), **members}


def entity(**members: object) -> dict[str, Any]:
    """The good draft with other members in its entity."""
    return changed(entities=[{**copy.deepcopy(DRAFT["entities"][0]), **members}])


def test_a_good_draft_becomes_a_label_that_the_benchmark_reads(tmp_path: Path) -> None:
    """The roles are found, `expect` follows from the grades."""
    row = label_row(subject(), DRAFT)
    assert isinstance(row, dict)
    assert row["expect"] == "write"
    assert row["turn"] == 1
    assert row["file"] == "neutral/spindrift.jsonl"
    assert row["entities"][0]["handles"] == [{"kind": "filesystem-path", "value": "src/tide.rs", "role": "outcome"}]  # type: ignore[index]
    (tmp_path / "labels.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (label,) = read_labels(tmp_path / "labels.jsonl")
    assert label.id == subject().id
    assert label.entities[0].required
    assert label.forbidden[0].value == "/tmp/tide.log"  # noqa: S108 - a value of a turn


def test_a_turn_of_which_nothing_is_worth_keeping_needs_only_the_reason() -> None:
    """The words that every label carries."""
    row = label_row(subjects()[1], NOTHING)
    assert isinstance(row, dict)
    assert (row["expect"], row["entities"]) == ("nothing", [])


FAULTS: list[tuple[object, str, str]] = [
    (None, "why", "why"),
    ("text", "why", "why"),
    (changed(why=""), "why", "one sentence"),
    (changed(why="x" * 401), "why", "longer than 400"),
    (changed(entities={}), "entities", "no list"),
    (changed(entities=[{}] * 61), "entities", "more than 60"),
    (entity(label=" "), "entities.0.label", "name"),
    (entity(type="source file"), "entities.0.type", "no type"),
    (entity(type=7), "entities.0.type", "what it is"),
    (entity(grade="vital"), "entities.0.grade", "required, acceptable"),
    (entity(modality=["created"]), "entities.0.modality", "existing, planned"),
    (entity(handles=[]), "entities.0.handles", "needs a handle"),
    (entity(handles=[{"kind": "road", "value": "src/tide.rs"}]), "entities.0.handles.0.kind", "choose one of"),
    (entity(handles=[{"kind": "url", "value": ""}]), "entities.0.handles.0.value", "empty"),
    (entity(handles=[{"kind": "url", "value": "x" * 2001}]), "entities.0.handles.0.value", "longer than 2000"),
    (entity(handles=[{"kind": "url", "value": "SRC/tide.rs"}]), "entities.0.handles.0.value", "letter by letter"),
    (
        entity(handles=[{"kind": "other-id", "value": "[secret:password:0a1b2c3d]"}]),
        "entities.0.handles.0.value",
        "mark",
    ),
    (entity(handles=["src/tide.rs"]), "entities.0.handles.0.value", "empty"),
    (entity(aliases=["ebb"]), "entities.0.aliases.0", "letter by letter"),
    (changed(forbidden=[{"value": "not there", "why": "log"}]), "forbidden.0.value", "letter by letter"),
    (changed(forbidden=[{"value": "Mended"}]), "forbidden.0.why", "why it is forbidden"),
    (changed(forbidden=[{"value": "src/tide.rs", "why": "log"}]), "forbidden.0.value", "handle of an entity"),
    (changed(entities=DRAFT["entities"] * 2), "entities.1.handles", "handle of entity 1 already"),
]


@pytest.mark.parametrize(("draft", "where", "words"), FAULTS)
def test_each_fault_is_told_at_its_field(draft: object, where: str, words: str) -> None:
    """Whatever a page sends, the answer is words, never an exception."""
    faults = label_row(subject(), draft)
    assert isinstance(faults, tuple)
    assert any(fault.where == where and words in fault.says for fault in faults), faults


def test_two_names_of_one_path_may_not_belong_to_two_entities() -> None:
    """A relative and an absolute form are one handle."""
    twin = {
        **DRAFT["entities"][0],
        "handles": [{"kind": "filesystem-path", "value": "/home/lin/spindrift/src/tide.rs"}],
    }
    faults = label_row(subject(), changed(entities=[DRAFT["entities"][0], twin]))
    assert isinstance(faults, tuple)
    assert [fault.where for fault in faults] == ["entities.1.handles"]


def test_a_value_is_found_with_role_call_and_offsets() -> None:
    """R25, DEC-D9: in code points of the text it stands in."""
    (turn,) = subjects(
        line("t", "😀 mend src/a.rs", "ok", tool_results=[{"tool": "Bash", "arguments": {"command": "cat src/a.rs"}}])
    )
    spots = spots_of(said_in(turn.turn), "src/a.rs")
    assert [(spot.role, spot.call, spot.start) for spot in spots] == [("user", None, 7), ("tool", 0, 4)]
    assert spots_of(said_in(turn.turn), "") == ()


def test_a_value_that_stands_everywhere_is_not_counted_for_ever() -> None:
    """R89: at most fifty spots."""
    (turn,) = subjects(line("t", "x" * 5000, "ok"))
    assert len(spots_of(said_in(turn.turn), "x")) == 50


def test_a_saved_turn_is_read_as_it_was() -> None:
    """What a label says of it still stands there; steering and artifacts come along."""
    text = line(
        "t1",
        "Mend it.",
        "Done.",
        git_branch="neap",
        steering=["also the header"],
        artifacts=[{"name": "plan", "path": "plan.md", "text": "one"}],
        tool_results=[{"call_id": "k", "tool": "Bash", "arguments": "ls", "result": "a", "ok": False}],
    )
    (before,) = subjects(text)
    (after,) = subjects(json.dumps(turn_row(before)) + "\n")
    assert said_in(after.turn) == said_in(before.turn)
    assert after.turn.actions == before.turn.actions
    assert after.id == before.id


def test_the_id_is_of_the_turn_in_its_session() -> None:
    """The same key in another session is another turn."""
    assert turn_id("one", "t1") != turn_id("two", "t1")
    assert turn_id("one", "t1") == turn_id("one", "t1")


def test_candidates_are_what_the_turn_shows_each_thing_once() -> None:
    """R26: both forms of a path are one candidate, its guess of type and modality comes from the ledger."""
    found = candidates_in(subject().turn, said_in(subject().turn))
    tide = next(one for one in found if ("filesystem-path", "src/tide.rs") in one.handles)
    assert ("filesystem-path", "/home/lin/spindrift/src/tide.rs") in tide.handles
    assert (tide.type, tide.modality, tide.label) == ("SourceFile", "changed", "tide.rs")
    assert {"outcome", "tool"} <= set(tide.roles)
    assert any(("branch", "neap") in one.handles for one in found)


def test_every_candidate_stands_in_the_turn() -> None:
    """R25: a click never makes a label that is then refused. Shown on all bundled turns."""
    text = (Path(ferrule.__file__).parent / "samples" / "bench" / "turns.jsonl").read_text(encoding="utf-8")
    count = 0
    for session in read_text(text, scrub=lambda said: said, name="bundled"):
        for turn in session.turns:
            texts = said_in(turn)
            for one in candidates_in(turn, texts):
                count += 1
                assert all(spots_of(texts, value) for _, value in one.handles), (turn.key, one)
    assert count > 300


def test_a_turn_that_mentions_very_much_offers_a_bounded_list() -> None:
    """R89."""
    paths = " ".join(f"src/part{number}/file{number}.py" for number in range(400))
    (turn,) = subjects(line("t", paths, "ok"))
    assert len(candidates_in(turn.turn, said_in(turn.turn))) == 120

"""The desk keeps what was labelled: whole files, nothing of others lost, nobody overwritten unseen."""

import json
from pathlib import Path
from typing import Any

import pytest
from label_cases import DRAFT, NOTHING, desk_at, line, subjects, written

from ferrule.adapters.transcripts.reader import read_transcript
from ferrule.errors import StoreError, UnreadableInput, UsageError
from ferrule.evaluation.records import read_labels
from ferrule.wiring.home import throw_away_home
from ferrule.wiring.labelling import LABELS, TURNS, Saved, desk_of, folder_held, subjects_at


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of lines."""
    return [json.loads(each) for each in path.read_text(encoding="utf-8").splitlines()]


def test_a_saved_label_stands_in_both_files(tmp_path: Path) -> None:
    """Exactly what `ferrule bench` reads."""
    desk = desk_at(tmp_path)
    assert desk.save(0, "", DRAFT) == Saved("saved")
    assert desk.save(1, "", NOTHING) == Saved("saved")
    (session,) = read_transcript(tmp_path / TURNS, scrub=lambda text: text)
    assert [turn.key for turn in session.turns] == ["t1", "t2"]
    assert [label.id for label in read_labels(tmp_path / LABELS)] == [row["id"] for row in rows(tmp_path / TURNS)]
    assert desk.done() == 2


def test_a_desk_goes_on_where_one_stopped(tmp_path: Path) -> None:
    """Another desk over the same folder knows what was labelled."""
    desk_at(tmp_path).save(0, "", DRAFT)
    again = desk_at(tmp_path)
    assert [row["state"] for row in again.overview()["turns"]] == ["write", "open", "open"]  # type: ignore[attr-defined]
    shown = again.turn(0)
    assert shown is not None
    assert shown["label"]["why"] == DRAFT["why"]  # type: ignore[index]


def test_a_save_on_top_of_what_somebody_else_saved_is_stale(tmp_path: Path) -> None:
    """Nothing is overwritten unseen."""
    desk = desk_at(tmp_path)
    desk.save(0, "", DRAFT)
    before = (tmp_path / LABELS).read_bytes()
    assert desk.save(0, "", NOTHING) == Saved("stale")
    assert (tmp_path / LABELS).read_bytes() == before
    revision = str(desk.turn(0)["revision"])  # type: ignore[index]
    assert desk.save(0, revision, NOTHING) == Saved("saved")


def test_a_label_can_be_taken_away(tmp_path: Path) -> None:
    """Turn and label go."""
    desk = desk_at(tmp_path)
    desk.save(0, "", DRAFT)
    desk.save(0, str(desk.turn(0)["revision"]), None)  # type: ignore[index]
    assert (rows(tmp_path / TURNS), rows(tmp_path / LABELS)) == ([], [])


def test_a_faulty_draft_writes_nothing(tmp_path: Path) -> None:
    """R89."""
    saved = desk_at(tmp_path).save(0, "", {"why": ""})
    assert saved is not None
    assert saved.state == "faulty"
    assert list(tmp_path.iterdir()) == []


def test_rows_of_other_turns_are_kept_as_they_are(tmp_path: Path) -> None:
    """A folder may hold labels of other transcripts, also hand-written ones."""
    other = '{"id": "mine", "entities": [], "extra": "kept", "why": "w"}\n'
    (tmp_path / LABELS).write_text(other, encoding="utf-8")
    (tmp_path / TURNS).write_text('{"id": "mine", "user": "u"}\n', encoding="utf-8")
    desk_at(tmp_path).save(0, "", DRAFT)
    assert rows(tmp_path / LABELS)[0] == json.loads(other)
    assert rows(tmp_path / TURNS)[0]["id"] == "mine"


def test_a_file_that_is_no_file_of_labels_is_never_overwritten(tmp_path: Path) -> None:
    """R89: it is said before anything is shown."""
    (tmp_path / LABELS).write_text("notes of mine\n", encoding="utf-8")
    with pytest.raises(UnreadableInput):
        desk_at(tmp_path)


def test_a_save_that_cannot_be_written_leaves_the_desk_as_it_was(tmp_path: Path) -> None:
    """R89: the label is not taken for saved."""
    desk = desk_of(subjects(), tmp_path / "folder")
    (tmp_path / "folder").write_text("", encoding="utf-8")
    with pytest.raises(StoreError):
        desk.save(0, "", DRAFT)
    assert desk.done() == 0
    assert desk.turn(0)["state"] == "open"  # type: ignore[index]


def test_a_second_process_is_kept_out_of_the_folder(tmp_path: Path) -> None:
    """One desk at a time; the folder is private."""
    with folder_held(tmp_path / "out"):
        assert (tmp_path / "out").stat().st_mode & 0o777 == 0o700
        with pytest.raises(UsageError), folder_held(tmp_path / "out"):
            pass
    with folder_held(tmp_path / "out"):
        pass


def test_turns_that_are_not_there_are_told_as_such(tmp_path: Path) -> None:
    """R89."""
    desk = desk_at(tmp_path)
    assert (desk.turn(3), desk.turn(-1), desk.call(0, 1), desk.call(9, 0), desk.candidates(3)) == (None,) * 5
    assert (desk.spots(3, "x"), desk.save(3, "", NOTHING)) == (None, None)


def test_transcripts_are_read_scrubbed_and_each_turn_once(tmp_path: Path) -> None:
    """DEC-D13, R27: a pasted password is in no text of the desk and in no file."""
    secret = "heron-Quartz-5512-walnut"
    text = written() + line("t4", f"the db password = {secret} please use it", "Will do.")
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    with throw_away_home() as home:
        found, remarks = subjects_at(
            home, [str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")], form=None, progress=print
        )
    assert ([one.turn.key for one in found], remarks) == (["t1", "t2", "t3", "t4"], ())
    desk = desk_of(found, tmp_path / "out")
    desk.save(3, "", NOTHING)
    assert "[secret:" in (tmp_path / "out" / TURNS).read_text(encoding="utf-8")
    assert secret not in (tmp_path / "out" / TURNS).read_text(encoding="utf-8")


def test_a_transcript_without_completed_turns_is_one_clear_error(tmp_path: Path) -> None:
    """R76, R89."""
    (tmp_path / "a.jsonl").write_text(line("t1", "hello", ""), encoding="utf-8")
    with throw_away_home() as home, pytest.raises(UsageError, match="no completed turn"):
        subjects_at(home, [str(tmp_path / "a.jsonl")], form=None, progress=print)

"""The spool is read strictly and worked off in order; what is not understood is kept aside, bounded."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_cases import Clock

from ferrule.adapters.spool.folder import ASIDE, DROPPED, MAX_ASIDE, SPOOL, Spool
from ferrule.adapters.spool.notes import Note, note, notes
from ferrule.adapters.spool.records import MAX_RECORD_BYTES, SpooledTurn, StrangePayload, read_record

FINAL, OTHER = "a" * 64, "b" * 64
TURN: dict[str, Any] = {
    "version": 1,
    "kind": "turn",
    "client": "codex",
    "event": "Stop",
    "session": "s1",
    "turn": "t1",
    "transcript": "/work/t.jsonl",
    "end": 7,
    "final": FINAL,
    "cwd": "/work",
    "stop_hook_active": False,
    "client_home": "",
    "when": 1_900_000_000_000,
}
UNKNOWN: dict[str, Any] = {
    "version": 1,
    "kind": "unknown",
    "client": "codex",
    "event": "New",
    "shape": "another-event",
    "bytes": 20,
    "keys": [["prompt", 5]],
    "more_keys": 0,
    "when": 1_900_000_000_000,
}


def raw(record: object) -> bytes:
    """A record as the hook writes it."""
    return json.dumps(record).encode("ascii") + b"\n"


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    """An empty spool."""
    (tmp_path / SPOOL).mkdir(mode=0o700)
    return Spool(tmp_path, Clock())


def left(spool: Spool, number: int, record: object = TURN, *, name: str = "") -> Path:
    """A file that a hook left."""
    path = spool.path / (name or f"{number:020d}-1.json")
    path.write_bytes(record if isinstance(record, bytes) else raw(record))
    return path


def test_reports_come_oldest_first_and_go_when_they_are_done(spool: Spool) -> None:
    """A file stays until what it asks for is durable."""
    for number in (3, 1, 2):
        left(spool, number, TURN | {"turn": f"t{number}"})
    first, *rest = spool.pending()
    assert [one.turn.turn for one in (first, *rest)] == ["t1", "t2", "t3"]
    spool.done(first)
    assert [one.turn.turn for one in spool.pending()] == ["t2", "t3"]
    assert spool.waiting() == 2


def test_reports_of_one_turn_are_one_that_says_what_the_latest_said(spool: Spool) -> None:
    """INV-I4: the later end supersedes; who names the transcript keeps it; one that comes meanwhile is not removed."""
    left(spool, 1, TURN | {"turn": "t0"})
    left(spool, 2)
    left(spool, 3, TURN | {"turn": "t2"})
    left(spool, 4, TURN | {"event": "notify", "transcript": "", "end": -1, "final": OTHER})
    _, pending, _ = spool.pending()
    assert (pending.turn.final, pending.turn.transcript, pending.turn.end) == (OTHER, "/work/t.jsonl", 7)
    left(spool, 5)
    spool.done(pending)
    assert [(one.turn.turn, one.turn.final) for one in spool.pending()] == [("t0", FINAL), ("t2", FINAL), ("t1", FINAL)]


def test_turns_without_an_id_are_told_apart_by_their_last_words(spool: Spool) -> None:
    """Older clients name no prompt: a repeat is one, two different ends are two."""
    for number, final in enumerate((FINAL, OTHER, FINAL)):
        left(spool, number, TURN | {"client": "claude-code", "turn": "", "final": final})
    assert [len(one.files) for one in spool.pending()] == [2, 1]


BAD: dict[str, object] = {
    "an unknown member": TURN | {"text": "words"},
    "a missing member": {name: item for name, item in TURN.items() if name != "cwd"},
    "another version": TURN | {"version": 2},
    "another kind": TURN | {"kind": "other"},
    "another client": TURN | {"client": "other"},
    "another event": TURN | {"event": "SubagentStop"},
    "a number for a text": TURN | {"session": 1},
    "a truth for a number": TURN | {"end": True},
    "an empty session": TURN | {"session": ""},
    "a session with a line break": TURN | {"session": "a\nb"},
    "a session as long as a book": TURN | {"session": "s" * 300},
    "a digest that is none": TURN | {"final": "A" * 64},
    "neither turn nor end": TURN | {"turn": "", "final": ""},
    "a path with a zero byte": TURN | {"transcript": "/a\x00b"},
    "a list": [TURN],
    "text": b"not json",
    "bytes": b"\xff\xfe",
    "a doubled name": raw(TURN)[:-2] + b', "turn": "t2"}',
    "deep nesting": b"[" * 15_000,
    "nothing": b"",
    "an unknown payload of wrong shape": UNKNOWN | {"keys": [["prompt", "5"]]},
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_record_is_put_aside_and_never_guessed(spool: Spool, name: str) -> None:
    """A spool file is untrusted: exactly the documented shape, or nothing."""
    path = left(spool, 1, BAD[name])
    assert read_record(path.read_bytes()) is None
    assert spool.pending() == ()
    assert spool.strange() == (None,)
    assert not path.exists()


def test_unknown_payloads_are_kept_aside_bounded_in_number(spool: Spool) -> None:
    """`doctor` sees the newest of them; the oldest go."""
    for number in range(MAX_ASIDE + 5):
        left(spool, number, UNKNOWN | {"bytes": number}, name=f"{number:020d}-1.unknown.json")
    left(spool, 99, TURN)
    assert [one.turn.turn for one in spool.pending()] == ["t1"]
    strange = spool.strange()
    assert len(strange) == MAX_ASIDE
    assert isinstance(strange[-1], StrangePayload)
    assert strange[-1].size == MAX_ASIDE + 4
    assert strange[-1].keys == (("prompt", 5),)


def a_link(path: Path) -> None:
    """A link to a sound record."""
    target = path.parent.parent / "elsewhere"
    target.write_bytes(raw(TURN))
    path.symlink_to(target)


def a_second_name(path: Path) -> None:
    """A second name of somebody's file."""
    target = path.parent.parent / "elsewhere"
    target.write_bytes(raw(TURN))
    os.link(target, path)


def a_pipe(path: Path) -> None:
    """A FIFO that nobody writes to."""
    os.mkfifo(path)


def too_large(path: Path) -> None:
    """A file larger than a record."""
    path.write_bytes(raw(TURN) + b" " * MAX_RECORD_BYTES)


@pytest.mark.parametrize("put", [a_link, a_second_name, a_pipe, too_large])
def test_what_is_no_small_plain_file_of_our_own_is_taken_away(spool: Spool, put: Callable[[Path], None]) -> None:
    """CASE-E07: never followed, never waited for, and what it leads to stays."""
    path = spool.path / f"{1:020d}-1.json"
    put(path)
    assert spool.pending() == ()
    assert not path.exists()
    elsewhere = spool.path.parent / "elsewhere"
    assert not elsewhere.exists() or elsewhere.read_bytes() == raw(TURN)
    assert spool.strange() == ()


def test_other_names_are_left_alone_but_for_old_remains_of_a_hook(spool: Spool) -> None:
    """A hook that died while it wrote leaves a file that nobody finishes."""
    clock = Clock()
    mine, fresh, old = (left(spool, 1, name=name) for name in ("notes.txt", ".1-1.json.tmp", ".0-1.json.tmp"))
    os.utime(fresh, (clock.now, clock.now))
    os.utime(old, (clock.now - 4000, clock.now - 4000))
    assert spool.pending() == ()
    assert [path.exists() for path in (mine, fresh, old)] == [True, True, False]


@pytest.mark.parametrize("state", ["absent", "link", "file", "open to others"])
def test_a_spool_that_is_not_our_own_folder_is_not_read(tmp_path: Path, state: str) -> None:
    """CASE-E11: what anybody could have written is no report."""
    home = tmp_path / "home"
    home.mkdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    (elsewhere / f"{1:020d}-1.json").write_bytes(raw(TURN))
    if state == "link":
        (home / SPOOL).symlink_to(elsewhere)
    elif state == "file":
        (home / SPOOL).write_text("a file")
    elif state == "open to others":
        elsewhere.rename(home / SPOOL)
        (home / SPOOL).chmod(0o722)
    spool = Spool(home)
    assert spool.pending() == ()
    assert spool.waiting() == 0
    assert spool.dropped() == 0


def test_dropped_reports_are_counted(spool: Spool) -> None:
    """One byte each, as the hook leaves them."""
    (spool.path / DROPPED).write_bytes(b"...")
    assert spool.dropped() == 3
    assert spool.pending() == ()


@given(st.binary(max_size=200) | st.builds(raw, st.dictionaries(st.sampled_from([*TURN, *UNKNOWN]), st.integers())))
def test_no_bytes_break_the_reading(data: bytes) -> None:
    """Whatever stands in a file, the answer is a record or none."""
    assert read_record(data) is None


@given(st.sampled_from(sorted(TURN)), st.none() | st.integers() | st.text() | st.booleans())
def test_a_record_with_one_other_member_is_sound_or_none(name: str, value: object) -> None:
    """What is taken has every member in bounds."""
    record = read_record(raw(TURN | {name: value}))
    assert record is None or (isinstance(record, SpooledTurn) and len(record.session) <= 200 and record.end >= -1)


def test_notes_keep_the_newest_word_on_each_turn_and_stay_small(tmp_path: Path) -> None:
    """INV-I6: ids and reasons only, in one file that never grows beyond its bound."""
    (tmp_path / SPOOL).mkdir()
    for number in range(900):
        note(tmp_path, Note("codex", "s", f"t{number % 90}", f"reason {number} {'x' * 400}", waiting=False, when=1.0))
    found = notes(tmp_path)
    assert found[-1].reason.startswith("reason 899")
    assert len({one.turn for one in found}) == len(found) <= 90
    assert (tmp_path / SPOOL / "left.jsonl").stat().st_size <= 64 * 1024


def test_notes_that_cannot_be_kept_are_lost_quietly(tmp_path: Path) -> None:
    """CASE-K10: a note is no reason to fail; another's file in its place is neither read nor written."""
    note(tmp_path, Note("codex", "s", "t", "why", waiting=True, when=1.0))
    assert notes(tmp_path) == ()
    (tmp_path / SPOOL).mkdir()
    (tmp_path / "victim").write_text("kept")
    (tmp_path / SPOOL / "left.jsonl").symlink_to(tmp_path / "victim")
    note(tmp_path, Note("codex", "s", "t", "why", waiting=True, when=1.0))
    assert notes(tmp_path) == ()
    assert (tmp_path / "victim").read_text() == "kept"
    assert not (tmp_path / SPOOL / ASIDE).exists()

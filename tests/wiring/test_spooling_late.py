"""A reported turn whose transcript lags, lies, or breaks the reading: waited for, told, given up; never guessed."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hook_cases import Claude, Codex
from spool_desk import Desk, first, key

from ferrule.wiring.spooling import SpoolChore
from ferrule.wiring.turn_log import logged


def cut(codex: Codex) -> None:
    """The last line is not whole yet."""
    codex.path.write_bytes(codex.path.read_bytes()[:-30])


LAGS: dict[str, Callable[[Codex], object]] = {
    "no completion yet": lambda codex: codex.written(without=1),
    "no final message yet": lambda codex: codex.written(without=2),
    "no prompt yet": lambda codex: codex.written(without=len(codex.lines) - 1),
    "an empty file": lambda codex: codex.written(without=len(codex.lines)),
    "no file": lambda codex: codex.path.unlink(),
    "half a line": cut,
}


@pytest.mark.parametrize("name", LAGS)
def test_a_transcript_that_lags_is_waited_for(desk: Desk, codex: Codex, name: str) -> None:
    """The client's file may come later than its hook: nothing is guessed, the reason is shown, and then it is taken."""
    codex.asks("Write src/a.py.").says("I wrote src/a.py.").completes().written()
    LAGS[name](codex)
    desk.report(codex)
    again = desk.chore()
    assert again is not None
    assert 0 < again - desk.clock() < 1
    assert len(desk.reasons()) == 1
    assert desk.left() == 1
    codex.written()
    assert desk.chore() is not None  # not before its time
    assert desk.later(1.0) is None
    assert desk.lane(key(codex)) == [("turn-1", "management", "waiting")]
    assert desk.reasons() == []


def test_waiting_has_an_end_and_says_why(desk: Desk, codex: Codex) -> None:
    """A transcript that never shows the turn is given up after a few minutes, and the reason stays."""
    codex.asks("Write src/a.py.").says("I wrote src/a.py.").written()
    desk.report(codex, last_assistant_message="Quite another end.")
    assert desk.chore() is not None
    for _ in range(20):
        desk.later(130.0)
    assert desk.left() == 0
    assert desk.reasons() == ["the transcript does not show the turn's final message yet"]
    assert desk.home.store.sessions() == ()


def test_a_turn_that_lacks_only_its_mark_of_completion_is_taken_in_the_end(desk: Desk, codex: Codex) -> None:
    """A client that was killed after its hook never writes the mark; the hook and the final message are enough."""
    codex.asks("Write src/a.py.").says("I wrote src/a.py.").written()
    desk.report(codex)
    assert desk.chore() is not None
    for _ in range(7):
        desk.later(70.0)
        assert desk.lane(key(codex)) == []
    desk.later(70.0)
    assert desk.lane(key(codex)) == [("turn-1", "management", "waiting")]


def test_a_completed_turn_that_ended_in_other_words_is_taken_in_the_end(desk: Desk, claude: Claude) -> None:
    """A client may tell its hook less, or more, than it writes: the turn that it named is complete all the same."""
    first(claude)
    desk.report(claude, last_assistant_message="I created src/retry.py. (3 lines more)")
    assert desk.chore() is not None
    assert desk.lane(key(claude)) == []
    for _ in range(8):
        desk.later(70.0)
    assert desk.lane(key(claude)) == [(claude.turn, "management", "waiting")]


def test_a_turn_that_was_waited_for_is_told_once(desk: Desk, claude: Claude) -> None:
    """R95: its client names it by the prompt, the store by the line; what it waited for is no other turn's news."""
    first(claude)
    kept = claude.path.read_bytes()
    claude.path.write_bytes(b"")
    desk.report(claude)
    assert desk.chore() is not None
    assert [line.outcome for line in logged(desk.home, 9)] == ["waiting"]
    claude.path.write_bytes(kept)
    assert desk.later(1.0) is None
    assert [(line.turn, line.outcome) for line in logged(desk.home, 9)] == [(claude.turn, "waiting")]


def test_an_interrupted_turn_is_given_up_at_once(desk: Desk, claude: Claude) -> None:
    """R76: a turn that did not complete is no turn to review."""
    first(claude).interrupted().written()
    desk.report(claude)
    assert desk.chore() is None
    assert desk.lane(key(claude)) == []
    assert desk.reasons() == ["it was interrupted"]


def unsafe(name: str, path: Path) -> None:
    """Put something else in a transcript's place."""
    kept = path.with_suffix(".kept")
    path.replace(kept)
    if name == "link":
        path.symlink_to(kept)
    elif name == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)


@pytest.mark.parametrize("name", ["link", "folder", "fifo"])
def test_only_a_plain_file_is_read_as_a_transcript(desk: Desk, claude: Claude, name: str) -> None:
    """CASE-E07: a link, a folder or a FIFO in its place is told and never opened for waiting."""
    first(claude)
    unsafe(name, claude.path)
    desk.report(claude)
    assert desk.chore() is None
    assert desk.home.store.sessions() == ()
    assert len(desk.reasons()) == 1


def test_a_transcript_of_another_session_is_refused(desk: Desk, claude: Claude, codex: Codex) -> None:
    """INV-I7: what a report says of a session never puts another session's text into it."""
    first(claude)
    codex.asks("Write src/a.py.").says("I wrote src/a.py.").completes().written()
    payload = codex.stop(session_id="somebody-else")
    desk.hook("codex", payload)
    assert desk.chore() is None
    assert desk.home.store.sessions() == ()
    assert desk.reasons() == ["its transcript is of another session"]


def test_a_bug_in_one_report_holds_up_no_other_session(desk: Desk, claude: Claude, codex: Codex) -> None:
    """INV-I8: it is told by its kind, never by its words, looked at again a few times, and given up."""

    def boom(text: str) -> str:
        if "retry.py" in text:
            raise LookupError(text)
        return text

    said: list[str] = []
    chore = SpoolChore(replace(desk.home, scrub=boom), tell=said.append, clock=desk.clock, steady=desk.clock)
    desk.report(first(claude))
    codex.asks("Write src/a.py.").says("I wrote src/a.py.").completes().written()
    desk.report(codex)
    assert chore() is not None
    assert desk.lane(key(codex)) == [("turn-1", "management", "waiting")]
    for _ in range(12):
        desk.clock.now += 130.0
        chore()
    assert (desk.left(), desk.reasons()) == (0, ["it ran into a bug in Ferrule"])
    assert any("LookupError" in line for line in said)
    assert not any("src/retry.py" in line for line in said)

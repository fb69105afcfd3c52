"""A source that evaluates and a critic that reviews it: nobody waits for the other, nothing deadlocks."""

import json
import sqlite3
import threading
from pathlib import Path

import pytest
from door_cases import SOURCE
from gate_cases import PATIENT, until
from gated_homes import TURNS, Held, a_home, critic_with, joined, watched

from ferrule.companion.answers import Attached, Declined, Queued
from ferrule.companion.attaching import attach
from ferrule.companion.dispatching import dispatch
from ferrule.companion.feedback import Opinion, give_feedback
from ferrule.companion.outcomes import Outcome, TurnOutcome
from ferrule.companion.worker import Critic, work_lane
from ferrule.errors import Code, GateBusy, InternalError
from ferrule.session import gate as gating
from ferrule.session.gate import TRESPASSES
from ferrule.session.keys import child_key
from ferrule.session.source import InstructionState, Origin
from ferrule.session.subscriptions import Delivery
from ferrule.wiring.critic import memory_of
from ferrule.wiring.home import Home

KEY = SOURCE.key
NOW = 2_000_000_000.0
AGAIN = 'prototype HandNotes : Document\n{\n\tDocumentPath = @"/work/kestrel/docs/hand.md";\n}\n'


def thumbs_up(home: Home, turn: str) -> Attached:
    """Somebody likes a turn."""
    answer = give_feedback(home.store, KEY, turn, Opinion.UP, now=NOW)
    assert isinstance(answer, Attached)
    return answer


def completed(home: Home, turn: str) -> Queued:
    """The event of a completed turn arrives."""
    event = {"EventId": f"e-{turn}", "EventType": "turn.completed", "SourceSessionKey": KEY}
    event |= {"TargetSessionKey": child_key(KEY), "OccurredUtc": "2033-05-18T03:33:20Z"}
    raw = json.dumps(event | {"Data": {"TurnKey": turn}})
    answer = dispatch(home.store, raw, road=Delivery.LOCAL, now=NOW)
    assert isinstance(answer, Queued)
    return answer


def names(home: Home) -> list[str]:
    """What is remembered."""
    return [name for name, _ in home.store.definitions(KEY)]


def reviewing(critic: Critic, outcomes: list[TurnOutcome]) -> threading.Thread:
    """A worker's thread that works off the source's lane."""
    thread = threading.Thread(target=lambda: outcomes.extend(work_lane(critic, KEY)), name="worker", daemon=True)
    thread.start()
    return thread


def test_a_hung_reviewer_and_a_source_that_evaluates_do_not_wait_for_each_other(tmp_path: Path) -> None:
    """R78, INV-I8, CASE-M07: five evaluations begin, attach, dispatch and end while the first review hangs.

    The source asks for the gate without patience, so any lock that the critic held would fail the test at once.
    """
    with a_home(tmp_path / "home", TURNS[:1]) as home, watched(home) as dog:
        reviewer, outcomes = Held(home), list[TurnOutcome]()
        with home.gate.evaluating(KEY, seconds=0, patience=0):
            thumbs_up(home, "t1")
        worker = reviewing(critic_with(home, reviewer), outcomes)
        assert reviewer.began.acquire(timeout=PATIENT)
        for turn in TURNS[1:]:
            with home.gate.evaluating(KEY, seconds=0, patience=0) as evaluation:
                assert evaluation.without == ""
                home.store.put_turns([turn])
                completed(home, turn.key)
        assert names(home) == []
        reviewer.let.set()
        joined(worker)
        assert [outcome.outcome for outcome in outcomes] == [Outcome.WROTE, Outcome.WROTE, *[Outcome.NOTHING] * 3]
        assert [outcome.turn for outcome in outcomes] == [turn.key for turn in TURNS]
        assert names(home) == ["ParserNotes", "StyleGuide"]
        assert reviewer.locks == [()] * 5
        assert ("gate", "store") in dog.edges, "the watchdog saw the commits"


def test_thumbs_up_inside_a_running_evaluation_writes_after_it(tmp_path: Path) -> None:
    """R77, R78, CASE-M05, CASE-M07: attach is one transaction and never asks for the gate; the write waits for it."""
    with a_home(tmp_path / "home", TURNS[:1]) as home, watched(home) as dog:
        reviewer, outcomes = Held(home), list[TurnOutcome]()
        reviewer.let.set()
        with home.gate.evaluating(KEY):
            asked, begun = dog.asked, len(dog.begun)
            answer = thumbs_up(home, "t1")
            assert (dog.asked - asked, len(dog.begun) - begun) == (0, 1)
            assert answer.instruction.state is InstructionState.WAITING
            worker = reviewing(critic_with(home, reviewer), outcomes)
            until(lambda: any(room.waiting for room in home.gate._rooms._rooms.values()), "the commit does not come")
            assert names(home) == []
            assert isinstance(attach(home.store, KEY, "t1", Origin.MANAGEMENT, now=NOW), Attached)
        joined(worker)
        assert [outcome.outcome for outcome in outcomes] == [Outcome.WROTE]
        assert names(home) == ["ParserNotes"]


def test_a_commit_that_cannot_have_the_gate_in_time_is_given_back_unattempted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R78, CASE-M08: BUDGET; nothing is written, no attempt is counted, and it is tried again later with success."""
    monkeypatch.setattr(gating, "WAIT_SECONDS", 0.01)
    with a_home(tmp_path / "home", TURNS[:1]) as home, watched(home):
        reviewer, outcomes = Held(home), list[TurnOutcome]()
        reviewer.let.set()
        critic = critic_with(home, reviewer)
        with home.gate.evaluating(KEY):
            thumbs_up(home, "t1")
            joined(reviewing(critic, outcomes))
            standing, lane = home.store.instruction(KEY, "t1"), home.store.lane(KEY)
            assert [(outcome.outcome, outcome.code) for outcome in outcomes] == [(Outcome.FAILED, Code.BUDGET)]
            assert standing is not None
            assert (standing.state, standing.attempts) == (InstructionState.WAITING, 0)
            assert lane is not None
            assert lane.due is not None
            assert home.store.claim_next(lease_seconds=30.0) is None, "it waits for a while before it is tried again"
            assert (names(home), home.store.receipts()) == ([], ())
        joined(reviewing(critic, outcomes))
        assert [outcome.outcome for outcome in outcomes] == [Outcome.FAILED, Outcome.WROTE]
        assert names(home) == ["ParserNotes"]
        assert len(reviewer.locks) == 1, "the finished review was kept: the reviewer is not called again"


def test_a_review_that_waited_for_the_gate_is_made_again_when_memory_was_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R78, DEC-D14, INV-I3: what a person does meanwhile is seen by the review that counts."""
    monkeypatch.setattr(gating, "WAIT_SECONDS", 0.01)
    with a_home(tmp_path / "home", TURNS[:1]) as home, watched(home):
        reviewer, outcomes = Held(home), list[TurnOutcome]()
        reviewer.let.set()
        critic = critic_with(home, reviewer)
        with home.gate.evaluating(KEY):
            thumbs_up(home, "t1")
            joined(reviewing(critic, outcomes))
            memory_of(home).write(KEY, AGAIN.replace("HandNotes", "ParserNotes"))
        joined(reviewing(critic, outcomes))
        assert [outcome.outcome for outcome in outcomes] == [Outcome.FAILED, Outcome.NOTHING]
        assert len(reviewer.locks) == 2
        assert "/hand.md" in dict(home.store.definitions(KEY))["ParserNotes"]


def test_a_person_is_told_that_the_source_is_being_evaluated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R78, CASE-M08: write, forget and unforget say so and change nothing; what only reads is not held up."""
    monkeypatch.setattr(gating, "WAIT_SECONDS", 0.01)
    with a_home(tmp_path / "home") as home, watched(home):
        memory = memory_of(home)
        memory.write(KEY, AGAIN)
        inside, leave = threading.Event(), threading.Event()

        def host() -> None:
            with home.gate.evaluating(KEY):
                inside.set()
                leave.wait(PATIENT)

        thread = threading.Thread(target=host, name="host")
        thread.start()
        assert inside.wait(PATIENT)
        for change in (
            lambda: memory.write(KEY, AGAIN.replace("Hand", "Foot").replace("hand", "foot")),
            lambda: memory.forget(KEY, ["HandNotes"]),
            lambda: memory.unforget(KEY, "HandNotes"),
        ):
            with pytest.raises(GateBusy) as caught:
                change()
            assert caught.value.code is Code.BUDGET
        assert memory.check(KEY, AGAIN) is not None
        memory.project(KEY)
        assert names(home) == ["HandNotes"]
        leave.set()
        joined(thread)
        assert len(memory.forget(KEY, ["HandNotes"])) == 1


def test_the_evaluation_may_write_to_its_own_memory(tmp_path: Path) -> None:
    """R78: the thread that evaluates is let in, also through another opening of the same home."""
    folder = tmp_path / "home"
    with a_home(folder) as home, watched(home), home.gate.evaluating(KEY), a_home(folder) as again:
        memory_of(again).write(KEY, AGAIN)
        assert names(home) == ["HandNotes"]


def test_a_review_inside_an_evaluation_is_stopped_before_it_can_deadlock(tmp_path: Path) -> None:
    """R78, CASE-M07: on in production: no reviewer is called under the gate or in a transaction; nothing is written."""
    with a_home(tmp_path / "home") as home:
        thumbs_up(home, "t1")
        critic = critic_with(home, Held(home))
        for entered in (home.gate.evaluating(KEY), home.gate.of("another source"), home.store.unit()):
            with pytest.raises(InternalError), entered:
                list(work_lane(critic, KEY))
        assert len(TRESPASSES) == 3
        assert (names(home), home.store.receipts()) == ([], ())
    TRESPASSES.clear()


def delete(home: Home) -> None:
    """Take the session away, as another program would."""
    other = sqlite3.connect(home.path / "ferrule.sqlite3")
    other.execute("DELETE FROM sessions WHERE key = ?", (KEY,))
    other.commit()
    other.close()


@pytest.mark.parametrize("how", ["archived", "deleted"])
def test_a_source_that_goes_away_in_the_middle_of_a_review_is_not_written_to(tmp_path: Path, how: str) -> None:
    """CASE-F12, R98: nothing is written, no folder appears, and the session is not brought back by it."""
    with a_home(tmp_path / "home", TURNS[:1]) as home, watched(home):
        reviewer, outcomes = Held(home), list[TurnOutcome]()
        thumbs_up(home, "t1")
        worker = reviewing(critic_with(home, reviewer), outcomes)
        assert reviewer.began.acquire(timeout=PATIENT)
        if how == "archived":
            assert home.store.archive(KEY, archived=True)
        else:
            delete(home)
        reviewer.let.set()
        joined(worker)
        assert [outcome.outcome for outcome in outcomes if outcome.outcome is Outcome.WROTE] == []
        assert (names(home), home.store.receipts(), home.store.review(KEY, "t1")) == ([], (), None)
        assert not (home.path / "sessions").exists()
        session = home.store.session(KEY)
        assert session is None if how == "deleted" else session is not None and session.archived
        assert isinstance(attach(home.store, KEY, "t1", Origin.MANAGEMENT, now=NOW), Declined)

"""The process around a worker: signals, a store that fails and comes back, a newer store, wrong wishes."""

import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from store_cases import a_session
from worker_cases import LONG

from ferrule.adapters.laptop.lock import WorkerLock
from ferrule.bridge.door import Door
from ferrule.companion import worker
from ferrule.companion.binding import companion_of
from ferrule.companion.worker import Critic
from ferrule.errors import Code, StoreError, UsageError
from ferrule.review.port import Limits, ReviewDraft
from ferrule.session.source import InstructionState, Origin
from ferrule.session.turn import Turn
from ferrule.wiring import workshop
from ferrule.wiring.calling import rung_for
from ferrule.wiring.critic import critic_of
from ferrule.wiring.home import Home, open_home
from ferrule.wiring.working import worker_standing
from ferrule.wiring.workshop import Ended, Wishes, run_worker


class Acting:
    """A reviewer that does something with the home, then has nothing to say."""

    name = "acting-1"

    def __init__(self, action: "threading.Event | None" = None, **times: object) -> None:
        self.waits = action
        self.begun = threading.Event()
        self.times = times

    def review(self, door: Door, limits: Limits) -> ReviewDraft:  # noqa: ARG002 - bounded by its script
        """Wait, when told to."""
        door.read_turn()
        self.begun.set()
        if self.waits is not None:
            assert self.waits.wait(LONG)
        return ReviewDraft((), (), "acted")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """A home with one turn that waits."""
    with open_home(tmp_path / "home") as opened:
        session = a_session("desk:alpha")
        opened.store.put_session(session)
        opened.store.put_turns([Turn("t1", session.key, 1, "please", "done")])
        opened.store.enqueue(session, companion_of(session), [(1, "t1")], Origin.EVENT)
        yield opened


def state(home: Home) -> tuple[InstructionState, int]:
    """How the turn's instruction stands."""
    instruction = home.store.instruction("desk:alpha", "t1")
    assert instruction is not None
    return instruction.state, instruction.attempts


def wishes(reviewer: Acting, told: list[str], **more: object) -> Wishes:
    """A worker that leaves as soon as nothing is due, with that reviewer."""

    def critic(home: Home) -> Critic:
        return replace(critic_of(home), reviewer=reviewer)

    facts: dict[str, object] = {"once": True, "critic": critic, "tell": told.append, "grace_seconds": 0.05}
    return Wishes(**facts | more)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_each_signal_ends_the_work_in_good_order(home: Home, name: str) -> None:
    """CASE-J09: the turn is given back un-attempted, the handlers of before stand again, nothing is held."""
    before = signal.getsignal(signal.Signals[name])
    reviewer = Acting(threading.Event())

    def press() -> None:
        assert reviewer.begun.wait(LONG)
        os.kill(os.getpid(), signal.Signals[name])

    threading.Thread(target=press).start()
    told: list[str] = []
    run = run_worker(home.path, wishes(reviewer, told))
    assert (run.ended, run.reviewed) == (Ended.STOPPED, 0)
    assert state(home) == (InstructionState.WAITING, 0)
    assert told[1:] == ["desk:alpha t1: given back unfinished", "worker left: told to stop; 0 reviewed"]
    assert signal.getsignal(signal.Signals[name]) == before
    assert not worker_standing(home).running
    assert rung_for(home.path) is None
    assert reviewer.waits is not None
    reviewer.waits.set()


def test_a_store_that_fails_is_given_time_and_opened_anew(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-K01, CASE-K03: told, paused, opened again and checked; the turn is reviewed and has lost no attempt."""
    monkeypatch.setattr(workshop, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(worker, "_PASSING_SECONDS", 0.01)
    opened: list[Home] = []
    standings: list[str] = []

    def critic(home: Home) -> Critic:
        opened.append(home)
        reviewer = Acting()
        real = reviewer.review

        def review(door: Door, limits: Limits) -> ReviewDraft:
            if len(opened) < 3:  # full for this connection alone: what is opened anew has room again
                home.store._database.number("PRAGMA max_page_count = 1")
                home.store.put_session(a_session("desk:other", title="x" * 100_000))
            standings.append(worker_standing(home).doing)
            return real(door, limits)

        reviewer.review = review  # type: ignore[method-assign]
        return replace(critic_of(home), reviewer=reviewer)

    told: list[str] = []
    run = run_worker(home.path, Wishes(critic=critic, tell=told.append, idle_seconds=0.0))
    assert (run.ended, run.reviewed) == (Ended.IDLE, 1)
    assert len(opened) == 3
    assert state(home) == (InstructionState.DONE, 1)
    assert sum("ENOSPC" in line for line in told) == 2
    assert standings == ["desk:alpha t1"]


def test_a_store_that_keeps_failing_is_given_up_with_the_reason(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-K01: ten times, never in a busy loop; the next wake tries anew."""
    monkeypatch.setattr(workshop, "FIRST_PAUSE", 0.0)

    def critic(home: Home) -> Critic:
        raise StoreError(f"{home.path}: it is full")

    told: list[str] = []
    with pytest.raises(StoreError, match="it is full"):
        run_worker(home.path, Wishes(critic=critic, tell=told.append))
    assert sum("it is full" in line for line in told) == workshop.MOST_PAUSES + 1
    assert not worker_standing(home).running


def test_a_newer_store_ends_the_work_without_a_successor(home: Home) -> None:
    """CASE-N12: another Ferrule migrated it; what this one has under review is finished, nothing more is begun."""
    reviewer = Acting()
    told: list[str] = []
    home.store._database.number("PRAGMA user_version = 99")
    run = run_worker(home.path, wishes(reviewer, told))
    assert run.ended is Ended.OUTDATED
    assert not reviewer.begun.is_set()
    assert not worker_standing(home).running


def test_an_old_worker_stops_at_the_migration(home: Home) -> None:
    """CASE-N12: noticed between two turns, also by a worker that had the store open before."""
    home.store.put_turns([Turn("t2", "desk:alpha", 2, "please", "done")])
    source = a_session("desk:alpha")
    home.store.enqueue(source, companion_of(source), [(2, "t2")], Origin.EVENT)
    reviewer = Acting(threading.Event())

    def migrate() -> None:
        assert reviewer.begun.wait(LONG)
        home.store._database.number("PRAGMA user_version = 99")
        assert reviewer.waits is not None
        reviewer.waits.set()

    threading.Thread(target=migrate).start()
    run = run_worker(home.path, wishes(reviewer, [], grace_seconds=5.0))
    assert (run.ended, run.reviewed) == (Ended.OUTDATED, 1)


def test_a_home_has_one_worker(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """R74: the second says who the first is; it waits only for one that is starting or leaving."""
    monkeypatch.setattr(workshop, "PATIENCE_SECONDS", 0.05)
    lock = WorkerLock.taken(home.path)
    assert lock is not None
    run = run_worker(home.path, wishes(Acting(), []))
    assert (run.ended, run.other is not None) == (None, True)
    lock.close()


@pytest.mark.parametrize("idle", [-1.0, 1e9])
def test_wrong_wishes_are_refused(home: Home, idle: float) -> None:
    """INV-I8: one sentence, nothing begun."""
    with pytest.raises(UsageError) as refused:
        run_worker(home.path, Wishes(idle_seconds=idle))
    assert refused.value.code is Code.BAD_TOOL_ARGS


def test_there_is_no_worker_without_a_home(tmp_path: Path) -> None:
    """CASE-K12: nothing is made."""
    with pytest.raises(UsageError, match="no Ferrule home"):
        run_worker(tmp_path / "nowhere")
    assert list(tmp_path.iterdir()) == []
    assert not worker_standing(tmp_path / "nowhere").running

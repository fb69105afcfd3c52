"""Attach, feed events, and a real worker that nobody started by hand reviews each turn once (issue 3, "done when")."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from follow_cases import CHILD, SOURCE, event, held, put, turn

from ferrule.wiring.working import worker_standing

pytestmark = pytest.mark.skipif(os.name == "nt", reason="workers are spawned on POSIX systems")
BOUND_SECONDS = 60.0


def until(reached: Callable[[], bool]) -> None:
    """Poll another process, with a bound."""
    end = time.monotonic() + BOUND_SECONDS
    while not reached():
        assert time.monotonic() < end, "the worker did not get there"
        time.sleep(0.05)


@pytest.fixture
def working(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home where what is queued starts a worker, which leaves soon after its last turn."""
    monkeypatch.delenv("FERRULE_WORKER")
    home.mkdir(mode=0o700)
    (home / "settings.toml").write_text("idle_seconds = 0.3\n", encoding="utf-8")
    yield home
    there = worker_standing(home)
    if there.running and there.pid:
        os.kill(there.pid, signal.SIGTERM)
    until(lambda: not worker_standing(home).running)


def test_an_attached_session_gets_one_review_per_turn_and_nothing_else(
    tmp_path: Path, working: Path, ferrule: Callable[..., Any]
) -> None:
    """R72, R75, R77, R79, R81, R83, R84, R92, R96: by a spawned worker, through the real command line."""
    nine = put(tmp_path / "nine.jsonl", *(turn(number, ordinal=number) for number in range(1, 10)))
    assert ferrule("attach", "--from", nine, "3").code == 0
    for number in (10, 11, 10, 12):
        text = put(tmp_path / f"t{number}.json", turn(number))
        assert ferrule("dispatch", put(tmp_path / f"e{number}.json", event(number)), "--from", text).code == 0

    def reviewed() -> list[str]:
        return [row["turn"] for row in ferrule("log", SOURCE, "--json").rows()]

    until(lambda: len(reviewed()) == 4)
    until(lambda: not worker_standing(working).running)
    assert reviewed() == ["k3", "k10", "k11", "k12"]
    rows = held(working)
    assert [len(rows[name]) for name in ("reviews", "instructions", "subscriptions", "turns")] == [4, 4, 1, 4]
    assert [row["session"] for row in ferrule("sessions", "list", "--json").rows()] == [SOURCE]
    turns = {row["session"]: row["turns"] for row in ferrule("sessions", "list", "--hidden", "--json").rows()}
    assert turns == {SOURCE: 4, CHILD: 0}
    # A worker that has left is started again by the next turn.
    assert ferrule("thumbs-up", SOURCE, "k1", "--from", nine).code == 0
    until(lambda: len(reviewed()) == 5)
    assert ferrule("detach", SOURCE, "--json").rows()[0]["withdrawn"] == 0
    ignored = ferrule("dispatch", put(tmp_path / "e13.json", event(13)), "--from", put(tmp_path / "t13.json", turn(13)))
    assert "ignored" in ignored.out
    assert len(reviewed()) == 5

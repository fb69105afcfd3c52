"""Events by queue-input from the command line: stored first, waited for, and told of when they come to nothing."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from follow_cases import SOURCE, event, put, turn

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.dispatching import MAX_LOOKS

Ferrule = Callable[..., Any]


@pytest.fixture
def queued(tmp_path: Path, ferrule: Ferrule) -> Ferrule:
    """A session whose events come by queue-input."""
    file = put(tmp_path / "three.jsonl", *(turn(number, ordinal=number) for number in range(1, 4)))
    assert ferrule("attach", "--from", file, "3", "--delivery", "queue-input", "--json").code == 0
    return ferrule


def test_an_event_that_waits_for_its_turn_is_told_of_until_it_ends(tmp_path: Path, home: Path, queued: Ferrule) -> None:
    """R76, R79, R92: received at once, shown while it waits, shown with its reason when its turn never came."""
    told = queued("dispatch", put(tmp_path / "e.json", event(4)), "--road", "queue-input", "--json")
    assert (told.code, told.rows()[0]["answer"]) == (0, "received")
    assert queued("worker", "--once").code == 0
    (waiting,) = queued("status", SOURCE, "--json").rows()[0]["events"]
    assert (waiting["state"], waiting["outcome"], waiting["attempts"]) == ("received", None, 1)
    assert "1 event waiting to be dispatched" in queued("status", SOURCE).out
    # The looks in between take more than an hour; the last one is brought forward.
    store = SqliteStore(home, time.time)
    (event_row,) = store.stuck_events(SOURCE, 5)
    store.put_event(replace(event_row, attempts=MAX_LOOKS - 1, due=0.0))
    store.close()
    assert queued("worker", "--once").code == 0
    (ended,) = queued("status", SOURCE, "--json").rows()[0]["events"]
    assert (ended["outcome"], ended["code"]) == ("declined", "TURN_NOT_COMPLETED")
    page = queued("status", SOURCE).out
    assert "1 event came to nothing" in page
    assert "no completed turn of that key is stored" in " ".join(page.split())


def test_a_queued_event_leaves_no_trouble_behind(tmp_path: Path, queued: Ferrule) -> None:
    """R79, R80, R84: the turn comes along with it, a worker dispatches and reviews it."""
    text, file = put(tmp_path / "t4.json", turn(4)), put(tmp_path / "e.json", event(4))
    assert queued("dispatch", file, "--from", text, "--road", "queue-input", "--json").rows()[0]["answer"] == "received"
    assert queued("worker", "--once").code == 0
    status = queued("status", SOURCE, "--json").rows()[0]
    assert (status["events"], status["reviewed"], status["waiting"]) == ([], 2, 0)

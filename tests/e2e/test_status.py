"""`ferrule status` through a source's life: each state says what it is and what to do next (platform.md section 6)."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from follow_cases import CHILD, SOURCE, put, turn

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.interfaces.cli.wording import ago, counted, share, spans_of, within

Ferrule = Callable[..., Any]
QUOTED = f"'{SOURCE}'"


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A transcript of four turns."""
    return put(tmp_path / "desk.jsonl", *(turn(number, ordinal=number) for number in range(1, 5)))


def status(ferrule: Ferrule, *words: str) -> dict[str, Any]:
    """The one source's object."""
    told = ferrule("status", *words, "--json")
    assert told.code == 0
    source, worker = told.rows()
    assert set(worker) == {"worker"}
    return dict(source)


def facts(ferrule: Ferrule, *words: str) -> dict[str, str]:
    """The page's facts by their labels."""
    told = ferrule("status", *words)
    assert told.code == 0
    lines = told.out.splitlines()
    assert lines[0].startswith(SOURCE)
    return {line[2:13].strip(): line[15:] for line in lines[1:]}


def test_without_a_home_it_says_how_to_begin(home: Path, ferrule: Ferrule) -> None:
    """One line, exit 2, and no home is made by looking."""
    told = ferrule("status")
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert "start with: ferrule review" in told.err
    assert not home.exists()


def test_a_home_without_a_session_says_how_to_begin(ferrule: Ferrule, tmp_path: Path) -> None:
    """A home in which nothing was stored yet."""
    empty = put(tmp_path / "w.jsonl", turn(1, session_key="w", profile="level-2"))
    ferrule("review", empty)
    for words in (["status"], ["status", "--all"]):
        assert ferrule(*words).out == "No session yet. Start with: ferrule try, or ferrule review FILE\n"
    assert [set(found) for found in ferrule("status", "--json").rows()] == [{"worker"}]


def test_each_state_of_a_source_says_what_to_do_next(ferrule: Ferrule, path: str) -> None:
    """R96, R98: reviewed, attached, waiting, paused, detached, archived."""
    ferrule("review", path, "--turn", "1")
    page = facts(ferrule)
    assert page["companion"] == "never attached"
    assert page["reviewed"] == "1 of 1 stored turn (100 %, caught up)"
    assert page["last"] == "turn 1: wrote, just now"
    assert page["waiting"] == "none"
    assert page["next"] == f"ferrule attach {QUOTED} reviews its next turns"

    ferrule("attach", "3", "--from", path)
    page = facts(ferrule)
    assert page["companion"] == "attached, events come by local, from turn 5 on"
    assert page["waiting"] == "1 turn, due now"
    assert page["next"] == "nobody looks at what waits until another turn comes; here and now: ferrule worker"

    ferrule("pause")
    page = facts(ferrule)
    assert (page["waiting"], page["next"]) == ("1 turn, paused", f"ferrule resume {QUOTED}")

    ferrule("resume")
    ferrule("catch-up")
    page = facts(ferrule)
    assert page["reviewed"] == "2 of 2 stored turns (100 %, caught up)"
    assert page["next"] == "nothing: the next turns are reviewed as they come"

    ferrule("detach")
    assert facts(ferrule)["companion"] == "detached"

    ferrule("sessions", "archive", "last")
    page = facts(ferrule)
    assert page["companion"] == "detached; not reviewed: it is archived"
    assert page["next"] == f"ferrule sessions unarchive {QUOTED}"


def test_a_source_that_is_behind_is_led_to_catch_up(ferrule: Ferrule, path: str) -> None:
    """R99: attached, but older turns were never reviewed."""
    ferrule("attach", "4", "--from", path)
    ferrule("catch-up", "--from", path, "--next")
    ferrule("catch-up", "--reset")
    ferrule("catch-up", "--next")
    found = status(ferrule)
    assert (found["turns"], found["reviewed"], found["caught_up"]) == (4, 2, 0.5)
    page = facts(ferrule)
    assert page["reviewed"] == "2 of 4 stored turns (50 %, not caught up)"


def test_the_object_of_a_source_tells_all_of_it(ferrule: Ferrule, path: str) -> None:
    """R91: reviewer and model as chosen; times as programs read them."""
    ferrule("attach", "2", "--from", path, "--ttl", "3600")
    found = status(ferrule, SOURCE)
    assert found["session"] == SOURCE
    assert (found["attached"], found["attachment"], found["delivery"]) == (True, "attached", "local")
    assert (found["companion"], found["reviewer"], found["model"]) == (CHILD, "embedded", "")
    assert (found["first_ordinal"], found["waiting"], found["parked"], found["paused"]) == (5, 1, 0, False)
    assert found["expires"].endswith("+00:00")
    assert (found["last"], found["last_error"], found["reviewing"]) == (None, None, "")
    ferrule("catch-up")
    last = status(ferrule)["last"]
    assert (last["turn"], last["ordinal"], last["outcome"]) == ("k2", 2, "wrote")


def test_a_portfolio_shows_every_source_and_totals(tmp_path: Path, ferrule: Ferrule, path: str) -> None:
    """R1: attached first, then the newest; companions never; one object per source and one for the worker."""
    ferrule("attach", "4", "--from", path)
    for name in ("desk 2", "desk 3"):
        ferrule("review", put(tmp_path / f"{name}.jsonl", turn(1, session_key=name)))
    told = ferrule("status", "--all", "--json")
    assert [found.get("session") for found in told.rows()] == [SOURCE, "desk 3", "desk 2", None]
    lines = ferrule("status", "--all").out.splitlines()
    assert lines[0].split() == ["Session", "Companion", "Reviewed", "Waiting", "Last"]
    assert [line[:6] for line in lines[1:4]] == ["desk 1", "desk 3", "desk 2"]
    assert lines[-2] == "3 sessions, 1 attached; 2 of 3 turns reviewed, 1 waiting, 0 given up"
    assert lines[-1].startswith("worker: none runs")


def test_a_companion_is_found_by_its_whole_key_and_leads_to_its_source(ferrule: Ferrule, path: str) -> None:
    """R1: hidden, but not secret."""
    ferrule("review", path)
    told = ferrule("status", CHILD)
    assert told.code == 0
    assert f"ferrule status {QUOTED} shows the session that it reviews" in told.out
    assert ferrule("status", CHILD[:-3]).code == 2


def test_nothing_is_to_be_done_while_somebody_reviews(home: Path, ferrule: Ferrule, path: str) -> None:
    """R96: what waits behind a turn under review is no matter for a person."""
    ferrule("attach", "3", "--from", path)
    store = SqliteStore(home, time.time)
    assert store.claim_next(lease_seconds=60.0, worker="hand") is not None
    assert facts(ferrule)["next"] == "nothing: what waits is reviewed when it is due"
    store.close()


def test_a_running_worker_is_shown_with_what_it_does(home: Path, ferrule: Ferrule, path: str) -> None:
    """The worker is visible in status, and gone from it when it is gone."""
    ferrule("review", path)
    command = [sys.executable, "-m", "ferrule", "worker", "--home", str(home), "--idle", "60"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # noqa: S603
    try:
        worker: dict[str, Any] = {}
        for _ in range(600):
            worker = ferrule("status", "--json").rows()[-1]["worker"]
            if worker["pid"] and worker["doing"] == "idle":
                break
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        assert worker["running"] is True
        assert worker["pid"] == process.pid
        assert f"(process {process.pid}), idle" in facts(ferrule)["worker"]
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
    finally:
        process.kill()
    assert ferrule("status", "--json").rows()[-1]["worker"]["running"] is False


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (counted(1, "turn"), "1 turn"),
        (counted(0, "turn"), "0 turns"),
        (counted(1200, "memory", "memories"), "1,200 memories"),
        (share(0.0), "0 %"),
        (share(0.001), "1 %"),
        (share(0.999), "99 %"),
        (share(1.0), "100 %"),
        (spans_of([]), ""),
        (spans_of([3]), "3"),
        (spans_of([1, 2, 3, 5, 7, 8]), "1-3, 5, 7-8"),
        (spans_of(range(1, 40, 2)), "1, 3, 5, 7, 9, 11, …"),
        (ago(-5), "just now"),
        (ago(59), "just now"),
        (ago(61), "1 min ago"),
        (ago(7300), "2 h ago"),
        (ago(86_400), "1 day ago"),
        (ago(200_000), "2 days ago"),
        (within(0.2), "now"),
        (within(4.6), "in 5 s"),
        (within(200), "in 3 min"),
    ],
)
def test_small_phrases_read_well(told: str, words: str) -> None:
    """Plurals, shares that never claim too much, runs of ordinals, times in one unit."""
    assert told == words

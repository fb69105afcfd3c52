"""`ferrule catch-up` as a person runs it: shown, reviewed, stopped, gone on with, forgotten (R99)."""

import io
import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from follow_cases import CHILD, SOURCE, event, held, put, turn

Ferrule = Callable[..., Any]
SHELL = f"'{SOURCE}'"
LONG = 400
PATIENCE = 60.0


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A transcript of four turns."""
    return put(tmp_path / "desk.jsonl", *(turn(number, ordinal=number) for number in range(1, 5)))


def row(told: Any) -> dict[str, Any]:  # noqa: ANN401 - what a command said
    """The one JSON object of a command."""
    (found,) = told.rows()
    return dict(found)


def ordinals(turns: list[dict[str, Any]]) -> list[int]:
    """The ordinals of listed turns."""
    return [item["ordinal"] for item in turns]


def reviewed(found: dict[str, Any]) -> list[int]:
    """The ordinals of the turns that a run reviewed."""
    return [review["turn"]["ordinal"] for review in found["reviews"]]


def manifest(home: Path) -> Path:
    """The one manifest below a home."""
    (found,) = home.glob("sessions/*/artifacts/online-memory-critic-batch/manifest.json")
    return found


def change(home: Path, *statements: str) -> None:
    """Bring a home into a state that would take days or a missing model."""
    connection = sqlite3.connect(home / "ferrule.sqlite3")
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def test_a_dry_run_shows_what_would_be_reviewed_and_leaves_no_trace(home: Path, ferrule: Ferrule, path: str) -> None:
    """R99: not even a home; and in a home not one row changes."""
    told = ferrule("catch-up", "--from", path, "--dry-run")
    assert told.code == 0
    assert told.out.splitlines() == [SOURCE, "  4 turns to review (1-4)"]
    assert not home.exists()
    ferrule("review", path, "--turn", "2")
    before = held(home)
    found = row(ferrule("catch-up", "--from", path, "--dry-run", "--json"))
    assert found["dry_run"] is True
    assert ordinals(found["plan"]["turns"]) == [1, 3, 4]
    assert [(left["ordinal"], left["why"]) for left in found["plan"]["left_out"]] == [(2, "reviewed")]
    assert held(home) == before


def test_a_transcript_is_caught_up_oldest_first_and_then_there_is_nothing_left(ferrule: Ferrule, path: str) -> None:
    """R99, R84: what was reviewed before is not reviewed again; memories are written; the second run says so."""
    assert ferrule("review", path, "--turn", "3").code == 0
    found = row(ferrule("catch-up", "--from", path, "--json"))
    assert reviewed(found) == [1, 2, 4]
    assert found["caught_up"] is True
    assert found["stopped"] is None
    assert found["progress"] == {"done": 3, "of": 3, "skipped": 0, "failed": 0, "left": 0}
    assert len(ferrule("memory", "list", "--json").rows()) == 4
    told = ferrule("catch-up")
    assert told.code == 0
    assert told.out.splitlines() == [SOURCE, "  Caught up: 4 stored turns, nothing left to review."]


def test_the_page_tells_plan_turns_and_result(ferrule: Ferrule, path: str) -> None:
    """R99: what a person reads."""
    told = ferrule("catch-up", "--from", path)
    lines = told.out.splitlines()
    assert lines[:2] == [SOURCE, "  4 turns to review (1-4)"]
    assert [line.partition("  ")[0] for line in lines if line.startswith("Turn ")] == [f"Turn {n}" for n in range(1, 5)]
    assert lines[-1] == "Caught up: 4 of 4 turns reviewed, 4 memories written."


def test_next_reviews_one_turn_and_the_rest_goes_on(ferrule: Ferrule, path: str) -> None:
    """R99: `--next`, then all; the batch keeps its count."""
    told = ferrule("catch-up", "--from", path, "--next")
    assert told.code == 0
    assert told.out.splitlines()[-2:] == [
        "Not caught up: 1 of 4 turns reviewed; the rest waits in the lane.",
        f"goes on with: ferrule catch-up {SHELL}",
    ]
    found = row(ferrule("catch-up", SOURCE, "--next", "--json"))
    assert (reviewed(found), found["progress"]["done"], found["caught_up"]) == ([2], 2, False)
    found = row(ferrule("catch-up", "last", "--json"))
    assert (reviewed(found), found["progress"]["done"]) == ([3, 4], 4)


def test_forgetting_a_batch_keeps_reviews_and_memories(home: Path, ferrule: Ferrule, path: str) -> None:
    """R99: what waits of it is taken out; it can be begun again."""
    ferrule("catch-up", "--from", path, "--next")
    assert manifest(home).is_file()
    told = ferrule("catch-up", "--reset")
    waited = "3 of them waited and will not be reviewed. Reviews and memories stay."
    assert told.out == f"Forgotten: the catch-up of 4 turns of {SOURCE}. {waited}\n"
    assert not list(home.rglob("manifest.json"))
    assert row(ferrule("catch-up", "--reset", "--json")) == {"session": SOURCE, "turns": 0, "withdrawn": 0}
    assert "no catch-up to forget" in ferrule("catch-up", "--reset").out
    assert len(ferrule("memory", "list", "--json").rows()) == 1
    assert reviewed(row(ferrule("catch-up", "--json"))) == [2, 3, 4]


def test_what_is_given_up_or_past_its_retention_is_told_with_what_to_do(
    home: Path, ferrule: Ferrule, path: str
) -> None:
    """R99: never called caught up; given-up turns wait again on demand, a text comes back with its transcript."""
    ferrule("catch-up", "--from", path, "--next")
    change(home, "UPDATE instructions SET state = 'parked', reason = 'no model', attempts = 5 WHERE turn = 'k2'")
    told = ferrule("catch-up")
    assert told.code == 0
    assert "  turn 2 is given up: no model" in told.out.splitlines()
    assert told.out.splitlines()[-2:] == [
        "Not caught up: 3 of 4 turns reviewed, 1 given up.",
        f"goes on with: ferrule resume --parked {SHELL}",
    ]
    assert row(ferrule("catch-up", "--json"))["caught_up"] is False
    assert ferrule("resume", "--parked", SOURCE).code == 0
    assert ferrule("catch-up").out.splitlines()[-1] == "Caught up: 4 of 4 turns reviewed, 1 memory written."
    change(home, "DELETE FROM reviews WHERE turn = 'k3'", "UPDATE turns SET body = NULL WHERE key = 'k3'")
    assert "1 whose text is past its retention (3); --from TRANSCRIPT brings it back" in ferrule("catch-up").out
    assert reviewed(row(ferrule("catch-up", "--from", path, "--json"))) == [3]


@pytest.mark.parametrize("more", [["--next"], ["--dry-run"], ["--from", "x.jsonl"]])
def test_forgetting_excludes_the_other_options(ferrule: Ferrule, path: str, more: list[str]) -> None:
    """One clear line, exit 2."""
    ferrule("review", path)
    told = ferrule("catch-up", "--reset", *more)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)


def test_the_manifest_is_a_private_file_made_anew_from_the_store(home: Path, ferrule: Ferrule, path: str) -> None:
    """R99, CASE-E11: never read back as truth: whatever is written into it, markers decide."""
    ferrule("catch-up", "--from", path, "--next")
    file = manifest(home)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    told = json.loads(file.read_text(encoding="utf-8"))
    assert (told["source"], told["companion"], told["done"], told["of"]) == (SOURCE, CHILD, 1, 4)
    assert [(item["ordinal"], item["state"]) for item in told["turns"]] == [
        (1, "reviewed"),
        (2, "waiting"),
        (3, "waiting"),
        (4, "waiting"),
    ]
    file.write_text('{"turns": [{"turn": "k2", "state": "reviewed"}]}', encoding="utf-8")
    assert reviewed(row(ferrule("catch-up", "--json"))) == [2, 3, 4]
    assert json.loads(file.read_text(encoding="utf-8"))["done"] == 4


def test_a_link_where_the_manifest_belongs_is_refused_and_reviews_are_kept(
    home: Path, tmp_path: Path, ferrule: Ferrule, path: str
) -> None:
    """CASE-E07: nothing is written through it; what was reviewed stands."""
    ferrule("catch-up", "--from", path, "--next")
    file, elsewhere = manifest(home), tmp_path / "elsewhere"
    elsewhere.write_text("mine", encoding="utf-8")
    file.unlink()
    file.symlink_to(elsewhere)
    told = ferrule("catch-up")
    assert told.code == 4
    assert "UNSAFE_PATH" in told.err
    assert elsewhere.read_text(encoding="utf-8") == "mine"
    file.unlink()
    assert "Caught up" in ferrule("catch-up").out


def test_a_folder_is_caught_up_session_by_session(tmp_path: Path, ferrule: Ferrule) -> None:
    """R99: each source its own batch; what is no transcript is told and passed over, what is no source is declined."""
    for name in ("desk 1", "desk 2"):
        put(tmp_path / "all" / f"{name}.jsonl", *(turn(n, ordinal=n, session_key=name) for n in (1, 2)))
    put(tmp_path / "all" / "watcher.jsonl", turn(1, ordinal=1, session_key="w", profile="level-2"))
    put(tmp_path / "all" / "other.jsonl", {"nothing": "here"})
    told = ferrule("catch-up", "--from", str(tmp_path / "all"), "--json")
    assert told.code == 1
    rows = {found["session"]: found for found in told.rows()}
    assert (reviewed(rows["desk 1"]), reviewed(rows["desk 2"])) == ([1, 2], [1, 2])
    assert (rows["w"]["answer"], rows["w"]["code"]) == ("declined", "NOT_ATTACHABLE")
    assert "other.jsonl" in told.err
    assert {found["session"] for found in ferrule("sessions", "list", "--json").rows()} == {"desk 1", "desk 2"}
    found = row(ferrule("catch-up", "desk 2", "--from", str(tmp_path / "all"), "--json"))
    assert found["session"] == "desk 2"
    assert ferrule("catch-up", "desk 3", "--from", str(tmp_path / "all")).code == 2


def test_turns_come_from_standard_input_too(ferrule: Ferrule, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """R99: `--from -`."""
    content = Path(path).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert reviewed(row(ferrule("catch-up", "--from", "-", "--json"))) == [1, 2, 3, 4]


def test_attach_scans_nothing_and_catch_up_reviews_what_it_left(tmp_path: Path, ferrule: Ferrule, path: str) -> None:
    """R81, R99: the attached turn, then the older ones on demand, then the next one by its event, each once."""
    assert ferrule("attach", "3", "--from", path).code == 0
    found = row(ferrule("catch-up", "--from", path, "--json"))
    assert (found["plan"]["queued"], reviewed(found)) == (1, [1, 2, 3, 4])
    new = put(tmp_path / "new.jsonl", turn(5, ordinal=5))
    envelope = put(tmp_path / "event.json", event(5))
    assert ferrule("dispatch", envelope, "--from", new).code == 0
    assert reviewed(row(ferrule("catch-up", "--json"))) == [5]
    log = ferrule("log", "--json").rows()
    assert [item["ordinal"] for item in log] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("before", "words", "code", "says"),
    [
        (["sessions", "archive", "last"], ["catch-up"], 1, "archived"),
        (["pause"], ["catch-up"], 1, "goes on with: ferrule resume"),
        (["sessions", "list"], ["catch-up", f"{SOURCE}-online-memory-critic"], 1, "companion"),
        (["sessions", "list"], ["catch-up", "nobody"], 2, "no session is called"),
        (["sessions", "list"], ["catch-up", "--from", "nowhere.jsonl"], 2, "nowhere.jsonl"),
    ],
)
def test_what_cannot_be_caught_up_says_why(
    ferrule: Ferrule, path: str, *, before: list[str], words: list[str], code: int, says: str
) -> None:
    """R98, R99: one clear reason, and the session's turns as they were."""
    ferrule("catch-up", "--from", path, "--next")
    assert ferrule(*before).code == 0
    told = ferrule(*words)
    assert told.code == code
    assert says in told.out + told.err
    assert len(ferrule("log", SOURCE, "--json").rows()) == 1


def run(home: Path, *words: str) -> subprocess.Popen[str]:
    """The command in a process of its own."""
    environment = {**os.environ, "FERRULE_HOME": str(home), "FERRULE_WORKER": "off"}
    command = [sys.executable, "-m", "ferrule", *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True, encoding="utf-8")  # noqa: S603


def reviews_in(home: Path) -> int:
    """How many reviews a home holds; 0 while there is no home."""
    file = home / "ferrule.sqlite3"
    if not file.exists():
        return 0
    connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
    try:
        return int(connection.execute("SELECT count(*) FROM reviews").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        connection.close()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_person_who_stops_it_is_told_how_far_it_came_and_it_goes_on(
    tmp_path: Path, home: Path, ferrule: Ferrule, *, number: signal.Signals, code: int
) -> None:
    """R99, CASE-J09: the turn in hand is given back, so nothing waits for a lease; nothing is reviewed twice."""
    path = put(tmp_path / "long.jsonl", *(turn(n, ordinal=n) for n in range(1, LONG + 1)))
    process = run(home, "catch-up", "--from", path)
    try:
        until = time.monotonic() + PATIENCE
        while reviews_in(home) < 2:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until
            time.sleep(0.02)
        process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    done = reviews_in(home)
    assert process.returncode == code
    assert 2 <= done < LONG
    assert f"{SOURCE}: {done} of {LONG} turns reviewed; goes on with: ferrule catch-up '{SOURCE}'" in err
    found = row(ferrule("catch-up", "--next", "--json"))
    assert reviewed(found) == [done + 1]
    assert found["progress"]["of"] == LONG


def test_two_people_catch_up_the_same_session_at_once(tmp_path: Path, home: Path, ferrule: Ferrule) -> None:
    """R99, R2, INV-I4: both end well, every turn has one review, in order."""
    path = put(tmp_path / "both.jsonl", *(turn(n, ordinal=n) for n in range(1, 13)))
    processes = [run(home, "catch-up", "--from", path, "--json") for _ in range(2)]
    try:
        ends = [process.communicate(timeout=PATIENCE) for process in processes]
    finally:
        for process in processes:
            process.kill()
    assert [process.returncode for process in processes] == [0, 0], ends
    assert all(json.loads(out)["caught_up"] for out, _ in ends)
    connection = sqlite3.connect(home / "ferrule.sqlite3")
    turns = [found[0] for found in connection.execute("SELECT DISTINCT turn FROM receipts ORDER BY seq")]
    connection.close()
    assert turns == [f"k{n}" for n in range(1, 13)]
    assert ferrule("memory", "list", "--json").out.count("\n") == 12

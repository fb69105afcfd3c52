"""Following a session from the command line: attach, its next turns as events, detach, and every user's mistake."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from follow_cases import CHILD, SOURCE, event, held, put, turn

from ferrule.session.events import sign

SAMPLES = Path(__file__).parents[2] / "src" / "ferrule" / "samples"
SAMPLE = SAMPLES / "codex-pull-request-and-worktree.jsonl"
CODEX = "codex:d9c63a5c-5b79-540c-949d-cebec54d65a8"
Ferrule = Callable[..., Any]


@pytest.fixture
def attached(tmp_path: Path, ferrule: Ferrule) -> Ferrule:
    """A session of nine turns, attached on its third; nothing was reviewed yet."""
    file = put(tmp_path / "nine.jsonl", *(turn(number, ordinal=number) for number in range(1, 10)))
    told = ferrule("attach", "--from", file, "3", "--json")
    assert told.code == 0, told.err
    return ferrule


def worked(ferrule: Ferrule) -> list[str]:
    """Let a worker of this process review what waits; the keys of all reviewed turns in order of review."""
    assert ferrule("worker", "--once").code == 0
    return [row["turn"] for row in ferrule("log", SOURCE, "--json").rows()]


def test_attach_queues_exactly_the_selected_turn(home: Path, attached: Ferrule) -> None:
    """R73, R74, R75, R79, R81: one hidden child, one subscription to future turns, one instruction, no other text."""
    assert [row["turn"] for row in attached("status", SOURCE, "--json").rows() if "turn" in row] == []
    rows = held(home)
    assert len(rows["instructions"]) == 1
    assert len(rows["subscriptions"]) == 1
    assert len(rows["turns"]) == 1
    status = attached("status", SOURCE, "--json").rows()[0]
    assert (status["attached"], status["first_ordinal"], status["waiting"], status["turns"]) == (True, 10, 1, 1)
    shown = [row["session"] for row in attached("sessions", "list", "--json").rows()]
    assert shown == [SOURCE]
    assert worked(attached) == ["k3"]


def test_its_next_turns_are_reviewed_once_each_and_nothing_else(tmp_path: Path, home: Path, attached: Ferrule) -> None:
    """R80, R81, R82, R83, R84, R92, CASE-H01: doubled events, each turn one review, no history, no message in S."""
    for number in (10, 11, 10, 12, 11):
        text = put(tmp_path / f"t{number}.json", turn(number))
        told = attached("dispatch", put(tmp_path / f"e{number}.json", event(number)), "--from", text, "--json")
        assert told.code == 0, told.err
    again = attached("dispatch", put(tmp_path / "other.json", event(12, EventId="e99")), "--json")
    assert (again.code, again.rows()[0]["answer"], again.rows()[0]["code"]) == (0, "duplicate", "DUPLICATE_TURN")
    before = attached("dispatch", put(tmp_path / "old.json", event(3, EventId="e98")), "--json").rows()[0]
    assert before["answer"] == "duplicate"
    assert worked(attached) == ["k3", "k10", "k11", "k12"]
    shown = attached("sessions", "show", SOURCE, "--json").rows()[0]["shown"]
    assert {row["turn"]: row["ordinal"] for row in shown} == {"k3": 3, "k10": 10, "k11": 11, "k12": 12}
    markers = [row for row in held(home)["reviews"] if "ONLINE_MEMORY_CRITIC_RESULT" in row]
    assert len(markers) == 4
    hidden = attached("sessions", "list", "--hidden", "--json").rows()
    assert {row["session"]: row["turns"] for row in hidden} == {SOURCE: 4, CHILD: 0}


def test_an_event_renders_the_instruction_of_a_manual_selection(tmp_path: Path, attached: Ferrule) -> None:
    """R80, R82: the header names the event; the body is that turn's pair and no other's."""
    text = put(tmp_path / "t.json", turn(10))
    (row,) = attached("dispatch", put(tmp_path / "e.json", event(10)), "--from", text, "--json").rows()
    header, _, body = row["text"].partition("\n\n")
    assert "- Origin: event" in header
    assert "plan10.md" in body
    assert "plan3.md" not in body


def test_feedback_up_is_an_attach_and_the_others_are_none(tmp_path: Path, home: Path, ferrule: Ferrule) -> None:
    """R72, R73, CASE-H12: twenty thumbs-up are one queued turn; neutral and down keep an opinion and no child."""
    file = put(tmp_path / "t.json", turn(1), turn(2))
    for value in ("neutral", "down"):
        told = ferrule("feedback", SOURCE, "k1", value, "--from", file, "--json")
        assert told.rows() == [{"answer": "noted", "source": SOURCE, "turn": "k1", "value": value}]
    assert (held(home)["instructions"], held(home)["subscriptions"]) == ([], [])
    answers = [ferrule("thumbs-up", SOURCE, "k2", "--from", file, "--json").rows()[0] for _ in range(20)]
    assert [row["already"] for row in answers] == [False] + [True] * 19
    assert {row["origin"] for row in answers} == {"thumbs-up"}
    assert len(held(home)["instructions"]) == len(held(home)["subscriptions"]) == 1
    assert ferrule("attach", SOURCE, "k2", "--json").rows()[0] == answers[1]
    assert ferrule("feedback", SOURCE, "k2", "down").code == 0
    assert ferrule("status", SOURCE, "--json").rows()[0]["waiting"] == 1


def test_detach_stops_reviews_and_attaching_again_takes_the_same_child(
    tmp_path: Path, home: Path, attached: Ferrule
) -> None:
    """R96, CASE-H06: what waits is withdrawn, memory stays, events are ignored, re-attach begins after history."""
    assert worked(attached) == ["k3"]
    memory = attached("memory", "list", "--session", SOURCE, "--json").out
    assert "plan3.md" in memory
    waiting = put(tmp_path / "t10.json", turn(10))
    attached("dispatch", put(tmp_path / "e10.json", event(10)), "--from", waiting)
    (told,) = attached("detach", SOURCE, "--json").rows()
    assert (told["answer"], told["withdrawn"], told["was_attached"]) == ("detached", 1, True)
    assert attached("detach", SOURCE, "--json").rows()[0]["was_attached"] is False
    text = put(tmp_path / "t11.json", turn(11))
    ignored = attached("dispatch", put(tmp_path / "e11.json", event(11)), "--from", text)
    assert ignored.code == 0
    assert "ignored: the source was detached" in ignored.out
    assert len(held(home)["turns"]) == 2, "the text of an ignored turn is not kept"
    assert worked(attached) == ["k3"]
    assert attached("memory", "list", "--session", SOURCE, "--json").out == memory
    (again,) = attached("attach", SOURCE, "k10", "--json").rows()
    assert (again["companion"], again["subscription"]["first_ordinal"]) == (CHILD, 11)
    assert worked(attached) == ["k3", "k10"]


def test_a_choice_is_kept_until_another_is_made(attached: Ferrule) -> None:
    """R91: blanks keep, values change the companion only."""
    words = ("attach", SOURCE, "k3", "--json")
    (first,) = attached(*words, "--provider", "acme", "--model", "m-1", "--reasoning", "low").rows()
    assert attached(*words).rows()[0]["reviewer"] == first["reviewer"]
    assert first["reviewer"] == {"name": "embedded", "provider": "acme", "model": "m-1", "reasoning": "low"}
    changed = attached(*words, "--model", "m-2").rows()[0]["reviewer"]
    assert (changed["provider"], changed["model"]) == ("acme", "m-2")


def test_a_webhook_is_taken_only_with_its_signature(tmp_path: Path, home: Path, attached: Ferrule) -> None:
    """CASE-I04: over these very bytes, with the home's key; a wrong, missing or foreign one changes nothing."""
    assert "webhook.key" in attached("attach", SOURCE, "k3", "--delivery", "webhook").out
    key = (home / "webhook.key").read_bytes().strip()
    text = put(tmp_path / "t10.json", turn(10))
    file = put(tmp_path / "e10.json", event(10))
    before = held(home)
    good = sign(key, Path(file).read_bytes())
    for words in (
        ("--road", "webhook"),
        ("--road", "webhook", "--signature", sign(b"another key", Path(file).read_bytes())),
        ("--road", "webhook", "--signature", good.removeprefix("sha256=")),
        ("--road", "webhook", "--signature", sign(key, b"{}")),
        (),
    ):
        told = attached("dispatch", file, "--from", text, *words)
        assert told.code == 1
        assert told.err.endswith("[EVENT_TAMPERED]\n")
    assert held(home) == before
    assert attached("dispatch", file, "--from", text, "--road", "webhook", "--signature", good).code == 0
    assert worked(attached) == ["k3", "k10"]


def test_a_stored_event_is_dispatched_by_the_worker(tmp_path: Path, attached: Ferrule) -> None:
    """R79, R92: `queue-input` is one durable row first; the worker queues and reviews its turn."""
    attached("attach", SOURCE, "k3", "--delivery", "queue-input")
    file, text = put(tmp_path / "e10.json", event(10)), put(tmp_path / "t10.json", turn(10))
    told = attached("dispatch", file, "--from", text, "--road", "queue-input", "--json")
    assert told.rows() == [{"answer": "received", "event": "e10", "source": SOURCE, "turn": "k10"}]
    assert attached("dispatch", file, "--road", "queue-input", "--json").rows()[0]["answer"] == "duplicate"
    wrong = attached("dispatch", put(tmp_path / "e11.json", event(11)), "--json")
    assert (wrong.code, wrong.rows()[0]["code"]) == (1, "FORBIDDEN_ORIGIN")
    assert worked(attached) == ["k3", "k10"]


def test_a_paused_session_queues_and_goes_on_later(tmp_path: Path, attached: Ferrule) -> None:
    """R99: what waits keeps its place; nothing is reviewed meanwhile."""
    (paused,) = attached("pause", SOURCE, "--json").rows()
    assert (paused["answer"], paused["waiting"]) == ("paused", 1)
    attached("dispatch", put(tmp_path / "e.json", event(10)), "--from", put(tmp_path / "t.json", turn(10)))
    assert worked(attached) == []
    assert attached("resume", SOURCE, "--json").rows()[0]["waiting"] == 2
    assert worked(attached) == ["k3", "k10"]


def test_an_archived_session_is_neither_attached_nor_reviewed(tmp_path: Path, home: Path, attached: Ferrule) -> None:
    """R98: an event is ignored, an attach declined, nothing is stored; unarchiving resumes."""
    assert attached("sessions", "archive", SOURCE).code == 0
    before = held(home)
    told = attached("attach", SOURCE, "k3")
    assert (told.code, told.out) == (1, "")
    assert told.err.endswith("[NOT_ATTACHABLE]\n")
    file, text = put(tmp_path / "e.json", event(10)), put(tmp_path / "t.json", turn(10))
    assert "ignored: archived" in attached("dispatch", file, "--from", text).out
    assert held(home) == before
    attached("sessions", "unarchive", SOURCE)
    assert attached("dispatch", file, "--from", text).code == 0
    assert worked(attached) == ["k3", "k10"]


DECLINED = {
    "a companion": (turn(1, session_key=CHILD), "NOT_ATTACHABLE"),
    "a companion of a companion": (turn(1, session_key=f"{CHILD}-online-memory-critic"), "NOT_ATTACHABLE"),
    "a watcher": (turn(1, profile="level-2"), "NOT_ATTACHABLE"),
    "a critic": (turn(1, profile="online-session-memory-critic"), "NOT_ATTACHABLE"),
    "a specialised agent": (turn(1, profile="code-review"), "NOT_ATTACHABLE"),
    "no profile": (turn(1, profile=""), "NOT_ATTACHABLE"),
    "a subagent": (turn(1, parent_key="desk 0"), "NOT_ATTACHABLE"),
    "no outcome": (turn(1, outcome={"text": " "}), "TURN_NOT_COMPLETED"),
    "no words": (turn(1, user={"text": ""}), "TURN_NOT_COMPLETED"),
}


@pytest.mark.parametrize("name", DECLINED)
def test_what_is_declined_changes_nothing(tmp_path: Path, home: Path, ferrule: Ferrule, name: str) -> None:
    """R9, R10, R11, R12, R76, CASE-F01, CASE-F02, CASE-F04, CASE-H05: a code, exit 1, and not a row is different."""
    form, code = DECLINED[name]
    assert ferrule("attach", "--from", put(tmp_path / "first.json", turn(7, session_key="another"))).code == 0
    before = held(home)
    file = put(tmp_path / "t.json", form)
    key = form["session_key"]
    for words in (["attach", key, "k1"], ["thumbs-up", key, "k1"], ["feedback", key, "k1", "down"]):
        told = ferrule(*words, "--from", file)
        assert (told.code, told.out, told.err.count("\n")) == (1, "", 1)
        assert told.err.startswith("ferrule: declined: ")
        assert told.err.endswith(f"[{code}]\n")
    assert ferrule("attach", key, "k1", "--from", file, "--json").rows()[0]["code"] == code
    assert held(home) == before


def test_the_newest_completed_turn_is_the_default_and_a_running_one_is_refused(
    tmp_path: Path, ferrule: Ferrule, transcript: Callable[..., Any]
) -> None:
    """R75, R76, R78, CASE-H05: a turn that still runs is declined by name, and reviewed once its completion comes."""
    script = transcript().user("Please create notes/a.md").says("Created notes/a.md.")
    script.user("And notes/b.md").call("Bash", "", command="sleep 60")
    running = script.lines[2]["uuid"]
    file = str(script.written(tmp_path))
    told = ferrule("attach", "--from", file, running)
    assert told.code == 1
    assert "open (it is still running)" in told.err
    assert ferrule("attach", "--from", file, "2").code == 1
    (row,) = ferrule("attach", "--from", file, "--json").rows()
    assert (row["ordinal"], row["subscription"]["first_ordinal"]) == (1, 2)
    done = {**event(2), "SourceSessionKey": row["source"], "TargetSessionKey": "", "Data": {"TurnKey": running}}
    completed = put(tmp_path / "e.json", done)
    early = ferrule("dispatch", completed, "--from", file)
    assert early.code == 1
    assert "still running" in early.err
    file = str(script.says("Created notes/b.md.").written(tmp_path))
    assert "queued: turn 2" in ferrule("dispatch", completed, "--from", file).out


def test_words_may_stand_on_either_side_of_the_file(ferrule: Ferrule) -> None:
    """The source of --from is the file's; a single word is the turn unless it names the file's session."""
    sample = str(SAMPLE)
    for words in (
        ["--from", sample, "1"],
        ["1", "--from", sample],
        [CODEX, "--from", sample, "1"],
        ["last", "1", "--from", sample],
        ["codex:d9c6", "1", "--from", sample],
    ):
        assert ferrule("attach", *words, "--json").rows()[0]["ordinal"] == 1
    assert ferrule("attach", CODEX, "--from", sample, "--json").rows()[0]["ordinal"] == 2
    assert ferrule("attach", "--json").rows()[0]["ordinal"] == 2
    assert ferrule("attach", "last", "1", "--json").rows()[0]["ordinal"] == 1


def test_the_page_says_what_is_attached_and_that_nothing_waits(ferrule: Ferrule) -> None:
    """R77: a person reads the turn, what comes next, and where to look."""
    page = ferrule("attach", "--from", str(SAMPLE), "1").out
    assert f"{CODEX}  attached\n" in page
    assert "Please make the harvest retry" in page
    assert "turns from 3 on" in page
    assert "Nothing waits for the review. How it stands: ferrule status\n" in page


def test_the_bundled_example_is_followed(ferrule: Ferrule) -> None:
    """R73, R79: what the pages show: a turn, the next one's event, and what is remembered of both."""
    place = SAMPLES / "follow"
    assert ferrule("attach", "--from", str(place / "first-turn.json")).code == 0
    event_file, turn_file = str(place / "next-turn.event.json"), str(place / "next-turn.json")
    assert "queued: turn 8" in ferrule("dispatch", event_file, "--from", turn_file).out
    assert ferrule("worker", "--once").code == 0
    listed = ferrule("memory", "list").out
    assert "pull/61" in listed
    assert "scripts/backfill.py" in listed
    again = ferrule("thumbs-up", "last", "turn-8").out
    assert "was reviewed before" in again
    assert "What came of it: ferrule explain last 8\n" in again


def test_secrets_of_a_handed_turn_are_scrubbed_first(tmp_path: Path, home: Path, ferrule: Ferrule) -> None:
    """DEC-D13, INV-I6: what --from hands over passes the scrubber before the first byte is stored."""
    canary = "ghp_" + "Zx9Qw7Er5Ty3Ui1Op0As8Df6Gh4Jk2Lz0Xc1"
    file = put(tmp_path / "t.json", turn(1, user={"text": f"use token {canary} please"}))
    assert ferrule("attach", "--from", file).code == 0
    assert all(canary.encode() not in path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert "[secret:" in json.dumps(ferrule("attach", "--from", file).out)

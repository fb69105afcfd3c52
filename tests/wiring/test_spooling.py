"""What clients' hooks report is read, kept, and attached or dispatched: each turn once, in order, or with a reason."""

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hook_cases import Claude, Codex
from store_cases import Clock

from ferrule.companion.attaching import attach, detach
from ferrule.interfaces.hook.hook import main
from ferrule.session.source import Origin
from ferrule.session.subscriptions import Delivery
from ferrule.wiring.home import Home, open_home
from ferrule.wiring.spooling import SpoolChore, spool_standing


@dataclass
class Desk:
    """An open home with the chore of a worker, whose clocks the test moves."""

    home: Home
    clock: Clock
    chore: SpoolChore

    def later(self, seconds: float) -> float | None:
        """Let time pass and the worker look again."""
        self.clock.now += seconds
        return self.chore()

    def lane(self, source: str) -> list[tuple[str, str, str]]:
        """(turn, origin, state) of a source's instructions, in order."""
        return [(one.turn, one.origin.value, one.state.value) for one in self.home.store.instructions(source)]

    def report(self, client: "Claude | Codex", **more: object) -> None:
        """The client's hook at the end of its running turn."""
        self.hook("claude-code" if isinstance(client, Claude) else "codex", client.stop(**more))

    def hook(self, client: str, payload: object) -> None:
        """The hook's own code, in this process; that its process does the same stands in `test_hook.py`."""
        main([client, "--home", str(self.home.path), json.dumps(payload)])

    def reasons(self) -> list[str]:
        """Why turns are not reviewed, or what they wait for."""
        return [one.reason for one in spool_standing(self.home).notes]

    def left(self) -> int:
        """How many reports wait."""
        return spool_standing(self.home).waiting


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is rung for or started."""
    monkeypatch.setenv("FERRULE_WORKER", "off")
    monkeypatch.delenv("CODEX_HOME", raising=False)
    monkeypatch.delenv("FERRULE_CRITIC", raising=False)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where the home is."""
    return tmp_path / "home"


@pytest.fixture
def desk(place: Path) -> Iterator[Desk]:
    """A fresh home."""
    with open_home(place) as home:
        yield desk_over(home)


def desk_over(home: Home) -> Desk:
    """A chore over a home, with clocks that the test moves; they begin now, as the hook's own clock does."""
    clock = Clock(time.time())
    return Desk(home, clock, SpoolChore(home, clock=clock, steady=clock))


@pytest.fixture
def claude(tmp_path: Path) -> Claude:
    """A Claude Code session."""
    return Claude(tmp_path / "projects" / "-work-kestrel")


@pytest.fixture
def codex(tmp_path: Path) -> Codex:
    """A Codex thread."""
    return Codex(tmp_path / "codex")


def first(claude: Claude) -> Claude:
    """A first turn that made a file."""
    claude.asks("Write src/retry.py.").calls("Write", "File created", file_path="/work/kestrel/src/retry.py")
    return claude.says("I created src/retry.py.").written()


def key(client: Claude | Codex) -> str:
    """The session's key."""
    return f"claude-code:{client.session}" if isinstance(client, Claude) else f"codex:{client.thread}"


def test_the_first_reported_turn_attaches_and_later_ones_are_dispatched(desk: Desk, claude: Claude) -> None:
    """R73 R75 R79: exactly the reported turn by management, and each later one by its event, in order."""
    first(claude)
    desk.report(claude)
    assert desk.chore() is None
    one = claude.turn
    claude.asks("Document it.").says("It is in docs/retry.md.").written()
    desk.report(claude)
    assert desk.chore() is None
    assert desk.lane(key(claude)) == [(one, "management", "waiting"), (claude.turn, "event", "waiting")]
    assert desk.left() == 0
    assert desk.reasons() == []
    assert [turn for turn, _ in desk.home.store.turn_keys(key(claude))] == [1, 2]


def test_history_before_the_first_report_is_neither_kept_nor_reviewed(desk: Desk, claude: Claude) -> None:
    """R75 R81: of a long session only the reported turn is stored, at its place; the subscription begins behind it."""
    for number in range(5):
        claude.asks(f"Do {number}.").says(f"Did {number}.")
    claude.written()
    desk.report(claude)
    desk.chore()
    assert desk.home.store.turn_keys(key(claude)) == ((5, claude.turn),)
    subscription = desk.home.store.subscription(key(claude))
    assert subscription is not None
    assert subscription.first_ordinal == 6


def test_two_turns_that_wait_together_are_taken_in_their_order(desk: Desk, claude: Claude) -> None:
    """R84: the second turn is in the transcript before the first is looked at; neither is lost or history."""
    first(claude)
    desk.report(claude)
    one = claude.turn
    claude.asks("Document it.").says("It is in docs/retry.md.").written()
    desk.report(claude)
    desk.chore()
    assert desk.lane(key(claude)) == [(one, "management", "waiting"), (claude.turn, "event", "waiting")]


def test_a_turn_behind_one_that_is_waited_for_waits_too(desk: Desk, claude: Claude, tmp_path: Path) -> None:
    """The first turn attaches: a second one that is ready sooner must not make it history."""
    other = Claude(tmp_path / "elsewhere")
    first(claude).written(without=1)
    desk.report(claude)
    one = claude.turn
    other.path.parent.mkdir()
    other.lines = list(claude.lines)
    other.prompts = claude.prompts
    other.asks("Document it.").says("It is in docs/retry.md.").written()
    desk.report(other)
    assert desk.chore() is not None
    assert desk.lane(key(claude)) == []
    claude.path.write_bytes(other.path.read_bytes())
    desk.later(1.0)
    assert [turn for turn, _, _ in desk.lane(key(claude))] == [one, other.turn]


REPEATS: dict[str, Callable[[Codex], list[object]]] = {
    "Stop twice": lambda codex: [codex.stop(), codex.stop(stop_hook_active=True)],
    "Stop and notify": lambda codex: [codex.stop(), codex.notify()],
    "notify and Stop": lambda codex: [codex.notify(), codex.stop()],
    "notify alone": lambda codex: [codex.notify()],
}


@pytest.mark.parametrize("name", REPEATS)
@pytest.mark.parametrize("together", [True, False], ids=["before a look", "with a look between"])
def test_a_turn_that_is_reported_more_than_once_is_one(
    desk: Desk, codex: Codex, monkeypatch: pytest.MonkeyPatch, name: str, *, together: bool
) -> None:
    """R92 INV-I4: one turn by whatever road and however often is one review."""
    monkeypatch.setenv("CODEX_HOME", str(codex.home))
    codex.asks("Write src/a.py.").calls("touch src/a.py", "").says("I wrote src/a.py.").completes().written()
    for payload in REPEATS[name](codex):
        desk.hook("codex", payload)
        if not together:
            desk.chore()
    assert desk.chore() is None
    assert desk.lane(key(codex)) == [("turn-1", "management", "waiting")]
    assert desk.reasons() == []


def test_a_second_end_of_a_turn_renews_its_text_until_a_review_begins(desk: Desk, codex: Codex) -> None:
    """INV-I4: two Stops of one turn are one review, and of the later text."""
    codex.asks("Write src/a.py.").says("I wrote src/a.py.").completes().written()
    desk.report(codex)
    desk.chore()
    codex.lines.pop()
    codex.calls("pytest", "1 passed").says("I wrote src/a.py and tested it.").completes().written()
    desk.report(codex, stop_hook_active=True)
    desk.chore()
    turn = desk.home.store.turn(key(codex), "turn-1")
    assert turn is not None
    assert turn.outcome == "I wrote src/a.py and tested it."
    assert desk.lane(key(codex)) == [("turn-1", "management", "waiting")]


def test_a_text_under_review_stays_as_it_is(desk: Desk, codex: Codex) -> None:
    """A turn is immutable from the moment that its review begins."""
    codex.asks("Write src/a.py.").says("I wrote src/a.py.").completes().written()
    desk.report(codex)
    desk.chore()
    assert desk.home.store.claim(key(codex), lease_seconds=30.0) is not None
    codex.lines.pop()
    codex.says("I wrote src/a.py and more.").completes().written()
    desk.report(codex)
    desk.chore()
    turn = desk.home.store.turn(key(codex), "turn-1")
    assert turn is not None
    assert turn.outcome == "I wrote src/a.py."


def test_with_manual_attach_a_turn_is_kept_for_a_thumbs_up(place: Path, claude: Claude) -> None:
    """R72: nothing is reviewed until a person says so; then exactly that turn is, and later ones by their events."""
    place.mkdir()
    (place / "settings.toml").write_text('attach = "manual"\n', encoding="utf-8")
    with open_home(place) as home:
        desk = desk_over(home)
        first(claude)
        desk.report(claude)
        desk.chore()
        one = claude.turn
        assert desk.lane(key(claude)) == []
        assert home.store.companion(key(claude)) is None
        attach(home.store, key(claude), one, Origin.THUMBS_UP, now=desk.clock())
        claude.asks("Document it.").says("It is in docs/retry.md.").written()
        desk.report(claude)
        desk.chore()
        assert desk.lane(key(claude)) == [(one, "thumbs-up", "waiting"), (claude.turn, "event", "waiting")]
        assert desk.reasons() == []


def test_a_session_that_was_detached_stays_detached(desk: Desk, claude: Claude) -> None:
    """R96: the hook never attaches what a person detached; the turn is kept, so that it can be selected."""
    first(claude)
    desk.report(claude)
    desk.chore()
    detach(desk.home.store, key(claude))
    claude.asks("Document it.").says("It is in docs/retry.md.").written()
    desk.report(claude)
    desk.chore()
    assert [state for _, _, state in desk.lane(key(claude))] == ["withdrawn"]
    assert desk.home.store.turn_ordinal(key(claude), claude.turn) == 2


def test_a_subscription_by_another_road_keeps_the_turn_and_says_why(desk: Desk, claude: Claude) -> None:
    """R79: a subscription takes its events by one road; a report by the hook is not one of a webhook's."""
    first(claude)
    desk.report(claude)
    desk.chore()
    subscription = desk.home.store.subscription(key(claude))
    assert subscription is not None
    desk.home.store.put_subscription(replace(subscription, delivery=Delivery.WEBHOOK))
    claude.asks("Document it.").says("It is in docs/retry.md.").written()
    desk.report(claude)
    desk.chore()
    assert len(desk.lane(key(claude))) == 1
    assert desk.reasons() == ["the subscription takes signed webhook events only"]


def test_a_subagent_leaves_nothing_behind(desk: Desk, codex: Codex) -> None:
    """R9 R12: a thread that another one started is declined, and no fact of it is stored."""
    agent = Codex(codex.home, source={"subagent": {"thread_spawn": {"parent_thread_id": "p", "depth": 1}}})
    agent.asks("Look at it.").says("I looked.").completes().written()
    desk.report(agent)
    assert desk.chore() is None
    assert desk.home.store.session(key(agent)) is None
    assert desk.home.store.sessions(hidden=True) == ()
    assert len(desk.reasons()) == 1
    assert desk.left() == 0


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
    for _ in range(9):
        desk.later(10.0)
    assert desk.lane(key(codex)) == [("turn-1", "management", "waiting")]


def test_an_interrupted_turn_is_given_up_at_once(desk: Desk, claude: Claude) -> None:
    """R76: a turn that did not complete is no turn to review."""
    first(claude).interrupted().written()
    desk.report(claude)
    assert desk.chore() is None
    assert desk.lane(key(claude)) == []
    assert desk.reasons() == ["it was interrupted"]


def test_a_prompt_typed_while_the_agent_worked_leads_to_the_running_turn(desk: Desk, claude: Claude) -> None:
    """The hook may name the later prompt; the turn is the one that the first opened."""
    claude.asks("Write src/retry.py.").calls("Write", "File created", file_path="/work/kestrel/src/retry.py")
    opened = claude.turn
    claude.lines.append({"type": "queue-operation", "operation": "enqueue", "content": "And test it."})
    queued = claude.lines.pop()
    claude.asks("And test it.")
    claude.lines.insert(-1, queued)
    claude.calls("Bash", "1 passed", command="pytest").says("I wrote and tested src/retry.py.").written()
    desk.report(claude)
    desk.chore()
    assert [turn for turn, _, _ in desk.lane(key(claude))] == [opened]


def test_a_client_that_names_no_prompt_is_read_by_its_final_message(desk: Desk, claude: Claude) -> None:
    """Older clients give neither `prompt_id` in the payload nor `promptId` in the transcript."""
    first(claude)
    claude.lines = [{name: item for name, item in line.items() if name != "promptId"} for line in claude.lines]
    claude.written()
    payload = claude.stop()
    del payload["prompt_id"]
    desk.hook("claude-code", payload)
    desk.chore()
    assert [turn for turn, _, _ in desk.lane(key(claude))] == [claude.turn]


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

"""What clients' hooks report is read, kept, and attached or dispatched: each turn once, in order, or with a reason."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hook_cases import Claude, Codex
from spool_desk import Desk, desk_over, first, key

from ferrule.companion.attaching import attach, detach
from ferrule.session.source import Origin
from ferrule.session.subscriptions import Delivery
from ferrule.wiring.home import open_home
from ferrule.wiring.turn_log import logged


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
        (line,) = logged(home, 9)
        assert (line.turn, line.outcome, "thumbs-up" in line.reason) == (one, "not reviewed", True)
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
    assert "detached" in next(line.reason for line in logged(desk.home, 9) if line.turn == claude.turn)


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
    told = [(line.turn, line.reason) for line in logged(desk.home, 9)]
    assert told[1:] == [(claude.turn, *desk.reasons())]


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

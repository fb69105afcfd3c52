"""Every trap of OpenHands' conversations, one by one."""

import json
from typing import Any

import pytest
from agent_runs import DIFF, acts, did, evaluation_sample, events_sample, ran, saw, seen, spoke, typed, typed_sample

from ferrule.adapters.transcripts.reader import read_text
from ferrule.session.imported import ImportedSession

Row = dict[str, Any]
CART = "/workspace/src/shop/cart.py"
ASK = acts(1, "message", "user", content="Make the cart add up.")
DONE = acts(90, "finish", final_thought="Done.")


def read(value: object) -> ImportedSession:
    """The one session of a file."""
    (session,) = read_text(json.dumps(value), scrub=str)
    return session


def rows(session: ImportedSession) -> list[tuple[str, str, bool | None]]:
    """What the turns did: verb, target, outcome."""
    return [(str(row.verb), row.target, row.ok) for turn in session.turns for row in turn.actions]


def test_a_conversation_is_read() -> None:
    """R15, R94: recalled knowledge and the system prompt are nobody's words and no evidence."""
    session = read(events_sample())
    (turn,) = session.turns
    assert (turn.user, turn.outcome, turn.place.cwd) == ("Make the cart add up.", "The cart adds up.", "/workspace")
    assert rows(session) == [("listed", "/workspace/src", True), ("edited", CART, True)]
    assert "/vault/hidden.md" not in repr(session)
    assert turn.completed_at == "2026-01-01T10:00:08.000000"


def test_an_evaluation_names_its_instance_and_keeps_what_changed() -> None:
    """R18: a diff names files from the repository's root, which an edit shows; elsewhere it would mean other files."""
    session = read(evaluation_sample())
    assert session.session.key.startswith("openhands:larkspur__shop-7-")
    assert rows(session)[-1] == ("edited", CART, True)
    assert (session.turns[0].calls[-1].cwd, session.turns[0].place.root) == ("/workspace", "/workspace")
    told = read({"history": [ASK, DONE], "test_result": {"git_patch": DIFF}})
    assert told.turns[0].calls == ()
    ask = acts(1, "message", "user", content="<uploaded_files>\n/repo\n</uploaded_files>\nMend it.")
    assert rows(read({"history": [ask, DONE], "test_result": {"git_patch": DIFF}}))[0][1] == "/repo/src/shop/cart.py"


def state(name: str) -> Row:
    """The agent's state changed."""
    return saw(80, 0, "agent_state_changed", agent_state=name)


WENT = acts(5, "message", content="I go on.", wait_for_response=False)
WAITS = acts(6, "message", content="Shall I?", wait_for_response=True)
NUDGE = acts(
    7, "message", "user", content="Please continue working on the task on whatever approach you think is suitable."
)
MORE = acts(8, "message", "user", content="Also the tax.")
RUN = acts(9, "run", command="ls", is_input=False)
TURNS: list[tuple[list[Row], list[str], list[str]]] = [
    ([ASK, RUN], [], ["open"]),
    ([ASK, WENT], [], ["open"]),
    ([ASK, WENT, state("awaiting_user_input")], ["I go on."], []),
    ([ASK, RUN, ran(10, 9, 0), state("error")], [], ["api-error"]),
    ([ASK, RUN, state("stopped")], [], ["interrupted"]),
    ([ASK, RUN, state("paused"), state("running"), DONE], ["Done."], []),
    ([ASK, RUN, state("paused"), MORE, DONE], ["Done."], ["interrupted"]),
    ([ASK, WAITS, MORE, DONE], ["Shall I?", "Done."], []),
    ([ASK, WAITS, NUDGE, RUN, DONE], ["Done."], []),
    ([ASK, acts(9, "reject", outputs={"reason": "Out of scope."})], ["Out of scope."], []),
    ([ASK, DONE, RUN], [], ["open"]),
]


@pytest.mark.parametrize(("events", "outcomes", "skipped"), TURNS)
def test_a_turn_ends_with_a_last_word(events: list[Row], outcomes: list[str], skipped: list[str]) -> None:
    """R15, R76: a finish or a question ends it; what the evaluation says in a person's place begins none."""
    session = read([{**event, "id": number} for number, event in enumerate(events)])
    assert [turn.outcome for turn in session.turns] == outcomes
    assert [one.reason for one in session.skipped] == skipped


def test_words_while_the_agent_works_steer_it() -> None:
    """R15: they are no turn of their own."""
    session = read([ASK, RUN, ran(10, 9, 0), MORE, DONE])
    assert [(turn.user, turn.steering) for turn in session.turns] == [("Make the cart add up.", ("Also the tax.",))]


CALLS = [
    ("run", {"command": "pytest -q"}, saw(11, 10, "run", "1 failed", exit_code=1), ("tested", "pytest -q", False)),
    ("run", {"command": "pytest -q"}, ran(11, 10, -1), ("tested", "pytest -q", None)),
    (
        "edit",
        {"path": "/a.py", "command": "str_replace"},
        saw(11, 10, "edit", "ERROR:\nNo"),
        ("edited", "/a.py", False),
    ),
    ("edit", {"path": "/a.py", "command": "create"}, saw(11, 10, "edit", "ok"), ("created", "/a.py", True)),
    ("write", {"path": "/a.py", "content": "x"}, saw(11, 10, "write", ""), ("created", "/a.py", True)),
    ("read", {"path": "/a.py"}, saw(11, 10, "error", "File not found"), ("read", "/a.py", False)),
    (
        "run_ipython",
        {"code": "edit_file_by_replace('/a.py', to='x')"},
        saw(11, 10, "run_ipython", "x"),
        ("edited", "/a.py", None),
    ),
    (
        "run_ipython",
        {"code": "x = 1\n!pip install flask"},
        saw(11, 10, "run_ipython", "x"),
        ("installed", "flask", None),
    ),
    (
        "browse",
        {"url": "https://example.org/a"},
        saw(11, 10, "browse", "x"),
        ("fetched", "https://example.org/a", None),
    ),
]


@pytest.mark.parametrize(("action", "args", "observation", "row"), CALLS)
def test_an_action_does_what_was_observed(
    action: str, args: Row, observation: Row, row: tuple[str, str, bool | None]
) -> None:
    """R18, D10: an exit code of -1 is no outcome; an edit that reports an error changed nothing."""
    session = read([ASK, acts(10, action, **args), observation, DONE])
    assert row in rows(session)


def test_keys_pressed_into_a_running_command_are_no_command() -> None:
    """R18."""
    assert rows(read([ASK, acts(10, "run", command="C-c", is_input=True), ran(11, 10, 0), DONE])) == []


def test_a_command_runs_where_the_one_before_left_the_shell() -> None:
    """R18: what is told is the folder after a command."""
    events = [
        ASK,
        acts(10, "run", command="cd /repo"),
        ran(11, 10, 0, directory="/repo"),
        acts(12, "run", command="ls a"),
    ]
    session = read([*events, ran(13, 12, 0, directory="/repo"), DONE])
    assert [call.cwd for call in session.turns[0].calls] == [None, "/repo"]


def test_a_delegate_speaks_to_nobody() -> None:
    """R94: its task and its last word are not the conversation's."""
    task = acts(11, "message", "user", content="TASK: look it up")
    inside = [acts(10, "delegate", agent="Browser"), task, acts(12, "finish", final_thought="Looked.")]
    session = read([ASK, *inside, saw(13, 10, "delegate", "Looked."), DONE])
    assert [(turn.user, turn.outcome) for turn in session.turns] == [("Make the cart add up.", "Done.")]


@pytest.mark.parametrize("how", ["error", "stopped"])
def test_a_delegate_that_never_came_back_keeps_nobodys_words(how: str) -> None:
    """R15: once all was stopped, what a person says next is said to the agent."""
    inside = [acts(10, "delegate", agent="Browser"), acts(11, "message", "user", content="TASK: look it up")]
    stopped = {**saw(12, 10, "agent_state_changed", ""), "extras": {"agent_state": how}}
    more = acts(13, "message", "user", content="Then do it without.")
    session = read([ASK, *inside, stopped, more, DONE])
    assert [(turn.user, turn.outcome) for turn in session.turns] == [("Then do it without.", "Done.")]


def test_the_sdks_events_are_read() -> None:
    """R15, R18: the same turn out of the typed events."""
    session = read(typed_sample())
    assert [(turn.user, turn.outcome) for turn in session.turns] == [("Make the cart add up.", "The cart adds up.")]
    assert rows(session) == [("tested", "pytest -q", True), ("created", "/workspace/notes.md", True)]


TYPED = [
    ([typed(3, "AgentErrorEvent", error="bad path", tool_call_id="call2", tool_name="x")], False),
    ([typed(3, "UserRejectObservation", "environment", rejection_reason="no", action_id="e2")], False),
    ([seen(3, 2, "TerminalObservation", "x", exit_code=-1)], None),
    ([seen(3, 2, "TerminalObservation", "x", exit_code=2)], False),
    ([], None),
]


@pytest.mark.parametrize(("after", "ok"), TYPED)
def test_an_outcome_of_the_sdk_is_three_valued(after: list[Row], ok: bool | None) -> None:  # noqa: FBT001 - a table's column
    """D10: a missing result is no success."""
    begun = [spoke(1, "user", "go"), did(2, "terminal", "TerminalAction", command="make all")]
    (turn,) = read([*begun, *after, spoke(5, "environment", "Go on."), spoke(6, "agent", "Made.")]).turns
    assert (turn.outcome, [call.ok for call in turn.calls]) == ("Made.", [ok])


def test_a_paused_conversation_of_the_sdk_is_no_turn() -> None:
    """R76."""
    begun = [spoke(1, "user", "go"), did(2, "terminal", "TerminalAction", command="make all")]
    assert [one.reason for one in read([*begun, typed(3, "PauseEvent", "user")]).skipped] == ["interrupted"]

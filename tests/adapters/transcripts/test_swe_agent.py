"""Every trap of SWE-agent's and mini-swe-agent's trajectories, one by one."""

import json
from typing import Any

import pytest
from agent_runs import (
    DIFF,
    EDITED,
    answer,
    bare_sample,
    command,
    history_sample,
    mini_sample,
    says,
    step,
    swe_agent,
    swe_agent_sample,
)

from ferrule.adapters.transcripts.reader import read_text
from ferrule.session.imported import ImportedSession
from ferrule.session.turn import Verb

CART = "/shop/src/shop/cart.py"


def read(value: object) -> ImportedSession:
    """The one session of a trajectory."""
    (session,) = read_text(json.dumps(value), scrub=str)
    return session


def rows(session: ImportedSession) -> list[tuple[str, str, bool | None]]:
    """What the turns did: verb, target, outcome."""
    return [(str(row.verb), row.target, row.ok) for turn in session.turns for row in turn.actions]


def test_a_task_is_one_turn_without_demonstration_and_console() -> None:
    """R15, R94: the words are the issue's, the outcome is the last thought, the place is the console's."""
    session = read(swe_agent_sample())
    (turn,) = session.turns
    assert (turn.user, turn.outcome) == ("ISSUE:\nThe cart shows 0.", "The sum is right now.")
    assert (turn.place.cwd, session.session.repository) == ("/shop", "github.com/larkspur/shop")
    assert turn.place.root == "/shop"
    assert "/other/demo.py" not in repr(session)
    assert rows(session) == [
        ("listed", "", None),
        ("read", CART, True),
        ("edited", CART, True),
        ("tested", "python -m pytest -q", None),
        ("edited", CART, True),
    ]


@pytest.mark.parametrize(
    ("action", "observation", "row"),
    [
        ("edit 1:1\nx\nend_of_edit", "Your proposed edit has introduced new syntax error(s).", ("edited", CART, False)),
        ("edit 'a' 'b'", f"Replaced 1 occurrences.\n{EDITED}", ("edited", CART, True)),
        ("insert 'a b' 3", EDITED, ("edited", CART, True)),
        ("create new.py", "[File: /shop/new.py (1 lines total)]\n1:", ("created", "/shop/new.py", True)),
        ("create new.py", "Error: File already exists", ("created", "/shop/new.py", False)),
        ("search_dir cart src", "Found 3", ("searched", "/shop/src", None)),
        (
            "str_replace_editor create /shop/a.md --file_text 'x'",
            "File created successfully at: /shop/a.md",
            ("created", "/shop/a.md", True),
        ),
        (
            "str_replace_editor str_replace /shop/a.md --old_str x",
            "No replacement was performed",
            ("edited", "/shop/a.md", False),
        ),
        ("str_replace_editor view /shop/a.md", "1\tx", ("read", "/shop/a.md", True)),
        ("make test", "EXECUTION TIMED OUT", ("tested", "make test", False)),
        ("rm notes.txt", "", ("deleted", "/shop/notes.txt", None)),
    ],
)
def test_a_console_command_does_what_its_answer_shows(
    action: str, observation: str, row: tuple[str, str, bool | None]
) -> None:
    """R18, D10: a refused edit is none; of a shell command no exit code is told."""
    session = read(swe_agent(step(action, observation, open_file=CART), submission="nothing"))
    assert row in rows(session)


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("submitted (exit_cost)", "interrupted"),
        ("exit_cost", "open"),
        ("exit_api", "api-error"),
        ("exit_environment_error", "api-error"),
        (None, "open"),
    ],
)
def test_a_task_that_the_agent_did_not_hand_in_is_no_turn(status: str | None, reason: str) -> None:
    """R76: also where the harness handed in what was there."""
    session = read(swe_agent(step("ls", "a", "I look."), status=status))
    assert [one.reason for one in session.skipped] == [reason]


def test_the_root_is_what_an_edit_of_a_file_of_the_diff_shows() -> None:
    """R18: a refused edit shows nothing, nor does a diff alone."""
    refused = step("edit 1:1\nx\nend_of_edit", "Your proposed edit has introduced new syntax error(s).", open_file=CART)
    for steps, root in (((step("edit 'a' 'b'", EDITED),), "/shop"), ((refused,), None), ((step("ls", "x"),), None)):
        assert read(swe_agent(*steps)).turns[0].place.root == root


def test_a_command_runs_where_the_console_was_before_it() -> None:
    """R18: of old files the state is that before a step, of new ones that after it."""
    for states in (("/shop", "/shop", "/shop/src"), ("/shop", "/shop/src", "/shop/src")):
        actions = ("ls", "cd src", "cat a.py")
        steps = [step(action, "x", "t", where) for action, where in zip(actions, states, strict=True)]
        (turn,) = read(swe_agent(*steps)).turns
        assert [call.cwd for call in turn.calls][:3] == ["/shop", "/shop", "/shop/src"]
        assert turn.calls[-1].cwd == "/shop"


def test_a_history_alone_is_read() -> None:
    """R89: fenced commands, observations without the console's lines, submitted as its last action says."""
    session = read(history_sample())
    assert rows(session) == [("created", "/shop/notes.txt", True), ("edited", CART, True)]
    assert session.turns[0].calls[0].result == "[File: /shop/notes.txt (1 lines total)]\n1:"


def test_two_trajectories_in_one_file_are_two_sessions_and_one_twice_is_one() -> None:
    """R75: each by its own words."""
    one, other = swe_agent(step("ls", "a", "I look.")), swe_agent(step("ls", "b", "I look elsewhere."))
    sessions = read_text("\n".join(json.dumps(value) for value in (one, other, one)), scrub=str)
    assert len({session.session.key for session in sessions}) == 2
    assert sessions[0].warnings == ("duplicate-session: 1 left out",)


def test_an_old_list_of_messages_is_read() -> None:
    """R94: only the first message in the user's role is a person's; the template around the task is not."""
    session = read(bare_sample())
    (turn,) = session.turns
    assert (turn.user, turn.outcome, turn.steering) == ("The cart shows 0.", "All done.", ())
    assert [(call.tool, call.ok) for call in turn.calls] == [("bash", True), ("bash", False), ("submit", True)]
    assert [row.verb for row in turn.actions] == [Verb.READ, Verb.EDITED, Verb.EDITED]


def test_a_new_trajectory_is_read() -> None:
    """R15, D10: the task by the run's own template, the outcome as handed in, exit codes as told."""
    session = read(mini_sample())
    (turn,) = session.turns
    assert (turn.user, turn.outcome, turn.place.cwd) == ("Create hello.txt.", "Created hello.txt", "/shop")
    assert rows(session) == [("created", "/shop/hello.txt", True)]
    assert turn.completed_at == "2026-11-30T18:28:28.200Z"


def test_what_was_handed_in_as_a_diff_is_a_change() -> None:
    """R18: in the folder of the run."""
    session = read(mini_sample(submission=DIFF))
    assert ("edited", CART, True) in rows(session)


FINISH = command("z", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")
MINI = [
    ([command("a", "ls"), answer("a", 0)], "LimitsExceeded", ["open"], 0),
    ([command("a", "ls"), answer("a", 0)], "UserInterruption", ["interrupted"], 0),
    ([command("a", "ls")], "APIError", ["api-error"], 0),
    ([says("assistant", "no block"), says("user", "Please always provide EXACTLY ONE action")], "Submitted", [], 1),
    ([says("assistant", "```bash\nrm a\n```\n```bash\nrm b\n```"), FINISH], "Submitted", [], 1),
]


@pytest.mark.parametrize(("messages", "status", "skipped", "turns"), MINI)
def test_how_a_run_ended_says_whether_it_is_a_turn(
    messages: list[dict[str, Any]], status: str, skipped: list[str], turns: int
) -> None:
    """R76: two commands in one message were never run, and are no calls."""
    session = read(mini_sample(*messages, status=status, submission="done"))
    assert [one.reason for one in session.skipped] == skipped
    assert len(session.turns) == turns
    assert not any(turn.calls for turn in session.turns)


def test_a_person_between_commands_steers_or_gives_a_new_task() -> None:
    """R15: a rejected command did not run; what follows a finished task is a turn of its own."""
    session = read(
        mini_sample(
            command("a", "rm -rf build"),
            says("user", "Command not executed. The user rejected your command with the following message: keep it"),
            says("assistant", "I keep it.\n```mswea_bash_command\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n```"),
            says("user", "The user added a new task: now tidy up"),
            says("assistant", "Tidy.\n```mswea_bash_command\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n```"),
        )
    )
    first, second = session.turns
    assert (first.steering, first.calls[0].ok, first.outcome) == (("keep it",), False, "I keep it.")
    assert second.user == "now tidy up"


def test_runs_of_one_task_that_begin_alike_are_sessions_of_their_own() -> None:
    """R90: a run that is finished does not grow, so that all of it may name it."""
    begun = [step("ls", "src"), step("open src/shop/cart.py", EDITED), step("python -m pytest -q", "1 failed")]
    runs = [swe_agent(*begun, step(f"edit 1:1\n{text}\nend_of_edit", EDITED)) for text in ("a", "b")]
    keys = [one.session.key for run in runs for one in read_text(json.dumps(run), scrub=str)]
    assert len(set(keys)) == len(keys) == len(runs)

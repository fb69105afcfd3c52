"""Every trap of OpenCode's sessions, one by one."""

from collections.abc import Callable
from typing import Any

import pytest
from claude_lines import reasons, said
from opencode_talk import OpenTalk, simple, text, tool
from opencode_talk import read_export as read

from ferrule.session.eligibility import declined
from ferrule.session.turn import Verb


def test_a_turn_is_a_message_and_every_answer_to_it() -> None:
    """R15, R17: the last answer's text is the outcome; the key is the client's id of the user's message."""
    talk = simple()
    talk.user("more")
    talk.answer("done")
    session = read(talk)
    assert said(session) == [("go", "gone"), ("more", "done")]
    assert [(turn.key, turn.ordinal, turn.completed_at) for turn in session.turns] == [
        ("msg_001", 1, "2026-01-01T00:00:02.800Z"),
        ("msg_004", 2, "2026-01-01T00:00:04.700Z"),
    ]
    found = session.session
    assert (found.key, found.title, found.cwd, found.client) == ("opencode:ses_1", "Tides", "/w", "opencode")
    assert (session.turns[0].place.root, session.format) == ("/w", "opencode")
    assert declined(found) is None


def _unanswered(talk: OpenTalk) -> None:
    talk.user("go")


def _step_without_end(talk: OpenTalk) -> None:
    talk.user("go")
    talk.answer("I look.", tool("bash", {"command": "ls"}), finish="tool-calls")


def _aborted(talk: OpenTalk) -> None:
    talk.user("go")
    talk.answer("half", finish="stop", error={"name": "MessageAbortedError", "data": {}})


def _failed(talk: OpenTalk) -> None:
    talk.user("go")
    talk.answer("half", finish="stop", error={"name": "APIError", "data": {"message": "overloaded"}})


def _wordless(talk: OpenTalk) -> None:
    talk.user({"type": "file", "mime": "image/png", "url": "data:"})
    talk.answer("a cat")


def _silent(talk: OpenTalk) -> None:
    talk.user("go")
    talk.answer(tool("bash", {"command": "ls"}), finish="stop")


def _shell(talk: OpenTalk) -> None:
    talk.user(text("The following tool was executed by the user", synthetic=True))
    talk.answer(tool("bash", {"command": "ls"}), finish="stop")


def _compaction(talk: OpenTalk) -> None:
    talk.user({"type": "compaction", "auto": False})
    talk.answer("## Goal\nA summary.", summary=True, mode="compaction")


def _command(talk: OpenTalk) -> None:
    talk.user({"type": "subtask", "prompt": "Review it", "description": "review", "agent": "general"})
    talk.answer(tool("task", {"prompt": "Review it"}), finish="tool-calls")
    talk.answer("reviewed")


UNFINISHED: list[tuple[Callable[[OpenTalk], None], str]] = [
    (_unanswered, "open"),
    (_step_without_end, "open"),
    (_aborted, "interrupted"),
    (_failed, "api-error"),
    (_wordless, "no-user"),
    (_silent, "no-outcome"),
    (_shell, "user-shell"),
    (_compaction, "ui-command"),
    (_command, "command"),
]


@pytest.mark.parametrize(("story", "reason"), UNFINISHED, ids=[story.__name__ for story, _ in UNFINISHED])
def test_what_is_no_completed_turn_of_a_person_is_skipped_with_its_reason(
    story: Callable[[OpenTalk], None], reason: str
) -> None:
    """R76, R94: and what stands around it is read all the same."""
    talk = simple()
    story(talk)
    talk.user("last")
    talk.answer("ok")
    session = read(talk)
    assert said(session) == [("go", "gone"), ("last", "ok")]
    assert reasons(session) == [reason]


FINISHES = [
    ({"finish": "stop"}, True),
    ({"finish": "length"}, True),
    ({"finish": "other"}, True),
    ({"finish": "tool-calls"}, False),
    ({"finish": None}, True),
    ({"finish": None, "time": {"created": 1}}, False),
]


@pytest.mark.parametrize(("facts", "completed"), FINISHES)
def test_how_an_answer_ended_is_read_in_every_version(facts: dict[str, Any], completed: bool) -> None:  # noqa: FBT001 - a table
    """R76: newer versions say it, older ones have a time of completion only."""
    talk = OpenTalk()
    talk.user("go")
    talk.answer("gone", **facts)
    assert len(read(talk).turns) == completed


def test_the_client_and_its_plugins_do_not_speak_for_the_user() -> None:
    """R94: synthetic and ignored parts, reminders inside a text, and the quotes that `opencode run` adds."""
    talk = OpenTalk()
    talk.user(
        '"call it \\"Kestrel\\""',
        text("Called the Read tool with the following input: {}", synthetic=True),
        text("a note of a plugin", ignored=True),
    )
    talk.answer("done", text("hidden", synthetic=True))
    talk.user('<system-reminder>be brief</system-reminder>Name it "Kite"')
    talk.answer("ok")
    assert said(read(talk)) == [('call it "Kestrel"', "done"), ('Name it "Kite"', "ok")]


def test_a_turn_goes_on_behind_a_compaction() -> None:
    """R82: the summary is no turn of a person, and the client's `continue` belongs to the turn that was cut."""
    talk = OpenTalk()
    talk.user("go")
    talk.answer(tool("write", {"filePath": "/w/a.py"}, exists=False), finish="tool-calls")
    talk.user({"type": "compaction", "auto": True})
    talk.answer("## Summary", summary=True)
    talk.user(text("Continue if you have next steps", synthetic=True))
    talk.answer("gone")
    session = read(talk)
    assert said(session) == [("go", "gone")]
    assert reasons(session) == ["injected"]
    assert [(row.verb, row.target) for row in session.turns[0].actions] == [(Verb.CREATED, "/w/a.py")]


def test_a_message_that_comes_while_the_agent_works_is_steering() -> None:
    """R16: later answers name it as their parent, and the turn is one."""
    talk = OpenTalk()
    talk.user("go")
    talk.answer(tool("bash", {"command": "touch a"}, exit=0), finish="tool-calls")
    talk.user("call it Kestrel", at=talk.now() - 10)
    talk.answer("gone")
    (turn,) = read(talk).turns
    assert (turn.user, turn.steering, turn.outcome) == ("go", ("call it Kestrel",), "gone")
    assert [row.target for row in turn.actions] == ["/w/a"]


def test_what_a_person_says_through_a_tool_is_steering() -> None:
    """R16: an answer to a question, and why a call was refused."""
    refusal = "The user rejected permission to use this specific tool call with the following feedback: use Kite"
    talk = OpenTalk()
    talk.user("go")
    talk.answer(
        tool("question", {"questions": []}, answers=[["Kestrel"], ["blue", "green"]]),
        tool("edit", {"filePath": "/w/a"}, refusal, status="error"),
        finish="tool-calls",
    )
    talk.answer("gone")
    (turn,) = read(talk).turns
    assert turn.steering == ("Kestrel", "blue", "green", "use Kite")


@pytest.mark.parametrize("undone", ["msg_004", "msg_006"])
def test_what_was_undone_is_not_reviewed(undone: str) -> None:
    """R82: from a message on, the user's or one of the answers in a turn."""
    talk = simple(revert={"messageID": undone})
    for words in ("b", "c"):
        talk.user(words)
        talk.answer(tool("bash", {"command": "ls"}), finish="tool-calls")
        talk.answer("ok")
    session = read(talk)
    assert said(session) == [("go", "gone")]
    assert reasons(session) == ["rolled-back"] * 2


RESULTS = [
    (tool("bash", {"command": "touch a"}, exit=0), True),
    (tool("bash", {"command": "touch a"}, exit=2), False),
    (tool("bash", {"command": "touch a"}, exit=None), None),
    (tool("bash", {"command": "touch a"}), True),
    (tool("bash", {"command": "touch a"}, "no such folder", status="error"), False),
    (tool("bash", {"command": "touch a"}, status="running"), None),
    (tool("bash", {"command": "touch a"}, status="pending"), None),
]


@pytest.mark.parametrize(("part", "ok"), RESULTS)
def test_whether_a_call_worked_is_three_valued(part: dict[str, Any], ok: bool | None) -> None:  # noqa: FBT001 - as above
    """DEC-D10: the exit code before the state, and a call without result is unknown."""
    talk = OpenTalk()
    talk.user("go")
    talk.answer(part, finish="tool-calls")
    talk.answer("gone")
    (turn,) = read(talk).turns
    assert [(row.target, row.ok) for row in turn.actions] == [("/w/a", ok)]
    assert (turn.calls[0].result is None) == (part["state"]["status"] in {"running", "pending"})


PATCH = "*** Begin Patch\n*** Add File: /w/new.py\n+x\n*** Update File: /w/old.py\n@@\n*** End Patch"
TOOLS = [
    (tool("write", {"filePath": "/w/a.py", "content": "x"}, exists=False), [(Verb.CREATED, "/w/a.py")]),
    (tool("write", {"filePath": "/w/a.py", "content": "x"}, exists=True), [(Verb.EDITED, "/w/a.py")]),
    (tool("edit", {"filePath": "/w/a.py", "oldString": "x", "newString": "y"}), [(Verb.EDITED, "/w/a.py")]),
    (tool("apply_patch", {"patchText": PATCH}), [(Verb.CREATED, "/w/new.py"), (Verb.EDITED, "/w/old.py")]),
    (tool("bash", {"command": "touch a", "workdir": "/v"}, exit=0), [(Verb.CREATED, "/v/a")]),
    (tool("webfetch", {"url": "https://example.org/x"}), [(Verb.FETCHED, "https://example.org/x")]),
    (tool("task", {"description": "look around", "prompt": "p"}), [(Verb.DELEGATED, "")]),
    (tool("read", {"filePath": "/w/a.py"}), [(Verb.READ, "/w/a.py")]),
    (tool("ferrule_search", {"query": "a"}), []),
]


@pytest.mark.parametrize(("part", "rows"), TOOLS, ids=[part["tool"] for part, _ in TOOLS])
def test_the_ledger_knows_the_clients_tools(part: dict[str, Any], rows: list[tuple[Verb, str]]) -> None:
    """R18, R94: by name and argument shape; what was asked of Ferrule itself is no evidence."""
    talk = OpenTalk()
    talk.user("go")
    talk.answer(part, finish="tool-calls")
    talk.answer("gone")
    (turn,) = read(talk).turns
    assert [(row.verb, row.target) for row in turn.actions] == rows


def test_files_that_a_command_changed_are_in_the_ledger() -> None:
    """R18: the client's snapshot names them; those of an editing tool, of git's moves and of a sweep do not count."""
    diffs = [{"file": "gen.py", "status": "added"}, {"file": "old.py", "status": "deleted"}]
    talk = OpenTalk()
    talk.user("go", summary={"diffs": diffs})
    files = ["/w/gen.py", "/w/old.py", "/w/a.py"]
    edit = tool("edit", {"filePath": "/w/a.py"})
    talk.answer(edit, tool("bash", {"command": "make gen"}), {"type": "patch", "files": files}, finish="tool-calls")
    talk.answer(
        tool("bash", {"command": "git checkout main"}), {"type": "patch", "files": ["/w/x.py"]}, finish="tool-calls"
    )
    many = [f"/w/{number}.py" for number in range(50)]
    talk.answer(tool("bash", {"command": "make fmt"}), {"type": "patch", "files": many}, finish="tool-calls")
    talk.answer(tool("read", {"filePath": "/w/r"}), {"type": "patch", "files": ["/w/y.py"]}, finish="tool-calls")
    talk.answer("gone")
    (turn,) = read(talk).turns
    changed = [(row.verb, row.target) for row in turn.actions if row.target.endswith(".py")]
    assert changed == [(Verb.EDITED, "/w/a.py"), (Verb.CREATED, "/w/gen.py"), (Verb.DELETED, "/w/old.py")]


def test_calls_that_are_numbered_anew_in_every_answer_stay_apart() -> None:
    """R18: some servers call every first call the same."""
    talk = OpenTalk()
    talk.user("go")
    for name in ("a", "b"):
        talk.answer(tool("bash", {"command": f"touch {name}"}, exit=0), finish="tool-calls")
    talk.answer("gone")
    (turn,) = read(talk).turns
    assert [row.target for row in turn.actions] == ["/w/a", "/w/b"]


def test_a_session_of_a_subagent_has_a_parent_and_is_never_a_source() -> None:
    """R10, R11: profile and parent say so."""
    session = read(simple(parentID="ses_0")).session
    assert (session.profile, session.parent, session.lineage) == ("opencode-subagent", "opencode:ses_0", None)
    assert declined(session) is not None


def test_words_that_an_error_ended_are_no_last_words() -> None:
    """R76: the client may say so in the step alone."""
    talk = OpenTalk()
    talk.user("go")
    talk.answer("I will now", finish="error")
    session = read(talk)
    assert (session.turns, reasons(session)) == ((), ["api-error"])

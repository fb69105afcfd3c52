"""Every trap of Copilot CLI's event logs, one by one."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from claude_lines import reasons, said

from ferrule.adapters.transcripts.reader import read_text
from ferrule.session.eligibility import declined
from ferrule.session.imported import ImportedSession
from ferrule.session.keys import turn_key
from ferrule.session.turn import Verb

Line = dict[str, Any]
CONTEXT: Line = {
    "cwd": "/w/tides",
    "gitRoot": "/w/tides",
    "branch": "main",
    "headCommit": "1a2b3c4",
    "repository": "larkspur/tides",
    "hostType": "github",
    "repositoryHost": "github.com",
}


class EventLog:
    """One log; every event has an id and a time of its own."""

    def __init__(self, **context: object) -> None:
        self.lines: list[Line] = []
        self._interaction = 0
        place = {**CONTEXT, **context}
        self.add("session.start", sessionId="5e55", copilotVersion="1.0.64", context=place)

    def add(self, kind: str, *, agent: str = "", **data: Any) -> str:  # noqa: ANN401 - the members of a JSON object
        """Any event."""
        number = len(self.lines) + 1
        line: Line = {"type": kind, "data": data, "id": f"e{number}", "parentId": f"e{number - 1}"}
        line["timestamp"] = f"2026-01-01T00:{number // 60:02}:{number % 60:02}.000Z"
        self.lines.append({**line, "agentId": agent} if agent else line)
        return f"e{number}"

    def user(self, words: str, **data: object) -> str:
        """A person's message; a new interaction unless `interactionId` says another."""
        self._interaction += 1
        facts: Line = {"content": words, "attachments": [], "interactionId": f"i{self._interaction}", **data}
        return self.add("user.message", **{key: value for key, value in facts.items() if value is not None})

    def call(self, name: str, arguments: object, result: str = "ok", *, success: bool | None = True) -> None:
        """A model call that asks for a tool, and the tool's run; without end when `success` is None."""
        identity = f"call-{len(self.lines)}"
        self.add("assistant.turn_start", turnId="0")
        self.add(
            "assistant.message",
            content="Now I do it.",
            toolRequests=[{"toolCallId": identity, "name": name, "arguments": arguments}],
        )
        self.add("tool.execution_start", toolCallId=identity, toolName=name, arguments=arguments)
        if success is not None:
            told: Line = (
                {"result": {"content": result}} if success else {"error": {"message": result, "code": "failure"}}
            )
            self.add("tool.execution_complete", toolCallId=identity, success=success, **told)
        self.add("assistant.turn_end", turnId="0")

    def text(self, words: str) -> None:
        """A model call that only answers."""
        self.add("assistant.turn_start", turnId="1")
        self.add("assistant.message", content=words, toolRequests=[])
        self.add("assistant.turn_end", turnId="1")


def read(log: EventLog) -> ImportedSession:
    """Read a log."""
    (session,) = read_text("\n".join(json.dumps(line) for line in log.lines), scrub=str)
    return session


def simple(**context: Any) -> EventLog:  # noqa: ANN401 - the members of a JSON object
    """A session with one completed turn."""
    log = EventLog(**context)
    log.user("go", parentAgentTaskId="t1", transformedContent="<current_datetime>x</current_datetime>go")
    log.call("bash", {"command": "touch a"}, "<exited with exit code 0>")
    log.text("gone")
    return log


def test_a_turn_reaches_to_the_last_message_without_requests() -> None:
    """R15, R17: model calls are not turns; the key is made of ordinal and words, as the hook makes it."""
    log = simple()
    log.add("session.title_changed", title="Tides")
    log.user("more")
    log.text("done")
    session = read(log)
    assert said(session) == [("go", "gone"), ("more", "done")]
    assert [turn.key for turn in session.turns] == [turn_key(None, 1, "go"), turn_key(None, 2, "more")]
    assert session.turns[0].completed_at == "2026-01-01T00:00:09.000Z"
    found = session.session
    assert (found.key, found.title, found.client) == ("copilot-cli:5e55", "Tides", "copilot-cli")
    assert declined(found) is None


def test_the_header_tells_place_branch_and_repository() -> None:
    """R23: root and remote without a call to git; a later context holds from there on."""
    log = simple()
    log.user("switch")
    log.add("session.context_changed", **{**CONTEXT, "branch": "neap"})
    log.text("switched")
    log.add("session.context_changed", **{**CONTEXT, "branch": "spring"})
    session = read(log)
    place = session.turns[0].place
    assert (place.cwd, place.root, place.repository) == ("/w/tides", "/w/tides", "github.com/larkspur/tides")
    assert [turn.branch for turn in session.turns] == ["main", "neap"]
    assert (session.session.cwd, session.session.repository) == ("/w/tides", "github.com/larkspur/tides")


@pytest.mark.parametrize(
    ("context", "repository"),
    [
        ({"repositoryHost": "git.example.org", "hostType": "other"}, "git.example.org/larkspur/tides"),
        ({"repositoryHost": "", "hostType": "github"}, "github.com/larkspur/tides"),
        ({"repositoryHost": "", "hostType": "gitlab"}, None),
        ({"repository": "../etc"}, None),
        ({"repository": None}, None),
    ],
)
def test_a_repository_is_named_only_where_its_host_is_known(context: Line, repository: str | None) -> None:
    """R23: no guess."""
    assert read(simple(**context)).session.repository == repository


def _unanswered(log: EventLog) -> None:
    log.user("go")


def _calls_only(log: EventLog) -> None:
    log.user("go")
    log.call("bash", {"command": "ls"})


def _aborted(log: EventLog) -> None:
    log.user("go")
    log.call("bash", {"command": "ls"}, success=None)
    log.add("abort", reason="user initiated")


def _failed(log: EventLog) -> None:
    log.user("go")
    log.add("session.error", errorType="quota", message="no more")


def _wordless(log: EventLog) -> None:
    log.user("", attachments=[{"type": "file", "path": "/w/a.png"}])
    log.text("a cat")


UNFINISHED: list[tuple[Callable[[EventLog], None], str]] = [
    (_unanswered, "open"),
    (_calls_only, "open"),
    (_aborted, "interrupted"),
    (_failed, "api-error"),
    (_wordless, "no-user"),
]


@pytest.mark.parametrize(("story", "reason"), UNFINISHED, ids=[story.__name__ for story, _ in UNFINISHED])
def test_what_is_no_completed_turn_of_a_person_is_skipped_with_its_reason(
    story: Callable[[EventLog], None], reason: str
) -> None:
    """R76, R94: and what stands around it is read all the same."""
    log = simple()
    story(log)
    log.user("last")
    log.text("ok")
    session = read(log)
    assert said(session) == [("go", "gone"), ("last", "ok")]
    assert reasons(session) == [reason]


INJECTED: list[Line] = [
    {"words": "<skill-context name='x'>rules</skill-context>"},
    {"words": "rules", "source": "skill-pdf"},
    {"words": "continue", "source": "autopilot"},
    {"words": "hint", "source": "jit-instruction"},
    {"words": "<system_notification>a shell ended</system_notification>"},
]


@pytest.mark.parametrize("message", INJECTED, ids=[str(index) for index in range(len(INJECTED))])
def test_what_the_client_says_in_the_users_name_is_nobodys_word(message: Line) -> None:
    """R94: in a running turn it is no steering, behind one the turn goes on with it."""
    log = EventLog()
    log.user("go")
    log.call("bash", {"command": "touch a"})
    log.user(**message)
    log.text("half")
    log.user(**message)
    log.text("gone")
    (turn,) = read(log).turns
    assert (turn.user, turn.steering, turn.outcome) == ("go", (), "gone")


STEERING: list[Line] = [
    {"interactionId": "i1"},
    {"interactionId": None, "source": "immediate-prompt"},
    {"interactionId": None},
]


@pytest.mark.parametrize("message", STEERING, ids=["same interaction", "immediate", "while the model ran"])
def test_words_sent_into_a_running_turn_are_steering(message: Line) -> None:
    """R16: one interaction is one turn; older versions tell by where the message stands."""
    log = EventLog()
    log.user("go")
    log.add("assistant.turn_start", turnId="0")
    log.user("call it Kestrel", **message)
    log.add("user_input.completed", answer="blue", wasFreeform=True)
    log.text("gone")
    (turn,) = read(log).turns
    assert (turn.user, turn.steering, turn.outcome) == ("go", ("call it Kestrel", "blue"), "gone")


def test_a_new_interaction_is_a_new_turn() -> None:
    """R76: what ran before it never ended."""
    log = EventLog()
    log.user("go")
    log.add("assistant.turn_start", turnId="0")
    log.user("something else")
    log.text("ok")
    session = read(log)
    assert (said(session), reasons(session)) == ([("something else", "ok")], ["open"])


def test_subagents_inside_the_log_are_not_the_session() -> None:
    """R10: their events carry their mark, or the parent's call in older versions; each is named once."""
    log = simple()
    log.user("delegate")
    log.add("subagent.started", toolCallId="c9", agentName="explore")
    log.add("user.message", agent="a1", content="look around", interactionId="i9")
    log.add("assistant.message", agent="a1", content="found", toolRequests=[])
    log.add("tool.execution_start", agent="a1", toolCallId="c10", toolName="bash", arguments={"command": "touch b"})
    log.add("assistant.message", parentToolCallId="c9", content="old", toolRequests=[])
    log.text("delegated")
    session = read(log)
    assert said(session) == [("go", "gone"), ("delegate", "delegated")]
    assert session.turns[1].calls == ()
    assert reasons(session) == ["sidechain"] * 2


def test_a_rewind_takes_back_its_event_and_all_after_it() -> None:
    """R82: newer versions write it down."""
    log = simple()
    target = log.user("b")
    log.text("2")
    log.user("c")
    log.text("3")
    log.add("session.snapshot_rewind", upToEventId=target, eventsRemoved=8)
    log.user("d")
    log.text("4")
    session = read(log)
    assert (said(session), reasons(session)) == ([("go", "gone"), ("d", "4")], ["rolled-back"] * 2)


def test_events_that_stand_twice_count_once() -> None:
    """R15: a resumed session may carry its history again."""
    log = simple()
    log.lines += log.lines
    log.add("session.resume", sessionId="5e55", context=CONTEXT)
    assert said(read(log)) == [("go", "gone")]


def test_a_task_of_the_autopilot_ends_with_its_summary() -> None:
    """R17: the last words are in a tool."""
    log = EventLog()
    log.user("go")
    log.call("task_complete", {"summary": "gone"})
    log.add("session.task_complete", summary="gone", success=True)
    assert said(read(log)) == [("go", "gone")]


RESULTS = [
    ("done\n<exited with exit code 0>", True, True),
    ("boom\n<exited with exit code 2>", True, False),
    ("plain", True, True),
    ("<command with shellId: 7 is still running after 30 seconds>", True, None),
    ("denied", False, False),
    ("", None, None),
]


@pytest.mark.parametrize(("result", "success", "ok"), RESULTS)
def test_whether_a_call_worked_is_three_valued(result: str, success: bool | None, ok: bool | None) -> None:  # noqa: FBT001 - three-valued
    """DEC-D10: `success` says that the tool ran; the command's exit code stands in what it printed."""
    log = EventLog()
    log.user("go")
    log.call("bash", {"command": "touch a"}, result, success=success)
    log.text("gone")
    (turn,) = read(log).turns
    assert [(row.target, row.ok) for row in turn.actions] == [("/w/tides/a", ok)]


PATCH = "*** Begin Patch\n*** Add File: new.py\n+x\n*** Update File: old.py\n@@\n*** End Patch"
TOOLS: list[tuple[str, object, list[tuple[Verb, str]]]] = [
    ("create", {"path": "/w/a.py", "file_text": "x"}, [(Verb.CREATED, "/w/a.py")]),
    ("edit", {"path": "/w/a.py", "old_str": "x", "new_str": "y"}, [(Verb.EDITED, "/w/a.py")]),
    ("str_replace_editor", {"command": "create", "path": "/w/a.py", "file_text": "x"}, [(Verb.CREATED, "/w/a.py")]),
    ("apply_patch", PATCH, [(Verb.CREATED, "/w/tides/new.py"), (Verb.EDITED, "/w/tides/old.py")]),
    ("view", {"path": "/w/a.py"}, [(Verb.READ, "/w/a.py")]),
    ("powershell", {"command": "git tag v1"}, [(Verb.TAGGED, "v1")]),
    ("web_fetch", {"url": "https://example.org/x"}, [(Verb.FETCHED, "https://example.org/x")]),
    ("task", {"description": "look around", "agent_type": "explore"}, [(Verb.DELEGATED, "")]),
    ("report_intent", {"intent": "Looking"}, []),
    ("sql", {"query": "SELECT 1"}, []),
    ("ferrule-search", {"query": "a"}, []),
]


@pytest.mark.parametrize(("name", "arguments", "rows"), TOOLS, ids=[name for name, _, _ in TOOLS])
def test_the_ledger_knows_the_clients_tools(name: str, arguments: object, rows: list[tuple[Verb, str]]) -> None:
    """R18, R94: by name and argument shape; what was asked of Ferrule itself is no evidence."""
    log = EventLog()
    log.user("go")
    log.call(name, arguments)
    log.text("gone")
    (turn,) = read(log).turns
    assert [(row.verb, row.target) for row in turn.actions] == rows


@pytest.mark.parametrize("turns", [1, 2])
def test_files_that_a_command_changed_are_in_the_ledger(turns: int) -> None:
    """R18: the client counts them once, at the end: whose they are is known where there is one turn only."""
    log = EventLog()
    for number in range(turns):
        log.user(f"go {number}")
        log.call("edit", {"path": "/w/tides/a.py", "old_str": "x", "new_str": "y"})
        log.call("bash", {"command": "make gen"})
        log.text("gone")
    files = ["/w/tides/a.py", "/w/tides/gen.py", "relative.py", 7]
    log.add("session.shutdown", shutdownType="routine", codeChanges={"filesModified": files})
    changed = [row.target for row in read(log).turns[0].actions if row.verb is Verb.EDITED]
    assert changed == (["/w/tides/a.py", "/w/tides/gen.py"] if turns == 1 else ["/w/tides/a.py"])


def test_words_behind_a_rewind_begin_a_turn_of_their_own() -> None:
    """R15: the model ran when its turn was taken back; what a person says then is no word into that turn."""
    log = EventLog()
    log.user("first", interactionId=None)
    log.text("one")
    target = log.user("second", interactionId=None)
    log.add("assistant.turn_start", turnId="0")
    for _ in range(2):
        log.add("session.snapshot_rewind", upToEventId=target, eventsRemoved=2)
    log.user("third", interactionId=None)
    log.text("three")
    session = read(log)
    assert [turn.user for turn in session.turns] == ["first", "third"]
    assert reasons(session) == ["rolled-back"]


def test_of_very_many_changed_files_none_is_a_commands() -> None:
    """R57: what a client counts at the end is bounded, over all its ends."""
    log = EventLog()
    log.user("go")
    log.call("bash", {"command": "make"})
    log.text("done")
    for number in range(2):
        files = [f"/w/tides/{number}-{at}" for at in range(400)]
        log.add("session.shutdown", codeChanges={"filesModified": files})
    (turn,) = read(log).turns
    assert "files_changed" not in turn.calls[0].details

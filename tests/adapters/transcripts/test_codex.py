"""Every trap of Codex rollouts, one by one."""

import json
from typing import Any

import pytest
from claude_lines import reasons, said

from ferrule.adapters.transcripts.reader import read_text
from ferrule.session.eligibility import declined
from ferrule.session.imported import ImportedSession
from ferrule.session.turn import Verb

THREAD = "0199-aaaa"
GIT = {"commit_hash": "1a2b3c4", "branch": "main", "repository_url": "git@github.com:larkspur/atlas.git"}
META: dict[str, Any] = {"id": THREAD, "cwd": "/w", "cli_version": "0.142.0", "source": "cli", "git": GIT}
Line = dict[str, Any]


def line(kind: str, payload: Line) -> Line:
    """One enveloped line."""
    return {"timestamp": "2026-01-01T00:00:00.000Z", "type": kind, "payload": payload}


def event(kind: str, **members: Any) -> Line:  # noqa: ANN401 - the members of a JSON object
    """One event line."""
    return line("event_msg", {"type": kind, **members})


def start(turn: str) -> Line:
    """The start mark of a turn."""
    return event("task_started", turn_id=turn)


def complete(turn: str, text: str | None) -> Line:
    """The completion mark of a turn."""
    return event("task_complete", turn_id=turn, last_agent_message=text)


def call(identity: str, command: str, **members: Any) -> Line:  # noqa: ANN401 - as above
    """A shell call, arguments as JSON in a string."""
    arguments = json.dumps({"cmd": command, **members})
    return line(
        "response_item", {"type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": identity}
    )


def output(identity: str, text: str) -> Line:
    """What a call printed."""
    return line("response_item", {"type": "function_call_output", "call_id": identity, "output": text})


def turn(identity: str, user: str, answer: str, *inside: Line) -> list[Line]:
    """A completed turn."""
    return [start(identity), event("user_message", message=user), *inside, complete(identity, answer)]


def read(lines: list[Line], **meta: Any) -> ImportedSession:  # noqa: ANN401 - as above
    """Read lines under a header as one file."""
    head = [line("session_meta", {**META, **meta})]
    (session,) = read_text("\n".join(json.dumps(row) for row in head + lines), scrub=str)
    return session


def test_a_turn_reaches_from_its_start_to_its_completion() -> None:
    """R15, R76: words from the event, outcome from the completion mark, key from the turn id."""
    session = read([*turn("t1", "go", "gone", call("c", "touch a"), output("c", "x")), *turn("t2", "more", "ok")])
    assert said(session) == [("go", "gone"), ("more", "ok")]
    assert [(one.key, one.ordinal) for one in session.turns] == [("t1", 1), ("t2", 2)]
    assert (session.session.key, session.session.repository) == (f"codex:{THREAD}", "github.com/larkspur/atlas")
    assert declined(session.session) is None


def test_response_items_in_the_users_name_are_not_the_user() -> None:
    """R94: AGENTS.md, the environment block and skill texts are injected under role user."""
    injected = [
        line("response_item", {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]})
        for text in ("# AGENTS.md instructions for /w", "<environment_context></environment_context>", "go")
    ]
    session = read([start("t1"), *injected, event("user_message", message="go"), complete("t1", "gone")])
    assert said(session) == [("go", "gone")]


def test_the_newest_form_gives_whole_items() -> None:
    """R15, R23: user and agent messages and exit codes come as completed items; the same fact counts once."""
    item = [
        event(
            "item_completed", turn_id="t1", item={"type": "UserMessage", "content": [{"type": "text", "text": "go"}]}
        ),
        call("c", "touch a"),
        event(
            "item_completed",
            turn_id="t1",
            item={"type": "CommandExecution", "id": "c", "cwd": "file:///v", "exit_code": 1},
        ),
        output("c", "boom"),
        event(
            "item_completed", turn_id="t1", item={"type": "AgentMessage", "content": [{"type": "Text", "text": "no"}]}
        ),
    ]
    session = read([start("t1"), *item, complete("t1", "no")])
    assert said(session) == [("go", "no")]
    assert [(row.target, row.ok) for row in session.turns[0].actions] == [("/v/a", False)]


def test_an_event_beside_an_item_is_said_once() -> None:
    """R15: a version that writes both does not make the user repeat himself."""
    both = [
        event("user_message", message="go"),
        event(
            "item_completed", turn_id="t1", item={"type": "UserMessage", "content": [{"type": "text", "text": "go"}]}
        ),
    ]
    (one,) = read([start("t1"), *both, complete("t1", "gone")]).turns
    assert (one.user, one.steering) == ("go", ())


def test_a_second_message_before_the_completion_is_steering() -> None:
    """R16: it belongs to the running turn."""
    lines = turn("t1", "go", "gone", event("user_message", message="call it Kestrel"))
    (one,) = read(lines).turns
    assert (one.user, one.steering) == ("go", ("call it Kestrel",))


def test_unfinished_turns_are_skipped_with_their_reason() -> None:
    """R76: aborted; started and never completed; the last one without a mark though it has a final answer."""
    lines = [
        start("t1"),
        event("user_message", message="a"),
        event("turn_aborted", turn_id="t1", reason="interrupted"),
        start("t2"),
        event("user_message", message="b"),
        *turn("t3", "c", "ok"),
        *turn("t4", "d", ""),
        start("t5"),
        event("user_message", message="e"),
        event("agent_message", message="done", phase="final_answer"),
    ]
    session = read(lines)
    assert said(session) == [("c", "ok")]
    assert reasons(session) == ["interrupted", "open", "no-outcome", "open"]


def test_a_completion_without_text_takes_the_final_message() -> None:
    """R17: `last_agent_message` may be null."""
    lines = [
        start("t1"),
        event("user_message", message="a"),
        event("agent_message", message="done"),
        complete("t1", None),
    ]
    assert said(read(lines)) == [("a", "done")]


def test_rolled_back_turns_are_not_reviewed() -> None:
    """R82: an undo drops the last n turns that still stand."""
    lines = [
        *turn("t1", "a", "1"),
        *turn("t2", "b", "2"),
        event("thread_rolled_back", num_turns=1),
        *turn("t3", "c", "3"),
        *turn("t4", "d", "4"),
        event("thread_rolled_back", num_turns=2),
    ]
    session = read(lines)
    assert said(session) == [("a", "1")]
    assert reasons(session) == ["rolled-back"] * 3


OUTPUTS = [
    ("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nx", True),
    ("Chunk ID: 1\nProcess exited with code 2\nOutput:\nx", False),
    ('{"output": "x", "metadata": {"exit_code": 0, "duration_seconds": 0.1}}', True),
    ('{"output": "x", "metadata": {"exit_code": 7}}', False),
    ("x", None),
]


@pytest.mark.parametrize(("text", "ok"), OUTPUTS)
def test_the_exit_code_is_read_from_the_output(text: str, ok: bool | None) -> None:  # noqa: FBT001 - three-valued
    """DEC-D10: header text in new versions, JSON in a string in old ones."""
    (one,) = read(turn("t1", "a", "b", call("c", "touch a"), output("c", text))).turns
    assert [row.ok for row in one.actions] == [ok]


def test_older_versions_say_the_outcome_in_an_event() -> None:
    """R23: `exec_command_end` has exit code, folder and output; `patch_apply_end` has success."""
    patch = "*** Begin Patch\n*** Add File: b.py\n+x\n*** End Patch"
    lines = turn(
        "t1",
        "a",
        "b",
        call("c", "touch a"),
        event("exec_command_end", call_id="c", command=["touch", "a"], cwd="/v", exit_code=0, aggregated_output="x"),
        line("response_item", {"type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": "p"}),
        event("patch_apply_end", call_id="p", success=False, changes={"/w/b.py": {"type": "add"}}),
    )
    (one,) = read(lines).turns
    assert [(row.target, row.ok) for row in one.actions] == [("/v/a", True), ("/w/b.py", False)]


def test_shells_of_every_generation_are_understood() -> None:
    """R18: `shell` with an argument vector and `workdir`, and `local_shell_call`."""
    vector = json.dumps({"command": ["bash", "-lc", "touch a"], "workdir": "/v"})
    lines = turn(
        "t1",
        "a",
        "b",
        line("response_item", {"type": "function_call", "name": "shell", "arguments": vector, "call_id": "c"}),
        line(
            "response_item",
            {
                "type": "local_shell_call",
                "call_id": "d",
                "action": {"type": "exec", "command": ["touch", "b"], "working_directory": "/v"},
            },
        ),
    )
    (one,) = read(lines).turns
    assert [row.target for row in one.actions] == ["/v/a", "/v/b"]


def test_pages_and_other_servers_are_in_the_ledger() -> None:
    """R18: an opened page is a fetch; a namespace names the server of a tool."""
    lines = turn(
        "t1",
        "a",
        "b",
        line(
            "response_item",
            {
                "type": "web_search_call",
                "status": "completed",
                "action": {"type": "open_page", "url": "https://example.org/a"},
            },
        ),
        line(
            "response_item",
            {"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "atlas"}},
        ),
        line(
            "response_item",
            {
                "type": "function_call",
                "name": "_get_issue",
                "namespace": "mcp__tracker",
                "arguments": '{"id": "ATL-7"}',
                "call_id": "m",
            },
        ),
        event("mcp_tool_call_end", call_id="m", result={"Err": "denied"}),
    )
    (one,) = read(lines).turns
    assert [(row.verb, row.target, row.ok) for row in one.actions] == [
        (Verb.FETCHED, "https://example.org/a", True),
        (Verb.SEARCHED, "", True),
        (Verb.VIEWED, "ATL-7", False),
    ]


def test_the_branch_follows_the_commands_of_the_turns() -> None:
    """R18: the header knows the first branch only; a worktree or another folder is another branch."""
    switch = [call("c", "git switch -c fix"), output("c", "Switched to a new branch 'fix'\nProcess exited with code 0")]
    other = [call("d", "git switch -c other", workdir="/v"), output("d", "Process exited with code 0")]
    session = read([*turn("t1", "a", "1"), *turn("t2", "b", "2", *switch), *turn("t3", "c", "3", *other)])
    assert [one.branch for one in session.turns] == ["main", "fix", "fix"]


def test_the_folder_is_the_turns_own() -> None:
    """R18: `turn_context` of each turn."""
    context = line("turn_context", {"turn_id": "t2", "cwd": "/v"})
    session = read([*turn("t1", "a", "1"), *turn("t2", "b", "2", context)])
    assert [one.place.cwd for one in session.turns] == ["/w", "/v"]


def test_compaction_is_not_the_user() -> None:
    """R16: a compacted line and its event restate the session."""
    compacted = line("compacted", {"message": "The user wants everything", "replacement_history": []})
    session = read([*turn("t1", "a", "1"), compacted, event("context_compacted"), *turn("t2", "b", "2")])
    assert said(session) == [("a", "1"), ("b", "2")]


def test_the_first_header_is_the_files_own() -> None:
    """R92: a forked file repeats its origin's header with copied history."""
    copied = line("session_meta", {**META, "id": "0199-old", "cwd": "/old"})
    session = read([copied, *turn("t1", "a", "1")], forked_from_id="0199-old")
    assert (session.session.key, session.session.cwd) == (f"codex:{THREAD}", "/w")
    assert session.session.lineage == "codex:0199-old"


def test_a_fork_of_a_fork_is_of_the_eldests_lineage() -> None:
    """R87: all members of a conversation carry one lineage, the eldest's key; a thread alone carries its own."""
    headers = [line("session_meta", {**META, "id": identity}) for identity in ("0199-middle", "0199-eldest")]
    assert read([*headers, *turn("t1", "a", "1")], forked_from_id="0199-middle").session.lineage == "codex:0199-eldest"
    assert read(turn("t1", "a", "1")).session.lineage == f"codex:{THREAD}"


SUBAGENTS = [
    (
        {"source": {"subagent": {"thread_spawn": {"parent_thread_id": "0199-p", "depth": 1}}}},
        "codex-subagent",
        "codex:0199-p",
    ),
    ({"source": {"subagent": "review"}}, "codex-review", None),
    ({"source": "cli", "thread_source": "subagent"}, "codex-subagent", None),
]


@pytest.mark.parametrize(("meta", "profile", "parent"), SUBAGENTS)
def test_a_subagents_thread_is_a_specialised_session(meta: Line, profile: str, parent: str | None) -> None:
    """R10: by the header's source, with or without a known parent."""
    session = read(turn("t1", "a", "1"), **meta).session
    assert (session.profile, session.parent) == (profile, parent)
    assert declined(session) is not None


def test_ide_context_before_the_request_is_not_the_request() -> None:
    """R94: an editor puts open files and tabs before what the person typed."""
    message = "# Context from my IDE setup:\n\n## Open tabs:\n- secret.py\n\n## My request for Codex:\nrename it\n"
    assert said(read(turn("t1", message, "done"))) == [("rename it", "done")]


def test_a_file_cut_in_its_first_turn_holds_no_completed_turn() -> None:
    """R76: a start without its completion is open, also when the file has no completion at all yet."""
    session = read(
        [
            event("task_started", turn_id="t1"),
            event("user_message", message="go"),
            event("agent_message", message="I am looking"),
        ]
    )
    assert said(session) == []
    assert reasons(session) == ["open"]


def test_a_file_without_marks_ends_turns_at_the_next_prompt() -> None:
    """R76: between the envelope and the marks there were versions with neither start nor completion."""
    lines = [
        event("user_message", message="a"),
        call("c", "touch a"),
        output("c", "x"),
        event("agent_message", message="done"),
        event("user_message", message="b"),
        call("d", "touch b"),
        event("user_message", message="c"),
        event("agent_message", message="ok"),
    ]
    session = read(lines)
    assert said(session) == [("a", "done"), ("c", "ok")]
    assert reasons(session) == ["open"]
    assert session.turns[0].key.startswith("t1-")


def test_a_flat_old_file_is_read() -> None:
    """R15: bare response items under a bare header; folder and words from the items themselves."""
    header = {"id": THREAD, "timestamp": "2025-05-01T00:00:00Z", "instructions": None, "git": GIT}

    def message(role: str, text: str) -> Line:
        kind = "output_text" if role == "assistant" else "input_text"
        return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}

    lines = [
        header,
        {"record_type": "state"},
        message("user", "<environment_context>\n<cwd>/w</cwd>\n</environment_context>"),
        message("user", "go"),
        {"type": "function_call", "name": "shell", "arguments": '{"command": ["touch", "a"]}', "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": '{"output": "", "metadata": {"exit_code": 0}}'},
        message("assistant", "gone"),
    ]
    (session,) = read_text("\n".join(json.dumps(row) for row in lines), scrub=str)
    assert said(session) == [("go", "gone")]
    assert session.session.key == f"codex:{THREAD}"
    assert [(row.target, row.ok) for row in session.turns[0].actions] == [("/w/a", True)]

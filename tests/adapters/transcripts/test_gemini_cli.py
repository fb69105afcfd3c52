"""Every trap of Gemini CLI's sessions, one by one: the document of older versions and the log of newer ones."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from claude_lines import reasons, said
from gemini_log import FOLDER, GeminiTalk, called, read_document, read_log, shell

from ferrule.adapters.transcripts.reader import read_transcript
from ferrule.session.eligibility import declined
from ferrule.session.keys import turn_key
from ferrule.session.turn import Verb

WRITE = called("write_file", {"file_path": "a.py", "content": "x"}, resultDisplay={"isNewFile": True})


def simple(**facts: Any) -> GeminiTalk:  # noqa: ANN401 - the members of a JSON object
    """A session with one completed turn."""
    talk = GeminiTalk(**facts)
    talk.user("go")
    talk.answer("I write.", WRITE)
    talk.answer("gone")
    return talk


def test_a_turn_reaches_to_the_last_text_without_calls() -> None:
    """R15, R17: document and log say the same; the key is made of ordinal and words, as the hook makes it."""
    talk = simple(summary="Tides")
    talk.user("more")
    talk.answer("Let me see.")
    talk.answer("done")
    session = read_document(talk)
    assert said(session) == [("go", "gone"), ("more", "done")]
    assert [turn.key for turn in session.turns] == [turn_key(None, 1, "go"), turn_key(None, 2, "more")]
    assert session.turns[1].completed_at == "2026-01-01T00:00:06.000Z"
    assert (session.session.key, session.session.title, session.format) == (
        "gemini-cli:9f0c1d2e",
        "Tides",
        "gemini-cli",
    )
    assert declined(session.session) is None
    assert read_log(talk.lines()).turns == session.turns


def _unanswered(talk: GeminiTalk) -> None:
    talk.user("go")


def _calls_only(talk: GeminiTalk) -> None:
    talk.user("go")
    talk.answer("I write.", WRITE)


def _cancelled_call(talk: GeminiTalk) -> None:
    talk.user("go")
    talk.answer("I delete.", called("run_shell_command", {"command": "rm x"}, "Cancelled", status="cancelled"))
    talk.say("info", "Request cancelled.")


def _cancelled_text(talk: GeminiTalk) -> None:
    talk.user("go")
    talk.answer("half of")
    talk.say("info", "Request cancelled.")


def _failed(talk: GeminiTalk) -> None:
    talk.user("go")
    talk.say("error", "[API Error: quota]")


def _ui_command(talk: GeminiTalk) -> None:
    talk.user("/model gemini-2.5-pro")


def _image(talk: GeminiTalk) -> None:
    talk.user([{"inlineData": {"mimeType": "image/png", "data": ""}}])
    talk.answer("a cat")


def _shell_mode(talk: GeminiTalk) -> None:
    talk.user("I ran the following shell command:\n```sh\nls\n```\n\nThis produced the following result:\n```\na\n```")


UNFINISHED: list[tuple[Callable[[GeminiTalk], None], str]] = [
    (_unanswered, "open"),
    (_calls_only, "open"),
    (_cancelled_call, "interrupted"),
    (_cancelled_text, "interrupted"),
    (_failed, "api-error"),
    (_ui_command, "ui-command"),
    (_image, "no-user"),
    (_shell_mode, "user-shell"),
]


@pytest.mark.parametrize(("story", "reason"), UNFINISHED, ids=[story.__name__ for story, _ in UNFINISHED])
def test_what_is_no_completed_turn_of_a_person_is_skipped_with_its_reason(
    story: Callable[[GeminiTalk], None], reason: str
) -> None:
    """R76, R94: and what stands around it is read all the same."""
    talk = simple()
    story(talk)
    talk.user("last")
    talk.answer("ok")
    session = read_document(talk)
    assert said(session) == [("go", "gone"), ("last", "ok")]
    assert reasons(session) == [reason]


def test_a_text_stands_when_only_the_calls_behind_it_were_cancelled() -> None:
    """R17: nothing came of them, in whatever order the client wrote it down."""
    talk = simple()
    talk.say("info", "Request cancelled.")
    talk.answer("", called("run_shell_command", {"command": "git add a.py"}, "Cancelled", status="cancelled"))
    session = read_document(talk)
    assert said(session) == [("go", "gone")]
    assert [row.ok for row in session.turns[0].actions] == [True, False]


def test_notes_of_the_client_end_nothing() -> None:
    """R17: an update is available, a warning; an error that a later answer overcame."""
    talk = GeminiTalk()
    talk.user("go")
    talk.say("error", "[API Error: try again]")
    talk.say("info", "Gemini CLI update available!")
    talk.answer("gone")
    talk.say("warning", "slow")
    assert said(read_document(talk)) == [("go", "gone")]


@pytest.mark.parametrize("words", ["System: Please continue.", "Please continue."])
def test_the_client_sends_the_model_on_in_the_users_name(words: str) -> None:
    """R94: the same intent and a later end; it is no turn of its own."""
    talk = GeminiTalk()
    talk.user("go")
    talk.answer("", WRITE)
    talk.user(words)
    talk.answer("gone")
    session = read_document(talk)
    assert said(session) == [("go", "gone")]
    assert [row.target for row in session.turns[0].actions] == ["a.py"]


PROMPTS = [
    ({"content": "go @a.md\n--- Content from referenced files ---\nsecret plans"}, "go @a.md"),
    ({"content": [{"text": "Review a.md with care"}], "displayContent": [{"text": "/review a.md"}]}, "/review a.md"),
    ({"content": [{"text": "go"}, {"text": "\n--- Content from referenced files ---"}, {"text": "x"}]}, "go"),
    ({"content": "go<ferrule-memory>told</ferrule-memory>"}, "go"),
    ({"content": [{"text": "go"}, {"text": "<hook_context>a hook's words</hook_context>"}]}, "go"),
]


@pytest.mark.parametrize(("members", "words"), PROMPTS)
def test_only_what_a_person_typed_is_the_users_word(members: dict[str, Any], words: str) -> None:
    """R94: referenced files, expanded commands and recalled text are not."""
    talk = GeminiTalk()
    talk.say("user", **members)
    talk.answer("gone")
    assert said(read_document(talk)) == [(words, "gone")]


def test_context_and_answers_of_tools_in_the_users_name_are_not_the_user() -> None:
    """R94: newer versions write both as user messages."""
    talk = GeminiTalk()
    talk.user(
        f"<session_context>\nThis is the Gemini CLI.\n- **Workspace Directories:**\n  - {FOLDER}\n</session_context>"
    )
    talk.user("go")
    talk.answer("", WRITE)
    talk.user([{"functionResponse": {"id": "x", "name": "write_file", "response": {"output": "ok"}}}])
    talk.answer("gone")
    session = read_log(talk.lines())
    assert said(session) == [("go", "gone")]
    assert session.skipped == ()


def test_later_lines_replace_earlier_ones() -> None:
    """R18: a message is written again when its calls and their answers arrive; it counts once."""
    talk = simple()
    early = {**talk.messages[1]}
    del early["toolCalls"]
    pending = {**early, "toolCalls": [{**WRITE, "status": "executing", "result": None}]}
    lines = [talk.facts, talk.messages[0], early, {"$set": {"lastUpdated": "x"}}, pending, *talk.messages[1:]]
    assert read_log(lines).turns == read_document(talk).turns


def test_a_rewind_takes_back_its_message_and_all_after_it() -> None:
    """R82: and everything where its message is not known, as the client does."""
    talk = simple()
    first = talk.user("b")
    talk.answer("2")
    lines = [*talk.lines(), {"$rewindTo": first["id"]}]
    again = GeminiTalk()
    again.messages = [{}] * 10
    lines += [again.user("c"), again.answer("3")]
    session = read_log(lines)
    assert said(session) == [("go", "gone"), ("c", "3")]
    assert reasons(session) == ["rolled-back"]
    session = read_log([*talk.lines(), {"$rewindTo": "nothing"}])
    assert (said(session), reasons(session)) == ([], ["rolled-back"] * 2)


def test_a_compaction_forgets_for_the_model_only() -> None:
    """R82: what was said before it stays said; the summary and the nod to it are nobody's words."""
    talk = simple()
    kept = [talk.user("b"), talk.answer("", WRITE)]
    summary = {"id": "s1", "type": "user", "content": [{"text": "<state_snapshot>all</state_snapshot>"}]}
    nod = {"id": "s2", "type": "gemini", "content": "Got it. Thanks for the additional context!"}
    lines = [*talk.lines(), {"$set": {"messages": [summary, nod, *kept]}}]
    lines.append(talk.answer("2"))
    session = read_log(lines)
    assert said(session) == [("go", "gone"), ("b", "2")]
    assert session.skipped == ()
    behind = [*simple().lines(), {"$set": {"messages": [summary, nod]}}, GeminiTalk().user("c", identity="c")]
    session = read_log([*behind, GeminiTalk().say("gemini", "3", "d")])
    assert said(session) == [("go", "gone"), ("c", "3")]


def test_a_list_of_messages_that_ends_earlier_takes_back_the_rest() -> None:
    """R82: an aborted turn is taken out of what the model sees; whole lists may also be all that a log has."""
    talk = simple()
    kept = list(talk.messages)
    talk.user("b")
    session = read_log([*talk.lines(), {"$set": {"messages": kept}}])
    assert (said(session), reasons(session)) == ([("go", "gone")], ["rolled-back"])
    sets = [{"$set": {"messages": kept[:number]}} for number in (1, 2, 3)]
    assert said(read_log([talk.facts, *sets])) == [("go", "gone")]


@pytest.mark.parametrize("kept", [0, 1])
def test_a_client_that_starts_again_takes_nothing_back(kept: int) -> None:
    """R82: its first list holds no answer yet."""
    talk = simple()
    session = read_log([*talk.lines(), {"$set": {"messages": talk.messages[:kept]}}])
    assert (said(session), session.skipped) == ([("go", "gone")], ())


def test_answers_that_the_client_masked_stay_as_they_were() -> None:
    """R18: a later list holds shortened answers of tools."""
    talk = simple()
    masked = json.loads(json.dumps(talk.messages))
    masked[1]["toolCalls"][0]["result"] = [{"text": "[masked]"}]
    assert read_log([*talk.lines(), {"$set": {"messages": masked}}]).turns == read_document(talk).turns


RESULTS = [
    (called("run_shell_command", {"command": "touch a"}, shell("")), True),
    (called("run_shell_command", {"command": "touch a"}, shell("", 2)), False),
    (called("run_shell_command", {"command": "touch a"}, "Output: (empty)"), True),
    (called("run_shell_command", {"command": "touch a"}, "Output: no\nExit Code: 1"), False),
    (called("run_shell_command", {"command": "touch a"}, "Output: x\nSignal: 9"), False),
    (called("run_shell_command", {"command": "touch a"}, "Command moved to background (PID: 7)."), None),
    (called("run_shell_command", {"command": "touch a"}, "denied", status="error"), False),
    (called("run_shell_command", {"command": "touch a"}, "Cancelled", status="cancelled"), False),
    (called("run_shell_command", {"command": "touch a"}, status="executing"), None),
]


@pytest.mark.parametrize(("call", "ok"), RESULTS)
def test_whether_a_call_worked_is_three_valued(call: dict[str, Any], ok: bool | None) -> None:  # noqa: FBT001 - three-valued
    """DEC-D10: a command that failed is a call that succeeded; a cancelled one did nothing."""
    talk = GeminiTalk()
    talk.user("go")
    talk.answer("", call)
    talk.answer("gone")
    (turn,) = read_document(talk).turns
    assert [(row.target, row.ok) for row in turn.actions] == [("a", ok)]


def test_what_a_command_printed_stands_without_its_frame() -> None:
    """R23: git's own line shows the commit."""
    talk = GeminiTalk()
    talk.user("go")
    printed = "[main 1a2b3c4] Add tides\n 1 file changed, 2 insertions(+)"
    talk.answer("", called("run_shell_command", {"command": "git commit -m 'Add tides'"}, shell(printed)))
    talk.answer("gone")
    (turn,) = read_document(talk).turns
    assert (Verb.COMMITTED, "1a2b3c4", True) in [(row.verb, row.target, row.exists) for row in turn.actions]


TOOLS = [
    (WRITE, [(Verb.CREATED, "a.py")]),
    (called("write_file", {"file_path": "a.py"}, resultDisplay={"isNewFile": False}), [(Verb.EDITED, "a.py")]),
    (called("write_file", {"file_path": "a.py"}, "Successfully overwrote it."), [(Verb.EDITED, "a.py")]),
    (called("replace", {"file_path": "a.py", "old_string": "x", "new_string": "y"}), [(Verb.EDITED, "a.py")]),
    (called("read_file", {"file_path": "a.py"}), [(Verb.READ, "a.py")]),
    (called("list_directory", {"dir_path": "src/x"}), [(Verb.LISTED, "src/x")]),
    (called("google_web_search", {"query": "tides"}), [(Verb.SEARCHED, "")]),
    (called("delegate_to_agent", {"agent_name": "x", "prompt": "look"}), [(Verb.DELEGATED, "")]),
    (called("mcp_ferrule_search", {"query": "tides"}), []),
]


@pytest.mark.parametrize(("call", "rows"), TOOLS, ids=[call["name"] for call, _ in TOOLS])
def test_the_ledger_knows_the_clients_tools(call: dict[str, Any], rows: list[tuple[Verb, str]]) -> None:
    """R18, R94: by name and argument shape; what was asked of Ferrule itself is no evidence."""
    talk = GeminiTalk()
    talk.user("go")
    talk.answer("", call)
    talk.answer("gone")
    (turn,) = read_document(talk).turns
    assert [(row.verb, row.target) for row in turn.actions] == rows


def _described(folder: str) -> dict[str, Any]:
    return called("run_shell_command", {"command": "ls"}, description=f"ls [current working directory {folder}]")


def _shown(folder: str) -> dict[str, Any]:
    return called("write_file", {"file_path": "src/a.py"}, resultDisplay={"filePath": f"{folder}/src/a.py"})


def _written(folder: str) -> dict[str, Any]:
    return called("write_file", {"file_path": "src/a.py"}, f"Successfully overwrote file: {folder}/src/a.py.")


def _listed(folder: str) -> dict[str, Any]:
    return called("list_directory", {"dir_path": "."}, f"Directory listing for {folder}:\na.py")


@pytest.mark.parametrize("place", [_described, _shown, _written, _listed])
def test_the_folder_is_told_by_the_clients_own_words(place: Callable[[str], dict[str, Any]]) -> None:
    """R23: the session keeps a hash only; the folder that has it wins over what others name more often."""
    talk = GeminiTalk()
    talk.user("go")
    talk.answer("", _described("/srv/other"), _described("/srv/other"), place(FOLDER))
    talk.answer("gone")
    assert read_document(talk).session.cwd == FOLDER
    unproved = GeminiTalk("/somewhere/else")
    unproved.messages = [talk.messages[0], {**talk.messages[1], "toolCalls": [place(FOLDER)]}, talk.messages[2]]
    assert read_document(unproved).session.cwd == FOLDER


def test_nothing_is_told_where_nothing_names_the_folder() -> None:
    """R23: no guess."""
    assert read_document(simple()).session.cwd is None


def test_the_folder_stands_beside_the_chats_of_newer_versions(tmp_path: Path) -> None:
    """R23: in `.project_root`, as far as the hash proves it."""
    chats = tmp_path / "tides" / "chats"
    chats.mkdir(parents=True)
    path = chats / "session-1.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in simple().lines()), encoding="utf-8")
    (chats.parent / ".project_root").write_text(f"{FOLDER}\n", encoding="utf-8")
    (session,) = read_transcript(path, scrub=str)
    assert session.session.cwd == FOLDER
    assert [row.target for row in session.turns[0].actions] == [f"{FOLDER}/a.py"]


def test_a_session_of_a_subagent_has_a_parent_and_is_never_a_source(tmp_path: Path) -> None:
    """R10, R11: its file stands in a folder that is called like its parent."""
    folder = tmp_path / "chats" / "9f0c1d2e"
    folder.mkdir(parents=True)
    path = folder / "agent-1.jsonl"
    lines = simple(kind="subagent", sessionId="agent-1").lines()
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    (session,) = read_transcript(path, scrub=str)
    found = session.session
    assert (found.key, found.profile) == ("gemini-cli:agent-1", "gemini-cli-subagent")
    assert (found.parent, found.lineage) == ("gemini-cli:9f0c1d2e", None)
    assert declined(found) is not None
    assert read_document(simple(kind="subagent")).session.parent == "gemini-cli:unknown"


def test_a_log_without_its_first_line_is_still_one() -> None:
    """R89: named by its first bytes."""
    lines = simple().lines()[1:]
    session = read_log(lines)
    assert said(session) == [("go", "gone")]
    head = "\n".join(json.dumps(line) for line in lines).encode()[:4096]
    assert session.session.key == f"gemini-cli:{hashlib.sha256(head).hexdigest()[:16]}"

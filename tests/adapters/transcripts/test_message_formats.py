"""Lists of messages of frameworks become turns: chat messages, OpenAI Agents, LangChain, ATIF and teams of agents."""

import io
import json
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from message_lists import ATIF, BLOCKS, BUILT, CHAT, DUMPED, EVERY, ITEMS, PLAIN, TEAM, tool_call

from ferrule.adapters.transcripts.messages.reading import said_in
from ferrule.adapters.transcripts.messages.turning import drafts_of
from ferrule.adapters.transcripts.reader import read_stream, read_transcript
from ferrule.errors import FerruleError, UnreadableInput
from ferrule.session.imported import ImportedSession
from ferrule.session.turn import Verb

SECRET = "hunter2-" + "correct-horse"


def _read(value: object, scrub: Callable[[str], str] = str) -> tuple[ImportedSession, ...]:
    return read_stream(io.BytesIO(json.dumps(value).encode()), scrub=scrub)


@pytest.mark.parametrize("name", EVERY)
def test_each_shape_is_known_for_what_it_is(name: str) -> None:
    """R89: by shape alone, and no other format has the look of it."""
    (session, *_) = _read(EVERY[name])
    assert session.format == name.split(maxsplit=1)[0]
    assert session.session.key.startswith(f"{session.format}:")
    assert session.turns


def test_a_chat_is_cut_where_a_person_speaks_again() -> None:
    """R15: several messages in a row are one; words without an answer are an open turn; the system says nothing."""
    (session,) = _read(CHAT)
    first, second = session.turns
    assert first.user == "Rename the importer to src/shop/loader.py"
    assert first.outcome == "It is src/shop/loader.py now."
    assert [(call.tool, call.result, call.ok) for call in first.calls] == [("bash", "exit 0", None)]
    assert (second.user, second.outcome) == ("And the docs?\n\nI mean docs/loader.md", "docs/loader.md is next.")
    assert [turn.reason for turn in session.skipped] == ["open"]
    assert "system-only" not in repr(session)


def test_results_in_a_users_message_are_the_tools_words() -> None:
    """R18, DEC-D10: a block that failed failed; it opens no turn."""
    (session,) = _read(BLOCKS)
    (turn,) = session.turns
    assert (turn.user, turn.outcome) == ("Write notes/plan.md", "It could not be written.")
    assert [(action.verb, action.target, action.ok) for action in turn.actions] == [
        (Verb.CREATED, "notes/plan.md", False)
    ]


@pytest.mark.parametrize(
    "value",
    [
        {"messages": CHAT, "session_id": "one"},
        [{"traj": CHAT, "task_id": 0}, {"traj": CHAT, "task_id": 1}],
        [{"messages": CHAT}],
    ],
)
def test_a_chat_is_found_where_such_lists_stand(value: object) -> None:
    """R89: each list is a session with a key of its own."""
    sessions = _read(value)
    assert all(len(session.turns) == 2 for session in sessions)
    assert len({session.session.key for session in sessions}) == len(sessions)


def test_a_chat_may_come_one_message_a_line() -> None:
    """R89."""
    (session,) = read_stream(io.BytesIO("\n".join(map(json.dumps, CHAT)).encode()), scrub=str)
    assert (session.format, len(session.turns)) == ("chat-messages", 2)


def test_items_of_a_run_tell_calls_results_and_exit_codes() -> None:
    """R18, DEC-D10: fake ids are no keys; a file that an operation made is a created file."""
    (session,) = _read(ITEMS)
    (turn,) = session.turns
    assert turn.outcome == "Done in packages/api."
    assert [(call.call_id, call.tool, call.ok) for call in turn.calls] == [
        ("f1", "bash", None),
        ("f2", "shell", False),
        ("f3", "write_file", None),
    ]
    assert (Verb.CREATED, "packages/api/new.ts") in {(action.verb, action.target) for action in turn.actions}


def _database(path: Path, rows: list[tuple[str, str]]) -> None:
    with sqlite3.connect(path) as link:
        link.execute("create table agent_sessions (session_id text primary key, created_at text, updated_at text)")
        link.execute(
            "create table agent_messages (id integer primary key, session_id text, message_data text, created_at text)"
        )
        link.executemany("insert into agent_sessions values (?, '1', '1')", sorted({(name,) for name, _ in rows}))
        link.executemany("insert into agent_messages (session_id, message_data) values (?, ?)", rows)
    link.close()


def test_a_database_of_sessions_is_read_and_left_as_it_is(tmp_path: Path) -> None:
    """R89, INV-I5: every session under its own id, a damaged row told, not a byte changed."""
    path = tmp_path / "runs.db"
    rows = [("alice", json.dumps(item)) for item in ITEMS] + [("bob", json.dumps(item)) for item in ITEMS]
    _database(path, [*rows, ("bob", "{not json")])
    before = path.read_bytes()
    alice, bob = read_transcript(path, scrub=str)
    assert (alice.session.key, bob.session.key) == ("openai-agents:alice", "openai-agents:bob")
    assert [len(alice.turns), len(bob.turns)] == [1, 1]
    assert any("unreadable-entry" in warning for warning in bob.warnings)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["runs.db"]


def test_a_database_of_something_else_is_named_and_not_read(tmp_path: Path) -> None:
    """R89."""
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as link:
        link.execute("create table things (id integer)")
    link.close()
    with pytest.raises(UnreadableInput, match="is a SQLite database, but of no sessions"):
        read_transcript(path, scrub=str)


@pytest.mark.parametrize("messages", [PLAIN, DUMPED, BUILT])
@pytest.mark.parametrize("around", ["bare", "state", "thread"])
def test_langchain_is_read_in_every_shape_it_is_dumped_in(messages: list[dict[str, Any]], around: str) -> None:
    """R15, R18: the same turn from each; a tool's status is its outcome."""
    held: object = {
        "bare": messages,
        "state": {"messages": messages},
        "thread": {"values": {"messages": messages}, "config": {"configurable": {"thread_id": "th-1"}}},
    }[around]
    (session,) = _read(held)
    (turn,) = session.turns
    assert (turn.key, turn.user, turn.outcome) == ("h1", "Look at compose.yaml", "compose.yaml has no service.")
    assert [(call.tool, call.result, call.ok) for call in turn.calls] == [("read_file", "services:", False)]
    assert (session.session.key == "langchain:th-1") == (around == "thread")


def test_a_trajectory_tells_steps_observations_and_subagents() -> None:
    """R11, R15: copied context is no turn of this session; a subagent's trajectory is a session below it."""
    main, sub = _read(ATIF)
    (turn,) = main.turns
    assert turn.user == "Add a health check to deploy/app.yaml"
    assert (turn.outcome, turn.completed_at) == ("deploy/app.yaml has one.", "2026-03-01T10:00:00Z")
    assert [(action.verb, action.target) for action in turn.actions] == [(Verb.EDITED, "deploy/app.yaml")]
    assert (main.session.key, sub.session.parent) == ("atif:s-1", "atif:s-1")
    assert sub.session.profile != main.session.profile


def test_a_teams_answer_is_the_last_that_says_something() -> None:
    """R15: neither the word that ends the talk nor a terminal's output is the answer."""
    (session,) = _read(TEAM)
    (turn,) = session.turns
    assert (turn.user, turn.outcome) == (TEAM["question"], "It is 8443.")


def _planted(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, str):
        return f"{value} {SECRET}"
    if isinstance(value, list):
        return [_planted(item) for item in value]
    if isinstance(value, dict):
        fixed = ("role", "type", "lc", "source", "schema_version")
        if value.get("lc") == 1:
            return {**value, "kwargs": _planted(value["kwargs"])}
        return {key: item if key in fixed else _planted(item) for key, item in value.items()}
    return value


@pytest.mark.parametrize("name", EVERY)
def test_no_text_passes_the_scrubber_by(name: str) -> None:
    """DEC-D13, INV-I6: a secret planted in every text of the file is in none of the session's."""
    sessions = _read(_planted(EVERY[name]), scrub=lambda text: text.replace(SECRET, "[gone]"))
    assert sessions[0].turns
    assert SECRET not in repr(sessions)


def test_lists_that_begin_with_the_same_instructions_are_sessions_of_their_own() -> None:
    """R90: instructions longer than what is looked at of a file name none; growing changes no key."""
    rules = {"role": "system", "content": "Be kind. " * 2000}
    said = [
        [rules, {"role": "user", "content": f"Rename it to {name}"}, {"role": "assistant", "content": "Done."}]
        for name in ("loader", "reader")
    ]
    keys = [_read(one)[0].session.key for one in said]
    assert len(set(keys)) == len(said)
    more = [{"role": "user", "content": "And now?"}, {"role": "assistant", "content": "Nothing."}]
    grown = [_read([*one, *more])[0] for one in said]
    assert [one.session.key for one in grown] == keys
    assert [one.turns[0] for one in grown] == [_read(one)[0].turns[0] for one in said]
    files = [_read([{"task_id": "0", "messages": one}, {"id": "7", "messages": one}]) for one in said]
    assert len({one.session.key for file in files for one in file}) == len(said) * 2


def test_what_has_no_id_or_anothers_is_named_by_what_it_began_with() -> None:
    """R11, R90: trajectories, their subagents and logs of one question by two teams share no key; a log may grow."""
    steps = [{"source": "user", "message": "look"}, {"source": "agent", "message": "seen"}]
    other = [{"source": "user", "message": "listen"}, {"source": "agent", "message": "heard"}]
    made = [
        {"schema_version": "ATIF-v1.6", "steps": one, "subagent_trajectories": [{"steps": one}]}
        for one in (steps, other)
    ]
    twice = {**ATIF, "subagent_trajectories": [{"session_id": "s-1", "steps": steps}]}
    read = [*_read(made[0]), *_read(made[1]), *_read(twice)]
    assert len({one.session.key for one in read}) == len(read)
    assert [read[at].session.parent for at in (1, 3, 5)] == [read[at].session.key for at in (0, 2, 4)]
    lines = [read_stream(io.BytesIO("\n".join(map(json.dumps, made[::turn])).encode()), scrub=str) for turn in (1, -1)]
    assert len({one.session.key for file in lines for one in file}) == sum(map(len, lines))
    rival = {**TEAM, "history": [{"name": "Lone", "role": "assistant", "content": "8443"}]}
    shorter = {**TEAM, "history": TEAM["history"][:3]}
    keys = [_read(one)[0].session.key for one in (TEAM, rival, shorter)]
    assert keys[0] != keys[1]
    assert keys[0] == keys[2]


def test_ids_that_come_again_name_one_turn_and_one_call_each() -> None:
    """R90: message ids are keys once; a result goes to its own call, also when the person spoke meanwhile."""
    again: list[dict[str, Any]] = [
        {"role": "user", "id": "m1", "content": "one"},
        {
            "role": "assistant",
            "tool_calls": [tool_call("a", "bash", command="ls"), tool_call("a-b", "bash", command="pwd")],
        },
        {"role": "user", "id": "m1", "content": "two"},
        {"role": "tool", "tool_call_id": "a", "content": "files"},
        {"role": "tool", "tool_call_id": "a", "content": "files again"},
        {"role": "assistant", "content": "here"},
        {"role": "user", "id": "m1", "content": "three"},
        {"role": "assistant", "content": "there"},
    ]
    (session,) = _read(again)
    keys = [turn.key for turn in session.turns] + [turn.turn for turn in session.skipped]
    assert len(set(keys)) == len(keys)
    assert "m1" in keys
    said = drafts_of(one for message in again for one in said_in(message))
    assert [(call.id, call.result) for call in said[0].calls.values()] == [("a", "files"), ("a-b", None)]


def _wrecked(value: Any, chance: random.Random) -> Any:  # noqa: ANN401 - any JSON value
    if chance.random() < 0.08:
        return chance.choice([None, 7, "x", [], {}, [[]], {"type": 3}, True, "\ud800", -1.5])
    if isinstance(value, list):
        return [_wrecked(item, chance) for item in value]
    if isinstance(value, dict):
        return {key: _wrecked(item, chance) for key, item in value.items()}
    return value


@pytest.mark.parametrize("name", EVERY)
def test_a_wrecked_file_is_read_as_far_as_it_goes_or_refused(name: str) -> None:
    """R89: wrong types anywhere, or a file that breaks off anywhere: one clear error or fewer turns, never a crash."""
    chance = random.Random(20261201)  # noqa: S311 - a seeded game, no secret
    raw = json.dumps(EVERY[name]).encode()
    tries = [json.dumps(_wrecked(EVERY[name], chance)).encode() for _ in range(120)]
    form = name.split(maxsplit=1)[0]
    for one in [*tries, *(raw[:cut] for cut in range(0, len(raw), 97))]:
        for named in (None, form):
            try:
                read_stream(io.BytesIO(one), scrub=str, form=named)
            except FerruleError as error:
                assert error.code  # noqa: PT017 - either outcome is right, this one says why


CORPUS = Path(__file__).resolve().parents[4] / "shared" / "corpus"


@pytest.mark.shared
@pytest.mark.parametrize("kind", ["tau-bench", "who-and-when"])
def test_the_corpus_has_the_turns_that_its_list_tells(kind: str) -> None:
    """R89, R94: as many turns as TURNS.tsv tells, completed and open."""
    wanted = [row.split("\t") for row in (CORPUS / "TURNS.tsv").read_text(encoding="utf-8").splitlines()]
    statuses = sorted(row[3] for row in wanted if row[0].startswith(f"{kind}/"))
    found = [s for path in sorted((CORPUS / kind).iterdir()) for s in read_transcript(path, scrub=str)]
    assert sorted([*("completed" for s in found for _ in s.turns), *(t.reason for s in found for t in s.skipped)]) == (
        statuses
    )


def test_warnings_of_a_file_are_bounded() -> None:
    """R89: each of its sessions bears them."""
    held = [{"messages": CHAT}] * 20
    first, *_ = _read([*held, *range(1000)])
    assert len(first.warnings) < 60
    assert "950 more of these" in first.warnings


def test_a_reminder_beside_a_result_cuts_no_turn() -> None:
    """R15, R94: what a client puts into the user's place is nobody's words; what stood behind it goes on."""
    reminder = {"type": "text", "text": "<system-reminder>Mind /etc/passwd</system-reminder>"}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "done"}
    (session,) = _read([*BLOCKS[:2], {"role": "user", "content": [result, reminder]}, BLOCKS[3]])
    (turn,) = session.turns
    assert (turn.user, turn.outcome) == ("Write notes/plan.md", "It could not be written.")
    assert not session.skipped


def test_agents_that_speak_as_humans_to_each_other_are_nobody() -> None:
    """R15, R94: a supervisor's orders and a worker's report bear names; the person bears none."""
    handed = [
        {"type": "human", "content": "Look at compose.yaml"},
        {"type": "ai", "content": "Researcher, look.", "name": "supervisor"},
        {"type": "human", "content": "compose.yaml has no service.", "name": "researcher"},
    ]
    (session,) = _read(handed)
    assert [(turn.user, turn.outcome) for turn in session.turns] == [
        ("Look at compose.yaml", "compose.yaml has no service.")
    ]
    persons = [{**one, "name": name} for one, name in zip(PLAIN[1:3], ("ann", "bot"), strict=True)]
    (named,) = _read([*persons, PLAIN[3], PLAIN[4], {"type": "human", "content": "And mine?", "name": "ben"}])
    assert [turn.user for turn in named.turns] == ["Look at compose.yaml"]
    assert [turn.reason for turn in named.skipped] == ["open"]


def test_words_that_broke_off_are_no_last_words() -> None:
    """R76: an item says that it is incomplete."""
    broken = {"type": "message", "role": "assistant", "status": "incomplete", "content": "It is d"}
    (session,) = _read([*ITEMS[:-1], broken])
    assert (session.turns, [turn.reason for turn in session.skipped]) == ((), ["open"])

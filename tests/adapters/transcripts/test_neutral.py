"""Neutral turns, one JSON object a line."""

import json
from typing import Any

import pytest
from claude_lines import reasons, said

from ferrule.adapters.transcripts.reader import read_text
from ferrule.errors import Code, UsageError
from ferrule.session.eligibility import declined
from ferrule.session.imported import ImportedSession


def turn(**members: Any) -> dict[str, Any]:  # noqa: ANN401 - the members of a JSON object
    """A neutral turn."""
    return {
        "session_key": "desk 1",
        "profile": "buffaly-agent",
        "turn_key": "k1",
        "user": {"text": "go"},
        "outcome": {"text": "gone"},
        "tool_results": [],
        **members,
    }


def read(*turns: dict[str, Any], scrub: Any = str) -> tuple[ImportedSession, ...]:  # noqa: ANN401 - a scrubber
    """Read turns as one stream."""
    return read_text("\n".join(json.dumps(row) for row in turns), scrub=scrub)


def test_keys_profile_and_parent_are_taken_as_given() -> None:
    """Design section 8: no prefix, no mapping; unknown keys are ignored."""
    (session,) = read(turn(parent_key="desk 0", something_new=1, cwd="/w", git_branch="fix", completed_at="2026-01-01"))
    assert (session.session.key, session.session.profile, session.session.parent) == (
        "desk 1",
        "buffaly-agent",
        "desk 0",
    )
    (one,) = session.turns
    assert (one.key, one.place.cwd, one.branch, one.completed_at) == ("k1", "/w", "fix", "2026-01-01")
    assert declined(session.session) is not None


def test_a_missing_profile_makes_no_source() -> None:
    """R9: what is not said is not assumed."""
    row = turn()
    del row["profile"]
    assert declined(read(row)[0].session) is not None


def test_a_missing_ordinal_is_the_arrival_number() -> None:
    """Design section 8: per session, in order of arrival."""
    first, second = read(
        turn(turn_key="a"), turn(turn_key="b", ordinal=9), turn(session_key="desk 2", turn_key="a"), turn(turn_key="c")
    )
    assert [one.ordinal for one in first.turns] == [1, 9, 3]
    assert [one.ordinal for one in second.turns] == [1]
    assert (first.numbered, second.numbered) == (False, False)
    (numbered,) = read(turn(ordinal=4))
    assert (numbered.turns[0].ordinal, numbered.numbered) == (4, True)


@pytest.mark.parametrize("ordinal", ["4", None, True, 1.5, 10**30, -(10**30)])
def test_an_ordinal_that_is_none_counts_as_missing(ordinal: object) -> None:
    """Design section 8: a wrong type, or a number that no store can hold, is no place in a session."""
    (session,) = read(turn(ordinal=ordinal))
    assert (session.turns[0].ordinal, session.numbered) == (1, False)


def test_arguments_are_json_or_text_and_results_keep_their_outcome() -> None:
    """Design section 8: three-valued `ok`; JSON in a string is read as JSON."""
    rows = [
        {"call_id": "1", "tool": "Bash", "arguments": '{"command": "touch a"}', "result": "", "ok": True},
        {"call_id": "2", "tool": "Bash", "arguments": {"command": "touch b"}, "result": {"code": 0}, "ok": None},
        {"tool": "Bash", "arguments": "`touch c`", "ok": False},
        {"call_id": "4", "tool": "Bash", "arguments": '{"broken'},
        "not an object",
    ]
    ((one,),) = (session.turns for session in read(turn(tool_results=rows, cwd="/w")))
    assert [(row.target, row.ok) for row in one.actions] == [("/w/a", True), ("/w/b", None), ("/w/c", False)]
    assert [call.result for call in one.calls] == ["", '{"code": 0}', None, None]
    assert [call.call_id for call in one.calls] == ["1", "2", "c2", "4"]


def test_steering_and_artifacts_are_read() -> None:
    """Design section 8: both optional."""
    artifacts = [{"name": "report", "path": "/w/report.md", "media_type": "text/markdown", "text": "x"}]
    ((one,),) = (session.turns for session in read(turn(steering=["faster", 1], artifacts=artifacts)))
    assert one.steering == ("faster",)
    assert (one.artifacts[0].name, one.artifacts[0].path, one.artifacts[0].text) == ("report", "/w/report.md", "x")


BAD = [
    {"session_key": "../x"},
    {"session_key": ""},
    {"turn_key": "a:b"},
    {"turn_key": ""},
    {"parent_key": "a/b"},
    {"parent_key": 5},
    {"parent_key": ["desk 0"]},
    {"session_key": None},
    {"turn_key": 7},
]


@pytest.mark.parametrize("members", BAD)
def test_a_bad_key_is_a_usage_error(members: dict[str, Any]) -> None:
    """CASE-E01, design section 8: BAD_KEY, and nothing is read."""
    with pytest.raises(UsageError) as raised:
        read(turn(**members))
    assert raised.value.code is Code.BAD_KEY


def test_turns_that_are_none_are_skipped_with_their_reason() -> None:
    """R76, R92: no words, no outcome, the same turn again."""
    (session,) = read(
        turn(turn_key="a", user={"text": " "}),
        turn(turn_key="b", outcome={"text": ""}),
        turn(turn_key="c"),
        turn(turn_key="c"),
        turn(turn_key="d", outcome={}),
    )
    assert said(session) == [("go", "gone")]
    assert reasons(session) == ["no-user", "no-outcome", "duplicate", "no-outcome"]


def test_an_object_that_is_no_turn_is_a_warning() -> None:
    """R89: it is told by its line, and the turns are read."""
    (session,) = read(turn(), {"note": "no turn"})
    assert said(session) == [("go", "gone")]
    assert session.warnings == ("unreadable-line 2",)


def test_every_string_is_scrubbed() -> None:
    """DEC-D13: before a turn exists."""
    rows = [{"call_id": "1", "tool": "Bash", "arguments": '{"command": "x hunter2"}', "result": "hunter2", "ok": True}]
    ((one,),) = (
        session.turns
        for session in read(
            turn(
                user={"text": "hunter2"},
                outcome={"text": "hunter2"},
                steering=["hunter2"],
                tool_results=rows,
                artifacts=[{"name": "hunter2", "path": "/hunter2", "text": "hunter2"}],
                git_branch="hunter2",
            ),
            scrub=lambda text: text.replace("hunter2", "[secret:password:0a1b2c3d]"),
        )
    )
    assert "hunter2" not in repr(one)


@pytest.mark.parametrize("name", ["profile", "client", "cwd", "git_branch", "call_id", "tool", "media_type", "path"])
def test_a_secret_in_a_name_is_gone_too(name: str) -> None:
    """DEC-D13, INV-I6: names, folders and ids pass the scrubber as words do; keys are the host's own."""
    secret = "ghp_" + "a1B2c3D4" * 5
    turn: dict[str, object] = {"session_key": "desk:one", "turn_key": "t1", "user": "hi", "outcome": "hello"}
    planted = {name: f"/w/{secret}"}
    inside = {"tool_results": [{"tool": "bash", **planted}], "artifacts": [{"name": "a", **planted}]}
    (session,) = read_text(json.dumps({**turn, **inside, **planted}), scrub=lambda text: text.replace(secret, "[gone]"))
    assert "[gone]" in repr(session)
    assert secret not in repr(session)

"""The one door for transcripts: detection and bad input."""

import io
import json
from pathlib import Path

import pytest
from claude_lines import Talk, said
from hypothesis import given
from hypothesis import strategies as st

from ferrule.adapters.transcripts.lines import JsonLines
from ferrule.adapters.transcripts.reader import detect_format, read_stream, read_text, read_transcript
from ferrule.errors import UnreadableInput, UsageError

QWEN = {"type": "user", "uuid": "u", "parentUuid": None, "sessionId": "s", "message": {"role": "user", "parts": []}}

SHAPES = [
    ({"session_key": "a", "turn_key": "b", "user": {}}, "neutral"),
    ({"type": "session_meta", "payload": {}}, "codex"),
    ({"id": "a", "timestamp": "b", "instructions": None}, "codex"),
    ({"type": "user", "sessionId": "s", "message": {"content": "x"}}, "claude-code"),
    ({"type": "file-history-snapshot", "messageId": "m"}, "claude-code"),
    ({"type": "summary", "summary": "x", "leafUuid": "u"}, "claude-code"),
    (QWEN, None),
    ({"anything": "else"}, None),
]

BAD = [
    (b"", "is empty"),
    (b"\n  \n", "is empty"),
    (b"\xef\xbb\xbf", "is empty"),
    (b"\x7fELF\x00\x01\x02", "is a binary file"),
    (b"dear diary,\nnothing today\n", "is text, not JSON lines"),
    (b'{\n  "a": 1\n}\n', "is JSON, but no transcript"),
    (b'{\n  "a": 1,\n  "b": \n', "is one JSON document over several lines"),
    (b'{"type": "user", "uu', "is JSON that breaks off"),
    (b'{"a": 1}\n', "is JSON, but no transcript"),
    (b'{"type": "thread.started", "thread_id": "x"}\n', "`codex exec --json`"),
    (b'{"type": "system", "subtype": "init", "session_id": "x"}\n', "stream-json"),
    (b'{"type": "text", "sessionID": "ses_1", "part": {}}\n', "`opencode run`"),
    (b'{"id": "prt_1", "sessionID": "ses_1", "messageID": "msg_1"}\n', "one piece of an OpenCode session"),
    (b'{"info": {"id": "ses_1", "projectID": "p"}, "messages": [', "an OpenCode export whose JSON breaks off"),
    (b'[{"sessionId": "s", "messageId": 0, "type": "user", "message": "hi"}]', "Gemini CLI's list of prompts"),
    (b'{\n "sessionId": "x",\n "projectHash": "y",\n', "a Gemini CLI session whose JSON breaks off"),
    (b'{"type": "session", "version": 3, "cwd": "/w"}\n', "pi session"),
    (json.dumps(QWEN).encode(), "Qwen Code"),
    (b'{"trajectory": []}\n', "is JSON, but no transcript"),
]


@pytest.mark.parametrize(("value", "expected"), SHAPES)
def test_a_format_is_known_by_the_shape_of_its_first_lines(value: dict[str, object], expected: str | None) -> None:
    """R89: by content, never by the file's name."""
    assert detect_format([{"unknown": 1}, value]) == expected


@pytest.mark.parametrize(("content", "what"), BAD, ids=[what for _, what in BAD])
def test_what_cannot_be_read_is_named_in_one_line(tmp_path: Path, content: bytes, what: str) -> None:
    """R89: exit code 3 with what it is and what was expected."""
    path = tmp_path / "file.jsonl"
    path.write_bytes(content)
    with pytest.raises(UnreadableInput) as raised:
        read_transcript(path, scrub=str)
    message = str(raised.value)
    assert what in message
    assert "expected a Claude Code or Codex session" in message
    assert "\n" not in message
    assert raised.value.exit_code == 3


def test_a_turn_that_is_printed_over_several_lines_is_read() -> None:
    """R89, R92: as an editor or `jq` prints it, alone or with others behind it."""
    turns = [
        {"session_key": "s", "turn_key": f"t{number}", "user": {"text": "Why?"}, "outcome": {"text": "So."}}
        for number in (1, 2)
    ]
    one, two = (json.dumps(turn, indent=2) for turn in turns)
    for text, count in ((one, 1), ("\ufeff" + one.replace("\n", "\r\n") + "\r\n", 1), (f"{one}\n{two}\n", 2)):
        (session,) = read_text(text, scrub=str)
        assert [turn.key for turn in session.turns] == ["t1", "t2"][:count]
        assert session.warnings == ()


def test_a_stray_brace_costs_one_line_and_no_more() -> None:
    """R89: what is no object over several lines is read line by line."""
    turn = json.dumps({"session_key": "s", "turn_key": "t1", "user": "Why?", "outcome": "So."})
    for limit in (1_000_000, len(turn) + 10):
        lines = JsonLines(io.BytesIO(f"{{\n{turn}\n{turn}\n{turn}".encode()), max_line=limit)
        assert [record.line for record in lines] == [2, 3, 4]
        assert lines.unreadable == [1]


def test_a_missing_path_and_a_folder_are_usage_errors(tmp_path: Path) -> None:
    """R89: exit code 2."""
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(UsageError) as raised:
            read_transcript(path, scrub=str)
        assert raised.value.exit_code == 2


def test_a_stream_is_read_like_a_file(tmp_path: Path) -> None:
    """R92: the same session by whatever road it comes."""
    session = Talk()
    session.user("go")
    session.text("gone")
    text = "".join(json.dumps(line) + "\n" for line in session.lines)
    path = tmp_path / "x.jsonl"
    path.write_text(text, encoding="utf-8")
    (of_file,) = read_transcript(path, scrub=str)
    (of_stream,) = read_stream(io.BytesIO(text.encode()), scrub=str)
    (of_text,) = read_text("\ufeff" + text, scrub=str)
    assert of_file.turns == of_stream.turns == of_text.turns
    assert (of_file.file, of_stream.file) == (str(path), "-")


def test_a_file_without_a_session_id_is_named_by_its_beginning() -> None:
    """Design section 2: the same bytes give the same key, other bytes another."""
    session = Talk(session="")
    session.user("go")
    session.text("gone")
    first, again = session.read(), session.read()
    session.lines[0]["message"]["content"] = "come"
    assert first.session.key == again.session.key
    assert first.session.key != session.read().session.key
    assert len(first.session.key) == len("claude-code:") + 16


def test_a_line_that_is_too_long_is_a_warning_and_the_next_is_read() -> None:
    """Design section 9: bounded memory, whatever stands on a line."""
    lines = JsonLines(io.BytesIO(b'{"a": "' + b"x" * 5000 + b'"}\n{"b": 1}\n' + b"y" * 3000), max_line=1000)
    assert [record.value for record in lines] == [{"b": 1}]
    assert lines.unreadable == [1, 3]


def test_deep_nesting_is_a_warning() -> None:
    """R57: no recursion error escapes."""
    lines = JsonLines(io.BytesIO(b"[" * 200_000 + b"\n" + b'{"b": 1}\n'))
    assert [record.line for record in lines] == [2]
    assert lines.unreadable == [1]


def test_many_warnings_are_counted_not_listed() -> None:
    """R89: a garbled file does not flood the report."""
    lines = JsonLines(io.BytesIO(b"{broken\n" * 200))
    assert list(lines) == []
    assert len(lines.warnings()) == 51
    assert lines.warnings()[-1] == "unreadable-line: 150 more"


def test_half_a_surrogate_pair_is_replaced() -> None:
    """CASE-C06: no store and no digest could take it; reading goes on."""
    session = Talk()
    session.user("smile \ud83d and \U0001f600")
    session.text("ok")
    assert said(session.read()) == [("smile \ufffd and \U0001f600", "ok")]


def test_a_session_id_that_is_a_path_is_replaced_by_its_digest() -> None:
    """CASE-E01: a foreign id never becomes a path, and reading goes on."""
    session = Talk(session="../../etc")
    session.user("go")
    session.text("gone")
    key = session.read().session.key
    assert key.startswith("claude-code:")
    assert "." not in key


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
SAMPLES = Path(__file__).parents[3] / "src" / "ferrule" / "samples"
STORIES = [
    [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for path in sorted(SAMPLES.glob("*.jsonl"))
    if path.stat().st_size < 20_000
]


def places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every place in a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inner for place in places(item, (*path, key)))]


@given(st.data())
def test_no_value_anywhere_makes_a_reader_raise(data: st.DataObject) -> None:
    """R57: other versions put other things in every place; a reader answers or refuses, it never breaks."""
    story = json.loads(json.dumps(data.draw(st.sampled_from(STORIES))))
    for _ in range(data.draw(st.integers(1, 4))):
        line = data.draw(st.integers(0, len(story) - 1))
        place = data.draw(st.sampled_from(places(story[line])))
        holder = story if not place else story[line]
        for key in place[:-1]:
            holder = holder[key]
        holder[place[-1] if place else line] = data.draw(JSON)
    text = "\n".join(json.dumps(line) for line in data.draw(st.permutations(story)))
    try:
        (session,) = read_text(text, scrub=str)
    except UnreadableInput:
        return
    assert all(turn.outcome.strip() and turn.user.strip() for turn in session.turns)


def test_a_truncated_session_keeps_its_whole_turns() -> None:
    """R57: a transcript that is written while it is read ends in half a line."""
    session = Talk()
    session.user("go")
    session.text("gone")
    session.user("more")
    text = "".join(json.dumps(line) + "\n" for line in session.lines)
    (read,) = read_text(text[:-30], scrub=str)
    assert said(read) == [("go", "gone")]

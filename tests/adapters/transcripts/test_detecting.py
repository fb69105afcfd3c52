"""What a file is, is found by its shape; a doubt is said, never settled by a guess."""

import io
import json
from pathlib import Path

import pytest

from ferrule.adapters.transcripts import reader
from ferrule.adapters.transcripts.formats import Format, Given, Sample, formats
from ferrule.adapters.transcripts.reader import read_stream, read_text, read_transcript
from ferrule.adapters.transcripts.sampling import sampled
from ferrule.errors import UnreadableInput, UsageError
from ferrule.session.imported import ImportedSession

EVENT = {"id": 1, "source": "agent", "timestamp": "2026"}
# Files of other programs, each near a format that is read.
OTHERS: dict[str, object] = {
    "package.json": {"name": "x", "version": "1.0.0", "scripts": {"a": "b"}, "dependencies": {}},
    "package-lock.json": {"name": "x", "lockfileVersion": 3, "packages": {"": {"name": "x"}}},
    "notebook.ipynb": {"cells": [{"cell_type": "code", "source": ["a"], "outputs": []}], "metadata": {}, "nbformat": 4},
    "openapi.json": {"openapi": "3.0.0", "info": {"title": "x"}, "paths": {"/messages": {"get": {}}}},
    "x.har": {"log": {"version": "1.2", "entries": [{"request": {}, "response": {"content": {"text": "x"}}}]}},
    "issues.json": [{"id": 1, "title": "t", "body": "b", "user": {"login": "l", "type": "User"}, "labels": []}],
    "webhooks.jsonl": [{"type": f"{one}.created", "object": "event", "data": {"id": 1}} for one in ("user", "session")],
    "analytics.jsonl": [{"type": "session.start", "data": {"page": "/"}}, {"type": "user.login", "data": {}}],
    "updates.jsonl": [{"_id": 1, "$set": {"lastUpdated": "x", "summary": "y"}}, {"$set": {"messages": []}}],
    "game.json": {"trajectory": [{"action": "left", "observation": [1, 2], "reward": 0.5}]},
    "tale.json": {"history": [{"role": "wizard", "content": "c", "agent": "x"}]},
    "people.json": [{"type": "human", "data": {"name": "Bob"}}, {"type": "ai", "data": {}}],
    "calls.json": [{"type": "phone_call", "name": "x"}, {"type": "web_call"}],
    "faq.json": {"question": "Which port?", "history": [{"name": "a", "content": "8443"}]},
    "audit.json": [{**EVENT, "action": "restart", "args": {}, "content": "x"}],
    "audit.jsonl": [{**EVENT, "action": "login", "args": {}}, {**EVENT, "action": "logout", "args": {}}],
    "lint.json": [{"filePath": "/x", "messages": [{"ruleId": "a", "severity": 1, "message": "m"}]}],
    "numbers.json": [1, 2, 3],
    "nothing.json": [],
}
QUOTED = '{"role": "user", "content": "x"}\n{"role": "assistant", "content": "y"}'
TEXTS = {
    "table.csv": "a,b,c\n1,2,3\n",
    "README.md": f"# Hello\n\n**User**\n\nHi\n\n```json\n{QUOTED}\n```\n",
    "tsconfig.json": '{\n  // why\n  "compilerOptions": {"a": 1}\n}\n',
}
NEUTRAL = {"session_key": "desk:one", "turn_key": "t1", "profile": "buffaly-agent", "user": "hi", "outcome": "hello"}


def _sample(raw: bytes) -> Sample:
    return sampled(io.BytesIO(raw)).sample


@pytest.mark.parametrize(
    ("raw", "values", "kind"),
    [
        (b'{"a": 1}\n{"b": 2}\n', 2, "nothing"),
        (b'{"a": 1}', 1, "document"),
        (b'{\n "a": 1\n}\n', 1, "document"),
        (b'[{"a": 1}, 2]', 0, "document"),
        (b"\xef\xbb\xbf[1]", 0, "document"),
        (b'[{"a": 1}, ', 0, "text"),
        (b'# A chat\n\n{"a": 1}\n', 1, "text"),
        (b"a greeting\r\nand more", 0, "text"),
        (b"", 0, "nothing"),
        (b"\x00\x01", 0, "nothing"),
    ],
)
def test_a_file_is_lines_a_document_a_text_or_nothing(raw: bytes, values: int, kind: str) -> None:
    """R89: the kind of a file is told from its bytes alone."""
    sample = _sample(raw)
    told = "document" if sample.document is not None else "text" if sample.text else "nothing"
    assert (len(sample.values), told) == (values, kind)


def test_a_database_is_told_by_its_first_bytes() -> None:
    """R89."""
    assert _sample(b"SQLite format 3\x00" + bytes(100)).database


def test_all_lines_arrive_whatever_was_looked_at_before() -> None:
    """R89: looking at a beginning of 64 KiB costs no line and no byte of the file."""
    lines = [json.dumps({"n": number, "fill": "x" * 3000}) for number in range(100)]
    found = sampled(io.BytesIO("\n".join(lines).encode()))
    assert [record.value["n"] for record in found.records] == list(range(100))


def _format(name: str) -> Format:
    def read(given: Given) -> tuple[ImportedSession, ...]:
        del given
        return ()

    return Format(name, f"a file of {name}", lambda sample: bool(sample.document), read)


def test_a_file_with_the_look_of_two_formats_asks_which(monkeypatch: pytest.MonkeyPatch) -> None:
    """R89: never guessed silently: the sentence names both and the option that settles it."""
    both = (_format("this"), _format("that"))
    monkeypatch.setattr(reader, "formats", lambda *, native=False: () if native else both)
    with pytest.raises(UnreadableInput) as raised:
        read_text("[1]", scrub=str, name="x.json")
    assert "look of a file of this and of a file of that; say which with --format this or that" in str(raised.value)


def test_a_format_that_a_person_names_is_not_looked_for() -> None:
    """R89: what a person says counts; a file that is not it says so."""
    raw = json.dumps(NEUTRAL).encode()
    (session,) = read_stream(io.BytesIO(raw), scrub=str, form="neutral")
    assert session.turns[0].user == "hi"
    with pytest.raises(UnreadableInput):
        read_stream(io.BytesIO(b'{"what": "else"}'), scrub=str, form="neutral")


def test_an_unknown_format_lists_those_there_are(tmp_path: Path) -> None:
    """R89."""
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(NEUTRAL), encoding="utf-8")
    with pytest.raises(UsageError, match="there is no format 'nope'; there are neutral, claude-code, codex"):
        read_transcript(path, scrub=str, form="nope")


def test_every_listed_format_has_a_name_of_its_own_and_a_title() -> None:
    """R89: a format is listed once, under the name that `--format` takes."""
    names = [known.name for known in formats()]
    assert len(set(names)) == len(names)
    assert all(known.title.startswith(("a ", "an ", "neutral")) for known in formats())


def _raw(name: str) -> bytes:
    if name in TEXTS:
        return TEXTS[name].encode()
    value = OTHERS[name]
    listed = name.endswith("l") and isinstance(value, list)
    return ("\n".join(map(json.dumps, value)) if listed and isinstance(value, list) else json.dumps(value)).encode()


@pytest.mark.parametrize("name", [*OTHERS, *TEXTS])
def test_a_file_of_another_program_is_no_transcript(name: str) -> None:
    """R89: not one format takes it for its own, and what it is said to be is true."""
    with pytest.raises(UnreadableInput) as raised:
        read_stream(io.BytesIO(_raw(name)), scrub=str, name=name)
    kind = (
        "text, not JSON"
        if name in {"table.csv", "README.md"}
        else "one JSON document"
        if name in TEXTS
        else "JSON, but"
    )
    assert str(raised.value).startswith(f"{name} is {kind}")


@pytest.mark.parametrize("form", [known.name for known in formats()])
def test_a_wrong_file_is_not_read_as_the_format_that_a_person_names(form: str) -> None:
    """R89: one clear line, and no session without a turn."""
    for name in [*OTHERS, *TEXTS]:
        try:
            sessions = read_stream(io.BytesIO(_raw(name)), scrub=str, name=name, form=form)
        except UnreadableInput as error:
            assert f"{name} has " in str(error)  # noqa: PT017 - some may be read all the same, see below
            assert "\n" not in str(error)  # noqa: PT017 - as above
        else:
            assert any(session.turns or session.skipped for session in sessions), name


def test_a_session_of_qwen_code_is_named_and_not_taken_for_claude_codes() -> None:
    """R89: its lines differ in what a message holds, and in nothing else."""
    place = {"sessionId": "5e55", "uuid": "u1", "parentUuid": None, "cwd": "/w", "version": "0.1"}
    said = [
        {**place, "type": kind, "message": {"role": kind, "parts": [{"text": "hi"}]}} for kind in ("user", "assistant")
    ]
    lines = [*said, {**place, "type": "system", "subtype": "ui_telemetry", "systemPayload": {}}]
    with pytest.raises(UnreadableInput, match="is a Qwen Code session, a format that is not read yet"):
        read_text("\n".join(map(json.dumps, lines)), scrub=str)

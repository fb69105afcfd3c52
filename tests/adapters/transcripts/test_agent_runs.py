"""Other agents' files may hold anything: broken, of wrong types, with secrets in every place. None gets through."""

import copy
import io
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from agent_runs import documents, format_of, texts

from ferrule.adapters.transcripts.reader import read_stream, read_text
from ferrule.errors import FerruleError, UnreadableInput
from ferrule.session.eligibility import declined
from ferrule.session.imported import ImportedSession

SECRET = "ghp_" + "a1B2" * 9
ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 1.5, 10**300, float("inf"), float("nan"), "", "x", "\x00\ud800", "{", "[[[", "```"),
    *([], {}, [[]], [None, {}], {"a": {}}, {"content": 1}, {"text": []}, ["x"], "a\n" * 50, "<tool-use "),
)


def scrubbed(text: str) -> str:
    """A scrubber that knows one secret."""
    return text.replace(SECRET, "«secret»")


def read(text: str, scrub: Callable[[str], str] = str, form: str | None = None) -> tuple[ImportedSession, ...]:
    """The sessions of a text; none where it is unreadable."""
    try:
        return read_text(text, scrub=scrub) if form is None else read_as(text, form, scrub)
    except UnreadableInput:
        return ()


def read_as(text: str, form: str, scrub: Callable[[str], str]) -> tuple[ImportedSession, ...]:
    """The sessions of a text in a format that a person names."""
    return read_stream(io.BytesIO(text.encode("utf-8", "surrogatepass")), scrub=scrub, form=form)


def refused(text: str, form: str) -> list[FerruleError]:
    """How a file is refused in a format that a person names; empty when it is read."""
    try:
        read_as(text, form, str)
    except FerruleError as error:
        return [error]
    return []


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401 - any JSON value
    """The paths of all values inside one, its own included."""
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        yield from places(item, (*path, key))


def put(value: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:  # noqa: ANN401 - any JSON value
    """A copy of a value with the one at a path changed."""
    if not path:
        return change(value)
    made = copy.deepcopy(value)
    inside = made
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = change(inside[path[-1]])
    return made


def instead(odd: Any) -> Callable[[Any], Any]:  # noqa: ANN401 - any JSON value
    """Put another value in the place of one."""
    return lambda _: odd


def without(key: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Leave a member out."""
    return lambda inside: {name: item for name, item in inside.items() if name != key}


def with_secret(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """A text with a secret in it; JSON in a text stays JSON."""
    if not isinstance(value, str):
        return value
    if value[:1] == "{":
        return json.dumps({key: with_secret(item) for key, item in json.loads(value).items()})
    return f"{value} {SECRET} {value}"


@pytest.mark.parametrize("name", texts())
def test_every_dialect_has_one_completed_turn(name: str) -> None:
    """R15, R89: one session of the format that its shape says, a source, nothing skipped, no warning."""
    (session,) = read(texts()[name])
    assert session.format == format_of(name)
    assert [turn.user for turn in session.turns]
    assert not session.skipped
    assert not session.warnings
    assert all(turn.outcome.strip() for turn in session.turns)
    assert session.session.client == format_of(name)
    assert declined(session.session) is None


@pytest.mark.parametrize("name", texts())
def test_a_file_that_breaks_off_anywhere_is_read_or_refused(name: str) -> None:
    """R89: at every 97th byte and near the end; never an exception."""
    raw = texts()[name].encode()
    for cut in (*range(0, len(raw), 97), *range(max(0, len(raw) - 40), len(raw), 3)):
        read(raw[:cut].decode("utf-8", "replace"))


@pytest.mark.parametrize("name", documents())
def test_wrong_types_anywhere_are_passed_over(name: str) -> None:
    """R89, D10: forty odd values in places that a seeded generator picks, by shape and by name."""
    sample, dice = documents()[name], random.Random(name)  # noqa: S311 - no secret, the same every time
    paths = [path for path in places(sample) if path]
    for _ in range(40):
        odd = dice.choice(ODD)
        text = json.dumps(put(sample, dice.choice(paths), instead(odd)))
        read(text)
        read(text, form=format_of(name))


@pytest.mark.parametrize("name", documents())
def test_missing_members_are_passed_over(name: str) -> None:
    """R89: every member that a sample has is left out once."""
    sample = documents()[name]
    for path in places(sample):
        if path and isinstance(path[-1], str):
            made = put(sample, path[:-1], without(path[-1]))
            read(json.dumps(made))


@pytest.mark.parametrize("name", documents())
def test_no_secret_gets_through_from_any_place_of_a_document(name: str) -> None:
    """D13, R28: each text of the sample, and each key, in turn; then all at once."""
    sample = documents()[name]
    found = [read(json.dumps(put(sample, path, with_secret)), scrubbed, format_of(name)) for path in places(sample)]
    assert SECRET not in repr(found)
    assert sum(bool(sessions) for sessions in found) > len(found) / 2
    assert "«secret»" in repr(found)
    keyed = json.loads(json.dumps(sample), object_hook=lambda inside: {**inside, SECRET: SECRET})
    for session in read(json.dumps(keyed), scrubbed, format_of(name)):
        assert SECRET not in repr(session)


@pytest.mark.parametrize("name", sorted(set(texts()) - set(documents())))
def test_no_secret_gets_through_from_any_line_of_a_text(name: str) -> None:
    """D13, R28: at the beginning, in the middle and at the end of each line."""
    rows = texts()[name].split("\n")
    for at, row in enumerate(rows):
        for made in (f"{SECRET}{row}", f"{row[: len(row) // 2]} {SECRET} {row[len(row) // 2 :]}", f"{row}{SECRET}"):
            for session in read("\n".join([*rows[:at], made, *rows[at + 1 :]]), scrubbed):
                assert SECRET not in repr(session)


@pytest.mark.parametrize("name", texts())
def test_a_named_format_is_refused_or_read_for_any_other_file(name: str) -> None:
    """R89: a person who names a wrong format gets one line, never a traceback."""
    for form in ("swe-agent", "mini-swe-agent", "openhands", "aider", "specstory"):
        told = [str(line) for line in refused(texts()[name], form)]
        assert not any("\n" in line for line in told)


@pytest.mark.parametrize("name", texts())
def test_a_conversation_that_goes_on_keeps_its_name(name: str) -> None:
    """R75, R90: the same key when a file is read again, also after it grew at its end."""
    text = texts()[name]
    (first,), (again,) = read(text), read(text)
    assert first.session.key == again.session.key
    assert [turn.key for turn in first.turns] == [turn.key for turn in again.turns]
    if name in {"aider", "specstory", "specstory new", "openhands lines"}:
        more = {"openhands lines": '\n{"kind": "PauseEvent", "source": "user", "id": "z"}'}.get(name, "\n\n> more  \n")
        assert read(text + more)[0].session.key == first.session.key


@pytest.mark.parametrize("name", texts())
def test_long_and_deep_values_cost_no_more_than_their_length(name: str) -> None:
    """R89: a text of a million characters in one place, and lists in lists; read, not refused by an exception."""
    text = texts()[name]
    read(text.replace("cart", "c" * 1_000_000, 1))
    if name in documents():
        nested: Any = "x"
        for _ in range(60):
            nested = [nested]
        sample = documents()[name]
        for path in [path for path in places(sample) if path][::9]:
            read(json.dumps(put(sample, path, instead(nested))))


NONE = [
    "[]",
    "dear diary",
    "# A page\n\n_**User**_\n\nx\n",
    "text\n<!-- Generated by SpecStory -->\n" * 3,
    "text\n# aider chat started at 2026-03-01 10:00:00\n",
    '{"trajectory": []}',
    '{"history": [], "info": {}}',
    '{"messages": [], "info": {}}',
    '[{"id": 1, "source": "agent"}]',
    '{"id": 1, "source": "user", "action": "message", "args": {}}',
]


@pytest.mark.parametrize("text", NONE)
def test_what_says_too_little_is_of_no_format(text: str) -> None:
    """R89: a heading in the middle of a text, an empty list, a single event."""
    with pytest.raises(UnreadableInput, match="expected a Claude Code or Codex session"):
        read_text(text, scrub=str)


@pytest.mark.parametrize("name", texts())
def test_a_file_that_is_quoted_does_not_lend_its_look(name: str) -> None:
    """R89: chats quote files of all kinds."""
    quoted = {
        "aider": f"# aider chat started at 2026-03-01 10:00:00\n\n#### {{}}\n\n{texts()[name]}\n",
        "specstory": f"<!-- Generated by SpecStory -->\n\n# T\n\n_**User**_\n\ngo\n\n{texts()[name]}\n",
    }
    for form, text in quoted.items():
        assert {session.format for session in read_text(text, scrub=str)} == {form}

"""A file of one format has the look of no other, and no byte and no value anywhere makes a reader raise or leak.

`SAMPLES` is the table that every new format extends: a name of a format and a small file of it.
"""

import io
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from agent_runs import format_of, texts
from gemini_log import GeminiTalk, called
from opencode_talk import OpenTalk, database, tool

from ferrule.adapters.transcripts.formats import formats
from ferrule.adapters.transcripts.reader import read_stream, read_transcript
from ferrule.adapters.transcripts.sampling import sampled
from ferrule.errors import FerruleError
from ferrule.session.imported import ImportedSession

SHIPPED = Path(__file__).parents[3] / "src" / "ferrule" / "samples"
SHARED = Path(__file__).parents[4] / "shared"


def _lines(values: list[Any]) -> bytes:
    return "\n".join(json.dumps(value) for value in values).encode()


def _opencode() -> OpenTalk:
    talk = OpenTalk(revert={"messageID": "msg_099", "diff": "d"})
    talk.user("go", summary={"diffs": [{"file": "b.py", "status": "added"}]})
    talk.answer(
        "I look.",
        tool("bash", {"command": "touch a", "workdir": "/w"}, "x", exit=0, description="d"),
        tool("question", {"questions": [{"question": "q"}]}, answers=[["Kestrel"]]),
        {"type": "patch", "hash": "h", "files": ["/w/b.py"]},
        finish="tool-calls",
    )
    talk.answer("gone")
    talk.user("more", {"type": "file", "filename": "f", "url": "file:///w/f"})
    talk.answer(tool("edit", {"filePath": "/w/a"}, "no", status="error"), finish="tool-calls")
    talk.answer("done")
    return talk


def _gemini() -> GeminiTalk:
    talk = GeminiTalk(summary="Tides", directories=["/w"])
    talk.user("go @a.md")
    shell = called("run_shell_command", {"command": "touch a", "dir_path": "src"}, description="touch a [in src]")
    write = called("write_file", {"file_path": "a.py", "content": "x"}, resultDisplay={"filePath": "/w/a.py"})
    talk.answer("Now.", shell, write)
    talk.say("info", "a note")
    talk.answer("gone")
    talk.user("more", displayContent=[{"text": "/more"}])
    talk.answer("done")
    return talk


def _gemini_log() -> list[dict[str, Any]]:
    talk = _gemini()
    first = {**talk.messages[0]}
    return [*talk.lines(), {"$set": {"messages": talk.messages, "lastUpdated": "x"}}, first, {"$rewindTo": "m5"}]


def _copilot() -> list[dict[str, Any]]:
    context = {"cwd": "/w", "gitRoot": "/w", "branch": "main", "repository": "larkspur/tides", "hostType": "github"}
    asked = {"toolCallId": "c1", "name": "bash", "arguments": {"command": "touch a"}}
    edited = {"restrictedProperties": {"filePaths": '["/w/a.py"]'}}
    told = {"success": True, "result": {"content": "x"}, "toolTelemetry": edited}
    events: list[tuple[str, dict[str, Any]]] = [
        ("session.start", {"sessionId": "5e55", "context": context}),
        ("user.message", {"content": "go", "interactionId": "i1"}),
        ("assistant.message", {"content": "Now.", "toolRequests": [asked]}),
        ("tool.execution_start", {"toolCallId": "c1", "toolName": "bash", "arguments": {"command": "touch a"}}),
        ("tool.execution_complete", {"toolCallId": "c1", **told}),
        ("user.message", {"content": "call it Kestrel", "interactionId": "i1"}),
        ("session.context_changed", {**context, "branch": "neap"}),
        ("assistant.message", {"content": "gone", "toolRequests": []}),
        ("session.title_changed", {"title": "Tides"}),
        ("session.shutdown", {"codeChanges": {"filesModified": ["/w/b.py"]}}),
    ]
    return [
        {"type": kind, "data": data, "id": f"e{at}", "timestamp": f"2026-01-01T00:00:{at:02}Z", "parentId": None}
        for at, (kind, data) in enumerate(events)
    ]


@dataclass(frozen=True)
class Story:
    """A small file of a format as JSON: one document, or one object a line. Every place in it is tried."""

    name: str
    value: Callable[[], Any]
    on_lines: bool = False

    def raw(self, value: Any = None) -> bytes:  # noqa: ANN401 - any JSON value
        """The file, perhaps with other values in it."""
        found = self.value() if value is None else value
        return _lines(found) if self.on_lines else json.dumps(found).encode()


STORIES = [
    Story("opencode", lambda: _opencode().export()),
    Story("opencode", lambda: _opencode().messages),
    Story("gemini-cli", lambda: _gemini().document()),
    Story("gemini-cli", _gemini_log, on_lines=True),
    Story("copilot-cli", _copilot, on_lines=True),
]
NAMED = [f"{at}-{story.name}" for at, story in enumerate(STORIES)]


SAMPLES: list[tuple[str, bytes]] = [
    *((story.name, story.raw()) for story in STORIES),
    ("opencode", json.dumps(OpenTalk().info).encode()),
    *((format_of(name), text.encode()) for name, text in texts().items()),
    *(("claude-code", path.read_bytes()) for path in sorted(SHIPPED.glob("claude-code-*.jsonl"))),
    *(("codex", path.read_bytes()) for path in sorted(SHIPPED.glob("codex-*.jsonl"))),
    (
        "neutral",
        b'{"session_key": "s", "turn_key": "t", "profile": "buffaly-agent", "user": "why?", "outcome": "so."}\n',
    ),
]


def looks(raw: bytes) -> list[str]:
    """The formats whose look a file has."""
    sample = sampled(io.BytesIO(raw)).sample
    return [one.name for one in formats() if one.looks(sample)]


@pytest.mark.parametrize(("name", "raw"), SAMPLES, ids=[f"{at}-{name}" for at, (name, _) in enumerate(SAMPLES)])
def test_a_file_has_the_look_of_one_format(name: str, raw: bytes) -> None:
    """R89: looks exclude each other, whichever order the formats are asked in."""
    assert looks(raw) == [name]


def test_a_database_has_the_look_of_one_format(tmp_path: Path) -> None:
    """R89: by its tables."""
    path = database(tmp_path / "x.db", _opencode())
    assert looks(path.read_bytes()) == ["opencode"]


# Folders of the shared corpus whose name is that of a format.
FOLDERS = ("claude-code", "codex", "opencode", "gemini-cli", "copilot-cli")


@pytest.mark.shared
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_real_file_has_the_look_of_one_format(folder: str) -> None:
    """R89: the samples of other people too."""
    found = {path.name: looks(path.read_bytes()) for path in (SHARED / "corpus" / folder).glob("*.json*")}
    assert found
    assert found == {file: [folder] for file in found}


def _read(raw: bytes, scrub: Callable[[str], str] = str) -> tuple[ImportedSession, ...]:
    """The sessions of a file; none where it is refused in one sentence."""
    try:
        return read_stream(io.BytesIO(raw), scrub=scrub)
    except FerruleError:
        return ()


@pytest.mark.parametrize("story", STORIES, ids=NAMED)
def test_a_file_that_breaks_off_anywhere_is_read_or_refused(story: Story) -> None:
    """R57: a transcript is read while it is written, and copies break off."""
    raw = story.raw()
    (whole,) = _read(raw)
    assert whole.format == story.name
    for end in range(0, len(raw), 97):
        for session in _read(raw[:end]):
            assert all(turn.user.strip() and turn.outcome.strip() for turn in session.turns)


# Values that no place of any format means.
STRANGE: list[Any] = [
    *(None, True, False, 0, -1, 1.5, 10**30, -(10**30), "", " ", "x", "\x00", "\ud83d", "\u202e", "../..", "/"),
    *([], {}, [[]], [None], [1], ["x"], [{}], {"x": 1}, {"type": 1}, {"text": []}, [{"type": "text", "text": 1}]),
    *("y" * 5000, "2026-13-99T99:99:99Z", "<system-reminder>", float("1e308")),
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401 - any JSON value
    """Every place in a JSON value."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from places(item, (*path, key))


def put(story: Any, place: tuple[Any, ...], value: Any) -> None:  # noqa: ANN401 - as above
    """Put a value into a place."""
    for key in place[:-1]:
        story = story[key]
    story[place[-1]] = value


@pytest.mark.parametrize("story", STORIES, ids=NAMED)
def test_no_value_in_any_place_makes_a_reader_raise(story: Story) -> None:
    """R57: other versions put other things anywhere; each place once, and a hundred times several at once."""
    chance = random.Random(f"strange {story.name}")  # noqa: S311 - a seed that repeats, no secret
    everywhere = [place for place in places(story.value()) if place]
    rounds = [[place] for place in everywhere]
    rounds += [chance.sample(everywhere, k=chance.randint(2, 5)) for _ in range(100)]
    for chosen in rounds:
        broken = json.loads(json.dumps(story.value()))
        for place in sorted(chosen, key=len, reverse=True):
            put(broken, place, chance.choice(STRANGE))
        for session in _read(story.raw(broken)):
            assert all(turn.user.strip() and turn.outcome.strip() for turn in session.turns)


SECRET = "ghp_" + "a1B2c3D4" * 5


@pytest.mark.parametrize("story", STORIES, ids=NAMED)
def test_a_secret_in_any_text_is_gone_before_the_turn_exists(story: Story) -> None:
    """DEC-D13, R28: ids, folders, tools, times and titles too, alone and behind other words."""

    def scrub(text: str) -> str:
        return text.replace(SECRET, "[gone]")

    whole = story.value()
    texts = [place for place in places(whole) if place and isinstance(_at(whole, place), str)]
    read = 0
    for place in texts:
        for planted in (f"{_at(whole, place)} {SECRET}", f"/w/{SECRET}/x"):
            broken = json.loads(json.dumps(whole))
            put(broken, place, planted)
            for session in _read(story.raw(broken), scrub):
                read += 1
                assert SECRET not in repr(session), (story.name, place)
    assert read > len(texts)


def _at(value: Any, place: tuple[Any, ...]) -> Any:  # noqa: ANN401 - as above
    for key in place:
        value = value[key]
    return value


def test_deep_nesting_is_passed_over() -> None:
    """R57: no recursion error escapes, whatever holds it."""
    deep: Any = "x"
    for _ in range(300):
        deep = [deep]
    for story in STORIES:
        broken = json.loads(json.dumps(story.value()))
        for place in [place for place in places(broken) if place and place[-1] in {"input", "args", "arguments"}]:
            put(broken, place, {"command": deep})
        assert [session.format for session in _read(story.raw(broken))] == [story.name]


def test_a_huge_value_costs_no_more_than_what_is_kept(tmp_path: Path) -> None:
    """Design section 9: both ends of a result are kept."""
    talk = OpenTalk()
    talk.user("go")
    talk.answer(tool("bash", {"command": "make"}, "x " * 3_000_000, exit=0), finish="tool-calls")
    talk.answer("gone")
    path = tmp_path / "x.json"
    path.write_text(json.dumps(talk.export()), encoding="utf-8")
    (session,) = read_transcript(path, scrub=str)
    assert len(session.turns[0].calls[0].result or "") < 600_000

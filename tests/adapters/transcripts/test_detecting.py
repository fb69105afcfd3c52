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

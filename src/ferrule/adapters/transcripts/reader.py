"""One door for transcripts: whatever the format, completed turns come out or one clear sentence.

Owns detection and the choice of a reader. Knows nothing of what stands inside a format.
"""

import io
import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from ferrule.adapters.transcripts.lines import JsonLines, Record
from ferrule.adapters.transcripts.neutral import FORMAT as NEUTRAL
from ferrule.adapters.transcripts.neutral import is_neutral, read_neutral
from ferrule.adapters.transcripts.scrubbing import Scrub
from ferrule.errors import Code, UnreadableInput, UsageError
from ferrule.session.imported import ImportedSession

__all__ = ["detect_format", "read_stream", "read_text", "read_transcript"]

_LOOK_AT = 40


def read_transcript(path: Path, *, scrub: Scrub) -> tuple[ImportedSession, ...]:
    """Read a transcript file into its sessions, scrubbed (D13).

    Raises:
        UsageError: there is no such file, or it is a folder; or a neutral turn has a `BAD_KEY`.
        UnreadableInput: the file is empty, binary, truncated beyond use, or in no format that Ferrule reads.
    """
    if not path.exists():
        raise UsageError(f"no such file: {path}", code=Code.IO_FAILED)
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name a transcript file in it", code=Code.IO_FAILED)
    try:
        with path.open("rb") as stream:
            return read_stream(stream, scrub=scrub, name=str(path))
    except OSError as error:
        raise UnreadableInput(f"{path} cannot be read: {error.strerror}", code=Code.IO_FAILED) from error


def read_text(text: str, *, scrub: Scrub, name: str = "-") -> tuple[ImportedSession, ...]:
    """Read a transcript that is at hand as text. Raises as `read_stream`."""
    return read_stream(io.BytesIO(text.encode("utf-8", "surrogatepass")), scrub=scrub, name=name)


def read_stream(stream: IO[bytes], *, scrub: Scrub, name: str = "-") -> tuple[ImportedSession, ...]:
    """Read a transcript from a stream, line by line.

    Raises:
        UsageError: a neutral turn has a `BAD_KEY`.
        UnreadableInput: as for `read_transcript`.
    """
    lines = JsonLines(stream)
    records = iter(lines)
    first = list(itertools.islice(records, _LOOK_AT))
    found = detect_format(record.value for record in first)
    if found is None:
        raise UnreadableInput(f"{name} {_refusal(lines, first)}")
    sessions = _read(found, itertools.chain(first, records), lines, scrub)
    if not sessions:
        raise UnreadableInput(f"{name} has the look of {found}, but not one turn in it can be read")
    return tuple(replace(s, file=name, warnings=(*s.warnings, *lines.warnings())) for s in sessions)


def detect_format(values: Iterable[Mapping[str, Any]]) -> str | None:
    """The format that the first JSON objects of a file speak, or None: `claude-code`, `codex` or `neutral`."""
    for value in values:
        if is_neutral(value):
            return NEUTRAL
    return None


def _read(found: str, records: Iterator[Record], lines: JsonLines, scrub: Scrub) -> tuple[ImportedSession, ...]:
    del found, lines
    return read_neutral(records, scrub)


def _refusal(lines: JsonLines, first: list[Record]) -> str:
    expected = "expected a Claude Code or Codex session (.jsonl), or neutral turns, one JSON object a line"
    if not lines.head.strip():
        return f"is empty; {expected}"
    if b"\x00" in lines.head:
        return f"is a binary file; {expected}"
    what = "is JSON, but no transcript that Ferrule reads" if first else "is not JSON lines"
    return f"{what}; {expected}"

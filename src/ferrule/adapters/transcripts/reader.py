"""One door for transcripts: whatever the format, completed turns come out or one clear sentence.

Owns detection and the choice of a reader. Knows nothing of what stands inside a format.
"""

import io
import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from ferrule.adapters.transcripts.claude_code.reader import FORMAT as CLAUDE_CODE
from ferrule.adapters.transcripts.claude_code.reader import is_claude_code, read_claude_code
from ferrule.adapters.transcripts.codex.reader import FORMAT as CODEX
from ferrule.adapters.transcripts.codex.reader import is_codex, read_codex
from ferrule.adapters.transcripts.foreign import EXPECTED, what_it_is
from ferrule.adapters.transcripts.lines import JsonLines, Record
from ferrule.adapters.transcripts.neutral import FORMAT as NEUTRAL
from ferrule.adapters.transcripts.neutral import is_neutral, read_neutral
from ferrule.adapters.transcripts.scrubbing import Scrub, bounded
from ferrule.errors import Code, UnreadableInput, UsageError
from ferrule.session.imported import ImportedSession
from ferrule.session.profiles import ClientProfiles, client_profiles

__all__ = ["detect_format", "read_stream", "read_text", "read_transcript"]

_LOOK_AT = 40


@dataclass(frozen=True, slots=True)
class _Source:
    """The lines of a transcript, and the name of its file without its ending."""

    records: Iterator[Record]
    lines: JsonLines
    stem: str


def read_transcript(path: Path, *, scrub: Scrub, profiles: ClientProfiles | None = None) -> tuple[ImportedSession, ...]:
    """Read a transcript file into its sessions, scrubbed (D13).

    Args:
        path: the file.
        scrub: takes secrets out of one text.
        profiles: which profile a client's sessions get; the shipped table when None. Neutral turns name their own.

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
            return read_stream(stream, scrub=scrub, name=str(path), profiles=profiles)
    except OSError as error:
        raise UnreadableInput(f"{path} cannot be read: {error.strerror}", code=Code.IO_FAILED) from error


def read_text(text: str, *, scrub: Scrub, name: str = "-") -> tuple[ImportedSession, ...]:
    """Read a transcript that is at hand as text. Raises as `read_stream`."""
    return read_stream(io.BytesIO(text.encode("utf-8", "surrogatepass")), scrub=scrub, name=name)


def read_stream(
    stream: IO[bytes], *, scrub: Scrub, name: str = "-", profiles: ClientProfiles | None = None
) -> tuple[ImportedSession, ...]:
    """Read a transcript from a stream, line by line; `scrub` and `profiles` as for `read_transcript`.

    Raises:
        UsageError: a neutral turn has a `BAD_KEY`.
        UnreadableInput: as for `read_transcript`.
    """
    lines = JsonLines(stream)
    records = iter(lines)
    first = list(itertools.islice(records, _LOOK_AT))
    found = detect_format(record.value for record in first)
    if found is None:
        what = what_it_is(lines.head, [record.value for record in first], len(lines.unreadable))
        raise UnreadableInput(f"{name} {what}; {EXPECTED}")
    source = _Source(itertools.chain(first, records), lines, Path(name).stem)
    sessions = _read(found, source, bounded(scrub), profiles or client_profiles())
    if not sessions:
        raise UnreadableInput(f"{name} has the look of {found}, but not one turn in it can be read")
    warnings = lines.warnings()
    return tuple(replace(session, file=name, warnings=(*session.warnings, *warnings)) for session in sessions)


def detect_format(values: Iterable[Mapping[str, Any]]) -> str | None:
    """The format that the first JSON objects of a file speak, or None: `claude-code`, `codex` or `neutral`."""
    for value in values:
        if is_neutral(value):
            return NEUTRAL
        if is_claude_code(value):
            return CLAUDE_CODE
        if is_codex(value):
            return CODEX
    return None


def _read(found: str, source: _Source, scrub: Scrub, profiles: ClientProfiles) -> tuple[ImportedSession, ...]:
    records, lines = source.records, source.lines
    if found == CLAUDE_CODE:
        return read_claude_code(records, lines, scrub, stem=source.stem, profiles=profiles)
    if found == CODEX:
        return read_codex(records, lines, scrub, profiles=profiles)
    return read_neutral(records, lines, scrub)

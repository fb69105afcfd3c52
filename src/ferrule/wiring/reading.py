"""What a path holds: the sessions of a file, of every transcript below a folder, or of standard input.

Owns the way from a path to imported sessions, scrubbed on the way (D13). Knows nothing of formats or of reviews.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ferrule.adapters.transcripts.reader import read_stream, read_transcript
from ferrule.errors import Code, FerruleError, UnreadableInput, UsageError
from ferrule.session.imported import ImportedSession
from ferrule.wiring.discovery import transcripts_below
from ferrule.wiring.home import Home

__all__ = ["STANDARD_INPUT", "Unreadable", "read_file", "sessions_at"]

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """One file of a folder that could not be read; the others were."""

    file: str
    reason: str


def read_file(home: Home, path: Path) -> tuple[ImportedSession, ...]:
    """The sessions of one transcript.

    Raises:
        UsageError: no such file, or a key in it is none.
        UnreadableInput: it is no transcript.
    """
    return read_transcript(path, scrub=home.scrub, profiles=home.settings.profiles)


def sessions_at(
    home: Home, path: str, stdin: IO[bytes], *, progress: Callable[[str], None]
) -> Iterator[ImportedSession | Unreadable]:
    """Every session at a path; in a folder, files that are no transcripts are told and passed over.

    Raises:
        UsageError: no such path, or a key in the file is none.
        UnreadableInput: the file is no transcript, or the folder holds none.
    """
    if path == STANDARD_INPUT:
        yield from read_stream(stdin, scrub=home.scrub, name=STANDARD_INPUT, profiles=home.settings.profiles)
        return
    place = Path(path)
    if not place.is_dir():
        progress(f"reading {path}")
        yield from read_file(home, place)
        return
    files = transcripts_below(place)
    if not files:
        raise UnreadableInput(f"{path} holds no transcript (.jsonl, .json)", code=Code.PARSE)
    for number, file in enumerate(files, start=1):
        progress(f"reading {number} of {len(files)}: {file}")
        yield from _read_or_tell(home, file)


def _read_or_tell(home: Home, file: Path) -> Iterator[ImportedSession | Unreadable]:
    try:
        yield from read_file(home, file)
    except (UnreadableInput, UsageError) as error:
        yield Unreadable(str(file), _reason(error, file))


def _reason(error: FerruleError, file: Path) -> str:
    return str(error).removeprefix(f"{file} ")

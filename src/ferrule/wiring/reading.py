"""What a path holds: the sessions of a file, of every transcript below a folder, or of standard input.

Owns the way from a path to imported sessions, scrubbed on the way (D13). Knows nothing of formats or of reviews.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ferrule.adapters.transcripts.reader import known_format, read_stream, read_transcript
from ferrule.errors import Code, FerruleError, UnreadableInput, UsageError
from ferrule.session.imported import ImportedSession
from ferrule.wiring.discovery import OFTEN_OTHER, transcripts_below
from ferrule.wiring.home import Home

__all__ = ["STANDARD_INPUT", "Unreadable", "read_file", "sessions_at"]

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """One file of a folder that could not be read; the others were."""

    file: str
    reason: str


def read_file(home: Home, path: Path, *, form: str | None = None) -> tuple[ImportedSession, ...]:
    """The sessions of one transcript; `form` names its format where a person says it.

    Raises:
        UsageError: no such file or format, or a key in it is none.
        UnreadableInput: it is no transcript.
    """
    return read_transcript(path, scrub=home.scrub, profiles=home.settings.profiles, form=form)


def sessions_at(
    home: Home, path: str, stdin: IO[bytes], *, progress: Callable[[str], None], form: str | None = None
) -> Iterator[ImportedSession | Unreadable]:
    """Every session at a path; in a folder, files that are no transcripts are told and passed over.

    Texts and databases in a folder are mostly something else: those that are no transcripts are passed over in silence.

    Raises:
        UsageError: no such path or format, or a key in the file is none.
        UnreadableInput: the file is no transcript, or the folder holds none.
    """
    if form is not None:
        known_format(form)
    if path == STANDARD_INPUT:
        yield from read_stream(stdin, scrub=home.scrub, name=STANDARD_INPUT, profiles=home.settings.profiles, form=form)
        return
    place = Path(path)
    if not place.is_dir():
        progress(f"reading {path}")
        yield from read_file(home, place, form=form)
        return
    files, found = transcripts_below(place), False
    for number, file in enumerate(files, start=1):
        progress(f"reading {number} of {len(files)}: {file}")
        for one in _read_or_tell(home, file, form):
            found = True
            yield one
    if not found:
        raise UnreadableInput(f"{path} holds no transcript", code=Code.PARSE)


def _read_or_tell(home: Home, file: Path, form: str | None) -> Iterator[ImportedSession | Unreadable]:
    try:
        yield from read_file(home, file, form=form)
    except (UnreadableInput, UsageError) as error:
        if file.suffix not in OFTEN_OTHER:
            yield Unreadable(str(file), _reason(error, file))


def _reason(error: FerruleError, file: Path) -> str:
    return str(error).removeprefix(f"{file} ")

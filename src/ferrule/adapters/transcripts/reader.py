"""One door for transcripts: whatever the format, completed turns come out or one clear sentence.

Owns detection and the choice of a reader. Knows nothing of what stands inside a format.
"""

import io
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from ferrule.adapters.transcripts.foreign import expected, what_it_is
from ferrule.adapters.transcripts.formats import Format, Given, Sample, formats
from ferrule.adapters.transcripts.sampling import sampled
from ferrule.adapters.transcripts.scrubbing import Scrub, bounded
from ferrule.errors import Code, UnreadableInput, UsageError
from ferrule.session.imported import ImportedSession
from ferrule.session.profiles import ClientProfiles, client_profiles

__all__ = ["detect_format", "known_format", "read_stream", "read_text", "read_transcript"]

_LOOK_AT = 40
_MAX_WARNINGS = 50  # each session of a file bears them


def read_transcript(
    path: Path, *, scrub: Scrub, profiles: ClientProfiles | None = None, form: str | None = None
) -> tuple[ImportedSession, ...]:
    """Read a transcript file into its sessions, scrubbed (D13).

    Args:
        path: the file.
        scrub: takes secrets out of one text.
        profiles: which profile a client's sessions get; the shipped table when None. Neutral turns name their own.
        form: the name of the format, where a person says it; found by its shape when None.

    Raises:
        UsageError: there is no such file, or it is a folder; there is no such format; a neutral turn has a `BAD_KEY`.
        UnreadableInput: the file is empty, binary, truncated beyond use, in no format that Ferrule reads, or has the
            look of more than one.
    """
    if not path.exists():
        raise UsageError(f"no such file: {path}", code=Code.IO_FAILED)
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name a transcript file in it", code=Code.IO_FAILED)
    try:
        with path.open("rb") as stream:
            return _read(stream, scrub, name=str(path), profiles=profiles, form=form, path=path)
    except OSError as error:
        raise UnreadableInput(f"{path} cannot be read: {error.strerror}", code=Code.IO_FAILED) from error


def read_text(text: str, *, scrub: Scrub, name: str = "-") -> tuple[ImportedSession, ...]:
    """Read a transcript that is at hand as text. Raises as `read_stream`."""
    return read_stream(io.BytesIO(text.encode("utf-8", "surrogatepass")), scrub=scrub, name=name)


def read_stream(
    stream: IO[bytes],
    *,
    scrub: Scrub,
    name: str = "-",
    profiles: ClientProfiles | None = None,
    form: str | None = None,
) -> tuple[ImportedSession, ...]:
    """Read a transcript from a stream; `scrub`, `profiles` and `form` as for `read_transcript`.

    Raises:
        UsageError: there is no such format; a neutral turn has a `BAD_KEY`.
        UnreadableInput: as for `read_transcript`.
    """
    return _read(stream, scrub, name=name, profiles=profiles, form=form, path=None)


def known_format(form: str) -> Format:
    """The format of a name.

    Raises:
        UsageError: there is none; the sentence lists those there are.
    """
    known = {one.name: one for one in formats()}
    if form not in known:
        raise UsageError(f"there is no format {form!r}; there are {', '.join(known)}", code=Code.BAD_TOOL_ARGS)
    return known[form]


def detect_format(values: Iterable[Mapping[str, Any]]) -> str | None:
    """The format that the first JSON objects of a file speak, by name, or None when no format or more than one does."""
    found = _fitting(Sample(values=tuple(values)))
    return found[0].name if len(found) == 1 else None


def _read(
    stream: IO[bytes],
    scrub: Scrub,
    *,
    name: str,
    profiles: ClientProfiles | None,
    form: str | None,
    path: Path | None,
) -> tuple[ImportedSession, ...]:
    seen = sampled(stream)
    chosen = known_format(form) if form is not None else _detected(seen.sample, len(seen.lines.unreadable), name)
    given = Given(
        sample=seen.sample,
        records=seen.records,
        lines=seen.lines,
        scrub=bounded(scrub),
        profiles=profiles or client_profiles(),
        text=seen.text,
        path=path,
        stem=Path(name).stem,
    )
    sessions = chosen.read(given)
    if form is not None and not any(one.turns or one.skipped for one in sessions) and not chosen.looks(seen.sample):
        raise UnreadableInput(f"{name} has not the look of {chosen.title}, and not one turn in it can be read as such")
    if not sessions:
        why = f" ({given.warnings[0]})" if given.warnings else ""
        raise UnreadableInput(f"{name} has the look of {chosen.title}, but not one turn in it can be read{why}")
    more = len(given.warnings) - _MAX_WARNINGS
    told = (f"{more} more of these",) if more > 0 else ()
    warnings = (*given.warnings[:_MAX_WARNINGS], *told, *seen.lines.warnings())
    return tuple(replace(session, file=name, warnings=(*session.warnings, *warnings)) for session in sessions)


def _detected(sample: Sample, unreadable: int, name: str) -> Format:
    found = _fitting(sample)
    if len(found) == 1:
        return found[0]
    if found:
        titles, names = " and of ".join(one.title for one in found), " or ".join(one.name for one in found)
        raise UnreadableInput(f"{name} has the look of {titles}; say which with --format {names}")
    listed = sample.document if isinstance(sample.document, list) else []
    quoted = sample.values if not sample.text else ()
    values = quoted or tuple(value for value in listed[:_LOOK_AT] if isinstance(value, dict))
    what = what_it_is(sample.head, values, unreadable, whole=sample.document is not None)
    raise UnreadableInput(f"{name} {what}; {expected()}")


def _fitting(sample: Sample) -> list[Format]:
    """The formats whose look a file has. That of a client Ferrule lives in settles it: those looks exclude each other.

    A text that only quotes JSON has the look of a text format.
    """
    if not sample.text:
        native = [one for one in formats(native=True) if one.looks(sample)]
        if native:
            return native[:1]
    return [one for one in formats() if one.looks(sample)]

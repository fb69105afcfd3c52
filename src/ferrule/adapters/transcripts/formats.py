"""A format is a look and a reader: what a file shows before it is read, and how its sessions come out of it.

Owns the values between detection and the readers, and the list of formats. Knows nothing of what stands inside one.
A new format is a package here with a module `format` whose `FORMAT` names it, and its name in `_PACKAGES`.
"""

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ferrule.adapters.transcripts.lines import JsonLines, Record
from ferrule.adapters.transcripts.scrubbing import Scrub
from ferrule.session.imported import ImportedSession
from ferrule.session.profiles import ClientProfiles

__all__ = ["HEAD_LOOKED_AT", "Format", "Given", "Sample", "formats"]

HEAD_LOOKED_AT = 64 * 1024
_HERE = __name__.rpartition(".")[0]
# Packages beside this module. The formats of the clients that Ferrule lives in come first: they are looked at without
# loading the others.
_NATIVE = ("neutral_format", "claude_code.format", "codex.format")
_PACKAGES: tuple[str, ...] = (
    "opencode.format",
    "gemini_cli.format",
    "copilot_cli.format",
    "specstory.format",
    "aider.format",
    "swe_agent.format",
    "mini_swe_agent.format",
    "openhands.format",
    "openai_agents.format",
    "langchain.format",
    "atif.format",
    "messages.format",
    "agent_team.format",
)


@dataclass(frozen=True, slots=True)
class Sample:
    """What detection may look at.

    Attributes:
        head: the first 64 KiB of the file.
        values: the first 40 JSON objects of a file of JSON lines; the one object of a file that is one JSON object.
        document: the whole file where it is one JSON list or one JSON object, else None.
        text: the first 64 K characters where the file begins neither as JSON nor as a binary; such a text may hold
            `values` all the same, quoted or behind a program's greeting. Else empty.
        database: whether the file is a SQLite database.
    """

    head: bytes = b""
    values: tuple[Mapping[str, Any], ...] = ()
    document: list[Any] | Mapping[str, Any] | None = None
    text: str = ""
    database: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """What a reader is given. Texts are not scrubbed: every string of a turn passes `scrub` first (D13).

    Attributes:
        sample: what detection saw.
        records: all JSON objects of the file with their lines, once; empty for a list, a text and a database.
        lines: where lines that are no records are noted, and the first 4 KiB stand.
        text: the whole text of a text format, decoded, with plain newlines.
        path: the file; None when it came through a pipe.
        stem: the file's name without its ending.
        scrub: takes secrets out of one text, and bounds it.
        profiles: which profile a client's sessions get.
    """

    sample: Sample
    records: Iterator[Record]
    lines: JsonLines
    scrub: Scrub
    profiles: ClientProfiles
    text: str = ""
    path: Path | None = None
    stem: str = ""
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Format:
    """One format of transcripts.

    Attributes:
        name: as `--format` takes it and an imported session says it: `opencode`.
        title: as a sentence says it: `an OpenCode export`.
        looks: whether a file has the shape of this format and of no other; cheap, and never an exception.
        read: the sessions of a file that has it. Wrong members are passed over, never an exception.
    """

    name: str
    title: str
    looks: Callable[[Sample], bool]
    read: Callable[[Given], tuple[ImportedSession, ...]]


@cache
def formats(*, native: bool = False) -> tuple[Format, ...]:
    """The formats that are read, in the order in which they are listed; only the clients' own ones if `native`."""
    names = _NATIVE if native else (*_NATIVE, *_PACKAGES)
    return tuple(_format(name) for name in names)


def _format(name: str) -> Format:
    found = importlib.import_module(f"{_HERE}.{name}").FORMAT
    if not isinstance(found, Format):
        raise TypeError(f"{name} has no FORMAT")
    return found

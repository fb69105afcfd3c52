"""A client is described as data: where its files are, and which entries of ours belong into which of them.

Owns that vocabulary. Knows nothing of how an entry gets into a file, or of any one client.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from ferrule.adapters.clients.command_lines import Runtime
from ferrule.adapters.clients.json_text import JsonValue

__all__ = [
    "AT_END",
    "AT_START",
    "Client",
    "Entry",
    "Folders",
    "HookEntry",
    "MemberEntry",
    "TableEntry",
    "TextEntry",
    "Wish",
]

AT_END = "when a turn ends, a note of it is left for review (milliseconds, and never an error)"
AT_START = "when a session starts, resumes or was compacted, the agent is told what it knew"


@dataclass(frozen=True, slots=True)
class Folders:
    """Where a client's configuration is.

    Attributes:
        config: the folder of its configuration.
        user: the person's own folder, when the configuration is in its usual place there; else None.
    """

    config: Path
    user: Path | None


@dataclass(frozen=True, slots=True)
class HookEntry:
    """A command under `hooks.<event>` of a JSON file, in both clients' form: groups that hold handlers."""

    file: Path
    event: str
    handler: Mapping[str, JsonValue]
    meaning: str
    wanted: bool = True


@dataclass(frozen=True, slots=True)
class MemberEntry:
    """A member of an object of a JSON file; `path` leads to the object. `command` says how it is known as ours."""

    file: Path
    path: tuple[str, ...]
    name: str
    value: Mapping[str, JsonValue]
    command: Callable[[Mapping[str, JsonValue]], object]
    meaning: str
    instead: str
    wanted: bool = True


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A table of a TOML file; known as ours by its `command` and `args`."""

    file: Path
    path: tuple[str, ...]
    values: Mapping[str, str | Sequence[str]]
    meaning: str
    instead: str
    wanted: bool = True


@dataclass(frozen=True, slots=True)
class TextEntry:
    """A file that is ours as a whole.

    Attributes:
        file: the file.
        data: what is in it; None for one that an older version brought and this one does not.
        meaning: what it is, in words.
        always: the pieces of it that stand in it whichever interpreter and home it names, in order: by those it is
            known as ours where no record tells.
    """

    file: Path
    data: bytes | None
    meaning: str
    always: tuple[bytes, ...] = ()

    def is_ours(self, data: bytes) -> bool:
        """Whether a file's bytes are this text, perhaps for another interpreter or home."""
        if data == self.data:
            return True
        first, *rest = self.always or (b"",)
        if not rest or not data.startswith(first) or not data.endswith(rest[-1]):
            return False
        at = len(first)
        for piece in rest:
            at = data.find(piece, at)
            if at < 0:
                return False
            at += len(piece)
        return True


Entry: TypeAlias = HookEntry | MemberEntry | TableEntry | TextEntry


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person wants installed.

    Attributes:
        runtime: what the commands run.
        mcp: whether the agent gets the read-only MCP server.
        status_line: whether the client's status line shows a segment of ours.
        texts: commands or prompts by the name of their file.
        always: of each text the pieces that do not name interpreter or home.
    """

    runtime: Runtime
    mcp: bool = True
    status_line: bool = False
    texts: Mapping[str, bytes] = field(default_factory=dict)
    always: Mapping[str, tuple[bytes, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Client:
    """One client.

    Attributes:
        name: as the command line knows it.
        title: as people know it.
        programme: what is looked for on PATH.
        tried: the oldest and the newest version whose hooks and transcripts are known.
        texts_folder: where commands or prompts go, inside the folder of its configuration.
        has_status_line: whether a command can be shown in its status line.
        entries: what is written where.
        traces: tables of a TOML file that the client itself keeps of our entries as they are now: they go with them.
        next_steps: what a person does next, in words.
    """

    name: str
    title: str
    programme: str
    tried: tuple[str, str]
    texts_folder: str
    has_status_line: bool
    entries: Callable[["Folders", Wish], tuple[Entry, ...]]
    next_steps: tuple[str, ...]
    traces: Callable[[Folders], tuple[tuple[str, ...], ...]] = lambda _: ()

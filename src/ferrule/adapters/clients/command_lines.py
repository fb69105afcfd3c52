"""What clients are told to run, and how such a command line is known to be ours, whoever wrote it and when.

Owns the words of those commands. They are absolute, since a client's environment need not know where Ferrule is, and
quoted for a POSIX shell. Ours is what runs our hook or our package: by that, and not by a mark, an entry of an older
installation, another interpreter or another home is known. Knows nothing of files.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

__all__ = [
    "Runtime",
    "Spoken",
    "context_words",
    "hook_line",
    "hook_words",
    "is_own",
    "mcp_words",
    "shell",
    "spoken",
    "status_words",
]

HOOK_END = "/ferrule/interfaces/hook/hook.py"
STATUS_FILE = "status_line.py"
STATUS_END = f"/ferrule/interfaces/hook/{STATUS_FILE}"
_MAX_LENGTH = 16 * 1024
_COMMANDS = frozenset({"context", "mcp", "status-line"})


@dataclass(frozen=True, slots=True)
class Runtime:
    """What the commands run: absolute paths as text.

    Attributes:
        python: the interpreter that has Ferrule.
        hook: the hook's file inside the installed package.
        home: the Ferrule home.
    """

    python: str
    hook: str
    home: str


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a command line of ours says; empty where it says nothing."""

    purpose: str
    python: str
    hook: str
    home: str
    client: str


def hook_words(runtime: Runtime, client: str) -> list[str]:
    """One file of the standard library, isolated: milliseconds."""
    return [
        *(runtime.python, "-I", "-S", runtime.hook, client),
        *("--home", runtime.home, "--python", runtime.python),
    ]


def context_words(runtime: Runtime, client: str) -> list[str]:
    """What tells a session that starts what it remembers. -P: no module of the folder it starts in comes first."""
    return [runtime.python, "-P", "-m", "ferrule", "context", "--client", client, "--home", runtime.home]


def mcp_words(runtime: Runtime) -> list[str]:
    """The read-only MCP server."""
    return [runtime.python, "-P", "-m", "ferrule", "mcp", "--home", runtime.home]


def status_words(runtime: Runtime) -> list[str]:
    """The segment of a status line: a file beside the hook, as light as that, since a client asks often."""
    file = f"{runtime.hook[: -len(PurePath(runtime.hook).name)]}{STATUS_FILE}"
    return [runtime.python, "-I", "-S", file, "--home", runtime.home]


def shell(words: Sequence[str]) -> str:
    """The words as one line for a shell."""
    return shlex.join(words)


def hook_line(words: Sequence[str]) -> str:
    """A hook's words as a line that says nothing and succeeds even where Ferrule is gone and its entry is not.

    An interpreter that does not find our file exits with 2, which clients take for a hook that blocks (INV-I8): they
    would repeat the turn.
    """
    return f"{shell(words)} 2>/dev/null || :"


def is_own(line: object) -> bool:
    """Whether a command line is ours."""
    return spoken(line) is not None


def spoken(line: object) -> Spoken | None:
    """What a command line of ours says, as a shell's line or as a list of words; None when it is not ours."""
    words = _words(line)
    file = next((word for word in words if word.replace("\\", "/").endswith((HOOK_END, STATUS_END))), "")
    if file:
        after = words[words.index(file) + 1 :]
        purpose = "hook" if file.endswith("hook.py") else "status-line"
        client = after[0] if after and purpose == "hook" else ""
        return Spoken(purpose, words[0], file, _option(words, "--home"), client)
    for at in range(len(words) - 2):
        if words[at : at + 2] == ["-m", "ferrule"] and words[at + 2] in _COMMANDS:
            return Spoken(words[at + 2], words[0], "", _option(words, "--home"), _option(words, "--client"))
    return None


def _words(line: object) -> list[str]:
    if isinstance(line, list):
        return [word for word in line if isinstance(word, str)]
    if not isinstance(line, str) or len(line) > _MAX_LENGTH:
        return []
    try:
        return shlex.split(line)
    except ValueError:  # quotes that do not close
        return []


def _option(words: Sequence[str], name: str) -> str:
    at = next((at for at, word in enumerate(words[:-1]) if word == name), None)
    return "" if at is None else words[at + 1]

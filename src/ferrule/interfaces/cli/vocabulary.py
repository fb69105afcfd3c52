"""The words that commands are described in: what an option and a command are, and the options that many of them take.

Owns that vocabulary, and the words of shared options. Standard library only. Knows nothing of any one command.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = [
    "ANYWAY",
    "AS_CRITIC",
    "CLIENT",
    "CLIENTS",
    "CONFIG_DIR",
    "DRY",
    "FILES",
    "FROM",
    "HERE",
    "HOME",
    "JSON",
    "NAMED",
    "ONTOLOGY",
    "SESSION",
    "SOURCE",
    "SOURCES",
    "SOURCE_NEEDED",
    "TURN",
    "YES",
    "Command",
    "Option",
    "flag",
    "value",
    "word",
]


@dataclass(frozen=True, slots=True)
class Option:
    """One option or positional argument; `settings` go to argparse as they are."""

    flags: tuple[str, ...]
    help: str
    settings: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Command:
    """One command: `name` in words, its function as `module:function` below `ferrule.interfaces.cli`."""

    name: str
    group: str
    summary: str
    target: str
    options: tuple[Option, ...] = ()
    detail: str = ""


def flag(name: str, text: str) -> Option:
    """An option that is given or not."""
    return Option((name,), text, {"action": "store_true"})


def value(name: str, metavar: str, text: str, **settings: object) -> Option:
    """An option with a value; `settings` go to argparse."""
    return Option((name,), text, {"metavar": metavar, **settings})


def word(name: str, text: str, **settings: object) -> Option:
    """A word of the command line, known by its place."""
    return Option((name,), text, {"metavar": name.upper(), **settings})


CLIENTS = ("claude-code", "codex")
HOME = value("--home", "PATH", "the Ferrule home folder (default: $FERRULE_HOME, else your user data folder)")
JSON = flag("--json", "one JSON object per line instead of text for people")
SESSION = value("--session", "KEY", "session key, a unique prefix of one, or `last`", default="last")
ONTOLOGY = value(
    "--ontology",
    "PATH",
    "a .pts file or a folder of them instead of the shipped base ontology (repeatable, in order)",
    action="append",
    default=[],
)
SOURCE = word("source", "session key, a unique prefix of one, or `last`", nargs="?", default="last")
SOURCE_NEEDED = word("source", "session key, a unique prefix of one, or `last`")
NAMED = word("session", "session key, a unique prefix of one, or `last`")
FILES = word("file", "a .pts file, or - for standard input", nargs="+")
SOURCES = word("file", "a .pts file, a folder of them, or - for standard input", nargs="+")
AS_CRITIC = value("--as-critic", "TURN", "judge as a critic's write on that turn: rules 8-12 bind too")
TURN = word("turn", "turn key or ordinal")
FROM = value(
    "--from", "FILE", "the transcript or neutral turn that holds the turn's text; - for standard input", dest="handed"
)
CLIENT = word("client", "claude-code or codex")
CONFIG_DIR = value("--config-dir", "PATH", "the folder of the client's configuration, if it is not the usual one")
DRY = flag("--dry-run", "only show what would change")
YES = flag("--yes", "do it; without it the command only shows what would change")
HERE = (
    value("--client", "NAME", "with --here: claude-code or codex", choices=CLIENTS),
    flag("--here", "this client's own session: by the id that it tells, else its only one in this folder"),
    value("--id", "ID", "the session id that the client told"),
)
ANYWAY = flag("--anyway", "also where the project is off")

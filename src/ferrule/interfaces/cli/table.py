"""Every command of `ferrule`, as data: what it is called, what it takes, and where its function is.

Owns the groups and the order; help texts, parsing and the test of completeness are all made from it. Standard library
only, so that `ferrule --help` costs one interpreter start. Knows nothing of what a command does.
"""

from ferrule.interfaces.cli.table_benching import BENCHING
from ferrule.interfaces.cli.table_following import FOLLOWING
from ferrule.interfaces.cli.table_keeping import KEEPING
from ferrule.interfaces.cli.table_memory import MEMORY
from ferrule.interfaces.cli.table_projects import PROJECTS
from ferrule.interfaces.cli.vocabulary import HOME, JSON, Command, Option

__all__ = ["COMMANDS", "GROUPS", "HOME", "JSON", "Command", "Option", "command_named"]

GROUPS = (
    ("start", "Start here"),
    ("follow", "Follow a session"),
    ("read", "Read what is remembered"),
    ("write", "Change it yourself"),
    ("agents", "For agents"),
    ("tools", "Tools"),
)

COMMANDS: tuple[Command, ...] = (*FOLLOWING, *MEMORY, *KEEPING, *BENCHING, *PROJECTS)


def command_named(words: list[str]) -> tuple[Command, list[str]] | None:
    """The command that the words start with and the words after it, or None. Longer names win."""
    for size in (2, 1):
        name = " ".join(words[:size])
        found = next((command for command in COMMANDS if command.name == name), None)
        if found is not None:
            return found, words[size:]
    return None

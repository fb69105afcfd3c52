"""The commands about a project: what it may know for good, and what its sessions may tell each other, as data.

Owns their names, words and options. Knows nothing of what they do.
"""

from ferrule.interfaces.cli.vocabulary import YES, Command, flag, word

__all__ = ["PROJECTS"]

_PROJECT = word("path", "a folder of the project")

PROJECTS: tuple[Command, ...] = (
    Command(
        "trust",
        "write",
        "let a project's own .ferrule/ontology be read, exactly as it is now",
        "trusting:run_trust",
        (
            word("path", "a folder of the project", nargs="?"),
            flag("--list", "what is trusted, and how it stands"),
            YES,
        ),
        "Shows what is in it first. Nothing in it is ever run. When it changes, it waits to be trusted again.",
    ),
    Command("untrust", "write", "take trust in a project's ontology back", "trusting:run_untrust", (_PROJECT,)),
)

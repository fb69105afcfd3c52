"""The commands about a project: what it may know for good, and what its sessions may tell each other, as data.

Owns their names, words and options. Knows nothing of what they do.
"""

from ferrule.interfaces.cli.vocabulary import SESSION, YES, Command, flag, value, word

__all__ = ["PROJECTS"]

_PROJECT = word("path", "a folder of the project")

PROJECTS: tuple[Command, ...] = (
    Command(
        "memory promote",
        "write",
        "write memories for good into the project's .ferrule/ontology",
        "promoting:run_promote",
        (
            word("name", "names of memories", nargs="*"),
            SESSION,
            value("--to", "PATH", "the checkout to write into (default: the one that the session works in)"),
            flag("--suggest", "only list what two or more sessions of the repository used, most used first"),
            YES,
        ),
        "What is only this machine's or this session's is refused: nothing outside of the repository, no home folder, "
        "no absolute path, no secret, no plan. What is there is never overwritten. The session keeps its memory.",
    ),
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
    Command(
        "recall",
        "write",
        "let a project's sessions also be told what other sessions of the repository remember",
        "recalling:run_recall",
        (word("state", "on or off", choices=("on", "off")), _PROJECT),
        "Off unless switched on. Told after the session's own memories, within the same bounds, with origin and age.",
    ),
)

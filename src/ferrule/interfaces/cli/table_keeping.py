"""The commands that keep a memory sound and correct it: verify, backup, restore, supersede, undo, as data.

Owns their names, words and options; each says where its function is. Knows nothing of what they do.
"""

from ferrule.interfaces.cli.vocabulary import DRY, ONTOLOGY, SESSION, YES, Command, value, word

__all__ = ["KEEPING"]

KEEPING: tuple[Command, ...] = (
    Command(
        "memory verify",
        "tools",
        "check that what is stored is what was written",
        "memory_verifying:run_verify",
        (
            value(
                "--session", "KEY", "only this session's rows: a key, a unique prefix of one, or `last` (default: all)"
            ),
        ),
        "The chain of receipts and its head beside the store, the seal of every row, the indexes, the stored turns, "
        "SQLite's own structure, and the readable files. Nothing is changed. Exit code 1 when something is wrong.",
    ),
    Command(
        "memory backup",
        "tools",
        "copy the store into a new, checked file while others write",
        "memory_keeping:run_backup",
        (word("target", "a file that does not exist yet, or a folder"),),
        "A manifest with digests is written beside it. Nothing is ever overwritten.",
    ),
    Command(
        "memory restore",
        "tools",
        "put a backup in the place of the store, after showing what that loses",
        "memory_keeping:run_restore",
        (word("file", "a backup"), YES),
        "A damaged or newer backup and a home in use are refused. The store that was there is kept beside.",
    ),
    Command(
        "memory supersede",
        "write",
        "give a property a later value beside the old one",
        "memory_mending:run_supersede",
        (
            word("name", "the name of a memory"),
            word("property", "one of its properties"),
            word("value", "its value from now on"),
            SESSION,
            YES,
        ),
        "Nothing is overwritten: the old value stays visible as what it was.",
    ),
    Command(
        "memory repair",
        "tools",
        "rebuild what is damaged from what is sound; set the rest aside",
        "memory_repairing:run_repair",
        (DRY, YES),
        "Tried on a copy and shown first. A damaged memory is rebuilt from its writes when its seal or its receipts "
        "prove it, and set aside otherwise; indexes, head and readable files are made anew. The old store is kept.",
    ),
    Command(
        "memory undo",
        "write",
        "take one write back; without a word: list those that stand",
        "memory_mending:run_undo",
        (word("write", "the number of its receipt, or a memory's name for its newest one", nargs="?"), SESSION, YES),
        "What other writes valued stays. A receipt says so, and a later turn does not learn its handles again.",
    ),
    Command(
        "memory import",
        "write",
        "take the definitions of a file into a session, through the rules",
        "memory_importing:run_import",
        (word("file", "a .pts file, or - for standard input"), SESSION, DRY, YES, ONTOLOGY),
        "Each definition comes in whole or not at all; what is valued already is never changed. A projection that was "
        "edited by hand is kept beside the new one, and can be taken in so.",
    ),
)

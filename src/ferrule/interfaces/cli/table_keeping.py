"""The commands that keep a memory sound and take it elsewhere: verify, backup, restore, as data.

Owns their names, words and options; each says where its function is. Knows nothing of what they do.
"""

from ferrule.interfaces.cli.vocabulary import YES, Command, value, word

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
)

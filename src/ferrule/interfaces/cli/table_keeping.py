"""The commands that keep a memory sound and take it elsewhere: verify, backup, restore, as data.

Owns their names, words and options; each says where its function is. Knows nothing of what they do.
"""

from ferrule.interfaces.cli.vocabulary import Command, value

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
)

"""A home stays open for as long as a program uses it, and says clearly when it is used after that.

Owns the life of an open home inside a host's process: opened once, closed once, refused in a forked child (CASE-J12).
Knows nothing of what is done with it.
"""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from ferrule.errors import Code, StoreError, UsageError
from ferrule.wiring.home import Home, open_home

__all__ = ["OpenedHome"]


class OpenedHome:
    """An open home; also a context manager that closes it. Safe to use from several threads.

    Args:
        home: the folder; None for $FERRULE_HOME, else the platform's user data folder. Made when there is none.
        ontology: .pts files or folders that replace the shipped base ontology.

    Raises:
        UsageError: a setting of the home is wrong.
        StoreError: the home cannot be used.
        UnreadableInput: an ontology file is wrong.
    """

    def __init__(self, home: Path | str | None = None, *, ontology: Sequence[Path | str] = ()) -> None:
        self._process = os.getpid()
        self._open = ExitStack()
        self._home: Home | None = self._open.enter_context(open_home(home, ontology=ontology))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the home; a second time, or in a forked child, nothing happens."""
        if os.getpid() == self._process:
            self._home = None
            self._open.close()

    def opened(self) -> Home:
        """The open home.

        Raises:
            UsageError: it was closed.
            StoreError: this process was forked from the one that opened it.
        """
        if os.getpid() != self._process:
            raise StoreError("this home was opened before a fork; open it again in this process", code=Code.IO_FAILED)
        if self._home is None:
            raise UsageError("this home was closed", code=Code.BAD_TOOL_ARGS)
        return self._home

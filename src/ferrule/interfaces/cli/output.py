"""What goes out beside the page: JSON for programs, remarks and progress for people who wait.

Owns those three. Knows nothing of any one command.
"""

import json
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Self

from ferrule.interfaces.cli.visible import excerpt

__all__ = ["Progress", "print_json", "say"]

QUIET_SECONDS = 1.0
BETWEEN_SECONDS = 0.2
PROGRESS_WIDTH = 100


def print_json(*objects: Mapping[str, object] | Sequence[object]) -> None:
    """One JSON object per line, in ASCII: it survives every locale, and no terminal acts on it (PEER-D19)."""
    for item in objects:
        sys.stdout.write(json.dumps(item, ensure_ascii=True) + "\n")


def say(line: str) -> None:
    """A remark for people, beside the output proper."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


class Progress:
    """Says on standard error what is going on, once a command takes longer than a second; gone when it ends.

    On a terminal one line is rewritten; elsewhere nothing is said more often than every few seconds.
    """

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._next = time.monotonic() + QUIET_SECONDS
        self._shown = False

    def __call__(self, what: str) -> None:
        """Something is being worked on now."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (BETWEEN_SECONDS if self._terminal else 10 * QUIET_SECONDS)
        line = excerpt(what, PROGRESS_WIDTH)
        sys.stderr.write(f"\r\x1b[K{line}" if self._terminal else f"{line}\n")
        sys.stderr.flush()
        self._shown = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown and self._terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

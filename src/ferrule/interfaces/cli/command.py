"""What every command does around its own business: open the home, print JSON, show progress, close again.

Owns those four habits. Knows nothing of any one command.
"""

import json
import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from ferrule.interfaces.cli.visible import excerpt
from ferrule.wiring.home import Home, open_home

__all__ = ["Progress", "opened", "print_json", "say"]

QUIET_SECONDS = 1.0
BETWEEN_SECONDS = 0.2
PROGRESS_WIDTH = 100


@contextmanager
def opened(arguments: Namespace, *, make: bool = True) -> Iterator[Home]:
    """The home that the command names, closed afterwards.

    Raises:
        UsageError: `make` is False and there is no home yet: a command that only reads makes none.
        StoreError: the home cannot be used.
    """
    ontology = [Path(path) for path in getattr(arguments, "ontology", [])]
    with open_home(Path(arguments.home) if arguments.home else None, ontology=ontology, make=make) as home:
        yield home


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

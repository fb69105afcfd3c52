"""What goes out beside the page: JSON for programs, remarks and progress for people who wait.

Owns those three. Knows nothing of any one command.
"""

import json
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Self, TextIO

from ferrule.interfaces.cli.visible import excerpt

__all__ = ["Progress", "print_json", "say"]

QUIET_SECONDS = 1.0
BETWEEN_SECONDS = 0.25
REMARK_SECONDS = 10.0
WIDTH = 78
_CLEAR = "\r\x1b[K"


def print_json(*objects: Mapping[str, object] | Sequence[object]) -> None:
    """One JSON object per line, in ASCII: it survives every locale, and no terminal acts on it (PEER-D19)."""
    for item in objects:
        sys.stdout.write(json.dumps(item, ensure_ascii=True) + "\n")


def say(line: str) -> None:
    """A remark for people, beside the output proper."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


class Progress:
    """Tells on standard error what is going on, once a command takes longer than a second; gone when it ends.

    On a terminal one line is rewritten, also while a single step takes long. Elsewhere a remark is made every ten
    seconds. Output proper is printed inside `paused`, so that the two never share a line.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._what = ""
        self._shown = ""
        self._next = time.monotonic() + QUIET_SECONDS

    def __call__(self, what: str) -> None:
        """Something else is being worked on now."""
        self._what = excerpt(what, WIDTH)
        if not self._terminal and time.monotonic() >= self._next:
            self._next = time.monotonic() + REMARK_SECONDS
            self._stream.write(f"{self._what}\n")
            self._stream.flush()

    def show(self) -> None:
        """Bring the line on the terminal up to date."""
        with self._lock:
            if self._what != self._shown:
                self._stream.write(f"{_CLEAR}{self._what}")
                self._stream.flush()
                self._shown = self._what

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Nothing is shown while output is printed."""
        with self._lock:
            if self._shown:
                self._stream.write(_CLEAR)
                self._stream.flush()
                self._shown = ""
            yield

    def _watch(self) -> None:
        if not self._ended.wait(QUIET_SECONDS):
            self.show()
        while not self._ended.wait(BETWEEN_SECONDS):
            self.show()

    def __enter__(self) -> Self:
        if self._terminal:
            threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        with self.paused():
            self._what = ""

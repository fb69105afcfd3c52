"""Whether a remembered place is there now, asked of the local file system and of git, without changing either.

Owns the check that recall asks for (design.md section 7): True, False (gone), or None when it cannot be told from here,
which includes every place of a session whose folder does not exist on this machine. One git answers all questions about
one folder, within a bound of time for all of them.
"""

import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ferrule.bridge.details import HandleView
from ferrule.referents.kinds import HandleKind

if TYPE_CHECKING:
    from subprocess import Popen

__all__ = ["looking"]

GIT_SECONDS = 1.0
MAX_GIT_CALLS = 24
MAX_REF = 1000
_PATHS = frozenset({HandleKind.FILESYSTEM_PATH, HandleKind.PROMPT_PATH, HandleKind.REPOSITORY_ROOT})
_REFS = {
    HandleKind.BRANCH: ("refs/heads/{0}", "refs/remotes/origin/{0}"),
    HandleKind.TAG: ("refs/tags/{0}",),
    HandleKind.COMMIT_SHA: ("{0}^{{commit}}",),
}


@contextmanager
def looking(cwd: str | None) -> Iterator[Callable[[HandleView], bool | None]]:
    """A check for one session that worked in `cwd`, for as long as the block lasts."""
    here = Path(cwd) if cwd and os.path.isdir(cwd) else None  # noqa: PTH112 - Path.is_dir raises on a NUL in the text
    if here is None:
        yield _unknown
        return
    git = _Git(here)

    def check(handle: HandleView) -> bool | None:
        if "\x00" in handle.value:
            return None
        if handle.kind in _PATHS:
            return _there(here, handle.value)
        patterns = _REFS.get(handle.kind)
        return None if patterns is None else git.knows_any(handle.value, patterns)

    try:
        yield check
    finally:
        git.close()


def _unknown(_handle: HandleView) -> bool | None:
    return None


def _there(here: Path, value: str) -> bool | None:
    path = Path(value).expanduser() if value.startswith("~") else Path(value)
    try:
        if (here / path).exists():
            return True
        if path.is_absolute():
            # Another machine's absolute path says nothing about this one.
            return False if path.is_relative_to(here) or path.parent.exists() else None
        root = _root(here)
        return (root / path).exists() if root else False
    except (OSError, ValueError, RuntimeError):
        return None


def _root(here: Path) -> Path | None:
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), None)


class _Git:
    """One `git cat-file` for a folder, started with the first question; it says `missing` of what it does not know."""

    def __init__(self, here: Path) -> None:
        self._here = here
        self._running: Popen[bytes] | None = None
        self._calls = 0
        self._end = 0.0

    def knows_any(self, value: str, patterns: tuple[str, ...]) -> bool | None:
        """Whether git resolves one of the names; None when it does not answer, as where there is no repository."""
        if not value.isprintable() or value.startswith("-") or len(value) > MAX_REF or " " in value:
            return None
        found: bool | None = None
        for pattern in patterns:
            found = self._knows(pattern.format(value))
            if found is not False:
                break
        return found

    def _knows(self, ref: str) -> bool | None:
        if self._calls >= MAX_GIT_CALLS or sys.platform == "win32":  # a pipe cannot be waited for there
            return None
        self._calls += 1
        running = self._started()
        if running is None or running.stdin is None or running.stdout is None:
            return None
        try:
            running.stdin.write(ref.encode("utf-8", "surrogateescape") + b"\n")
            running.stdin.flush()
        except (OSError, ValueError):
            return None
        line = self._line(running.stdout.fileno())
        return None if not line else not line.endswith(b" missing")

    def _started(self) -> "Popen[bytes] | None":
        if self._running is None and not self._end:
            from subprocess import DEVNULL, PIPE, Popen  # noqa: PLC0415 - many sessions remember nothing that git knows

            self._end = time.monotonic() + GIT_SECONDS
            command = ["git", "-C", str(self._here), "cat-file", "--batch-check"]
            quiet = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
            with suppress(OSError, ValueError):
                self._running = Popen(  # noqa: S603 - git, arguments as a list
                    command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=quiet
                )
        return self._running

    def _line(self, descriptor: int) -> bytes:
        """The next line of the answer without its end; empty when none comes in time."""
        line = b""
        while not line.endswith(b"\n") and len(line) < 2 * MAX_REF:
            left = self._end - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                return b""
            part = os.read(descriptor, MAX_REF)
            if not part:
                return b""
            line += part
        return line.rstrip(b"\n")

    def close(self) -> None:
        """End it, whatever it does."""
        running, self._running = self._running, None
        if running is None:
            return
        running.kill()
        for pipe in (running.stdin, running.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        with suppress(_still_running()):
            running.wait(GIT_SECONDS)


def _still_running() -> type[Exception]:
    from subprocess import TimeoutExpired  # noqa: PLC0415 - see above

    return TimeoutExpired

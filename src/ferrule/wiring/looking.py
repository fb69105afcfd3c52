"""Whether a remembered place is there now, asked of the local file system and of git, without changing either.

Owns the check that recall asks for (design.md section 7): True, False (gone), or None when it cannot be told from here,
which includes every place of a session whose folder does not exist on this machine.
"""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from ferrule.bridge.values import HandleView
from ferrule.referents.kinds import HandleKind

__all__ = ["place_check"]

GIT_SECONDS = 2.0
MAX_GIT_CALLS = 24
_PATHS = frozenset({HandleKind.FILESYSTEM_PATH, HandleKind.PROMPT_PATH, HandleKind.REPOSITORY_ROOT})
_REFS = {
    HandleKind.BRANCH: ("refs/heads/{0}", "refs/remotes/origin/{0}"),
    HandleKind.TAG: ("refs/tags/{0}",),
    HandleKind.COMMIT_SHA: ("{0}^{{commit}}",),
}


def place_check(cwd: str | None) -> Callable[[HandleView], bool | None]:
    """A check for one session that worked in `cwd`."""
    here = Path(cwd) if cwd and os.path.isdir(cwd) else None  # noqa: PTH112 - Path.is_dir raises on a NUL in the text
    calls = 0

    def check(handle: HandleView) -> bool | None:
        nonlocal calls
        if here is None or "\x00" in handle.value:
            return None
        if handle.kind in _PATHS:
            return _there(here, handle.value)
        patterns = _REFS.get(handle.kind)
        if patterns is None or calls >= MAX_GIT_CALLS or handle.value.startswith("-"):
            return None
        calls += 1
        return _any_ref(here, [pattern.format(handle.value) for pattern in patterns])

    return check


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
    except (OSError, ValueError):
        return None


def _root(here: Path) -> Path | None:
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), None)


def _any_ref(here: Path, refs: list[str]) -> bool | None:
    found: bool | None = None
    for ref in refs:
        found = _git_knows(here, ref)
        if found is not False:
            return found
    return found


def _git_knows(here: Path, ref: str) -> bool | None:
    """Whether git resolves the name: 1 is its plain no; anything else (no repository, no git) tells nothing."""
    command = ["git", "-C", str(here), "rev-parse", "--verify", "--quiet", "--end-of-options", ref]
    quiet = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(command, capture_output=True, timeout=GIT_SECONDS, check=False, env=quiet)  # noqa: S603 - git, arguments as a list
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None
    return {0: True, 1: False}.get(done.returncode)

"""A project is the nearest folder upwards that git keeps; a worktree belongs to the checkout that it was made from.

Owns finding both by looking, and the remote that a checkout names. Runs no git and reads no more than two small files.
Knows nothing of sessions or of what a project holds.
"""

import os
import re
from pathlib import Path

from ferrule.adapters.repositories.roots import main_of

__all__ = ["git_root", "main_root", "origin_of", "real"]

_MOST_LEVELS = 64
_MOST_BYTES = 64 * 1024
_ORIGIN = re.compile(r'^\[remote "origin"\][ \t]*$([^\[]{0,4000})', re.MULTILINE)
_URL = re.compile(r"^[ \t]*url[ \t]*=[ \t]*([^\r\n]{1,2000})$", re.MULTILINE)


def real(path: Path | str) -> Path:
    """The path with every link followed; as it is where that cannot be told."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return Path(path)


def git_root(path: Path | str | None) -> Path | None:
    """The nearest folder, from `path` upwards, with a `.git` in it, spelled as there; None where there is none."""
    if not path or "\x00" in str(path) or not os.path.isabs(path):  # noqa: PTH117 - a text of a transcript, not a Path
        return None
    here = Path(path)
    for folder in (here, *here.parents)[:_MOST_LEVELS]:
        try:
            if os.path.lexists(folder / ".git"):
                return folder
        except (OSError, ValueError):
            return None
    return None


def main_root(root: Path) -> Path:
    """The checkout that a worktree was made from; `root` itself where it is no worktree, or is bare; without links."""
    main = main_of(root)
    return main if main is not None and (main / ".git").exists() else real(root)


def origin_of(root: Path) -> str:
    """The URL of the remote `origin` as the checkout's configuration names it; empty when it names none."""
    section = _ORIGIN.search(_head(main_root(root) / ".git" / "config"))
    url = _URL.search(section[1]) if section else None
    return url[1].strip() if url else ""


def _head(path: Path) -> str:
    """The beginning of a small file; empty for anything else."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""

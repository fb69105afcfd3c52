"""Which repository a folder is in: found by looking at a few files, without running git.

Owns the walk upwards and the way from a linked worktree to its main one. Whoever else owns files on the way may have
written what it reads: that is taken as a path, or as nothing. Knows nothing of what is in a repository.
"""

import os
import stat
from pathlib import Path

__all__ = ["OFF_FILE", "main_of", "main_root", "places_of", "says_off"]

OFF_FILE = (".ferrule", "off")
_GIT = ".git"
_MAX_FILE, _MAX_UP = 4096, 128
_SAFELY = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def places_of(folder: str) -> tuple[Path, ...]:
    """Every folder that a folder belongs to: itself and what it is in, as named and as links lead, nearest first.

    The main worktree of its repository is one of them, with what that is in, wherever a linked worktree stands.
    """
    named = Path(os.path.normpath(folder))
    found: dict[Path, None] = {}
    for start in (named, _real(named)):
        root = _root(start)
        main = main_of(root) if root is not None else None
        for place in (start, main):
            if place is not None:
                found.update(dict.fromkeys((place, *place.parents)))
    return tuple(found)


def main_root(folder: str) -> Path:
    """The main worktree of a folder's repository, as links lead; the folder itself where there is none."""
    here = _real(Path(os.path.normpath(folder)))
    root = _root(here)
    return here if root is None else main_of(root) or root


def says_off(folder: str) -> Path | None:
    """The file that says that nothing here is captured, in a root of the folder's repository or in the folder."""
    here = _real(Path(os.path.normpath(folder)))
    root = _root(here)
    roots = (here, root, None if root is None else main_of(root))
    files = (place.joinpath(*OFF_FILE) for place in roots if place is not None)
    return next((file for file in files if os.path.lexists(file)), None)


def _real(folder: Path) -> Path:
    try:
        return folder.resolve()
    except (OSError, RuntimeError, ValueError):
        return folder


def _root(folder: Path) -> Path | None:
    for place in (folder, *folder.parents)[:_MAX_UP]:
        if os.path.lexists(place / _GIT):
            return place
    return None


def main_of(root: Path) -> Path | None:
    """The main worktree of a linked one; None when it is no linked one, or that cannot be told.

    Both sides have to say so: a `.git` file alone could claim anything.
    """
    text = _line(root / _GIT)
    if not text.startswith("gitdir:"):
        return None
    folder = Path(os.path.normpath(root / text.removeprefix("gitdir:").strip()))
    back, common = _line(folder / "gitdir"), _line(folder / "commondir")
    if not back or not common or _real(folder / back) != _real(root / _GIT):
        return None
    shared = _real(Path(os.path.normpath(folder / common)))
    return shared.parent if shared.name == _GIT else shared


def _line(path: Path) -> str:
    """The first line of a small plain file; empty for anything else."""
    try:
        descriptor = os.open(path, _SAFELY)
    except (OSError, ValueError):
        return ""
    try:
        data = os.read(descriptor, _MAX_FILE) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    except OSError:
        data = b""
    finally:
        os.close(descriptor)
    line = os.fsdecode(data.partition(b"\n")[0]).strip()
    return "" if "\x00" in line else line

"""Absolute, relative, worktree and home forms of a path are one place on one disk, or one file of one repository.

Owns the folding of path spellings and the mapping onto the repository (design.md section 3, identity keys).
Reads no disk. Knows nothing of other kinds of handle.
"""

import re
import unicodedata
from functools import lru_cache

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import Place
from ferrule.referents.spellings import on_windows, plain_spelling

__all__ = ["absolute", "fold_path", "is_absolute", "path_key", "same_file_tail"]

_DRIVE = expression(r"[A-Za-z]:(?=/|\Z)")
_UNIX_DRIVE = expression(r"/(?:mnt/|cygdrive/)?([A-Za-z])(?=/|\Z)")
_LINE = expression(r"(?::[0-9]{1,7}(?:[:-][0-9]{1,7})?|#L[0-9]{1,7}(?:-L?[0-9]{1,7})?)\Z")
_WORKTREE = expression(
    r"(?P<base>.{1,4000}?)(?:/\.worktrees|/\.claude/worktrees|/\.codex/worktrees|[.]worktrees|__worktrees|-worktrees)"
    r"/(?P<name>[^/]{1,255})(?:/(?P<rest>.*))?",
    re.DOTALL,
)
_USUAL = 500  # longer paths are not remembered
_OTHER_HOME = expression(r"~([A-Za-z_][\w.-]{0,63})(?=/)")
_HOME = expression(r"(?:[A-Z]:)?/(?:Users|home)/[^/]{1,255}(?=/|\Z)|/root(?=/|\Z)")


def fold_path(value: str) -> str:
    """One spelling of a path: NFC, forward slashes, upper drive letter, no `file:`, `./`, `..`, line or end slash.

    A variable for the home folder is `~`. A leading `~` and leading `..` stay.
    """
    return _folded(value) if len(value) <= _USUAL else _folded.__wrapped__(value)


@lru_cache(maxsize=4096)
def _folded(value: str) -> str:
    text = unicodedata.normalize("NFC", value.strip().strip("`'\""))
    text = plain_spelling(_LINE.sub("", text))
    if _DRIVE.match(text):
        text = text[0].upper() + text[1:]
    network = "//" if text.startswith("//") else ""
    lead = network or ("/" if text.startswith("/") else "")
    kept: list[str] = []
    for part in text.split("/"):
        if part in {"", "."}:
            continue
        drive = len(kept) == 1 and _DRIVE.fullmatch(kept[0]) is not None
        if part == ".." and kept and kept[-1] not in {"..", "~"} and not drive:
            kept.pop()
        elif part != ".." or not (lead or drive):
            kept.append(part)
    return lead + "/".join(kept) or (lead or ".")


def is_absolute(folded: str) -> bool:
    """Whether a folded path starts at a root, a drive or a network share."""
    return folded.startswith("/") or _DRIVE.match(folded) is not None


def absolute(value: str, place: Place) -> tuple[str, bool]:
    """The folded path, joined with the place when relative, and whether the join was needed (D9: derived).

    `~` is expanded only when the place itself shows the home folder; else it stays.
    """
    cwd, root = _folders(place)
    folded = fold_path(value)
    if is_absolute(folded):
        return _drived(folded, cwd, root), False
    if folded == "~" or folded.startswith("~/"):
        home = _HOME.match(cwd or root or "")
        return (home.group() + folded[1:], True) if home else (folded, False)
    other = _OTHER_HOME.match(folded)
    if other:
        home = _HOME.match(cwd or root or "")
        at_home = home is not None and home.group().endswith("/" + other[1])
        return (home.group() + folded[other.end() :], True) if home and at_home else (folded, False)
    start = _start(folded, cwd, root)
    return (fold_path(f"{start}/{folded}"), True) if start else (folded, False)


@lru_cache(maxsize=64)
def _folders(place: Place) -> tuple[str | None, str | None]:
    """The folded working directory and root of a place, both in the spelling with a drive where one of them has it."""
    cwd = fold_path(place.cwd) if place.cwd else None
    root = fold_path(place.root) if place.root else None
    return cwd and _drived(cwd, cwd, root), root and _drived(root, cwd, root)


def _drived(folded: str, *folders: str | None) -> str:
    """`/d/repo`, `/mnt/d/repo` and `/cygdrive/d/repo` are `D:/repo` where the place shows that it is on Windows."""
    if not folded.startswith("/") or not any(folder and _DRIVE.match(folder) for folder in folders):
        return folded
    found = _UNIX_DRIVE.match(folded)
    return f"{found[1].upper()}:{folded[found.end() :]}" if found else folded


def _start(folded: str, cwd: str | None, root: str | None) -> str | None:
    """What a relative path is relative to: the cwd, unless it repeats the cwd's own place below the root.

    An agent that works in `<root>/cli` and says `cli/main.go` means `<root>/cli/main.go`.
    """
    if cwd is None or root is None:
        return cwd or root
    if cwd.startswith(root + "/"):
        below = cwd[len(root) + 1 :]
        if folded == below or folded.startswith(below + "/"):
            return root
    return cwd


def path_key(value: str, place: Place) -> tuple[str, bool]:
    """The identity key of a path and whether it was derived by joining (D9).

    Inside a repository it is `path:<repository>:<path from its root>`, worktrees included; elsewhere
    `path:<absolute path>`, in one case where the path is on Windows; what lies inside a repository keeps its case, as
    git does. A repository root and a worktree's own folder keep their absolute key: they are checkouts, things with a
    life of their own (R34).
    """
    return _path_key(value, place) if len(value) <= _USUAL else _path_key.__wrapped__(value, place)


@lru_cache(maxsize=4096)
def _path_key(value: str, place: Place) -> tuple[str, bool]:
    path, derived = absolute(value, place)
    if not is_absolute(path):
        inside = place.repository if not path.startswith(("~", "..")) and path != "." else None
        return (f"path:{inside.lower()}:{path}" if inside else f"path:{path}"), derived
    root = _folders(place)[1]
    main = _main(root) if root else None
    for base in (root, main):
        if base and place.repository and _cased(path).startswith(_cased(base) + "/") and (rest := _below(path, base)):
            return f"path:{place.repository.lower()}:{rest}", derived
    tree = _WORKTREE.fullmatch(path)
    if tree and tree["rest"]:
        if main and place.repository and _cased(tree["base"]) == _cased(main):
            return f"path:{place.repository.lower()}:{tree['rest']}", derived
        path = f"{tree['base']}/{tree['rest']}"
    return f"path:{_cased(path)}", derived


def _cased(folded: str) -> str:
    """What is compared of an absolute path: on Windows case does not count, but the drive's letter is shown as ever."""
    return folded[:1] + folded[1:].lower() if on_windows(folded) else folded


def _main(root: str) -> str:
    """The main checkout that a worktree's root belongs to, by the folder conventions; else the root itself."""
    tree = _WORKTREE.fullmatch(root)
    return tree["base"] if tree and not tree["rest"] else root


def _below(path: str, base: str) -> str:
    """The path from the base, with a worktree's own prefix taken off; empty for a worktree's own folder."""
    tree = _WORKTREE.fullmatch(path)
    if tree and len(tree["base"]) >= len(base):
        inner = tree["base"][len(base) + 1 :]
        rest = tree["rest"] or ""
        return f"{inner}/{rest}" if inner and rest else rest
    return path[len(base) + 1 :]


def same_file_tail(short: str, long: str) -> bool:
    """Whether the shorter path is the longer one's tail on a component boundary: `a.py` and `src/a.py`."""
    one, other = fold_path(short).removeprefix("./"), fold_path(long)
    return one == other or (not is_absolute(one) and other.endswith("/" + one.lstrip("./")) and bool(one.lstrip("./")))

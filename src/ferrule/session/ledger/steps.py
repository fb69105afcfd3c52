"""A step is what one command or one tool did, before it is numbered into the ledger.

Owns the values between the parsers of families and the ledger, and how a path is made absolute. Knows nothing of tools
or commands.
"""

import ntpath
import posixpath
import re
from dataclasses import dataclass, replace

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.session.turn import Verb

__all__ = ["Scene", "Step", "absolute", "is_path_like", "path_step", "usable"]

_WINDOWS = expression(r"[A-Za-z]:[\\/]|\\\\")
_UNUSABLE = expression(r"[$`*?\x00-\x1f<>|]|\{[^}]{0,80},")
_MAX_TARGET = 2000


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a command ran and how its call ended.

    Attributes:
        cwd: the effective working directory, None when unknown.
        output: the first and last 32 KB of what the call printed, later output of a running command included.
        root: the repository or worktree root, None when unknown.
        ok: the outcome of the call as a whole, None when it cannot be told.
        start: the working directory in which the call began, before any `cd`.
    """

    cwd: str | None
    output: str
    root: str | None = None
    ok: bool | None = None
    start: str | None = None

    def at(self, cwd: str | None) -> "Scene":
        """The same scene in another working directory."""
        return replace(self, cwd=cwd)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing done to one target. `ok` None leaves the outcome to the call as a whole."""

    verb: Verb
    target: str
    kind: HandleKind | None = None
    ok: bool | None = None
    was: str = ""
    detail: str = ""
    exists: bool = False


def absolute(path: str, cwd: str | None) -> str:
    """Join a path with the effective working directory; as written when it is absolute already or no cwd is known."""
    if path.startswith(("~", "/")) and not path.startswith("//"):
        return posixpath.normpath(path) if path.startswith("/") else path.rstrip("/")
    if _WINDOWS.match(path):
        return ntpath.normpath(path)
    if not cwd:
        return path
    if _WINDOWS.match(cwd):
        return ntpath.normpath(ntpath.join(cwd, path.replace("/", "\\")))
    return posixpath.normpath(posixpath.join(cwd, path))


def usable(target: str) -> bool:
    """Whether a written word can serve as a handle: no expansion, no wildcard, of sane length."""
    return bool(target) and len(target) <= _MAX_TARGET and _UNUSABLE.search(target) is None


def is_path_like(word: str) -> bool:
    """Whether a bare word reads as a path: it has a separator or an extension."""
    return "/" in word or "\\" in word or re.search(r"[^.]\.[A-Za-z][A-Za-z0-9]{0,7}$", word) is not None


def path_step(  # noqa: PLR0913 - a step has that many parts; all but three have defaults
    verb: Verb,
    path: str,
    scene: Scene,
    *,
    was: str = "",
    ok: bool | None = None,
    detail: str = "",
    exists: bool = False,
) -> Step | None:
    """A step on a file, its path absolute where that is known; None where the word is no usable path."""
    if not usable(path) or path in {"-", "."} or path.startswith("/dev/"):
        return None
    old = absolute(was, scene.cwd) if was else ""
    return Step(
        verb, absolute(path, scene.cwd), HandleKind.FILESYSTEM_PATH, ok=ok, was=old, detail=detail, exists=exists
    )

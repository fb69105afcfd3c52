"""A turn's place is read from evidence: what git printed, never from the look of a path (design.md section 3).

Owns how the repository root and identity of a turn are found in its own calls. Knows nothing of clients, and never
looks at the file system.
"""

import re
from collections.abc import Iterable, Sequence

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import NOWHERE, Place
from ferrule.referents.remotes import repository_of
from ferrule.session.turn import ToolCall

__all__ = ["normal_remote", "place_of"]

_WINDOW = 32 * 1024
_REMOTE_LINE = expression(r"^origin\s{1,8}(\S{1,400})\s{1,4}\((?:fetch|push)\)", re.MULTILINE)
_PUSH_LINE = expression(r"^To (\S{1,400})$", re.MULTILINE)
_ELSEWHERE = expression(r"(?:^|[\s;&(])(?:cd|pushd)\s|\sgit\s-C\s|^git\s-C\s")
_REMOTE = expression(
    r"(?:https?|ssh|git)://|[\w.-]{1,64}@[A-Za-z0-9.-]{1,200}:|[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}:(?!//)"
)
_ABSOLUTE = expression(r"(?:/|[A-Za-z]:[\\/])[^\r\n]{0,400}")
_WORKTREES = expression(r"(.{1,600}?[\\/](?:[\w.-]{0,100}[._-])?worktrees[\\/])(.{1,400})")


def place_of(
    cwd: str | None,
    calls: Sequence[ToolCall],
    *,
    repository: str | None = None,
    branch: str | None = None,
    before: Place = NOWHERE,
) -> Place:
    """Where a turn happened: `cwd` as the transcript says, root and repository only where the turn's calls show them.

    Args:
        cwd: the turn's working directory, absolute, or None.
        calls: the turn's calls, results included; only the first 32 KB of a result are looked at.
        repository: a remote URL that the transcript itself names (Codex), which wins over what commands printed.
        branch: the turn's branch; a folder of worktrees often names them by branch, slashes included.
        before: the place of the turn before; in the same working directory its root and repository still hold.
    """
    root = _root(cwd, calls) or _worktree(cwd or "", branch or "")
    found = normal_remote(repository or "") or _repository(calls)
    if cwd and before.cwd == cwd:
        root, found = root or before.root, found or before.repository
    return Place(cwd=cwd or None, root=root, repository=found)


def normal_remote(url: str) -> str | None:
    """The identity of a remote, `host/owner/name`; None for a local path or anything else that is no remote."""
    text = url.strip()
    return repository_of(text, NOWHERE) if _REMOTE.match(text) else None


def _root(cwd: str | None, calls: Iterable[ToolCall]) -> str | None:
    for call in calls:
        if "--show-toplevel" not in _command(call) or call.ok is False:
            continue
        for line in (call.result or "")[:_WINDOW].splitlines():
            root = line.strip()
            if _ABSOLUTE.fullmatch(root) and (cwd is None or _inside(cwd, root)):
                return root
    return None


def _worktree(cwd: str, branch: str) -> str | None:
    """The worktree in a `.worktrees` folder: named by the branch, or by the one name that follows."""
    found = _WORKTREES.match(cwd)
    if found is None:
        return None
    rest = found[2].rstrip("/\\")
    if branch and (rest == branch or rest.startswith(f"{branch}/")):
        return found[1] + branch
    return found[1] + rest if rest and not re.search(r"[\\/]", rest) else None


def _inside(cwd: str, root: str) -> bool:
    here, top = (text.replace("\\", "/").rstrip("/").casefold() for text in (cwd, root))
    return here == top or here.startswith(top + "/")


def _repository(calls: Iterable[ToolCall]) -> str | None:
    for call in calls:
        command = _command(call)
        if "git" not in command or call.ok is False or _ELSEWHERE.search(command):
            continue
        result = (call.result or "")[:_WINDOW]
        pattern = _REMOTE_LINE if "remote" in command else _PUSH_LINE if "push" in command else None
        found = pattern.search(result) if pattern else None
        remote = normal_remote(found[1]) if found else None
        if remote is None and "remote get-url origin" in command:
            remote = next((name for line in result.splitlines()[:8] if (name := normal_remote(line))), None)
        if remote is not None:
            return remote
    return None


def _command(call: ToolCall) -> str:
    if isinstance(call.arguments, str):
        return call.arguments[:_WINDOW]
    value = call.arguments.get("command", call.arguments.get("cmd", ""))
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)[:_WINDOW]

"""Where the clients keep their sessions, and which one is the newest.

Owns the standard folders of Claude Code and Codex and the walk over a folder of transcripts. Opens no transcript. Knows
nothing of what is in one.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from ferrule.wiring.settings import Surroundings

__all__ = ["CLIENTS", "OFTEN_OTHER", "local_sessions", "transcripts_below"]

CLIENTS = ("claude-code", "codex")
OFTEN_OTHER = frozenset({".md", ".db", ".sqlite"})  # a transcript now and then, mostly something else
SUFFIXES = frozenset({".jsonl", ".json", ".ndjson", ".traj"}) | OFTEN_OTHER
_PIECES = frozenset({"session", "message", "part"})
MAX_FILES = 20_000
MAX_DEPTH = 8


def local_sessions(around: Surroundings, client: str | None = None) -> tuple[Path, ...]:
    """Session files of the installed clients, newest first; subagents' own files are not sessions."""
    folders = {"claude-code": around.claude_code / "projects", "codex": around.codex / "sessions"}
    asked = [folders[name] for name in CLIENTS if client in {None, name}]
    found = (path for folder in asked for path in _files(folder) if _is_session(path))
    return tuple(sorted(found, key=_modified, reverse=True))


def transcripts_below(folder: Path) -> tuple[Path, ...]:
    """Every file below a folder that may be a transcript, in the order of their paths."""
    return tuple(sorted(path for path in _files(folder) if path.suffix in SUFFIXES))


def _is_session(path: Path) -> bool:
    return path.suffix == ".jsonl" and not path.name.startswith("agent-") and "subagents" not in path.parts


def _files(folder: Path) -> Iterator[Path]:
    """Regular files below a folder, bounded in number and depth; links to folders are not followed."""
    count = 0
    for place, folders, names in os.walk(folder):
        inside = Path(place)
        if len(inside.parts) - len(folder.parts) >= MAX_DEPTH:
            folders.clear()
        if inside.name == "storage" and set(folders) >= _PIECES:
            folders[:] = ["session"]  # OpenCode: the file of a session finds its messages itself
        folders.sort()
        for path in _regular(inside / name for name in sorted(names)):
            yield path
            count += 1
            if count == MAX_FILES:
                return


def _regular(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        try:
            if path.is_file():
                yield path
        except OSError:
            continue  # a file that cannot even be looked at is none of ours; reading a named one tells why


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0

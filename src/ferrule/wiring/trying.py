"""The newest local session, reviewed in a home that is thrown away.

Owns which session is taken, and how much of it, so that the answer comes within seconds. Knows nothing of how it is
shown.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ferrule.errors import UnreadableInput, UsageError
from ferrule.session.imported import ImportedSession
from ferrule.wiring.discovery import CLIENTS, local_sessions
from ferrule.wiring.home import Home
from ferrule.wiring.reading import read_file
from ferrule.wiring.reviewing import SessionReport, review_session
from ferrule.wiring.settings import surroundings

__all__ = ["Trial", "try_newest"]

LOOK_AT_FILES = 12
LOOK_AT_TURNS = 60


@dataclass(frozen=True, slots=True)
class Trial:
    """What was tried. `report` is None when no session with a completed turn was found in `looked_in`."""

    file: str
    report: SessionReport | None
    looked_in: tuple[str, ...]
    looked_at: int = 0
    left_out: int = 0


def try_newest(home: Home, client: str | None, *, progress: Callable[[str], None]) -> Trial:
    """Review the newest session that has a completed turn; of a long one only the last turns."""
    around = surroundings()
    folders = {"claude-code": around.claude_code / "projects", "codex": around.codex / "sessions"}
    looked_in = tuple(str(folders[name]) for name in CLIENTS if client in {None, name})
    for path in local_sessions(around, client)[:LOOK_AT_FILES]:
        progress(f"reading {path}")
        session = _newest_in(home, path)
        if session is None:
            continue
        kept = session.turns[-LOOK_AT_TURNS:]
        report = review_session(home, replace(session, turns=kept), progress=progress)
        return Trial(str(path), report, looked_in, len(kept), len(session.turns) - len(kept))
    return Trial("", None, looked_in)


def _newest_in(home: Home, path: Path) -> ImportedSession | None:
    """The session of a file when it has a completed turn; a file that cannot be read is passed over."""
    try:
        sessions = read_file(home, path)
    except (UnreadableInput, UsageError):
        return None
    return next((session for session in reversed(sessions) if session.turns), None)

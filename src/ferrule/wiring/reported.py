"""The transcript of a reported turn is opened safely, and exactly that turn is read out of it, scrubbed.

Owns where a transcript is (Codex's `notify` names none), what may be opened as one, and from which known turn on it is
read. Knows nothing of what is done with the turn.
"""

import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ferrule.adapters.spool.records import SpooledTurn
from ferrule.adapters.transcripts.selecting import Anchor, Missing, Reading, Selected, Wanted, select_turn
from ferrule.errors import StoreCorrupt, UsageError
from ferrule.referents.kinds import NOWHERE
from ferrule.session.keys import session_key
from ferrule.session.source import SourceSession
from ferrule.session.turn import Turn
from ferrule.wiring.home import Home
from ferrule.wiring.settings import surroundings

__all__ = ["Missing", "Reported", "read_reported", "source_of"]

MAX_WHOLE_BYTES = 1024 * 1024 * 1024
_MAX_FOLDERS = 5000
_SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True, slots=True)
class Reported:
    """A reported turn with its text, and its session's facts."""

    session: SourceSession
    turn: Turn
    shown: tuple[str, ...] = ()
    """The keys of the first turns of its transcript, where that was read from its beginning."""


def source_of(reported: SpooledTurn) -> str:
    """The key of the session that a report is about."""
    return session_key(reported.client, reported.session)


def read_reported(home: Home, reported: SpooledTurn, *, patient: bool) -> Reported | Missing:
    """Read the turn that a hook reported.

    Args:
        home: an open home; its last stored turn of the session spares reading what is above it.
        reported: what the hook left.
        patient: False when waiting longer for the client to finish its file is no use.

    Raises:
        StoreError: the home cannot be read.
    """
    path = _transcript(reported)
    if path is None:
        return Missing("its transcript is not found yet", passing=True)
    descriptor = _opened(path)
    if isinstance(descriptor, Missing):
        return descriptor
    source = source_of(reported)
    known = home.store.session(source)
    reading = Reading(home.scrub, home.settings.profiles, None if known is None else _anchor(home, source), path.stem)
    wanted = Wanted(reported.client, reported.turn, reported.final, patient)
    with os.fdopen(descriptor, "rb") as stream:
        try:
            found = select_turn(stream, wanted, reading)
        except OSError as error:
            return Missing(f"its transcript cannot be read: {error.strerror}", passing=True)
        except UsageError as error:
            return Missing(f"its transcript names what is no key: {error.code}", passing=False)
    return found if isinstance(found, Missing) else _checked(found, source, known)


def _opened(path: Path) -> int | Missing:
    """The file, when it is the user's own plain one (CASE-E07)."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _SAFELY)
    except FileNotFoundError:
        return Missing("its transcript is not there yet", passing=True)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        return Missing(f"its transcript cannot be opened: {why or 'no file can be called so'}", passing=False)
    facts = os.fstat(descriptor)
    fault = ""
    if not stat.S_ISREG(facts.st_mode):
        fault = "is no plain file"
    elif sys.platform != "win32" and facts.st_uid != os.geteuid():
        fault = "belongs to another user"
    elif facts.st_size > MAX_WHOLE_BYTES:
        fault = "is too large"
    if not fault:
        return descriptor
    os.close(descriptor)
    return Missing(f"its transcript {fault}", passing=False)


def _checked(found: Selected, source: str, known: SourceSession | None) -> Reported | Missing:
    """The turn with what is known of its session; the end of a file does not show all of that."""
    if found.session.key != source:
        return Missing("its transcript is of another session", passing=False)
    if found.whole or known is None:
        return Reported(found.session, found.turn, found.shown)
    return Reported(replace(known, title=found.session.title or known.title), found.turn)


def _transcript(reported: SpooledTurn) -> Path | None:
    if reported.transcript:
        return Path(reported.transcript) if Path(reported.transcript).is_absolute() else None
    if reported.client != "codex":
        return None
    base = Path(reported.client_home)
    return _rollout(base if base.is_absolute() else surroundings().codex, reported.session)


def _rollout(codex: Path, thread: str) -> Path | None:
    """The newest file of a thread; a resumed one goes on in the file of the day when it began."""
    ending = f"-{thread}.jsonl"
    for day in _days(codex / "sessions"):
        names = [name for name in _names(day) if name.startswith("rollout-") and name.endswith(ending)]
        if names:
            return day / max(names)
    return None


def _days(sessions: Path) -> Iterator[Path]:
    """Folders of days, newest first, bounded."""
    count = 0
    for year in _names(sessions):
        for month in _names(sessions / year):
            for day in _names(sessions / year / month):
                yield sessions / year / month / day
                count += 1
                if count == _MAX_FOLDERS:
                    return


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder), reverse=True)  # noqa: PTH208 - names only, thousands of them
    except OSError:
        return []


def _anchor(home: Home, source: str) -> Anchor | None:
    """The last stored turn of the session; without its text (past its retention) it still has its place in order."""
    stored = home.store.turn_keys(source)
    if not stored:
        return None
    ordinal, key = stored[-1]
    try:
        turn = home.store.turn(source, key)
    except StoreCorrupt:  # whoever reviews it will say so
        turn = None
    return Anchor(key, ordinal, turn.place if turn else NOWHERE, turn.branch if turn else None)

"""A client says that a session starts: what of that is noted, and which session of its process went before it.

Owns the reading of that payload (somebody else's writing), and `starts.jsonl` in the spool: one short line a start, the
newest last, never more than its bound. After a clear or a fork a client goes on under a new id and names no former one;
what links the two is that one process of the client was in the first until it began the second, in the same folder. A
process that has several conversations at a time links nothing. Knows nothing of memories, stores or transcripts.
"""

import contextlib
import itertools
import json
import os
import stat
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

__all__ = ["CLIENTS", "SPOOL", "Start", "elders", "note_start", "read_start", "started_in"]

CLIENTS = ("claude-code", "codex")
SPOOL, FILE = "spool", "starts.jsonl"
MAX_PAYLOAD = 256 * 1024
_EVENT = "SessionStart"
_SOURCES = frozenset({"startup", "resume", "clear", "compact", "fork"})
_GOES_ON = frozenset({"clear", "compact", "fork"})
_MAX_NAME, _MAX_PATH = 200, 4096
_MAX_BYTES, _KEPT = 128 * 1024, 200
_MAX_ELDERS = 16
_SECONDS = 30 * 24 * 3600.0
_SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True, slots=True)
class Start:
    """A session of a client starts, or goes on.

    Attributes:
        client: `claude-code` or `codex`.
        session: the client's id of the session.
        source: `startup`, `resume`, `clear`, `compact`, `fork`; empty for another one.
        cwd: the folder in which it starts.
        transcript: where the client writes it down; empty where it does not say.
    """

    client: str
    session: str
    source: str
    cwd: str
    transcript: str = ""


@dataclass(frozen=True, slots=True)
class _Noted:
    """One line: a start, which process of the client it was in, and which session went before in it, if any."""

    client: str
    session: str
    source: str
    cwd: str
    process: str
    follows: str
    when: float


def read_start(client: str, raw: bytes) -> Start | None:
    """What a client's payload says; None when it is not the start of a main session."""
    if client not in CLIENTS or len(raw) > MAX_PAYLOAD:
        return None
    try:
        value = json.loads(raw.decode("utf-8"), object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.get("hook_event_name") != _EVENT or value.get("agent_id"):
        return None
    session, source, cwd = value.get("session_id"), value.get("source"), value.get("cwd")
    if not (isinstance(session, str) and _is_name(session) and isinstance(cwd, str) and _is_place(cwd)):
        return None
    path = value.get("transcript_path")
    return Start(
        client,
        session,
        source if isinstance(source, str) and source in _SOURCES else "",
        cwd,
        path if isinstance(path, str) and _is_place(path) else "",
    )


def note_start(home: Path, start: Start, process: str, now: float, *, origin: str = "") -> None:
    """Note a start, with the session that it follows; what cannot be noted is lost, and with it only that link.

    Two starts are in one folder when their `cwd` is the same: give that of the repository's main worktree.

    Args:
        home: the home folder.
        start: what starts.
        process: names one process of the client for as long as it lives, and no other one ever; empty when unknown.
        now: seconds since the epoch.
        origin: the session that this one goes on from, where its transcript says so.
    """
    if not (process or origin):
        return
    known = [one for one in _notes(home) if (one.client, one.process) == (start.client, process)]
    before = [one for one in known if abs(now - one.when) <= _SECONDS]
    last = before[-1] if before else None
    if last is not None and (last.session, last.source, last.cwd) == (start.session, start.source, start.cwd):
        return
    follows = origin if _is_name(origin) else _followed(start, before) if process else ""
    noted = _Noted(start.client, start.session, start.source, start.cwd, process, follows, now)
    with contextlib.suppress(OSError):
        _append(home, json.dumps(asdict(noted)).encode("ascii") + b"\n")


def elders(home: Path, client: str, session: str) -> tuple[str, ...]:
    """The ids of the sessions that a session goes on from, the nearest first; empty when none is known."""
    follows = {one.session: one.follows for one in _notes(home) if one.client == client and one.follows}
    found: list[str] = []
    here = follows.get(session, "")
    while here and here not in (session, *found) and len(found) < _MAX_ELDERS:
        found.append(here)
        here = follows.get(here, "")
    return tuple(found)


def started_in(home: Path, client: str, session: str) -> str:
    """The folder in which a session started last; empty when no start of it is known."""
    return next((one.cwd for one in reversed(_notes(home)) if (one.client, one.session) == (client, session)), "")


def _followed(start: Start, before: Sequence[_Noted]) -> str:
    """The session that the process was in until now, when it is in one at a time and stayed in its folder."""
    if start.source not in _GOES_ON or not before or _holds_several(before):
        return ""
    last = before[-1]
    known = {one.session for one in before}
    return last.session if last.cwd == start.cwd and start.session not in known else ""


def _holds_several(before: Sequence[_Noted]) -> bool:
    """Whether a process serves several conversations at a time, as an editor's server does.

    Such a one starts a second one, or goes on in one that it did not just have before it.
    """
    started = {one.session for one in before if one.source == "startup"}
    for former, one in itertools.pairwise(before):
        if one.source == "compact" and one.session != former.session and not one.follows:
            return True
    return len(started) > 1


def _append(home: Path, line: bytes) -> None:
    folder = home / SPOOL
    _own_folder(home)
    _own_folder(folder)
    path = folder / FILE
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _SAFELY, 0o600)
    try:
        facts = os.fstat(descriptor)
        if not _is_plain(facts):
            return
        if facts.st_size + len(line) <= _MAX_BYTES:
            os.write(descriptor, line)
            return
    finally:
        os.close(descriptor)
    kept = b"".join(row + b"\n" for row in _lines(path)[-_KEPT // 2 :])
    fresh = path.with_name(f".{FILE}.{os.getpid()}.tmp")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _SAFELY, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(kept + line)
    fresh.replace(path)


def _own_folder(folder: Path) -> None:
    """Made private where it is missing; never one that anybody may write to, nor somebody else's (CASE-E07)."""
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700, parents=True)
    facts = folder.stat()
    if hasattr(os, "geteuid") and (facts.st_uid != os.geteuid() or facts.st_mode & 0o002):
        raise PermissionError


def _notes(home: Path) -> list[_Noted]:
    return [one for row in _lines(home / SPOOL / FILE)[-_KEPT:] if (one := _noted(row)) is not None]


def _lines(path: Path) -> list[bytes]:
    try:
        descriptor = os.open(path, os.O_RDONLY | _SAFELY)
    except OSError:
        return []
    try:
        return os.read(descriptor, 2 * _MAX_BYTES).splitlines() if _is_plain(os.fstat(descriptor)) else []
    except OSError:
        return []
    finally:
        os.close(descriptor)


def _is_plain(facts: os.stat_result) -> bool:
    """The user's own plain file, and nothing else that stands in its place (CASE-E07)."""
    return stat.S_ISREG(facts.st_mode) and (not hasattr(os, "geteuid") or facts.st_uid == os.geteuid())


def _noted(row: bytes) -> _Noted | None:
    try:
        value = json.loads(row)
    except (ValueError, RecursionError):
        return None
    names = ("client", "session", "source", "cwd", "process", "follows")
    if not isinstance(value, dict) or set(value) != {*names, "when"}:
        return None
    texts, when = [value[name] for name in names], value["when"]
    if not all(isinstance(text, str) and len(text) <= _MAX_PATH for text in texts) or type(when) not in (int, float):
        return None
    client, session, source, cwd, process, follows = texts
    return _Noted(client, session, source, cwd, process, follows, float(when))


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def _is_name(text: str) -> bool:
    return 0 < len(text) <= _MAX_NAME and text.isprintable() and text.isascii() and " " not in text


def _is_place(text: str) -> bool:
    return 0 < len(text) <= _MAX_PATH and "\x00" not in text

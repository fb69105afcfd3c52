"""A client asks for one short line about its session, often: it is read from the store, and nothing is waited for.

Run as `python -I -S status_line.py [--home PATH]` with Claude Code's status on standard input; `ferrule status-line`
does the same. Whatever goes wrong, it prints nothing and exits with 0. Owns what the line says: `7 remembered, +1`, the
second part only while the review that wrote it is the last that happened. Standard library only, and of that little: no
`sqlite3`, whose own extension will do, and nothing of Ferrule but what the hook has, unless a project may be off.
"""

import os
import sys
import time

__all__ = ["line_of", "main"]

PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120 - light
SQL = f"{PACKAGE}/adapters/sqlite/sql/status_line.sql"
STORE, SETTINGS, SPOOL, LOCK = "ferrule.sqlite3", "settings.toml", "spool", "worker.lock"
MAX_PAYLOAD, MAX_SMALL, MAX_NAME, PATIENCE_SECONDS = 256 * 1024, 256 * 1024, 200, 0.5
WAITED_SECONDS, SETTLED_SECONDS, MOST_LOOKED_AT, MAX_UP = 600.0, 5.0, 50, 64
SAFELY = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
CLIENT = "claude-code"

Row = tuple[int, int, int, int, "int | None", "int | None", int, "int | None"]


def main(words: list[str]) -> None:
    """Print the line. Raises whatever goes wrong; the caller ends the process all the same."""
    from ferrule.interfaces.hook.hook import home_of  # noqa: PLC0415 - found once the caller says where

    named = words[words.index("--home") + 1] if "--home" in words[:-1] else ""
    line = line_of(home_of(named), _standard_input(), time.time())
    if line:
        os.write(1, line.encode("utf-8") + b"\n")


def line_of(home: str, raw: bytes, now: float) -> str:
    """What is said of the session that a client's status names; empty where there is nothing to say.

    Raises:
        Exception: anything; then there is nothing to say either.
    """
    from ferrule.interfaces.hook.hook import parsed  # noqa: PLC0415 - see `main`

    payload = parsed(raw.decode("utf-8"))
    if not isinstance(payload, dict):
        return ""
    session, cwd, transcript = (_text(payload, key) for key in ("session_id", "cwd", "transcript_path"))
    if not session or len(session) > MAX_NAME or not (session.isascii() and session.isprintable()):
        return ""
    reported, trouble = _spool(home, session, now)
    trouble = trouble or _worker_trouble(home)
    row = _row(home, f"{CLIENT}:{session}")
    said: list[str] = []
    if _is_off(home, cwd):
        said.append("off here")
    elif row is not None:
        said += _standing(row, reported, transcript)
    elif reported:
        said.append(f"{reported} waiting")
    if trouble:
        said.append("see ferrule doctor")
    if row is not None and (row[0] or not said):
        said.insert(0, f"{row[0]} remembered")
    elif said:
        said[0] = f"ferrule: {said[0]}"
    return ", ".join(said)


def _standing(row: Row, reported: int, transcript: str) -> list[str]:
    _, paused, waiting, parked, enabled, newest, reviewed_at, written = row
    waiting += reported
    said: list[str] = []
    if written and newest and not waiting and not _went_on(transcript, reviewed_at):
        said.append(f"+{written}")
    if paused:
        said.append("paused")
    if waiting:
        said.append(f"{waiting} waiting")
    if parked:
        said.append(f"{parked} given up")
    if not enabled:
        said.append("not following")
    return said


def _went_on(transcript: str, since: float) -> bool:
    """Whether the client has written to its session since, but for what it adds when a turn ends."""
    try:
        return bool(transcript) and os.stat(transcript).st_mtime > since + SETTLED_SECONDS  # noqa: PTH116 - light
    except (OSError, ValueError):
        return False


def _row(home: str, key: str) -> Row | None:
    """How the session stands in the store; None where it is not known. Nobody is waited for."""
    path = f"{home}/{STORE}"
    if not os.path.isfile(path):  # noqa: PTH113 - light
        return None
    try:
        from _sqlite3 import connect  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - light
    except ImportError:
        from sqlite3 import connect  # noqa: PLC0415 - another interpreter
    address = os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")  # noqa: PTH100 - light
    connection = connect(f"file:{address}?mode=ro", uri=True, timeout=0.0, isolation_level=None)
    try:
        found: Row | None = connection.execute(_small(SQL).decode("utf-8"), (key,)).fetchone()
        return found
    finally:
        connection.close()


def _spool(home: str, session: str, now: float) -> tuple[int, bool]:
    """How many reports of the session wait, and whether the spool needs a hand."""
    folder = f"{home}/{SPOOL}"
    try:
        names = os.listdir(folder)  # noqa: PTH208 - names only
    except OSError:
        return 0, False
    reports = sorted(name for name in names if name.endswith(".json") and name[:20].isdigit())
    turns = [name for name in reports if not name.endswith(".unknown.json")]
    mark = f'"session":"{session}"'.encode("ascii")
    own = sum(mark in _small(f"{folder}/{name}") for name in turns[:MOST_LOOKED_AT])
    late = bool(turns) and now - int(turns[0][:20]) / 1e9 > WAITED_SECONDS
    return own, late or len(turns) < len(reports) or ".dropped" in names


def _worker_trouble(home: str) -> bool:
    """Whether the worker that was there last was in trouble."""
    data = _small(f"{home}/{LOCK}")
    return b'"trouble": "' in data and b'"trouble": ""' not in data


def _is_off(home: str, cwd: str) -> bool:
    """Whether nothing of the folder is captured; a few looks show of most folders that it cannot be."""
    if not cwd.startswith("/"):
        return False
    if not _may_cover(_small(f"{home}/{SETTINGS}"), cwd) and not _has_off_file(cwd):
        return False
    from pathlib import Path  # noqa: PLC0415 - heavy, and seldom needed

    from ferrule.wiring.quiet_places import silence_of  # noqa: PLC0415 - see above

    return silence_of(Path(home), (cwd,)) is not None


def _may_cover(settings: bytes, cwd: str) -> bool:
    """Whether anything between two quotes of the settings may be a folder around this one, or a pattern of such."""
    text = settings.decode("utf-8", "replace")
    user = os.environ.get("HOME", "")
    if "\\" in text or (not user and "~" in text):
        return bool(text)
    around = (f"{os.path.normpath(cwd)}/", f"{os.path.realpath(cwd)}/")
    for part in text.replace("'", '"').split('"'):
        head = user + part[1:] if part.startswith("~") else part
        if part.startswith(("/", "~", "**")):
            ends = [at for at in map(head.find, "*?[") if at >= 0]
            head = head[: min(ends, default=len(head))].rstrip("/")
            if any(place.startswith(head) for place in around):
                return True
    return False


def _has_off_file(cwd: str) -> bool:
    """Whether there may be one: in a folder above, or in a main worktree that is elsewhere."""
    place = os.path.realpath(cwd)
    for _ in range(MAX_UP):
        if os.path.lexists(f"{place}/.ferrule/off") or os.path.isfile(f"{place}/.git"):  # noqa: PTH113 - light
            return True
        if os.path.isdir(f"{place}/.git") or place == "/":  # noqa: PTH112 - light
            return False
        place = os.path.dirname(place)  # noqa: PTH120 - light
    return False


def _small(path: str) -> bytes:
    """The beginning of a small file; empty where there is none."""
    try:
        descriptor = os.open(path, SAFELY)
    except (OSError, ValueError):
        return b""
    try:
        return os.read(descriptor, MAX_SMALL)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def _standard_input() -> bytes:
    """The payload; what does not come soon is not waited for."""
    import select  # noqa: PLC0415 - not needed where the line is asked for in process

    parts: list[bytes] = []
    end = time.monotonic() + PATIENCE_SECONDS
    while (left := end - time.monotonic()) > 0 and sum(map(len, parts)) < MAX_PAYLOAD:
        if sys.platform != "win32" and not select.select([0], [], [], left)[0]:
            break
        part = os.read(0, MAX_PAYLOAD)
        if not part:
            break
        parts.append(part)
    return b"".join(parts)[:MAX_PAYLOAD]


def _text(payload: dict[str, object], key: str) -> str:
    found = payload.get(key)
    return found if isinstance(found, str) else ""


if __name__ == "__main__":
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        sys.path.append(os.path.dirname(PACKAGE))  # noqa: PTH120 - light
        main(sys.argv[1:])
    finally:  # what went wrong is not the client's to show
        os._exit(0)

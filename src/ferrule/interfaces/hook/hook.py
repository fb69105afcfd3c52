"""A client's turn has ended: one small file says which turn it was, a worker is called, and the client goes on.

Run as `python -I -S hook.py CLIENT [--home PATH] [--python PATH]` with the client's payload on standard input, or, from
Codex's `notify`, as the last argument. Whatever happens, it says nothing and exits with 0 (INV-I8). Owns the file in
the spool: names, places and a digest, never a word of the turn (D13); of a payload of unknown shape the names and sizes
of its members. Standard library only, and as little of it as will do: where `pathlib` is passed over, it would cost the
client ten milliseconds. Decides nothing, and reads no transcript: that is the worker's.
"""

import os
import stat
import sys
import time

__all__ = ["main"]

VERSION = 1
CRITIC = "FERRULE_CRITIC"
"""Set in the environment of the critic's own model calls: what they end is no turn of a source."""

SPOOL, DROPPED = "spool", ".dropped"
BELL, LOCK, LOCK_VARIABLE = "worker.wake", "worker.lock", "FERRULE_WORKER_LOCK"
LOCK_BYTES = 2048
STARTING = b'{"pid": 0, "since": 0.0, "version": "", "doing": "starting", "trouble": ""}'.ljust(LOCK_BYTES - 1) + b"\n"
MAX_PAYLOAD, CHUNK, PATIENCE_SECONDS = 8 * 1024 * 1024, 1024 * 1024, 2.0
MAX_FILES, MAX_UNKNOWN, MAX_FILE_BYTES, MAX_DROPS_COUNTED = 1000, 32, 16 * 1024, 4096
MAX_NAME, MAX_PATH, MAX_KEYS, MAX_WORD = 200, 4096, 32, 32
SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
NO_TURNS = frozenset(
    {  # known events that are no completed turn of a main session; any other name is kept for a report
        *("SubagentStop", "SubagentStart", "StopFailure", "SessionStart", "SessionEnd", "UserPromptSubmit"),
        *("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied", "Notification"),
        *("PreCompact", "PostCompact", "Setup", "TeammateIdle", "TaskCompleted", "approval-requested"),
    }
)
KEPT = frozenset(
    {
        *("HOME", "USER", "LOGNAME", "PATH", "LANG", "LANGUAGE", "TZ", "TMPDIR"),
        *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH", "PYTHONUSERBASE", "VIRTUAL_ENV"),
        *("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "CLAUDE_CONFIG_DIR", "CODEX_HOME"),
    }
)
KEPT_BEGINNINGS = ("LC_", "XDG_", "FERRULE_")

Record = dict[str, object]


def main(words: list[str]) -> None:
    """Take one call of a client. Raises whatever goes wrong; the caller ends the process all the same."""
    if os.environ.get(CRITIC):
        return
    given, options = _options(words)
    raw = given if given is not None else _standard_input()
    record = record_of(options["client"], raw, os.environ.get("CODEX_HOME", "")[:MAX_PATH])
    home = home_of(options["home"])
    if record is not None and home:
        _spool(home, record)
        _call_worker(home, options["python"])  # also when the spool was full: somebody has to work it off


def _options(words: list[str]) -> tuple[bytes | None, dict[str, str]]:
    """The payload when it came as the last word, and what the installer wrote into the command."""
    found = {"client": "", "home": "", "python": ""}
    rest = list(words)
    given = os.fsencode(rest.pop()) if rest and rest[-1].lstrip().startswith("{") else None
    while rest:
        word = rest.pop(0)
        if word in {"--home", "--python"}:
            found[word[2:]] = rest.pop(0) if rest else ""
        elif not found["client"]:
            found["client"] = word
    return given, found


def home_of(named: str) -> str:
    """Where the home is: as given, else $FERRULE_HOME, else the platform's data folder; empty when there is none."""
    chosen = named or os.environ.get("FERRULE_HOME", "")
    if chosen:
        return os.path.expanduser(chosen)  # noqa: PTH111 - see above
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return os.path.join(local, "ferrule") if local else ""  # noqa: PTH118 - see above
    if not (data := os.environ.get("XDG_DATA_HOME", "")).startswith("/"):
        data = _user() + ("/Library/Application Support" if sys.platform == "darwin" else "/.local/share")
    return os.path.join(data, "ferrule") if data.startswith("/") else ""  # noqa: PTH118 - see above


def _user() -> str:
    """The user's own folder, without a slash at its end."""
    home = os.environ.get("HOME", "")
    if not home.startswith("/"):
        import pwd  # noqa: PLC0415 - an environment without a usable HOME only

        home = pwd.getpwuid(os.getuid()).pw_dir
    return home.rstrip("/")


def _standard_input() -> bytes | None:
    """The payload; None when it is too long. All of it is read, so that the client's write never fails."""
    import select  # noqa: PLC0415 - not needed for a payload on the command line

    parts: list[bytes] = []
    size = 0
    end = time.monotonic() + PATIENCE_SECONDS
    while (left := end - time.monotonic()) > 0:
        if sys.platform != "win32" and not select.select([0], [], [], left)[0]:
            break  # a client that keeps the pipe open: what came may be whole
        part = os.read(0, CHUNK)
        if not part:
            break
        size += len(part)
        if size <= MAX_PAYLOAD:
            parts.append(part)
    return b"".join(parts) if size <= MAX_PAYLOAD else None


def record_of(client: str, raw: bytes | None, client_home: str = "") -> Record | None:
    """What is spooled of a payload; None when it is no turn of a main session."""
    payload = _payload(raw)
    size = MAX_PAYLOAD if raw is None else len(raw)
    if isinstance(payload, str):
        return _unknown(client, payload, size)
    event = _text(payload, "hook_event_name") or _text(payload, "type")
    if event in NO_TURNS or any(payload.get(key) for key in ("agent_id", "agent-id", "error")):
        return None
    kebab = event == "agent-turn-complete"
    if client not in {"claude-code", "codex"} or (event != "Stop" and not (kebab and client == "codex")):
        return _unknown(client, "another-event", size, event=event, payload=payload)
    turn = _turn(client, payload, client_home, kebab=kebab)
    return turn if turn is not None else _unknown(client, "incomplete", size, event=event, payload=payload)


def _payload(raw: bytes | None) -> dict[str, object] | str:
    """The payload, or what is wrong with it."""
    if not raw or not raw.strip():
        return "too-large" if raw is None else "empty"
    try:
        payload = parsed(raw.decode("utf-8"))
        return payload if isinstance(payload, dict) else "no-object"
    except (ValueError, RecursionError):
        return "not-json"


def _turn(client: str, payload: dict[str, object], client_home: str, *, kebab: bool) -> Record | None:
    """The spool's record of a completed turn; None when what names it is missing or no name."""
    session = _text(payload, "thread-id" if kebab else "session_id")
    turn = _text(payload, "turn-id" if kebab else "turn_id" if client == "codex" else "prompt_id")
    transcript = "" if kebab else _text(payload, "transcript_path")
    final = _text(payload, "last-assistant-message" if kebab else "last_assistant_message")
    needed = (session, turn) if client == "codex" else (session, transcript, turn or final.strip())
    if not (all(needed) and _is_name(session) and _is_name(turn) and len(transcript) <= MAX_PATH):
        return None
    return {
        "version": VERSION,
        "kind": "turn",
        "client": client,
        "event": "notify" if kebab else "Stop",
        "session": session,
        "turn": turn,
        "transcript": transcript,
        "end": _size(transcript),
        "final": digest(final) if final.strip() else "",
        "cwd": _text(payload, "cwd")[:MAX_PATH],
        "stop_hook_active": payload.get("stop_hook_active") is True,
        "client_home": client_home,
        "when": time.time_ns() // 1_000_000,
    }


def _unknown(
    client: str, shape: str, size: int, *, event: str = "", payload: dict[str, object] | None = None
) -> Record:
    """What is kept of a payload that is not understood: the names of its members, and how long these are.

    Names of a few plain letters only, so that neither a word of the turn nor a secret that stands as a name gets in.
    """
    members = payload or {}
    sizes = {name: len(value) if isinstance(value, str | list | dict) else 0 for name, value in members.items()}
    keys = [[name, size] for name, size in sizes.items() if _is_word(name)][:MAX_KEYS]
    return {
        "version": VERSION,
        "kind": "unknown",
        "client": client if _is_word(client) else "",
        "event": event if _is_word(event) else "",
        "shape": shape,
        "bytes": size,
        "keys": keys,
        "more_keys": len(members) - len(keys),
        "when": time.time_ns() // 1_000_000,
    }


def _text(payload: dict[str, object], key: str) -> str:
    found = payload.get(key)
    return found if isinstance(found, str) else ""


def _is_name(text: str) -> bool:
    return len(text) <= MAX_NAME and text.isprintable() and text.isascii() and " " not in text


def _is_word(text: str) -> bool:
    return len(text) <= MAX_WORD and text.isascii() and text.replace("_", "").replace("-", "").isalpha()


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size if path else -1  # noqa: PTH116 - see above
    except (OSError, ValueError):
        return -1


def digest(text: str) -> str:
    """The SHA-256 of a message without its white space, in hex: how a client joins its parts does not count."""
    try:
        from _sha256 import sha256  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - no OpenSSL
    except ImportError:
        try:
            from _sha2 import sha256  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - from 3.12 on
        except ImportError:
            from hashlib import sha256  # noqa: PLC0415 - another interpreter
    return str(sha256("".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest())


class _Plain:
    """How the scanner of the standard library's decoder is to read."""

    strict = False
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float
    memo: dict[str, str] = {}  # noqa: RUF012 - the scanner's own


def parsed(text: str) -> object:
    """The value of a JSON text. Raises ValueError when it is none.

    `json` itself brings `re` and `enum`: half of what this process costs. Its scanner in C is enough.
    """
    try:
        from _json import make_scanner  # noqa: PLC0415 - not in every interpreter

        scan = make_scanner(_Plain)  # type: ignore[arg-type]  # the stubs know the one class that it is used with
    except (ImportError, AttributeError, TypeError):
        from json import loads  # noqa: PLC0415 - see above

        return loads(text)
    start = len(text) - len(text.lstrip(" \t\r\n"))
    try:
        value, end = scan(text, start)
    except (StopIteration, SystemError):  # the latter where its error would be one of `json`, which is not loaded
        raise ValueError from None
    if text[end:].strip(" \t\r\n"):
        raise ValueError
    return value


def _json(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{_json(key)}:{_json(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_json, value)) + "]"
    try:
        from _json import encode_basestring_ascii  # noqa: PLC0415 - not in every interpreter
    except ImportError:
        from json.encoder import encode_basestring_ascii  # noqa: PLC0415 - see `parsed`
    return str(encode_basestring_ascii(str(value)))


def _spool(home: str, record: Record) -> None:
    """Write the record's file, whole or not at all; where there is no room for a turn, that is counted."""
    os.makedirs(home, mode=0o700, exist_ok=True)  # noqa: PTH103 - see above
    _check_folder(os.stat(home))  # noqa: PTH116 - see above
    spool = f"{home}/{SPOOL}"
    try:
        os.mkdir(spool, 0o700)  # noqa: PTH102 - see above
    except FileExistsError:
        facts = os.lstat(spool)
        _check_folder(facts)
        if facts.st_mode & 0o077 and sys.platform != "win32":
            os.chmod(spool, 0o700)  # noqa: PTH101 - see above
    data = _json(record).encode("ascii") + b"\n"
    unknown = record["kind"] == "unknown"
    names = os.listdir(spool)  # noqa: PTH208 - see above
    if unknown and sum(name.endswith(".unknown.json") for name in names) >= MAX_UNKNOWN:
        return
    if len(data) > MAX_FILE_BYTES or len(names) >= MAX_FILES:
        _mark_dropped(f"{spool}/{DROPPED}")
    else:
        name = f"{time.time_ns():020d}-{os.getpid()}{'.unknown' if unknown else ''}.json"
        _put(f"{spool}/.{name}.tmp", f"{spool}/{name}", data)


def _check_folder(facts: os.stat_result) -> None:
    """Our own folder, and nobody else's to write to (CASE-E07, CASE-E11)."""
    if not stat.S_ISDIR(facts.st_mode):
        raise NotADirectoryError
    if sys.platform != "win32" and (facts.st_uid != os.geteuid() or facts.st_mode & stat.S_IWOTH):
        raise PermissionError


def _put(fresh: str, path: str, data: bytes) -> None:
    """Written beside and renamed, so that a reader never sees half a file; a machine that dies may lose it."""
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | SAFELY, 0o600)
    done = False
    try:
        done = os.write(descriptor, data) == len(data)
    finally:
        os.close(descriptor)
        if not done:
            os.unlink(fresh)  # noqa: PTH108 - see above
    if done:
        os.rename(fresh, path)  # noqa: PTH104 - see above


def _mark_dropped(path: str) -> None:
    """One byte for each record that found no room; `doctor` counts them."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | SAFELY, 0o600)
    try:
        if os.fstat(descriptor).st_size < MAX_DROPS_COUNTED:
            os.write(descriptor, b".")
    finally:
        os.close(descriptor)


def _call_worker(home: str, python: str) -> None:
    """Ring for the home's worker, or start one that outlives this process and its client."""
    if _rung(home) or os.environ.get("FERRULE_WORKER", "").strip().casefold() == "off":
        return
    if python and hasattr(os, "fork"):
        _start(os.path.abspath(home), python)  # noqa: PTH100 - see above


def _rung(home: str) -> bool:
    path = f"{home}/{BELL}"
    try:
        if not stat.S_ISFIFO(os.lstat(path).st_mode):
            return False
        descriptor = os.open(path, os.O_WRONLY | SAFELY)
    except OSError:  # nobody listens
        return False
    try:
        os.write(descriptor, b"!")
    except OSError as error:  # the worker went, or it was rung often enough
        return isinstance(error, BlockingIOError)
    finally:
        os.close(descriptor)
    return True


def _start(home: str, python: str) -> None:
    """Start a worker; with the home's lock in its hands, so that a burst of turns starts one."""
    if (lock := _lock(home)) is None:
        return
    around = {n: v for n, v in os.environ.items() if n in KEPT or n.startswith(KEPT_BEGINNINGS)}
    around[LOCK_VARIABLE] = str(lock) if lock >= 0 else ""
    if lock >= 0:
        os.set_inheritable(lock, True)  # noqa: FBT003 - the standard library's own signature
    if os.fork():
        return
    try:
        os.setsid()
        os.chdir(home)
        os.dup2(1, 0)  # the null device, as standard output is; what else the client left open is not kept open
        for low, high in ((3, max(lock, 3)), (max(lock, 2) + 1, 1024)):
            os.closerange(low, high)
        # -P: no module of the folder that the worker works in goes before Ferrule's own.
        os.execve(python, [python, "-P", "-m", "ferrule", "worker", "--home", home], around)  # noqa: S606 - ours
    finally:
        os._exit(127)


def _lock(home: str) -> int | None:
    """The home's worker lock, held; -1 when a worker that is leaving has it; None when one is just starting."""
    import fcntl  # noqa: PLC0415 - only where a worker is started

    path = f"{home}/{LOCK}"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | SAFELY, 0o600)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise PermissionError
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        starting = b'"pid": 0,' in os.pread(descriptor, LOCK_BYTES, 0)
        return None if starting or _rung(home) else -1
    os.pwrite(descriptor, STARTING, 0)
    return descriptor


if __name__ == "__main__":
    try:
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 1)
        os.dup2(null, 2)
        main(sys.argv[1:])
    finally:  # nothing that happened is the client's to know, and nothing at exit is worth its time
        os._exit(0)

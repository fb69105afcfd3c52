"""Which process of a client called: the nearest one above that is no shell, named so that no other is ever called so.

Owns the walk up the processes (Linux by `/proc`, elsewhere by `ps`), and which of them hold many conversations at once.
Knows nothing of what the name is for.
"""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["calling_process"]

_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "busybox", "fish"})
_SERVERS = ("app-server", "mcp-server", "exec-server", "remote-control")
_MAX_LEVELS = 5
_MAX_BYTES = 16 * 1024
_PS_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class _Process:
    name: str
    parent: int
    began: str
    words: str


def calling_process() -> str:
    """A name for the client's process that started this one; empty when it cannot be told, or holds many at once."""
    look = _from_proc if sys.platform == "linux" else _from_ps
    pid = os.getppid()
    for _ in range(_MAX_LEVELS):
        found = look(pid) if pid > 1 else None
        if found is None:
            return ""
        if found.name.removeprefix("-") not in _SHELLS:
            return "" if any(word in found.words for word in _SERVERS) else f"{pid}.{found.began}"
        pid = found.parent
    return ""


def _from_proc(pid: int) -> _Process | None:
    try:
        facts = _read(f"/proc/{pid}/stat")
        words = _read(f"/proc/{pid}/cmdline").replace("\x00", " ")
        boot = _read("/proc/sys/kernel/random/boot_id").strip()
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return None
    name, _, rest = facts.partition("(")[2].rpartition(")")
    fields = rest.split()
    if len(fields) < 20 or not fields[1].isdigit():  # noqa: PLR2004 - proc(5): field 22 is the start time
        return None
    return _Process(name, int(fields[1]), f"{fields[19]}.{boot}.{space}", words)


def _from_ps(pid: int) -> _Process | None:
    """As `ps` of BSD and macOS tells it: parent, start time in five words, command line."""
    import subprocess  # noqa: PLC0415 - costs more than all the rest, and only where there is no /proc

    command = ["ps", "-ww", "-o", "ppid=,lstart=,command=", "-p", str(pid)]
    try:
        done = subprocess.run(  # noqa: S603 - ps, arguments as a list
            command, capture_output=True, timeout=_PS_SECONDS, check=False, env={**os.environ, "LC_ALL": "C"}
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    fields = done.stdout[:_MAX_BYTES].decode("utf-8", "replace").split(maxsplit=6)
    if len(fields) < 7 or not fields[0].isdigit():  # noqa: PLR2004 - see above
        return None
    words = fields[6].strip()
    return _Process(os.path.basename(words.split()[0]), int(fields[0]), "-".join(fields[1:6]), words)  # noqa: PTH119 - a name


def _read(path: str) -> str:
    with Path(path).open("rb") as file:
        return file.read(_MAX_BYTES).decode("utf-8", "replace")

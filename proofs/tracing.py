"""A system call of another process fails, falls short, or is its last one: by strace, at the n-th call of its kind.

Owns attaching strace to a process that waits, the list of calls it made, and letting go. Counts begin when it is
attached. Knows nothing of what the process does.
"""

import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

__all__ = ["WATCHED", "Call", "Fault", "calls_of", "missing", "traced"]

# What changes a file or a name, or brings it to the disk; and what reads the store.
WATCHED = (
    "openat",
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "ftruncate",
    "fallocate",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "unlink",
    "unlinkat",
    "rmdir",
    "mkdir",
    "mkdirat",
    "fchmod",
    "chmod",
    "copy_file_range",
    "sendfile",
    "pread64",
)
_LINE = re.compile(r"^(?:\d+ +)?(\w+)\((.*)\) += (-?\d+|\?)(.*)$")
_PATIENCE = 20.0


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens at which call: `what` is strace's own word for it, `error=EIO`, `retval=1`, `signal=KILL`."""

    call: str
    number: int
    what: str
    for_ever: bool = False

    @property
    def expression(self) -> str:
        """As strace takes it."""
        return f"inject={self.call}:{self.what}:when={self.number}{'+' if self.for_ever else ''}"


@dataclass(frozen=True, slots=True)
class Call:
    """One call as strace saw it; `number` counts the calls of that name from 1."""

    name: str
    number: int
    text: str
    result: str
    injected: bool


def missing() -> str:
    """Why nothing can be traced here, or empty."""
    strace = shutil.which("strace")
    if strace is None:
        return "strace is not installed"
    # S603: the programme that was just found
    done = subprocess.run([strace, "-o", "/dev/null", "/bin/true"], check=False, capture_output=True, timeout=20)  # noqa: S603
    return "" if done.returncode == 0 else "strace may not trace here"


@contextmanager
def traced(process: int, log: Path, fault: Fault | None = None, *, names: tuple[str, ...] = WATCHED) -> Iterator[None]:
    """Trace a process and its threads while the block lasts; its calls stand in `log` with the paths of descriptors."""
    command = [
        shutil.which("strace") or "strace",
        "-f",
        "-y",
        "-s",
        "0",
        "-o",
        str(log),
        "-e",
        f"trace={','.join(names)}",
    ]
    command += ["-e", fault.expression] if fault is not None else []
    # S603: strace, with arguments of ours
    tracer = subprocess.Popen([*command, "-p", str(process)], stderr=subprocess.DEVNULL)  # noqa: S603
    try:
        _await_tracer(process, tracer)
        yield
    finally:
        tracer.terminate()  # it lets go of the process, which then lives on without faults
        try:
            tracer.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            tracer.kill()
            tracer.wait(_PATIENCE)


def _await_tracer(process: int, tracer: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + _PATIENCE
    while time.monotonic() < ends and tracer.poll() is None:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
        if "TracerPid:\t0\n" not in status:
            return
        time.sleep(0.0005)
    raise TimeoutError(f"strace did not attach to {process}")


def calls_of(log: Path) -> list[Call]:
    """The calls of a traced process, in order."""
    counts: dict[str, int] = {}
    found = []
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        match = _LINE.match(line)
        if match is None:
            continue
        name = match[1]
        counts[name] = counts.get(name, 0) + 1
        found.append(Call(name, counts[name], match[2], match[3] + match[4], "(INJECTED)" in line))
    return found

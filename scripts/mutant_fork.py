"""Work in a process of its own, bounded in time and memory, whose word comes back through a file.

Owns the fork. Knows nothing of mutants.
"""

import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

__all__ = ["in_fork"]

_MEMORY = 3 << 30


def in_fork(work: Callable[[], str], log: Path, timeout: float) -> str | None:
    """What the work says; None when it takes longer than that many seconds, empty when it dies."""
    answer = log.with_suffix(".answer")
    answer.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        try:
            with log.open("wb") as file:
                os.dup2(file.fileno(), 1)
                os.dup2(file.fileno(), 2)
            os.setsid()
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            most = int(timeout) + 1  # whoever waits may be gone: then it ends by itself
            resource.setrlimit(resource.RLIMIT_CPU, (most, most))
            answer.write_text(work(), encoding="utf-8")
        finally:
            traceback.print_exc()  # into the log: what the work raised is looked for there
            sys.stderr.flush()
            os._exit(0)
    end = time.monotonic() + timeout
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > end:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None
        time.sleep(0.005)
    return answer.read_text(encoding="utf-8") if answer.exists() else ""

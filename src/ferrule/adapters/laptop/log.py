"""What a worker that nobody watches has to say goes into one small file, which never grows beyond its bound.

Owns `worker.log` and the one older file beside it. It names sessions and turns by their keys and never quotes a turn
(INV-I6). A log that cannot be written is no reason to stop (CASE-K10). Knows nothing of what is told.
"""

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path

from ferrule.adapters.laptop.owning import open_own
from ferrule.errors import StoreError

__all__ = ["LOG_FILE", "MAX_LOG_BYTES", "open_log", "tell_log"]

LOG_FILE = "worker.log"
MAX_LOG_BYTES = 128 * 1024
_MAX_LINE = 500


def open_log(home: Path) -> int | None:
    """A descriptor to append to the log; None when that cannot be. A full log becomes the older one first."""
    path = home / LOG_FILE
    try:
        descriptor = open_own(path, os.O_WRONLY | os.O_APPEND, make=True)
        if os.fstat(descriptor).st_size < MAX_LOG_BYTES:
            return descriptor
        os.close(descriptor)
        path.replace(path.with_name(f"{LOG_FILE}.1"))
        return open_own(path, os.O_WRONLY | os.O_APPEND, make=True)
    except (OSError, StoreError):
        return None


def tell_log(home: Path, line: str, clock: Callable[[], float] = time.time) -> None:
    """Append one line with its time (UTC) and our process id."""
    descriptor = open_log(home)
    if descriptor is None:
        return
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(clock()))
    text = f"{when} {os.getpid()} {line}".encode("unicode_escape")[:_MAX_LINE] + b"\n"
    with contextlib.suppress(OSError):
        os.write(descriptor, text)
    os.close(descriptor)

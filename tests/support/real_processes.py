"""Processes with an end: run to it or ended, what a worker does waited for, how many reviews a home has.

Owns time limits. Knows nothing of clients.
"""

import contextlib
import os
import resource
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ferrule.adapters.laptop.lock import holder

__all__ = ["LONG", "Ran", "bounded", "end_worker", "reviews", "wait_for"]

LONG = 60.0


@dataclass(frozen=True, slots=True)
class Ran:
    """What a process did: its exit code, what it said, CPU (its waited children's too) and wall seconds."""

    code: int
    out: str
    err: str
    cpu: float = 0.0
    wall: float = 0.0


def bounded(words: Sequence[str], *, environment: Mapping[str, str], folder: Path, seconds: float) -> Ran:
    """A process, to its end; its output goes to files, so that nobody waits for what a daemon keeps open.

    Raises:
        AssertionError: the time is over; the process and its group are ended.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.monotonic()
        process = subprocess.Popen(  # noqa: S603 - the client that is tried
            list(words),
            env=dict(environment),
            cwd=folder,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
        )
        ended, status, usage = 0, 0, resource.getrusage(resource.RUSAGE_SELF)
        while not ended and time.monotonic() - began < seconds:
            time.sleep(0.01)
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        wall = time.monotonic() - began
        if not ended:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(LONG)
        process.returncode = os.waitstatus_to_exitcode(status)
        said = [_read(stream) for stream in (out, err)]
    assert ended, f"it did not end within {seconds} s: {said}"
    return Ran(process.returncode, said[0], said[1], usage.ru_utime + usage.ru_stime, wall)


def _read(stream: BinaryIO) -> str:
    stream.seek(0)
    return stream.read().decode("utf-8", "replace")


def wait_for(condition: Callable[[], bool], what: str) -> None:
    """Poll for what a worker does, within a bound."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def reviews(home: Path) -> int:
    """How many reviews are committed; 0 while there is no store yet."""
    file = home / "ferrule.sqlite3"
    if file.exists():
        with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(file)) as connection:
            return int(connection.execute("SELECT count(*) FROM reviews").fetchone()[0])
    return 0


def end_worker(home: Path, number: int = signal.SIGTERM) -> None:
    """End the worker of that home, if there is one, and wait for its end."""
    there = holder(home)
    if there is None or there.pid <= 0:
        return
    with contextlib.suppress(ProcessLookupError):
        os.kill(there.pid, number)
    wait_for(lambda: holder(home) is None, "the end of the worker")

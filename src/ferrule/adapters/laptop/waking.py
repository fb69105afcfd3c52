"""Whoever queued something pokes the worker, or starts one; it takes a moment and never fails the caller.

Owns the choice between the bell and a start, so that a burst of wakes starts one worker: whoever finds nobody takes the
lock and hands it to the worker that it starts (R77, INV-I8). A wake after the enqueue is never lost: a listening worker
looks after each ring; one that is starting looks after it began to listen; one that is leaving stopped listening before
it looked for the last time, and then another is started, which waits for the lock. Knows nothing of queues.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from ferrule.adapters.laptop.bell import ring
from ferrule.adapters.laptop.launching import spawn
from ferrule.adapters.laptop.lock import Holder, WorkerLock, holder
from ferrule.errors import StoreError

__all__ = ["STARTING", "SWITCH", "Wake", "Woken", "wake"]

SWITCH = "FERRULE_WORKER"
"""Set to `off`, this variable forbids starting workers; one that runs is still rung for."""
STARTING = "starting"


class Wake(StrEnum):
    """What a wake came to."""

    RUNG = "rung"
    STARTING = "starting"
    STARTED = "started"
    OFF = "off"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Woken:
    """What a wake came to, and why it failed when it did. What is queued stays queued."""

    wake: Wake
    reason: str = ""


Start: TypeAlias = Callable[[Path, Mapping[str, str], int | None], None]


def wake(home: Path, environment: Mapping[str, str] | None = None, *, start: Start = spawn) -> Woken:
    """See to it that a worker looks at what waits in a home. Never raises; call it after the enqueue is committed."""
    around = os.environ if environment is None else environment
    try:
        if ring(home):
            return Woken(Wake.RUNG)
        if around.get(SWITCH, "").strip().casefold() == "off":
            return Woken(Wake.OFF)
        return _started(home, around, start)
    except (StoreError, OSError, ValueError) as error:
        return Woken(Wake.FAILED, str(error))


def _started(home: Path, environment: Mapping[str, str], start: Start) -> Woken:
    lock = WorkerLock.taken(home)
    if lock is not None:
        try:
            lock.tell(Holder(doing=STARTING))
            start(home, environment, lock.descriptor)
        finally:
            lock.close()
        return Woken(Wake.STARTED)
    there = holder(home)
    if there is not None and there.pid == 0 and there.doing == STARTING:
        return Woken(Wake.STARTING)
    if ring(home):
        return Woken(Wake.RUNG)
    start(home, environment, None)
    return Woken(Wake.STARTED)

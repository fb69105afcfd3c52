"""A home's worker from outside: poke it or start it, and ask how it stands.

Owns those two for an open home; running a worker is `wiring.workshop`. Light: every attach and event comes by here.
Knows nothing of what a worker does.
"""

from dataclasses import dataclass
from pathlib import Path

from ferrule.adapters.laptop.lock import holder
from ferrule.adapters.laptop.waking import STARTING, Wake, Woken
from ferrule.adapters.laptop.waking import wake as wake_at
from ferrule.errors import StoreError
from ferrule.wiring.home import Home

__all__ = ["Wake", "Woken", "WorkerStanding", "wake", "worker_standing"]


@dataclass(frozen=True, slots=True)
class WorkerStanding:
    """How the worker of a home stands.

    Attributes:
        running: whether there is one, also while it starts.
        pid: its process; 0 while it starts, or when none runs.
        since: when it began, in seconds since the epoch; 0 when unknown.
        version: the version of Ferrule that it runs.
        doing: `starting`, `idle`, `leaving`, or the sessions and turns that it reviews.
        trouble: what keeps it from working, or why the home has no place for one; empty when nothing does.
    """

    running: bool = False
    pid: int = 0
    since: float = 0.0
    version: str = ""
    doing: str = ""
    trouble: str = ""


def wake(home: Home) -> Woken:
    """See to it that a worker looks at what waits. Call it after the commit; it never raises and never waits (R77)."""
    return wake_at(home.path)


def worker_standing(home: Home | Path) -> WorkerStanding:
    """How the worker stands now; never raises."""
    try:
        there = holder(home if isinstance(home, Path) else home.path)
    except (StoreError, OSError) as error:
        return WorkerStanding(trouble=str(error))
    if there is None:
        return WorkerStanding()
    return WorkerStanding(
        running=True,
        pid=there.pid,
        since=there.since,
        version=there.version,
        doing=there.doing or STARTING,
        trouble=there.trouble,
    )

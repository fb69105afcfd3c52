"""How sources, their companions and the home's worker stand, for `status`.

Owns gathering it from an open home at the time of the clock. Knows nothing of how it is shown.
"""

import time
from dataclasses import dataclass

from ferrule.companion.standing import AttachmentState, Standing, portfolio, standing_of
from ferrule.wiring.home import Home
from ferrule.wiring.sessions import found
from ferrule.wiring.working import WorkerStanding, worker_standing

__all__ = ["AttachmentState", "HomeStanding", "Standing", "WorkerStanding", "standing"]


@dataclass(frozen=True, slots=True)
class HomeStanding:
    """Sources of a home with the time at which they were looked at, in seconds since the epoch."""

    at: float
    sources: tuple[Standing, ...]
    worker: WorkerStanding


def standing(home: Home, name: str | None) -> HomeStanding:
    """One source by its name, or every one when None: attached ones first, then by recency.

    Raises:
        UsageError: no such session.
    """
    now = time.time()
    if name is None:
        return HomeStanding(now, portfolio(home.store, now), worker_standing(home))
    session = found(home, name)
    sources = () if session is None else (standing_of(home.store, session, now),)
    return HomeStanding(now, sources, worker_standing(home))

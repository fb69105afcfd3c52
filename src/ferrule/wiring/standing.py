"""How sources, their companions and the home's worker stand, for `status`.

Owns gathering it from an open home at the time of the clock. Knows nothing of how it is shown.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from ferrule.companion.standing import AttachmentState, Standing, portfolio, standing_of
from ferrule.wiring.home import Home
from ferrule.wiring.quiet_places import silence_of
from ferrule.wiring.scrubbing import detector_fault
from ferrule.wiring.sessions import found
from ferrule.wiring.settings import read_quiet
from ferrule.wiring.working import WorkerStanding, worker_standing

__all__ = ["AttachmentState", "HomeStanding", "Standing", "WorkerStanding", "standing"]


@dataclass(frozen=True, slots=True)
class HomeStanding:
    """Sources of a home with the time at which they were looked at, in seconds since the epoch.

    `off` says of those of which nothing is captured any more why, by their keys; `detector` why the detector of secrets
    that the settings name finds none, empty where it works or none is named.
    """

    at: float
    sources: tuple[Standing, ...]
    worker: WorkerStanding
    off: Mapping[str, str] = field(default_factory=dict)
    detector: str = ""


def standing(home: Home, name: str | None) -> HomeStanding:
    """One source by its name, or every one when None: attached ones first, then by recency.

    Raises:
        UsageError: no such session.
    """
    now = time.time()
    if name is None:
        sources = portfolio(home.store, now)
        return _standing(home, now, sources)
    session = found(home, name)
    sources = () if session is None else (standing_of(home.store, session, now),)
    return _standing(home, now, sources)


def _standing(home: Home, now: float, sources: tuple[Standing, ...]) -> HomeStanding:
    fault = detector_fault(home.path, home.settings.detector)
    return HomeStanding(now, sources, worker_standing(home), _off(home, sources), fault)


def _off(home: Home, sources: tuple[Standing, ...]) -> dict[str, str]:
    quiet = read_quiet(home.path)
    silences = {one.session.key: silence_of(home.path, (one.session.cwd,), quiet) for one in sources}
    return {key: str(silence) for key, silence in silences.items() if silence is not None}

"""A source's reviews rest and go on as a person says; what waits keeps its place, and events go on queueing.

Owns pause and resume. Knows nothing of how a lane is worked.
"""

from dataclasses import dataclass

from ferrule.companion.answers import Declined
from ferrule.companion.binding import observed
from ferrule.companion.ports import CompanionStore
from ferrule.errors import Code
from ferrule.session.eligibility import Ineligibility, Ineligible
from ferrule.wiring.home import Home
from ferrule.wiring.working import wake

__all__ = ["Rested", "pause", "resume"]


@dataclass(frozen=True, slots=True)
class Rested:
    """How a lane stands after a pause or resume.

    Attributes:
        source: the source session's key.
        paused: whether its reviews rest.
        waiting: instructions that are not reviewed yet, one in a worker's hands included.
        parked: instructions that were given up after too many attempts.
        unparked: how many of those wait again now.
    """

    source: str
    paused: bool
    waiting: int
    parked: int
    unparked: int = 0


def pause(home: Home, source: str) -> Rested | Declined:
    """Let a source's reviews rest; one in a worker's hands is finished.

    Raises:
        StoreError: the home cannot be written; nothing was changed.
    """
    with home.store.unit():
        refused = _refused(home.store, source)
        if refused is not None:
            return refused
        home.store.pause(source, paused=True)
        return _rested(home.store, source, unparked=0)


def resume(home: Home, source: str, *, parked: bool = False) -> Rested | Declined:
    """Let a source's reviews go on; with `parked` also what was given up waits again, with fresh attempts.

    Raises:
        StoreError: the home cannot be written; nothing was changed.
    """
    with home.store.unit():
        refused = _refused(home.store, source)
        if refused is not None:
            return refused
        home.store.pause(source, paused=False)
        unparked = home.store.unpark(source) if parked else 0
        rested = _rested(home.store, source, unparked=unparked)
    if rested.waiting:
        wake(home)
    return rested


def _refused(store: CompanionStore, source: str) -> Declined | None:
    """Only a source has a lane; an archived one rests in any case and may be told to rest longer."""
    found = observed(store, source)
    if isinstance(found, Ineligible) and found.why is not Ineligibility.ARCHIVED:
        return Declined(Code.NOT_ATTACHABLE, str(found))
    return None


def _rested(store: CompanionStore, source: str, *, unparked: int) -> Rested:
    lane = store.lane(source)
    if lane is None:
        return Rested(source, paused=False, waiting=0, parked=0, unparked=unparked)
    return Rested(source, lane.paused, lane.waiting, lane.parked, unparked)

"""A claim stays its worker's for as long as the worker thinks, and no longer than one lease after it stopped thinking.

Owns the heartbeat: a thread that renews a lease at a third of its length, so that two beats may fail before it ends. A
lease that was lost (a machine that slept, another worker) is not fought for: the commit is refused and the turn is
reviewed again (INV-I1). Knows nothing of reviews.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ferrule.companion.ports import LaneStore
from ferrule.errors import StoreError
from ferrule.session.source import LaneClaim

__all__ = ["Lease", "renewed"]

BEATS_PER_LEASE = 3
_LAST_BEAT_SECONDS = 1.0


class Lease:
    """A lease that is kept alive; `lost` once the store said that it is no longer ours."""

    def __init__(self, store: LaneStore, claim: LaneClaim, seconds: float) -> None:
        self._store = store
        self._claim = claim
        self._seconds = seconds
        self._ended = threading.Event()
        self.lost = False

    def beat(self) -> bool:
        """Renew it once; False when there is nothing more to renew."""
        try:
            self.lost = not self._store.renew(self._claim, lease_seconds=self._seconds)
        except StoreError:
            return True  # a full disk or a busy store may pass before the lease runs out
        return not self.lost

    def keep(self) -> None:
        """Renew it until it ends or is lost."""
        while not self._ended.wait(self._seconds / BEATS_PER_LEASE) and self.beat():
            pass

    def end(self) -> None:
        """No further beat."""
        self._ended.set()


@contextmanager
def renewed(store: LaneStore, claim: LaneClaim, seconds: float) -> Iterator[Lease]:
    """Keep the claim's lease alive inside the block."""
    lease = Lease(store, claim, seconds)
    thread = threading.Thread(target=lease.keep, name="ferrule-lease", daemon=True)
    thread.start()
    try:
        yield lease
    finally:
        lease.end()
        # A beat that is under way ends by itself; it changes nothing once the claim is settled.
        thread.join(_LAST_BEAT_SECONDS)

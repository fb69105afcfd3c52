"""A finished review that could not be handed in is kept for the next claim of its turn, so nobody thinks it out again.

Owns those reviews, in memory and few: an evaluation may hold a source's gate for as long as it likes, and each review
costs a model's time. Whether one may still be handed in is the desk's to say. What is lost with the process, or pushed
out by others, is reviewed again. Knows nothing of gates.
"""

import threading

from ferrule.bridge.door import Door
from ferrule.bridge.values import TurnReview
from ferrule.session.source import LaneClaim

__all__ = ["MOST_KEPT", "FinishedReviews"]

MOST_KEPT = 16


class FinishedReviews:
    """Reviews by source and turn, the oldest pushed out by the newest. Safe to use from several threads."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], tuple[Door, TurnReview]] = {}
        self._lock = threading.Lock()

    def keep(self, claim: LaneClaim, door: Door, review: TurnReview) -> None:
        """Keep what was to be handed in under this claim."""
        with self._lock:
            self._kept[claim.source, claim.instruction.turn] = (door, review)
            if len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]

    def taken(self, claim: LaneClaim) -> tuple[Door, TurnReview] | None:
        """The kept review of the claimed turn, which is kept no longer; None when there is none."""
        with self._lock:
            return self._kept.pop((claim.source, claim.instruction.turn), None)

"""Whoever wants a lane that another worker holds waits, for as long as that one gets on with it.

Owns that waiting: what is told meanwhile, and when it is given up. Knows nothing of how turns are reviewed.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ferrule.companion.ports import CompanionStore
from ferrule.session.source import InstructionState
from ferrule.session.turn import Turn

__all__ = ["Patience"]

_PAUSE = 0.2
# Between two turns nobody may hold a lane for a moment; the lane of an archived session is never held.
_MOMENT = 1.0


@dataclass(slots=True)
class Patience:
    """How to wait.

    Attributes:
        told: told what is waited for.
        pause: waits so many seconds.
        seconds: how long without any change in the lane until it is given up.
    """

    told: Callable[[str], None] = lambda _: None
    pause: Callable[[float], None] = time.sleep
    seconds: float = 600.0
    _seen: tuple[str, int, str] = field(default=("", 0, ""), init=False)
    _waited: float = field(default=0.0, init=False)

    def waited(self, store: CompanionStore, turn: Turn) -> bool:
        """Whether it is worth trying again, after a moment's wait; False when this turn's lane does not move."""
        lane = store.lane(turn.session)
        standing = store.instruction(turn.session, turn.key)
        if lane is None or standing is None or lane.paused:
            return False
        if standing.state not in {InstructionState.WAITING, InstructionState.CLAIMED}:
            return False
        seen = (lane.reviewing, lane.reviewed, turn.key)
        if seen != self._seen:
            self._seen, self._waited = seen, 0.0
        if self._waited >= (self.seconds if lane.reviewing else _MOMENT):
            return False
        if lane.reviewing:
            self.told(f"{turn.session}: another process is reviewing turn {lane.reviewing}; waiting for it")
        self.pause(_PAUSE)
        self._waited += _PAUSE
        return True

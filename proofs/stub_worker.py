"""One worker process of the campaigns, which can be killed at any moment.

Owns what it does: the real store, the real worker with its hands, chores and heartbeats; a stub mind that thinks for a
while, and a log of what was begun, committed and refused, for the judge. It ends when `<home>/over` is there. Knows
nothing of who kills.
"""

import os
import random
import resource
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.door import Door, ReviewDesk
from ferrule.bridge.values import Receipt, TurnReview
from ferrule.companion.dispatching import drain
from ferrule.companion.worker import Critic
from ferrule.companion.working import Bell, Hours, Worker, Workshop
from ferrule.errors import StoreError
from ferrule.session.source import LaneClaim
from proofs.stubs import PlainDesk, StubReviewer

__all__ = ["LOGS", "OVER", "Terms", "run"]

OVER = "over"
LOGS = "logs"
_LOOK = 0.05  # seconds; instead of a caller that rings
_FOR_EVER = 3600.0

Log = Callable[[str, LaneClaim], None]


@dataclass(frozen=True, slots=True)
class Terms:
    """How a worker of a campaign works.

    Attributes:
        lease: seconds.
        think: how long its mind takes for a turn at most, in seconds.
        hands: how many sources it reviews at the same time.
    """

    lease: float = 2.0
    think: float = 0.0
    hands: int = 1


@dataclass
class EvenBell(Bell):
    """Rings by itself at an even pace, until the campaign is over."""

    home: Path
    stop: Callable[[], None] = lambda: None
    _nudged: threading.Event = field(default_factory=threading.Event)

    def listen(self) -> None:
        """Nobody else rings."""

    def leave(self) -> None:
        """Nobody else rings."""

    def nudge(self) -> None:
        """Let `wait` return."""
        self._nudged.set()

    def wait(self, seconds: float | None) -> bool:
        """Sleep for a look's time at most."""
        nudged = self._nudged.wait(_LOOK if seconds is None else min(seconds, _LOOK))
        self._nudged.clear()
        if (self.home / OVER).exists():
            self.stop()
        return not nudged


class LoggedDesk(ReviewDesk):
    """A desk that says what is begun, committed and refused."""

    def __init__(self, desk: ReviewDesk, log: Log) -> None:
        self._desk = desk
        self._log = log

    def open(self, claim: LaneClaim) -> Door:
        """The desk's own door."""
        self._log("claimed", claim)
        return self._desk.open(claim)

    def commit(self, door: Door, review: TurnReview, claim: LaneClaim) -> tuple[Receipt, ...]:
        """The desk's own commit."""
        try:
            receipts = self._desk.commit(door, review, claim)
        except StoreError:
            self._log("refused", claim)
            raise
        self._log("committed", claim)
        return receipts


def run(home: Path, name: str, terms: Terms) -> None:
    """The whole life of one worker; its resident memory stands in a file afterwards."""
    store = SqliteStore(home, time.time)
    chance = random.Random(name)
    reviewer = StubReviewer(lambda: time.sleep(terms.think * 2 * chance.random()))
    desk = LoggedDesk(PlainDesk(store), _log_of(home, name))
    critic = Critic(store, desk, reviewer, lease_seconds=terms.lease, worker=name)
    while not (home / OVER).exists():
        bell = EvenBell(home)
        shop = Workshop(critic, bell, settled=lambda _: None, chores=(partial(_drained, store),))
        worker = Worker(shop, Hours(terms.hands, idle_seconds=_FOR_EVER))
        bell.stop = worker.stop
        worker.run()
    store.close()
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # KiB, bytes on macOS
    resident //= 1024 if sys.platform == "darwin" else 1
    (home / LOGS / f"{name}.rss").write_text(str(resident), encoding="ascii")


def _drained(store: SqliteStore) -> float | None:
    """Dispatch what was stored; when the next event is due."""
    while drain(store, now=time.time()):
        pass
    return store.next_event()


def _log_of(home: Path, name: str) -> Log:
    """One line per event, written at once: what a killed process said before is there."""
    descriptor = os.open(home / LOGS / name, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def log(what: str, claim: LaneClaim) -> None:
        line = f"{what}\t{time.time():.3f}\t{claim.epoch}\t{claim.instruction.turn}\t{claim.source}\n"
        os.write(descriptor, line.encode())

    return log

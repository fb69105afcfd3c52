"""One worker process of the campaigns, which can be killed at any moment.

Owns what it does: the real store and the real critic turn, a stub mind that thinks for a while, and a log of claims and
refusals for the judge. It ends when `<home>/over` is there. Knows nothing of who kills.
"""

import os
import random
import resource
import time
from collections.abc import Callable
from pathlib import Path

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.dispatching import drain
from ferrule.companion.worker import Critic, review_claim
from ferrule.session.source import LaneClaim
from proofs.stubs import PlainDesk, StubReviewer

__all__ = ["LOGS", "OVER", "run"]

OVER = "over"
LOGS = "logs"
_BETWEEN = 0.02


def work(home: Path, name: str, lease: float, think: float) -> None:
    """Review whatever is due until the campaign is over."""
    store = SqliteStore(home, time.time)
    log = _log_of(home, name)
    chance = random.Random(name)
    reviewer = StubReviewer(lambda: time.sleep(think * 2 * chance.random()))
    critic = Critic(store, PlainDesk(store), reviewer, lease_seconds=lease, worker=name)
    while not (home / OVER).exists():
        drain(store, now=time.time())
        claim = store.claim_next(lease_seconds=lease, worker=name)
        if claim is None:
            time.sleep(_BETWEEN)
            continue
        log("claimed", claim)
        outcome = review_claim(critic, claim)
        log("lost" if outcome is None else outcome.outcome.value, claim)
    store.close()


def _log_of(home: Path, name: str) -> Callable[[str, LaneClaim], None]:
    """One line per event, written at once: what a killed process said before is there."""
    descriptor = os.open(home / LOGS / name, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def log(what: str, claim: LaneClaim) -> None:
        line = f"{what}\t{time.time():.3f}\t{claim.epoch}\t{claim.instruction.turn}\t{claim.source}\n"
        os.write(descriptor, line.encode())

    return log


def run(home: Path, name: str, lease: float, think: float) -> None:
    """The whole life of one worker; its resident memory stands in a file afterwards."""
    work(home, name, lease, think)
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    (home / LOGS / f"{name}.rss").write_text(str(resident), encoding="ascii")

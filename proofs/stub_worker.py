"""One worker process of the campaigns: `python -m proofs.stub_worker HOME NAME LEASE THINK THREADS`.

Owns a process that can be killed at any moment: the real store and the real critic turn, a stub mind that thinks for a
while, and a log of claims and refusals for the judge. It ends when `<home>/over` is there. Knows nothing of who kills.
"""

import os
import random
import resource
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from proofs.stubs import PlainDesk, StubReviewer

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.worker import Critic, review_claim
from ferrule.session.source import LaneClaim

__all__ = ["LOGS", "OVER", "work"]

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


def main(asked: list[str]) -> int:
    """Run the threads of one worker."""
    home, name, lease, think, threads = Path(asked[0]), asked[1], float(asked[2]), float(asked[3]), int(asked[4])
    others = [
        threading.Thread(target=work, args=(home, f"{name}-{number}", lease, think), daemon=True)
        for number in range(1, threads)
    ]
    for thread in others:
        thread.start()
    work(home, f"{name}-0", lease, think)
    for thread in others:
        thread.join()
    (home / LOGS / f"{name}.rss").write_text(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

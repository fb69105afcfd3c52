"""The two who write: the critic of a home, and NLMemory for a person's own hand.

Owns the choice of a reviewer and the making of both. Apart from the home, because a command that only reads needs
neither the rules nor a reviewer. Knows nothing of turns.
"""

import os
from functools import partial

from ferrule.companion.worker import Critic
from ferrule.memory.desk import MemoryDesk
from ferrule.memory.nlmemory import NLMemory
from ferrule.review.embedded.reviewer import EmbeddedReviewer
from ferrule.session.gate import trespass
from ferrule.wiring.home import NO_SESSION, Home

__all__ = ["critic_of", "memory_of", "projected"]


def critic_of(home: Home, *, threshold: float | None = None) -> Critic:
    """What a worker works with in this home; `threshold` goes before the home's setting."""
    reviewer = EmbeddedReviewer(threshold=home.settings.threshold if threshold is None else threshold)
    return Critic(
        home.store,
        MemoryDesk(home.store, home.permanent, gate=home.gate, permanent_of=home.permanent_of),
        reviewer,
        lease_seconds=home.settings.lease_seconds,
        unheld=partial(_unheld, home),
        worker=str(os.getpid()),
    )


def _unheld(home: Home) -> None:
    """Before a reviewer is called: nobody may wait for it under a gate or in a transaction (R78, CASE-M07)."""
    held = home.gate.held()
    if held:
        trespass(f"a reviewer is called under the gate of {', '.join(held)}")
    if home.store.is_inside():
        trespass("a reviewer is called inside a store transaction")


def memory_of(home: Home, session: str = NO_SESSION) -> NLMemory:
    """The memory of a home's sessions, over the permanent layer of one of them."""
    return NLMemory(home.store, home.permanent_of(session), home.path, gate=home.gate)


def projected(home: Home, session: str) -> None:
    """Bring the readable projection of a session up to date (D12)."""
    memory_of(home, session).project(session)

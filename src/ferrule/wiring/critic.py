"""The critic of a home: the embedded reviewer, and the desk of its store.

Owns the choice of a reviewer. Knows nothing of turns.
"""

from ferrule.companion.worker import Critic
from ferrule.memory.desk import MemoryDesk
from ferrule.review.embedded.reviewer import EmbeddedReviewer
from ferrule.wiring.home import Home

__all__ = ["critic_of"]


def critic_of(home: Home) -> Critic:
    """What a worker works with in this home."""
    return Critic(home.store, MemoryDesk(home.store, home.permanent), EmbeddedReviewer())

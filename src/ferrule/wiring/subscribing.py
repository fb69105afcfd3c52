"""Subscriptions of companions over a home, as the platform asks for them.

Owns reading the clock for them. Knows nothing of the shapes in which a platform asks.
"""

import time
from collections.abc import Sequence

from ferrule.companion import listening
from ferrule.companion.answers import Declined, Detached
from ferrule.session.subscriptions import Subscription
from ferrule.wiring.attaching import expiry
from ferrule.wiring.home import Home

__all__ = ["subscribe", "subscriptions", "unsubscribe"]


def subscribe(
    home: Home, source: str, subscriber: str, events: Sequence[str], *, ttl: float | None = None
) -> Subscription | Declined:
    """Deliver a source's events to its companion for `ttl` seconds from now, or for good when None; queues nothing.

    Raises:
        UsageError: `BAD_TOOL_ARGS` when the time to live is none.
        StoreError: the home cannot be written; nothing was changed.
    """
    now = time.time()
    expires = None if ttl is None else expiry(ttl, now)
    return listening.subscribe(home.store, source, subscriber, events, expires=expires, now=now)


def unsubscribe(home: Home, source: str, subscriber: str) -> Detached | Declined:
    """End that delivery; what waits is withdrawn, memory stays (R96).

    Raises:
        StoreError: the home cannot be written; nothing was changed.
    """
    return listening.unsubscribe(home.store, source, subscriber)


def subscriptions(home: Home, source: str | None) -> tuple[Subscription, ...]:
    """The subscriptions that deliver now, of one source or of all."""
    return listening.active(home.store, source, time.time())

"""A companion and what it listens to: who reviews a source, with what, and how the source's events reach it.

Owns the values (design.md section 3, platform.md sections 1.3 and 1.8). Knows nothing of stores or of events' texts.
"""

from dataclasses import dataclass
from enum import StrEnum

from ferrule.session.source import CRITIC_PROFILE

__all__ = ["HANDLER", "TURN_COMPLETED", "Companion", "Delivery", "Subscription"]

TURN_COMPLETED = "turn.completed"
HANDLER = "tool:ToDispatchOnlineSessionMemoryCriticEvent"


class Delivery(StrEnum):
    """How the events of a subscription arrive.

    `local`: handed over by a process of this machine that may open the home. `queue-input`: stored as input first and
    dispatched by the worker. `webhook`: from anywhere, taken only with a valid signature over its bytes.
    """

    LOCAL = "local"
    QUEUE_INPUT = "queue-input"
    WEBHOOK = "webhook"


@dataclass(frozen=True, slots=True)
class Companion:
    """The one hidden child that reviews a source, and the reviewer chosen for it (R7, R8, R91).

    Blank `provider`, `model` and `reasoning` mean: as the home's settings say.
    """

    key: str
    source: str
    profile: str = CRITIC_PROFILE
    reviewer: str = "embedded"
    provider: str = ""
    model: str = ""
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A companion's standing order for its source's `turn.completed` (R79).

    Attributes:
        first_ordinal: the first turn that it covers; older ones are history and are never scanned (R81).
        enabled: False after detach (R96).
        expires: seconds since the epoch after which nothing is delivered any more; None for never.
        created: seconds since the epoch.
    """

    source: str
    companion: str
    first_ordinal: int
    event: str = TURN_COMPLETED
    enabled: bool = True
    expires: float | None = None
    delivery: Delivery = Delivery.LOCAL
    handler: str = HANDLER
    created: float = 0.0

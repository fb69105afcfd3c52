"""The public event envelope, read strictly: an event is a few names and a turn key, never text (platform.md 1.8).

Owns the envelope, its JSON form in PascalCase, and its signature. Knows nothing of subscriptions or of what an event
leads to.
"""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["EventEnvelope", "EventState", "StoredEvent"]


@dataclass(frozen=True, slots=True)
class EventEnvelope:
    """`{EventId, EventType, SourceSessionKey, TargetSessionKey, OccurredUtc, Data: {TurnKey}}`.

    Attributes:
        target: the companion that it is meant for; empty when the sender leaves it to the subscription.
        occurred: the sender's time as it wrote it; told, never ordered by (CASE-H08).
    """

    id: str
    type: str
    source: str
    target: str
    occurred: str
    turn: str


class EventState(StrEnum):
    """What has become of a stored event."""

    RECEIVED = "received"
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as the store keeps it: once per id, with the digest of its envelope and what came of it (R92).

    `outcome` is the name of the answer (`queued duplicate ignored declined`), `code` and `reason` its details. An event
    that waits for its turn to be stored is not looked at before `due` (seconds since the epoch).
    """

    envelope: EventEnvelope
    digest: str
    state: EventState = EventState.RECEIVED
    outcome: str = ""
    code: str = ""
    reason: str = ""
    attempts: int = 0
    due: float = 0.0

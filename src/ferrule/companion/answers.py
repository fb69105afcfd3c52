"""What the companion answers to an attach, a detach, a feedback or an event: closed unions of frozen values.

Owns the values; interfaces translate them at the outer edge. Knows nothing of stores.
"""

from dataclasses import dataclass
from typing import TypeAlias

from ferrule.errors import Code
from ferrule.session.source import Instruction
from ferrule.session.subscriptions import Companion, Subscription

__all__ = [
    "Acceptance",
    "Attached",
    "Attachment",
    "Declined",
    "Detached",
    "Dispatch",
    "Duplicate",
    "FeedbackAnswer",
    "Ignored",
    "Noted",
    "Queued",
    "Received",
]


@dataclass(frozen=True, slots=True)
class Declined:
    """Refused with a stable code and one clear sentence; nothing was changed (R9, R59)."""

    code: Code
    reason: str


@dataclass(frozen=True, slots=True)
class Attached:
    """The child and its subscription stand, exactly the selected turn is queued (R72-R75).

    `already` tells that this turn had been queued or reviewed before (CASE-H12); `instruction` shows how it stands.
    """

    companion: Companion
    subscription: Subscription
    instruction: Instruction
    already: bool = False


Attachment: TypeAlias = Attached | Declined


@dataclass(frozen=True, slots=True)
class Detached:
    """The subscription is off, memory stays (R96). `withdrawn` instructions had not been reviewed yet."""

    source: str
    withdrawn: int = 0
    was_attached: bool = True


@dataclass(frozen=True, slots=True)
class Noted:
    """What a person thinks of a turn was kept; neutral and down neither attach nor detach (R72)."""

    source: str
    turn: str
    value: str


FeedbackAnswer: TypeAlias = Attached | Noted | Declined


@dataclass(frozen=True, slots=True)
class Queued:
    """The event's turn waits in its lane; `text` is the rendered instruction (R80)."""

    instruction: Instruction
    text: str


@dataclass(frozen=True, slots=True)
class Duplicate:
    """This event or turn was delivered before: success, nothing more to do (`DUPLICATE_TURN`, INV-I4)."""

    source: str
    turn: str
    reason: str


@dataclass(frozen=True, slots=True)
class Ignored:
    """A sound event that asks for nothing here: another type, before the attach, after detach or expiry (CASE-H06)."""

    source: str
    turn: str
    reason: str


Dispatch: TypeAlias = Queued | Duplicate | Ignored | Declined


@dataclass(frozen=True, slots=True)
class Received:
    """A `queue-input` event is stored, one durable row, and a worker will dispatch it: what HTTP answers with 202."""

    event: str
    source: str
    turn: str


Acceptance: TypeAlias = Received | Duplicate | Ignored | Declined

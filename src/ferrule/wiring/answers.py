"""What the companion answers, as public values: interfaces translate them, programs match on them.

Owns nothing: the unions are the companion's, and this is the door through which the outer layers see them. Knows
nothing of how an answer is come by.
"""

from ferrule.companion.answers import (
    Acceptance,
    Attached,
    Attachment,
    Declined,
    Detached,
    Dispatch,
    Duplicate,
    FeedbackAnswer,
    Ignored,
    Noted,
    Queued,
    Received,
)

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

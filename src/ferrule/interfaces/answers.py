"""Answers as JSON: one shape for the command line, the platform's actions and whoever asks later.

Owns the names of the members (snake_case). Knows nothing of how an answer is come by or shown.
"""

from datetime import UTC, datetime
from typing import TypeAlias, assert_never

from ferrule.errors import Code
from ferrule.session.source import Instruction
from ferrule.session.subscriptions import Companion, Subscription
from ferrule.wiring.answers import Attached, Declined, Detached, Duplicate, Ignored, Noted, Queued, Received
from ferrule.wiring.resting import Rested

__all__ = ["Answer", "answer_json", "rested_json", "utc"]

Answer: TypeAlias = Attached | Declined | Detached | Duplicate | Ignored | Noted | Queued | Received


def answer_json(answer: Answer) -> dict[str, object]:
    """The answer as one object; `answer` names it."""
    row: dict[str, object]
    match answer:
        case Attached():
            row = _attached(answer)
        case Declined():
            row = {"answer": "declined", "code": answer.code.value, "reason": answer.reason}
        case Detached():
            row = {"answer": "detached", "source": answer.source, "withdrawn": answer.withdrawn}
            row["was_attached"] = answer.was_attached
        case Duplicate():
            row = {"answer": "duplicate", "code": Code.DUPLICATE_TURN.value, **_told(answer)}
        case Ignored():
            row = {"answer": "ignored", **_told(answer)}
        case Noted():
            row = {"answer": "noted", "source": answer.source, "turn": answer.turn, "value": answer.value}
        case Queued():
            row = {"answer": "queued", **_instruction(answer.instruction), "text": answer.text}
        case Received():
            row = {"answer": "received", "event": answer.event, "source": answer.source, "turn": answer.turn}
        case _:
            assert_never(answer)
    return row


def rested_json(row: Rested) -> dict[str, object]:
    """How a lane stands after a pause or resume."""
    return {
        "answer": "paused" if row.paused else "resumed",
        "source": row.source,
        "waiting": row.waiting,
        "parked": row.parked,
        "unparked": row.unparked,
    }


def utc(seconds: float) -> str:
    """Seconds since the epoch in ISO 8601."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _attached(answer: Attached) -> dict[str, object]:
    return {
        "answer": "attached",
        **_instruction(answer.instruction),
        "already": answer.already,
        "companion": answer.companion.key,
        "reviewer": _reviewer(answer.companion),
        "subscription": _subscription(answer.subscription),
    }


def _told(answer: Duplicate | Ignored) -> dict[str, object]:
    return {"source": answer.source, "turn": answer.turn, "reason": answer.reason}


def _instruction(row: Instruction) -> dict[str, object]:
    return {
        "source": row.source,
        "turn": row.turn,
        "ordinal": row.ordinal,
        "state": row.state.value,
        "origin": row.origin.value,
    }


def _reviewer(companion: Companion) -> dict[str, object]:
    return {
        "name": companion.reviewer,
        "provider": companion.provider,
        "model": companion.model,
        "reasoning": companion.reasoning,
    }


def _subscription(row: Subscription) -> dict[str, object]:
    return {
        "event": row.event,
        "first_ordinal": row.first_ordinal,
        "delivery": row.delivery.value,
        "enabled": row.enabled,
        "expires": None if row.expires is None else utc(row.expires),
    }

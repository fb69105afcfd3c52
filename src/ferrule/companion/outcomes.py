"""What became of one turn, as the companion tells it while it works.

Owns the value and its JSON form. Knows nothing of how a review is made.
"""

from dataclasses import dataclass
from enum import StrEnum

from ferrule.errors import Code

__all__ = ["Outcome", "TurnOutcome"]


class Outcome(StrEnum):
    """The four ends of a turn (design.md section 8)."""

    WROTE = "wrote"
    NOTHING = "nothing"
    FAILED = "failed"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """One turn: reviewed now, reviewed before (`already`), failed and retryable, or declined.

    `review` is the stored review in its JSON form, empty for a turn that was not reviewed; `code` tells why one failed.
    """

    source: str
    turn: str
    ordinal: int
    outcome: Outcome
    reason: str = ""
    already: bool = False
    code: Code | None = None
    review: dict[str, object] | None = None

    def json_form(self) -> dict[str, object]:
        """One element of `reviews` in `ferrule review --json`."""
        form: dict[str, object] = {
            "turn": {"key": self.turn, "ordinal": self.ordinal},
            "outcome": self.outcome.value,
            "reason": self.reason,
            "candidates": [],
            "written": [],
            "refused": [],
            "calls": [],
            "usage": {"requests": 0, "input_tokens": 0, "output_tokens": 0, "cpu_ms": 0.0},
        }
        form |= self.review or {}
        if self.code is not None:
            form["code"] = self.code.value
        return form | {"already": True} if self.already else form

"""The figures that judgement and quietness are to reach (design.md section 9), as data.

Owns the goals and whether a figure reaches one. Knows nothing of how figures are made or shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["AMNESIA_TOKENS", "GOALS", "Goal"]

AMNESIA_TOKENS = 600


@dataclass(frozen=True, slots=True)
class Goal:
    """At least a value, or at most."""

    value: float
    least: bool
    digits: int = 2

    def words(self, *, plain: bool = False) -> str:
        """As it is shown; `plain` in ASCII, for terminals."""
        if not self.value:
            return "0"
        sign = (">=" if self.least else "<=") if plain else ("≥" if self.least else "≤")
        return f"{sign} {self.value:.{self.digits}f}"

    def is_met(self, value: float) -> bool:
        """Whether a figure reaches it."""
        return value >= self.value if self.least else value <= self.value


GOALS: Mapping[str, Goal | None] = {
    "precision": Goal(0.92, least=True),
    "recall": Goal(0.80, least=True),
    "f1": None,
    "lenient_precision": None,
    "abstention": Goal(0.95, least=True),
    "handle_support": Goal(0.97, least=True),
    "handle_completeness": Goal(0.85, least=True),
    "modality_accuracy": Goal(0.90, least=True),
    "acceptable_share": Goal(0.35, least=False),
    "writes_per_100_turns": Goal(80, least=False, digits=0),
    "forbidden": Goal(0, least=False, digits=0),
    "handleless": Goal(0, least=False, digits=0),
}
"""Every figure of the summary in the order in which it is shown; None where no goal is named."""

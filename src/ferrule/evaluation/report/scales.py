"""Values become places on a drawing, in order, and never outside of it.

Owns linear and logarithmic scales and their ticks. Knows nothing of what is drawn.
"""

import math
from dataclasses import dataclass

__all__ = ["Scale", "Tick", "linear_ticks", "log_ticks", "number_words"]

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_MOST_DECADES = 12
_MANY_DECADES = 4


@dataclass(frozen=True, slots=True)
class Tick:
    """A value with its words."""

    value: float
    words: str


@dataclass(frozen=True, slots=True)
class Scale:
    """From `low` to `high` in values, from `start` to `end` on the drawing; `log` wants both values above 0."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        """Where a value stands; one outside of the scale stands at its end."""
        low, high, found = self.low, self.high, min(max(value, self.low), self.high)
        if self.log:
            low, high, found = math.log10(low), math.log10(high), math.log10(found)
        share = (found - low) / (high - low) if high > low else 0.0
        return self.start + share * (self.end - self.start)


def linear_ticks(low: float, high: float, about: int = 5) -> tuple[Tick, ...]:
    """Round values from `low` to `high`, some `about` of them."""
    if not high > low:
        return (Tick(low, number_words(low)),)
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * step for step in _STEPS if power * step >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(Tick(number * step, number_words(number * step)) for number in range(first, last + 1))


def log_ticks(low: float, high: float) -> tuple[Tick, ...]:
    """1, 2 and 5 of each decade from `low` to `high`, only 1 where there are many decades."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    heads = (1,) if last - first > _MANY_DECADES else (1, 2, 5)
    powers = range(first, min(last, first + _MOST_DECADES) + 1)
    values = [head * 10.0**power for power in powers for head in heads]
    return tuple(Tick(value, number_words(value)) for value in values if low <= value <= high)


def number_words(value: float) -> str:
    """A tick's words: no more digits than it needs."""
    return f"{round(value, 6):,.10g}"

"""Chance is drawn from the run's own generator and from nothing else, so that a seed is a whole history.

Owns the one question that is asked of it by its share. Knows nothing of what hangs on the answer.
"""

import random

__all__ = ["happens"]


def happens(rng: random.Random, share: float) -> bool:
    """Whether something that happens in this share of all cases happens now."""
    return rng.random() < share

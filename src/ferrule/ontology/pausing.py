"""While a hundred thousand prototypes grow, Python's collector would walk all of them over and over: half of the time.

Owns the pause. Prototypes have no cycles, and reference counting goes on. Knows nothing of what grows.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["collector_paused"]


@contextmanager
def collector_paused() -> Iterator[None]:
    """The collector stands still until the block ends; who had switched it off finds it off."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()

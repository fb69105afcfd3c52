"""A worker that is there already is found before anything heavy is loaded.

Owns that look. Knows nothing of how a worker works.
"""

from pathlib import Path

from ferrule.adapters.laptop.bell import ring
from ferrule.adapters.laptop.lock import holder
from ferrule.wiring.locating import located

__all__ = ["rung_for"]


def rung_for(path: Path | str | None) -> int | None:
    """Ring for the worker of a home; its process, 0 when it does not say, None when none listens."""
    place = located(path)
    try:
        if not ring(place):
            return None
    except OSError:  # the home is not to be entered: whoever wants to work there says so better
        return None
    there = holder(place)
    return 0 if there is None else there.pid

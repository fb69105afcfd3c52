"""A worker notices that the package it was started from is no longer the one on disk.

Owns the print of an installed package: which file `__init__.py` is now. An upgrade replaces it or takes it away. Knows
nothing of versions.
"""

from pathlib import Path

import ferrule

__all__ = ["Print", "installed"]

Print = tuple[int, int, int, int]


def installed(package: Path | None = None) -> Print | None:
    """What stands on disk as this package now; None while it is away."""
    try:
        facts = (package or Path(ferrule.__file__)).stat()
    except OSError:
        return None
    return (facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns)

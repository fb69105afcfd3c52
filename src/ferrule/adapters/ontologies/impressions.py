"""A file is as it was read, or its bytes say so, or it counts as another one.

Owns what is kept of a file that was read, and when a look from outside is enough to believe that it still is the same:
only when size, times and number are equal, and it had rested for longer than any clock's step when it was read. A file
that was touched, copied back or changed a moment before is read again and its digest decides. Knows nothing of what is
in a file.
"""

import time
from dataclasses import dataclass, replace
from pathlib import Path

from ferrule.adapters.sqlite.files import digest_of
from ferrule.errors import StoreError
from ferrule.ontology.sources import SourceFile

__all__ = ["Impression", "now", "settled", "verified"]

# FAT keeps times in steps of two seconds; every other file system in smaller ones.
_STEP_NS = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Impression:
    """One file as it was read: how it looked before, the SHA-256 of its bytes, and whether it had come to rest."""

    look: SourceFile
    digest: str
    rested: bool


def now() -> int:
    """Nanoseconds since the epoch."""
    return time.time_ns()


def settled(look: SourceFile, at: int) -> bool:
    """Whether a file that is read at this time cannot be changed any more without looking different afterwards."""
    return max(look.modified, look.changed) + _STEP_NS < at


def verified(known: Impression, look: SourceFile, at: int) -> Impression | None:
    """The impression that holds now: the known one, a fresh one with the same digest, or None for another file."""
    if look == known.look and known.rested:
        return known
    if look.size != known.look.size:
        return None
    try:
        digest = digest_of(Path(look.path))
    except StoreError:
        return None
    return replace(known, look=look, rested=settled(look, at)) if digest == known.digest else None

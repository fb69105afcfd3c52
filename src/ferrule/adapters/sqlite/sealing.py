"""A row that was changed behind Ferrule's back is told by its seal (CASE-N01, C11).

Owns the seal of a memory's row. Knows nothing of how rows are read or written.
"""

import hashlib
from collections.abc import Mapping

__all__ = ["seal"]

_SEALED = ("name", "partial", "bases", "properties", "handles", "merged", "turn", "ordinal", "modality", "revision")


def seal(memory: Mapping[str, object]) -> str:
    """The digest over everything that a memory's row says."""
    text = "\x1f".join(str(memory[column]) for column in _SEALED)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

"""The search by meaning is switched on by pointing at a model; without that nothing of it is loaded.

Owns which model a home uses. Knows nothing of what it finds.
"""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ferrule.memory.meaning import Meaning
from ferrule.wiring.home import Home

if TYPE_CHECKING:
    from ferrule.adapters.embeddings.static_model import StaticModel

__all__ = ["meaning_of"]


def meaning_of(home: Home) -> Meaning | None:
    """What searches by meaning in a home, None unless a person points at a model (setting `embeddings`)."""
    folder = home.settings.embeddings
    return None if folder is None else Meaning(home.store, _model(folder))


@lru_cache(maxsize=2)
def _model(folder: Path) -> "StaticModel":
    """The model of a folder, read once in a process."""
    from ferrule.adapters.embeddings.static_model import StaticModel  # noqa: PLC0415 - only where it is asked for

    return StaticModel(folder)

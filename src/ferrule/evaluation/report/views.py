"""Each lane has a letter and a tone through the whole page, and lanes that tell the same are drawn once.

Owns these views of lanes. Knows nothing of figures or markup.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ferrule.evaluation.report.plots import Key
from ferrule.evaluation.report.reading import Row, lanes_of

__all__ = ["DRAWN", "Together", "View", "together", "views_of"]

DRAWN = 6
"""So many lanes are drawn; tables have all."""
_LETTERS = 26


@dataclass(frozen=True, slots=True)
class View:
    """One lane: how it is told apart, and its section of `metrics.json`."""

    letter: str
    name: str
    tone: int
    row: Row

    def key(self, words: str = "", shape: str = "bar") -> Key:
        """Its entry in a legend."""
        return Key(self.letter, words or self.name, self.tone, shape)


@dataclass(frozen=True, slots=True)
class Together:
    """Lanes that say the same of something."""

    views: tuple[View, ...]

    @property
    def first(self) -> View:
        """The one that stands for all."""
        return self.views[0]

    @property
    def names(self) -> str:
        """All of them."""
        return ", ".join(view.name for view in self.views)

    @property
    def letters(self) -> str:
        """All of their letters."""
        return ", ".join(view.letter for view in self.views)


def views_of(metrics: Row) -> tuple[View, ...]:
    """All lanes in order, from A on."""
    return tuple(View(_letter(at), name, at, row) for at, (name, row) in enumerate(lanes_of(metrics).items()))


def _letter(at: int) -> str:
    return chr(ord("A") + at % _LETTERS) + (str(at // _LETTERS) if at >= _LETTERS else "")


def together(views: Sequence[View], told: Callable[[View], object]) -> tuple[Together, ...]:
    """Lanes of which the same is told, joined; lanes of which nothing is told are left out."""
    found: dict[str, list[View]] = {}
    for view in views:
        value = told(view)
        if value:
            found.setdefault(json.dumps(value, sort_keys=True), []).append(view)
    return tuple(Together(tuple(members)) for members in found.values())

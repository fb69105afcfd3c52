"""Stored figures are JSON that anybody may have edited; these look into them without trusting their shape.

Owns tolerant access to the members of `metrics.json` and its like, and how figures are worded. Knows nothing of markup.
"""

import math
from collections.abc import Mapping

__all__ = [
    "NOT_COUNTED",
    "Row",
    "count",
    "ends",
    "figure",
    "interval_words",
    "lanes_of",
    "many",
    "members",
    "rows",
    "share_words",
    "shown",
    "signed",
    "text",
    "texts",
    "words",
]

Row = Mapping[str, object]
NOT_COUNTED = "-"
_TEN = 10.0
_THOUSAND = 1000.0
_MOST_TEXT = 4000
_PAIR = 2


def text(row: Row, name: str) -> str:
    """A text member, of bounded length; empty when it is absent or null."""
    value = row.get(name)
    found = "" if value is None else str(value)
    return found if len(found) <= _MOST_TEXT else found[:_MOST_TEXT] + "…"


def figure(row: Row, name: str) -> float | None:
    """A finite number; None when it is absent or something else."""
    return _finite(row.get(name))


def _finite(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    # A count stays a whole number, so that it is shown as one.
    return None if not math.isfinite(found) else value if isinstance(value, int) else found


def count(row: Row, name: str) -> int:
    """A whole number; 0 when it is absent or something else."""
    value = row.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def rows(row: Row, name: str) -> list[Row]:
    """A member that is a list of objects; what is none is left out."""
    value = row.get(name)
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list | tuple) else []


def texts(row: Row, name: str) -> list[str]:
    """A member that is a list of texts."""
    value = row.get(name)
    return [str(item)[:_MOST_TEXT] for item in value] if isinstance(value, list | tuple) else []


def members(row: Row, name: str) -> Row:
    """A member that is an object; empty when it is absent."""
    value = row.get(name)
    return value if isinstance(value, Mapping) else {}


def ends(row: Row, name: str) -> tuple[float, float] | None:
    """An interval, low end first."""
    value = row.get(name)
    if not isinstance(value, list | tuple) or len(value) != _PAIR:
        return None
    low, high = _finite(value[0]), _finite(value[1])
    return None if low is None or high is None or low > high else (low, high)


def lanes_of(metrics: Row) -> dict[str, Row]:
    """The lanes of a `metrics.json` in order."""
    return {name: row for name, row in members(metrics, "lanes").items() if isinstance(row, Mapping)}


def words(name: str) -> str:
    """A figure's name as it is read."""
    return name.replace("_", " ")


def shown(value: float | None) -> str:
    """A figure: three digits behind the point below ten, none from a thousand on; a dash for what was not counted."""
    if value is None:
        return NOT_COUNTED
    if isinstance(value, int):
        return f"{value:,}"
    if abs(value) < _TEN:
        return f"{value:.3f}"
    return f"{value:.1f}" if abs(value) < _THOUSAND else f"{value:.0f}"


def share_words(value: float | None) -> str:
    """A share in per cent."""
    return NOT_COUNTED if value is None else f"{100 * value:.0f} %"


def signed(value: float | None) -> str:
    """A difference with its sign."""
    if value is None:
        return NOT_COUNTED
    if isinstance(value, int):
        return f"{value:+,}"
    return f"{value:+.3f}" if abs(value) < _TEN else f"{value:+.1f}"


def interval_words(found: tuple[float, float] | None) -> str:
    """An interval as it is read; empty for none."""
    if found is None:
        return ""
    digits = 3 if max(map(abs, found)) < _TEN else 1
    return f"{found[0]:.{digits}f} to {found[1]:.{digits}f}"


def many(number: int, one: str, more: str | None = None) -> str:
    """A count with its noun."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"

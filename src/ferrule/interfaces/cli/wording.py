"""Numbers in words: counted things, runs of ordinals, how long ago.

Owns those small phrases, the same on every page. Knows nothing of what is counted.
"""

from collections.abc import Sequence

__all__ = ["ago", "counted", "share", "spans_of", "within"]

SHOWN_SPANS = 6
_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86_400.0


def counted(number: int, one: str, many: str = "") -> str:
    """`1 turn`, `2 turns`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def share(part: float) -> str:
    """A share in whole percent; never 100 % while something is left, never 0 % when something is done."""
    percent = round(part * 100)
    if percent == 100 and part < 1:  # noqa: PLR2004 - percent
        percent = 99
    return f"{1 if percent == 0 and part > 0 else percent} %"


def spans_of(ordinals: Sequence[int]) -> str:
    """`3-7, 9`: sorted numbers, runs drawn together, only the first few of many."""
    spans: list[list[int]] = []
    for number in ordinals:
        if spans and number <= spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in spans[:SHOWN_SPANS]]
    return ", ".join(shown) + (", …" if len(spans) > SHOWN_SPANS else "")


def ago(seconds: float) -> str:
    """How long ago, in the largest unit that fits; the future, as a clock set back shows it, is `just now`."""
    return "just now" if seconds < _MINUTE else f"{_span(seconds)} ago"


def within(seconds: float) -> str:
    """When something will be."""
    return "now" if seconds < 1 else f"in {_span(seconds)}"


def _span(seconds: float) -> str:
    if seconds < _MINUTE:
        return f"{round(seconds)} s"
    if seconds < _HOUR:
        return f"{int(seconds // _MINUTE)} min"
    if seconds < _DAY:
        return f"{int(seconds // _HOUR)} h"
    return counted(int(seconds // _DAY), "day")

"""A drawing of lines over two axes, with marked points and their intervals.

Owns axes, lines, marks and the guides that show a goal. Knows nothing of where values come from.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ferrule.evaluation.report.markup import Html, tag
from ferrule.evaluation.report.plots import TONES, Key, Plot, cut, drawing, legend, place, shape
from ferrule.evaluation.report.scales import Scale, Tick, linear_ticks, log_ticks

__all__ = ["Axis", "Guide", "Line", "Mark", "lines", "named_axis"]

_LEFT, _RIGHT, _TOP, _BOTTOM = 48.0, 424.0, 12.0, 256.0
_BELOW = 44.0
_KEY = 20.0
_NAMED_ROOM = 0.35
_DASHES = 4


@dataclass(frozen=True, slots=True)
class Axis:
    """What stands along one side."""

    words: str
    low: float
    high: float
    ticks: tuple[Tick, ...]
    log: bool = False

    @staticmethod
    def linear(words: str, low: float, high: float) -> "Axis":
        """Round values from low to high."""
        return Axis(words, low, high, linear_ticks(low, high))

    @staticmethod
    def logarithmic(words: str, low: float, high: float) -> "Axis":
        """1, 2 and 5 of each decade; both ends are above 0."""
        return Axis(words, low, high, log_ticks(low, high), log=True)


def named_axis(words: str, names: Sequence[str]) -> Axis:
    """A place for each name, in order: the first at 0, the next at 1."""
    ticks = tuple(Tick(float(at), cut(name, 9)) for at, name in enumerate(names))
    return Axis(words, -_NAMED_ROOM, max(len(names) - 1, 0) + _NAMED_ROOM, ticks)


@dataclass(frozen=True, slots=True)
class Line:
    """Points in order, joined; `dotted` marks each of them."""

    key: Key
    points: tuple[tuple[float, float], ...]
    dotted: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """One point that is shown by a shape of its own, with its intervals where they are known."""

    key: Key
    x: float
    y: float
    across: tuple[float, float] | None = None
    upright: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Guide:
    """A dashed line from side to side: at a value of x or of y, or the diagonal when both are None."""

    x: float | None = None
    y: float | None = None


@dataclass(frozen=True, slots=True)
class _Field:
    x: Scale
    y: Scale


def lines(
    plot: Plot,
    axes: tuple[Axis, Axis],
    drawn: Sequence[Line],
    marks: Sequence[Mark] = (),
    *,
    guides: Sequence[Guide] = (),
) -> Html:
    """The drawing; `axes` are x and y."""
    across, upright = axes
    field = _Field(
        Scale(across.low, across.high, _LEFT, _RIGHT, across.log),
        Scale(upright.low, upright.high, _BOTTOM, _TOP, upright.log),
    )
    keys = [*(line.key for line in drawn), *(mark.key for mark in marks)]
    parts = _axes(axes, field)
    parts += [_guide(guide, field) for guide in guides]
    for line in drawn:
        parts += _line(line, field)
    for mark in marks:
        parts += _mark(mark, field)
    bottom = _BOTTOM + _BELOW
    told = "; ".join([*map(_line_words, drawn), *map(_mark_words, marks)])
    return drawing(plot, bottom + _KEY * len(keys) + 4, told, [*parts, *legend(keys, bottom)])


def _axes(axes: tuple[Axis, Axis], field: _Field) -> list[Html]:
    across, upright = axes
    parts = []
    for tick in across.ticks:
        x = place(field.x.at(tick.value))
        parts.append(tag("line", x1=x, x2=x, y1=place(_TOP), y2=place(_BOTTOM), class_="grid"))
        parts.append(tag("text", tick.words, x=x, y=place(_BOTTOM + 16), class_="tick", text_anchor="middle"))
    for tick in upright.ticks:
        y = field.y.at(tick.value)
        parts.append(tag("line", x1=place(_LEFT), x2=place(_RIGHT), y1=place(y), y2=place(y), class_="grid"))
        parts.append(tag("text", tick.words, x=place(_LEFT - 6), y=place(y + 4), class_="tick", text_anchor="end"))
    middle = place((_LEFT + _RIGHT) / 2)
    parts.append(tag("text", across.words, x=middle, y=place(_BOTTOM + 34), class_="axis", text_anchor="middle"))
    turned = f"translate(11 {place((_TOP + _BOTTOM) / 2)}) rotate(-90)"
    parts.append(tag("text", upright.words, transform=turned, class_="axis", text_anchor="middle"))
    return parts


def _guide(guide: Guide, field: _Field) -> Html:
    x, y = field.x, field.y
    if guide.x is not None:
        found = (x.at(guide.x), y.start, x.at(guide.x), y.end)
    elif guide.y is not None:
        found = (x.start, y.at(guide.y), x.end, y.at(guide.y))
    else:
        found = (x.start, y.start, x.end, y.end)
    x1, y1, x2, y2 = map(place, found)
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="goal")


def _line(line: Line, field: _Field) -> list[Html]:
    points = [(field.x.at(x), field.y.at(y)) for x, y in line.points]
    path = " ".join(f"{place(x)},{place(y)}" for x, y in points)
    tone = f"t{line.key.tone % TONES}"
    parts = [tag("polyline", points=path, class_=f"line {tone} d{line.key.dash % _DASHES}")] if points else []
    if line.dotted:
        parts += [tag("circle", cx=place(x), cy=place(y), r="3.2", class_=f"dot {tone}") for x, y in points]
    return parts


def _mark(mark: Mark, field: _Field) -> list[Html]:
    x, y = field.x.at(mark.x), field.y.at(mark.y)
    parts = []
    if mark.across is not None:
        low, high = (place(field.x.at(end)) for end in mark.across)
        parts.append(tag("path", d=f"M{low} {place(y)}H{high}", class_="whisker"))
    if mark.upright is not None:
        low, high = (place(field.y.at(end)) for end in mark.upright)
        parts.append(tag("path", d=f"M{place(x)} {low}V{high}", class_="whisker"))
    return [*parts, shape(mark.key.shape, x, y, f"t{mark.key.tone % TONES}")]


def _line_words(line: Line) -> str:
    if not line.points:
        return f"{line.key.words}: nothing"
    (x0, y0), (x1, y1) = line.points[0], line.points[-1]
    return f"{line.key.words}: from {y0:.3g} at {x0:.3g} to {y1:.3g} at {x1:.3g}"


def _mark_words(mark: Mark) -> str:
    return f"{mark.key.words}: {mark.x:.3g} across, {mark.y:.3g} up"

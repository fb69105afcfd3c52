"""Drawings are inline SVG with a title and a description, sharp at any size, and told apart by more than colour.

Owns the frame of a drawing, its legend, and bars with intervals and goals. Knows nothing of where values come from.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from ferrule.evaluation.report.markup import Html, tag
from ferrule.evaluation.report.reading import interval_words, shown
from ferrule.evaluation.report.scales import Scale, linear_ticks

__all__ = ["TONES", "WIDTH", "Bar", "BarGroup", "Key", "Plot", "bars", "cut", "drawing", "legend", "place"]

WIDTH = 440
TONES = 8
_LEFT, _RIGHT = 20.0, 372.0
_LABEL, _BAR, _GAP = 19.0, 17.0, 7.0
_THICK = 9.0
_AXIS = 26.0
_KEY = 20.0
_MOST_LABEL = 44
_MOST_DESCRIBED = 3000
_LETTER_WIDTH = 7.2


@dataclass(frozen=True, slots=True)
class Plot:
    """What a drawing is called: `name` is unique on the page, `about` says in words what there is to see."""

    name: str
    title: str
    about: str


@dataclass(frozen=True, slots=True)
class Key:
    """An entry of a legend: a letter, words, a tone; `shape` of its sample: bar, line, circle, diamond or square."""

    letter: str
    words: str
    tone: int
    shape: str = "bar"
    dash: int = 0


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with its interval; nothing is drawn for None."""

    letter: str
    tone: int
    value: float | None
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class BarGroup:
    """Bars of one thing, with what they are to reach."""

    label: str
    bars: tuple[Bar, ...]
    goal: float | None = None
    goal_words: str = ""


def drawing(plot: Plot, height: float, described: str, parts: Sequence[Html]) -> Html:
    """The SVG itself, in a figure whose heading it carries."""
    title, desc = f"{plot.name}-t", f"{plot.name}-d"
    words = f"{plot.about} {described}".strip()
    picture = tag(
        "svg",
        tag("title", plot.title, id=title),
        tag("desc", words if len(words) <= _MOST_DESCRIBED else words[:_MOST_DESCRIBED] + " …", id=desc),
        *parts,
        viewBox=f"0 0 {WIDTH} {place(height)}",
        role="img",
        aria_labelledby=title,
        aria_describedby=desc,
        class_="plot",
    )
    caption = tag("figcaption", tag("h3", plot.title), tag("p", plot.about))
    return tag("figure", caption, picture)


def place(value: float) -> str:
    """A coordinate in a few letters."""
    return f"{value:.1f}".removesuffix(".0")


def cut(words: str, most: int = _MOST_LABEL) -> str:
    """A label that fits: wide letters count twice."""
    width = 0
    for at, letter in enumerate(words):
        width += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if width > most:
            return words[: max(1, at - 1)] + "…"
    return words


def bars(plot: Plot, groups: Sequence[BarGroup], keys: Sequence[Key], *, top: float, unit: str = "") -> Html:
    """Horizontal bars in groups, from 0 to `top`."""
    alone = len(keys) <= 1
    left = 4.0 if alone else _LEFT
    scale = Scale(0.0, top, left, _RIGHT)
    parts: list[Html] = []
    y = 4.0
    for group in groups:
        parts += _group(group, scale, y, letters=not alone)
        y += _LABEL + _BAR * len(group.bars) + _GAP
    grid = _grid(scale, y, unit)
    height = y + _AXIS
    keys = () if alone else keys
    told = "; ".join(_described(group, alone=alone) for group in groups)
    return drawing(plot, height + _KEY * len(keys) + 4, told, [*grid, *parts, *legend(keys, height)])


def _grid(scale: Scale, bottom: float, unit: str) -> list[Html]:
    parts = []
    ticks = linear_ticks(scale.low, scale.high)
    for tick in ticks:
        x = place(scale.at(tick.value))
        parts.append(tag("line", x1=x, x2=x, y1="4", y2=place(bottom), class_="grid"))
        last = tick is ticks[-1]
        words = f"{tick.words} {unit}".strip() if last else tick.words
        parts.append(tag("text", words, x=x, y=place(bottom + 15), class_="tick", text_anchor="middle"))
    return parts


def _group(group: BarGroup, scale: Scale, y: float, *, letters: bool) -> list[Html]:
    parts = [tag("text", cut(group.label), x="4", y=place(y + 13), class_="label")]
    top, bottom = y + _LABEL, y + _LABEL + _BAR * len(group.bars)
    for at, bar in enumerate(group.bars):
        parts += _bar(bar, scale, top + at * _BAR, letters=letters)
    if group.goal is not None:
        x = scale.at(group.goal)
        parts.append(tag("line", x1=place(x), x2=place(x), y1=place(top - 1), y2=place(bottom - 1), class_="goal"))
        point = f"{place(x - 4)},{place(top - 6)} {place(x + 4)},{place(top - 6)} {place(x)},{place(top)}"
        parts.append(tag("polygon", points=point, class_="goal-head"))
        words = group.goal_words
        parts.append(tag("text", words, x=place(WIDTH - 4.0), y=place(y + 13), class_="tick", text_anchor="end"))
    return parts


def _bar(bar: Bar, scale: Scale, y: float, *, letters: bool) -> list[Html]:
    middle = y + _BAR / 2 - 1
    parts: list[Html] = []
    if letters:
        parts.append(tag("text", bar.letter, x="4", y=place(middle + 4), class_="tick"))
    parts.append(tag("text", shown(bar.value), x=place(_RIGHT + 10), y=place(middle + 4), class_="value"))
    if bar.value is None:
        return parts
    end = scale.at(bar.value)
    parts.append(
        tag(
            "rect",
            x=place(scale.start),
            y=place(middle - _THICK / 2),
            width=place(max(end - scale.start, 0.5)),
            height=place(_THICK),
            class_=f"bar t{bar.tone % TONES}",
        )
    )
    if bar.interval is not None:
        low, high = scale.at(bar.interval[0]), scale.at(bar.interval[1])
        path = (
            f"M{place(low)} {place(middle - 4)}v8M{place(high)} {place(middle - 4)}v8M{place(low)} {place(middle)}"
            f"H{place(high)}"
        )
        parts.append(tag("path", d=path, class_="whisker"))
    return parts


def _described(group: BarGroup, *, alone: bool) -> str:
    told = []
    for bar in group.bars:
        ends = interval_words(bar.interval)
        told.append(f"{'' if alone else bar.letter + ' '}{shown(bar.value)}{f' ({ends})' if ends else ''}")
    goal = f", goal {group.goal_words}" if group.goal is not None else ""
    return f"{group.label}: {', '.join(told)}{goal}"


def legend(keys: Sequence[Key], y: float) -> list[Html]:
    """A line per entry, from `y` downwards: sample, letter, words."""
    parts: list[Html] = []
    for at, key in enumerate(keys):
        middle = y + at * _KEY + 8
        parts.append(_sample(key, middle))
        words = f"{key.letter}  {key.words}" if key.letter else key.words
        parts.append(tag("text", cut(words, 54), x="36", y=place(middle + 4), class_="tick"))
    return parts


def _sample(key: Key, y: float) -> Html:
    tone = f"t{key.tone % TONES}"
    if key.shape == "bar":
        return tag("rect", x="6", y=place(y - 5), width="22", height="10", class_=f"bar {tone}")
    if key.shape == "line":
        return tag("path", d=f"M4 {place(y)}H30", class_=f"line {tone} d{key.dash}")
    return shape(key.shape, 17.0, y, tone)


def shape(name: str, x: float, y: float, tone: str) -> Html:
    """A mark at a point: circle, diamond or square."""
    if name == "circle":
        return tag("circle", cx=place(x), cy=place(y), r="5", class_=f"spot {tone}")
    if name == "diamond":
        points = " ".join(f"{place(x + dx)},{place(y + dy)}" for dx, dy in ((0, -6.5), (6.5, 0), (0, 6.5), (-6.5, 0)))
        return tag("polygon", points=points, class_=f"spot {tone}")
    return tag("rect", x=place(x - 4.5), y=place(y - 4.5), width="9", height="9", class_=f"spot {tone}")

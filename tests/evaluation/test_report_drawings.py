"""Drawings: scales keep order, nothing stands outside, an interval holds its point, labels fit."""

import math
import re
from collections.abc import Sequence

import pytest
from html_parts import Element, parts_of
from hypothesis import given
from hypothesis import strategies as st
from report_cases import a_metrics

from ferrule.evaluation.report import charts
from ferrule.evaluation.report.lines import Axis, Line, Mark, lines, named_axis
from ferrule.evaluation.report.plots import WIDTH, Bar, BarGroup, Key, Plot, bars, cut
from ferrule.evaluation.report.reading import ends, figure, interval_words, shown, signed
from ferrule.evaluation.report.scales import Scale, linear_ticks, log_ticks
from ferrule.evaluation.report.views import together, views_of

VALUES = st.floats(-1e9, 1e9, allow_nan=False)
PLOT = Plot("p", "Title", "About.")


@given(VALUES, VALUES, VALUES, VALUES)
def test_a_linear_scale_keeps_order_and_stays_on_the_drawing(low: float, high: float, one: float, other: float) -> None:
    """Whatever the values are; an axis whose ends are one is a point."""
    scale = Scale(min(low, high), max(low, high), 10.0, 300.0)
    first, second = scale.at(min(one, other)), scale.at(max(one, other))
    assert 10.0 <= first <= second <= 300.0


@given(st.floats(0.001, 1e6), st.floats(1.1, 1e4), st.floats(0.0001, 1e9), st.floats(0.0001, 1e9))
def test_a_logarithmic_scale_does_too(low: float, times: float, one: float, other: float) -> None:
    """Also turned round, as y axes are: their higher values stand further up."""
    scale = Scale(low, low * times, 256.0, 12.0, log=True)
    first, second = scale.at(min(one, other)), scale.at(max(one, other))
    assert 12.0 - 1e-6 <= second <= first + 1e-6 <= 256.0 + 2e-6


@given(st.floats(0, 1e6), st.floats(0.001, 1e6))
def test_ticks_are_few_round_and_within(low: float, more: float) -> None:
    """Between two and a dozen, going up."""
    ticks = [tick.value for tick in linear_ticks(low, low + more)]
    assert 2 <= len(ticks) <= 7
    assert ticks == sorted(set(ticks))
    slack = more * 1e-6
    assert low - slack <= ticks[0] <= ticks[-1] <= low + more + slack


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [(4, 110, ["5", "10", "20", "50", "100"]), (0.5, 2, ["0.5", "1", "2"]), (1, 1e6, ["1", "10", "100", "1,000"])],
)
def test_logarithmic_ticks_stand_at_one_two_and_five(low: float, high: float, words: list[str]) -> None:
    """And only at powers of ten where there are many."""
    assert [tick.words for tick in log_ticks(low, high)][: len(words)] == words


def numbers(element: Element, *names: str) -> list[float]:
    """Attributes as numbers."""
    return [float(element.attributes[name]) for name in names]


def of_class(elements: Sequence[Element], name: str) -> list[Element]:
    """Elements that have a class."""
    return [element for element in elements if name in element.attributes.get("class", "").split()]


def ends_of(path: str) -> list[float]:
    """First and last coordinate of a whisker."""
    found = re.fullmatch(r"M\S+ \S+v8M\S+ \S+v8M(\S+) \S+H(\S+)", path)
    assert found is not None, path
    return [float(part) for part in found.groups()]


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 0.3), st.floats(0, 0.3)), min_size=1, max_size=5))
def test_bars_are_as_long_as_their_values_and_intervals_hold_their_ends(rows: list[tuple[float, float, float]]) -> None:
    """All on one scale, none beyond the drawing."""
    made = [
        Bar("A", at, value, (max(0, value - down), min(1, value + up))) for at, (value, down, up) in enumerate(rows)
    ]
    groups = [BarGroup(f"g{at}", (bar,), 0.5, "≥ 0.5") for at, bar in enumerate(made)]
    elements = parts_of(bars(PLOT, groups, [], top=1.0))
    drawn, whiskers = of_class(elements, "bar"), of_class(elements, "whisker")
    lengths = [numbers(element, "width")[0] for element in drawn]
    for (value, *_), length, whisker, bar in zip(rows, lengths, whiskers, drawn, strict=True):
        (start,) = numbers(bar, "x")
        low, high = ends_of(whisker.attributes["d"])
        assert low - 0.11 <= start + length or length == 0.5
        assert start + length <= max(high, start + 0.5) + 0.11
        assert start + length <= WIDTH
        assert abs(length - max(value * 368, 0.5)) <= 0.11
    bottoms = [numbers(element, "y")[0] for element in drawn]
    assert bottoms == sorted(bottoms)


def test_what_was_not_counted_has_no_bar_but_its_line() -> None:
    """A dash stands where a value would."""
    elements = parts_of(bars(PLOT, [BarGroup("none", (Bar("A", 0, None), Bar("B", 1, 0.5)))], [], top=1.0))
    assert len(of_class(elements, "bar")) == 1
    assert [element.text for element in of_class(elements, "value")] == ["-", "0.500"]


def test_lanes_are_told_apart_by_letters_and_dashes_and_not_by_colour_alone() -> None:
    """Each bar has its letter, each line its dash, each point its shape."""
    keys = [Key("A", "one", 0), Key("B", "two", 1)]
    elements = parts_of(bars(PLOT, [BarGroup("g", (Bar("A", 0, 0.1), Bar("B", 1, 0.2)))], keys, top=1.0))
    assert {"A", "B", "A  one", "B  two"} <= {element.text for element in of_class(elements, "tick")}
    drawn = [Line(Key("A", "one", at, "line", at), ((0.0, 0.0), (1.0, 1.0))) for at in range(3)]
    axes = (Axis.linear("x", 0, 1), Axis.linear("y", 0, 1))
    elements = parts_of(lines(PLOT, axes, drawn, [Mark(Key("A", "p", 0, "circle"), 0.2, 0.3, (0.1, 0.4), (0.2, 0.9))]))
    dashes = [element.attributes["class"].split()[-1] for element in of_class(elements, "line")]
    assert len(set(dashes)) == 3
    assert [e.tag for e in of_class(elements, "spot")] == ["circle", "circle"]  # the point and its legend
    horizontal, upright = (element.attributes["d"] for element in of_class(elements, "whisker"))
    left, height, right = map(float, re.split("[MH ]", horizontal)[1:])
    middle, low, high = map(float, re.split("[MV ]", upright)[1:])
    assert left < middle < right
    assert high < height < low


def test_points_of_named_places_stand_over_their_names() -> None:
    """The categories of an axis in order, each at its tick."""
    axis = named_axis("turns", ["1", "2", "3-4", "a very long name"])
    line = Line(Key("", "x", 0, "line"), tuple((float(at), 0.5) for at in range(4)), dotted=True)
    elements = parts_of(lines(PLOT, (axis, Axis.linear("y", 0, 1)), [line]))
    dots = [numbers(element, "cx")[0] for element in of_class(elements, "dot")]
    names = [numbers(e, "x")[0] for e in of_class(elements, "tick") if e.attributes.get("text-anchor") == "middle"]
    assert dots == names == sorted(names)


def test_every_mark_of_every_drawing_is_within_its_frame() -> None:
    """On a run with two lanes."""
    views = views_of(a_metrics())
    drawn = [
        charts.figures(views),
        charts.recall(views, "types", "t"),
        charts.writes(views),
        charts.curves(views),
        charts.over_threshold(views),
        charts.calibration(views),
        charts.latency(views),
    ]
    for picture in drawn:
        elements = parts_of(picture)
        width = float(WIDTH)
        height = max(float(e.attributes["viewbox"].split()[3]) for e in elements if e.tag == "svg")
        for element in elements:
            for name, most in (("x", width), ("cx", width), ("x2", width), ("y", height), ("cy", height)):
                if name in element.attributes:
                    assert 0 <= float(element.attributes[name]) <= most, element
            for point in element.attributes.get("points", "").split():
                x, y = map(float, point.split(","))
                assert 0 <= x <= width
                assert 0 <= y <= height


def test_the_curve_marks_how_each_lane_ran_and_what_nested_thresholds_give() -> None:
    """One line for lanes with the same scores; circles, a diamond and a square where the figures say."""
    metrics = a_metrics(lanes=1)
    metrics["lanes"]["twin"] = metrics["lanes"]["careful"]
    views = views_of(metrics)
    assert [group.letters for group in together(views, lambda view: view.row["thresholds"])] == ["A, B"]
    elements = parts_of(charts.curves(views))
    assert len([element for element in elements if element.tag == "polyline"]) == 1
    words = "".join(element.text for element in elements if element.tag == "desc")
    assert "careful, as it ran" in words
    assert "twin, as it ran" in words
    assert "nested: best F1" in words


def test_lanes_without_scores_or_times_draw_nothing() -> None:
    """A stored prediction file has neither."""
    metrics = a_metrics(lanes=1)
    lane = metrics["lanes"]["careful"]
    lane["thresholds"] = None
    lane["turns"] = [{**turn, "cpu_ms": 0} for turn in lane["turns"]]
    views = views_of(metrics)
    assert not any(
        (charts.curves(views), charts.calibration(views), charts.over_threshold(views), charts.latency(views))
    )


def test_labels_are_cut_where_wide_letters_would_not_fit() -> None:
    """A letter of Chinese or Japanese is as wide as two."""
    assert cut("x" * 44) == "x" * 44
    assert cut("x" * 60) == "x" * 43 + "…"
    assert len(cut("配置" * 30)) < 25


@pytest.mark.parametrize(
    ("value", "words"),
    [(None, "-"), (0.12345, "0.123"), (0, "0"), (1234, "1,234"), (15.25, "15.2"), (1234.5, "1234"), (1.0, "1.000")],
)
def test_figures_are_worded_by_their_size(value: float | None, words: str) -> None:
    """Counts as counts, shares with three digits."""
    assert shown(value) == words


def test_what_is_no_number_is_not_counted() -> None:
    """Also those that JSON should not hold."""
    row = {"a": math.nan, "b": math.inf, "c": True, "d": "1", "e": [0.2, 0.1], "f": [0.1, math.nan], "g": [1, 2.5]}
    assert [figure(row, name) for name in "abcd"] == [None] * 4
    assert [ends(row, name) for name in "efg"] == [None, None, (1, 2.5)]
    assert interval_words((6.2461, 17.38)) == "6.2 to 17.4"
    assert signed(-0.1234) == "-0.123"

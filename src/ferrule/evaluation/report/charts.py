"""The drawings of judged lanes: figures, recall, precision over thresholds, calibration, quietness, time.

Owns which values of `metrics.json` are drawn, and how. Knows nothing of tables, texts or cases.
"""

from collections.abc import Sequence

from ferrule.evaluation.goals import GOALS
from ferrule.evaluation.report.lines import Axis, Guide, Line, Mark, lines
from ferrule.evaluation.report.markup import Html, joined
from ferrule.evaluation.report.plots import Bar, BarGroup, Key, Plot, bars
from ferrule.evaluation.report.reading import Row, count, ends, figure, members, rows, text, words
from ferrule.evaluation.report.views import DRAWN, Together, View, together

__all__ = ["calibration", "curves", "figures", "latency", "over_threshold", "recall", "writes"]

_SHARES = tuple(name for name in GOALS if name not in {"writes_per_100_turns", "forbidden", "handleless"})
_MOST_GROUPS = 12
_STEP_POINTS = 200
_NESTED = (("best_f1", "diamond"), ("recall_at_precision", "square"))
_WHISKERS = "The thin line over a bar is the 95 % interval, sessions drawn again."


def figures(views: Sequence[View]) -> Html:
    """Every share of the summary beside its goal."""
    shown = views[:DRAWN]
    groups = []
    for name in _SHARES:
        goal = GOALS[name]
        found = tuple(_bar(view, members(view.row, "figures"), members(view.row, "intervals"), name) for view in shown)
        if any(bar.value is not None for bar in found):
            value, told = (None, "") if goal is None else (goal.value, goal.words())
            groups.append(BarGroup(words(name), found, value, told))
    plot = Plot("plot-figures", "Figures against their goals", f"{_WHISKERS} The arrow is the goal.")
    return bars(plot, groups, [view.key() for view in shown], top=1.0)


def _bar(view: View, row: Row, intervals: Row, name: str) -> Bar:
    return Bar(view.letter, view.tone, figure(row, name), ends(intervals, name))


def recall(views: Sequence[View], part: str, title: str) -> Html:
    """Recall of the required ones by type, kind or language, the most frequent first."""
    shown = views[:DRAWN]
    names = list(members(views[0].row, part))
    groups = []
    for name in names[:_MOST_GROUPS]:
        found = [members(members(view.row, part), name) for view in shown]
        parts = tuple(
            Bar(view.letter, view.tone, figure(row, "recall"), ends(row, "interval"))
            for view, row in zip(shown, found, strict=True)
        )
        groups.append(BarGroup(f"{name} ({count(found[0], 'required')})", parts))
    if not groups:
        return Html()
    rest = len(names) - len(groups)
    about = "Share of the required ones that were written; how many there are in brackets."
    if any(bar.interval for group in groups for bar in group.bars):
        about += f" {_WHISKERS}"
    about += f" {rest} rarer ones stand in the table." if rest > 0 else ""
    return bars(Plot(f"plot-{part}", title, about), groups, [view.key() for view in shown], top=1.0)


def writes(views: Sequence[View]) -> Html:
    """Writes per 100 turns by transcript format, against the goal of quietness."""
    shown = views[:DRAWN]
    goal = GOALS["writes_per_100_turns"]
    value, told = (None, "") if goal is None else (goal.value, goal.words())
    every = tuple(
        _bar(view, members(view.row, "figures"), members(view.row, "intervals"), "writes_per_100_turns")
        for view in shown
    )
    groups = [BarGroup("all turns", every, value, told)]
    formats = list(members(views[0].row, "formats"))[:_MOST_GROUPS]
    for name in formats if len(formats) > 1 else ():
        found = [members(members(view.row, "formats"), name) for view in shown]
        parts = tuple(
            Bar(view.letter, view.tone, figure(row, "writes_per_100_turns"))
            for view, row in zip(shown, found, strict=True)
        )
        groups.append(BarGroup(f"{name} ({count(found[0], 'turns')} turns)", parts, value, told))
    most = max([100.0, *(end for group in groups for bar in group.bars for end in _reach(bar))])
    plot = Plot("plot-writes", "Writes per 100 turns by format", "Fewer are quieter; the arrow is the goal.")
    return bars(plot, groups, [view.key() for view in shown], top=most)


def _reach(bar: Bar) -> tuple[float, ...]:
    return (*([] if bar.value is None else [bar.value]), *([] if bar.interval is None else [bar.interval[1]]))


def _curve(view: View) -> list[Row]:
    return rows(members(view.row, "thresholds"), "curve")


def curves(views: Sequence[View]) -> Html:
    """Precision over recall, a point per threshold; the shipped and the nested operating points are marked."""
    found = together(views[:DRAWN], _curve)
    if not found:
        return Html()
    drawn, marks = [], []
    for group in found:
        key = Key(group.letters, "every threshold", group.first.tone, "line", group.first.tone)
        drawn.append(Line(key, _points(_curve(group.first), "recall", "precision")))
        for view in group.views:
            point = _point(members(members(view.row, "thresholds"), "as_shipped"))
            if point is not None:
                marks.append(Mark(view.key(f"{view.name}, as it ran", "circle"), *point))
        marks += _nested(group)
    plot = Plot(
        "plot-curve",
        "Precision and recall over thresholds",
        "Further up and to the right is better. Dashed: the goals. Diamond and square: each repository scored at the "
        "threshold that is best on all others, with 95 % intervals.",
    )
    guides = [
        Guide(x=goal.value) if name == "recall" else Guide(y=goal.value)
        for name in ("precision", "recall")
        if (goal := GOALS[name]) is not None
    ]
    axes = (Axis.linear("recall of the required ones", 0, 1), Axis.linear("precision", 0, 1))
    return lines(plot, axes, drawn, marks, guides=guides)


def _points(curve: Sequence[Row], x: str, y: str) -> tuple[tuple[float, float], ...]:
    pairs = ((figure(row, x), figure(row, y)) for row in curve)
    return tuple((one, other) for one, other in pairs if one is not None and other is not None)


def _point(row: Row) -> tuple[float, float] | None:
    found = _points([row], "recall", "precision")
    return found[0] if found else None


def _nested(group: Together) -> list[Mark]:
    nested = members(members(group.first.row, "thresholds"), "nested")
    marks = []
    for name, shape in _NESTED:
        row = members(nested, name)
        point = _point(row)
        if point is not None:
            key = Key(group.letters, f"nested: {text(row, 'rule')}", group.first.tone, shape)
            told = members(row, "intervals")
            marks.append(Mark(key, *point, ends(told, "recall"), ends(told, "precision")))
    return marks


def over_threshold(views: Sequence[View]) -> Html:
    """Precision, recall and F1 over the threshold; one drawing per lane whose scores are others."""
    return joined(
        lines(
            Plot(
                f"plot-threshold-{at}",
                f"What each threshold gives{f': {group.names}' if len(found) > 1 else ''}",
                "A higher threshold writes less: precision goes up, recall goes down.",
            ),
            (Axis.linear("threshold", 0, 1), Axis.linear("share", 0, 1)),
            [
                Line(Key("", name, at_line, "line", at_line), _points(_curve(group.first), "threshold", figure_name))
                for at_line, (figure_name, name) in enumerate(
                    (("precision", "precision"), ("recall", "recall"), ("f1", "F1"))
                )
            ],
        )
        for found in [together(views[:DRAWN], _curve)]
        for at, group in enumerate(found)
    )


def calibration(views: Sequence[View]) -> Html:
    """How often a candidate of some score deserved it, beside the diagonal of a score that tells the truth."""

    def told(view: View) -> list[Row]:
        return rows(members(view.row, "thresholds"), "calibration")

    found = together(views[:DRAWN], told)
    if not found:
        return Html()
    drawn = []
    for group in found:
        tone = group.first.tone
        for dash, (name, parts) in enumerate(
            (("required", ("required",)), ("required or acceptable", ("required", "acceptable")))
        ):
            points = tuple(_bins(told(group.first), parts))
            drawn.append(Line(Key(group.letters, name, tone + dash * 3, "line", dash), points, dotted=True))
    plot = Plot(
        "plot-calibration",
        "Calibration of the scores",
        "Per tenth of the score, the share of the candidates with a handle that the labels require or accept. On the "
        "dashed diagonal a score is what it says.",
    )
    axes = (Axis.linear("score of the reviewer", 0, 1), Axis.linear("share of candidates", 0, 1))
    return lines(plot, axes, drawn, guides=[Guide()])


def _bins(bins: Sequence[Row], parts: Sequence[str]) -> list[tuple[float, float]]:
    points = []
    for row in bins:
        low, high, whole = figure(row, "from"), figure(row, "to"), count(row, "candidates")
        if low is not None and high is not None and whole > 0:
            points.append(((low + high) / 2, sum(count(row, part) for part in parts) / whole))
    return points


def latency(views: Sequence[View]) -> Html:
    """How many turns were done within so many milliseconds of CPU."""
    shown = views[:DRAWN]
    spent = {view.letter: _times(view) for view in shown}
    every = [value for values in spent.values() for value in values]
    if not every:
        return Html()
    drawn = [
        Line(Key(view.letter, view.name, view.tone, "line", view.tone), _steps(spent[view.letter]))
        for view in shown
        if spent[view.letter]
    ]
    low, high = min(every), max(every)
    axes = (
        Axis.logarithmic("CPU milliseconds of a turn", low * 0.9, max(high, low) * 1.1),
        Axis.linear("share of turns done", 0, 1),
    )
    about = "A curve further to the left is quicker. Dashed: half of the turns, and 95 of 100."
    return lines(Plot("plot-latency", "Time of a turn", about), axes, drawn, guides=[Guide(y=0.5), Guide(y=0.95)])


def _times(view: View) -> list[float]:
    """As the figures have it: of turns that were reviewed and timed."""
    found = []
    for turn in rows(view.row, "turns"):
        value = figure(turn, "cpu_ms")
        if text(turn, "outcome") in {"written", "nothing"} and value is not None and value > 0:
            found.append(value)
    return sorted(found)


def _steps(ordered: Sequence[float]) -> tuple[tuple[float, float], ...]:
    """Some points of the distribution; the last value is always one."""
    whole = len(ordered)
    number = min(whole, _STEP_POINTS)
    places = sorted({round((at + 1) * whole / number) - 1 for at in range(number)})
    return tuple((ordered[at], (at + 1) / whole) for at in places)

"""Where figures come from: by type, handle kind, format, repository and language, and what is missed most.

Owns these tables and their drawings. Knows nothing of thresholds or single turns.
"""

from collections.abc import Sequence

from ferrule.evaluation.report.charts import latency, recall, writes
from ferrule.evaluation.report.markup import Cell, Html, joined, section, table, tag
from ferrule.evaluation.report.reading import (
    NOT_COUNTED,
    Row,
    count,
    ends,
    figure,
    interval_words,
    members,
    rows,
    shown,
    text,
)
from ferrule.evaluation.report.views import View

__all__ = ["costs", "origins", "referents"]

_MOST_ROWS = 60
_MOST_MISSED = 12


def referents(views: Sequence[View]) -> Html:
    """By group, type and handle kind."""
    plots = tag(
        "div",
        recall(views, "types", "Recall by entity type"),
        recall(views, "kinds", "Recall by handle kind"),
        class_="plots",
    )
    missed = tag("div", *(_missed(view, views) for view in views), class_="plots")
    tables = [
        _recall(views, "groups", "Group", "Recall of files and of other referents"),
        _recall(views, "types", "Type", "Recall by entity type"),
        _recall(views, "kinds", "Handle kind", "Recall by handle kind"),
    ]
    return section("referents", "By type and handle kind", plots, *tables, missed)


def _recall(views: Sequence[View], part: str, head: str, caption: str) -> Html:
    names = list(members(views[0].row, part))
    made = []
    for name in names[:_MOST_ROWS]:
        found = [members(members(view.row, part), name) for view in views]
        cells: list[Cell] = [name, str(count(found[0], "required"))]
        for row in found:
            cells += [str(count(row, "hit")), shown(figure(row, "recall")), interval_words(ends(row, "interval"))]
        made.append(cells)
    heads: list[Cell] = [head, "Required"]
    for view in views:
        letter = "" if len(views) == 1 else f"{view.letter} "
        heads += [f"{letter}found", f"{letter}recall", f"{letter}95 %"]
    return joined([table(caption, heads, made), _more(len(names))])


def _more(number: int) -> Html | None:
    return tag("p", f"{number - _MOST_ROWS} more in metrics.json.", class_="note") if number > _MOST_ROWS else None


def _missed(view: View, views: Sequence[View]) -> Html:
    found = rows(view.row, "most_missed")[:_MOST_MISSED]
    made = [[text(row, "type"), text(row, "modality"), str(count(row, "missed"))] for row in found]
    name = f" in {view.name}" if len(views) > 1 else ""
    return table(f"Missed most{name}", ("Type", "Modality", "Missed"), made, words=2)


def origins(views: Sequence[View]) -> Html:
    """By format, repository and language."""
    parts = (("formats", "Format"), ("repositories", "Repository"), ("languages", "Language"))
    tables = [_origin(views, part, head) for part, head in parts]
    plots = tag("div", writes(views), _languages(views), class_="plots")
    return section("origins", "By format, repository and language", plots, *tables)


def _languages(views: Sequence[View]) -> Html | None:
    told = len(members(views[0].row, "languages")) > 1
    return recall(views, "languages", "Recall by language") if told else None


def _origin(views: Sequence[View], part: str, head: str) -> Html:
    names = list(members(views[0].row, part))
    made = []
    for name in names[:_MOST_ROWS]:
        found = [members(members(view.row, part), name) for view in views]
        cells: list[Cell] = [name, str(count(found[0], "turns")), str(count(found[0], "required"))]
        for row in found:
            cells += [str(count(row, "hit")), str(count(row, "false"))]
            cells += [shown(figure(row, key)) for key in ("precision", "recall", "abstention")]
            cells.append(_whole(figure(row, "writes_per_100_turns")))
        made.append(cells)
    heads: list[Cell] = [head, "Turns", "Required"]
    for view in views:
        letter = "" if len(views) == 1 else f"{view.letter} "
        heads += [
            f"{letter}{name}" for name in ("found", "false", "precision", "recall", "abstention", "writes per 100")
        ]
    return joined([table(f"Figures by {head.lower()}", heads, made), _more(len(names))])


def _whole(value: float | None) -> str:
    return NOT_COUNTED if value is None else f"{value:.0f}"


def costs(views: Sequence[View]) -> Html:
    """Time and models."""
    times = table(
        "Milliseconds of a turn",
        ("Lane", "Which time", "Median", "95th percentile", "Most", "Mean", "Turns"),
        [cells for view in views for cells in _times(view)],
        words=2,
    )
    models = table(
        "Requests to models",
        ("Lane", "Requests", "Tokens in", "Tokens out", "US dollars", "Turns"),
        [_cost(view) for view in views],
    )
    parts = tag("div", latency(views), tag("div", times, models), class_="plots")
    return section("cost", "Time and cost", parts)


def _times(view: View) -> list[list[Cell]]:
    found = members(view.row, "latency")
    kinds = (("cpu_ms", "CPU outside a model"), ("wall_ms", "start to end"))
    return [
        [
            view.name,
            told,
            *(_ms(figure(spread, name)) for name in ("p50", "p95", "max", "mean")),
            str(count(found, "turns")),
        ]
        for key, told in kinds
        if (spread := members(found, key))
    ]


def _ms(value: float | None) -> str:
    return NOT_COUNTED if value is None else f"{value:.1f}"


def _cost(view: View) -> list[Cell]:
    row: Row = members(view.row, "cost")
    price = figure(row, "price")
    counts = [f"{count(row, name):,}" for name in ("requests", "input_tokens", "output_tokens")]
    return [view.name, *counts, "unknown" if price is None else f"{price:.4f}", str(count(row, "turns"))]

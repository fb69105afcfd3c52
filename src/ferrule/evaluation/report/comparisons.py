"""What other settings, other lanes and other runs give: thresholds, agreement, drift.

Owns these sections. Knows nothing of how turns are shown: it links to their cards where there are some.
"""

from collections.abc import Mapping, Sequence

from ferrule.evaluation.report.charts import calibration, curves, over_threshold
from ferrule.evaluation.report.markup import Cell, Html, joined, section, table, tag
from ferrule.evaluation.report.reading import (
    NOT_COUNTED,
    Row,
    count,
    ends,
    figure,
    interval_words,
    many,
    members,
    rows,
    share_words,
    shown,
    signed,
    text,
    texts,
    words,
)
from ferrule.evaluation.report.views import Together, View, together

__all__ = ["agreement", "drift", "thresholds"]

_MOST_LISTED = 250
_MOST_PAIRS = 15  # those of the lanes that are drawn
_EVERY = 5


def thresholds(views: Sequence[View]) -> Html | None:
    """Curves, nested choices with their folds, calibration; nothing where no lane tells scores."""
    found = together(views, lambda view: dict(_without_own(members(view.row, "thresholds"))))
    if not found:
        return None
    plots = tag("div", curves(views), over_threshold(views), calibration(views), class_="plots")
    return section("thresholds", "Thresholds", plots, *(_thresholds(group, found) for group in found))


def _without_own(row: Row) -> Row:
    """Lanes that differ only in where they ran are told once."""
    return {name: row[name] for name in row if name != "as_shipped"}


def _thresholds(group: Together, groups: Sequence[Together]) -> Html:
    name = f", {group.names}" if len(groups) > 1 else ""
    section_row = members(group.first.row, "thresholds")
    nested = members(section_row, "nested")
    rules = [row for key in nested if (row := members(nested, key))]
    points: list[list[Cell]] = [
        [f"as {view.name} ran" if len(group.views) > 1 else "as it ran", *_point(row), ""]
        for view in group.views
        if (row := members(members(view.row, "thresholds"), "as_shipped"))
    ]
    points += [[f"nested: {text(row, 'rule')}", *_point(row), _held(row)] for row in rules]
    return joined(
        [
            table(f"Operating points{name}", ("Chosen", *_POINT, "95 % of precision; recall"), points),
            *(_folds(row, name) for row in rules),
            _curve(section_row, name),
            _bins(section_row, name),
        ]
    )


_POINT = ("Precision", "Recall", "F1", "Found", "False", "Written", "Writes per 100")


def _point(row: Row) -> list[Cell]:
    writes = figure(row, "writes_per_100_turns")
    return [
        *(shown(figure(row, name)) for name in ("precision", "recall", "f1")),
        *(str(count(row, name)) for name in ("hit", "false", "written")),
        NOT_COUNTED if writes is None else f"{writes:.0f}",
    ]


def _held(row: Row) -> str:
    found = [interval_words(ends(members(row, "intervals"), name)) for name in ("precision", "recall")]
    return "; ".join(part for part in found if part)


def _folds(row: Row, name: str) -> Html:
    made = [
        [
            text(fold, "repository"),
            shown(figure(fold, "threshold")),
            *(str(count(fold, key)) for key in ("turns", "required", "hit", "false")),
        ]
        for fold in rows(row, "folds")[:_MOST_LISTED]
    ]
    caption = f"Each repository at the threshold that is best on all others: {text(row, 'rule')}{name}"
    heads = ("Repository", "Threshold", "Turns", "Required", "Found", "False")
    return _folded(f"Folds: {text(row, 'rule')}{name}", table(caption, heads, made))


def _curve(row: Row, name: str) -> Html:
    curve = rows(row, "curve")
    made = [
        [shown(figure(point, "threshold")), *_point(point)]
        for at, point in enumerate(curve)
        if at % _EVERY == _EVERY - 1
    ]
    return _folded(f"Curve in figures{name}", table(f"What each threshold gives{name}", ("Threshold", *_POINT), made))


def _bins(row: Row, name: str) -> Html:
    made = []
    for part in rows(row, "calibration"):
        whole = count(part, "candidates")
        required, acceptable = count(part, "required"), count(part, "acceptable")
        share = share_words(required / whole) if whole else NOT_COUNTED
        made.append(
            [
                f"{shown(figure(part, 'from'))} to {shown(figure(part, 'to'))}",
                str(whole),
                str(required),
                share,
                str(acceptable),
            ]
        )
    heads = ("Score", "Candidates", "Required", "Share required", "Acceptable")
    return _folded(f"Calibration in figures{name}", table(f"Candidates by score{name}", heads, made))


def _folded(head: str, inner: Html) -> Html:
    return tag("details", tag("summary", head), inner, class_="fold") if inner else Html()


def agreement(metrics: Row, anchors: Mapping[str, str]) -> Html | None:
    """Each pair of lanes; nothing for one lane."""
    found = [row for row in rows(metrics, "agreement") if len(texts(row, "lanes")) > 1]
    pairs = [_pair(row, anchors) for row in found[:_MOST_PAIRS]]
    more = f"{len(found) - _MOST_PAIRS} pairs more in metrics.json, under agreement."
    rest = tag("p", more, class_="note") if len(found) > _MOST_PAIRS else None
    return section("agreement", "Agreement between lanes", *pairs, rest) if pairs else None


def _pair(row: Row, anchors: Mapping[str, str]) -> Html:
    one, other = texts(row, "lanes")[:2]
    required, written = members(row, "required"), texts(row, "written")
    told = (
        f"They agree on {share_words(figure(row, 'agreed'))} of {many(count(row, 'turns'), 'turn')} whether to write "
        f"(Cohen's kappa {shown(figure(row, 'kappa'))}). Of {' and '.join(written)} memories they share "
        f"{count(row, 'shared')}, {share_words(figure(row, 'jaccard'))} of all that either wrote."
    )
    cells = [
        ("both", "found by both"),
        ("only_a", f"only by {one}"),
        ("only_b", f"only by {other}"),
        ("neither", "by neither"),
    ]
    counted = [
        [name, *(str(count(part, key)) for key, _ in cells)]
        for name, part in (("required ones", required), ("turns with a write", row))
    ]
    return joined(
        [
            tag("h3", f"{one} and {other}"),
            tag("p", told),
            table(f"What both find: {one}, {other}", ("", *(words for _, words in cells)), counted),
            _differences(members(row, "differences"), (one, other)),
            _disagreements(rows(row, "disagreements"), (one, other), anchors),
        ]
    )


def _differences(row: Row, names: tuple[str, str]) -> Html:
    made: list[list[Cell]] = []
    for name in row:
        delta, found = figure(members(row, name), "delta"), ends(members(row, name), "interval")
        sure = "" if found is None else "may be chance" if found[0] <= 0 <= found[1] else "more than chance"
        made.append([words(name), signed(delta), interval_words(found), sure])
    heads = ("Figure", "Difference", "95 %", "")
    return table(f"{names[0]} less {names[1]}, on the same draws", heads, made)


def _disagreements(found: Sequence[Row], names: tuple[str, str], anchors: Mapping[str, str]) -> Html:
    made = [
        [_link(text(row, "id"), anchors), ", ".join(texts(row, "only_a")), ", ".join(texts(row, "only_b"))]
        for row in found[:_MOST_LISTED]
    ]
    rest = f" (the first {_MOST_LISTED})" if len(found) > _MOST_LISTED else ""
    heads = ("Turn", f"only {names[0]} writes", f"only {names[1]} writes")
    inner = table(f"Memories that only one of them wrote{rest}", heads, made, words=3)
    return _folded(f"{many(len(found), 'turn')} on which they disagree", inner)


def _link(name: str, anchors: Mapping[str, str]) -> Html | str:
    """A turn's id, which leads to its card where it has one."""
    return tag("a", name, href=f"#{anchors[name]}") if name in anchors else name


def drift(metrics: Row, anchors: Mapping[str, str]) -> Html | None:
    """What moved since the baseline; nothing where none was given."""
    row = members(metrics, "drift")
    if not row:
        return None
    lanes = members(row, "lanes")
    head = joined(["Compared with ", tag("code", text(row, "baseline")), f", Ferrule {text(row, 'ferrule')}."])
    told = [_drifted(name, members(lanes, name), anchors) for name in lanes]
    none = tag("p", "No lane of that run has a name of this one.", class_="note")
    return section("drift", "Since the baseline", tag("p", head), *(told or [none]))


def _drifted(name: str, row: Row, anchors: Mapping[str, str]) -> Html:
    only = [
        f"{count(row, key)} {told}"
        for key, told in (("only_now", "only now"), ("only_then", "only then"))
        if count(row, key)
    ]
    labels = "" if row.get("same_labels") else "; some labels are others now"
    return joined(
        [
            tag("h3", name),
            tag("p", f"{', '.join([many(count(row, 'turns'), 'turn') + ' in both', *only])}{labels}."),
            table(
                f"Figures of {name} then and now",
                ("Figure", "Then", "Now", "Change", "95 % then", "Remark"),
                [
                    _moved(figure_name, members(members(row, "figures"), figure_name))
                    for figure_name in members(row, "figures")
                ],
            ),
            _changed(rows(row, "changed"), anchors),
        ]
    )


def _moved(name: str, row: Row) -> list[Cell]:
    remarks = [*(["outside of the interval"] if row.get("outside") else []), *(["worse"] if row.get("worse") else [])]
    kind = "bad" if row.get("worse") else "soft"
    return [
        words(name),
        shown(figure(row, "was")),
        shown(figure(row, "now")),
        signed(figure(row, "delta")),
        interval_words(ends(row, "interval")),
        tag("span", ", ".join(remarks), class_=kind),
    ]


def _changed(found: Sequence[Row], anchors: Mapping[str, str]) -> Html:
    kinds = ("gained", "lost", "new_false", "gone_false")
    made = [
        [
            _link(text(row, "id"), anchors),
            *(", ".join(texts(row, kind)) for kind in kinds),
            str(count(row, "new_forbidden") or ""),
        ]
        for row in found[:_MOST_LISTED]
    ]
    rest = f" (the first {_MOST_LISTED})" if len(found) > _MOST_LISTED else ""
    heads = ("Turn", "Gained", "Lost", "New false", "No longer false", "New forbidden")
    return _folded(f"{many(len(found), 'turn')} changed", table(f"Turns that changed{rest}", heads, made, words=5))

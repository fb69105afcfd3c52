"""What whole sessions show: duplicates and overwrites in order, and what survives when a session is cut.

Owns the sections made of `sequence.json` and `amnesia.json`. Knows nothing of labelled turns.
"""

from collections.abc import Sequence

from ferrule.evaluation.report.lines import Axis, Line, lines, named_axis
from ferrule.evaluation.report.markup import Cell, Html, section, table, tag
from ferrule.evaluation.report.plots import Bar, BarGroup, Key, Plot, bars
from ferrule.evaluation.report.reading import (
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

__all__ = ["amnesia", "sequence"]

_MOST_LISTED = 100
_MOST_PATHS = 5
_SHOWN = {
    "values": "values written",
    "current": "shown as current",
    "was": "shown as what was before",
    "hidden": "not shown",
}
_AMNESIA = "Amnesia: what survives a cut"
_HELD = "remembered"
_HELD_WORDS = "remembered (what a search would find)"


def sequence(found: Row) -> Html:
    """Whole sessions reviewed in order."""
    figures, formats = members(found, "figures"), members(found, "formats")
    told = (
        f"{many(count(figures, 'sessions'), 'session')} with {many(count(figures, 'turns'), 'turn')}, reviewed in "
        "order. The counts come from what a session holds after each turn, not from what a critic says of itself. "
        f"{_source(found)}"
    )
    names = [name for name in figures if figure(figures, name) is not None]
    rows_ = [
        [words(name), shown(figure(figures, name)), *(shown(figure(members(formats, part), name)) for part in formats)]
        for name in names
    ]
    view = members(figures, "current_view")
    seen = [[_SHOWN.get(name, name), str(count(view, name))] for name in view]
    refused = members(found, "refused")
    counts = table("Counts over all sessions and by format", ("Figure", "All", *formats), rows_)
    return section(
        "sequence",
        "Whole sessions in order",
        tag("p", told),
        tag("div", _writes(figures, formats), counts, class_="plots"),
        table("Values right after they were written", ("", "Values"), seen),
        table("Refused writes", ("Rule", "Times"), [[name, str(count(refused, name))] for name in refused]),
        _faults(rows(found, "faults")),
    )


def _source(found: Row) -> str:
    """Of which sessions, by which Ferrule, and what was passed over."""
    of, passed = texts(found, "of"), members(found, "passed_over")
    told = f"Of {', '.join(of[:_MOST_PATHS])}{' …' if len(of) > _MOST_PATHS else ''}. " if of else ""
    told += f"Ferrule {text(found, 'ferrule')}. " if text(found, "ferrule") else ""
    over = [f"{count(passed, name)} {words(name)}" for name in passed if count(passed, name)]
    return told + (f"Passed over: {', '.join(over)}." if over else "")


def _writes(figures: Row, formats: Row) -> Html:
    name = "writes_per_100_turns"
    groups = [BarGroup("all sessions", (Bar("", 0, figure(figures, name)),), 80.0, "≤ 80")]
    if len(formats) > 1:
        groups += [
            BarGroup(part, (Bar("", 0, figure(members(formats, part), name)),), 80.0, "≤ 80") for part in formats
        ]
    most = max([100.0, *(bar.value for group in groups for bar in group.bars if bar.value is not None)])
    about = "Augmentations of what is remembered count too. The arrow is the goal."
    return bars(Plot("plot-sequence", "Writes per 100 turns in whole sessions", about), groups, (), top=most)


def _faults(found: Sequence[Row]) -> Html:
    if not found:
        return tag("p", "No duplicate, overwrite, secret or memory without a handle was found.")
    made = [
        [text(row, "fault"), text(row, "format"), text(row, "session"), str(count(row, "ordinal")), text(row, "what")]
        for row in found[:_MOST_LISTED]
    ]
    return table("Faults (the first ones)", ("Fault", "Format", "Session", "Turn", "What"), made, words=5)


def amnesia(found: Row) -> Html:
    """What survives a cut, beside rivals of the same size."""
    asked, contenders = members(found, "asked"), members(found, "contenders")
    told = (
        f"{many(count(found, 'sessions'), 'session')} cut at {many(count(found, 'cuts'), 'place')}: of "
        f"{many(count(found, 'needed'), 'handle')} used again later, told before and absent from the last "
        f"{many(count(asked, 'window'), 'turn')}, the share that stands in a context of "
        f"{count(asked, 'tokens')} tokens. {_source(found)}"
    )
    if not count(found, "needed"):
        note = "Nothing was needed again, so there is nothing to measure: give longer sessions, or a smaller window."
        return section("amnesia", _AMNESIA, tag("p", told), tag("p", note, class_="note"))
    plots = tag(
        "div",
        _contenders(contenders),
        _over(found, "by_cut", "Turns before the cut", "plot-cut"),
        _over(found, "by_budget", "Tokens of the context", "plot-budget"),
        _over(found, "by_window", "Last turns that the agent keeps", "plot-window"),
        class_="plots",
    )
    return section(
        "amnesia",
        _AMNESIA,
        tag("p", told),
        plots,
        table(
            "Share of what is needed",
            ("Contender", "Share", "95 %"),
            [
                [
                    _named(name),
                    shown(figure(members(contenders, name), "share")),
                    interval_words(ends(members(contenders, name), "interval")),
                ]
                for name in contenders
            ],
        ),
        _advantage(members(found, "advantage")),
        *(_by(found, part, head) for part, head in _PARTS),
        _missed(rows(found, "missed")),
    )


_PARTS = (
    ("by_cut", "Turns before the cut"),
    ("by_budget", "Tokens of the context"),
    ("by_window", "Last turns kept"),
    ("by_format", "Format"),
    ("by_kind", "Handle kind"),
)


def _named(name: str) -> str:
    return _HELD_WORDS if name == _HELD else name


def _contenders(row: Row) -> Html:
    groups = [
        BarGroup(
            _named(name), (Bar("", at, figure(members(row, name), "share"), ends(members(row, name), "interval")),)
        )
        for at, name in enumerate(row)
    ]
    about = "Share of the handles needed later that each tells within the same budget. Thin line: 95 % interval."
    return bars(Plot("plot-contenders", "Ferrule beside its rivals", about), groups, (), top=1.0)


def _named_rows(found: Row, part: str) -> list[tuple[str, Row]]:
    """`by_budget` and `by_window` are lists, the others objects: name and row, in order."""
    value = found.get(part)
    if isinstance(value, list | tuple):
        key = "tokens" if part == "by_budget" else "window"
        return [(text(row, key), row) for row in rows(found, part)]
    by_name = members(found, part)
    return [(name, members(by_name, name)) for name in by_name]


def _over(found: Row, part: str, head: str, name: str) -> Html:
    named = _named_rows(found, part)
    if len(named) <= 1:
        return Html()
    names = list(dict.fromkeys(key for _, row in named for key in members(row, "shares")))
    drawn = [
        Line(
            Key("", _named(contender), at, "line", at),
            tuple(
                (float(place), share)
                for place, (_, row) in enumerate(named)
                if (share := figure(members(row, "shares"), contender)) is not None
            ),
            dotted=True,
        )
        for at, contender in enumerate(names)
    ]
    axes = (named_axis(head, [label for label, _ in named]), Axis.linear("share told", 0, 1))
    about = "Higher keeps more of what is needed later."
    return lines(Plot(name, f"Share told by: {head.lower()}", about), axes, drawn)


def _advantage(row: Row) -> Html:
    made: list[list[Cell]] = []
    for rival in row:
        share, found = figure(members(row, rival), "share"), ends(members(row, rival), "interval")
        sure = "" if found is None else "may be chance" if found[0] <= 0 <= found[1] else "more than chance"
        made.append([rival, signed(share), interval_words(found), sure])
    return table("Ferrule ahead of its rivals", ("Rival", "Share ahead", "95 %", ""), made)


def _by(found: Row, part: str, head: str) -> Html:
    named = _named_rows(found, part)
    names = list(dict.fromkeys(key for _, row in named for key in members(row, "shares")))
    made = [
        [label, str(count(row, "needed")), *(share_words(figure(members(row, "shares"), name)) for name in names)]
        for label, row in named
    ]
    return table(f"Share told: {head.lower()}", (head, "Needed", *map(_named, names)), made)


def _missed(found: Sequence[Row]) -> Html | None:
    made = [
        [
            text(row, "value"),
            text(row, "kind"),
            text(row, "session"),
            str(count(row, "cut")),
            str(count(row, "again")),
            "yes, beyond the budget" if row.get("remembered") else "no",
        ]
        for row in found[:_MOST_LISTED]
    ]
    if not made:
        return None
    heads = ("Handle", "Kind", "Session", "Cut after turn", "Used again in turn", "Remembered")
    inner = table("Handles that Ferrule did not tell (the first ones)", heads, made, words=3)
    return tag("details", tag("summary", f"{len(made)} handles that were needed and not told"), inner, class_="fold")

"""The page of `ferrule bench`: figures beside intervals and goals, a column per lane, then where it falls short.

Owns what is shown and in which order; everything else is in `metrics.json`. Knows nothing of how figures are made.
"""

from collections.abc import Mapping, Sequence

from ferrule.interfaces.cli.page import Page, Span
from ferrule.interfaces.cli.rows import Row, members, number, rows, text, texts
from ferrule.wiring.benching_checks import GOALS

__all__ = ["show"]

_MOST_ROWS = 10
_MOST_LISTED = 5
_MOST_CHANGED = 10
_GAP = 2
_PAIR = 2
_TEN = 10


_FIGURES = tuple(name for name in GOALS if name not in {"lenient_precision", "handleless"})
_COMPARED = ("precision", "recall", "f1", "abstention", "writes_per_100_turns")

Lanes = Mapping[str, Row]


def show(page: Page, metrics: Row) -> None:
    """Everything a person should see first."""
    lanes = {name: row for name, row in members(metrics, "lanes").items() if isinstance(row, Mapping)}
    _head(page, metrics, lanes)
    _figures(page, lanes)
    for title, part in (("Group", "groups"), ("Type", "types"), ("Handle kind", "kinds")):
        _recall(page, lanes, title, part)
    _origins(page, lanes)
    _languages(page, lanes)
    _thresholds(page, lanes)
    _costs(page, lanes)
    _wrong(page, lanes)
    _agreement(page, metrics)
    _drift(page, members(metrics, "drift"))


def _head(page: Page, metrics: Row, lanes: Lanes) -> None:
    turns = rows(metrics, "turns")
    sessions, repositories = ({text(turn, key) for turn in turns} for key in ("session", "repository"))
    page.line(
        (_many(len(turns), "turn"), "bold"),
        f" of {_many(len(sessions), 'session')}, {_many(len(repositories), 'repository', 'repositories')}",
    )
    for name, section in lanes.items():
        lane = members(section, "lane")
        about = members(lane, "about")
        what = text(about, "reviewer") or f"{text(lane, 'kind')} {text(lane, 'argument')}"
        threshold = f", threshold {text(about, 'threshold')}" if about.get("threshold") else ""
        page.line((name, "bold"), f": {what}{threshold}{_ended(members(section, 'outcomes'))}", hang=4)
        for row in (*rows(section, "failed")[:_MOST_LISTED], *rows(section, "skipped")[:_MOST_LISTED]):
            code = f" [{text(row, 'code')}]" if text(row, "code") else ""
            page.line(f"{text(row, 'id')}: {text(row, 'reason')}{code}", indent=4)
    page.blank()


def _ended(outcomes: Row) -> str:
    shown = [f"{number(outcomes, name)} {name}" for name in ("skipped", "failed") if number(outcomes, name)]
    return f"; {', '.join(shown)} (counted as nothing written)" if shown else ""


def _many(count: int, one: str, more: str | None = None) -> str:
    return f"{count} {one if count == 1 else more or one + 's'}"


def _figures(page: Page, lanes: Lanes) -> None:
    """One lane: value, interval, goal and whether it is met. Several: a column each, intervals where they fit."""
    names = [
        name for name in _FIGURES if any(members(lane, "figures").get(name) is not None for lane in lanes.values())
    ]
    if len(lanes) == 1:
        (lane,) = lanes.values()
        page.table(("Figure", "Value", "95 %", "Goal", ""), [_figure(name, lane) for name in names])
    else:
        table = [[_words(name), *(_cell(lane, name) for lane in lanes.values()), _goal(name)] for name in names]
        _fitted(page, ("Figure", *lanes, "Goal"), table)
    page.blank()
    for name, lane in lanes.items():
        page.line(*([f"{name}: "] if len(lanes) > 1 else []), _counts(members(lane, "figures")), hang=4)


def _fitted(page: Page, heads: Sequence[str], table: Sequence[Sequence[str]]) -> None:
    """A table whose cells lose their intervals in brackets where the terminal is too narrow for them."""
    widths = [max(len(cells[at]) for cells in (heads, *table)) for at in range(len(heads))]
    if page.width is not None and sum(widths) + _GAP * (len(widths) - 1) > page.width:
        table = [[cell.partition(" (")[0] for cell in cells] for cells in table]
    page.table(heads, table)


def _figure(name: str, lane: Row) -> list[Span]:
    value, goal = members(lane, "figures").get(name), GOALS[name]
    met: Span = ""
    if goal is not None and isinstance(value, int | float):
        met = ("met", "green") if goal.is_met(value) else ("not met", "yellow")
    return [_words(name), _shown(value), _interval(members(lane, "intervals").get(name)), _goal(name), met]


def _cell(lane: Row, name: str) -> str:
    ends = _interval(members(lane, "intervals").get(name))
    return f"{_shown(members(lane, 'figures').get(name))}{f' ({ends})' if ends else ''}"


def _goal(name: str) -> str:
    goal = GOALS[name]
    return "" if goal is None else goal.words(plain=True)


def _counts(figures: Row) -> str:
    return (
        f"found {number(figures, 'hit_required')} of {number(figures, 'required')} required; "
        f"of {number(figures, 'written')} written {number(figures, 'hit_acceptable')} only acceptable, "
        f"{number(figures, 'false')} false; "
        f"{number(figures, 'nothing_clean')} of {number(figures, 'nothing_turns')} quiet turns kept quiet"
    )


def _recall(page: Page, lanes: Lanes, title: str, part: str) -> None:
    first = next(iter(lanes.values()))
    names = list(members(first, part))
    if not names:
        return
    page.blank()
    alone = len(lanes) == 1
    heads = ("Found", "Recall", "95 %") if alone else tuple(lanes)
    table = []
    for name in names[:_MOST_ROWS]:
        found = [members(members(lane, part), name) for lane in lanes.values()]
        cells = (
            [text(found[0], "hit"), _shown(found[0].get("recall")), _interval(found[0].get("interval"))]
            if alone
            else [f"{number(row, 'hit')} ({_shown(row.get('recall'))})" for row in found]
        )
        table.append([name, text(found[0], "required"), *cells])
    page.table((title, "Required", *heads), table)
    if len(names) > _MOST_ROWS:
        page.line(f"and {len(names) - _MOST_ROWS} more in metrics.json", indent=2)


def _origins(page: Page, lanes: Lanes) -> None:
    first = members(next(iter(lanes.values())), "formats")
    if len(first) <= 1:
        return
    page.blank()
    heads = ("Precision", "Recall") if len(lanes) == 1 else tuple(f"{name}: P, R" for name in lanes)
    table = []
    for name in first:
        cells: list[str] = []
        for lane in lanes.values():
            row = members(members(lane, "formats"), name)
            pair = (_shown(row.get("precision")), _shown(row.get("recall")))
            cells += pair if len(lanes) == 1 else [", ".join(pair)]
        table.append([name, text(members(first, name), "turns"), *cells])
    page.table(("Format", "Turns", *heads), table)


def _languages(page: Page, lanes: Lanes) -> None:
    for name, lane in lanes.items():
        found = members(lane, "languages")
        told = [f"{key} {_shown(members(found, key).get('recall'))}" for key in found if key != "unknown"]
        if len(told) > 1:
            page.blank()
            page.line(
                (f"Recall by language{f' in {name}' if len(lanes) > 1 else ''}: ", "bold"), ", ".join(told), hang=4
            )


def _thresholds(page: Page, lanes: Lanes) -> None:
    """What a threshold gives that was chosen without looking at the repository it is scored on."""
    table: list[list[str]] = []
    for name, lane in lanes.items():
        nested = members(members(lane, "thresholds"), "nested")
        for rule in (members(nested, key) for key in nested):
            ends = members(rule, "intervals")
            cells = [f"{_shown(rule.get(key))} ({_interval(ends.get(key))})" for key in ("precision", "recall")]
            told = [f"  {text(rule, 'rule')}", *cells]
            # Lanes that differ in nothing but their threshold are the same here.
            if rule and not any(row[1:] == told for row in table):
                table.append([name, *told])
    if table:
        alone = len({row[0] for row in table}) == 1
        page.blank()
        page.line(("Thresholds chosen on all repositories but the one that is scored", "bold"))
        _fitted(page, ("", "", "Precision", "Recall"), [["" if alone else row[0], *row[1:]] for row in table])


def _costs(page: Page, lanes: Lanes) -> None:
    page.blank()
    for name, lane in lanes.items():
        cost, latency = members(lane, "cost"), members(lane, "latency")
        spreads = [
            f"{words}: {_spread(members(latency, key))}"
            for words, key in (("CPU per turn", "cpu_ms"), ("start to end", "wall_ms"))
            if members(latency, key)
        ]
        if spreads or number(cost, "requests"):
            if latency.get("turns_per_cpu_minute"):
                spreads.append(f"{number(latency, 'turns_per_cpu_minute')} turns a minute on one core")
            asked = f"{_many(number(cost, 'requests'), 'request')} to models{_price(cost)}"
            page.line(*([f"{name}: "] if len(lanes) > 1 else []), "; ".join([*spreads, asked]), hang=4)


def _spread(values: Row) -> str:
    shown = {name: f"{value:.1f}" for name, value in values.items() if isinstance(value, int | float)}
    return f"median {shown.get('p50')} ms, 95th percentile {shown.get('p95')}, most {shown.get('max')}"


def _price(cost: Row) -> str:
    if not number(cost, "requests"):
        return ""
    price = cost.get("price")
    words = "price unknown" if not isinstance(price, int | float) else f"${price:.4f}"
    return f" ({number(cost, 'input_tokens')} tokens in, {number(cost, 'output_tokens')} out, {words})"


def _wrong(page: Page, lanes: Lanes) -> None:
    """The first false and forbidden writes, with the reviewer's own reason."""
    for name, lane in lanes.items():
        wrong = [
            (text(turn, "id"), memory)
            for turn in rows(lane, "turns")
            for memory in rows(turn, "written")
            if text(memory, "verdict") == "false" or texts(memory, "forbidden")
        ]
        if wrong:
            page.blank()
            page.line(
                (f"Wrong{f' in {name}' if len(lanes) > 1 else ''}:", "bold"), f" {len(wrong)} of what was written"
            )
        for turn, memory in wrong[:_MOST_LISTED]:
            handle = next((text(row, "value") for row in rows(memory, "handles")), text(memory, "prototype"))
            mark = "forbidden, " if texts(memory, "forbidden") else ""
            why = f"{mark}{text(memory, 'why')}"
            page.line(f"{turn}  {handle}", (f"  {why}" if why else "", "dim"), indent=2, hang=6)
        if len(wrong) > _MOST_LISTED:
            page.line(f"and {len(wrong) - _MOST_LISTED} more in metrics.json", indent=2)


def _agreement(page: Page, metrics: Row) -> None:
    for pair in rows(metrics, "agreement"):
        one, other = texts(pair, "lanes")
        page.blank()
        page.line((f"{one} and {other}", "bold"))
        page.line(
            f"agree on {_share(pair.get('agreed'))} of the turns whether to write (kappa {_shown(pair.get('kappa'))}), "
            f"share {number(pair, 'shared')} memories ({_share(pair.get('jaccard'))} of all that either wrote)",
            indent=2,
            hang=4,
        )
        required = members(pair, "required")
        page.line(
            f"required ones: {number(required, 'both')} found by both, {number(required, 'only_a')} only by {one}, "
            f"{number(required, 'only_b')} only by {other}, {number(required, 'neither')} by neither",
            indent=2,
            hang=4,
        )
        for name in _COMPARED:
            row = members(members(pair, "differences"), name)
            ends = row.get("interval")
            if isinstance(row.get("delta"), int | float) and row.get("delta"):
                page.line(f"{_words(name)}: {one} {_signed(row['delta'])}{_certain(ends)}", indent=2, hang=4)


def _certain(ends: object) -> str:
    if not isinstance(ends, list | tuple):
        return ""
    low, high = ends
    words = "may be chance" if low <= 0 <= high else "more than chance"
    return f" ({_interval(ends)}: {words})"


def _drift(page: Page, drift: Row) -> None:
    if not drift:
        return
    page.blank()
    page.line(("Since", "bold"), f" {text(drift, 'baseline')} (Ferrule {text(drift, 'ferrule')})")
    lanes = {name: row for name, row in members(drift, "lanes").items() if isinstance(row, Mapping)}
    if not lanes:
        page.line("no lane of that run has a name of this one", indent=2)
    for name, lane in lanes.items():
        page.line(
            f"{name}: {_many(number(lane, 'turns'), 'turn')} in both"
            + "".join(
                f", {number(lane, key)} {words}"
                for key, words in (("only_now", "only now"), ("only_then", "only then"))
                if number(lane, key)
            )
            + ("" if lane.get("same_labels") else "; some labels are others now"),
            indent=2,
        )
        _moved(page, members(lane, "figures"))
        _changed(page, rows(lane, "changed"))


def _moved(page: Page, figures: Row) -> None:
    table = []
    for name in figures:
        row = members(figures, name)
        if not row.get("delta"):
            continue
        style = "yellow" if row.get("worse") else "green"
        outside = "outside" if row.get("outside") else ""
        cells: list[Span] = [f"  {_words(name)}", _shown(row.get("was")), _shown(row.get("now"))]
        table.append([*cells, (_signed(row["delta"]), style), _interval(row.get("interval")), outside])
    if table:
        page.table(("  Figure", "Was", "Now", "Change", "95 % then", ""), table)
    else:
        page.line("no figure moved", indent=2)


def _changed(page: Page, changed: Sequence[Row]) -> None:
    parts: Sequence[tuple[str, str]] = (
        ("gained", "gained"),
        ("lost", "lost"),
        ("new_false", "new false"),
        ("gone_false", "no longer false"),
    )
    for row in changed[:_MOST_CHANGED]:
        told = [f"{words} {', '.join(texts(row, key))}" for key, words in parts if texts(row, key)]
        if number(row, "new_forbidden"):
            told.append(f"{number(row, 'new_forbidden')} new forbidden")
        page.line(f"{text(row, 'id')}  {'; '.join(told)}", indent=2, hang=6)
    if len(changed) > _MOST_CHANGED:
        page.line(f"and {len(changed) - _MOST_CHANGED} more changed turns in metrics.json", indent=2)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < _TEN else f"{value:.1f}"
    return "-" if value is None else str(value)


def _signed(value: object) -> str:
    if not isinstance(value, int | float):
        return ""
    if isinstance(value, int):
        return f"{value:+d}"
    return f"{value:+.3f}" if abs(value) < _TEN else f"{value:+.1f}"


def _share(value: object) -> str:
    return f"{100 * value:.0f} %" if isinstance(value, int | float) else "-"


def _interval(ends: object) -> str:
    if not isinstance(ends, list | tuple) or len(ends) != _PAIR:
        return ""
    return " to ".join(_shown(float(end)) for end in ends)

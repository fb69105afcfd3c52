"""What a run is of, and its figures against their goals: the first thing that a reader sees.

Owns these two sections. Knows nothing of single turns.
"""

from collections.abc import Iterator, Sequence

from ferrule.evaluation.goals import GOALS, Goal
from ferrule.evaluation.report.charts import figures as figures_plot
from ferrule.evaluation.report.markup import Cell, Html, joined, listed, section, table, tag
from ferrule.evaluation.report.reading import (
    Row,
    count,
    ends,
    figure,
    interval_words,
    many,
    members,
    rows,
    shown,
    text,
    texts,
    words,
)
from ferrule.evaluation.report.views import View

__all__ = ["figures", "subject"]

_DIGEST = 12
_MOST_NOT_REVIEWED = 50


def subject(metrics: Row, views: Sequence[View]) -> Html:
    """Turns, labels, lanes, versions, digests, and when."""
    run, turns = members(metrics, "run"), rows(metrics, "turns")
    kinds = (
        ("session", "session", None),
        ("repository", "repository", "repositories"),
        ("format", "format", None),
        ("language", "language", None),
    )
    told = ", ".join(many(len({text(turn, key) for turn in turns}), one, more) for key, one, more in kinds)
    write = sum(text(turn, "expect") == "write" for turn in turns)
    facts: list[tuple[str, Cell]] = [
        (
            "Turns",
            (
                f"{many(len(turns), 'labelled turn')} of {told}; {write} with something to remember, "
                f"{len(turns) - write} with nothing"
            ),
        ),
        ("Turns file", _file(members(run, "turns"))),
        ("Labels file", _file(members(run, "labels"))),
        ("Chosen", _chosen(members(run, "chosen"))),
        ("Begun", text(run, "started")),
        ("Ferrule", joined([f"{text(run, 'ferrule')}, reviewing code ", _digest(text(run, "code"))])),
    ]
    if text(run, "ontology"):
        facts.append(("Ontology", joined(["other definitions than those that ship: ", _digest(text(run, "ontology"))])))
    lanes = tag("div", *(_lane(view, views) for view in views), class_="plots")
    return section("run", "What was run", _definitions(facts), lanes)


def _definitions(facts: Sequence[tuple[str, Cell]]) -> Html:
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", told)) for name, told in facts if told))


def _file(row: Row) -> Html:
    return joined(
        [
            tag("code", text(row, "file")),
            f", {many(count(row, 'count'), 'turn')}, SHA-256 ",
            _digest(text(row, "sha256")),
        ]
    )


def _digest(whole: str) -> Html:
    return tag("code", whole[:_DIGEST] + ("…" if len(whole) > _DIGEST else ""), title=whole)


def _chosen(row: Row) -> str:
    parts = []
    if count(row, "limit"):
        parts.append(f"the first {count(row, 'limit')}")
    if texts(row, "only"):
        parts.append(f"only {len(texts(row, 'only'))} named ones")
    return ", ".join(parts) or "every labelled turn"


def _lane(view: View, views: Sequence[View]) -> Html:
    lane = members(view.row, "lane")
    about, settings = members(lane, "about"), members(lane, "settings")
    told: list[tuple[str, Cell]] = [("Kind", f"{text(lane, 'kind')} {text(lane, 'argument')}".strip())]
    told += [(words(name).capitalize(), text(settings, name)) for name in settings]
    for name in about:
        value = text(about, name)
        if name not in settings:
            told.append((words(name).capitalize(), _digest(value) if len(value) == 64 else value))  # noqa: PLR2004 - SHA-256
    outcomes = members(view.row, "outcomes")
    told.append(("Turns", ", ".join(f"{count(outcomes, name)} {name}" for name in outcomes)))
    drawn = members(view.row, "bootstrap")
    told.append(("Intervals", _drawn(drawn)))
    heading = f"Lane {view.name}" if len(views) == 1 else f"Lane {view.letter}: {view.name}"
    return tag("div", tag("h3", heading), _definitions(told), *_not_reviewed(view))


def _drawn(row: Row) -> str:
    draws = count(row, "draws")
    if not draws:
        return "none: too few sessions, or no draws asked for"
    return f"95 %, {draws:,} draws of {many(count(row, 'sessions'), 'session')}, seed {count(row, 'seed')}"


def _not_reviewed(view: View) -> Iterator[Html]:
    for kind in ("failed", "skipped"):
        found = rows(view.row, kind)
        if found:
            items = [f"{text(row, 'id')}: {text(row, 'reason')} {text(row, 'code')}" for row in found]
            items = [
                *items[:_MOST_NOT_REVIEWED],
                *([f"and {len(items) - _MOST_NOT_REVIEWED} more"] if len(items) > _MOST_NOT_REVIEWED else []),
            ]
            head = f"{len(found)} {kind}, counted as nothing written"
            yield tag("details", tag("summary", head), listed(items), class_="fold")


def figures(views: Sequence[View]) -> Html:
    """Every figure with its interval and its goal, and the counts behind them."""
    names = [name for name in GOALS if any(figure(members(v.row, "figures"), name) is not None for v in views)]
    heads = ["Figure", "Goal", *(view.name if len(views) == 1 else f"{view.letter} {view.name}" for view in views)]
    made = table("Figures, their 95 % intervals and goals", heads, [_figure(name, views) for name in names])
    counts = listed(
        [
            joined([tag("b", f"{view.name}: ") if len(views) > 1 else None, _counts(members(view.row, "figures"))])
            for view in views
        ],
        class_="plain",
    )
    return section("figures", "Figures", tag("div", figures_plot(views), made, class_="plots"), counts)


def _figure(name: str, views: Sequence[View]) -> list[Cell]:
    goal = GOALS[name]
    cells: list[Cell] = [words(name), "" if goal is None else goal.words()]
    for view in views:
        value = figure(members(view.row, "figures"), name)
        found = ends(members(view.row, "intervals"), name)
        under = tag("div", interval_words(found), class_="soft") if found is not None else None
        cells.append(joined([shown(value), _met(goal, value), under]))
    return cells


def _met(goal: Goal | None, value: float | None) -> Html | None:
    if goal is None or value is None:
        return None
    met = goal.is_met(value)
    return joined([" ", tag("span", "met" if met else "not met", class_=f"goal {'good' if met else 'bad'}")])


def _counts(row: Row) -> str:
    return (
        f"{count(row, 'hit_required')} of {many(count(row, 'required'), 'required one')} found; of "
        f"{many(count(row, 'written'), 'memory', 'memories')} written {count(row, 'hit_acceptable')} only acceptable "
        f"and {count(row, 'false')} false; {count(row, 'nothing_clean')} of {count(row, 'nothing_turns')} turns with "
        f"nothing to remember kept clean; {count(row, 'modality_ok')} of {count(row, 'modality_seen')} modalities "
        "right."
    )

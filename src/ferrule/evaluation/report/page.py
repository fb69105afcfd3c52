"""One page that tells a run: what was run, figures, where they come from, and every turn that went wrong with its text.

Owns the order of the page and its frame. Everything that it shows may be hostile and is escaped; the page asks nobody
for anything and follows no address. Knows nothing of files.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ferrule.evaluation.report import breakdowns, comparisons, overview, sessions, style
from ferrule.evaluation.report.cases import cases_of, handle_values, ranked
from ferrule.evaluation.report.filtering import MOST_CASES, Deck, deck_of, wrong
from ferrule.evaluation.report.markup import Html, joined, listed, tag, void
from ferrule.evaluation.report.reading import Row, many, rows
from ferrule.evaluation.report.texts import TurnTexts
from ferrule.evaluation.report.views import View, views_of

__all__ = ["MOST_CASES", "Page", "Run", "page_of", "values_wanted"]


@dataclass(frozen=True, slots=True)
class Run:
    """What there is to tell; each part is the object of its file, None where there is none.

    Attributes:
        metrics: of `metrics.json`.
        sequence: of `sequence.json`.
        amnesia: of `amnesia.json`.
        texts: what could be read of the turns of `values_wanted`.
        most_cases: so many cases get a card, the gravest first.
    """

    metrics: Row | None = None
    sequence: Row | None = None
    amnesia: Row | None = None
    texts: TurnTexts = field(default_factory=TurnTexts)
    most_cases: int = MOST_CASES


@dataclass(frozen=True, slots=True)
class Page:
    """The page, and the cases that it shows."""

    html: str
    deck: Deck


def values_wanted(metrics: Row, most_cases: int = MOST_CASES) -> dict[str, list[str]]:
    """Ids of the turns whose text the page shows, each with the values that its text is searched for."""
    cases = ranked(cases_of(metrics, views_of(metrics)))[:most_cases]
    return {case.name: handle_values(case) for case in cases}


def page_of(run: Run) -> Page:
    """The whole page. The same run gives the same bytes."""
    metrics = run.metrics or {}
    views = views_of(metrics)
    cases = cases_of(metrics, views)
    deck = deck_of(cases, views, run.texts, most=run.most_cases)
    found = _judged(metrics, views, deck.anchors) if views else {}
    found["sequence"] = None if run.sequence is None else sessions.sequence(run.sequence)
    found["amnesia"] = None if run.amnesia is None else sessions.amnesia(run.amnesia)
    found["cases"] = wrong(deck, views, cases, run.texts) if views else None
    there = {name: part for name, part in found.items() if part}
    return Page(_framed(_title(metrics, views), _links(there, judged=bool(views)), joined(there.values())), deck)


def _judged(metrics: Row, views: Sequence[View], anchors: Mapping[str, str]) -> dict[str, Html | None]:
    return {
        "run": overview.subject(metrics, views),
        "figures": overview.figures(views),
        "referents": breakdowns.referents(views),
        "origins": breakdowns.origins(views),
        "thresholds": comparisons.thresholds(views),
        "agreement": comparisons.agreement(metrics, anchors),
        "drift": comparisons.drift(metrics, anchors),
        "cost": breakdowns.costs(views),
    }


_WORDS = {
    "run": "What was run",
    "figures": "Figures",
    "referents": "Types and kinds",
    "origins": "Formats, repositories, languages",
    "thresholds": "Thresholds",
    "agreement": "Agreement",
    "drift": "Since the baseline",
    "cost": "Time and cost",
    "sequence": "Whole sessions",
    "amnesia": "Amnesia",
    "cases": "Turn by turn",
}


def _links(there: Mapping[str, Html], *, judged: bool) -> Html:
    """The sections that are there, in their order; where no turn was judged, a word on that."""
    links = listed(tag("a", _WORDS[name], href=f"#{name}") for name in there)
    missing = None if judged else tag("p", "This folder holds no judged run.", class_="note")
    return joined([tag("nav", links, aria_label="Sections") if there else None, missing])


def _title(metrics: Row, views: Sequence[View]) -> str:
    if not views:
        return "Ferrule benchmark: sessions"
    turns = many(len(rows(metrics, "turns")), "turn")
    names = ", ".join(view.name for view in views[:3]) + (" …" if len(views) > len(views[:3]) else "")
    return f"Ferrule benchmark: {turns}, {names}"


def _framed(title: str, links: Html, parts: Html) -> str:
    head = tag(
        "head",
        void("meta", charset="utf-8"),
        void("meta", http_equiv="Content-Security-Policy", content=style.policy()),
        void("meta", name="viewport", content="width=device-width, initial-scale=1"),
        void("meta", name="referrer", content="no-referrer"),
        void("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("style", Html(style.style())),
    )
    body = tag(
        "body",
        tag("a", "Skip to the figures", href="#content", class_="skip"),
        tag("header", tag("h1", title), links),
        tag("main", parts, id="content"),
        tag("footer", "Made by ferrule bench. This page loads nothing and sends nothing."),
        tag("script", Html(style.script())),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"

"""All cases in one section: counted, listed with anchors, filtered where a script may run, whole where none does.

Owns which cards the page holds within its bounds, what is said of those left out, and the filter's form. Knows nothing
of what is in a card.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ferrule.evaluation.report.cards import card
from ferrule.evaluation.report.cases import FAULTS, Case, Fault, ranked
from ferrule.evaluation.report.markup import Html, joined, listed, section, table, tag, void
from ferrule.evaluation.report.reading import many
from ferrule.evaluation.report.texts import TurnTexts
from ferrule.evaluation.report.views import DRAWN, View

__all__ = ["MOST_CASES", "Deck", "deck_of", "wrong"]

MOST_CASES = 400
_MOST_BYTES = 2_300_000
_MOST_BYTES_ASKED = 64_000_000  # of whoever asks for more cases than there are by default
_BIG_CARD = 60_000
_MOST_SUBJECTS = 200


@dataclass(frozen=True, slots=True)
class Deck:
    """The cases that are shown, in the order of the turns, and how many there are.

    Attributes:
        shown: those with a card.
        cards: their cards.
        every: all of them.
        subjects: what the filter can choose, in the order of its tokens.
    """

    shown: tuple[Case, ...]
    cards: tuple[Html, ...]
    every: int
    subjects: tuple[tuple[bool, str], ...]

    @property
    def anchors(self) -> Mapping[str, str]:
        """Where the card of a turn is, by the turn's id."""
        return {case.name: case.anchor for case in self.shown}


def deck_of(cases: Sequence[Case], views: Sequence[View], texts: TurnTexts, *, most: int = MOST_CASES) -> Deck:
    """Cards of the gravest cases, at most so many and of a bounded size together."""
    subjects = _subjects(cases)
    tokens = {subject: f"s{at}" for at, subject in enumerate(subjects)}
    made: list[tuple[Case, Html]] = []
    left = _MOST_BYTES if most <= MOST_CASES else _MOST_BYTES_ASKED
    for case in ranked(cases)[:most]:
        found = card(case, views, texts.by_id.get(case.name), _tokens(case, tokens))
        size = len(found.encode("utf-8"))
        if size > min(left, _BIG_CARD):  # one monstrous label must not push out all others
            found = card(case, views, None, _tokens(case, tokens))
            size = len(found.encode("utf-8"))
        if size <= min(left, _BIG_CARD):
            made.append((case, found))
            left -= size
    made.sort(key=lambda item: item[0].place)
    return Deck(tuple(case for case, _ in made), tuple(html for _, html in made), len(cases), subjects)


def _subject(fault: Fault) -> tuple[bool, str]:
    """Whether it is a handle kind of a wrong write, and its name."""
    return fault.fault in {"false", "forbidden"}, fault.subject


def _subjects(cases: Sequence[Case]) -> tuple[tuple[bool, str], ...]:
    found = {_subject(fault) for case in cases for fault in case.faults if fault.subject}
    return tuple(sorted(found))[:_MOST_SUBJECTS]


def _tokens(case: Case, subjects: Mapping[tuple[bool, str], str]) -> str:
    found = {f"{fault.lane}:{fault.fault}:{subjects.get(_subject(fault), '')}" for fault in case.faults}
    return " ".join(sorted(found))


def wrong(deck: Deck, views: Sequence[View], cases: Sequence[Case], texts: TurnTexts) -> Html:
    """The section; `cases` are all of them, shown or not."""
    if not deck.every:
        return section("cases", "Turn by turn", tag("p", "Nothing is missed, wrong or forbidden in any lane."))
    left = deck.every - len(deck.shown)
    remark = (
        f"{many(left, 'case')} more, less grave ones, would make this page too large. "
        f"See more with ferrule bench --report DIR --cases {max(deck.every, MOST_CASES + 1)}, or every one in "
        "metrics.json, under lanes, NAME, turns."
    )
    return section(
        "cases",
        "Turn by turn",
        tag("p", f"{many(deck.every, 'turn')} went wrong in at least one lane; {_part(left, deck)} shown here."),
        tag("p", remark, class_="note") if left else None,
        tag("p", texts.remark, class_="note") if texts.remark else None,
        _counted(cases, views),
        _index(deck, views),
        _marks(),
        tag("p", "On paper stand the cards that were open.", class_="paper note"),
        _form(deck, views),
        tag("div", *deck.cards, id="cards"),
    )


def _part(left: int, deck: Deck) -> str:
    return f"{len(deck.shown)} of them are" if left else "all of them are" if deck.every > 1 else "it is"


def _counted(cases: Sequence[Case], views: Sequence[View]) -> Html:
    found = []
    for fault, words in FAULTS.items():
        numbers = [
            sum(item.lane == lane and item.fault == fault for case in cases for item in case.faults)
            for lane in range(len(views))
        ]
        if any(numbers):
            found.append([words, *map(str, numbers)])
    heads = ("What went wrong", *(_lane(view, views) for view in views))
    return table("Faults by lane, over all turns", heads, found)


def _lane(view: View, views: Sequence[View]) -> str:
    return view.name if len(views) == 1 else f"{view.letter} {view.name}"


def _index(deck: Deck, views: Sequence[View]) -> Html:
    """Anchors by fault and lane: the way through the cards where no script runs."""
    items = []
    for fault, words in FAULTS.items():
        for lane, view in enumerate(views[:DRAWN]):
            found = [
                tag("a", case.name, href=f"#{case.anchor}")
                for case in deck.shown
                if any(item.lane == lane and item.fault == fault for item in case.faults)
            ]
            if found:
                head = words if len(views) == 1 else f"{words} in {_lane(view, views)}"
                items.append(joined([tag("b", f"{head} ({len(found)}): "), joined(found, ", ")]))
    return tag("details", tag("summary", "Turns by what went wrong"), listed(items, class_="index"), class_="fold")


def _marks() -> Html:
    kinds = (
        ("m-hit", "found"),
        ("m-missed", "missed"),
        ("m-false", "written wrongly"),
        ("m-forbidden", "forbidden"),
        ("m-other", "acceptable"),
    )
    return tag("p", "Marked in the texts: ", joined((tag("mark", w, class_=k) for k, w in kinds), " "), class_="soft")


def _form(deck: Deck, views: Sequence[View]) -> Html:
    """Hidden until the script shows it: without one it could do nothing."""
    lanes = [("", "all lanes"), *((str(at), _lane(view, views)) for at, view in enumerate(views))]
    return tag(
        "form",
        _select("fault", "What went wrong", [("", "anything"), *FAULTS.items()]),
        _select("lane", "Lane", lanes) if len(views) > 1 else None,
        _kinds(deck),
        tag("div", tag("label", "Text", for_="filter-text"), void("input", type="search", id="filter-text")),
        tag(
            "div",
            tag("button", "Show all", type="reset"),
            tag("button", "Open these", type="button", id="open-all"),
            tag("button", "Close all", type="button", id="close-all"),
            class_="buttons",
        ),
        tag("output", id="filter-count", for_="filter-fault filter-lane filter-subject filter-text"),
        id="filter",
        aria_label="Filter of the turns",
        hidden=True,
    )


def _select(name: str, label: str, options: Sequence[tuple[str, str]]) -> Html:
    made = joined(tag("option", words, value=value) for value, words in options)
    return tag("div", tag("label", label, for_=f"filter-{name}"), tag("select", made, id=f"filter-{name}"))


def _kinds(deck: Deck) -> Html:
    groups = []
    for wrong_write, words in ((False, "type of what was expected"), (True, "handle of what was written wrongly")):
        options = [
            tag("option", name, value=f"s{at}") for at, (kind, name) in enumerate(deck.subjects) if kind is wrong_write
        ]
        if options:
            groups.append(tag("optgroup", *options, label=words))
    every = tag("option", "any", value="")
    label = tag("label", "Type or kind", for_="filter-subject")
    return tag("div", label, tag("select", every, *groups, id="filter-subject"))

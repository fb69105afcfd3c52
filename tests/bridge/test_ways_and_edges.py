"""By what a memory was found, whose answers come first, and what lies at the edges of what is read."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from ferrule.bridge import observed
from ferrule.bridge.details import Details, Found
from ferrule.bridge.matches import Match, MatchKind, certainty, is_certain, told, why_of
from ferrule.bridge.segments import cut_user
from ferrule.bridge.values import Role
from ferrule.bridge.view import view_of
from ferrule.referents.kinds import Place
from ferrule.session.turn import Turn

MakeTurn = Callable[..., Turn]

WAYS = [
    (Match(MatchKind.HANDLE, "/srv/a.py", "FilePath"), "carries /srv/a.py as FilePath"),
    (Match(MatchKind.HANDLE, "/srv/a.py"), "carries /srv/a.py"),
    (Match(MatchKind.NAME, "Tide gauge"), 'is called "Tide gauge"'),
    (Match(MatchKind.ALIAS, "water clock"), 'has the alias "water clock"'),
    (Match(MatchKind.WORDS, "tide", "Notes"), '"tide" in Notes'),
    (Match(MatchKind.FRAGMENT, "tid", "Notes", said="tide"), '"tid" is part of "tide" in Notes'),
    (Match(MatchKind.FRAGMENT, "tdie", "Notes", said="tide"), '"tdie" is nearly "tide" in Notes'),
    (Match(MatchKind.MEANING, score=0.527), "similar in meaning (0.53)"),
]


@pytest.mark.parametrize(("match", "words"), WAYS)
def test_a_way_of_finding_is_told_in_words(match: Match, words: str) -> None:
    """R35: whoever asked sees why this was the answer."""
    assert told(match) == words
    assert why_of([match, match]) == f"{words}; {words}"


def test_what_is_sure_is_the_thing_itself_or_its_name() -> None:
    """R35: a handle before a name before a lead before a meaning; the surest way of an answer counts."""
    ranks = [certainty([match]) for match, _ in WAYS]
    assert ranks == sorted(ranks)
    assert [is_certain([match]) for match, _ in WAYS] == [True] * 4 + [False] * 4
    assert certainty([WAYS[-1][0], WAYS[0][0]]) == ranks[0]
    assert certainty([]) == certainty([WAYS[4][0]])
    assert not is_certain([])


def a_memory(name: str, kind: MatchKind) -> Details:
    """One answer."""
    return Details("c1", name, known=True, matches=(Match(kind, name),))


def test_the_surer_way_of_finding_comes_first_then_the_own_session() -> None:
    """R35, INV-I7: what other sessions answered is merged in by how sure it is, and cut to the number asked for."""
    own = Found("s", "q", 3, (a_memory("Name", MatchKind.NAME), a_memory("Words", MatchKind.WORDS)))
    others = [a_memory("OtherName", MatchKind.NAME), a_memory("Handle", MatchKind.HANDLE)]
    merged = own.with_others(others, 3)
    assert [one.name for one in merged.answers] == ["Handle", "Name", "OtherName"]
    assert [one.name for one in own.with_others(others, 9).answers][-1] == "Words"
    assert (merged.source, merged.query, merged.revision) == ("s", "q", 3)


def test_lines_that_touch_are_read_once() -> None:
    """DEC-D9: overlapping parts of an observation are one part; an empty one is none."""
    assert observed._merged([(5, 9), (0, 3), (2, 4), (9, 9), (20, 20), (3, 4)]) == [(0, 4), (5, 9)]


LOG = "".join(f"2026-01-02 10:00:0{n} ERROR out/x{n}.log\n" for n in range(5))


@pytest.mark.parametrize(
    ("above", "kept"),
    [
        ("Hello there.\nIt fails again with\nthis:\n", "this:"),
        ("Hello there.\nIt fails again with\nPlease have a look at it.\n", "Please have a look at it."),
        ("Hello there.\nout of\nmemory\n", ""),
    ],
)
def test_lines_above_a_long_log_belong_to_it_unless_somebody_speaks(above: str, kept: str) -> None:
    """R16, CASE-A19: a heading of a dump is no sentence; one that ends in a colon or in a full stop is."""
    text = above + LOG
    own = "".join(text[part.start : part.end] for part in cut_user(text) if part.role is Role.INTENT)
    assert own.startswith("Hello there.")
    assert own.strip().endswith(kept or "Hello there.")
    assert "ERROR" not in own


def test_a_turn_of_no_known_place_has_no_text_of_it(make_turn: MakeTurn) -> None:
    """DEC-D9: nothing is cited of a place that the transcript does not tell."""
    nowhere = replace(make_turn(place=Place()), branch=None)
    assert not any(text.id == "turn.place" for text in view_of(nowhere).texts)
    assert any(text.id == "turn.place" for text in view_of(make_turn()).texts)

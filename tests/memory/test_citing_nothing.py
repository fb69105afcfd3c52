"""A citation that leads nowhere, at the bounds of its text and in a text that is not there."""

import pytest

from ferrule.bridge.values import (
    Call,
    CallRef,
    Cited,
    Evidence,
    Mention,
    MentionRef,
    Proves,
    Role,
    SpanRef,
    Stage,
    TurnView,
)
from ferrule.bridge.values import TurnText as Text
from ferrule.memory.rules import citing
from ferrule.referents.kinds import NOWHERE, HandleKind

USER = Text("user", Role.INTENT, "tide gauge")
MENTIONS = (
    Mention("m1", HandleKind.OTHER_ID, "tide", "id:tide", Role.INTENT, "user", 0, 4),
    Mention("m2", HandleKind.OTHER_ID, "tide", "id:tide", Role.INTENT, "lost", 0, 4),
)
VIEW = TurnView("s", "t", 1, (USER,), (), MENTIONS, NOWHERE)
RECORD = (Call("c1", Stage.IDENTITY, "search", "c", (), ok=True, values=("TideGauge",)),)


@pytest.mark.parametrize(
    ("cites", "expected"),
    [
        (MentionRef("m1"), True),
        (MentionRef("m2"), False),
        (MentionRef("m3"), False),
        (SpanRef("user", 0, 10), True),
        (SpanRef("user", 9, 10), True),
        (SpanRef("user", 0, 11), False),
        (SpanRef("user", -1, 4), False),
        (SpanRef("user", 4, 4), False),
        (SpanRef("user", 5, 4), False),
        (SpanRef("lost", 0, 4), False),
        (CallRef("c1", "TideGauge"), True),
        (CallRef("c1", "Tide"), False),
        (CallRef("c2", "TideGauge"), False),
    ],
)
def test_a_citation_leads_to_something_or_to_nothing(cites: Cited, *, expected: bool) -> None:
    """DEC-D9: a mention of a text that the turn has, a span inside of it, a value that the call returned."""
    evidence = Evidence(cites, Proves.PROPERTY)
    assert citing.points_at_something(VIEW, RECORD, evidence) is expected


def test_a_piece_is_what_it_is_cut_out_of() -> None:
    """DEC-D9: text, bounds, role and the text's id."""
    assert citing._piece(VIEW, Evidence(MentionRef("m1"), Proves.PROPERTY)) == citing.Piece(
        "tide gauge", 0, 4, Role.INTENT, "user"
    )
    assert citing._piece(VIEW, Evidence(SpanRef("user", 5, 10), Proves.PROPERTY)) == citing.Piece(
        "tide gauge", 5, 10, Role.INTENT, "user"
    )


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("tide gauge", "a tide gauge", True),
        ("tide gauge", "a TideGauge", True),
        ("tide gauge", "tide - gauge", True),
        ("tide gauge", "tide -- gauge", False),
        ("tide gauge", "tide_gauge_", True),
        ("tide gauge", "xtide gauge", False),
        ("tide gauge", "tide gaugex", False),
        ("tide gauge", "TIDE GAUGE", True),
        ("tide+gauge", "a tide+gauge", True),
        ("tide+gauge", "tidee gauge", False),
        ("...", "...", False),
    ],
)
def test_a_phrase_is_found_in_each_of_its_spellings(phrase: str, text: str, *, found: bool) -> None:
    """DEC-D9: up to three marks between its words, whole words at both ends."""
    pattern = citing.phrase_pattern(phrase)
    assert (pattern is not None and pattern.search(text) is not None) is found

"""The result marker is rendered from decisions and the door's record, and can be read back from the right."""

import pytest

from ferrule.bridge.values import Call, Decision, Disposition, Stage
from ferrule.review.marker import accepted_names, parse_marker, render_marker

DECISIONS = (
    Decision("PR 7", Disposition.NEW_CREATE, None, ("c1",), "opened in this turn"),
    Decision("a = b; c", Disposition.REFERENCE_ONLY, None, ("c2",), "read"),
)


def test_a_marker_lists_each_candidate_once_and_parses_back() -> None:
    """R36, R90: Candidates, Writes, PrototypeNames, Reason."""
    text = render_marker("My Desk: 6-1", "t7-ab", DECISIONS, ("Pr7",), reason="one\nPR; opened")
    assert text.splitlines()[0] == "ONLINE_MEMORY_CRITIC_RESULT online-memory-critic:My Desk: 6-1:t7-ab"
    marker = parse_marker(f"noise\n{text}\nmore")
    assert marker is not None
    assert (marker.source, marker.turn, marker.writes, marker.names) == ("My Desk: 6-1", "t7-ab", 1, ("Pr7",))
    assert marker.candidates == (("PR 7", "new-create"), ("a - b c", "reference-only"))
    assert marker.reason == "one PR opened"


def test_nothing_written_says_none() -> None:
    """R14, R90."""
    marker = parse_marker(render_marker("s", "t", (), (), reason="small talk"))
    assert marker is not None
    assert (marker.candidates, marker.writes, marker.names) == ((), 0, ())


@pytest.mark.parametrize(
    ("old", "new"),
    [("- Writes: 0", "- Writes: many"), ("=", "=maybe;"), (":s:t", ":t"), ("- Reason", "Reason"), ("- Writes", "")],
)
def test_a_broken_marker_is_no_marker(old: str, new: str) -> None:
    """R49, R90: what cannot be read proves nothing."""
    text = render_marker("s", "t", DECISIONS[:1], (), reason="r")
    assert parse_marker(text) is not None
    assert parse_marker(text.replace(old, new, 1)) is None


def test_a_marker_quoted_in_a_label_or_a_reason_hides_nothing() -> None:
    """R90, R94: a turn that talks about markers cannot make its own review unreadable, nor speak for another turn."""
    quoted = render_marker("s", "other", (), (), reason="r")
    label = Decision(f"why {quoted}", Disposition.REFERENCE_ONLY, None, (), "read")
    marker = parse_marker(render_marker("s", "t", (label,), (), reason=f"the user asked of {quoted}"))
    assert marker is not None
    assert (marker.turn, len(marker.candidates)) == ("t", 1)
    assert parse_marker(f"as it said: {quoted}") is None


def test_writes_are_those_that_the_door_accepted() -> None:
    """R48, R90: the door's record counts, never the critic's words."""
    calls = (
        Call("c1", Stage.PROPERTIES, "write", "PR 7", (), ok=True, values=("Pr7",)),
        Call("c2", Stage.PROPERTIES, "write", "X", (), ok=False),
        Call("c3", Stage.PROPERTIES, "check", "Y", (), ok=True, values=("Y",)),
    )
    assert accepted_names(calls) == ("Pr7",)

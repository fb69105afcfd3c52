"""How much of what was only seen is read."""

from hypothesis import given
from hypothesis import strategies as st

from ferrule.bridge.observed import BUDGET, LINES, glimpses, sought_words
from ferrule.bridge.values import Mention, Role, TurnText
from ferrule.referents.kinds import HandleKind


def seen(number: int, text: str, kind: str = "result") -> TurnText:
    """An observation."""
    return TurnText(f"call.c{number}.{kind}", Role.OBSERVATION, text, f"c{number}", ok=True)


def a_mention(kind: HandleKind, value: str) -> Mention:
    """A handle that was said."""
    return Mention("m1", kind, value, "k", Role.INTENT, "user", 0, len(value))


def test_a_short_observation_is_read_whole() -> None:
    """R18, DEC-D9."""
    (glimpse,) = glimpses([seen(1, "one src/a.py\n" * 20)], ()).shown
    assert (glimpse.start, glimpse.end) == (0, 260)


def test_of_a_long_observation_the_ends_and_the_telling_lines_are_read() -> None:
    """R18, DEC-D9: what was said is looked for, and found, wherever it stands in the scanned ends."""
    filler = "lorem ipsum dolor sit\n" * 500
    text = f"first line\n{filler}error in /srv/app/src/told.py here\n{filler}last line"
    shown = glimpses([seen(1, text)], ("told.py",))
    assert shown.text.startswith("first line")
    assert shown.text.endswith("last line")
    assert "error in /srv/app/src/told.py here" in shown.text
    assert len(shown.text) < 3_000


def test_what_is_read_of_a_turn_is_bounded_however_much_was_seen() -> None:
    """R18: a hundred results cost no more than the budget; every word is looked for in both ends only."""
    texts = [seen(n, "see src/told.py and more words\n" * 5_000) for n in range(100)]
    shown = glimpses(texts, ("told.py",))
    longest_line = 2 * 600
    assert len(shown.text) <= BUDGET + LINES + longest_line + 3 * len(shown.shown)


def test_short_results_come_before_long_ones_and_before_what_was_carried_into_a_file() -> None:
    """DEC-D9: a commit's one line tells more than a log, whichever came first."""
    carried = [seen(n, "x = 1\n" * 300, "content") for n in range(40)]
    logs = [seen(n, "tick tock\n" * 2_000) for n in range(100, 140)]
    shown = glimpses([*carried, *logs, seen(999, "[main 3ff9b78] done")], ())
    assert "[main 3ff9b78] done" in shown.text


def test_a_span_of_the_joined_text_leads_back_to_its_own_text() -> None:
    """DEC-D9: offsets are those of the text that is cited; nothing is read across two texts."""
    texts = [seen(1, "alpha src/a.py"), seen(2, "src/b.py omega")]
    shown = glimpses(texts, ())
    at = shown.text.index("src/b.py")
    found = shown.at(at, at + 8)
    assert found is not None
    glimpse, shift = found
    assert glimpse.text.text[at + shift : at + 8 + shift] == "src/b.py"
    assert shown.at(10, at + 3) is None


@given(st.lists(st.text(alphabet="ab/. \n", max_size=6_000), max_size=4), st.sampled_from([(), ("a",), ("a/b", "b.")]))
def test_glimpses_are_slices_in_order_that_do_not_overlap(texts: list[str], words: tuple[str, ...]) -> None:
    """DEC-D9: whatever the text, every glimpse is a slice of it."""
    shown = glimpses([seen(number, text) for number, text in enumerate(texts)], words)
    for glimpse in shown.shown:
        assert 0 <= glimpse.start < glimpse.end <= len(glimpse.text.text)
    for one, other in zip(shown.shown, shown.shown[1:], strict=False):
        assert one.text is not other.text or one.end < other.start


def test_a_handle_is_looked_for_by_its_telling_end() -> None:
    """DEC-D9: a path by its name, a number with its sign, a commit by seven digits; commands are not looked for."""
    said = [
        a_mention(HandleKind.FILESYSTEM_PATH, "src/app/told.py"),
        a_mention(HandleKind.PULL_REQUEST, "acme/app#12"),
        a_mention(HandleKind.COMMIT_SHA, "3ff9b78aa01"),
        a_mention(HandleKind.COMMAND, "make test"),
        a_mention(HandleKind.BRANCH, "next"),
    ]
    assert sought_words(said) == ("#12", "/12", "3ff9b78", "told.py", "next")
    assert len(sought_words([a_mention(HandleKind.BRANCH, f"topic-{n}") for n in range(1_000)])) < 100

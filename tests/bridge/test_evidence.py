"""What a citation says and where a value stands whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ferrule.bridge.evidence import cited_mention, cited_text, excerpt, occurs, spans_of
from ferrule.bridge.values import CallRef, Mention, MentionRef, Role, SpanRef, TurnText, TurnView
from ferrule.referents.kinds import NOWHERE, HandleKind

WHOLE = [
    ("edit src/a.py now", "src/a.py"),
    ("edit `src/a.py`.", "src/a.py"),
    ("src/a.py:12: error", "src/a.py"),
    ("./src/a.py", "src/a.py"),
    ("see https://example.org/x", "example.org"),
    ("the file src/a.py", "a.py"),
    ("port 9.", "9"),
    ("使用src/a.py文件", "src/a.py"),
    ("closes repo#12", "#12"),
    ("(main)", "main"),
    ("NAME=value", "NAME"),
    ("pkg@1.2.3", "pkg"),
    ("src/lib/ holds it", "src/lib"),
]
NOT_WHOLE = [
    ("src/a.pyc", "src/a.py"),
    ("old-src/a.py", "src/a.py"),
    ("/repo/src/a.py", "src/a.py"),
    ("src/a.py.bak", "src/a.py"),
    ("version 1.9.2", "9"),
    ("19", "9"),
    ("mainline", "main"),
    ("feature-main", "main"),
    ("https://example.org/x/pull/3", "https://example.org/x"),
    ("src/libs", "src/lib"),
    ("abcdef123", "abcdef1"),
]


def a_view(*texts: TurnText, mentions: tuple[Mention, ...] = ()) -> TurnView:
    """A view of these texts."""
    return TurnView(source="s", turn="t", ordinal=1, texts=texts, actions=(), mentions=mentions, place=NOWHERE)


@pytest.mark.parametrize(("text", "value"), WHOLE)
def test_a_value_stands_whole_where_its_token_begins_and_ends(text: str, value: str) -> None:
    """DEC-D9: whole-token occurrence."""
    found = list(spans_of(text, value))
    assert [text[start:end] for start, end in found] == [value]


@pytest.mark.parametrize(("text", "value"), NOT_WHOLE)
def test_a_value_inside_a_longer_token_does_not_stand(text: str, value: str) -> None:
    """DEC-D9: a part of a longer token is another value."""
    assert not list(spans_of(text, value))


def test_an_empty_value_stands_nowhere() -> None:
    """DEC-D9."""
    assert not list(spans_of("anything", ""))


@given(st.text(alphabet="ab/.-_ \n#", max_size=60), st.text(alphabet="ab/.-_#", min_size=1, max_size=5))
def test_every_span_found_is_the_value_itself(text: str, value: str) -> None:
    """DEC-D9: spans are verbatim and ordered, whatever the text."""
    found = list(spans_of(text, value))
    assert all(text[start:end] == value for start, end in found)
    assert found == sorted(found)


def test_occurrences_are_looked_for_only_in_the_roles_asked_for() -> None:
    """DEC-D9: an observation is not an outcome."""
    view = a_view(
        TurnText("user", Role.INTENT, "use src/a.py"),
        TurnText("call.c1.result", Role.OBSERVATION, "src/a.py src/b.py", "c1", ok=True),
    )
    assert occurs(view, "src/a.py", {Role.INTENT}) == (SpanRef("user", 4, 12),)
    assert occurs(view, "src/b.py", {Role.INTENT, Role.OUTCOME, Role.ACTION}) == ()
    assert len(occurs(view, "src/a.py", tuple(Role))) == 2


def test_a_citation_speaks_in_the_role_that_the_view_gives_it() -> None:
    """DEC-D9: the role is looked up, never taken from who cites."""
    text = TurnText("user", Role.INTENT, "use src/a.py")
    mention = Mention("m1", HandleKind.FILESYSTEM_PATH, "src/a.py", "k", Role.INTENT, "user", 4, 12)
    view = a_view(text, mentions=(mention,))
    assert cited_text(view, MentionRef("m1")) == ("src/a.py", Role.INTENT)
    assert cited_text(view, SpanRef("user", 0, 3)) == ("use", Role.INTENT)
    assert cited_mention(view, MentionRef("m1")) == mention
    assert cited_mention(view, SpanRef("user", 0, 3)) is None


@pytest.mark.parametrize(
    "cited",
    [
        MentionRef("m9"),
        SpanRef("nowhere", 0, 1),
        SpanRef("user", 0, 99),
        SpanRef("user", 3, 3),
        SpanRef("user", -1, 2),
        CallRef("c1", "x"),
    ],
)
def test_a_citation_of_nothing_says_nothing(cited: MentionRef | SpanRef | CallRef) -> None:
    """DEC-D9: an invented citation proves nothing."""
    assert cited_text(a_view(TurnText("user", Role.INTENT, "use src/a.py")), cited) is None


def test_an_excerpt_shows_whole_words_beside_the_cited_ones() -> None:
    """R18: a reader sees no half of a word, unless the cited part is one."""
    text = "unabbreviated surroundings of src/a.py and furthermore explanations"
    at = text.index("src/a.py")
    shown = excerpt(a_view(TurnText("outcome", Role.OUTCOME, text)), SpanRef("outcome", at, at + 8), limit=38)
    assert shown == "of src/a.py and"


def test_an_excerpt_is_one_short_line_around_the_cited_words() -> None:
    """R18: evidence is shown bounded."""
    words = "word\n" * 200
    view = a_view(TurnText("outcome", Role.OUTCOME, words + "src/a.py " + words))
    at = len(words)
    shown = excerpt(view, SpanRef("outcome", at, at + 8), limit=60)
    assert "src/a.py" in shown
    assert "\n" not in shown
    assert len(shown) <= 60
    assert excerpt(view, CallRef("c1", "src/known.py")) == "src/known.py"
    assert excerpt(view, MentionRef("m7")) == ""


def test_the_mentions_of_a_thing_come_in_the_order_of_their_numbers() -> None:
    """DEC-D9: by any of its keys, each once."""
    mentions = tuple(
        Mention(f"m{number}", HandleKind.FILESYSTEM_PATH, "a.py", key, Role.INTENT, "user", 0, 4)
        for number, key in enumerate("xyxz", start=1)
    )
    view = a_view(mentions=mentions)
    assert [mention.id for mention in view.mentions_of({"z", "x"})] == ["m1", "m3", "m4"]
    assert view.mentions_of({"w"}) == []

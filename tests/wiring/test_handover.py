"""Which turn of a handed-over transcript is meant, and which place it gets."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from follow_cases import CHILD, SOURCE, turn

from ferrule.companion.answers import Declined, Ignored
from ferrule.errors import Code, UsageError
from ferrule.session.imported import ImportedSession
from ferrule.session.source import CRITIC_PROFILE, SourceSession
from ferrule.session.subscriptions import Subscription
from ferrule.wiring.handover import Handed, hand_over, keep, names_session, read_handover, turn_of, whole
from ferrule.wiring.home import Home, open_home


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """An open home."""
    with open_home(tmp_path / "home") as opened:
        yield opened


def read(home: Home, *forms: dict[str, Any]) -> tuple[ImportedSession, ...]:
    """Neutral turns from standard input."""
    return read_handover(home, "-", io.BytesIO("\n".join(map(json.dumps, forms)).encode()))


def handed(home: Home, *forms: dict[str, Any], pick: str | None = None) -> Handed:
    """The selected turn."""
    found = hand_over(read(home, *forms), None, pick)
    assert isinstance(found, Handed)
    return found


@pytest.mark.parametrize(("word", "key"), [(None, "k2"), ("k1", "k1"), ("9", "k2"), ("k9", "k9"), ("4", "4")])
def test_a_turn_is_named_by_key_then_by_ordinal(home: Home, word: str | None, key: str) -> None:
    """R75: a key wins over an ordinal; the newest completed one is the default."""
    forms = (
        turn(2, ordinal=9),
        turn(1, ordinal=4),
        turn(5, ordinal=5, turn_key="4"),
        turn(9, ordinal=8),
        turn(10, ordinal=10, outcome={"text": ""}),
    )
    found = handed(home, *forms, pick=word)
    assert (found.turn.key, found.newest, found.placed) == (key, 10, True)


@pytest.mark.parametrize(("word", "reason"), [("k1", "no-outcome (it ended without an answer)"), (None, "no-user")])
def test_a_turn_that_is_not_completed_is_declined_with_its_reason(home: Home, word: str | None, reason: str) -> None:
    """R76, CASE-H05: by name, or when no turn of the file is completed."""
    answer = hand_over(read(home, turn(1, outcome={"text": ""}), turn(2, user={"text": ""})), None, word)
    assert isinstance(answer, Declined)
    assert answer.code is Code.TURN_NOT_COMPLETED
    assert reason in answer.reason


def test_a_repeated_turn_is_the_first_of_them(home: Home) -> None:
    """R92: a `duplicate` in a file does not hide the turn that it repeats."""
    assert handed(home, turn(1), turn(1), pick="k1").turn.key == "k1"


def test_a_session_is_named_by_key_or_beginning(home: Home) -> None:
    """CASE-E14: an exact key wins; several beginnings, or none, are refused."""
    sessions = read(home, turn(1), turn(1, session_key="desk 11"), turn(1, session_key="other"))
    assert isinstance(hand_over(sessions, "desk 1", None), Handed)
    assert isinstance(hand_over(sessions, "oth", None), Handed)
    assert [names_session(sessions, word) for word in ("desk 1", "des", "k1", "")] == [True, True, False, False]
    for word, code in ((None, Code.BAD_KEY), ("desk", Code.WRONG_SESSION), ("", Code.WRONG_SESSION)):
        with pytest.raises(UsageError, match="desk 1, desk 11, other") as raised:
            hand_over(sessions, word, None)
        assert raised.value.code is code


def test_a_transcript_without_a_turn_is_declined(home: Home) -> None:
    """R76: a session that has only begun."""
    meta = {"type": "session_meta", "payload": {"id": "5f1c0b7e-0000-4000-8000-000000000001"}}
    answer = hand_over(read(home, meta), None, None)
    assert isinstance(answer, Declined)
    assert answer.code is Code.TURN_NOT_COMPLETED
    assert "has no turn yet" in answer.reason


def stored(home: Home, found: Handed) -> tuple[int, int]:
    """The turn's place in the store, and how many turns it holds."""
    with home.store.unit():
        kept = keep(home.store, found)
    assert home.store.turn_ordinal(SOURCE, kept.key) == kept.ordinal
    return kept.ordinal, len(home.store.turn_keys(SOURCE))


def test_a_turn_alone_and_without_a_number_is_the_next_to_arrive(home: Home) -> None:
    """R81: behind what is stored and behind what the subscription leaves out as history; again it keeps its place."""
    assert stored(home, handed(home, turn(1))) == (1, 1)
    assert stored(home, handed(home, turn(7, ordinal=7))) == (7, 2)
    assert stored(home, handed(home, turn(8))) == (8, 3)
    home.store.put_session(SourceSession(CHILD, CRITIC_PROFILE, parent=SOURCE, hidden=True))
    home.store.put_subscription(Subscription(SOURCE, CHILD, 20))
    assert stored(home, handed(home, turn(21))) == (20, 4)
    assert stored(home, handed(home, turn(1))) == (1, 4)
    assert stored(home, handed(home, turn(21, ordinal=3))) == (20, 4)


def test_a_turn_of_several_keeps_its_place_in_the_file(home: Home) -> None:
    """R75, R81: of nine unnumbered turns the third is the third, and only it is stored."""
    found = handed(home, *(turn(number) for number in range(1, 10)), pick="k3")
    assert (found.newest, found.placed) == (9, True)
    assert stored(home, found) == (3, 1)


def test_an_object_is_a_turn_or_misuse(home: Home) -> None:
    """R89: no guess is made at what was meant."""
    assert isinstance(turn_of(home, turn(1)), Handed)
    for form in ({}, {"session_key": "s"}, turn(1, turn_key="a b"), turn(1, user={"text": {1}})):
        with pytest.raises(UsageError):
            turn_of(home, form)


def test_what_is_refused_or_ignored_takes_back_what_was_stored(home: Home) -> None:
    """R9, R59: one unit around the text and the decision."""
    for answer in (Declined(Code.NOT_ATTACHABLE, "no"), Ignored(SOURCE, "k1", "no")):

        def decide(answer: Declined | Ignored = answer) -> Declined | Ignored:
            keep(home.store, handed(home, turn(1)))
            return answer

        assert whole(home.store, decide) is answer
        assert home.store.session(SOURCE) is None

"""A thumbs-up is an attach; neutral and down are kept and start nothing."""

import pytest
from companion_cases import CHILD_KEY, SOURCE, attached, counted, state_digest
from store_cases import Clock

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.answers import Attached, Declined, FeedbackAnswer, Noted
from ferrule.companion.attaching import Choice, Terms
from ferrule.companion.feedback import Opinion, give_feedback
from ferrule.errors import Code
from ferrule.session.source import Origin, SourceSession


def give(
    store: SqliteStore, clock: Clock, opinion: Opinion, *, turn: str = "t3", source: str = SOURCE.key
) -> FeedbackAnswer:
    """Give feedback."""
    return give_feedback(store, source, turn, opinion, now=clock())


def test_a_thumbs_up_ensures_the_child_and_queues_its_turn(store: SqliteStore, clock: Clock) -> None:
    """R72, R75: origin thumbs-up, exactly that turn, and the opinion is kept."""
    answer = give(store, clock, Opinion.UP)
    assert isinstance(answer, Attached)
    assert (answer.instruction.turn, answer.instruction.origin) == ("t3", Origin.THUMBS_UP)
    assert store.session(CHILD_KEY) is not None
    assert store.feedback(SOURCE.key, "t3") == "up"


def test_twenty_fast_clicks_are_one_queued_turn(store: SqliteStore, clock: Clock) -> None:
    """CASE-H12, INV-I4: the first queues it, the others change nothing."""
    first = give(store, clock, Opinion.UP)
    after = state_digest(store)
    assert isinstance(first, Attached)
    answers = []
    for _ in range(19):
        clock.now += 0.05
        answers.append(give(store, clock, Opinion.UP))
    assert all(isinstance(answer, Attached) and answer.already for answer in answers)
    assert not first.already
    assert state_digest(store) == after
    assert counted(store, "instructions") == 1


@pytest.mark.parametrize("opinion", [Opinion.NEUTRAL, Opinion.DOWN])
def test_the_others_are_kept_and_neither_attach_nor_detach(store: SqliteStore, clock: Clock, opinion: Opinion) -> None:
    """R72: no child, no subscription, no instruction; and what stands attached stays so."""
    assert give(store, clock, opinion) == Noted(SOURCE.key, "t3", opinion.value)
    assert [counted(store, table) for table in ("sessions", "subscriptions", "instructions")] == [1, 0, 0]
    assert store.feedback(SOURCE.key, "t3") == opinion.value
    standing = attached(store, "t3", clock)
    give(store, clock, opinion, turn="t4")
    give(store, clock, opinion)
    assert store.subscription(SOURCE.key) == standing.subscription
    assert store.instruction(SOURCE.key, "t3") == standing.instruction


def test_the_last_word_counts(store: SqliteStore, clock: Clock) -> None:
    """R72: and takes back no review that was asked for."""
    give(store, clock, Opinion.UP)
    give(store, clock, Opinion.DOWN)
    assert store.feedback(SOURCE.key, "t3") == "down"
    assert counted(store, "instructions") == 1


@pytest.mark.parametrize("opinion", Opinion)
def test_what_is_refused_is_not_even_kept(store: SqliteStore, clock: Clock, opinion: Opinion) -> None:
    """R9, R12, R76, R98, INV-I7: an unknown turn, a session that is not observed, one that is not there."""
    store.put_session(SourceSession("desk:plan", "planner"))
    attached(store, "t1", clock)
    before = state_digest(store)
    for source, turn, code in (
        (SOURCE.key, "t10", Code.TURN_NOT_COMPLETED),
        (SOURCE.key, "\ud800", Code.TURN_NOT_COMPLETED),
        ("desk:plan", "t1", Code.NOT_ATTACHABLE),
        (CHILD_KEY, "t1", Code.NOT_ATTACHABLE),
        ("nobody", "t1", Code.NOT_ATTACHABLE),
    ):
        answer = give(store, clock, opinion, turn=turn, source=source)
        assert isinstance(answer, Declined)
        assert answer.code is code
    assert state_digest(store) == before


def test_a_thumbs_up_can_choose_the_reviewer(store: SqliteStore, clock: Clock) -> None:
    """R72, R91: as an attach does, with the same refusals."""
    terms = Terms(Choice(model="small-1"))
    answer = give_feedback(store, SOURCE.key, "t3", Opinion.UP, terms=terms, now=clock())
    assert isinstance(answer, Attached)
    assert answer.companion.model == "small-1"
    refused = give_feedback(store, SOURCE.key, "t4", Opinion.UP, terms=Terms(Choice(reviewer="oracle")), now=clock())
    assert isinstance(refused, Declined)
    assert store.feedback(SOURCE.key, "t4") == ""

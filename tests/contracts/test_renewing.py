"""A turn that went on after it had ended has its text renewed until its review begins, and never after."""

from lane_cases import SOURCE, Store, claim, queue, review
from store_cases import a_turn

LATER = a_turn(1, outcome="I wrote docs/parser.md and tested it.")


def text(store: Store) -> str:
    """The outcome that is stored."""
    turn = store.turn(SOURCE.key, "t1")
    assert turn is not None
    return turn.outcome


def test_a_waiting_turn_takes_the_later_text(store: Store) -> None:
    """INV-I4: it stays the same turn in the same place, and one instruction."""
    queue(store, a_turn(1), a_turn(2))
    assert store.renew_turn(LATER)
    assert text(store) == LATER.outcome
    assert store.turn_keys(SOURCE.key) == ((1, "t1"), (2, "t2"))
    assert [one.turn for one in store.instructions(SOURCE.key)] == ["t1", "t2"]


def test_the_same_text_and_an_unknown_turn_change_nothing(store: Store) -> None:
    """What is already so, or not there, is told."""
    assert not store.renew_turn(LATER)
    queue(store, a_turn(1))
    assert not store.renew_turn(a_turn(1))
    assert not store.renew_turn(a_turn(3))
    assert store.turn_keys(SOURCE.key) == ((1, "t1"),)


def test_a_turn_under_review_keeps_its_text(store: Store) -> None:
    """R15: what the critic reads is what is stored, before and after its commit."""
    queue(store, a_turn(1))
    held = claim(store)
    assert not store.renew_turn(LATER)
    review(store, held)
    assert not store.renew_turn(LATER)
    assert text(store) == a_turn(1).outcome


def test_a_turn_that_was_given_back_takes_the_later_text(store: Store) -> None:
    """A failed attempt has left nothing behind, so the next may read the later text."""
    queue(store, a_turn(1))
    store.fail(claim(store), "the model is away", attempts=5)
    assert store.renew_turn(LATER)
    assert text(store) == LATER.outcome

"""Finished reviews that wait to be handed in."""

from pathlib import Path

from door_cases import opened
from store_cases import a_session

from ferrule.bridge.values import TurnReview
from ferrule.companion.finished import MOST_KEPT, FinishedReviews
from ferrule.session.source import Instruction, InstructionState, LaneClaim, Origin

SOURCE = a_session()


def a_claim(turn: str, epoch: int = 1) -> LaneClaim:
    """A claim of that turn."""
    instruction = Instruction(1, SOURCE.key, "child", turn, 1, Origin.EVENT, InstructionState.CLAIMED)
    return LaneClaim(SOURCE.key, instruction, epoch)


def a_review(turn: str) -> TurnReview:
    """What was thought out about it."""
    return TurnReview(SOURCE.key, turn, 1, "scripted-1", (), (), "done", marker=f"marker of {turn}")


def test_a_kept_review_is_had_once_under_whatever_later_claim(tmp_path: Path) -> None:
    """R78, R84: the next claim of the turn, with another epoch, hands in the same review, and only one does."""
    store, _, door, _ = opened(tmp_path / "home")
    finished = FinishedReviews()
    finished.keep(a_claim("t1"), door, a_review("t1"))
    assert finished.taken(a_claim("t2")) is None
    assert finished.taken(a_claim("t1", epoch=7)) == (door, a_review("t1"))
    assert finished.taken(a_claim("t1")) is None
    store.close()


def test_few_are_kept_and_the_oldest_goes_first(tmp_path: Path) -> None:
    """CASE-I12: hosts that evaluate for ever do not fill memory; what is pushed out is reviewed again."""
    store, _, door, _ = opened(tmp_path / "home")
    finished = FinishedReviews()
    for number in range(MOST_KEPT + 1):
        finished.keep(a_claim(f"t{number}"), door, a_review(f"t{number}"))
    assert finished.taken(a_claim("t0")) is None
    assert all(finished.taken(a_claim(f"t{number}")) is not None for number in range(1, MOST_KEPT + 1))
    store.close()

"""What survives a cut is counted against texts of the same size, by the same rule for all."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from ferrule.evaluation.amnesia import FERRULE, Asked, Cut, Track, amnesia
from ferrule.evaluation.bootstrap import Draws
from ferrule.evaluation.forgetting import Lost, Told, handles_of, lost_at
from ferrule.evaluation.rivals import RIVALS
from ferrule.recall.budget import estimated_tokens
from ferrule.referents.kinds import HandleKind, Place
from ferrule.session.turn import ToolCall, Turn

PLACE = Place(cwd="/w/shop", root="/w/shop")


def turn(number: int, user: str, outcome: str = "Done.") -> Turn:
    """One turn of a session in `/w/shop`."""
    return Turn(f"t{number}", "desk:one", number, user, outcome, place=PLACE)


TALK = [
    turn(1, "Look at src/pay/refund.py", "src/pay/refund.py rounds twice."),
    turn(2, "Is there a test?", "tests/pay/test_refund.py has one."),
    turn(3, "What is the weather?", "I cannot tell."),
    turn(4, "And the time?", "I cannot tell either."),
    turn(5, "Mend src/pay/refund.py and show src/pay/new.py", "Mended."),
]
HANDLES = [handles_of(one) for one in TALK]


@pytest.mark.parametrize(
    ("cut", "window", "values"),
    [
        (4, 2, ["src/pay/refund.py"]),  # told before, not in the last two, used again
        (4, 4, []),  # still in sight
        (2, 0, ["src/pay/refund.py"]),
        (2, 2, []),
        (1, 0, ["src/pay/refund.py"]),
    ],
)
def test_a_handle_is_lost_when_it_was_told_is_out_of_sight_and_is_used_again(
    cut: int, window: int, values: list[str]
) -> None:
    """R87: what no turn before the cut told cannot be lost (`src/pay/new.py`), nor what is not used again."""
    assert [min(lost.spellings) for lost in lost_at(HANDLES, cut, window)] == values


def test_the_own_folder_is_never_lost() -> None:
    """R87: a client knows where it works."""
    talk = [turn(1, "Work in /w/shop please"), turn(2, "Hello"), turn(3, "Still in /w/shop?")]
    assert lost_at([handles_of(one) for one in talk], 2, 1) == ()


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("- refund (SourceFile, changed): FilePath src/pay/refund.py", True),
        ("FilePath /w/shop/src/pay/refund.py.", True),
        ("in /w/shop/src/pay: charge.py; refund.py", True),
        ("src/pay/refund.pyc", False),
        ("lib/src/pay/refund.py", False),
        ("the refund module", False),
        ("src/pay/", False),
        ("", False),
    ],
)
def test_a_text_tells_a_handle_when_it_holds_it_whole(text: str, tells: bool) -> None:  # noqa: FBT001 - a row of a table
    """R87: by identity or by spelling; half a path is a wrong path."""
    (lost,) = lost_at(HANDLES, 4, 2)
    assert Told(text, PLACE).tells(lost) is tells


@pytest.mark.parametrize("name", RIVALS)
@pytest.mark.parametrize("tokens", [50, 150, 600])
def test_a_rival_costs_no_more_than_it_may(name: str, tokens: int) -> None:
    """R87: all are given the same budget."""
    talk = [
        turn(n, f"Please look at src/module{n}/file.py " * 20, f"Changed src/module{n}/file.py. " * 30)
        for n in range(1, 9)
    ]
    text = RIVALS[name](talk, [handles_of(one) for one in talk], tokens)
    assert text
    assert estimated_tokens(text) <= tokens


def test_the_rivals_tell_what_they_should() -> None:
    """R87: a summary reaches back to the first turn, the last turns do not, the list judges nothing."""
    texts = {name: rival(TALK[:4], HANDLES[:4], 60) for name, rival in RIVALS.items()}
    assert "src/pay/refund.py" in texts["summary"]
    assert texts["last turns"].rstrip().endswith("I cannot tell either.")
    assert "src/pay/refund.py" in texts["every handle"]
    assert texts["every handle"].index("test_refund") < texts["every handle"].index("src/pay/refund.py")


def track(session: str, context: str, remembered: Sequence[str] = ()) -> Track:
    """The talk cut after turn 4, where Ferrule tells this."""
    cut = Cut(dict.fromkeys((150, 300, 600, 1200), context), frozenset(remembered))
    return Track(session, "neutral", TALK, HANDLES, {4: cut})


def shares(found: Mapping[str, object]) -> Mapping[str, Any]:
    """The share of each contender."""
    contenders = found["contenders"]
    assert isinstance(contenders, dict)
    return {name: row["share"] for name, row in contenders.items()}


def test_the_share_of_what_is_told_is_counted_with_its_interval() -> None:
    """R87: two sessions, one of which is told the file again; remembered is what a search would find."""
    (lost,) = lost_at(HANDLES, 4, 2)
    found = amnesia(
        [track("a", "src/pay/refund.py"), track("b", "nothing", remembered=[lost.key])], Asked(), Draws(200, 1)
    )
    assert (found["needed"], found["cuts"]) == (2, 2)
    assert (shares(found)[FERRULE], shares(found)["remembered"]) == (0.5, 0.5)
    advantage = found["advantage"]
    assert isinstance(advantage, dict)
    assert advantage["last turns"]["share"] == 0.5 - shares(found)["last turns"]
    low, high = advantage["last turns"]["interval"]
    assert low <= advantage["last turns"]["share"] <= high
    kinds = found["by_kind"]
    assert isinstance(kinds, dict)
    assert kinds["filesystem-path"]["needed"] == 2
    origins = found["by_origin"]
    assert isinstance(origins, dict)
    assert {name: row["needed"] for name, row in origins.items()} == {"worked with": 2}
    missed = found["missed"]
    assert isinstance(missed, list)
    assert [(one["session"], one["remembered"]) for one in missed] == [("b", True)]


def test_nothing_lost_is_no_share_at_all() -> None:
    """R87: an empty benchmark says so instead of a perfect figure."""
    found = amnesia([Track("a", "neutral", TALK[:2], HANDLES[:2], {1: Cut({}, frozenset())})], Asked(), Draws(50, 1))
    assert (found["needed"], shares(found)[FERRULE]) == (0, None)


def test_a_lost_handle_is_known_by_all_its_spellings() -> None:
    """R33: one identity, however it was spelled."""
    lost = Lost("k", HandleKind.PULL_REQUEST, frozenset({"#41", "acme/shop#41"}), 3)
    assert Told("see acme/shop#41", PLACE).tells(lost)
    assert not Told("see #410", PLACE).tells(lost)


def test_what_only_a_tools_output_showed_is_told_apart() -> None:
    """R87: a listing shows a thousand paths; one of them that is used later was never worked with before."""
    call = ToolCall("c1", "bash", {"command": "ls src/pay"}, "src/pay/ledger.py\nsrc/pay/tax.py\n", ok=True)
    talk = [
        replace(turn(1, "What is there?"), calls=(call,)),
        turn(2, "Fine."),
        turn(3, "Open src/pay/tax.py"),
    ]
    (lost,) = lost_at([handles_of(one) for one in talk], 2, 1)
    assert (min(lost.spellings), lost.worked_with) == ("src/pay/tax.py", False)

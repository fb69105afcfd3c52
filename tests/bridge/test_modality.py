"""What the evidence of a turn can prove, and what it cannot."""

from collections.abc import Callable

import pytest

from ferrule.bridge.marks import RECALL_CLOSE, recall_open
from ferrule.bridge.modality import admissible, provable
from ferrule.bridge.values import Modality, TurnView
from ferrule.bridge.view import view_of
from ferrule.session.turn import Turn

MakeTurn = Callable[..., Turn]


def keys_of(view: TurnView, value: str) -> tuple[str, ...]:
    """Identity keys of what ends in these words."""
    return tuple(sorted({mention.key for mention in view.mentions if mention.value.endswith(value)}))


READ = ("Read", {"file_path": "/srv/app/src/a.py"}, "x = 1", True)
WRITE = (
    "Write",
    {"file_path": "/srv/app/src/a.py", "content": "x"},
    "File created successfully at: /srv/app/src/a.py",
    True,
)
EDIT = (
    "Edit",
    {"file_path": "/srv/app/src/a.py", "old_string": "x", "new_string": "y"},
    "The file has been updated",
    True,
)
REMOVE = ("Bash", {"command": "rm /srv/app/src/a.py"}, "", True)
FAILED = ("Write", {"file_path": "/srv/app/src/a.py", "content": "x"}, "EACCES: permission denied", False)
UNANSWERED = ("Write", {"file_path": "/srv/app/src/a.py", "content": "x"}, None, None)

# name: user, outcome, calls, what is proved
LADDER: dict[str, tuple[str, str, list[object], Modality]] = {
    "written": ("Add src/a.py", "Added src/a.py.", [WRITE], Modality.CREATED),
    "read and edited": ("Fix src/a.py", "Fixed src/a.py.", [READ, EDIT], Modality.CHANGED),
    "created, then edited": ("Add src/a.py", "Added src/a.py.", [WRITE, EDIT], Modality.CREATED),
    "read, then written over": ("Rewrite src/a.py", "Did.", [READ, WRITE], Modality.CHANGED),
    "edited, then read": ("Fix src/a.py", "Fixed.", [EDIT, READ], Modality.CHANGED),
    "deleted": ("Drop src/a.py", "Dropped src/a.py.", [READ, REMOVE], Modality.DELETED),
    "created, then deleted": ("Try src/a.py", "Took src/a.py away.", [WRITE, REMOVE], Modality.DELETED),
    "only read": ("Explain src/a.py", "It is small.", [READ], Modality.EXISTING),
    "named by the user as present": ("Why is src/a.py slow?", "No idea.", [], Modality.EXISTING),
    "wished for by the user": ("Create src/a.py", "I will.", [], Modality.PLANNED),
    "needed": ("We need a module src/a.py", "Noted.", [], Modality.PLANNED),
    "claimed by the answer alone": ("Go on", "I created src/a.py.", [], Modality.REPORTED),
    "offered by the answer alone": ("Go on", "I would put it into src/a.py.", [], Modality.PLANNED),
    "the call failed": ("Create src/a.py", "Created src/a.py.", [FAILED], Modality.REPORTED),
    "the result is missing": ("Create src/a.py", "Created src/a.py.", [UNANSWERED], Modality.REPORTED),
    "failed, then done": ("Create src/a.py", "Created src/a.py.", [FAILED, WRITE], Modality.CREATED),
    "seen in a result": (
        "Go on",
        "See src/a.py.",
        [("Bash", {"command": "ls src"}, "src/a.py", True)],
        Modality.EXISTING,
    ),
    "said to be absent": (
        "Create src/a.py",
        "Not yet.",
        [("Bash", {"command": "ls"}, "ls: cannot access 'src/a.py': No such file or directory", None)],
        Modality.PLANNED,
    ),
}


@pytest.mark.parametrize("name", LADDER)
def test_the_strongest_that_the_evidence_proves(make_turn: MakeTurn, name: str) -> None:
    """DEC-D10, R21, R22, R23, R47, CASE-A09, CASE-A10."""
    user, outcome, calls, proved = LADDER[name]
    view = view_of(make_turn(user, outcome, *calls))
    assert provable(view, keys_of(view, "src/a.py")) is proved


@pytest.mark.parametrize("name", LADDER)
def test_what_is_proved_may_be_claimed_and_nothing_above_it(make_turn: MakeTurn, name: str) -> None:
    """DEC-D10: a write may not state more than its evidence."""
    user, outcome, calls, proved = LADDER[name]
    view = view_of(make_turn(user, outcome, *calls))
    keys = keys_of(view, "src/a.py")
    assert admissible(view, keys, proved)
    assert admissible(view, keys, Modality.PLANNED)
    assert not any(admissible(view, keys, claim) for claim in Modality if claim.rung > proved.rung)


NOT_SHOWN = [
    ([READ], Modality.CREATED),
    ([READ], Modality.CHANGED),
    ([READ], Modality.DELETED),
    ([READ, EDIT], Modality.CREATED),
    ([READ, EDIT], Modality.DELETED),
    ([READ, REMOVE], Modality.EXISTING),
    ([EDIT, REMOVE], Modality.CHANGED),
    ([READ, FAILED], Modality.CREATED),
]


@pytest.mark.parametrize(("calls", "claim"), NOT_SHOWN)
def test_a_kind_that_no_call_has_shown_may_not_be_claimed(
    make_turn: MakeTurn, calls: list[object], claim: Modality
) -> None:
    """DEC-D10, CASE-A10: within the top rung too."""
    view = view_of(make_turn("Look at src/a.py", "See src/a.py.", *calls))
    assert not admissible(view, keys_of(view, "src/a.py"), claim)


def test_a_failed_call_keeps_the_claim_down(make_turn: MakeTurn) -> None:
    """CASE-A10: the outcome claims it, the call failed; the planned form may stand."""
    view = view_of(make_turn("Create src/a.py", "Created src/a.py.", FAILED))
    keys = keys_of(view, "src/a.py")
    assert not admissible(view, keys, Modality.CREATED)
    assert admissible(view, keys, Modality.PLANNED)
    assert admissible(view, keys, Modality.REPORTED)


def test_a_release_that_no_tool_made_is_at_most_reported(make_turn: MakeTurn) -> None:
    """PEER-D17: assistants report runs that never happened."""
    view = view_of(make_turn("Release it", "Released v1.2 at https://example.org/r/v1.2"))
    assert provable(view, keys_of(view, "/r/v1.2")) is Modality.REPORTED


def test_words_about_a_port_prove_nothing_observed(make_turn: MakeTurn) -> None:
    """R21: what the user says stays intent; the host it names as present exists."""
    view = view_of(make_turn("it runs on https://app.example.org:9443/x", "Fine."))
    assert provable(view, keys_of(view, ":9443/x")) is Modality.EXISTING
    assert not admissible(view, keys_of(view, ":9443/x"), Modality.CHANGED)


def test_an_observation_with_a_claim_proves_the_claimed_kind(make_turn: MakeTurn) -> None:
    """DEC-D10, R23: a tool of no known verb shows the thing, the outcome says what was done."""
    view = view_of(
        make_turn(
            "Open an issue",
            "Created https://example.org/i/77.",
            ("tracker", {"do": "it"}, "https://example.org/i/77", True),
        )
    )
    assert provable(view, keys_of(view, "/i/77")) is Modality.CREATED


@pytest.mark.parametrize("wrap", ["{}\ngo on", "<system-reminder>\nhook context: {}\n</system-reminder>\ngo on"])
def test_recalled_context_proves_nothing(make_turn: MakeTurn, wrap: str) -> None:
    """PEER-D02: a memory is no evidence of itself, in whatever a client wraps it."""
    user = wrap.format(f"{recall_open('s')}\nX root /srv/x/one.py\n{RECALL_CLOSE}")
    view = view_of(make_turn(user, "I would use /srv/x/one.py."))
    assert provable(view, keys_of(view, "/srv/x/one.py")) is Modality.PLANNED


def test_a_value_deep_in_a_long_result_is_found(make_turn: MakeTurn) -> None:
    """DEC-D9, R18: mentions are read at both ends only, exact values are looked for beyond them."""
    filler = "lorem ipsum dolor\n" * 10_000
    call = ("Bash", {"command": "make list"}, f"{filler}/srv/x/deep.py\n{filler}", True)
    view = view_of(make_turn("List them", "It has /srv/x/deep.py.", call))
    assert provable(view, keys_of(view, "deep.py")) is Modality.EXISTING


def test_a_file_that_was_made_to_mention_a_path_does_not_prove_the_path(make_turn: MakeTurn) -> None:
    """DEC-D10: content is not existence."""
    call = ("Write", {"file_path": "/srv/app/plan.md", "content": "later: /srv/app/src/z.py"}, "ok", True)
    view = view_of(make_turn("Plan it", "The plan proposes /srv/app/src/z.py.", call))
    assert provable(view, keys_of(view, "src/z.py")) is Modality.PLANNED


def test_a_prompt_for_another_agent_that_wishes_for_a_file_does_not_show_it(make_turn: MakeTurn) -> None:
    """CASE-A19, DEC-D10: handing words on is not doing."""
    call = ("Task", {"prompt": "Please create /srv/app/src/z.py"}, "I looked around.", True)
    view = view_of(make_turn("Delegate", "Delegated.", call))
    assert provable(view, keys_of(view, "src/z.py")) is Modality.PLANNED


def test_a_renamed_thing_is_gone_under_its_old_handle(make_turn: MakeTurn) -> None:
    """DEC-D10: the new handle was created by the move, the old one is no more."""
    view = view_of(make_turn("Rename it", "Renamed.", ("Bash", {"command": "git mv src/old.py src/new.py"}, "", True)))
    assert provable(view, keys_of(view, "src/old.py")) is Modality.DELETED
    assert provable(view, keys_of(view, "src/new.py")) is Modality.CREATED


def test_no_key_proves_no_more_than_a_plan(make_turn: MakeTurn) -> None:
    """DEC-D10: the lowest rung is the floor."""
    view = view_of(make_turn())
    assert provable(view, ()) is Modality.PLANNED
    assert not admissible(view, (), Modality.REPORTED)

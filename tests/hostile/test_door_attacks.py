"""The door is bound to one turn, keeps its own record and its own budgets, and believes nobody about either."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from critic_cases import edit, said_turn
from hostile_cases import BENIGN_PATH, GAUGE, PARSER, Arena, hostile_turn, seeded
from reject_oracle import codes, found_in, standard_reject

from ferrule.bridge.values import (
    Accepted,
    Candidate,
    Confidence,
    Decision,
    Disposition,
    Lifecycle,
    Modality,
    SearchKind,
    Stage,
)
from ferrule.memory.door import DoorLimits, NLMemoryDoor
from ferrule.review.port import Limits
from ferrule.review.scripted import Enter, Inspect, Look, ScriptedReviewer, Write

SECRET = "ghp_" + "".join(f"{x}{y}" for x, y in zip("aBcDeFgHiJkLmNoPqR", "357913579135791357", strict=True))
NEW = f'prototype HarbourParser : SourceFile {{ EntityName = @"harbour parser"; FilePath = @"{PARSER}"; }}'
ADD = f'partial prototype TideGauge {{ String NextPath = @"{PARSER}"; }}'
NAME, HANDLE = SearchKind.NAME, SearchKind.HANDLE
Steps = tuple[Look | Enter | Inspect, ...]
PASS = Enter(Stage.PROPERTIES)
ALL: Steps = (Look("harbour parser", NAME), Look(PARSER, HANDLE), PASS, Inspect("SourceFile"))
UNPROVED: dict[str, tuple[Steps, str, str]] = {
    "no search at all": ((PASS, Inspect("SourceFile")), NEW, "NO_SEARCH_PROOF"),
    "the name only": ((Look("harbour parser", NAME), PASS, Inspect("SourceFile")), NEW, "NO_SEARCH_PROOF"),
    "the handle only": ((Look(PARSER, HANDLE), PASS, Inspect("SourceFile")), NEW, "NO_SEARCH_PROOF"),
    "another name": (
        (Look("harbour", NAME), Look(PARSER, HANDLE), PASS, Inspect("SourceFile")),
        NEW,
        "NO_SEARCH_PROOF",
    ),
    "another handle": (
        (Look("harbour parser", NAME), Look(GAUGE, HANDLE), PASS, Inspect("SourceFile")),
        NEW,
        "NO_SEARCH_PROOF",
    ),
    "the handle as a name": (
        (Look("harbour parser", NAME), Look(PARSER, NAME), PASS, Inspect("SourceFile")),
        NEW,
        "NO_SEARCH_PROOF",
    ),
    "the name as a handle": (
        (Look("harbour parser", HANDLE), Look(PARSER, HANDLE), PASS, Inspect("SourceFile")),
        NEW,
        "NO_SEARCH_PROOF",
    ),
    "a name with a tail": (
        (Look("harbour parser 2", NAME), Look(PARSER, HANDLE), PASS, Inspect("SourceFile")),
        NEW,
        "NO_SEARCH_PROOF",
    ),
    "schema of another base": (
        (Look("harbour parser", NAME), Look(PARSER, HANDLE), PASS, Inspect("Document")),
        NEW,
        "NOT_INSPECTED",
    ),
    "nothing inspected": ((Look("harbour parser", NAME), Look(PARSER, HANDLE), PASS), NEW, "NOT_INSPECTED"),
    "identity not left": (
        (Look("harbour parser", NAME), Look(PARSER, HANDLE), Inspect("SourceFile")),
        NEW,
        "NOT_INSPECTED",
    ),
    "an addition without a search of it": ((Look(PARSER, HANDLE), PASS, Inspect("TideGauge")), ADD, "NO_SEARCH_PROOF"),
    "an addition without its handle": (
        (Look("tide gauge", NAME), PASS, Inspect("TideGauge")),
        ADD,
        "NO_SEARCH_PROOF",
    ),
    "an addition without inspection": ((Look("tide gauge", NAME), Look(PARSER, HANDLE), PASS), ADD, "NOT_INSPECTED"),
    "an addition with its base inspected": (
        (Look("tide gauge", NAME), Look(PARSER, HANDLE), PASS, Inspect("SourceFile")),
        ADD,
        "NOT_INSPECTED",
    ),
}


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    """A home that knows two things."""
    return seeded(tmp_path / "home")


@pytest.mark.parametrize(("steps", "text", "code"), UNPROVED.values(), ids=UNPROVED)
def test_what_the_record_does_not_show_was_not_done(steps: Steps, text: str, code: str, arena: Arena) -> None:
    """R31, R35, R42, R43, R48, R49, CASE-L10: by another name, of another kind, of something else: no proof."""
    before = arena.state()
    door = arena.open(hostile_turn())
    target = "TideGauge" if text is ADD else None
    reviewer = ScriptedReviewer([*steps, Write(arena.proposal(door, text, target))])
    reviewer.review(door, Limits())
    assert codes(reviewer.answers[0])[0] == code
    arena.commit(door, reason="search found nothing")
    assert arena.state() == before
    arena.store.close()


def test_what_an_earlier_review_searched_proves_nothing(arena: Arena) -> None:
    """R49: the record is that of one critic turn; the same critic, one turn later, starts with nothing."""
    first = arena.open(hostile_turn())
    arena.look(first, NEW)
    arena.commit(first)
    door = arena.open(said_turn(f"The harbour parser is {PARSER}.", "Yes.", edit(PARSER), ordinal=5))
    door.enter(Stage.PROPERTIES)
    arena.inspect(door, NEW)
    assert codes(door.write(arena.proposal(door, NEW)))[0] == "NO_SEARCH_PROOF"
    arena.store.close()


def test_a_search_over_the_budget_is_no_search(arena: Arena) -> None:
    """CASE-L07, CASE-L14, R41: it comes back incomplete; failed is not empty, and no write rests on it."""
    door = arena.open(hostile_turn())
    for number in range(24):
        door.search(f"harbour {number}", NAME)
    assert not door.search("harbour parser", NAME).complete
    door.enter(Stage.PROPERTIES)
    assert codes(door.write(arena.proposal(door, NEW)))[0] == "NO_SEARCH_PROOF"
    arena.store.close()


def test_a_fourth_identical_search_is_no_search(arena: Arena) -> None:
    """CASE-L07: the first three are answered."""
    door = arena.open(hostile_turn())
    assert [door.search("harbour parser", NAME).complete for _ in range(4)] == [True, True, True, False]
    arena.store.close()


def test_a_sixth_write_is_refused_whole(tmp_path: Path) -> None:
    """CASE-L17: five are taken, the sixth is `BUDGET`, never a part of it."""
    paths = [f"/srv/quay/parse/part{number}.py" for number in range(6)]
    arena = seeded(tmp_path / "home")
    arena.desk._limits = DoorLimits(calls=60)
    turn = said_turn("Write " + " and ".join(paths), "Done.", *(edit(path) for path in paths), ordinal=4)
    door = arena.open(turn)
    texts = [f'prototype Part{n} : SourceFile {{ FilePath = @"{path}"; }}' for n, path in enumerate(paths)]
    for text in texts:
        arena.look(door, text)
    door.enter(Stage.PROPERTIES)
    arena.inspect(door, texts[0])
    answers = [door.write(arena.proposal(door, text)) for text in texts]
    assert [isinstance(answer, Accepted) for answer in answers] == [True] * 5 + [False]
    assert codes(answers[5]) == ["BUDGET"]
    assert len(door.staged()) == 5
    arena.store.close()


def test_another_session_is_never_written(arena: Arena) -> None:
    """R93, INV-I7, CASE-F06: the door is bound to its source, whatever the proposal says."""
    door = arena.open(hostile_turn())
    proposal = replace(arena.proposal(door, NEW), source="desk:beta")
    standard_reject(arena, door, proposal, "WRONG_SESSION")
    arena.store.close()


ODD = ("\x00", '"', "*", "NEAR(a b)", 'a" OR "b', "%_", "\u202e", "'; DROP TABLE memories; --", "a" * 100_000, "")


@pytest.mark.parametrize("query", ODD, ids=ascii)
def test_no_query_breaks_the_search(query: str, arena: Arena) -> None:
    """CASE-C06, INV-I1: operators of the index, controls and sizes are words like others."""
    before = arena.state()
    door = arena.open(hostile_turn())
    for kind in SearchKind:
        assert door.search(query, kind, candidate=query[:80]).complete
    door.details(query)
    door.schema(query)
    arena.commit(door)
    assert arena.state() == before
    assert isinstance(arena.benign(), Accepted)
    arena.store.close()


# -- what is told beside a definition


def _query(arena: Arena, door: NLMemoryDoor, secret: str) -> None:
    door.search(secret, NAME)
    door.details(secret)
    arena.commit(door)


def _candidate(arena: Arena, door: NLMemoryDoor, secret: str) -> None:
    arena.attempt(door, replace(arena.proposal(door, NEW), candidate=secret))
    arena.commit(door)


def _target(arena: Arena, door: NLMemoryDoor, secret: str) -> None:
    arena.attempt(door, replace(arena.proposal(door, NEW), target=secret), looking=False)
    arena.commit(door)


def _session(arena: Arena, door: NLMemoryDoor, secret: str) -> None:
    text = NEW.replace("harbour parser", secret)
    arena.attempt(door, replace(arena.proposal(door, text), source="desk:beta"), looking=False)
    arena.commit(door)


def _review(arena: Arena, door: NLMemoryDoor, secret: str) -> None:
    life = Lifecycle(secret, secret)
    candidate = Candidate(
        secret,
        (secret,),
        life,
        strong=True,
        confidence=Confidence.HIGH,
        mentions=(),
        evidence=(),
        keys=(secret,),
        modality=Modality.EXISTING,
    )
    decision = Decision(secret, Disposition.REFERENCE_ONLY, secret, (), secret)
    arena.commit(door, reason=secret, marker=secret, candidates=(candidate,), decisions=(decision,))


BESIDE: dict[str, Callable[[Arena, NLMemoryDoor, str], None]] = {
    "a query": _query,
    "a candidate's label": _candidate,
    "a target": _target,
    "a refused session": _session,
    "the review": _review,
}


@pytest.mark.parametrize("tell", BESIDE.values(), ids=BESIDE)
def test_a_secret_told_beside_a_definition_reaches_no_file(
    tell: Callable[[Arena, NLMemoryDoor, str], None], arena: Arena
) -> None:
    """INV-I6, CASE-D13, PEER-D09: query, label, target, reason and marker come from a model that saw the turn."""
    tell(arena, arena.open(hostile_turn()), SECRET)
    arena.store.close()
    assert found_in(arena.home, SECRET) == []


@pytest.mark.parametrize("tell", BESIDE.values(), ids=BESIDE)
def test_half_a_surrogate_pair_ends_no_review(tell: Callable[[Arena, NLMemoryDoor, str], None], arena: Arena) -> None:
    """PEER-D23, CASE-C06: refused with a reason or stored readable, never an error that escapes."""
    tell(arena, arena.open(hostile_turn()), "\ud800")
    assert isinstance(arena.benign(), Accepted)
    arena.store.close()


def test_a_flood_of_calls_leaves_a_small_record(arena: Arena) -> None:
    """CASE-L07, CASE-I01: what is over the budget answers nothing, and is not written down a thousand times."""
    door = arena.open(said_turn(f"See {BENIGN_PATH}.", "Yes.", ordinal=4))
    for _ in range(500):
        door.enter(Stage.IDENTITY)
        door.search("a" * 10_000, NAME)
    arena.commit(door)
    arena.store.close()
    assert len(door.record()) < 200
    assert sum(path.stat().st_size for path in arena.home.rglob("*") if path.is_file()) < 1_000_000

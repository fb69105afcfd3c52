"""`memory write --as-critic TURN`: judged as that turn's critic, and kept as that turn's (DEC-D5)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from critic_cases import SESSION, Desk, edit, said_turn
from store_cases import a_session

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Modality

GAUGE = "/srv/quay/tide/gauge.py"
TEXT = f'prototype TideGauge : SourceFile {{ EntityName = @"tide gauge"; FilePath = @"{GAUGE}"; }}'
OTHER = 'prototype Elsewhere : SourceFile { FilePath = @"/srv/quay/elsewhere.py"; }'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with one stored turn, reviewed by nobody yet."""
    desk = Desk(tmp_path / "home")
    desk.store.put_session(a_session(SESSION))
    desk.store.put_turns([said_turn(f"Fix the tide gauge in {GAUGE}.", f"I fixed {GAUGE}.", edit(GAUGE), ordinal=1)])
    desk.close()
    return tmp_path / "home"


def opened(home: Path) -> SqliteStore:
    """The store behind the command line's back."""
    return SqliteStore(home, lambda: 0.0)


def draft(folder: Path, text: str) -> str:
    """A file to hand in."""
    (folder / "d.pts").write_text(text, encoding="utf-8")
    return str(folder / "d.pts")


def test_what_is_judged_as_a_critics_is_kept_as_that_turns(
    tmp_path: Path, home: Path, ferrule: Callable[..., Any]
) -> None:
    """DEC-D5, R95: turn, modality and evidence as a critic's write has them, not a person's word."""
    at = ("--session", SESSION, "--home", str(home))
    told = ferrule("memory", "write", draft(tmp_path, TEXT), "--as-critic", "1", *at)
    assert told.code == 0, told.err
    store = opened(home)
    try:
        assert store.turn_of(SESSION, "TideGauge") == ("t1", Modality.CHANGED.value)
        kept = store.provenance(SESSION, "TideGauge")
        assert {row.property for row in kept} == {"EntityName", "FilePath"}
        assert {(row.turn, row.ordinal) for row in kept} == {("t1", 1)}
        assert {row.property: row.by_action for row in kept}["FilePath"]
        (receipt,) = store.receipts(SESSION)
        assert (receipt.verdict, receipt.turn, receipt.prototype) == ("accepted", "t1", "TideGauge")
    finally:
        store.close()


def test_the_same_without_it_is_a_persons_word(tmp_path: Path, home: Path, ferrule: Callable[..., Any]) -> None:
    """DEC-D5: of no turn, and believed."""
    assert ferrule("memory", "write", draft(tmp_path, TEXT), "--session", SESSION, "--home", str(home)).code == 0
    store = opened(home)
    try:
        assert store.turn_of(SESSION, "TideGauge")[0] == ""
        assert all(row.by_user for row in store.provenance(SESSION, "TideGauge"))
    finally:
        store.close()


def test_what_the_turn_does_not_show_is_refused_and_changes_nothing(
    tmp_path: Path, home: Path, ferrule: Callable[..., Any]
) -> None:
    """DEC-D9, R59: rules 8 to 12 bind, and nothing is kept of it."""
    told = ferrule(
        "memory", "write", draft(tmp_path, OTHER), "--as-critic", "1", "--session", SESSION, "--home", str(home)
    )
    assert told.code == 1
    assert "NO_EVIDENCE" in told.out
    store = opened(home)
    try:
        assert (store.definitions(SESSION), store.receipts(SESSION)) == ((), ())
    finally:
        store.close()


def test_the_turn_is_still_reviewed_once_by_its_critic(tmp_path: Path, home: Path, ferrule: Callable[..., Any]) -> None:
    """INV-I4, R37: a person's write on a turn is no review of it; the review finds it and adds nothing twice."""
    at = ("--session", SESSION, "--home", str(home))
    assert ferrule("memory", "write", draft(tmp_path, TEXT), "--as-critic", "1", *at).code == 0
    desk = Desk(home)
    try:
        turn = said_turn(f"Fix the tide gauge in {GAUGE}.", f"I fixed {GAUGE}.", edit(GAUGE), ordinal=1)
        draft_made, _ = desk.review(turn)
        assert {decision.disposition.value for decision in draft_made.decisions} <= {
            "existing-sufficient",
            "existing-augment",
            "reference-only",
        }
        assert list(desk.memory()) == ["TideGauge"]
        assert desk.store.review(SESSION, "t1") is not None
    finally:
        desk.close()

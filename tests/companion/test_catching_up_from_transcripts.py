"""Catch-up from a transcript: planned before anything is stored, and a text past its retention comes back with it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from catch_up_cases import Noting, a_transcript, begun, critic, never_rest, planned, ran
from companion_cases import SOURCE, a_home, said_turn, state_digest
from store_cases import Clock

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.companion.answers import Declined
from ferrule.companion.catching_up import keep, plan, reset, run_next

T = [f"t{number}" for number in range(20)]


@pytest.fixture
def clock() -> Clock:
    """A clock that moves only when told."""
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[SqliteStore]:
    """One source with five stored turns."""
    opened = a_home(tmp_path, clock, turns=5)
    yield opened
    opened.close()


def test_a_transcript_is_planned_before_anything_of_it_is_stored(tmp_path: Path, clock: Clock) -> None:
    """R99: a dry run reads only; then the turns are stored, and only those that no marker shows."""
    store = a_home(tmp_path, clock, turns=1)
    begun(store)
    ran(store, Noting())
    before = state_digest(store)
    found = plan(store, SOURCE.key, arriving=a_transcript(1, 2, 3))
    assert not isinstance(found, Declined)
    assert found.turns == ((2, "t2"), (3, "t3"))
    assert state_digest(store) == before
    unknown = replace(SOURCE, key="desk:new")
    new = plan(store, unknown.key, arriving=a_transcript(1, session=unknown))
    assert not isinstance(new, Declined)
    assert new.turns == ((1, "t1"),)
    keep(store, a_transcript(1, 2, 3))
    assert begun(store).turns == found.turns
    store.close()


def test_a_text_past_its_retention_comes_back_with_its_transcript(store: SqliteStore, clock: Clock) -> None:
    """R99, DEC-D13: the text of an unreviewed turn is taken again, that of a reviewed one is not."""
    begun(store)
    list(run_next(critic(store, Noting()), SOURCE.key, rest=never_rest))
    reset(store, SOURCE.key)
    clock.now += 15 * 86_400
    store.put_turns([said_turn(6)])
    assert planned(store).turns == ((6, "t6"),)
    found = plan(store, SOURCE.key, arriving=a_transcript(*range(1, 7)))
    assert not isinstance(found, Declined)
    assert [turn for _, turn in found.turns] == T[2:7]
    keep(store, a_transcript(*range(1, 7)))
    assert begun(store).turns == found.turns
    assert store.turn(SOURCE.key, "t1") is None
    assert [step.outcome.turn for step in ran(store, Noting())] == T[2:7]

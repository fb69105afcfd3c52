"""A finished review that has to wait for the source's gate, and what the desk does not take."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import create_autospec

import pytest
from door_cases import SOURCE, opened, permanent, written

from ferrule.bridge.door import Door
from ferrule.bridge.values import TurnReview
from ferrule.errors import Code, GateBusy, InternalError, StoreError
from ferrule.memory.desk import MemoryDesk, json_value
from ferrule.memory.nlmemory import NLMemory
from ferrule.ontology.values import Ref
from ferrule.session.gate import EvaluateGate
from ferrule.session.source import LaneClaim


class Evaluating(EvaluateGate):
    """The gate of a source that is evaluated as long as `busy` says so."""

    busy = True

    @contextmanager
    def of(self, source: str, *, seconds: float | None = None) -> Iterator[None]:
        """As the real one where the source is free."""
        if self.busy:
            raise GateBusy(f"{source} is being evaluated")
        with super().of(source, seconds=seconds):
            yield


def a_review(claim: LaneClaim) -> TurnReview:
    """The review of the claimed turn."""
    return TurnReview(claim.source, claim.instruction.turn, claim.instruction.ordinal, "scripted-1", (), (), "done")


@pytest.mark.parametrize("changed", [False, True])
def test_a_review_that_waited_is_committed_unless_memory_was_changed(tmp_path: Path, *, changed: bool) -> None:
    """CASE-M08, INV-I3, R78: nothing is committed while the source evaluates; what was judged then may be stale."""
    store, _, door, claim = opened(tmp_path / "home")
    gate = Evaluating()
    desk = MemoryDesk(store, permanent(), gate=gate)
    written(door)
    for _ in range(2):
        with pytest.raises(GateBusy):
            desk.commit(door, a_review(claim), claim)
        assert store.definitions(SOURCE.key) == ()
    if changed:
        person = NLMemory(store, permanent(), tmp_path / "home")
        person.write(SOURCE.key, 'prototype Other : Document { EntityName = @"other"; DocumentPath = @"/x/other.md"; }')
    gate.busy = False
    if not changed:
        assert [receipt.prototype for receipt in desk.commit(door, a_review(claim), claim)] == ["ParserNotes"]
    else:
        with pytest.raises(StoreError) as caught:
            desk.commit(door, a_review(claim), claim)
        assert caught.value.code is Code.STALE_REVISION
        assert [name for name, _ in store.definitions(SOURCE.key)] == ["Other"]
    store.close()


def test_a_door_of_another_house_is_a_mistake_of_the_programme(tmp_path: Path) -> None:
    """INV-I7: only what the desk opened itself is handed in."""
    store, desk, _, claim = opened(tmp_path / "home")
    with pytest.raises(InternalError, match="another house"):
        desk.commit(create_autospec(Door, instance=True), a_review(claim), claim)
    assert store.definitions(SOURCE.key) == ()
    store.close()


def test_a_value_is_told_in_json_as_it_is() -> None:
    """R89: lists stay lists, a link is its name, everything else itself."""
    assert json_value((1, "a", (True, None), Ref("Buoy"))) == [1, "a", [True, None], "Buoy"]
    assert json_value(Ref("Buoy")) == "Buoy"
    assert json_value(2.5) == 2.5

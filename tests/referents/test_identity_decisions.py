"""Each decision about sameness, as `docs/rules.md` tells it, over every pair of its spellings."""

import os
from itertools import combinations
from pathlib import Path

import pytest
from identity_decisions import DECISIONS, MAC, Decision
from reject_oracle import watched

from ferrule.referents.forms import identity_key
from ferrule.referents.kinds import HandleKind


@pytest.mark.parametrize("decision", DECISIONS, ids=[f"{row.id} {row.about}" for row in DECISIONS])
def test_a_decision_holds_for_every_pair_of_its_spellings(decision: Decision) -> None:
    """R33, R34, DEC-D9, CASE-E14: what is one has one key, what is apart shares none."""
    assert decision.one or decision.apart
    keys = {identity_key(kind, value, place)[0] for kind, value, place in decision.one}
    assert len(keys) <= 1, keys
    for one, other in combinations(decision.apart, 2):
        assert identity_key(*one)[0] != identity_key(*other)[0], (one, other)


def test_decisions_have_ids_in_order_and_say_why() -> None:
    """A reader of the page finds the row by its id."""
    assert [row.id for row in DECISIONS] == [f"K{number:02}" for number in range(1, len(DECISIONS) + 1)]
    assert all(row.decided.endswith(".") for row in DECISIONS)


def test_no_key_is_looked_up_on_a_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-E04, INV-I5, K02, K04: on a disk that folds case, and through links, two spellings stay two.

    The disk is emulated: any question about a file fails the test, so whether it folds case cannot matter.
    """

    def asked(*_: object, **__: object) -> os.stat_result:
        raise AssertionError("a key was looked up on the disk")

    with watched(tmp_path) as seen, monkeypatch.context() as disk:
        for name in ("stat", "lstat", "readlink", "scandir", "listdir"):
            disk.setattr(os, name, asked)
        upper = identity_key(HandleKind.FILESYSTEM_PATH, "/Users/ann/work/tool/Notes.md", MAC)[0]
        lower = identity_key(HandleKind.FILESYSTEM_PATH, "/Users/ann/work/tool/notes.md", MAC)[0]
    assert upper != lower
    assert seen == []

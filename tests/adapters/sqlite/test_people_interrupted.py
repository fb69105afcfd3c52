"""What a person changes is done whole or not at all, whatever statement it fails or dies at, and works again after."""

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from backup_cases import GUIDE, LATER, NOTES, SOURCE, filled
from counted import connect, counted, failing_at, killed_at
from store_cases import Clock, Entity, a_property, a_write

from ferrule.adapters.sqlite.checking import faults, viewed
from ferrule.adapters.sqlite.home import FILE_NAME, read_head
from ferrule.adapters.sqlite.opening import connect_file
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import StoreError

KEY = SOURCE.key
TABLES = (
    "memories",
    "writes",
    "provenance",
    "memory_keys",
    "phrases",
    "touched",
    "tombstones",
    "receipts",
    "reviews",
    "sessions",
    "words",
    "fragments",
)
OWNER = replace(NOTES, more=(a_property("Owner", "quillwort"),))
Act = Callable[[SqliteStore], object]
ACTS: dict[str, Act] = {
    "write": lambda store: store.commit_person(KEY, a_write(Entity("Mine", "/mine"))),
    "supersede": lambda store: store.commit_person(KEY, a_write(OWNER, "augmented")),
    "import": lambda store: store.commit_people(KEY, [a_write(Entity("Mine", "/mine")), a_write(OWNER)], 3),
    "forget one": lambda store: store.forget(KEY, [NOTES.name]),
    "forget all": lambda store: store.forget(KEY, store.layer(KEY).names()),
    "unforget": lambda store: store.unforget(KEY, LATER.name),
    "undo": lambda store: store.undo(KEY, store.standing_writes(KEY)[-1].number),
    "promote": lambda store: store.attest(KEY, "promoted", [(NOTES.name, "x"), (GUIDE.name, "y")]),
}


@pytest.fixture
def home(in_memory: Path) -> Path:
    """A home of two memories and one that was forgotten."""
    home = filled(in_memory / "home", LATER)
    store = SqliteStore(home, Clock())
    store.forget(KEY, [LATER.name])
    assert store.revision(KEY) == 3
    store.close()
    return home


def state(home: Path) -> list[object]:
    """Every row that matters; times left as they are, for the clock stands still."""
    connection = connect_file(home / FILE_NAME)
    rows: list[object] = [connection.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES]  # noqa: S608
    connection.close()
    return rows


def sound(home: Path) -> bool:
    """Whether the store checks out once it was opened, which lets the head catch up."""
    SqliteStore(home, Clock()).close()
    with viewed(home / FILE_NAME) as connection:
        return [one for one in faults(connection, home / FILE_NAME, read_head(home)) if one.code] == []


def do(home: Path, act: Act) -> None:
    """Do it on a counted connection."""
    store = SqliteStore(home, Clock(), connect=connect)
    try:
        act(store)
    finally:
        store.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked child")
@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_it_is_done_whole_or_not_at_all_and_can_be_done_again(home: Path, act: Act) -> None:
    """DEC-D8, INV-I1, INV-I2, R59, R97, CASE-J01: at every third statement, failed and killed; then done."""
    spare = home.with_name("spare")
    shutil.copytree(home, spare)
    total, before = counted(lambda: do(spare, act)), state(home)
    after = state(spare)
    assert before != after
    seen = []
    for number in (*range(1, total + 1, 3), total + 1):
        failed, killed = home.with_name("failed"), home.with_name("killed")
        for place in (failed, killed):
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(home, place)
        try:
            failing_at(number, lambda place=failed: do(place, act))  # type: ignore[misc]
        except StoreError:
            assert state(failed) in (before, after), number
        else:
            assert state(failed) == after, number
        killed_at(number, lambda place=killed: do(place, act))  # type: ignore[misc]
        for place in (failed, killed):
            seen.append(state(place))
            assert seen[-1] in (before, after), number
            if seen[-1] == before:
                do(place, act)
            assert state(place) == after, number
            assert sound(place), number
    assert before in seen
    assert after in seen

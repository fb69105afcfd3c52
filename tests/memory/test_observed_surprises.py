"""The surprises of the reference's memory path that no single definition shows: what stays, what goes, who sees it."""

import re
from pathlib import Path

import pytest
from hostile_cases import permanent
from reject_oracle import state
from store_cases import Clock, a_session

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Accepted, Refused
from ferrule.memory.nlmemory import NLMemory

KEY = "desk:alpha"
FIRST = 'prototype Quay : Host { HostName = @"quay.example"; String Zone = @"north"; }'
SECOND = "partial prototype Quay { Int Depth = 12; }"
BAD = (
    "partial prototype Quay { Int Draught = 99999999999; Int Width = 4; }",
    'partial prototype Quay { Colour = @"red"; Int Width = 4; }',
    "partial prototype Quay { Host Twin = Nowhere; Int Width = 4; }",
    r'partial prototype Quay { String Colour = "\q"; Int Width = 4; }',
    'partial prototype Quay { Zone = @"south"; Int Width = 4; }',
)


def opened(home: Path) -> NLMemory:
    """The memory of a home, with its session."""
    store = SqliteStore(home, Clock())
    store.put_session(a_session(KEY))
    return NLMemory(store, permanent(), home)


def closed(*memories: NLMemory) -> None:
    """Close the stores behind them."""
    for memory in memories:
        assert isinstance(memory.store, SqliteStore)
        memory.store.close()


def values(memory: NLMemory) -> dict[str, object]:
    """What is remembered of the quay."""
    (quay,) = memory.store.prototypes(KEY)
    return {prop.name: prop.value for prop in quay.properties if prop.assigned}


def test_what_is_live_is_what_is_stored_and_what_is_restored(tmp_path: Path) -> None:
    """OBS-M1, R56: after a second write, a restart, and from the file alone, every value is there."""
    memory = opened(tmp_path / "home")
    assert isinstance(memory.write(KEY, FIRST), Accepted)
    assert isinstance(memory.write(KEY, SECOND), Accepted)
    live, text = values(memory), memory.export(KEY)
    closed(memory)
    again = opened(tmp_path / "home")
    assert values(again) == live == {"HostName": "quay.example", "Zone": "north", "Depth": 12}
    closed(again)
    other = opened(tmp_path / "other")
    assert [type(answer) for _, answer in other.restore(KEY, text).answers] == [Accepted]
    assert values(other) == live
    closed(other)


@pytest.mark.parametrize("bad", BAD)
def test_a_write_that_fails_leaves_nothing_anywhere(tmp_path: Path, bad: str) -> None:
    """OBS-M3, OBS-M6, R58, R59, INV-I1: not the good half of it, not in the file, and the next one is taken."""
    memory = opened(tmp_path / "home")
    assert isinstance(memory.write(KEY, FIRST), Accepted)
    memory.project(KEY)
    before, shown = state(tmp_path / "home"), memory.export(KEY)
    assert isinstance(memory.write(KEY, bad), Refused)
    memory.project(KEY)
    assert (state(tmp_path / "home"), memory.export(KEY)) == (before, shown)
    assert memory.verify(KEY).ok
    assert isinstance(memory.write(KEY, SECOND), Accepted)
    closed(memory)


def test_two_homes_in_one_process_share_nothing(tmp_path: Path) -> None:
    """OBS-M16, INV-I7: opened one after the other, or beside each other; nor do two sessions of one home."""
    one, other = opened(tmp_path / "one"), opened(tmp_path / "other")
    assert isinstance(one.write(KEY, FIRST), Accepted)
    assert other.store.prototypes(KEY) == ()
    assert isinstance(other.write(KEY, FIRST.replace("north", "south")), Accepted)
    assert (values(one)["Zone"], values(other)["Zone"]) == ("north", "south")
    assert isinstance(one.store, SqliteStore)
    one.store.put_session(a_session("desk:beta"))
    assert one.store.prototypes("desk:beta") == ()
    closed(one)
    assert values(other)["Zone"] == "south"
    closed(other)


def test_every_surprise_is_shown_by_some_test() -> None:
    """OBS-M1 to OBS-M16 of the language's reference: each is named where it is shown, and no other number is."""
    tests = Path(__file__).parents[1]
    texts = "\n".join(path.read_text(encoding="utf-8") for path in sorted(tests.rglob("test_*.py")))
    assert {int(number) for number in re.findall(r"\bOBS-M([0-9]+)\b", texts)} == set(range(1, 17))

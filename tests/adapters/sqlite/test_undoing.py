"""An undone write is as if it had not been, but for a receipt and what must not be learned again."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from store_cases import IMPORT, LEASE, Clock, Entity, a_child, a_commit, a_property, a_session, a_turn, a_write, claimed

from ferrule.adapters.sqlite.checking import faults, viewed
from ferrule.adapters.sqlite.home import FILE_NAME, read_head
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import HandleView
from ferrule.errors import Code, StoreError
from ferrule.memory.ports import StagedWrite
from ferrule.referents.kinds import HandleKind

SOURCE = a_session()
NOTES = Entity("ParserNotes", "docs/parser.md", aliases="the grammar page")
GUIDE = Entity("StyleGuide", "docs/style.md")
HOST = a_property("HostName", "zebra.example.org")
STATUS = a_property("Status", "walrus")
ALIAS = a_property("AliasesAtTurn2", "the ocelot page")


def opened(home: Path) -> SqliteStore:
    """The store of a home."""
    return SqliteStore(home, Clock())


def added(*properties: object, text: str) -> StagedWrite:
    """An augmentation of the notes, a host among it with a handle of its own."""
    entity = replace(NOTES, more=properties)  # type: ignore[arg-type]
    write = a_write(entity, "augmented")
    host = HandleView(HandleKind.HOST, "zebra.example.org", "HostName", "host:zebra.example.org")
    handles = (*write.handles, host) if HOST in properties else write.handles
    return replace(write, definition=text, handles=handles, keys=tuple(one.key for one in handles))


FIRST = added(HOST, ALIAS, text="partial prototype ParserNotes { HostName }")
SECOND = added(HOST, ALIAS, STATUS, text="partial prototype ParserNotes { Status }")


def reviewed(store: SqliteStore, ordinal: int, *writes: StagedWrite) -> None:
    """Review one turn."""
    turn = a_turn(ordinal)
    store.put_session(SOURCE)
    store.put_turns([turn])
    store.enqueue(SOURCE, a_child(SOURCE), [(ordinal, turn.key)], IMPORT)
    store.commit(a_commit(turn, *writes), claimed(store.claim(SOURCE.key, lease_seconds=LEASE)))


def filled(home: Path) -> SqliteStore:
    """Four writes: two memories, and two additions to the first."""
    store = opened(home)
    reviewed(store, 1, a_write(NOTES), a_write(GUIDE))
    reviewed(store, 2, FIRST)
    reviewed(store, 3, SECOND)
    return store


def sound(home: Path) -> bool:
    """Whether the whole store checks out."""
    with viewed(home / FILE_NAME) as connection:
        return list(faults(connection, home / FILE_NAME, read_head(home))) == []


def test_the_writes_that_stand_are_told_with_what_they_valued(in_memory: Path) -> None:
    """DEC-D8: by the number of their receipts; a first write is held by those that stand on it."""
    store = filled(in_memory)
    told = [(one.number, one.name, one.whole, one.held) for one in store.standing_writes(SOURCE.key)]
    store.close()
    assert told == [
        (1, "ParserNotes", False, True),
        (2, "StyleGuide", True, False),
        (3, "ParserNotes", False, False),
        (4, "ParserNotes", False, False),
    ]


def test_what_other_writes_valued_stays(in_memory: Path) -> None:
    """DEC-D8, DEC-D14, INV-I3, R97: a middle write goes with its handle, alias, index, excerpt and review's text."""
    store = filled(in_memory)
    receipt = store.undo(SOURCE.key, 3)
    assert (receipt.verdict, receipt.prototype, receipt.seq) == ("undone", "ParserNotes", 5)
    memory = store.layer(SOURCE.key).get("ParserNotes")
    assert memory is not None
    assert {prop.name for prop in memory.properties} == {"EntityName", "Aliases", "DocumentPath", "Status"}
    assert [one.value for one in store.handles(SOURCE.key, "ParserNotes")] == ["docs/parser.md"]
    assert [(stone.key, stone.name) for stone in store.all_tombstones(SOURCE.key)] == [
        ("host:zebra.example.org", "ParserNotes")
    ]
    layer = store.layer(SOURCE.key)
    assert layer.holding("host:zebra.example.org") == ()
    assert layer.called("the ocelot page") == layer.matching(["ocelot"], 9) == layer.resembling(["zebra"], 9) == ()
    assert layer.called("the grammar page") == layer.matching(["walrus"], 9) == ("ParserNotes",)
    assert [one.number for one in store.standing_writes(SOURCE.key)] == [1, 2, 4]
    assert store.review(SOURCE.key, "t2")["written"][0]["definition"] == "(forgotten)"  # type: ignore[index]
    assert store.review(SOURCE.key, "t3")["written"][0]["definition"] == SECOND.definition  # type: ignore[index]
    store.close()
    assert sound(in_memory)
    assert b"ocelot" not in (in_memory / FILE_NAME).read_bytes()
    assert read_head(in_memory) is not None


def test_everything_can_be_undone_from_the_end(in_memory: Path) -> None:
    """DEC-D8, DEC-D14: the last write of a memory takes it away, with tombstones as forgetting leaves them."""
    store = filled(in_memory)
    for number, left in ((4, 3), (3, 2), (1, 1), (2, 0)):
        store.undo(SOURCE.key, number)
        assert len(store.standing_writes(SOURCE.key)) == left
    assert store.layer(SOURCE.key).names() == ()
    assert {stone.key for stone in store.all_tombstones(SOURCE.key)} == {
        NOTES.key,
        GUIDE.key,
        "host:zebra.example.org",
    }
    store.close()
    assert sound(in_memory)


def test_after_an_undo_the_same_can_be_written_again(in_memory: Path) -> None:
    """INV-I3, CASE-N09: by a person; writes and receipts still match one to one."""
    store = filled(in_memory)
    store.undo(SOURCE.key, 4)
    store.commit_person(SOURCE.key, SECOND)
    assert [one.number for one in store.standing_writes(SOURCE.key)] == [1, 2, 3, 6]
    store.undo(SOURCE.key, 6)
    store.close()
    assert sound(in_memory)


@pytest.mark.parametrize("number", [0, 1, 5, 99])
def test_what_does_not_stand_or_is_stood_on_is_refused(in_memory: Path, number: int) -> None:
    """R59: nothing is changed, no receipt is given."""
    store = filled(in_memory)
    store.forget(SOURCE.key, ["StyleGuide"])
    before = store.receipts()
    with pytest.raises(StoreError) as caught:
        store.undo(SOURCE.key, number)
    assert caught.value.code is Code.STALE_REVISION
    assert store.receipts() == before
    store.close()
    assert sound(in_memory)


class Failing(sqlite3.Connection):
    """A connection of which the statement of number `stop` fails before it is executed."""

    count = 0
    stop = 0

    def _tick(self) -> None:
        self.count += 1
        if self.count == self.stop:
            raise sqlite3.OperationalError("disk I/O error")

    def execute(self, *args: object) -> sqlite3.Cursor:
        """Count, then fail or execute."""
        self._tick()
        return super().execute(*args)  # type: ignore[arg-type]

    def executemany(self, *args: object) -> sqlite3.Cursor:
        """Count, then fail or execute."""
        self._tick()
        return super().executemany(*args)  # type: ignore[arg-type]


def test_an_undo_that_fails_at_any_statement_leaves_all_or_nothing(in_memory: Path) -> None:
    """INV-I1: at the n-th statement for every n, in one store: before the commit nothing, after it all."""
    filled(in_memory).close()
    made: list[Failing] = []

    def connect(path: Path) -> sqlite3.Connection:
        made.append(sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Failing))
        return made[-1]

    store = SqliteStore(in_memory, Clock(), connect=connect)
    standing = store.standing_writes(SOURCE.key)
    undone = failures = 0
    while not undone and failures < 200:
        made[0].stop = made[0].count + failures + 1
        try:
            store.undo(SOURCE.key, 3)
        except StoreError:
            failures += 1
        undone = len(standing) - len(store.standing_writes(SOURCE.key))
        assert undone in {0, 1}
        assert (store.layer(SOURCE.key).holding("host:zebra.example.org") == ()) == bool(undone)
    assert undone == 1
    assert failures > 20
    store.close()
    opened(in_memory).close()
    assert sound(in_memory)

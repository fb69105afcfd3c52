"""A session adds to a permanent entity as a `partial` of its own; nothing permanent is ever touched (DEC-D7)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from door_cases import GUIDE, NOTES, SOURCE, claim_of, the_turn
from store_cases import Clock, a_child, a_session, claimed

from ferrule.adapters.ontologies import manifest
from ferrule.adapters.ontologies.layer import IndexedLayer
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Accepted, Modality, Proposal, Proves, Refused, SearchKind, Stage, Unchanged
from ferrule.memory.desk import MemoryDesk
from ferrule.memory.nlmemory import NLMemory
from ferrule.memory.reader import MemoryReader
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.values import LayerName
from ferrule.session.source import Origin
from ferrule.wiring import permanent
from ferrule.wiring.permanent import permanent_layer

KEY = SOURCE.key
HELD = "/srv/handbook/index.md"
FILES = {
    "a/types.pts": "prototype Manual : Document { String Edition; }",
    "a/book.pts": f'prototype HandBook : Manual {{ EntityName = "Hand book"; FilePath = "{HELD}"; }}',
    "b/ids.pts": 'partial prototype HandBook { DocumentId = "HB-1"; Aliases = "the blue book"; }',
    "c/more.pts": 'partial prototype HandBook { String KeeperSessionKey = "desk:keeper"; }',
    "c/page.pts": "prototype Page#7 : Document;",
}
ADDED = 'partial prototype HandBook {{ String PrintedPath = "{}"; AliasesAtTurn3 = "the railroad page"; }}'


@dataclass(frozen=True)
class Room:
    """A store, a person's hand on it, and the permanent files below."""

    store: SqliteStore
    memory: NLMemory
    folder: Path

    @property
    def permanent(self) -> PrototypeLayer:
        """The permanent layer."""
        return self.memory.permanent

    def reader(self, key: str = KEY) -> MemoryReader:
        """A reader of one session."""
        return MemoryReader(self.store, self.permanent, key)

    def files(self) -> dict[str, bytes]:
        """Every permanent file as it is."""
        return {path.name: path.read_bytes() for path in self.folder.rglob("*.pts")}


@pytest.fixture(params=["memory", "index"])
def room(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """A room whose permanent layer is in memory, and one whose layer is an index."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    home = tmp_path / "home"
    store = SqliteStore(home, Clock())
    store.put_session(SOURCE)
    manifest.maker.cache_clear()
    monkeypatch.setattr(manifest, "_CODE", ())
    monkeypatch.setattr(permanent, "SMALL_BYTES", 0 if request.param == "index" else 10**9)
    layer = permanent_layer([], [tmp_path / name for name in "abc"], home=home)
    assert isinstance(layer, IndexedLayer) is (request.param == "index")
    yield Room(store, NLMemory(store, layer, home), tmp_path)
    store.close()
    manifest.maker.cache_clear()


def test_a_person_adds_to_an_entity_of_several_files(room: Room) -> None:
    """DEC-D7, R38, INV-I3: the addition is a `partial` of the session; files and permanent layer stay as they were."""
    before, files = room.permanent.get("HandBook"), room.files()
    assert isinstance(room.memory.write(KEY, ADDED.format(NOTES)), Accepted)
    own = room.store.layer(KEY).get("HandBook") or pytest.fail("nothing was added")
    assert own.layer is LayerName.SESSION
    assert [prop.name for prop in own.properties] == ["PrintedPath", "AliasesAtTurn3"]
    assert room.permanent.get("HandBook") == before
    assert room.files() == files
    assert isinstance(room.memory.write(KEY, ADDED.format(NOTES)), Unchanged)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('partial prototype HandBook { DocumentId = "HB-2"; }', "ALREADY_VALUED"),
        ('partial prototype HandBook { Aliases = "the red book"; }', "ALREADY_VALUED"),
        ('partial prototype HandBook : Document { String PrintedPath = "/srv/p.md"; }', "TYPE_MISMATCH"),
        ('partial prototype Manual { String PrintedPath = "/srv/p.md"; }', "RESERVED_NAME"),
        ('partial prototype Document { String PrintedPath = "/srv/p.md"; }', "RESERVED_NAME"),
        ('prototype handbook : Manual { FilePath = "/srv/other.md"; }', "ALREADY_EXISTS"),
    ],
)
def test_nothing_permanent_is_overwritten_and_no_type_written_to(room: Room, text: str, code: str) -> None:
    """DEC-D7, DEC-D2, OBS-M9, OBS-M10: a value of any file counts; types are refused, and names that differ in case."""
    answer = room.memory.write(KEY, text)
    assert isinstance(answer, Refused)
    assert code in [refusal.code.value for refusal in answer.refusals]
    assert room.store.layer(KEY).names() == ()


def test_a_name_with_a_mark_is_an_entity(room: Room) -> None:
    """DEC-D7: `#` in the name makes one, though its body assigns nothing."""
    assert isinstance(room.memory.write(KEY, f'partial prototype Page#7 {{ FilePath = "{GUIDE}"; }}'), Accepted)
    assert [found.name for found in room.reader().search(GUIDE)] == ["Page#7"]


@pytest.mark.parametrize(
    "query", [HELD, NOTES, "HB-1", "desk:keeper", "hand book", "the blue book", "the railroad page", "HandBook"]
)
def test_it_is_found_by_what_is_permanent_and_by_what_the_session_added(room: Room, query: str) -> None:
    """DEC-D7, R35, R65: one thing, by handles and names of either part, with the values of both."""
    room.memory.write(KEY, ADDED.format(NOTES))
    (found, *_) = room.reader().search(query)
    assert found.name == "HandBook"
    assert {HELD, NOTES, "HB-1"} <= {handle.value for handle in found.handles}
    elsewhere = room.reader("desk:other").search(query)
    assert [one.name for one in elsewhere if NOTES in {handle.value for handle in one.handles}] == []


def test_every_property_says_which_prototype_declares_it(room: Room) -> None:
    """R43, OBS-M13: the type far above, one in between, a part in another file, the session itself, a later value."""
    room.memory.write(KEY, ADDED.format(NOTES))
    declared = {
        "EntityName": "SemanticEntityBase",
        "FilePath": "ProjectFile",
        "DocumentId": "Document",
        "Edition": "Manual",
        "KeeperSessionKey": "HandBook",
        "PrintedPath": "HandBook",
    }
    rows = {row.property: row.declared_by for row in room.reader().schema("HandBook")}
    assert {name: rows[name] for name in declared} == declared
    details = {prop.name: prop for prop in room.reader().details("HandBook").properties}
    assert {name: details[name].declared_by for name in declared} == declared
    later = details["Aliases"]
    assert (later.value, later.was, later.declared_by) == (
        "the railroad page",
        ("the blue book",),
        "SemanticEntityBase",
    )
    assert not details["Edition"].assigned
    assert details["DocumentId"].assigned


def test_what_was_added_is_shown_exported_and_restored_as_a_part(room: Room) -> None:
    """DEC-D7, D12, R55: the file has the session's part alone; read into another session it adds the same there."""
    room.memory.write(KEY, ADDED.format(NOTES))
    room.memory.project(KEY)
    text = room.memory.export(KEY)
    assert "partial prototype HandBook" in text
    assert "HB-1" not in text
    assert room.memory.verify(KEY).ok
    other = a_session("desk:beta")
    room.store.put_session(other)
    restored = room.memory.restore(other.key, text)
    assert [type(answer) for _, answer in restored.answers] == [Accepted]
    assert restored.aside == ()
    assert room.store.layer(other.key).get("HandBook") == room.store.layer(KEY).get("HandBook")
    assert room.reader(other.key).search("the railroad page")[0].name == "HandBook"


def test_forgetting_takes_the_part_and_leaves_what_is_permanent(room: Room) -> None:
    """DEC-D14, R97: permanent things are nobody's to forget."""
    room.memory.write(KEY, ADDED.format(NOTES))
    room.memory.forget(KEY, ["HandBook"])
    assert room.store.layer(KEY).get("HandBook") is None
    assert room.reader().search(HELD)[0].name == "HandBook"
    assert room.permanent.get("HandBook") is not None


def test_the_critic_adds_to_it_through_its_door(room: Room) -> None:
    """DEC-D7, R36, R38, R42: found by its permanent handle, inspected, added to with evidence, committed as a part."""
    turn = replace(
        the_turn(),
        user=f"The hand book {HELD} shall be printed into {NOTES}, and write {GUIDE}.",
        outcome=f"The hand book {HELD} is printed into {NOTES}; {GUIDE} is there.",
    )
    room.store.put_turns([turn])
    room.store.enqueue(SOURCE, a_child(SOURCE), [(turn.ordinal, turn.key)], Origin.IMPORT)
    claim = claimed(room.store.claim(KEY, lease_seconds=30.0))
    desk = MemoryDesk(room.store, room.permanent)
    door = desk.open(claim)
    hits = door.search(HELD, SearchKind.HANDLE, candidate="hand book").hits
    assert [(hit.name, hit.layer) for hit in hits] == [("HandBook", "permanent")]
    for query in ("hand book", "HandBook"):
        door.search(query, SearchKind.NAME, candidate="hand book")
    door.search(NOTES, SearchKind.HANDLE, candidate="hand book")
    door.enter(Stage.PROPERTIES)
    assert door.details("HandBook", candidate="hand book").known
    assert door.schema("HandBook", candidate="hand book")
    definition = f'partial prototype HandBook {{ String PrintedPath = @"{NOTES}"; }}'
    proof = (claim_of(door, "PrintedPath", NOTES, proves=Proves.HANDLE, modality=Modality.CREATED),)
    answer = door.write(Proposal(KEY, "hand book", "HandBook", definition, proof))
    assert isinstance(answer, Accepted), answer
    (write,) = door.staged()
    assert write.action == "augmented"
    assert write.definition.startswith("partial prototype HandBook")
    assert [hit.layer for hit in door.search(NOTES, SearchKind.HANDLE, candidate="again").hits] == ["staged"]

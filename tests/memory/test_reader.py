"""Readers see one session in the current view."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from door_cases import NOTES, SOURCE, permanent
from store_cases import Clock, Entity, a_commit, a_property, a_session, a_turn, a_write, claimed

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Modality
from ferrule.companion.importing import companion_of
from ferrule.memory.reader import MemoryReader
from ferrule.referents.kinds import Place
from ferrule.session.source import Origin

NOTES_ENTITY = Entity("ParserNotes", NOTES, aliases="the grammar page")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A fresh store."""
    opened = SqliteStore(tmp_path / "home", Clock())
    yield opened
    opened.close()


def learn(store: SqliteStore, ordinal: int, *entities: Entity, session: str = SOURCE.key) -> None:
    """Review one turn that writes these entities."""
    source, turn = a_session(session), a_turn(ordinal, session)
    store.put_session(source)
    store.put_turns([turn])
    store.enqueue(source, companion_of(source), [(ordinal, turn.key)], Origin.IMPORT)
    claim = claimed(store.claim(session, lease_seconds=30.0))
    store.commit(a_commit(turn, *(a_write(entity) for entity in entities)), claim)


def reader(store: SqliteStore, session: str = SOURCE.key) -> MemoryReader:
    """A reader of one session."""
    return MemoryReader(store, permanent(), session, place=Place(cwd="/work/kestrel"))


@pytest.mark.parametrize("query", [NOTES, "parser notes", "The Grammar Page", "ParserNotes", "grammar", "arser-not"])
def test_a_memory_is_found_by_handle_name_alias_word_and_fragment(store: SqliteStore, query: str) -> None:
    """R35, R55, R60: what an agent may still remember of it leads to it."""
    learn(store, 1, NOTES_ENTITY, Entity("StyleGuide", "/work/kestrel/docs/style.md"))
    assert [found.name for found in reader(store).search(query)] == ["ParserNotes"]


def test_a_search_gives_no_types_unless_asked_by_name(store: SqliteStore) -> None:
    """R71: a type is not a memory; permanent entities are."""
    learn(store, 1, NOTES_ENTITY)
    assert reader(store).search("document path") == ()
    assert [found.name for found in reader(store).search("Document")] == ["Document"]
    assert [found.name for found in reader(store).search("hand book")] == ["HandBook"]


def test_a_moved_thing_shows_where_it_is_now_and_where_it_was(store: SqliteStore) -> None:
    """R45, R60: the old value stands, the current view shows the new one under the family's name."""
    learn(store, 1, NOTES_ENTITY)
    moved = replace(NOTES_ENTITY, more=(a_property("DocumentPathAtTurn2", "/work/kestrel/notes.md"),))
    learn(store, 2, moved)
    found = reader(store).details("ParserNotes")
    shown = {prop.name: (prop.value, prop.was) for prop in found.properties if prop.assigned}
    assert shown["DocumentPath"] == ("/work/kestrel/notes.md", (NOTES,))
    assert [(handle.property, handle.value) for handle in found.handles] == [("DocumentPath", "/work/kestrel/notes.md")]
    stored = store.layer(SOURCE.key).get("ParserNotes")
    assert stored is not None
    assert stored.own("DocumentPath") == NOTES_ENTITY.prototype.own("DocumentPath")


def test_details_say_where_a_memory_comes_from(store: SqliteStore) -> None:
    """R95: turn and modality; a name that is not known says so."""
    learn(store, 1, replace(NOTES_ENTITY, modality=Modality.REPORTED))
    found = reader(store).details("ParserNotes")
    assert (found.known, found.turn, found.modality, found.layer) == (True, "t1", "reported", "session")
    assert found.definition
    assert not reader(store).details("Nobody").known


def test_the_list_has_the_newest_first(store: SqliteStore) -> None:
    """R60: session-local memories only, bounded."""
    learn(store, 1, NOTES_ENTITY)
    learn(store, 2, Entity("StyleGuide", "/work/kestrel/docs/style.md"))
    assert [found.name for found in reader(store).list()] == ["StyleGuide", "ParserNotes"]
    assert [found.name for found in reader(store).list(limit=1)] == ["StyleGuide"]


def test_another_session_is_out_of_reach(store: SqliteStore) -> None:
    """INV-I7, R87: by name, handle, words, list, details and review."""
    learn(store, 1, NOTES_ENTITY)
    other = reader(store, "desk:beta")
    found = [memory.name for query in ("parser notes", NOTES, "grammar", "arser-n") for memory in other.search(query)]
    assert "ParserNotes" not in found
    assert other.list() == ()
    assert not other.details("ParserNotes").known
    assert other.review_of("t1") is None


def test_a_review_is_read_back(store: SqliteStore) -> None:
    """R95: for `explain`."""
    learn(store, 1, NOTES_ENTITY)
    review = reader(store).review_of("t1")
    assert review is not None
    assert review["outcome"] == "wrote"
    assert reader(store).source == SOURCE.key
    assert [row.property for row in reader(store).schema("Document")][:1] == ["DocumentPath"]


@pytest.mark.parametrize("query", ["", "   ", '"', "*", "AND", "NEAR(", "x" * 5000])
def test_any_query_is_only_words(store: SqliteStore, query: str) -> None:
    """CASE-I03: query syntax, blanks and length do no harm."""
    learn(store, 1, NOTES_ENTITY)
    assert reader(store).search(query) == ()

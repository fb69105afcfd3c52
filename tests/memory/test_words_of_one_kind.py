"""Where few of very many matches are of a type, the type's own things are looked at, and not without end."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from door_cases import SOURCE, permanent
from store_cases import Clock, a_session

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.bridge.values import Match, MatchKind
from ferrule.memory.intake import _Standing
from ferrule.memory.of_kind import MOST_LOOKED_AT, leads_of_kind
from ferrule.memory.ranking import Lead
from ferrule.memory.reader import MemoryReader
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import LayerName, Property, Prototype


def page(number: int, said: str, kind: str = "Document") -> Prototype:
    """A permanent thing that is called so."""
    named = Property("EntityName", "String", said, declares=False, assigned=True)
    return Prototype(f"{kind}{number:04}", (kind,), (named,), LayerName.PERMANENT)


def shelf(*things: Prototype) -> InMemoryLayer:
    """The small ontology with further things."""
    layer = permanent()
    for thing in things:
        layer.add(thing)
    return layer


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store whose session remembers nothing."""
    opened = SqliteStore(tmp_path / "home", Clock())
    opened.put_session(a_session(SOURCE.key))
    yield opened
    opened.close()


def test_the_few_of_a_kind_are_found_among_many_others(store: SqliteStore) -> None:
    """R35: the best matches are all of another type; the document that says the same words is still the answer."""
    others = [page(number, "harbour survey", "WebSite") for number in range(40)]
    layer = shelf(*others, page(1, "old harbour, second survey"), page(2, "harbour alone"), page(3, "survey of quays"))
    reader = MemoryReader(store, layer, SOURCE.key)
    found = reader.under("Document", query="harbour survey", limit=3)
    assert [memory.name for memory in found.answers] == ["Document0001"]
    assert found.answers[0].matches == (Match(MatchKind.WORDS, "harbour survey", "EntityName"),)
    assert len(reader.under("WebSite", query="harbour survey", limit=3).answers) == 3


@pytest.mark.parametrize(
    ("number", "found"),
    [(3, True), (99, True), (100, True), (MOST_LOOKED_AT - 1, True), (MOST_LOOKED_AT, False)],
)
def test_the_first_five_hundred_are_looked_at(number: int, found: bool) -> None:  # noqa: FBT001 - a column of the table
    """R35: by name, page after page; a type with very many things costs no more than that."""
    layer = InMemoryLayer()
    for at in range(MOST_LOOKED_AT + 20):
        layer.add(page(at, "the harbour" if at == number else "a quay"))
    ontology = Ontology(layer, InMemoryLayer())
    names = [lead.name for lead in leads_of_kind(ontology, "Document", ("harbour",), ())]
    assert names == ([f"Document{number:04}"] if found else [])


def test_what_was_found_already_stays_first_and_is_told_once() -> None:
    """R35: the order of what everybody finds is kept; only things with all the words are added behind."""
    layer = InMemoryLayer()
    for at, said in enumerate(("harbour survey", "survey", "survey harbour", "harbour")):
        layer.add(page(at, said))
    known = (Lead("Document0002", (Match(MatchKind.NAME, "kept as it was"),)),)
    found = leads_of_kind(Ontology(layer, InMemoryLayer()), "Document", ("harbour", "survey"), known)
    assert found[:1] == known
    assert [lead.name for lead in found] == ["Document0002", "Document0000"]


def test_without_a_query_the_things_of_a_kind_come_by_name_page_after_page(store: SqliteStore) -> None:
    """R35: the first ones behind a name, at most as many as asked for, none for less than one."""
    reader = MemoryReader(store, shelf(*(page(at, f"page {at}") for at in range(3))), SOURCE.key)
    first = reader.under("Document", limit=2)
    assert (first.source, first.query, first.revision) == (SOURCE.key, "", store.revision(SOURCE.key))
    assert [memory.name for memory in first.answers] == ["Document0000", "Document0001"]
    assert [memory.layer for memory in first.answers] == ["permanent", "permanent"]
    rest = reader.under("Document", limit=10, after="Document0001")
    assert [memory.name for memory in rest.answers] == ["Document0002", "HandBook"]
    assert reader.under("Document", limit=0).answers == ()
    assert reader.under("Document", limit=-3).answers == ()
    assert reader.under("Nothing").answers == ()


def test_what_an_intake_has_judged_is_asked_by_kind_too() -> None:
    """INV-I3: bases and things of both parts, by name, as one layer would tell them."""
    below = InMemoryLayer()
    for at in (1, 3):
        below.add(page(at, "a quay"))
    standing = _Standing(below)
    assert standing.bases() == ("Document",)
    assert standing.under(("Document",), 9) == ("Document0001", "Document0003")
    assert standing.under(("Document",), 1, "Document0001") == ("Document0003",)
    assert standing.under(("WebSite",), 9) == ()

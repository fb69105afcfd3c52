"""Who declares a property, and everything that is of a kind, over all layers at once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_cases import Clock, Entity, a_child, a_commit, a_session, a_turn, a_write, claimed

from ferrule.adapters.ontologies.filling import fill
from ferrule.adapters.ontologies.layer import IndexedLayer
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.ontology.categories import under
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.loading import read_permanent
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import LayerName, Property, Prototype, SchemaEntry
from ferrule.session.source import Origin

FILES = """
prototype Root { String Name; String Mark; }
prototype Left : Root { String Side; }
prototype Right : Root { String Mark; String Side; }
prototype Both : Left, Right;
prototype Other : Right, Left;
prototype Leaf#1 : Both { Name = "leaf"; String Colour = "green"; }
prototype Twig : Root { Name = "twig"; }
partial prototype Left { String Late; }
"""


@pytest.fixture(params=["memory", "index"])
def permanent(request: pytest.FixtureRequest, tmp_path: Path) -> PrototypeLayer:
    """The same few prototypes, in memory and in an index."""
    read = read_permanent((), [("a.pts", FILES)])
    assert read.problems == ()
    if request.param == "memory":
        return InMemoryLayer(read.prototypes, read.keys)
    fill(tmp_path / "an.index", read, lambda _what, _done, _all: None)
    return IndexedLayer(tmp_path / "an.index", tmp_path / "a.json", None)


def declared(ontology: Ontology, name: str) -> dict[str, str]:
    """By whom each property of a prototype is declared."""
    return {entry.property: entry.declared_by for entry in ontology.schema(name)}


@pytest.mark.parametrize(
    ("name", "by"),
    [
        ("Root", {"Name": "Root", "Mark": "Root"}),
        ("Right", {"Mark": "Right", "Side": "Right", "Name": "Root"}),
        ("Both", {"Side": "Left", "Late": "Left", "Name": "Root", "Mark": "Root"}),
        ("Other", {"Mark": "Right", "Side": "Right", "Name": "Root", "Late": "Left"}),
        ("Leaf#1", {"Colour": "Leaf#1", "Side": "Left", "Late": "Left", "Name": "Root", "Mark": "Root"}),
    ],
)
def test_the_first_declaring_ancestor_in_their_order_holds(
    permanent: PrototypeLayer, name: str, by: dict[str, str]
) -> None:
    """R43, OBS-M13: itself, else ancestors depth first, each once, as the reference resolves a name in a diamond."""
    assert declared(Ontology(permanent), name) == by


def test_assigning_is_not_declaring_and_a_session_may_declare(permanent: PrototypeLayer) -> None:
    """R43, OBS-M13, R45: an entity's value names its type; a session's own field and its later form name the entity."""
    added = (
        Property("Depth", "Int", 4, declares=True, assigned=True),
        Property("DepthAtTurn3", "Int", 5, declares=True, assigned=True),
        Property("MarkAtTurn2", "", "M-2", declares=False, assigned=True),
    )
    part = Prototype("Leaf#1", ("Both",), added, LayerName.SESSION, partial=True)
    ontology = Ontology(permanent, InMemoryLayer([part]))
    held = declared(ontology, "Leaf#1")
    assert (held["Depth"], held["DepthAtTurn3"], held["Name"], held["Mark"]) == ("Leaf#1", "Leaf#1", "Root", "Root")
    assert "MarkAtTurn2" not in held
    assert SchemaEntry("Name", "String", "Root", assigned=True) in ontology.schema("Leaf#1")
    assert SchemaEntry("Mark", "String", "Root", assigned=False) in ontology.schema("Leaf#1")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A fresh store."""
    opened = SqliteStore(tmp_path / "home", Clock())
    yield opened
    opened.close()


def learn(store: SqliteStore, key: str, *entities: Entity) -> PrototypeLayer:
    """A session that remembers these."""
    source, turn = a_session(key), a_turn(1, key)
    store.put_session(source)
    store.put_turns([turn])
    store.enqueue(source, a_child(source), [(1, turn.key)], Origin.IMPORT)
    claim = claimed(store.claim(key, lease_seconds=30.0))
    store.commit(a_commit(turn, *(a_write(entity) for entity in entities)), claim)
    return store.layer(key)


def test_everything_of_a_kind_is_found_in_every_layer(permanent: PrototypeLayer, store: SqliteStore) -> None:
    """R86, D7: session, lineage and permanent things, of types of any of them, each once and in the order of names."""
    lineage = learn(store, "desk:before", Entity("Bough", "b.md", base="Right"), Entity("Stem", "s.md", base="Bough"))
    session = learn(
        store,
        "desk:now",
        Entity("Acorn", "a.md", base="Both"),
        Entity("Leaf#1", "leaf.md", base="Both"),
        Entity("Shoot", "shoot.md", base="Stem"),
        Entity("Pebble", "p.md", base="Nothing"),
    )
    ontology = Ontology(permanent, session, [lineage])
    assert under(ontology, "Root", 10) == ("Acorn", "Bough", "Leaf#1", "Shoot", "Stem", "Twig")
    assert under(ontology, "Right", 10) == ("Acorn", "Bough", "Leaf#1", "Shoot", "Stem")
    assert under(ontology, "Bough", 10) == ("Shoot", "Stem")
    assert under(ontology, "Left", 10) == ("Acorn", "Leaf#1")
    assert under(ontology, "Acorn", 10) == under(ontology, "Nowhere", 10) == ()


def test_pages_of_a_kind_follow_each_other(permanent: PrototypeLayer) -> None:
    """R35: bounded, and the last name of one page leads to the next, whatever layer it is of."""
    own = [Prototype(f"Own{n:02}", ("Twig",), (), LayerName.SESSION) for n in range(7)]
    ontology = Ontology(permanent, InMemoryLayer(own))
    seen: list[str] = []
    while page := under(ontology, "Root", 3, seen[-1] if seen else ""):
        assert len(page) <= 3
        seen += page
    assert seen == sorted(["Leaf#1", "Twig", *(one.name for one in own)])
    assert under(ontology, "Root", 0) == ()


def test_staged_things_are_of_a_kind_too(permanent: PrototypeLayer) -> None:
    """R38: what a review has staged is known."""
    staged = Prototype("Sprout", ("Twig",), (), LayerName.STAGED)
    assert under(Ontology(permanent).staged_with(staged), "Twig", 5) == ("Sprout",)

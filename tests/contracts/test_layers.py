"""One suite for every layer of prototypes: the in-memory one and the stored one answer alike."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

import pytest
from store_cases import IMPORT, LEASE, Clock, Entity, a_child, a_commit, a_property, a_session, a_turn, a_write, claimed

from ferrule.adapters.ontologies.filling import fill as fill_index
from ferrule.adapters.ontologies.layer import IndexedLayer
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.reading import ReadOntology
from ferrule.ontology.values import LayerName, Ref
from ferrule.ontology.words import subwords

Fill: TypeAlias = Callable[[Sequence[Entity]], PrototypeLayer]


def in_memory(entities: Sequence[Entity]) -> PrototypeLayer:
    """The twin that lives in memory."""
    layer = InMemoryLayer()
    for entity in entities:
        layer.add(entity.prototype, (entity.key,) if entity.path else ())
    return layer


def in_an_index(folder: Path, entities: Sequence[Entity]) -> PrototypeLayer:
    """The one that a large permanent ontology is answered from: filled once, with each prototype as it stands."""
    standing = {entity.name: entity for entity in entities}
    keys = {name: tuple(e.key for e in entities if e.name == name and e.path) for name in standing}
    prototypes = tuple(entity.prototype for entity in standing.values())
    index = folder / "an.index"
    fill_index(index, ReadOntology(prototypes, keys, None, (), {}), lambda _what, _done, _all: None)
    return IndexedLayer(index, folder / "a.json", None)


@pytest.fixture(params=["memory", "sqlite", "index"])
def fill(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Fill]:
    """Makes a layer that holds the given entities, oldest first."""
    if request.param != "sqlite":
        yield in_memory if request.param == "memory" else partial(in_an_index, tmp_path)
        return
    store = SqliteStore(tmp_path / "home", Clock())

    def stored(entities: Sequence[Entity]) -> PrototypeLayer:
        source = a_session()
        store.put_session(source)
        for ordinal, entity in enumerate(entities, start=1):
            turn = a_turn(ordinal)
            store.put_turns([turn])
            store.enqueue(source, a_child(source), [(ordinal, turn.key)], IMPORT)
            claim = claimed(store.claim(source.key, lease_seconds=LEASE))
            store.commit(a_commit(turn, a_write(entity)), claim)
        return store.layer(source.key)

    yield stored
    store.close()


NOTES = Entity("ParserNotes", "docs/parser.md", aliases="parser notes; the grammar page")
SHOP = Entity("GoDaddyWebModule", "/srv/shop/module", aliases="web shop module")
SERVER = Entity("HTTPServer2", "/srv/http")
BARE = Entity("StagingSite")
ALL = (NOTES, SHOP, SERVER, BARE)


def test_a_prototype_comes_back_equal(fill: Fill) -> None:
    """R55: bases, properties, types and values of every form read back as written."""
    values = (
        ("Text", 'say "hi"\n☂', "String"),
        ("Count", 7, "Int"),
        ("Ratio", 0.5, "Double"),
        ("Done", True, "Bool"),
        ("Link", Ref("ParserNotes"), "Document"),
        ("Many", ("a", Ref("StagingSite"), 1), "Collection"),
    )
    entity = Entity("Rich", "docs/rich.md", more=tuple(a_property(name, value, kind) for name, value, kind in values))
    found = fill([NOTES, entity]).get("Rich") or pytest.fail("unknown")
    assert replace(found, layer=LayerName.SESSION) == entity.prototype


def test_an_unknown_name_is_none(fill: Fill) -> None:
    """R59: nothing is guessed, not even from a name that differs in case."""
    layer = fill(ALL)
    assert layer.get("parsernotes") is None
    assert layer.get("") is None


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("parsernotes", ("ParserNotes",)),
        ("ParserNotes", ("ParserNotes",)),
        ("httpserver2", ("HTTPServer2",)),
        ("x", ()),
    ],
)
def test_spellings_ignore_case(fill: Fill, asked: str, found: tuple[str, ...]) -> None:
    """OBS-M10: names that differ only in case are found."""
    assert fill(ALL).spelled(asked) == found


def test_an_identity_key_finds_its_holders(fill: Fill) -> None:
    """R65, R66: sameness is decided by identity key."""
    layer = fill(ALL)
    assert layer.holding("path:docs/parser.md") == ("ParserNotes",)
    assert layer.holding("path:docs") == ()


@pytest.mark.parametrize(
    ("phrase", "found"),
    [
        ("parser notes", ("ParserNotes",)),
        ("The Grammar Page", ("ParserNotes",)),
        ("web-shop module", ("GoDaddyWebModule",)),
        ("go daddy web module", ("GoDaddyWebModule",)),
        ("grammar", ()),
    ],
)
def test_a_phrase_finds_what_is_called_so(fill: Fill, phrase: str, found: tuple[str, ...]) -> None:
    """R33: case, spaces and CamelCase fold away; a part of a name is not the name."""
    assert fill(ALL).called(phrase) == found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("web module", {"GoDaddyWebModule"}),
        ("daddy", {"GoDaddyWebModule"}),
        ("http", {"HTTPServer2"}),
        ("grammar", {"ParserNotes"}),
        ("parser unheard", {"ParserNotes"}),
        ("web parser", {"GoDaddyWebModule", "ParserNotes"}),
        ('"quoted" AND', set()),
        ("unheard", set()),
        ("", set()),
    ],
)
def test_words_match_all_else_any(fill: Fill, words: str, found: set[str]) -> None:
    """R35: all words first, any word when none has all; query syntax in a word is only a word."""
    assert set(fill(ALL).matching(subwords(words), 10)) == found


def test_a_name_outranks_a_value(fill: Fill) -> None:
    """R35: best first."""
    entities = [Entity("ReadMe", "kestrel/readme.md"), Entity("Kestrel", "docs/k.md")]
    assert fill(entities).matching(("kestrel",), 10) == ("Kestrel", "ReadMe")


def test_more_of_the_words_outrank_a_better_place(fill: Fill) -> None:
    """R35: where nothing has all words, what has most of them is first, though it has them in a value."""
    entities = [Entity("Kestrel", "docs/k.md"), Entity("ReadMe", "kestrel/osprey.md")]
    assert fill(entities).matching(("kestrel", "osprey", "unheard"), 10) == ("ReadMe", "Kestrel")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("godaddywebmod", ("GoDaddyWebModule",)),
        ("arser-not", ("ParserNotes",)),
        ("grammer", ("ParserNotes",)),
        ("modlue", ("GoDaddyWebModule",)),
        ("stagign site", ("StagingSite",)),
        ("srv/sho", ("GoDaddyWebModule",)),
        ("HTTPServr", ("HTTPServer2",)),
        ("HTTPServr2", ("HTTPServer2",)),
        ("servr3", ()),
        ("xyz", ()),
        ("pa", ()),
        ("", ()),
        ('"', ()),
    ],
)
def test_fragments_and_slips_lead_to_what_was_meant(fill: Fill, words: str, found: tuple[str, ...]) -> None:
    """R35: a word cut short or spelled nearly so, in a name, an alias or a handle."""
    assert fill(ALL).resembling(subwords(words), 10) == found


@pytest.mark.parametrize("query", ["東京", "京タ", "設定", "東京タワー"])
def test_a_word_inside_a_script_without_spaces_is_found(fill: Fill, query: str) -> None:
    """R35: two characters are a word there, and nothing stands between them and the next."""
    tower = Entity("TowerSettings", "docs/tower.md", aliases="東京タワー設定")
    layer = fill([NOTES, tower])
    assert layer.resembling(subwords(query), 10) == ("TowerSettings",)
    assert layer.resembling(("大阪",), 10) == ()


def test_what_has_something_of_each_word_hides_the_rest(fill: Fill) -> None:
    """R35: nearest first, and never more than asked for."""
    layer = fill([Entity("OsprayLedger", "a"), Entity("OspreyExport", "b"), Entity("Osprey", "c")])
    assert layer.resembling(("ospre", "expor"), 10) == ("OspreyExport",)
    assert layer.resembling(("osprey",), 10) == ("Osprey", "OspreyExport", "OsprayLedger")
    assert layer.resembling(("osprey",), 2) == ("Osprey", "OspreyExport")
    assert layer.resembling(("osprey",), 0) == ()


def test_a_limit_is_kept(fill: Fill) -> None:
    """R35: never more than asked for."""
    layer = fill([Entity(f"Shop{n}", f"shop/{n}") for n in range(5)])
    assert len(layer.matching(("shop",), 3)) == 3
    assert layer.matching(("shop",), 0) == ()


def test_names_come_oldest_first(fill: Fill) -> None:
    """R60: order of writing."""
    layer = fill(ALL)
    assert layer.names() == tuple(entity.name for entity in ALL)
    assert len(layer) == len(ALL)


def test_an_empty_layer_answers(fill: Fill) -> None:
    """R14: nothing is known before the first write."""
    layer = fill([])
    assert layer.bases() == layer.under(("Document",), 5) == ()
    assert (layer.names(), layer.holding("path:x"), layer.called("x"), layer.matching(("x",), 5)) == ((), (), (), ())
    assert layer.resembling(("xyz",), 5) == ()


def test_a_fuller_form_replaces_the_earlier_one_in_every_index(fill: Fill) -> None:
    """R38: an augmented memory is found by old and new names and keys, once."""
    fuller = replace(NOTES, more=(a_property("AliasesAtTurn3", "railroad page"),))
    layer = fill([NOTES, SHOP, fuller])
    assert layer.names() == ("ParserNotes", "GoDaddyWebModule")
    assert layer.called("railroad page") == ("ParserNotes",)
    assert layer.called("the grammar page") == ("ParserNotes",)
    assert layer.matching(("railroad",), 5) == ("ParserNotes",)
    assert layer.resembling(("railro",), 5) == ("ParserNotes",)


FRIGATE = Entity("Frigate", "docs/frigate.md", base="Ship")
SKIFF = Entity("Skiff", "docs/skiff.md", base="Frigate")
LONGBOAT = Entity("Longboat", "docs/longboat.md", base="Skiff")


def test_what_is_of_a_kind_is_found_through_everything_in_between(fill: Fill) -> None:
    """R86, CASE-G01: directly or by what this layer itself knows to be in between, and nothing else."""
    layer = fill([NOTES, LONGBOAT, FRIGATE, SKIFF])
    assert layer.under(("Ship",), 10) == ("Frigate", "Longboat", "Skiff")
    assert layer.under(("Skiff",), 10) == ("Longboat",)
    assert layer.under(("Document", "Skiff"), 10) == ("Longboat", "ParserNotes")
    assert layer.under(("Longboat",), 10) == layer.under(("Nothing",), 10) == layer.under((), 10) == ()


def test_what_is_of_a_kind_comes_by_name_a_page_at_a_time(fill: Fill) -> None:
    """R35: in the order of names, never more than asked for; the last name of a page leads to the next."""
    layer = fill([Entity(f"Shop{n}", f"shop/{n}", base="Ship" if n % 2 else "Boat") for n in (3, 1, 2, 5, 4)])
    assert layer.under(("Ship", "Boat"), 2) == ("Shop1", "Shop2")
    assert layer.under(("Ship", "Boat"), 2, "Shop2") == ("Shop3", "Shop4")
    assert layer.under(("Ship", "Boat"), 2, "Shop4") == ("Shop5",)
    assert layer.under(("Ship", "Boat"), 2, "Shop5") == layer.under(("Ship",), 0) == ()
    assert layer.under(("Ship",), 9, "Shop") == ("Shop1", "Shop3", "Shop5")


def test_every_base_is_told_once(fill: Fill) -> None:
    """R86: which names are the direct base of something."""
    assert sorted(fill([NOTES, SHOP, FRIGATE, SKIFF]).bases()) == ["Document", "Frigate", "Ship"]

"""The in-memory layer: every lookup by an index."""

import pytest

from ferrule.ontology.layers import InMemoryLayer, names_of, phrases_of
from ferrule.ontology.values import LayerName, Property, Prototype


def memory(name: str, **values: str) -> Prototype:
    """A session prototype with text values."""
    properties = tuple(Property(key, "", value, declares=False, assigned=True) for key, value in values.items())
    return Prototype(name, ("Entity",), properties, LayerName.SESSION)


SHOP = memory("ShopWebModule", EntityName="Shop web module", Aliases="the shop; shop site", ModulePath="web/shop")
SYNC = memory("HarborSync", EntityName="Harbor sync", RootDirectory="/srv/harbor/shop")
LATER = memory("Renamed", EntityName="Old name", EntityNameAtTurn7="New name")


@pytest.fixture
def layer() -> InMemoryLayer:
    """Three memories, one with an identity key."""
    return InMemoryLayer([SHOP, SYNC, LATER], {"ShopWebModule": ("path:web/shop",)})


@pytest.mark.parametrize("phrase", ["shop web module", "ShopWebModule", "SHOP-SITE", "the shop"])
def test_name_entity_name_and_aliases_find_their_prototype(layer: InMemoryLayer, phrase: str) -> None:
    """R33, CASE-L15: a thing is found under every name it has."""
    assert layer.called(phrase) == ("ShopWebModule",)


def test_a_later_name_is_a_name_too(layer: InMemoryLayer) -> None:
    """R45: `EntityNameAtTurn7` adds a name and keeps the old one."""
    assert layer.called("new name") == layer.called("old name") == ("Renamed",)
    assert names_of(LATER) == ("Old name", "New name")
    assert "renamed" in phrases_of(LATER)


def test_identity_keys_are_looked_up_exactly(layer: InMemoryLayer) -> None:
    """CASE-E14: no prefix ever matches."""
    assert layer.holding("path:web/shop") == ("ShopWebModule",)
    assert layer.holding("path:web") == ()


def test_case_is_ignored_only_when_asked(layer: InMemoryLayer) -> None:
    """OBS-M10: names that differ only in case are found by `spelled`, never by `get`."""
    assert layer.get("shopwebmodule") is None
    assert layer.spelled("shopwebmodule") == ("ShopWebModule",)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["shop"], ("ShopWebModule", "HarborSync")),
        (["harbor", "shop"], ("HarborSync",)),
        (["WebModule"], ("ShopWebModule",)),
        (["harbor", "module"], ("ShopWebModule", "HarborSync")),
        (["nothing"], ()),
        ([], ()),
    ],
)
def test_words_match_all_before_any_and_names_before_values(
    layer: InMemoryLayer, words: list[str], names: tuple[str, ...]
) -> None:
    """R35: a search by words is ranked and never empty for a known word."""
    assert set(layer.matching(words, 10)) == set(names)
    assert layer.matching(words, 10)[:1] == names[:1]


def test_a_fuller_form_replaces_the_prototype_and_keeps_its_indexes(layer: InMemoryLayer) -> None:
    """R38: an augmented prototype is found under old and new names."""
    layer.add(memory("HarborSync", EntityName="Harbor sync", Aliases="quay mirror"), ("url:https://quay.example",))
    assert layer.called("harbor sync") == layer.called("quay mirror") == ("HarborSync",)
    assert layer.holding("url:https://quay.example") == ("HarborSync",)
    assert len(layer) == 3
    assert layer.names() == ("ShopWebModule", "HarborSync", "Renamed")

"""An index also stands for the files that were read because others include them."""

from pathlib import Path

import pytest
from ontology_cases import House, a_house, put

from ferrule.adapters.ontologies.layer import IndexedLayer
from ferrule.adapters.ontologies.manifest import Request
from ferrule.adapters.ontologies.shelf import Shelf
from ferrule.ontology.sources import sources_of
from ferrule.wiring import permanent
from ferrule.wiring.permanent import permanent_layer

MAIN = 'include "core/*.pts"; include "types.pts";'


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A house."""
    return a_house(tmp_path)


@pytest.fixture
def main(house: House) -> Path:
    """A file that includes two others."""
    folder = house.folder.parent / "apart"
    for name, text in {
        "main.pts": MAIN,
        "types.pts": "prototype Vessel { String HullMark; }",
        "core/ferry.pts": 'prototype Ferry : Vessel { HullMark = "N-7"; }',
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        put(folder / name, text)
    return folder / "main.pts"


def made(house: House, main: Path) -> IndexedLayer:
    """The index, made."""
    found, _ = Shelf(house.home).made(Request((main,), sources_of([main])))
    assert found is not None
    return found


def kept(house: House, main: Path) -> IndexedLayer | None:
    """The index, where it is believed."""
    return Shelf(house.home).layer(Request((main,), sources_of([main])))


def test_an_index_holds_what_was_followed_and_is_believed_while_nothing_changes(house: House, main: Path) -> None:
    """R89: names of all three files."""
    assert sorted(made(house, main).names()) == ["Ferry", "Vessel"]
    assert kept(house, main) is not None


@pytest.mark.parametrize("change", ["another text", "one more", "one less", "another way"])
def test_an_index_is_another_one_when_what_is_included_changes(house: House, main: Path, change: str) -> None:
    """R89: the text of a followed file, the files of a pattern, and where a name leads to."""
    folder = main.parent
    if change == "another way":
        put(folder / "first.pts", "prototype First;")
        put(folder / "second.pts", "prototype Second;")
        (folder / "way.pts").symlink_to(folder / "first.pts")
        put(main, f'{MAIN} include "way.pts";')
    made(house, main)
    assert kept(house, main) is not None
    match change:
        case "another text":
            put(folder / "types.pts", "prototype Vessel { String HullMark; Int Decks; }")
        case "one more":
            put(folder / "core" / "raft.pts", "prototype Raft : Vessel;")
        case "one less":
            (folder / "core" / "ferry.pts").unlink()
        case _:
            (folder / "way.pts").unlink()
            (folder / "way.pts").symlink_to(folder / "second.pts")
    assert kept(house, main) is None


def test_a_small_file_that_includes_much_is_indexed_too(
    house: House, main: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How much it is shows when it was read; a little is read into memory as before."""
    assert not isinstance(permanent_layer([main], [], home=house.home), IndexedLayer)
    monkeypatch.setattr(permanent, "SMALL_BYTES", 80)
    assert isinstance(permanent_layer([main], [], home=house.home), IndexedLayer)
    assert isinstance(permanent_layer([main], [], home=house.home), IndexedLayer)

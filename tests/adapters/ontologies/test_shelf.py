"""An index of a permanent ontology is believed only while nothing of what it was made from is another."""

import os
import shutil
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from ontology_cases import HARBOUR, LONG_AGO, MORE, House, a_house, put

from ferrule.adapters.ontologies import manifest, shelf
from ferrule.adapters.ontologies.layer import IndexedLayer
from ferrule.ontology.handles import handles_of
from ferrule.ontology.loading import base_folder, load_permanent
from ferrule.ontology.resolve import Ontology
from ferrule.referents.kinds import KEY_FORMS

TEXT = ("/w/.ferrule/ontology/own.pts", 'prototype Skiff : Vessel { HullMark = "S-1"; }')


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house that is looked at long after its files were written, so that all of them have come to rest."""
    monkeypatch.setattr(shelf, "now", lambda: time.time_ns() + 3_600_000_000_000)
    return a_house(tmp_path)


def test_an_index_answers_as_the_files_read_into_memory(house: House) -> None:
    """DEC-D7, R65, R26: prototypes over several files, keys, phrases, words, types, the table of handle names."""
    folders = (base_folder(), house.folder)
    memory, indexed = load_permanent(folders).layer, house.opened()
    assert indexed.names() == memory.names()
    assert len(indexed) == len(memory) > 30
    for name in memory.names():
        assert indexed.get(name) == memory.get(name), name
        assert indexed.spelled(name.lower()) == memory.spelled(name.lower())
        assert indexed.called(name) == memory.called(name)
    assert indexed.suffixes == memory.suffixes
    assert indexed.holding("id:NF-7") == memory.holding("id:NF-7") == ("Ferry#North",)
    assert indexed.called("the night boat") == memory.called("the night boat") == ("Ferry#North",)
    for words in (("north",), ("tide", "table"), ("night", "nothing"), ("zzz",)):
        assert indexed.matching(words, 9) == memory.matching(words, 9), words
        assert indexed.resembling(words, 9) == memory.resembling(words, 9), words
    for kind in (*memory.names(), "Nothing"):
        assert indexed.under((kind,), 9) == memory.under((kind,), 9), kind
    assert sorted(indexed.bases()) == sorted(memory.bases())
    ferry = indexed.get("Ferry#North") or pytest.fail("unknown")
    assert handles_of(ferry, Ontology(indexed)) == handles_of(ferry, Ontology(memory)) != ()


def test_an_index_is_made_once_and_found_again(house: House) -> None:
    """Nothing is read again while nothing changed; what is done meanwhile is told."""
    assert house.kept() is None
    made, read = house.made()
    assert isinstance(made, IndexedLayer)
    assert read is None
    told = ["reading the ontology: files", "checking the ontology: declarations", "reading handles: prototypes"]
    assert house.told == [*told, "writing the index: prototypes"]
    before = house.index.read_bytes()
    assert house.kept() is not None
    assert house.made()[0] is not None
    assert house.index.read_bytes() == before


def test_folder_index_and_manifest_are_private(house: House) -> None:
    """CASE-E07: mode 0700 and 0600, whatever the umask; nothing else is left beside."""
    before = os.umask(0)
    try:
        house.made()
    finally:
        os.umask(before)
    assert stat.S_IMODE(house.shelf.stat().st_mode) == 0o700
    assert [stat.S_IMODE(path.stat().st_mode) for path in (house.index, house.manifest)] == [0o600, 0o600]
    assert len(list(house.shelf.iterdir())) == 2


def changed(house: House) -> None:
    """Another value, as long as the one before."""
    put(house.folder / "harbour.pts", HARBOUR.replace("NF-7", "NF-8"))


def grown(house: House) -> None:
    """One prototype more."""
    put(house.folder / "harbour.pts", HARBOUR + "prototype Raft : Vessel;")


def added(house: House) -> None:
    """One file more, in a folder below."""
    put(house.folder / "more" / "new.pts", "prototype Raft : Vessel;")


def removed(house: House) -> None:
    """One file less."""
    (house.folder / "more" / "tides.pts").unlink()


def renamed(house: House) -> None:
    """Of two values the earlier file's stands: an order is a fact too."""
    (house.folder / "harbour.pts").rename(house.folder / "zebra.pts")


def other_table(house: House) -> None:
    """Other names of handles, as many characters."""
    put(house.folder / "handles.toml", '[suffixes]\nother-id = ["Mork"]\n')


def no_table(house: House) -> None:
    """The table is gone."""
    (house.folder / "handles.toml").unlink()


@pytest.mark.parametrize("change", [changed, grown, added, removed, renamed, other_table, no_table])
def test_whatever_changes_makes_it_anew(house: House, change: Callable[[House], None]) -> None:
    """CASE-N10: a file that is another one, new, gone or elsewhere, though its time and size are as before."""
    house.made()
    old = house.index
    change(house)
    assert house.kept() is None
    made, _ = house.made()
    assert made is not None
    fresh = load_permanent((base_folder(), house.folder)).layer
    assert made.names() == fresh.names()
    assert all(made.get(name) == fresh.get(name) for name in fresh.names())
    assert made.suffixes == fresh.suffixes
    assert not old.exists()


def test_a_file_that_was_touched_and_says_the_same_is_the_same(house: House) -> None:
    """A checkout changes every time: the digest decides, and is asked once."""
    house.made()
    index = house.index.name
    for path in house.folder.rglob("*.*"):
        os.utime(path)
    seal = house.manifest.read_bytes()
    assert house.kept() is not None
    assert house.index.name == index
    assert house.manifest.read_bytes() != seal
    seal = house.manifest.read_bytes()
    assert house.kept() is not None
    assert house.manifest.read_bytes() == seal


def test_a_change_within_one_step_of_the_clock_is_seen(tmp_path: Path) -> None:
    """CASE-N10: same size, same times, same number, read a moment after it was written: only the bytes tell."""
    house = a_house(tmp_path)
    house.made()
    file = house.folder / "harbour.pts"
    as_before = house.request()
    assert shelf.Shelf(house.home).layer(as_before) is not None
    changed(house)
    assert str(file) in {source.path for source in as_before.sources}
    assert shelf.Shelf(house.home).layer(as_before) is None


def test_another_ferrule_makes_it_anew(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-N10: other normal forms give other keys: what an older or newer version made is not believed."""
    house.made()
    manifest.maker.cache_clear()
    monkeypatch.setattr(manifest, "KEY_FORMS", KEY_FORMS + 1)
    try:
        assert house.kept() is None
        assert house.made()[0] is not None
        assert house.kept() is not None
    finally:
        manifest.maker.cache_clear()


def test_the_look_of_its_own_code_is_a_part_of_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who changes Ferrule in place, without a new number, gets no old answers."""
    manifest.maker.cache_clear()
    before = manifest.maker()
    manifest.maker.cache_clear()
    monkeypatch.setattr(manifest, "_CODE", ("ontology",))
    assert manifest.maker() != before
    manifest.maker.cache_clear()


def test_texts_of_a_project_are_a_part_of_what_is_asked(house: House) -> None:
    """A trusted project's files are texts: each content has its own index, and the newer takes the older's place."""
    with_text, _ = house.made(TEXT)
    assert with_text is not None
    assert with_text.get("Skiff") is not None
    assert house.kept(TEXT) is not None
    other = (TEXT[0], TEXT[1].replace("S-1", "S-2"))
    assert house.kept(other) is None
    assert house.kept() is None
    assert house.made(other)[0] is not None
    assert house.kept(TEXT) is None
    assert len(list(house.shelf.glob("*.index"))) == 1


def test_few_are_kept_the_ones_used_last(house: House) -> None:
    """Bounded in number: the one that nobody used for longest goes first, with its manifest."""
    for number in range(shelf.MOST):
        house.made((f"/w{number}/own.pts", TEXT[1]))
    for number, path in enumerate(sorted(house.shelf.glob("*.json"))):
        os.utime(path, ns=(LONG_AGO + number, LONG_AGO + number))
    oldest = min(house.shelf.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
    assert house.made()[0] is not None
    assert not oldest.exists()
    assert len(list(house.shelf.glob("*.json"))) == len(list(house.shelf.glob("*.index"))) == shelf.MOST


def test_one_in_use_stays_young(house: House) -> None:
    """Using an index is noted, at most once a day."""
    house.made()
    house.kept()
    os.utime(house.manifest, ns=(LONG_AGO, LONG_AGO))
    house.kept()
    assert house.manifest.stat().st_mtime_ns > LONG_AGO


def test_a_wrong_ontology_has_no_index(house: House) -> None:
    """R89: what is wrong is told each time, and never half of it served."""
    put(house.folder / "more" / "wrong.pts", "prototype Raft : Nope;")
    made, read = house.made()
    assert made is None
    assert read is not None
    assert [problem.code.value for problem in read.problems] == ["UNKNOWN_TYPE"]
    assert list(house.shelf.glob("*.index")) == []


def test_deleting_all_of_it_loses_nothing(house: House) -> None:
    """D12 in small: nothing of an index is truth."""
    house.made()
    shutil.rmtree(house.shelf)
    assert house.kept() is None
    assert house.opened().get("Ferry#North") is not None


def test_parts_in_other_files_are_one_entity(house: House) -> None:
    """DEC-D7: the body of one file and the partial of another are one prototype of the index too."""
    ferry = house.opened().get("Ferry#North") or pytest.fail("unknown")
    assert [prop.name for prop in ferry.properties] == ["EntityName", "Aliases", "HullMark", "Decks", "Plans"]
    assert "Plans" in MORE

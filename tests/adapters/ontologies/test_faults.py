"""An index that is damaged, cut short, foreign, half made or in the way is never believed and never in the way."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from ontology_cases import House, a_house, each_page

from ferrule.adapters.ontologies import manifest, shelf
from ferrule.errors import StoreCorrupt, StoreError
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.loading import base_folder, load_permanent
from ferrule.ontology.sources import looked
from ferrule.wiring import permanent
from ferrule.wiring.permanent import permanent_layer

LATER_NS = 3_600_000_000_000


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house whose files and index have come to rest."""
    monkeypatch.setattr(shelf, "now", lambda: time.time_ns() + LATER_NS)
    made = a_house(tmp_path)
    made.opened()
    made.opened()
    return made


def test_an_index_with_a_damaged_page_is_not_believed(house: House) -> None:
    """CASE-N01: one byte in any page, the header's too."""

    def believed(number: int, _: bytes) -> None:
        assert house.kept() is None, number

    assert each_page(house.index, believed) > 50
    assert house.kept() is not None


def test_a_damaged_page_that_the_disk_hides_gives_no_wrong_prototype(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CASE-N01: a bit that flips below the file system leaves no trace outside. Rows are sealed; the index goes.

    What is answered is what was written, or that nothing is known, or that the index is damaged; where the last, the
    next start makes it anew.
    """
    truth = load_permanent((base_folder(), house.folder)).layer
    (looks,) = {known.index.look for known in [manifest.read_manifest(house.manifest)] if known is not None}
    proof, name = house.manifest.read_bytes(), house.manifest
    monkeypatch.setattr(manifest, "looked", lambda _path: looks)
    told: list[str] = []

    def wrong(number: int, _: bytes) -> None:
        name.write_bytes(proof)
        layer = house.kept()
        for known in truth.names() if layer is not None else ():
            try:
                assert layer is not None
                assert layer.get(known) in {truth.get(known), None}, number
            except StoreCorrupt as error:
                told.append(str(error))
                assert not name.exists()
                break

    assert each_page(house.index, wrong) > 50
    assert told
    assert all("made anew" in words for words in told)


@pytest.mark.parametrize("size", [0, 1, 100, 4096, -4096, -1])
def test_an_index_that_is_cut_short_is_not_believed(house: House, size: int) -> None:
    """CASE-N01: of any length, and what follows is a new one."""
    whole = house.index.read_bytes()
    house.index.write_bytes(whole[:size])
    assert house.kept() is None
    assert house.opened().get("Ferry#North") is not None


@pytest.mark.parametrize("content", [b"", b"\x00" * 4096, b"SQLite format 3\x00" + b"x" * 5000, b"#!/bin/sh\n"])
def test_a_foreign_index_is_not_believed(house: House, content: bytes) -> None:
    """CASE-N13: whatever stands there instead."""
    house.index.write_bytes(content)
    assert house.kept() is None
    assert house.opened().get("Ferry#North") is not None


def test_a_manifest_with_a_changed_byte_is_none(house: House) -> None:
    """CASE-N01: at any place; it is sealed."""
    whole = house.manifest.read_bytes()
    for at in range(0, len(whole), 37):
        house.manifest.write_bytes(whole[:at] + bytes([whole[at] ^ 0x01]) + whole[at + 1 :])
        assert house.kept() is None, at
    for size in (0, 10, 64, 65, len(whole) // 2):
        house.manifest.write_bytes(whole[:size])
        assert house.kept() is None, size


def test_a_manifest_that_names_a_file_elsewhere_is_none(house: House) -> None:
    """INV-I7: an index is one of this home's own folder."""
    known = manifest.read_manifest(house.manifest) or pytest.fail("no manifest")
    elsewhere = house.home / "elsewhere.index"
    elsewhere.write_bytes(house.index.read_bytes())
    moved = replace(known, index=replace(known.index, look=looked(str(elsewhere))))
    house.manifest.write_bytes(manifest.written(moved))
    assert house.kept() is None


def in_a_link(path: Path) -> None:
    """A link to a folder elsewhere."""
    other = path.parent / "other"
    path.rename(other)
    path.symlink_to(other)


def in_a_file(path: Path) -> None:
    """A file in the folder's place."""
    path.rename(path.parent / "other")
    path.write_text("", encoding="utf-8")


def in_an_open_folder(path: Path) -> None:
    """A folder that anybody may write to."""
    path.chmod(0o777)


@pytest.mark.parametrize("put", [in_a_link, in_a_file, in_an_open_folder])
def test_a_folder_that_is_not_ours_alone_is_not_used(house: House, put: Callable[[Path], None]) -> None:
    """CASE-E11: nothing is read from it and nothing written; the ontology is read into memory."""
    put(house.shelf)
    assert house.kept() is None
    made, read = house.made()
    assert made is None
    assert read is None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_home_that_nobody_can_write_works_without(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-K05: what is there is used, what is not is read into memory."""
    monkeypatch.setattr(permanent, "SMALL_BYTES", 0)
    house.shelf.chmod(0o500)
    (house.folder / "new.pts").write_text("prototype Raft : Vessel;", encoding="utf-8")
    layer = permanent_layer([], [house.folder], home=house.home)
    assert isinstance(layer, InMemoryLayer)
    assert layer.get("Raft") is not None


def failing(*_: object, **__: object) -> None:
    """A disk that takes nothing."""
    raise StoreError("no space left")


@pytest.mark.parametrize("step", ["part_beside", "synced", "placed", "copied", "replaced", "fill"])
def test_a_disk_that_takes_nothing_costs_only_the_index(
    house: House, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CASE-K01: at whatever step; nothing half made is found afterwards, and the next time it is made."""
    monkeypatch.setattr(permanent, "SMALL_BYTES", 0)
    (house.folder / "new.pts").write_text("prototype Raft : Vessel;", encoding="utf-8")
    with monkeypatch.context() as broken:
        broken.setattr(shelf, step, failing)
        layer = permanent_layer([], [house.folder], home=house.home)
    assert isinstance(layer, InMemoryLayer)
    assert layer.get("Raft") is not None
    assert [path.name for path in house.shelf.iterdir() if path.name.endswith(".part")] == []
    assert house.kept() is None
    assert house.opened().get("Raft") is not None
    assert len(list(house.shelf.iterdir())) == 2


def test_no_home_is_made_for_an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who only asks makes no home; the ontology is read into memory."""
    monkeypatch.setattr(permanent, "SMALL_BYTES", 0)
    house = a_house(tmp_path)
    house.home.rmdir()
    assert isinstance(permanent_layer([], [house.folder], home=house.home), InMemoryLayer)
    assert not house.home.exists()


BUILDER = """
import sys
from pathlib import Path
from ferrule.adapters.ontologies import manifest
from ontology_cases import House
manifest._CODE = ()
house = House(Path(sys.argv[1]), Path(sys.argv[2]))
print(house.kept() is None, flush=True)
layer, _ = house.made()
print(layer is not None and layer.get("Ferry#North") is not None, flush=True)
"""
KILLED = """
import os, sys
from pathlib import Path
from ontology_cases import House
from ferrule.adapters.ontologies import manifest, shelf
manifest._CODE = ()
step, asked = sys.argv[3], int(sys.argv[4])
real, count = getattr(shelf, step), 0
def dying(*given, **named):
    global count
    count += 1
    if count == asked:
        os.kill(os.getpid(), 9)
    found = real(*given, **named)
    if -count == asked:
        os.kill(os.getpid(), 9)
    return found
setattr(shelf, step, dying)
House(Path(sys.argv[1]), Path(sys.argv[2])).made()
"""


def process(code: str, house: House, *more: str) -> "subprocess.Popen[str]":
    """A process of its own."""
    support = str(Path(__file__).parents[2] / "support")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([support, os.environ.get("PYTHONPATH", "")])}
    words = [sys.executable, "-c", code, str(house.folder), str(house.home), *more]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment)  # noqa: S603 - our own


@pytest.mark.parametrize(
    ("step", "at"),
    [(step, at) for step in ("made", "fill", "synced", "placed", "copied", "replaced") for at in ("1", "-1")],
)
def test_a_builder_that_is_killed_leaves_nothing_that_is_believed_by_half(tmp_path: Path, step: str, at: str) -> None:
    """CASE-N10, INV-I1: before or after any step; the next one makes it, and what was left is swept away."""
    house = a_house(tmp_path)
    killed = process(KILLED, house, step, at)
    killed.communicate(timeout=60)
    assert killed.returncode == -signal.SIGKILL
    whole = house.kept()
    assert (whole is not None) is (step == "replaced" and at == "-1")
    assert house.opened().get("Ferry#North") is not None
    assert len(list(house.shelf.iterdir())) == 2


def test_two_builders_at_once_make_one(tmp_path: Path) -> None:
    """CASE-M08: whoever comes second waits, and finds what the first has made."""
    house = a_house(tmp_path)
    builders = [process(BUILDER, house) for _ in range(3)]
    said = [builder.communicate(timeout=120)[0].split() for builder in builders]
    assert [words[-1] for words in said] == ["True"] * 3
    assert len(list(house.shelf.glob("*.index"))) == 1
    assert house.kept() is not None


def test_who_waits_too_long_reads_by_itself(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASE-M08: a builder that was stopped holds nobody up for ever; the waiting is told."""
    monkeypatch.setattr(shelf, "WAIT_SECONDS", 0.15)
    monkeypatch.setattr(permanent, "SMALL_BYTES", 0)
    (house.folder / "new.pts").write_text("prototype Raft : Vessel;", encoding="utf-8")
    told: list[str] = []
    holder = shelf.Shelf(house.home)
    with holder._alone():
        layer = permanent_layer([], [house.folder], home=house.home, told=told.append)
    assert isinstance(layer, InMemoryLayer)
    assert layer.get("Raft") is not None
    assert "waiting for another process" in told[0]

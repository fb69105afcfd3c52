"""Which ontologies are answered from an index of the home, and what a person sees while one is read."""

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from ontology_cases import HARBOUR, House, a_house, put
from store_cases import Clock, a_session

from ferrule.adapters.ontologies import manifest
from ferrule.adapters.ontologies.layer import IndexedLayer
from ferrule.adapters.ontologies.shelf import FOLDER
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.ontology.layers import InMemoryLayer
from ferrule.wiring import permanent
from ferrule.wiring.permanent import SMALL_BYTES, permanent_layer


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house; the look of Ferrule's own files, which change while its authors work, is left out."""
    manifest.maker.cache_clear()
    monkeypatch.setattr(manifest, "_CODE", ())
    return a_house(tmp_path)


def grow(house: House) -> None:
    """More than is read into memory."""
    lines = [f'prototype Raft{n} : Vessel {{ HullMark = "R-{n}"; }}' for n in range(SMALL_BYTES // 40)]
    put(house.folder / "rafts.pts", "\n".join(lines))


def test_a_small_ontology_is_read_into_memory_and_a_large_one_answered_from_an_index(house: House) -> None:
    """Where reading costs no more than an index does, none is made."""
    assert isinstance(permanent_layer([], [house.folder], home=house.home), InMemoryLayer)
    assert not house.shelf.exists()
    grow(house)
    assert isinstance(permanent_layer([], [house.folder], home=house.home), IndexedLayer)
    assert isinstance(permanent_layer([], [house.folder]), InMemoryLayer)


def test_the_shipped_base_is_never_indexed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read once in a process, as before."""
    monkeypatch.setattr(permanent, "SMALL_BYTES", 0)
    assert permanent_layer([], [], home=house.home) is permanent_layer([], [])
    assert not house.shelf.exists()


def test_what_is_done_is_told_while_it_is_done(house: House) -> None:
    """Who waits is told what for, in numbers; an index that is there is nothing to wait for."""
    grow(house)
    told: list[str] = []
    permanent_layer([], [house.folder], home=house.home, told=told.append)
    assert told[0].startswith("reading the ontology: files 0 of ")
    told.clear()
    permanent_layer([], [house.folder], home=house.home, told=told.append)
    assert told == []


def searched(house: House, *, terminal: bool) -> tuple[str, str]:
    """What a search in a home with a session writes to its two outputs, standard error being a terminal or a pipe."""
    words = ["-m", "ferrule", "memory", "search", "R-7", "--ontology", str(house.folder), "--home", str(house.home)]
    code = "from ferrule.interfaces.cli import output; output.QUIET_SECONDS = output.BETWEEN_SECONDS = 0.001\n"
    code += "import runpy, sys; sys.argv = sys.argv[1:]; runpy.run_module('ferrule', run_name='__main__')"
    environment = {**os.environ, "FERRULE_WORKER": "off"}
    reading, writing = pty.openpty() if terminal else os.pipe()
    done = subprocess.Popen(  # noqa: S603 - our own
        [sys.executable, "-c", code, "ferrule", *words[2:]],
        stdout=subprocess.PIPE,
        stderr=writing,
        env=environment,
        text=True,
    )
    os.close(writing)
    said = io.BytesIO()
    while True:
        try:
            piece = os.read(reading, 65536)
        except OSError:  # a terminal that nobody writes to any more
            break
        if not piece:
            break
        said.write(piece)
    os.close(reading)
    out = done.communicate(timeout=60)[0]
    return out, said.getvalue().decode()


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_is_seen_on_a_terminal_and_nothing_on_a_pipe(house: House, *, terminal: bool) -> None:
    """What takes longer than a second is shown to people who wait, and gone when it is done."""
    grow(house)
    put(house.folder / "base.pts", "prototype SemanticEntityBase { String EntityName; String Aliases; }\n" + BASES)
    put(house.folder / "harbour.pts", HARBOUR)
    store = SqliteStore(house.home, Clock())
    store.put_session(a_session())
    store.close()
    out, told = searched(house, terminal=terminal)
    assert "Raft7 " in out
    if terminal:
        assert "reading the ontology" in told
        assert told.endswith("\r\x1b[K")
    else:
        assert told == ""


BASES = """prototype Repository : SemanticEntityBase { String RemoteUrl; }
prototype Document : SemanticEntityBase { String FilePath; }
"""


def test_a_trusted_projects_own_definitions_are_on_top_of_a_large_one(house: House) -> None:
    """DEC-D7: texts and their places belong to what is asked; the home's own index stays beside."""
    grow(house)
    texts = [("/w/.ferrule/ontology/own.pts", 'partial prototype Raft3 { String OwnPath = "docs/raft.md"; }')]
    plain = permanent_layer([], [house.folder], home=house.home)
    own = permanent_layer([], [house.folder], texts, home=house.home)
    assert isinstance(own, IndexedLayer)
    raft, bare = own.get("Raft3"), plain.get("Raft3")
    assert raft is not None
    assert bare is not None
    assert (raft.own("OwnPath") is None, bare.own("OwnPath") is None) == (False, True)
    assert len(list((house.home / FOLDER).glob("*.index"))) == 2

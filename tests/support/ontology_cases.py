"""A small house with an ontology of its own, and the ways to have it indexed in a home."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ferrule.adapters.ontologies.layer import IndexedLayer
from ferrule.adapters.ontologies.manifest import Request
from ferrule.adapters.ontologies.shelf import FOLDER, Shelf
from ferrule.ontology.loading import base_folder
from ferrule.ontology.reading import NamedText, ReadOntology
from ferrule.ontology.sources import sources_of

HARBOUR = """
prototype Vessel : SemanticEntityBase { String HullMark; Repository Plans; }
prototype Ferry : Vessel { Int Decks = 1; }
prototype Ferry#North : Ferry { EntityName = "North ferry"; Aliases = "the night boat"; HullMark = "NF-7"; }
prototype PlansRepository : Repository { RemoteUrl = "https://git.example/harbour/plans.git"; }
"""
MORE = """
partial prototype Ferry#North { Decks = 2; Plans = PlansRepository; }
prototype TideTable : Document { FilePath = "docs/tides.md"; EntityName = "Tide table"; }
"""
TABLE = '[suffixes]\nother-id = ["Mark"]\n'
LONG_AGO = 1_600_000_000_000_000_000


@dataclass
class House:
    """Two files, a table of handle names and a home.

    Attributes:
        folder: the ontology's folder.
        home: the home.
        told: what was told while an index was made, one line for each kind of step.
    """

    folder: Path
    home: Path
    told: list[str] = field(default_factory=list)

    @property
    def shelf(self) -> Path:
        """Where the home keeps its indexes."""
        return self.home / FOLDER

    @property
    def index(self) -> Path:
        """The one index."""
        (found,) = self.shelf.glob("*.index")
        return found

    @property
    def manifest(self) -> Path:
        """The one manifest."""
        (found,) = self.shelf.glob("*.json")
        return found

    def request(self, *texts: NamedText) -> Request:
        """What is asked for, as the files look now."""
        folders = (base_folder(), self.folder)
        return Request(folders, sources_of(folders), texts)

    def kept(self, *texts: NamedText) -> IndexedLayer | None:
        """The index, where it is believed."""
        return Shelf(self.home).layer(self.request(*texts))

    def made(self, *texts: NamedText) -> tuple[IndexedLayer | None, ReadOntology | None]:
        """The index, made where it is not."""
        return Shelf(self.home, self._tell).made(self.request(*texts))

    def opened(self) -> IndexedLayer:
        """The index, believed or made."""
        found = self.kept() or self.made()[0]
        assert found is not None
        return found

    def _tell(self, what: str, _done: int, _of: int) -> None:
        if what not in self.told:
            self.told.append(what)


def a_house(folder: Path) -> House:
    """A house whose files have rested for years."""
    house = House(folder / "house", folder / "home")
    house.home.mkdir(mode=0o700)
    (house.folder / "more").mkdir(parents=True)
    put(house.folder / "harbour.pts", HARBOUR)
    put(house.folder / "more" / "tides.pts", MORE)
    put(house.folder / "handles.toml", TABLE)
    return house


def put(path: Path, text: str) -> None:
    """Write a file and let it look old: only its change time, which nobody can set, tells the truth."""
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(LONG_AGO, LONG_AGO))


def each_page(path: Path, then: Callable[[int, bytes], None], size: int = 4096) -> int:
    """Damage one byte in the middle of each page of a file, one page at a time; returns how many pages there are."""
    sound = path.read_bytes()
    pages = range(0, len(sound), size)
    for number, start in enumerate(pages):
        at = start + size // 2
        path.write_bytes(sound[:at] + bytes([sound[at] ^ 0x41]) + sound[at + 1 :])
        then(number, sound)
    path.write_bytes(sound)
    return len(pages)

"""What an index was made from, so that it is believed only while all of that is the same.

Owns the manifest beside an index: which files were read and how they looked, by which Ferrule, which file is the index,
and the table of handle names. Sealed: what was changed behind Ferrule's back is no manifest. Knows nothing of how an
index is made or read.
"""

import hashlib
import json
import os
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import ferrule
from ferrule.adapters.ontologies.impressions import Impression, verified
from ferrule.adapters.sqlite.statements import SCHEMA_VERSION
from ferrule.ontology.including import Include, Roots
from ferrule.ontology.reading import NamedText
from ferrule.ontology.sources import SourceFile, looked
from ferrule.referents.kinds import KEY_FORMS, HandleKind, Place
from ferrule.referents.properties import Suffixes

__all__ = ["Manifest", "Request", "read_manifest", "written"]

FORMAT = 2
_CODE = ("ontology", "protoscript", "referents", "adapters/ontologies", "adapters/sqlite")
_SOURCES = (".py", ".sql", ".toml", ".pts")
_LARGEST = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be read: files in order, then a project's texts with the places of its relative paths."""

    folders: tuple[Path, ...]
    sources: tuple[SourceFile, ...]
    texts: tuple[NamedText, ...] = ()
    places: tuple[Place, ...] = ()

    @property
    def key(self) -> str:
        """The same for the same folders and texts, whatever is in them: a newer index takes the place of an older."""
        names = [*(str(folder.absolute()) for folder in self.folders), "", *(name for name, _ in self.texts)]
        return hashlib.sha256("\0".join(names).encode("utf-8", "surrogatepass")).hexdigest()[:32]

    @property
    def told(self) -> str:
        """The digest of what does not come from files."""
        said = json.dumps([self.texts, [_fields(place) for place in self.places]])
        return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def _fields(place: Place) -> list[object]:
    return [getattr(place, name) for name in Place.__slots__]


@dataclass(frozen=True, slots=True)
class Manifest:
    """What one index was made from.

    Attributes:
        by: the Ferrule that made it; see `maker`.
        told: `Request.told` of what was asked for.
        files: every file that was read, in order: those that were named, then those that they include.
        meant: what the statements meant that include the latter.
        index: the index itself.
        suffixes: the table of handle names, None for the shipped one.
    """

    by: str
    told: str
    files: tuple[Impression, ...]
    meant: tuple[tuple[Include, tuple[str, ...]], ...]
    index: Impression
    suffixes: Suffixes | None

    def holding(self, request: Request, at: int) -> "Manifest | None":
        """The manifest as it holds now, fresh impressions included; None where anything is another than it was."""
        if self.by != maker() or self.told != request.told:
            return None
        paths = [known.look.path for known in self.files]
        named = len(request.sources)
        if paths[:named] != [source.path for source in request.sources] or not self._still_means(request):
            return None
        sources = (*request.sources, *map(looked, paths[named:]))
        files: list[Impression] = []
        for known, source in zip(self.files, sources, strict=True):
            held = verified(known, source, at)
            if held is None:
                return None
            files.append(held)
        index = verified(self.index, looked(self.index.look.path), at)
        return None if index is None else replace(self, files=tuple(files), index=index)

    def _still_means(self, request: Request) -> bool:
        """Whether what was included would be the same files now."""
        roots = Roots(request.folders)
        return all(roots.targets(include).files == files for include, files in self.meant)


@cache
def maker() -> str:
    """What tells one Ferrule from another whose index may differ: versions of itself and of what it leans on.

    The look of its own source files is in it, so that one that is changed in place, as its authors do, makes it anew.
    """
    root = str(Path(ferrule.__file__).parent)
    looks = []
    for folder in _CODE:
        for place, _, names in os.walk(os.path.join(root, folder)):  # noqa: PTH118 - at every start
            for name in names:
                if name.endswith(_SOURCES):
                    found = looked(os.path.join(place, name))  # noqa: PTH118 - see above
                    looks.append(f"{found.path} {found.size} {found.modified}")
    looks.sort()
    code = hashlib.sha256("\n".join(looks).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    versions = (
        FORMAT,
        ferrule.__version__,
        KEY_FORMS,
        SCHEMA_VERSION,
        unicodedata.unidata_version,
        sys.version_info[:2],
    )
    return f"{versions} {code}"


def written(manifest: Manifest) -> bytes:
    """The sealed form."""
    table = manifest.suffixes
    body = json.dumps(
        {
            "by": manifest.by,
            "told": manifest.told,
            "files": [_row(known) for known in manifest.files],
            "meant": [[one.file, one.path, one.recursive, files] for one, files in manifest.meant],
            "index": _row(manifest.index),
            "suffixes": None if table is None else [dict(table.kinds), sorted(table.free_text)],
        }
    )
    return f"{_seal(body)}\n{body}\n".encode("utf-8", "surrogatepass")


def read_manifest(path: Path) -> Manifest | None:
    """The manifest of that file; None where there is none, or it is not as it was written."""
    try:
        if not path.is_file() or path.is_symlink() or path.stat().st_size > _LARGEST:
            return None
        seal, _, body = path.read_bytes().decode("utf-8", "surrogatepass").removesuffix("\n").partition("\n")
        if seal != _seal(body):
            return None
        found: dict[str, Any] = json.loads(body)
        table = found["suffixes"]
        return Manifest(
            by=found["by"],
            told=found["told"],
            files=tuple(_known(row) for row in found["files"]),
            meant=tuple((Include(file, own, deep), tuple(files)) for file, own, deep, files in found["meant"]),
            index=_known(found["index"]),
            suffixes=None if table is None else _table(*table),
        )
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _seal(body: str) -> str:
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()


def _row(known: Impression) -> Sequence[object]:
    look = known.look
    return [look.path, look.size, look.modified, look.changed, look.node, known.digest, known.rested]


def _known(row: Sequence[Any]) -> Impression:
    path, size, modified, changed, node, digest, rested = row
    return Impression(SourceFile(path, size, modified, changed, node), digest, rested)


def _table(kinds: dict[str, str], free: Sequence[str]) -> Suffixes:
    return Suffixes({name: HandleKind(kind) for name, kind in kinds.items()}, frozenset(free))

"""The permanent layer of a run: the shipped base or what replaces it, and the user's own folders on top.

Owns which folders are read, and whether they are read into memory or answered from an index of the home. A wrong file
is one clear sentence with its place, never half an ontology. A project's own `.ferrule/ontology` comes as texts, once
it is trusted. Knows nothing of the language.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from ferrule.errors import Code, UnreadableInput, UsageError
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.reading import LocatedProblem, NamedText, ReadOntology
from ferrule.ontology.sources import SourceFile, shipped_folder, sources_of
from ferrule.referents.kinds import Place

__all__ = ["SMALL_BYTES", "Told", "permanent_layer"]

# Up to here reading costs about as much as an index does (`python -m benchmarks ontology` measures both).
SMALL_BYTES = 64 * 1024
_TOLD_EVERY_SECONDS = 0.1

Told: TypeAlias = Callable[[str], None]
"""Told in a few words what takes long."""


def permanent_layer(
    replacing: Sequence[Path | str],
    added: Sequence[Path | str],
    texts: Sequence[NamedText] = (),
    places: Sequence[Place] = (),
    *,
    home: Path | None = None,
    told: Told | None = None,
) -> PrototypeLayer:
    """Read the permanent layer: `replacing` instead of the shipped base when given, then `added`, each in order.

    `texts` are a trusted project's own files, already read; their relative paths stand in `places`. A large ontology is
    read once and answered from an index in `home` from then on, as long as nothing of it changes.

    Raises:
        UsageError: a file or folder that is not there.
        UnreadableInput: a file is wrong: the first problem with its place, and how many there are.
    """
    base = [Path(path).expanduser() for path in replacing]
    more = [Path(path).expanduser() for path in added]
    missing = next((path for path in (*base, *more) if not path.exists()), None)
    if missing is not None:
        raise UsageError(f"no such ontology file or folder: {missing}", code=Code.IO_FAILED)
    if not (base or more or texts):
        from ferrule.ontology.loading import load_shipped  # noqa: PLC0415 - whoever has an index reads nothing

        shipped = load_shipped()
        _refuse(shipped.problems)
        return shipped.layer
    folders = (*(base or [shipped_folder()]), *more)
    sources = sources_of(folders)
    telling = _Telling(told)
    request = _Asked(folders, sources, tuple(texts), tuple(places))
    indexed, read = (None, None) if home is None else _indexed(request, home, telling)
    if indexed is not None:
        return indexed
    read = read or _read(request, telling)
    _refuse(read.problems)
    return InMemoryLayer(read.prototypes, read.keys, read.suffixes)


class _Asked(NamedTuple):
    """What is to be read."""

    folders: tuple[Path, ...]
    sources: tuple[SourceFile, ...]
    texts: tuple[NamedText, ...]
    places: tuple[Place, ...]


def _read(asked: _Asked, telling: "_Telling") -> ReadOntology:
    from ferrule.ontology.loading import read_permanent  # noqa: PLC0415 - whoever has an index reads nothing

    return read_permanent(asked.sources, asked.texts, asked.places, telling, roots=asked.folders)


def _indexed(asked: _Asked, home: Path, telling: "_Telling") -> tuple[PrototypeLayer | None, ReadOntology | None]:
    """The index of a large ontology, and what was read on the way to it where there is none.

    How large one is that begins with a file which includes others is known only after they were read once.
    """
    large = _size(asked.sources, asked.texts) > SMALL_BYTES
    if not large and all(folder.is_dir() for folder in asked.folders):
        return None, None
    from ferrule.adapters.ontologies.manifest import Request  # noqa: PLC0415 - most ontologies are small
    from ferrule.adapters.ontologies.shelf import Shelf  # noqa: PLC0415 - see above

    request, shelf = Request(*asked), Shelf(home, telling)
    found = shelf.layer(request)
    if found is not None or large:
        return (found, None) if found is not None else shelf.made(request)
    read = _read(asked, telling)
    if read.problems or _size((*asked.sources, *read.followed), asked.texts) <= SMALL_BYTES:
        return None, read
    return shelf.made(request)


def _size(sources: Sequence[SourceFile], texts: Sequence[NamedText]) -> int:
    return sum(source.size for source in sources) + sum(len(text) for _, text in texts)


def _refuse(problems: Sequence[LocatedProblem]) -> None:
    if problems:
        first, others = problems[0], len(problems) - 1
        rest = f" ({others} more)" if others else ""
        hint = f" {first.hint}" if first.hint else ""
        place = f"{first.file}:{first.line}:{first.column}"
        raise UnreadableInput(f"{place}: {first.message}{hint}{rest}", code=first.code)


class _Telling:
    """Passes on how far a reading is, ten times a second and not for each of a hundred thousand steps."""

    def __init__(self, told: Told | None) -> None:
        self._told = told
        self._next = 0.0

    def __call__(self, what: str, done: int, of: int) -> None:
        if self._told is None or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _TOLD_EVERY_SECONDS
        self._told(f"{what} {done:,} of {of:,}" if of else f"{what} {done:,}")

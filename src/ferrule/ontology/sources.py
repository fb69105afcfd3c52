"""Which files an ontology is read from, and what of them can be told without opening one.

Owns the order of files, the look at them, and reading their bytes. Follows no include and no link to a folder. Knows
nothing of what is in a file.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["HANDLES", "SUFFIX", "SourceFile", "looked", "shipped_folder", "sources_of"]

SUFFIX = ".pts"
HANDLES = "handles.toml"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file and how it looks from outside; all numbers are 0 where there is no such file.

    Attributes:
        path: as it is called in messages.
        size: in bytes.
        modified: nanoseconds since the epoch, as the file says of itself.
        changed: the same, as the file system says; nobody can set it.
        node: the file's number in its file system.
    """

    path: str
    size: int = 0
    modified: int = 0
    changed: int = 0
    node: int = 0

    @property
    def is_table(self) -> bool:
        """Whether it is a table of handle names, not a file of prototypes."""
        return os.path.basename(self.path) == HANDLES  # noqa: PTH119 - for many thousands of files at every start

    def read(self) -> bytes:
        """Its bytes as they are now.

        Raises:
            OSError: it cannot be read.
        """
        with open(self.path, "rb") as file:  # noqa: PTH123 - see above
            return file.read()


def shipped_folder() -> Path:
    """The folder of the ontology that ships with Ferrule."""
    return Path(__file__).parent / "base"


def sources_of(folders: Sequence[Path]) -> tuple[SourceFile, ...]:
    """Every `.pts` file below these folders (or these files), folders in order, files by name; then their tables."""
    found = [source for folder in folders for source in _files(folder)]
    tables = (folder / HANDLES for folder in folders)
    return (*found, *(looked(str(path)) for path in tables if path.is_file()))


def _files(folder: Path) -> Iterator[SourceFile]:
    if not folder.is_dir():
        yield looked(str(folder))
        return
    below = [path for path in _below(str(folder)) if os.path.isfile(path)]  # noqa: PTH113 - see above
    for path in sorted(below, key=lambda path: path.split(os.sep)):  # noqa: PTH206 - see above
        yield looked(path)


def _below(folder: str) -> Iterator[str]:
    for place, _, names in os.walk(folder):
        yield from (os.path.join(place, name) for name in names if name.endswith(SUFFIX))  # noqa: PTH118 - see above


def looked(path: str) -> SourceFile:
    """How a file looks now."""
    try:
        found = os.stat(path)  # noqa: PTH116 - see above
    except OSError:
        return SourceFile(path)
    return SourceFile(path, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)

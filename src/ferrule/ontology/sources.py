"""Which files an ontology is read from, and what of them can be told without opening one.

Owns the order of files, the look at them, and reading their bytes. Follows no link to a folder. Knows
nothing of what is in a file.
"""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["HANDLES", "SUFFIX", "SourceFile", "is_file", "looked", "shipped_folder", "sources_of"]

SUFFIX = ".pts"
HANDLES = "handles.toml"
MOST_BYTES = 64 * 1024 * 1024


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
            OSError: it cannot be read, or is larger than 64 MB.
        """
        with open(self.path, "rb") as file:  # noqa: PTH123 - see above
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise OSError(errno.EFBIG, f"larger than {MOST_BYTES:,} bytes", self.path)
        return content


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
    for path in sorted(_below(str(folder)), key=lambda path: path.split(os.sep)):  # noqa: PTH206 - see above
        facts = _facts(path)
        if facts is not None and stat.S_ISREG(facts.st_mode):
            yield _source(path, facts)


def _below(folder: str) -> Iterator[str]:
    for place, _, names in os.walk(folder):
        yield from (os.path.join(place, name) for name in names if name.endswith(SUFFIX))  # noqa: PTH118 - see above


def is_file(path: str) -> bool:
    """Whether it is a file: no folder, no device, no pipe that would be waited for."""
    facts = _facts(path)
    return facts is not None and stat.S_ISREG(facts.st_mode)


def looked(path: str) -> SourceFile:
    """How a file looks now."""
    facts = _facts(path)
    return SourceFile(path) if facts is None else _source(path, facts)


def _facts(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116 - see above
    except OSError:
        return None


def _source(path: str, facts: os.stat_result) -> SourceFile:
    return SourceFile(path, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns, facts.st_ino)

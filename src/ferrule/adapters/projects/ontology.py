"""A project's `.ferrule/ontology` is read without following anything, within bounds, and each file whole or not at all.

Owns the walk by descriptors: links, special files, and what is too large, too deep or no text are told and not read
(CASE-E05, E07). What is read is handed on as text, so that what was looked at is what is used. Knows nothing of trust
or of what a definition says.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

__all__ = ["FOLDER", "OntologyFolder", "ProjectText", "Unread", "read_ontology"]

FOLDER = (".ferrule", "ontology")
MAX_DEPTH = 4
MAX_ENTRIES = 500
MAX_FILE_BYTES = 256 * 1024
MAX_BYTES = 2 * 1024 * 1024
_SUFFIX = ".pts"
_TABLE = "handles.toml"
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True, slots=True)
class ProjectText:
    """One file: its name below the folder, with slashes, and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Unread:
    """Something in the folder that is not read, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class OntologyFolder:
    """What stands in a project's folder; `there` tells whether there is one at all."""

    root: Path
    there: bool = False
    texts: tuple[ProjectText, ...] = ()
    unread: tuple[Unread, ...] = ()


@dataclass(slots=True)
class _Walk:
    """What was met so far."""

    texts: list[ProjectText] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    bytes: int = 0

    def leave(self, name: str, reason: str) -> None:
        self.unread.append(Unread(name, reason))


def read_ontology(root: Path) -> OntologyFolder:
    """Every `.pts` file of the project's folder, by name. Raises nothing: what cannot be read is said."""
    walk = _Walk()
    there = False
    descriptors: list[int] = []
    try:
        descriptors.append(os.open(root, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)))
        for step, name in enumerate(FOLDER):
            shown = "/".join(FOLDER[: step + 1])
            opened = _folder(descriptors[-1], name, shown, walk)
            if opened is None:
                break
            descriptors.append(opened)
        else:
            there = True
            _walk(descriptors[-1], "", 1, walk)
    except (OSError, ValueError) as error:
        walk.leave("/".join(FOLDER), f"it cannot be read ({getattr(error, 'strerror', None) or error})")
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
    texts = tuple(sorted(walk.texts, key=lambda text: text.name))
    return OntologyFolder(root, there or bool(walk.unread), texts, tuple(walk.unread))


def _folder(parent: int, name: str, shown: str, walk: _Walk) -> int | None:
    try:
        facts = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if not stat.S_ISDIR(facts.st_mode):
        walk.leave(shown, "a link, which is not followed" if stat.S_ISLNK(facts.st_mode) else "no folder")
        return None
    return os.open(name, _FLAGS | getattr(os, "O_DIRECTORY", 0), dir_fd=parent)


def _walk(folder: int, above: str, depth: int, walk: _Walk) -> None:
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in islice(entries, MAX_ENTRIES + 1))
    if len(names) > MAX_ENTRIES:
        walk.leave(above or "/".join(FOLDER), f"more than {MAX_ENTRIES} entries; nothing of it is read")
        return
    for name in names:
        shown = f"{above}{name}"
        try:
            _entry(folder, shown, depth, walk)
        except OSError as error:
            walk.leave(shown, f"it cannot be read ({error.strerror or error})")


def _entry(folder: int, shown: str, depth: int, walk: _Walk) -> None:
    name = shown.rpartition("/")[2]
    facts = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if stat.S_ISDIR(facts.st_mode):
        if depth >= MAX_DEPTH:
            walk.leave(f"{shown}/", f"deeper than {MAX_DEPTH} folders")
            return
        inner = os.open(name, _FLAGS | getattr(os, "O_DIRECTORY", 0), dir_fd=folder)
        try:
            _walk(inner, f"{shown}/", depth + 1, walk)
        finally:
            os.close(inner)
    elif not stat.S_ISREG(facts.st_mode):
        walk.leave(shown, "a link, which is not followed" if stat.S_ISLNK(facts.st_mode) else "no ordinary file")
    elif name == _TABLE:
        walk.leave(shown, "only .pts files of a project are read")
    elif name.endswith(_SUFFIX) and not name.startswith("."):
        for text in _text(folder, shown, walk):
            walk.texts.append(text)


def _text(folder: int, shown: str, walk: _Walk) -> Iterator[ProjectText]:
    descriptor = os.open(shown.rpartition("/")[2], _FLAGS, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            walk.leave(shown, "no ordinary file")
            return
        content = file.read(MAX_FILE_BYTES + 1)
    walk.bytes += len(content)
    if len(content) > MAX_FILE_BYTES:
        walk.leave(shown, f"larger than {MAX_FILE_BYTES // 1024} KB")
    elif walk.bytes > MAX_BYTES:
        walk.leave(shown, f"all files before it hold {MAX_BYTES // 1024 // 1024} MB already")
    else:
        try:
            yield ProjectText(shown, content.decode("utf-8"))
        except UnicodeDecodeError as error:
            walk.leave(shown, f"no UTF-8 text (byte {error.start})")

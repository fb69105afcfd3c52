"""Where a home keeps the indexes of its permanent ontologies: found again, made beside, put in place, few of them.

Owns the folder of indexes. One process at a time makes one; another that wants it waits and then finds it. Whatever
hinders it (a home that nobody can write, a disk that is full) costs the index and nothing else: the ontology is read
into memory instead. Knows nothing of what an index holds.
"""

import os
import sqlite3
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ferrule.adapters.ontologies.filling import fill
from ferrule.adapters.ontologies.impressions import Impression, now, settled
from ferrule.adapters.ontologies.layer import IndexedLayer
from ferrule.adapters.ontologies.manifest import Manifest, Request, maker, read_manifest, written
from ferrule.adapters.sqlite.files import copied, digest_of, discarded, made, part_beside, placed, replaced, synced
from ferrule.errors import StoreError
from ferrule.ontology.pausing import collector_paused
from ferrule.ontology.reading import Progress, ReadOntology
from ferrule.ontology.sources import looked

if sys.platform != "win32":
    import fcntl

__all__ = ["FOLDER", "Shelf"]

FOLDER = "ontologies"
MOST = 4  # indexes that one home keeps
WAIT_SECONDS = 300.0
_PAUSE = 0.1
_DAY_NS = 86_400_000_000_000
_MANIFEST, _INDEX = ".json", ".index"


class Shelf:
    """The indexes of one home.

    Args:
        home: the home folder. Where it is none, or not ours alone, nothing is kept.
        progress: told what takes long.
    """

    def __init__(self, home: Path, progress: Progress = lambda _what, _done, _all: None) -> None:
        self._folder = home / FOLDER
        self._progress = progress

    def layer(self, request: Request) -> IndexedLayer | None:
        """The index of this ontology as it is now, or None."""
        path = self._manifest(request)
        known = read_manifest(path) if self._is_ours() else None
        held = None if known is None else known.holding(request, now())
        if known is None or held is None or Path(held.index.look.path).parent != self._folder:
            return None
        try:
            found = IndexedLayer(Path(held.index.look.path), path, held.suffixes)
        except StoreError:
            return None
        self._used(path, known, held)
        return found

    def made(self, request: Request) -> tuple[IndexedLayer | None, ReadOntology | None]:
        """The index, made now if nobody else did meanwhile; and what was read, where it was read here.

        The index is None where something is wrong with the ontology, or it cannot be kept.
        """
        read: ReadOntology | None = None
        try:
            with self._alone(), collector_paused():
                found = self.layer(request)
                if found is not None:
                    return found, None
                from ferrule.ontology.loading import read_permanent  # noqa: PLC0415 - whoever has an index reads nothing

                at = now()
                read = read_permanent(
                    request.sources, request.texts, request.places, self._progress, roots=request.folders
                )
                if not read.problems:
                    self._put(request, read, at)
                    found = self.layer(request)
                return found, None if found is not None else read
        except (OSError, StoreError, sqlite3.Error):
            return None, read

    # -- inside

    def _manifest(self, request: Request) -> Path:
        return self._folder / f"{request.key}{_MANIFEST}"

    def _is_ours(self) -> bool:
        """Whether the folder is a private one of our own: nothing is believed that another user may have put there."""
        try:
            facts = self._folder.lstat()
        except OSError:
            return False
        if not stat.S_ISDIR(facts.st_mode):
            return False
        return sys.platform == "win32" or (facts.st_uid == os.geteuid() and not facts.st_mode & 0o022)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """The folder, made where there is none, for this process alone.

        Raises:
            StoreError: it cannot be had.
        """
        if not self._folder.parent.is_dir():
            raise StoreError(f"{self._folder.parent}: there is no home yet")
        with suppress(FileExistsError):
            self._folder.mkdir(0o700)
            self._folder.chmod(0o700)
        if not self._is_ours():
            raise StoreError(f"{self._folder}: this folder is not a private one of our own")
        if sys.platform == "win32":
            yield
            return
        descriptor = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            self._wait(descriptor)
            yield
        finally:
            os.close(descriptor)

    def _wait(self, descriptor: int) -> None:
        began = time.monotonic()
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                waited = time.monotonic() - began
                if waited > WAIT_SECONDS:
                    raise
                self._progress("waiting for another process that reads the ontology: seconds", int(waited), 0)
                time.sleep(_PAUSE)
            else:
                return

    def _put(self, request: Request, read: ReadOntology, at: int) -> None:
        """Make the index beside, give it its name, and say so in the manifest last of all."""
        path = self._folder / f"{request.key}-{os.urandom(4).hex()}{_INDEX}"
        part = part_beside(path)
        os.close(made(part))
        try:
            fill(part, read, self._progress)
            synced(part)
            placed(part, path)
        finally:
            discarded(part)
        files = tuple(
            Impression(source, read.digests[source.path].hex(), settled(source, at))
            for source in (*request.sources, *read.followed)
        )
        index = Impression(looked(str(path)), digest_of(path), rested=False)
        self._write(self._manifest(request), Manifest(maker(), request.told, files, read.meant, index, read.suffixes))
        self._tidy()

    def _write(self, path: Path, manifest: Manifest) -> None:
        part = part_beside(path)
        try:
            copied(path, part, content=written(manifest))
            replaced(part, path)
        finally:
            discarded(part)

    def _used(self, path: Path, known: Manifest, held: Manifest) -> None:
        """Note that an index is in use, at most once a day; and at once that files which were read again are the same.

        Another process may have made a newer one meanwhile: its manifest stays.
        """
        with suppress(OSError, StoreError):
            if held != known:
                if read_manifest(path) == known:
                    self._write(path, held)
            elif path.stat().st_mtime_ns + _DAY_NS < now():
                os.utime(path)

    def _tidy(self) -> None:
        """Remove what nobody needs: all but the indexes used last, and what a killed process left."""
        manifests = sorted(self._folder.glob(f"*{_MANIFEST}"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        needed = set(manifests[:MOST])
        needed |= {Path(known.index.look.path) for path in needed if (known := read_manifest(path)) is not None}
        for path in self._folder.iterdir():
            if path not in needed and path.is_file():
                discarded(path)

"""The power is cut right after an acknowledgement, and in the middle of a write: nothing acknowledged is lost (INV-I2).

Owns the campaign `power` (CASE-J04): a file system of its own in a file, mounted below a temporary folder, shut down by
the kernel's own call so that what was not synced is gone, and mounted again. Knows nothing of what a write does inside.
"""

import fcntl
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.errors import FerruleError
from ferrule.memory.nlmemory import NLMemory
from proofs.chance import happens
from proofs.children import Brood, Child, brood
from proofs.deeds import SOURCE, definition
from proofs.judging_homes import faults_of_file
from proofs.minds import permanent
from proofs.sheets import Sheet, new_sheet
from proofs.tables import Row

__all__ = ["Disk", "cannot_mount", "cuts", "done", "missing", "mounted", "power"]

_SHUTDOWN = 0x8004587D
_WITHOUT_LOG = 2
_MEBIBYTE = 1024 * 1024
# name: (size of the image in MiB, how it is made)
KINDS: dict[str, tuple[int, Sequence[str]]] = {
    "ext4": (64, ("mkfs.ext4", "-q", "-F")),
    "xfs": (320, ("mkfs.xfs", "-q", "-f")),
}
_MOST_WRITES = 6
_PER_HOME = 40
_PATIENCE = 30.0
_HALF = 0.5
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Disk:
    """A file system in a file, mounted at `place`."""

    kind: str
    image: Path
    place: Path

    def mount(self) -> None:
        """Mount it; a log that was left is played."""
        done("mount", "-o", "loop", "-t", self.kind, str(self.image), str(self.place))

    def unmount(self) -> None:
        """Unmount it."""
        done("umount", str(self.place))

    def cut(self) -> None:
        """Shut it down at once: what was not synced is lost, even the file system's own log."""
        cut_at(self.place)


def cut_at(place: Path) -> None:
    """Shut the file system of this folder down."""
    descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.ioctl(descriptor, _SHUTDOWN, struct.pack("I", _WITHOUT_LOG))
    finally:
        os.close(descriptor)


def cannot_mount() -> str:
    """Why nothing can be mounted here, or empty."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return "only root of a Linux can mount"
    try:
        with mounted("ext4"):
            return ""
    except OSError as error:
        return str(error)


def missing(kind: str) -> str:
    """Why such a disk cannot be had here, or empty."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return "only root of a Linux can mount"
    if shutil.which(KINDS[kind][1][0]) is None:
        return f"{KINDS[kind][1][0]} is not installed"
    try:
        with mounted(kind):
            return ""
    except OSError as error:
        return str(error)


@contextmanager
def mounted(kind: str) -> Iterator[Disk]:
    """A new, mounted disk; unmounted and gone when the block ends.

    Raises:
        OSError: it cannot be made or mounted here.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"ferrule-{kind}-"))
    disk = Disk(kind, folder / "image", folder / "place")
    try:
        disk.place.mkdir()
        with disk.image.open("wb") as file:
            file.truncate(KINDS[kind][0] * _MEBIBYTE)
        done(*KINDS[kind][1], str(disk.image))
        disk.mount()
        try:
            yield disk
        finally:
            disk.unmount()
    finally:
        if not disk.place.is_mount():
            shutil.rmtree(folder, ignore_errors=True)


def done(*words: str) -> None:
    """Run a programme of the system.

    Raises:
        OSError: it is not there, or failed, with what it said.
    """
    # S603: a system's own programme with arguments of ours
    told = subprocess.run(words, check=False, capture_output=True, text=True, timeout=60)  # noqa: S603
    if told.returncode:
        raise OSError(f"{words[0]}: {told.stderr.strip()[:200]}")


@dataclass(frozen=True, slots=True)
class _Terms:
    """How one process writes: from which number on, after how many it cuts the power itself, and whether it cheats."""

    first: int
    cut_after: int
    relaxed: bool


def _write_on(page: Path, place: Path, terms: _Terms) -> None:
    """Write one thing after the other and count what was acknowledged; cut the power after so many, if not 0."""
    sheet, first = Sheet(page), terms.first
    store = SqliteStore(place / "home", time.time)
    memory = NLMemory(store, permanent(), place / "home")
    store.put_session(SOURCE)
    number = first
    if terms.relaxed:
        store._database.rows("PRAGMA synchronous = NORMAL")  # noqa: SLF001 - a plant
    with suppress(FerruleError):  # when somebody else cuts the power
        while True:
            memory.write(SOURCE.key, definition(f"Thing{number}"))
            number += 1
            sheet.count = number - first
            if terms.cut_after == number - first:
                cut_at(place)
                os._exit(0)
    os._exit(0)


def cuts(kind: str, count: int, seed: int, *, relaxed: bool = False) -> Counter[str]:
    """Cut the power so often; what was found. `relaxed` plants writes that are acknowledged before they are durable."""
    found: Counter[str] = Counter({"cuts": 0, "lost": 0, "unsound": 0})
    rng = random.Random(seed)
    with mounted(kind) as disk, brood() as family:
        while found["cuts"] < count:
            several = min(_PER_HOME, count - found["cuts"])
            found += _a_home(family, disk, rng, several, relaxed=relaxed)
    return found


def _a_home(family: Brood, disk: Disk, rng: random.Random, count: int, *, relaxed: bool) -> Counter[str]:
    """Some cuts in the life of one home; what each acknowledged must be there after all of them."""
    found: Counter[str] = Counter()
    known: set[str] = set()
    for _ in range(count):
        first, ours = found["begun"] + 1, happens(rng, _HALF)
        acked = _one_cut(family, disk, _Terms(first, rng.randint(1, _MOST_WRITES) if ours else 0, relaxed), rng)
        known |= {f"Thing{number}" for number in range(first, first + acked)}
        names, wrong = _looked_at(disk.place / "home")
        lost = known - names
        found.update({"cuts": 1, "acknowledged": acked, "begun": acked + 1, "lost": len(lost), "unsound": bool(wrong)})
        found["after an acknowledgement" if ours else "in the middle"] += 1
        known = names
        if lost or wrong:
            found["shown"] += 1
            if found["shown"] <= _SHOWN:
                print(f"{disk.kind}, cut {found['cuts']}: lost {sorted(lost)}; {'; '.join(wrong)}", flush=True)
    shutil.rmtree(disk.place / "home")
    return found


def _one_cut(family: Brood, disk: Disk, terms: _Terms, rng: random.Random) -> int:
    """One process that writes until the power is gone; how much it was told."""
    page = disk.image.with_name("sheet")
    with new_sheet(page) as sheet:
        child = family.start(_write_on, page, disk.place, terms)
        try:
            if not terms.cut_after:
                _await_first(sheet, child)
                time.sleep(rng.random() * 0.03)
                disk.cut()
            else:
                family.finish(child, _PATIENCE)
        finally:
            family.dismiss(child)
        acked = sheet.count
    disk.unmount()
    disk.mount()
    return acked


def _await_first(sheet: Sheet, child: Child) -> None:
    while not sheet.count and child.is_alive():
        time.sleep(0.001)


def _looked_at(home: Path) -> tuple[set[str], list[str]]:
    try:
        store = SqliteStore(home, time.time)
        try:
            names = {*store.layer(SOURCE.key).names()}
        finally:
            store.close()
        return names, list(faults_of_file(home))
    except FerruleError as error:
        return set(), [f"{error.code}: {error}"]


def power(count: int, seed: int, kinds: Sequence[str] = tuple(KINDS)) -> Iterator[Row]:
    """Cut the power so often on each kind of file system."""
    for kind in kinds:
        what = f"{kind}: an acknowledged write outlives a power cut"
        if reason := missing(kind):
            yield Row(what, "0 cuts", None, note=f"skipped: {reason}")
            continue
        found = cuts(kind, count, seed)
        runs = (
            f"{found['cuts']} cuts: {found['after an acknowledgement']} right after an acknowledgement, "
            f"{found['in the middle']} at any moment"
        )
        note = f"{found['acknowledged']} writes acknowledged, {found['lost']} lost, {found['unsound']} stores unsound"
        yield Row(what, runs, found["lost"] + found["unsound"], f"{seed}", note)

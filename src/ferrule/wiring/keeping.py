"""A person takes a home's memory to a safe place and brings it back.

Owns where a backup is put, that no worker is at work during a restore, and that the readable files follow it. Knows
nothing of how a difference is shown or asked about.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ferrule import __version__
from ferrule.adapters.sqlite.backing_up import Manifest, back_up
from ferrule.adapters.sqlite.home import FILE_NAME
from ferrule.adapters.sqlite.restoring import Loss, Names, Present, Staged, put_back, staged
from ferrule.errors import Code, StoreError, UsageError
from ferrule.memory.artifact import artifact_path
from ferrule.wiring.critic import memory_of
from ferrule.wiring.home import Home, open_home
from ferrule.wiring.locating import is_home, located, no_home
from ferrule.wiring.working import worker_standing

__all__ = [
    "Loss",
    "Manifest",
    "Names",
    "Present",
    "Restored",
    "Staged",
    "backed_up",
    "check_idle",
    "followed",
    "restored",
]


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did: `aside` is the store that was there, `notes` what could not follow."""

    done: bool
    aside: Path | None = None
    notes: tuple[str, ...] = ()


def backed_up(home: Path | str | None, target: str) -> tuple[Path, Manifest]:
    """Back the store of a home up into a file, or into a folder under a name of its own.

    Raises:
        UsageError: no home; the file exists; the place is inside the home.
        StoreCorrupt: the store does not check out.
        StoreError: it cannot be read, or the backup cannot be written.
    """
    place = located(home)
    if not (place / FILE_NAME).exists():
        raise no_home(place)
    now = datetime.now(UTC)
    path = Path(target).expanduser()
    if path.is_dir() or target.endswith("/"):
        path /= f"ferrule-{now:%Y%m%dT%H%M%SZ}.sqlite3"
    if not path.parent.is_dir():
        raise UsageError(f"{path.parent}: there is no such folder", code=Code.IO_FAILED)
    if path.parent.resolve().is_relative_to(place.resolve()):
        raise UsageError(f"{path}: a backup inside the home is lost with it", code=Code.UNSAFE_PATH)
    return path, back_up(place, path, made_at=now.isoformat(timespec="seconds"), ferrule=__version__)


def restored(home: Path | str | None, backup: Path | str, wanted: Callable[[Staged], bool]) -> Restored:
    """Put a backup in the place of a home's store, once it was shown and is wanted.

    Raises:
        StoreVersion: a newer Ferrule's.
        StoreCorrupt: the backup is damaged.
        StoreError: the home is in use, or cannot be written; nothing was exchanged.
    """
    place = located(home)
    check_idle(place)
    with staged(place, Path(backup).expanduser()) as ready:
        if not wanted(ready):
            return Restored(done=False)
        check_idle(place)
        aside = put_back(ready, f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
    return Restored(done=True, aside=aside, notes=followed(place))


def check_idle(place: Path) -> None:
    """Raises StoreError when a worker is at work in the home, or starting."""
    if not is_home(place):
        return
    worker = worker_standing(place)
    if worker.running:
        told = f"a worker (process {worker.pid}) is at work in it" if worker.pid else "a worker is starting in it"
        raise StoreError(f"{place}: the home is in use: {told}; it leaves by itself when idle", code=Code.BUDGET)


def followed(place: Path) -> tuple[str, ...]:
    """Bring the readable files up to date; the store stands without them. Returns notes for people."""
    notes: list[str] = []
    with open_home(place) as home:
        for session in home.store.sessions(hidden=True):
            try:
                kept = _project(home, session.key)
            except StoreError as error:
                notes.append(str(error))
                continue
            if kept is not None:
                notes.append(f"edited by hand and kept: {kept}")
    return tuple(notes)


def _project(home: Home, key: str) -> Path | None:
    if not len(home.store.layer(key)) and not artifact_path(home.path, key).exists():
        return None
    return memory_of(home, key).project(key)

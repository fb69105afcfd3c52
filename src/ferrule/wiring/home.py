"""A home is opened once: its store, settings, key and permanent layer, put together for everything else.

Owns where the home is and what is open in it. A throw-away home lives in the temporary folder and leaves nothing. Knows
nothing of what is done with it.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.ontology.layer import PrototypeLayer
from ferrule.session.gate import EvaluateGate
from ferrule.wiring.gating import gate_at
from ferrule.wiring.locating import is_home, located, no_home
from ferrule.wiring.permanent import Told
from ferrule.wiring.projects import Projects, projects_of
from ferrule.wiring.scrubbing import scrubber
from ferrule.wiring.scrubkey import home_key
from ferrule.wiring.settings import Settings, read_settings

__all__ = ["NO_SESSION", "Home", "is_home", "located", "open_home", "throw_away_home"]

NO_SESSION = ""
_IN_MEMORY = "/dev/shm"  # noqa: S108 - a private folder is made in it, mode 0700
_PLENTY = 1024**3


@dataclass(frozen=True, slots=True)
class Home:
    """One open home.

    Attributes:
        path: the folder.
        settings: what the user set.
        store: both ports on one file.
        permanent: the permanent layer: the base, or what replaces it, and the user's own folders.
        projects: what sessions of a trusted project have on top of it.
        scrub: takes secrets out of a text before it is stored (D13).
        gate: keeps a source's evaluation and its memory's writes apart (R78).
        anyway: a person wants this one thing done although its project is off.
    """

    path: Path
    settings: Settings
    store: SqliteStore
    permanent: PrototypeLayer
    projects: Projects
    scrub: Callable[[str], str]
    gate: EvaluateGate
    anyway: bool = False

    def permanent_of(self, key: str) -> PrototypeLayer:
        """The permanent layer below one session: its project's own definitions are in it once they are trusted."""
        if not self.projects.decided():
            return self.permanent
        session = self.store.session(key)
        return self.permanent if session is None else self.projects.layer(session.cwd)


@contextmanager
def open_home(
    path: Path | str | None = None,
    *,
    ontology: Sequence[Path | str] = (),
    make: bool = True,
    told: Told | None = None,
) -> Iterator[Home]:
    """Open a home and close it afterwards.

    Args:
        path: the folder; None for the usual one.
        ontology: .pts files or folders that replace the shipped base.
        make: make the home when there is none.
        told: told in a few words what takes long.

    Raises:
        UsageError: `make` is False and there is no home; or a setting is wrong.
        StoreError: the home cannot be used.
        UnreadableInput: an ontology file is wrong.
    """
    place = located(path)
    if not make and not is_home(place):
        raise no_home(place)
    settings = read_settings(place)
    with _opened(place, settings, projects_of(place, ontology, settings.ontology, told)) as home:
        yield home


@contextmanager
def throw_away_home(
    path: Path | str | None = None, *, ontology: Sequence[Path | str] = (), told: Told | None = None
) -> Iterator[Home]:
    """A home that leaves nothing behind, with the settings of the usual one and an empty memory.

    Raises:
        UsageError: a setting is wrong.
        StoreError: the temporary folder cannot be used.
        UnreadableInput: an ontology file is wrong.
    """
    settings = replace(read_settings(located(path)), retention_days=1.0)
    projects = projects_of(located(path), ontology, settings.ontology, told)
    with (
        tempfile.TemporaryDirectory(prefix="ferrule-", dir=_fast_folder(), ignore_cleanup_errors=True) as folder,
        _opened(Path(folder), settings, projects) as home,
    ):
        yield home


def _fast_folder() -> str | None:
    """Memory instead of a disk where there is plenty: what is thrown away need not be synced; None for the usual."""
    try:
        roomy = shutil.disk_usage(_IN_MEMORY).free >= _PLENTY and os.access(_IN_MEMORY, os.W_OK | os.X_OK)
    except OSError:
        return None
    return _IN_MEMORY if roomy else None


@contextmanager
def _opened(place: Path, settings: Settings, projects: Projects) -> Iterator[Home]:
    store = SqliteStore(place, time.time, retention_seconds=settings.retention_days * 86_400.0)
    try:
        gate = gate_at(place)
        with gate.watching(store.is_at_work):
            scrub = scrubber(place, home_key(place), settings.detector)
            yield Home(place, settings, store, projects.permanent, projects, scrub, gate)
        if settings.retention_days == 0:
            store.put_turns(())  # drops the text of every reviewed turn now, not with the next review (D13)
    finally:
        store.close()

"""A person turns a project off or on, or lets its reviews rest: written into the settings, byte for byte.

Owns those edits of the home's `settings.toml`, and what becomes of the sessions that are known there: what waits is
withdrawn or rests, what is remembered stays. Knows nothing of how a worker heeds it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ferrule.adapters.clients.changes import Change, apply, read_file
from ferrule.adapters.clients.toml_text import set_keys
from ferrule.adapters.repositories.roots import main_root
from ferrule.companion.answers import Declined
from ferrule.errors import Code, UnreadableInput, UsageError
from ferrule.session.source import Origin
from ferrule.wiring.home import Home, is_home, located, open_home
from ferrule.wiring.resting import Rested, pause, resume
from ferrule.wiring.settings import SETTINGS_FILE, read_quiet
from ferrule.wiring.silencing import Silence, is_within, silence_of

__all__ = ["ProjectRest", "Turned", "pause_project", "resume_project", "turn_off", "turn_on"]


@dataclass(frozen=True, slots=True)
class Turned:
    """A project was turned off or on.

    Attributes:
        project: the folder that stands for it: the root of its repository, or the folder itself.
        changed: whether it was not so before.
        silence: why nothing of it is captured now; None when it is.
        withdrawn: turns that waited for a review and are not reviewed now.
        sessions: its sessions that are known here.
        memories: what they remember.
    """

    project: Path
    changed: bool
    silence: Silence | None
    withdrawn: int = 0
    sessions: tuple[str, ...] = ()
    memories: int = 0


@dataclass(frozen=True, slots=True)
class ProjectRest:
    """The reviews of a project rest or go on; `rested` are its sessions that are known here."""

    project: Path
    paused: bool
    changed: bool
    rested: tuple[Rested, ...] = ()

    @property
    def waiting(self) -> int:
        """Turns of it that wait for a review."""
        return sum(one.waiting for one in self.rested)


def turn_off(place: Path | str | None, path: str) -> Turned:
    """Capture nothing of a folder's repository any more; what waits of it is withdrawn.

    Raises:
        UsageError: no such folder, or the settings cannot be edited.
        StoreError: the home cannot be written.
    """
    home, project = located(place), _project(path)
    changed = _edit(home, "off", lambda known: known if str(project) in known else (*known, str(project)))
    with _opened(home) as there:
        sessions = () if there is None else _sessions(there, project)
        withdrawn = sum(there.store.withdraw(key, tuple(Origin)) for key in sessions) if there is not None else 0
        memories = sum(len(there.store.layer(key)) for key in sessions) if there is not None else 0
    return Turned(project, changed, silence_of(home, (str(project),)), withdrawn, sessions, memories)


def turn_on(place: Path | str | None, path: str) -> Turned:
    """Let a folder's repository be captured again, as far as nothing else keeps it off.

    Raises:
        UsageError: no such folder, or the settings cannot be edited.
    """
    home, project = located(place), _project(path)
    here = {str(project), _named(path)}
    changed = _edit(home, "off", lambda known: tuple(one for one in known if str(Path(one)) not in here))
    return Turned(project, changed, silence_of(home, (str(project),)))


def pause_project(place: Path | str | None, path: str) -> ProjectRest:
    """Let the reviews of every session of a folder's repository rest, later ones too; turns go on queueing.

    Raises:
        UsageError: no such folder, or the settings cannot be edited.
        StoreError: the home cannot be written.
    """
    home, project = located(place), _project(path)
    changed = _edit(home, "paused", lambda known: known if str(project) in known else (*known, str(project)))
    return ProjectRest(project, True, changed, _rested(home, project, pause))  # noqa: FBT003 - the field says it


def resume_project(place: Path | str | None, path: str) -> ProjectRest:
    """Let the reviews of a folder's repository go on. Raises as `pause_project`."""
    home, project = located(place), _project(path)
    changed = _edit(home, "paused", lambda known: tuple(one for one in known if str(Path(one)) != str(project)))
    return ProjectRest(project, False, changed, _rested(home, project, resume))  # noqa: FBT003 - the field says it


def _rested(home: Path, project: Path, do: Callable[[Home, str], Rested | Declined]) -> tuple[Rested, ...]:
    with _opened(home) as there:
        answers = [do(there, key) for key in _sessions(there, project)] if there is not None else []
    return tuple(answer for answer in answers if isinstance(answer, Rested))


@contextmanager
def _opened(home: Path) -> Iterator[Home | None]:
    """The open home; None where there is none yet."""
    if not is_home(home):
        yield None
        return
    with open_home(home, make=False) as there:
        yield there


def _sessions(home: Home, project: Path) -> tuple[str, ...]:
    return tuple(session.key for session in home.store.sessions() if is_within(session.cwd, (str(project),)))


def _project(path: str) -> Path:
    named = Path(_named(path))
    if not named.is_dir():
        raise UsageError(f"{path} is no folder", code=Code.IO_FAILED)
    return main_root(str(named))


def _named(path: str) -> str:
    return str(Path(path).expanduser().absolute())


def _edit(home: Path, name: str, change: Callable[[Sequence[str]], Sequence[str]]) -> bool:
    """Change one list of the settings; whether that changed anything."""
    before: Sequence[str] = getattr(read_quiet(home), name)
    after = change(before)
    if tuple(after) == tuple(before):
        return False
    path = home / SETTINGS_FILE
    data = read_file(path)
    try:
        text = set_keys((data or b"").decode("utf-8"), (), {name: list(after)})
    except UnreadableInput as error:
        raise UsageError(f"{path}: {error}", code=error.code) from error
    apply((Change(path.resolve(), data, text.encode("utf-8"), path),))
    return True

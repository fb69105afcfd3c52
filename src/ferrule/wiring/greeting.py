"""What a session is told when its client starts it, goes on with it, or has cut its context.

Owns the way from a client's payload to the context text: which session it is, by the importers' own rule for keys, and
whose memories it may read (design.md section 7, R87). Light, since a client waits for it: nothing is migrated, checked
or locked. Nothing is waited for either: a turn that no worker has reviewed yet is not told. Knows nothing of budgets
or of how a client wants its answer.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from ferrule.adapters.laptop.calling import calling_process
from ferrule.adapters.repositories.roots import main_root, says_off
from ferrule.adapters.spool.starts import SPOOL, Start, elders, note_start, read_start
from ferrule.adapters.sqlite.remembered import Remembered, reading
from ferrule.adapters.transcripts.origin import origin_of
from ferrule.bridge.details import Details, HandleView
from ferrule.recall.lineage import with_lineage
from ferrule.session.keys import session_key
from ferrule.session.lineage import one_repository
from ferrule.session.source import SourceSession

__all__ = ["greeting"]

_COPIES = frozenset({"fork", "resume"})
_MOST = 50  # sessions of a conversation, the nearest


@dataclass(frozen=True, slots=True)
class _Told:
    """A session and what it may be told."""

    source: str
    memories: tuple[Details, ...]

    def list(self, *, limit: int = 1000) -> tuple[Details, ...]:
        return self.memories[:limit]


def greeting(client: str, payload: bytes, home: str | None) -> str:
    """The context text for the session that a payload says starts; empty when there is nothing to tell.

    Raises:
        OSError, sqlite3.Error, FerruleError: something is wrong with the home; nothing can be told.
    """
    start = read_start(client, payload)
    if start is None:
        return ""
    place = _place(home)
    if _is_silent(place, start.cwd):
        return ""
    origin = origin_of(client, start.transcript, start.session) if start.source in _COPIES else ""
    rooted = replace(start, cwd=str(main_root(start.cwd)))  # a session may go on in another folder of its repository
    note_start(place, rooted, calling_process(), time.time(), origin=origin)
    _call_worker(place)
    key = session_key(client, start.session)
    with reading(place) as remembered:
        if remembered is None:
            return ""
        members = _members(remembered, key, start, place)
        own, *others = remembered.conversation((key, *(one.key for one in members[:_MOST] if one.key != key)))
        told = with_lineage(own, others)
        wider = _others(place, remembered, (key, start, members), told)
        turns = remembered.looked_at([one.key for one in members[:_MOST]])
        gone = {mark for one in members[:_MOST] for mark in remembered.forgotten(one.key)} if turns else set()
    if not told and not wider and not any(turns):
        return ""
    cwd = next((one.cwd for one in members if one.key == key and one.cwd), start.cwd)
    from ferrule.recall.context import context_text  # noqa: PLC0415 - most sessions start with nothing to tell
    from ferrule.recall.lately import lately_entries  # noqa: PLC0415 - see above
    from ferrule.wiring.looking import looking  # noqa: PLC0415 - see above

    with looking(cwd) as check:
        lately = tuple(lately_entries(turns, told, forgotten=gone, check=check, cwd=cwd))
        return context_text(_Told(key, told), check, lately=lately, more=_lines(wider, check))


def _call_worker(home: Path) -> None:
    """Turns that were reported and that no worker took up, as before a crash, are worked off meanwhile."""
    with suppress(OSError):
        if any(name.endswith(".json") for name in os.listdir(home / SPOOL)):  # noqa: PTH208 - names only
            from ferrule.adapters.laptop.waking import wake  # noqa: PLC0415 - rarely anything is left

            wake(home)


def _is_silent(home: Path, cwd: str) -> bool:
    """Whether a person said that nothing of this folder is captured: then nothing is noted or told there either."""
    if says_off(cwd) is not None:
        return True
    if not (home / "settings.toml").exists():
        return False
    from ferrule.wiring.quiet_places import silence_of  # noqa: PLC0415 - for who set something

    return silence_of(home, (cwd,)) is not None


def _others(
    home: Path, remembered: Remembered, who: tuple[str, Start, Sequence[SourceSession]], told: tuple[Details, ...]
) -> tuple[Details, ...]:
    """What other sessions of the repository remember, where a person opted in for the project."""
    if next(home.glob("projects/*/recall.json"), None) is None:
        return ()
    from ferrule.wiring.neighbourhood import others_told  # noqa: PLC0415 - for projects that a person decided about

    key, start, members = who
    fresh = SourceSession(key, "", client=start.client, cwd=start.cwd)
    session = next((one for one in members if one.key == key), fresh)
    hidden = remembered.session(key)
    if hidden is not None and hidden.hidden:
        return ()
    return others_told(home, remembered, session, told=told, members=tuple(one.key for one in members))


def _lines(others: tuple[Details, ...], check: Callable[[HandleView], bool | None]) -> Iterator[str]:
    if not others:
        return iter(())
    from ferrule.recall.wider import wider_entries  # noqa: PLC0415 - see above

    return wider_entries(others, check, time.time())


def _place(home: str | None) -> Path:
    if home:
        return Path(home).expanduser()
    from ferrule.wiring.locating import located  # noqa: PLC0415 - what a client runs names its home

    return located()


def _members(remembered: Remembered, key: str, start: Start, home: Path) -> Sequence[SourceSession]:
    """The session, when stored, and whose memories it may read; one not stored yet reads those it goes on from."""
    stored = remembered.session(key)
    if stored is not None:
        return () if stored.hidden else (stored, *remembered.kin(key))
    fresh = SourceSession(key, "", client=start.client, cwd=start.cwd)
    for elder in elders(home, start.client, start.session):
        before = remembered.session(session_key(start.client, elder))
        if before is not None:
            known = (before, *remembered.kin(before.key))
            return tuple(one for one in known if not one.hidden and one_repository(fresh, one))
    return ()
